"""Random tables and indexes."""

FUNCTIONS = """
CREATE EXTENSION IF NOT EXISTS simhash SCHEMA public;
DROP SCHEMA IF EXISTS attack CASCADE;
CREATE SCHEMA attack;
SET search_path = attack, public;
CREATE FUNCTION stable(fp bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS 'BEGIN RETURN fp; END';
CREATE FUNCTION stable_k(k int) RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN k; END';
CREATE FUNCTION volatile(fp bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN fp; END';
CREATE FUNCTION inlined(fp bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT fp # 0';
-- A fingerprint with others near it: one of a number of families, with up to four bits flipped, restricted to the bits of a mask.
CREATE FUNCTION member(i bigint, seed int, families bigint, mask bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT mask & (hashint8extended(i % families, seed) # CASE x.n & 3 WHEN 0 THEN 0 WHEN 1 THEN 1::bigint << (x.n >> 8 & 63)::int
        WHEN 2 THEN 1::bigint << (x.n >> 8 & 63)::int # 1::bigint << (x.n >> 16 & 63)::int
        ELSE 15::bigint << (x.n >> 24 & 63)::int END)
    FROM (SELECT hashint8extended(i, seed + 1)) x (n)
$$;
-- Bit strings of several members. Some have one word that is near others, while the other words are not.
CREATE FUNCTION wide_member(i bigint, seed int, families bigint, mask bigint, words int) RETURNS bit varying LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(CASE WHEN i % 6 = 5 AND w <> i % words THEN hashint8extended(i, seed + w)
        ELSE member(i, seed + w, families, mask) END::bit(64)::text, '' ORDER BY w)::bit varying
    FROM generate_series(0, words - 1) w
$$;
-- Raises an error for a row of another tenant: a function must not see a row that a policy or a barrier hides.
CREATE FUNCTION sees_own(tenant int) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$
BEGIN
    IF tenant IS DISTINCT FROM 1 THEN RAISE EXCEPTION 'a hidden row was shown'; END IF;
    RETURN true;
END
$$;
-- A domain with its own operators, which must not be called.
CREATE DOMAIN fingerprint AS bigint;
CREATE FUNCTION trap(fingerprint, fingerprint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE FUNCTION trap(fingerprint, bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY '{=,<>,<,<=,>,#}'::text[] LOOP
        EXECUTE format('CREATE OPERATOR %s (LEFTARG = fingerprint, RIGHTARG = fingerprint, FUNCTION = trap)', name);
        EXECUTE format('CREATE OPERATOR %s (LEFTARG = fingerprint, RIGHTARG = bigint, FUNCTION = trap)', name);
    END LOOP;
END
$$;
"""

COLUMNS = "id int, tenant int, flag boolean, fp bigint, fp2 bigint, d fingerprint, body text, wide bit({})"


class Table:
    def __init__(self, name, kind, rows, leaves, words):
        self.name, self.kind, self.rows, self.leaves, self.words = name, kind, rows, leaves, words


