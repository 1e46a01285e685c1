"""Random queries on random tables with random indexes, each written with the extension and with functions of the server alone
(bit_count): both have to return the same rows.

usage: python3 -m generator [--seed N] [--seconds N | --cases N | --case N] [--self-test] [CONNECTION]

A seed and a number name a case: `--seed S --case N` runs it again. A difference is printed as SQL that reproduces it.
With --self-test the oracle is wrong by one bit. The run fails if no query shows that."""

import argparse
import random
import sys
import time

import psycopg

from . import tables
from .compare import ENOUGH, KINDS, Comparison, Difference
from .conditions import Conditions
from .programs import Programs
from .queries import Queries
from .wide import Wide

# How many programs each case has, in two rounds: the tables change in between.
PROGRAMS = 24

CHECK = """WITH own AS MATERIALIZED (SELECT i.oid FROM pg_class i JOIN pg_am a ON a.oid = relam JOIN pg_index x ON x.indexrelid = i.oid
    WHERE amname = 'simhash' AND i.relkind = 'i' AND relpersistence <> 't' AND relnamespace = 'attack'::regnamespace AND indisvalid)
    SELECT count(*) FROM own, simhash_index_check(own.oid)"""


def build(rng):
    """The statements that create the tables of a case."""
    size = rng.choice([0, 30, 200, 600, 1000, 1000, 3000, 3000])
    words = rng.choice([1, 2, 2, 3, 4, 4, 8])
    made, t = tables.create(rng, "t", size, words)
    more, u = tables.create(rng, "u", rng.choice([1, 20, 150, 300]), words)
    made += more
    made.append("CREATE TABLE q (id int, tenant int, fp bigint, k int)")
    made.append(f"""INSERT INTO q SELECT x.id, x.tenant, x.fp # {rng.choice([0, 1, 3, 4096])}, hashint4(x.id) % 8 FROM
        (SELECT row_number() OVER (ORDER BY id, fp)::int AS id, tenant, fp FROM t LIMIT 11) x UNION ALL SELECT 12, 1, NULL, 3""")
    made.append("CREATE VIEW plain_view AS SELECT * FROM t WHERE id % 10 <> 3")
    made.append("CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM t WHERE tenant = 1")
    own, banded = rng.choice(tables.BOTH)
    scope = rng.choice(tables.AIMED_SCOPES)
    indexed = []
    for table, kinds in (t, [0] + [1, 2, 3] * 5), (u, [0] + [1, 1, 2] * 3):
        more, expressions = tables.indexes(rng, table, rng.choice(kinds), own, banded, scope)
        made += more
        indexed += expressions
        if rng.random() < 0.5:
            made += tables.churn(rng, table)
        if rng.random() < 0.7:
            made.append(f"ANALYZE {table.name}")
    made.append("GRANT USAGE ON SCHEMA attack TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA attack TO reader")
    return made, (t, u), indexed, (own, banded, scope)


def attack(connection, comparison, seed, case):
    """One case. If results differ, the exception has the statements so far."""
    rng = random.Random(f"{seed}:{case}")
    made, both, indexed, columns = build(rng)
    history, settings = [tables.FUNCTIONS.strip()] + made, []
    connection.execute("DISCARD ALL")
    for statement in history:
        connection.execute(statement)
    for _ in range(2):
        samples = [row[0] for row in connection.execute("SELECT fp FROM t WHERE fp IS NOT NULL ORDER BY hashint8(fp), id LIMIT 40")]
        conditions = Conditions(rng, samples, indexed, columns)
        wide = [row[0] for row in connection.execute("SELECT wide::text FROM t WHERE wide IS NOT NULL ORDER BY hashint4(id), id, wide LIMIT 40")]
        wide = Wide(rng, both[0].words, wide)
        queries, programs = Queries(rng, conditions), Programs(rng, conditions)
        for number in range(PROGRAMS // 2):
            aim = conditions.take_aim()
            if rng.random() < 0.2:
                aim, program = rng.choice(["index search", "bitmap search", None]), wide.any()
            elif aim:
                program = (queries.nearest if aim.startswith("nearest") else queries.simple)()
            else:
                program = rng.choices((queries.near, queries.nearest, programs.any), (40, 15, 45))[0]()
            if number == 0 or aim or rng.random() < 0.4:
                settings = ["RESET ALL", "SET search_path = attack, public"]
                settings += tables.settings(rng, connection.info.server_version, aim)
                for setting in settings:
                    connection.execute(setting)
            try:
                if comparison.compare(program):
                    comparison.explain(program)
            except Difference as difference:
                raise Difference(*difference.args, history + settings) from difference
        connection.execute("RESET ALL; SET search_path = attack, public")
        settings = []
        change = [statement for table in both for statement in tables.churn(rng, table)]
        change += [f"VACUUM {table.name}" for table in both if rng.random() < 0.7]
        history += change
        for statement in change:
            connection.execute(statement)
    try:
        comparison.counts["indexes checked"] += connection.execute(CHECK).fetchone()[0]
    except psycopg.Error as error:
        raise Difference(str(error), [CHECK], [], history) from error


def report(seed, case, difference):
    message, in_ours, in_oracle, history = difference.args
    print(f"-- seed {seed}, case {case}: {message}")
    for title, statements in ("", history), ("in the words of the extension", ["BEGIN", *in_ours, "ROLLBACK"]), ("oracle", in_oracle):
        print(f"-- {title}" if title else "", *(statement.rstrip(";") + ";" for statement in statements), sep="\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--case", type=int)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("connection", nargs="?", default="")
    options = parser.parse_args()
    connect = lambda: psycopg.connect(options.connection, autocommit=True, prepare_threshold=None)
    connection = connect()
    connection.execute("DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    connection.execute("SET client_min_messages = warning")
    comparison = Comparison(connection, more=1 if options.self_test else 0)
    print(f"queries: seed {options.seed}")
    ends = time.monotonic() + options.seconds
    case, failures = options.case or 0, 0
    while True:
        try:
            attack(connection, comparison, options.seed, case)
        except Difference as difference:
            failures += 1
            if not options.self_test:
                report(options.seed, case, difference)
            if connection.broken:
                break
        case += 1
        if options.self_test:
            goes_on = case < 50 and not failures
        elif options.cases:
            goes_on = case < options.cases
        else:
            goes_on = options.case is None and time.monotonic() <= ends
        if not goes_on or failures >= 5:
            break
    counted = ", ".join(f"{count} {name}" for name, count in sorted(comparison.counts.items()) if name not in KINDS)
    print(f"queries: {counted} in {case} cases", f"queries: plans with {comparison.shares()}", sep="\n")
    for seconds, by_oracle, statements in comparison.slow:
        print(f"-- slow: {seconds:.1f} s, the oracle {by_oracle:.2f} s", *statements, sep="\n")
    if options.self_test:
        sys.exit(0 if failures else "the oracle was wrong, and nobody noticed")
    is_enough = options.case is None and (options.cases or comparison.counts["explained"] >= ENOUGH)
    missing = comparison.missing() if is_enough else []
    if missing:
        print("-- no plan has:", ", ".join(missing))
    sys.exit(1 if failures or missing else 0)


if __name__ == "__main__":
    main()
