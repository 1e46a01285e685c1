"""Random programs: statements that write, prepared statements, cursors, functions, other roles. They run in a transaction
that is rolled back."""

from .conditions import distance, near
from .queries import ORDERED, Queries


class Programs(Queries):
    """Queries and programs that are more than single queries."""

    def any(self):
        return self.shape("p_")

    def state(self, table="t"):
        return f"SELECT id, tenant, flag, fp FROM {table}"

    def p_update(self):
        return [f"UPDATE t x SET fp = x.fp # 1, flag = NOT x.flag FROM q WHERE {self.pair('x', 'q')} RETURNING x.id", self.state()]

    def p_update_again(self):
        """A statement does not find the rows that it has written itself."""
        condition = self.c.near("x.fp", self.c.value())
        change = f"UPDATE u x SET fp = x.fp # 2 WHERE {condition} RETURNING x.id, x.fp"
        return [change, change, self.state("u")]

    def p_delete(self):
        return [f"DELETE FROM t x USING q WHERE {self.pair('x', 'q')} RETURNING x.id", self.state()]

    def p_merge(self):
        c, rng = self.c, self.rng
        on = c.near("x.fp", "s.fp", rng.choice(["0", "3", "5"]))
        source = rng.choice(["q", "(SELECT * FROM q WHERE id = 1)", f"(SELECT * FROM q WHERE {c.near('q.fp', c.value())})"])
        matched = rng.choice(["DO NOTHING", "DELETE", "UPDATE SET flag = true"])
        return [f"MERGE INTO u x USING {source} s ON {on} WHEN MATCHED AND x.id > 2 THEN {matched} "
                "WHEN NOT MATCHED THEN INSERT (id, fp) VALUES (-s.id, s.fp)", self.state("u")]

    def p_insert(self):
        return [f"INSERT INTO u SELECT -x.id, x.tenant, x.flag, x.fp, x.fp2, x.d, x.body FROM t x WHERE {self.c.condition('x')}", self.state("u")]

    def p_writing_cte(self):
        return [f"WITH gone AS (DELETE FROM u x WHERE {self.c.condition('x')} RETURNING x.id, x.fp) "
                f"SELECT gone.id, y.id FROM gone JOIN t y ON {self.c.near('y.fp', 'gone.fp', '3')}", self.state("u")]

    def p_prepared(self):
        """Enough executions for a generic plan, with k as a parameter and without."""
        c, rng = self.c, self.rng
        query = rng.choice(
            [
                f"SELECT x.id FROM {self.table()} x WHERE {c.near(c.column('x'), '$1', '$2')}",
                f"SELECT x.id FROM {self.table()} x WHERE {c.near(c.column('x'), '$1')} AND x.tenant = $2",
                f"SELECT x.id FROM {self.table()} x WHERE {near('near', c.column('x'), 'simhash($1::text)', '$2')}",
                f"SELECT q.id, x.id FROM q JOIN t x ON {c.near('x.fp', 'q.fp # $1', '$2')}",
                f"SELECT x.id FROM t x WHERE {c.near('x.fp', '(SELECT $1)', '3')} OR x.id = $2",
                f"SELECT {distance('x.fp', '$1')} FROM t x ORDER BY {distance('x.fp', '$1')} LIMIT $2",
            ]
        )
        calls = [f"EXECUTE p ({rng.choice([c.literal(), c.literal(), 'NULL'])}, {rng.choice([rng.randint(0, 20), c.k() % 50, 'NULL'])})"
                 for _ in range(rng.choice([2, 7, 8]))]
        return [f"PREPARE p (bigint, int) AS {query}"] + calls + ["DEALLOCATE p"]

    def p_cursor(self):
        rng = self.rng
        query = rng.choice([self.q_plain, self.q_join, self.q_lateral])()[0]
        # Without an order, only the set of all rows can be compared.
        fetches = rng.choice([["FETCH ALL FROM c"], ["MOVE ALL IN c", "MOVE BACKWARD ALL IN c", "FETCH ALL FROM c"]])
        return [f"DECLARE c SCROLL CURSOR FOR {query}"] + fetches

    def p_cursor_nearest(self):
        value, scroll = self.c.value(), self.rng.choice(["", "SCROLL "])
        bits = distance(self.c.ordered_column("x"), value)
        back = [f"{ORDERED}FETCH BACKWARD 8 FROM c", f"{ORDERED}FETCH ABSOLUTE 2 FROM c", f"{ORDERED}FETCH 30 FROM c"] if scroll else []
        return [f"DECLARE c {scroll}CURSOR FOR SELECT {bits} FROM t x {self.among(value)} ORDER BY {bits}", f"{ORDERED}FETCH 3 FROM c",
                f"{ORDERED}FETCH 10 FROM c", "MOVE 5 IN c", f"{ORDERED}FETCH 20 FROM c", *back, "CLOSE c"]

    def p_current_of(self):
        condition = self.c.near("x.fp", self.c.value())
        return [f"""DO $$
DECLARE
    c CURSOR FOR SELECT id FROM u x WHERE {condition} FOR UPDATE;
BEGIN
    FOR r IN c LOOP
        UPDATE u SET flag = NULL WHERE CURRENT OF c;
    END LOOP;
END
$$""", self.state("u")]

    def p_function(self):
        """PL/pgSQL: plans with variables that are kept in the session."""
        c = self.c
        query = self.rng.choice([f"SELECT r.id, x.id FROM {self.table()} x WHERE {c.near(c.column('x'), 'r.fp', 'r.k')}",
                                 f"SELECT r.id, x.id FROM {self.table()} x WHERE {c.near(c.column('x'), 'r.fp')}",
                                 f"SELECT r.id, count(*)::int FROM t x WHERE {c.near('x.fp', 'r.fp', '3')} AND x.tenant = r.tenant"])
        return [f"""CREATE FUNCTION search() RETURNS TABLE (a int, b int) LANGUAGE plpgsql AS $$
DECLARE
    r record;
BEGIN
    FOR r IN SELECT * FROM q ORDER BY id LOOP
        RETURN QUERY {query};
    END LOOP;
END
$$""", "SELECT a, b FROM search()"]

    def p_sql_function(self):
        """A function that the planner inlines, on both sides of a join."""
        k = self.rng.choice(["$2", str(self.c.k())])
        column = self.c.column("x")
        volatility = self.rng.choice(["STABLE", "STABLE", "VOLATILE"])
        return [f"CREATE FUNCTION search(bigint, int) RETURNS SETOF int LANGUAGE sql {volatility} AS $$ "
                f"SELECT x.id FROM t x WHERE {self.c.near(column, '$1', k)} $$",
                f"SELECT s FROM search({self.c.literal()}, {self.c.k()}) s", "SELECT q.id, s FROM q, search(q.fp, q.k) s"]

    def p_near_function(self):
        """A near condition inside a function of the user."""
        return [f"CREATE FUNCTION alike(a bigint, b bigint) RETURNS boolean LANGUAGE sql {self.rng.choice(['IMMUTABLE', 'STABLE'])} AS $$ "
                f"SELECT {self.c.near('a', 'b', str(self.c.k()))} $$", f"SELECT x.id FROM t x WHERE alike(x.fp, {self.c.value()})",
                "SELECT q.id, x.id FROM q JOIN u x ON alike(q.fp, x.fp)"]

    def p_row_security(self):
        """A role that sees only its own rows."""
        c = self.c
        policy = self.rng.choice(["tenant = 1", "tenant = 1", f"tenant = 1 AND {c.near('fp', c.literal(), '40')}",
                                  "tenant = 1 AND tenant = (SELECT 1)"])
        leak = self.rng.choice(["", " AND sees_own(x.tenant)"])
        return ["ALTER TABLE t ENABLE ROW LEVEL SECURITY", f"CREATE POLICY own ON t USING ({policy})", "SET LOCAL ROLE reader",
                f"SELECT x.id FROM t x WHERE {c.condition('x')}{leak}", f"SELECT q.id, x.id FROM q JOIN t x ON {self.pair('x', 'q')}{leak}",
                f"{ORDERED}SELECT {distance('x.fp', '42')} FROM t x WHERE true{leak} ORDER BY {distance('x.fp', '42')} LIMIT 5",
                "RESET ROLE"]

    def p_barrier(self):
        return [f"SELECT x.id FROM barrier x WHERE sees_own(x.tenant) AND {self.c.condition('x')}",
                f"SELECT q.id, x.id FROM q JOIN barrier x ON sees_own(x.tenant) AND {self.pair('x', 'q')}"]

    def p_view_with_condition(self):
        return [f"CREATE VIEW v AS SELECT x.*, {distance('x.fp', '(SELECT fp FROM q WHERE id = 2)')} AS bits FROM t x WHERE {self.c.condition('x')}",
                "SELECT id, bits FROM v", f"SELECT v.id FROM v WHERE {self.c.condition('v')}", f"{ORDERED}SELECT bits FROM v ORDER BY bits LIMIT 7"]

    def p_materialized(self):
        index = self.rng.choice(["CREATE INDEX ON m USING simhash (fp)", "SELECT count(*) FROM simhash_create_index('m', 'fp')"])
        return [f"CREATE MATERIALIZED VIEW m AS SELECT id, tenant, fp FROM t x WHERE {self.c.condition('x')}", index, "REFRESH MATERIALIZED VIEW m", f"SELECT m.id FROM m WHERE {self.c.near('m.fp', self.c.value())}"]

    def p_changed_since(self):
        """An index created in a transaction that writes rows before and after."""
        return [f"UPDATE u SET fp = {self.c.literal()} WHERE id % 5 = 0", "CREATE INDEX ON u USING simhash (fp)",
                f"UPDATE u SET fp = {self.c.literal()} WHERE id % 5 = 1", "SAVEPOINT s", f"DELETE FROM u x WHERE {self.c.condition('x')}",
                f"SELECT u.id FROM u WHERE {self.c.near('u.fp', self.c.value())}", "ROLLBACK TO s",
                f"SELECT u.id FROM u WHERE {self.c.near('u.fp', self.c.value())}"]

    def p_constraint(self):
        """Rows are inserted one by one. A row is stored if it is not near an earlier one, within a scope or not."""
        rng = self.rng
        operator, k = rng.choice([("fp WITH ~=", 3), ("fp WITH ~~=", 7), ("simhash_ball(fp, 5) WITH &&", 5), ("fp WITH =", 0)])
        scope = rng.choice([[], ["tenant"], ["flag", "tenant"], ["lower(body)"]])
        same = "".join(f" AND {column.replace('(', '(x.') if '(' in column else 'x.' + column} = "
                       f"{column.replace('(', '(r.') if '(' in column else 'r.' + column}" for column in scope)
        keys = ", ".join([f"{column} WITH =" for column in scope] + [operator])
        columns = "id, tenant, flag, body, fp"
        greedy = f"""DO $$
DECLARE
    r record;
BEGIN
    FOR r IN SELECT {columns} FROM u ORDER BY id, fp LOOP
        IF NOT EXISTS (SELECT FROM apart x WHERE ⟦near¦x.fp¦r.fp¦{k}⟧{same}) THEN
            INSERT INTO apart VALUES (r.id, r.tenant, r.flag, r.body, r.fp);
        END IF;
    END LOOP;
END
$$"""
        return ["CREATE TABLE apart (id int, tenant int, flag boolean, body text, fp bigint)",
                f"/* ours */ ALTER TABLE apart ADD EXCLUDE USING simhash ({keys})",
                f"/* ours */ INSERT INTO apart SELECT {columns} FROM u ORDER BY id, fp ON CONFLICT DO NOTHING",
                f"/* oracle */ {greedy}", "SELECT id, fp FROM apart"]