def rows_of(rng, name, rows, words):
    """An INSERT of this many rows. The numbers of NULLs, of equal and of near rows are random. `words` is the width of bit strings."""
    families = rng.choice([1, 3, 20, max(1, rows // 10), max(1, rows // 3), rows * 10 + 1])
    mask = rng.choice([-1, -1, -1, -1, 65535, 255, 2**48 - 1, -(2**48), 2**63 - 1, 3])
    nulls = rng.choice([0, 0, 3, 10, 90, 100])
    tenants = rng.choice([1, 2, 5, 5, 50])
    seed, first = rng.randint(0, 10**6), rng.choice([0, 0, 1])
    member = f"member(i, {seed}, {families}, {mask})"
    return f"""INSERT INTO {name} SELECT i, CASE WHEN i % 17 > 0 THEN i % {tenants} END, i % 3 = {first},
    CASE WHEN hashint4(i) & 127 < {nulls} THEN NULL WHEN i % 101 = 100 THEN ('{{0,-1,9223372036854775807,-9223372036854775808}}'::bigint[])[1 + i / 101 % 4]
        ELSE {member} END,
    member(i, {seed} + (i % 2), {families}, {mask}), CASE WHEN i % 7 > 0 THEN {member} END,
    CASE WHEN i % 13 > 0 THEN 'the words of document ' || i % 40 END,
    CASE WHEN hashint4(i) & 127 >= {nulls} THEN wide_member(i, {seed}, {families}, {mask}, {words}) END
    FROM generate_series(1, {rows}) i"""


def churn(rng, table):
    """Statements that leave dead rows, new versions and holes."""
    k, name, bits = rng.randint(2, 7), table.name, 64 * table.words
    return [
        f"UPDATE {name} SET fp = fp # (1::bigint << id % 64) WHERE id % {k} = 0",
        f"DELETE FROM {name} WHERE id % {k + 4} = 1",
        f"UPDATE {name} SET fp = NULL WHERE id % {k * 11} = 2",
        f"UPDATE {name} SET tenant = tenant + 1 WHERE id % {k * 5} = 3",
        f"UPDATE {name} SET wide = wide # (1::bit({bits}) << abs(id) % {bits}) WHERE id % {k * 2} = 1",
        f"INSERT INTO {name} SELECT id + 100000, tenant, NOT flag, fp, fp # 1, d, body, wide # 1::bit({bits}) FROM {name} WHERE id % {k * 3} = 1",
    ]


def create(rng, name, rows, words):
    """A table of a random kind, with rows: the statements, and a description of the table."""
    columns = COLUMNS.format(64 * words)
    kind = rng.choices(["plain", "partitioned", "inherited", "unlogged", "temporary"], [50, 25, 10, 8, 7])[0]
    leaves = [name]
    if kind == "partitioned":
        by = rng.choice(["LIST (tenant)", "HASH (id)", "RANGE (id)", "RANGE (fp)"])
        made = [f"CREATE TABLE {name} ({columns}) PARTITION BY {by}"]
        bounds = {
            "LIST (tenant)": ["IN (0, 1)", "IN (2, NULL)"],
            "HASH (id)": ["WITH (MODULUS 3, REMAINDER 0)", "WITH (MODULUS 3, REMAINDER 1)", "WITH (MODULUS 3, REMAINDER 2)"],
            "RANGE (id)": ["FROM (0) TO (50)", f"FROM (50) TO ({51 + rows})"],
            "RANGE (fp)": ["FROM (MINVALUE) TO (0)", "FROM (0) TO (MAXVALUE)"],
        }[by]
        leaves = [f"{name}_{i}" for i in range(len(bounds))]
        for leaf, bound in zip(leaves, bounds):
            made.append(f"CREATE TABLE {leaf} PARTITION OF {name} FOR VALUES {bound}")
        if not by.startswith("HASH"):
            leaves.append(f"{name}_rest")
            # Its columns are in another order.
            made.append(f"CREATE TABLE {name}_rest (fp bigint, body text, gone int, d fingerprint, fp2 bigint, flag boolean, "
                        f"wide bit({64 * words}), id int, tenant int)")
            made.append(f"ALTER TABLE {name}_rest DROP gone")
            made.append(f"ALTER TABLE {name} ATTACH PARTITION {name}_rest DEFAULT")
    else:
        word = {"unlogged": "UNLOGGED ", "temporary": "TEMPORARY "}.get(kind, "")
        made = [f"CREATE {word}TABLE {name} ({columns})"]
        if kind == "inherited":
            leaves.append(f"{name}_child")
            made.append(f"CREATE TABLE {name}_child (more int) INHERITS ({name})")
            made.append(rows_of(rng, f"{name}_child (id, tenant, flag, fp, fp2, d, body, wide)", max(1, rows // 3), words))
    made.append(rows_of(rng, name, rows, words))
    return made, Table(name, kind, rows, leaves, words)


# Expressions for the fingerprint of a row.
EXPRESSIONS = ["fp"] * 8 + ["fp2", "d", "(fp # 5)", "coalesce(fp, 0)", "simhash(body)"]
PREDICATES = ["tenant = 1", "flag", "NOT flag", "fp IS NOT NULL", "id < 100", "tenant = 1 AND flag", "tenant IN (0, 1, 2)"]


# Columns that can be before the fingerprint in an index USING simhash.
SCOPES = ["tenant", "flag", "body", "(id % 5)", "(tenant::numeric)", "tenant, flag", "flag, (lower(body)), tenant", "fp2"]

# Columns before the fingerprint in the index that searches within a scope are intended to use.
AIMED_SCOPES = [["tenant"]] * 5 + [["tenant", "flag"], ["(tenant::bigint)"], ["body"], ["flag"], ["(id % 5)"], ["(tenant::numeric)"],
                                   ["flag", "(lower(body))", "tenant"]]

# The columns of an index USING simhash and of a family of bands, which most tables of a case have, so that each kind of plan is
# possible.
BOTH = [("fp", "fp2"), ("fp2", "fp"), ("fp2", "fp"), ("fp", "d"), ("d", "fp"), ("fp", "fp")]


def indexes(rng, table, kinds, own, banded, scope):
    """Statements that create random indexes on the table or on some of its leaves, and the indexed expressions."""
    made, expressions = [], []
    if kinds:
        bands = rng.choice([3, 4, 4, 5, 6, 8])
        made = [f"CREATE INDEX ON {leaf} USING simhash ({own})" for leaf in table.leaves]
        made += [f"CREATE INDEX ON {leaf} USING simhash ({', '.join(scope)}, {own})" for leaf in table.leaves]
        made += [f"CREATE INDEX ON {leaf} (simhash_band({banded}, {band}, {bands}))" for leaf in table.leaves for band in range(bands)]
        expressions = [own, banded] * kinds
        options = rng.choice(["", "", " WITH (rotations = 1)", " WITH (rotations = 2)"])
        wide = rng.choice(["wide"] * 4 + [f"(simhash_bit_ball(wide, {rng.choice([3, 20, 100])}))"])
        made += [f"CREATE INDEX ON {leaf} USING simhash ({wide}){options}" for leaf in table.leaves]
        made += [f"CREATE INDEX ON {leaf} USING simhash (tenant, wide)" for leaf in table.leaves]
    for _ in range(kinds):
        target = table.name
        if len(table.leaves) > 1 and (table.kind == "inherited" or rng.random() < 0.4):
            target = rng.choice(table.leaves)
        expressions.append(rng.choice(EXPRESSIONS))
        made += one_kind(rng, target, expressions[-1])
    if rng.random() < 0.1 and made:
        # An index that a failed CREATE INDEX CONCURRENTLY leaves behind.
        made.append(f"UPDATE pg_index SET indisvalid = false WHERE indexrelid IN (SELECT indexrelid FROM pg_index JOIN pg_class c ON "
                    f"c.oid = indrelid WHERE relname = '{rng.choice(table.leaves)}' AND relkind = 'r' ORDER BY indexrelid LIMIT 1)")
    return made, expressions


def one_kind(rng, target, expression):
    """One index USING simhash, or a family of bands."""
    where = f" WHERE {rng.choice(PREDICATES)}" if rng.random() < 0.2 else ""
    if rng.random() < 0.4:
        options = rng.choice(["", " WITH (rotations = 1)", " WITH (rotations = 2)", " WITH (rotations = 4, fillfactor = 30)"])
        if rng.random() < 0.07:
            expression = f"simhash_ball({expression}, {rng.choice([0, 3, 5, 12])})"
        scope = rng.choice([""] * 3 + [f"{column}, " for column in SCOPES])
        return [f"CREATE INDEX ON {target} USING simhash ({scope}({expression})){options}{where}"]
    bands = rng.choice([1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 8, 16])
    keys = [f"simhash_band({expression}, {band}, {bands})" for band in range(bands)]
    if rng.random() < 0.15:
        keys = rng.sample(keys, rng.randint(1, bands))
    layout = rng.choices(
        ["({0})", "(tenant, {0})", "({0}, tenant)", "(tenant, flag, {0})", "({0} DESC) INCLUDE (id)", "USING hash ({0})", "({0}, id, tenant)"],
        [50, 15, 8, 5, 5, 12, 5],
    )[0]
    made = [f"CREATE INDEX ON {target} {layout.format(key)}{where}" for key in keys]
    if rng.random() < 0.1 and layout == "({0})" and len(keys) > 1:
        made = [f"CREATE INDEX ON {target} ({', '.join(keys)}){where}"]
    return made


SETTINGS = {
    "enable_seqscan": ["off", "off", "off", "on"],
    "enable_bitmapscan": ["off", "on"],
    "enable_indexscan": ["off", "on"],
    "enable_hashjoin": ["off", "on"],
    "enable_mergejoin": ["off", "on"],
    "enable_nestloop": ["off", "on"],
    "enable_material": ["off", "on"],
    "enable_memoize": ["off", "on"],
    "enable_sort": ["off", "on"],
    "enable_hashagg": ["off", "on"],
    "enable_incremental_sort": ["off", "on"],
    "enable_partition_pruning": ["off", "on"],
    "enable_partitionwise_join": ["on", "off"],
    "enable_partitionwise_aggregate": ["on", "off"],
    "random_page_cost": ["0", "1", "4", "100"],
    "cpu_operator_cost": ["0", "0.0025", "10"],
    "work_mem": ["64kB", "4MB", "64MB"],
    "plan_cache_mode": ["force_generic_plan", "force_custom_plan", "auto"],
    "join_collapse_limit": ["1", "8"],
    "from_collapse_limit": ["1", "8"],
    "geqo_threshold": ["2", "12"],
    "cursor_tuple_fraction": ["0.001", "1"],
    "constraint_exclusion": ["on", "off", "partition"],
    "default_statistics_target": ["1", "100"],
    "transform_null_equals": ["on", "off"],
    "jit": ["off", "off", "off", "on"],
}


# Settings that make one kind of scan likely. Bands are searched with bitmap scans.
LEANINGS = {
    "index search": {"enable_seqscan": "off", "enable_bitmapscan": "off", "enable_indexscan": "on", "enable_nestloop": "on"},
    "bitmap search": {"enable_seqscan": "off", "enable_bitmapscan": "on", "enable_indexscan": "off", "enable_nestloop": "on"},
    "bands": {"enable_seqscan": "off", "enable_bitmapscan": "on", "enable_indexscan": "on", "enable_nestloop": "on"},
    "nearest": {"enable_seqscan": "off", "enable_sort": "off", "enable_bitmapscan": "off", "enable_indexscan": "on"},
    "scope": {"enable_seqscan": "off", "enable_indexscan": "on", "enable_nestloop": "on"},
    "nearest of a scope": {"enable_seqscan": "off", "enable_sort": "off", "enable_bitmapscan": "off", "enable_indexscan": "on"},
}


def settings(rng, version, aim):
    """Settings of a session: random planner settings, and sometimes parallel plans wherever possible. They make the kind of scan
    `aim` likely, if it is given."""
    chosen = {"jit": "off"} | {name: rng.choice(values) for name, values in SETTINGS.items() if rng.random() < 0.25}
    for name in "enable_seqscan", "enable_sort":
        if rng.random() < 0.7:
            chosen.setdefault(name, "off")
    chosen |= LEANINGS.get(aim, {})
    if rng.random() < 0.25:
        chosen |= {"parallel_setup_cost": "0", "parallel_tuple_cost": "0", "min_parallel_table_scan_size": "0",
                   "min_parallel_index_scan_size": "0", "max_parallel_workers_per_gather": "2"}
        if rng.random() < 0.5:
            chosen["force_parallel_mode" if version < 160000 else "debug_parallel_query"] = rng.choice(["on", "regress"])
    return [f"SET {name} = '{value}'" for name, value in chosen.items()]
