"""Random queries. A query is a list of statements. The rows of a statement are compared as a multiset, or in order if the statement
begins with the mark ORDERED."""

from .conditions import distance

ORDERED = "/* ordered */ "


class Queries:
    """Queries on the tables t, u and q of one case."""

    def __init__(self, rng, conditions):
        self.rng = rng
        self.c = conditions

    def near(self):
        """A search for near rows."""
        return self.shape("q_")

    def simple(self):
        """A search for near rows in which the planner is free to choose the scan."""
        return self.rng.choice((self.q_plain, self.q_plain_count, self.q_locked, self.q_lateral, self.q_comma, self.q_values,
                                self.q_scalar_subquery, self.q_union_outside, self.q_cte))()

    def nearest(self):
        """A search for the nearest rows."""
        return self.shape("n_")

    def shape(self, prefix):
        shapes = [getattr(self, name) for name in sorted(dir(self)) if name.startswith(prefix)]
        return self.rng.choice(shapes)()

    def table(self):
        return self.rng.choices(["t", "u", "barrier", "plain_view"], [70, 12, 8, 10])[0]

    def pair(self, a="a", b="b"):
        """A condition that joins two tables."""
        c, rng = self.c, self.rng
        k = rng.choice([None] * (60 if c.aimed else 6) + [f"{a}.id % 8", f"{b}.tenant", "q.k" if "q" in (a, b) else None])
        base = c.near(c.column(a), f"{b}.fp" if b == "q" else c.column(b), k)
        return base if rng.random() < 0.6 else f"{base} AND {self.link(a, b)}"

    def link(self, a, b):
        return self.rng.choice([f"{a}.tenant = {b}.tenant", f"{a}.id < {b}.id", f"{a}.id <> {b}.id", self.c.filter(a)])

    def limit(self):
        return self.rng.choice(["", f"LIMIT {self.rng.choice([0, 1, 3, 10, 100, 100000])}"])

    def q_plain(self):
        condition = self.c.condition("x")
        return [f"SELECT x.id, x.fp FROM {self.table()} x WHERE {condition}"]

    def q_plain_count(self):
        return [f"SELECT count(*), sum(x.id) FROM {self.table()} x WHERE {self.c.condition('x')}"]

    def q_two_values(self):
        """Two searches on one table, by one index or by two."""
        c = self.c
        joined = self.rng.choice(["AND", "OR", "AND NOT", "OR NOT"])
        return [f"SELECT x.id FROM {self.table()} x WHERE {c.near(c.column('x'), c.value())} {joined} {c.near(c.column('x'), c.value())}"]

    def q_truth(self):
        """Tests of the truth value of a condition, which can be NULL."""
        base = self.c.near(self.c.column("x"), self.c.value())
        test = self.rng.choice(["IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "= true", "<> true",
                                "IS DISTINCT FROM true"])
        return [f"SELECT x.id FROM t x WHERE ({base}) {test}",
                f"SELECT x.id, {base}, CASE WHEN {base} THEN 'near' ELSE 'far' END, coalesce({base}, false) FROM u x"]

    def q_join(self):
        rng = self.rng
        kind = rng.choice(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        one, other = rng.choice([("u", "q"), ("q", "u"), ("q", "t"), ("t", "q"), ("q", "q"), ("barrier", "q")])
        names = {"q": "q", "u": "u", "t": "t", "barrier": "b"}
        a, b = ("a", "b") if one == other else (names[one], names[other])
        side, other_side = (a, b) if one != "q" else (b, a)
        if one == other == "q":
            on = self.c.near("a.fp", "b.fp", rng.choice([None, "a.k", "b.k"]))
        else:
            on = self.pair(side, other_side)
        if kind == "FULL JOIN":
            on = f"a.id = b.id AND {on}" if one == other else f"{a}.tenant = {b}.tenant AND {on}"
        where = f" WHERE {self.c.filter(side)}" if one != other and rng.random() < 0.3 else ""
        return [f"SELECT {a}.id, {b}.id FROM {one} {a} {kind} {other} {b} ON {on}{where}"]

    def q_join_three(self):
        c = self.c
        kinds = [self.rng.choice(["JOIN", "LEFT JOIN"]) for _ in range(2)]
        last = self.rng.choice(["b", "q"])
        return [f"SELECT q.id, b.id, x.id FROM q {kinds[0]} u b ON {self.pair('b', 'q')} {kinds[1]} t x ON "
                f"{c.near('x.fp', f'{last}.fp', self.rng.choice(['2', '3', '1', 'q.k']))} AND q.id < 5"]

    def q_comma(self):
        return [f"SELECT q.id, x.id FROM q, t x WHERE {self.pair('x', 'q')} AND {self.c.filter('x')}"]

    def q_outer_then_where(self):
        """Above an outer join, the searched value can be NULL even if the column is not."""
        c = self.c
        above = self.rng.choice([c.near("b.fp", c.value()), f"({c.near('b.fp', c.value())}) IS NOT TRUE", c.near("coalesce(b.fp, 7)", c.value())])
        return [f"SELECT q.id, b.id FROM q LEFT JOIN u b ON {self.pair('b', 'q')} WHERE {above}"]

    def q_exists(self):
        word = self.rng.choice(["EXISTS", "NOT EXISTS"])
        if self.rng.random() < 0.5:
            return [f"SELECT q.id FROM q WHERE {word} (SELECT FROM {self.table()} x WHERE {self.pair('x', 'q')})"]
        return [f"SELECT b.id FROM u b WHERE {word} (SELECT FROM q WHERE {self.pair('b', 'q')})"]

    def q_in(self):
        word = self.rng.choice(["IN", "NOT IN", "= ANY", "<> ALL"])
        inner = self.rng.choice([self.pair("x", "q"), self.c.condition("x")])
        return [f"SELECT q.id FROM q WHERE q.id {word} (SELECT x.id % 13 FROM t x WHERE {inner})"]

    def q_lateral(self):
        kind = self.rng.choice(["CROSS JOIN", "LEFT JOIN"])
        inner = self.rng.choice([f"SELECT count(*) AS n, min(x.id) AS m FROM t x WHERE {self.pair('x', 'q')}",
                                 f"SELECT x.id AS n, x.tenant AS m FROM t x WHERE {self.pair('x', 'q')} OFFSET 0",
                                 f"SELECT DISTINCT x.fp AS n, 1 AS m FROM t x WHERE {self.pair('x', 'q')}"])
        return [f"SELECT q.id, l.n, l.m FROM q {kind} LATERAL ({inner}) l {'ON true' if kind == 'LEFT JOIN' else ''}"]

    def q_cte(self):
        how = self.rng.choice(["", "MATERIALIZED", "NOT MATERIALIZED"])
        return [f"WITH found AS {how} (SELECT x.* FROM {self.table()} x WHERE {self.c.condition('x')}) "
                f"SELECT a.id, b.id FROM found a LEFT JOIN u b ON {self.pair('b', 'a')} WHERE a.id < 60"]

    def q_recursive(self):
        """All rows that are reached by steps from one row."""
        k = self.rng.choice(["1", "2", "3", "5"])
        return [f"WITH RECURSIVE reached (id, fp) AS (SELECT id, fp FROM q WHERE id = 1 UNION "
                f"SELECT x.id, x.fp FROM reached r JOIN u x ON {self.c.near('x.fp', 'r.fp', k)}) SELECT id, fp FROM reached"]

    def q_set_operation(self):
        word = self.rng.choice(["UNION", "UNION ALL", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL"])
        return [f"SELECT x.fp FROM t x WHERE {self.c.condition('x')} {word} SELECT x.fp FROM u x WHERE {self.c.condition('x')}"]

    def q_union_outside(self):
        """A condition on a UNION ALL, which the planner pushes down into its members."""
        return [f"SELECT x.id FROM (SELECT * FROM t UNION ALL SELECT * FROM u) x WHERE {self.c.condition('x')}"]

    def q_aggregate(self):
        c = self.c
        return [f"SELECT x.tenant, count(*), count(*) FILTER (WHERE {c.near('x.fp', c.value())}) FROM t x WHERE {c.condition('x')} "
                f"GROUP BY {self.rng.choice(['x.tenant', 'ROLLUP (x.tenant)'])} HAVING bool_or({c.near('x.fp', c.value())}) IS NOT FALSE"]

    def q_scalar_subquery(self):
        return [f"SELECT q.id, (SELECT count(*) FROM {self.table()} x WHERE {self.pair('x', 'q')}) FROM q"]

    def q_values(self):
        c = self.c
        values = ", ".join(f"({i}, {c.literal()}, {c.k()})" for i in range(self.rng.randint(1, 8)))
        return [f"SELECT v.i, x.id FROM (VALUES {values}) v (i, fp, k) JOIN t x ON {c.near(c.column('x'), 'v.fp', self.rng.choice(['v.k', None]))}"]

    def q_unnest(self):
        c = self.c
        values = ", ".join(str(c.fingerprint()) for _ in range(self.rng.randint(0, 5)))
        return [f"SELECT v.fp, x.id FROM unnest('{{{values}}}'::bigint[]) v (fp) LEFT JOIN t x ON {c.near('x.fp', 'v.fp')}",
                f"SELECT x.id FROM t x WHERE x.fp = ANY ('{{{values}}}') OR {c.near('x.fp', c.value())}"]

    def q_sample(self):
        return [f"SELECT x.id FROM u x TABLESAMPLE SYSTEM (100) REPEATABLE (1) WHERE {self.c.condition('x')}"]

    def q_only(self):
        return [f"SELECT x.id FROM ONLY t x WHERE {self.c.condition('x')}"]

    def q_self_join(self):
        return [f"SELECT a.id, b.id FROM u a JOIN u b ON {self.c.near('a.fp', 'b.fp', self.rng.choice(['0', '2', '3', '7']))} AND a.id < b.id"]

    def q_locked(self):
        return [f"SELECT x.id FROM t x WHERE {self.c.condition('x')} FOR {self.rng.choice(['UPDATE', 'SHARE', 'KEY SHARE'])}"]

    # The nearest rows: any of the rows at equal distances may be returned, so the tests compare distances, or all rows of a tie.

    def n_plain(self):
        c = self.c
        value, table, column = c.value(), self.table(), c.ordered_column("x")
        where = self.rng.choice(["", "", f"WHERE {c.filter('x')}", f"WHERE {c.near(column, value)}", f"WHERE {c.condition('x')}"])
        order = self.rng.choice([distance(column, value), distance(column, value), distance(value, column)])
        offset = self.rng.choice(["", "", f"OFFSET {self.rng.choice([0, 1, 5, 1000])}"])
        return [f"{ORDERED}SELECT {order} FROM {table} x {where} ORDER BY {order} {self.limit()} {offset}"]

    def n_ties(self):
        c = self.c
        order = distance(c.ordered_column("x"), c.value())
        return [f"SELECT x.id FROM {self.table()} x ORDER BY {order} FETCH FIRST {self.rng.choice([1, 2, 10, 50])} ROWS WITH TIES"]

    def n_then_key(self):
        order = distance(self.c.ordered_column("x"), self.c.value())
        return [f"{ORDERED}SELECT x.id FROM t x ORDER BY {order}, x.id {self.limit()}"]

    def few(self, query="q"):
        """How many of the nearest rows are requested, for a row of a query."""
        return f"LIMIT {self.rng.choice(['1', '3', '20', f'abs({query}.k) + 1'])}"

    def among(self, value):
        """The rows to take the nearest of: all, some, those within a ball around the same fingerprint or around another one."""
        c = self.c
        column = c.ordered_column("x")
        if c.scoped:
            return f"WHERE {c.scope('x', arrays=False)}" + self.rng.choice(["", "", f" AND {c.near(column, value)}", f" AND {c.filter('x')}"])
        return self.rng.choice(["", "", f"WHERE {c.filter('x')}", f"WHERE {c.near(column, value)}", f"WHERE {c.near(column, c.value())}",
                                f"WHERE {c.near(column, value)} AND {c.filter('x')}", f"WHERE {column} IS NOT NULL"])

    def n_for_each(self):
        inner = distance(self.c.ordered_column("x"), "q.fp")
        kind = self.rng.choice(["CROSS JOIN", "LEFT JOIN"])
        return [f"SELECT q.id, l.bits FROM q {kind} LATERAL (SELECT {inner} AS bits FROM {self.table()} x {self.among('q.fp')} "
                f"ORDER BY {inner} {self.few()}) l {'ON true' if kind == 'LEFT JOIN' else ''}"]

    def n_for_each_scalar(self):
        """The nearest row in a target list: one, or some as an array."""
        inner, among = distance(self.c.ordered_column("x"), "q.fp"), self.among("q.fp")
        query = f"SELECT {inner} FROM {self.table()} x {among} ORDER BY {inner}"
        return [f"SELECT q.id, ({query} LIMIT 1) FROM q" if self.rng.random() < 0.4 else f"SELECT q.id, ARRAY({query} {self.few()})::text FROM q"]

    def n_among(self):
        c = self.c
        value = c.value()
        order = distance(self.c.ordered_column("x"), value)
        return [f"{ORDERED}SELECT {order} FROM {self.table()} x {self.among(value)} ORDER BY {order} {self.limit()}"]

    def n_leaf(self):
        """The nearest rows of one table. ONLY of a partitioned table has none."""
        order = distance(self.c.ordered_column("x"), self.c.literal())
        return [f"{ORDERED}SELECT {order} FROM {self.rng.choice(['ONLY t', 't', 'u'])} x ORDER BY {order} {self.limit()}"]

    def n_nulls(self):
        """Rows without a fingerprint come last, unless NULLS FIRST is specified."""
        order = distance(self.c.ordered_column("x"), self.c.value())
        how = self.rng.choice(["", "NULLS LAST", "NULLS FIRST", "DESC", "DESC NULLS LAST"])
        where = self.rng.choice(["", f"WHERE x.{self.c.own} IS NULL", f"WHERE x.{self.c.own} IS NOT NULL"])
        return [f"{ORDERED}SELECT {order} FROM t x {where} ORDER BY {order} {how} {self.limit()}"]

    def n_union(self):
        """The nearest rows of two tables together, or of each of them."""
        value, k = self.c.literal(), self.rng.choice([1, 5, 30])
        one, both = distance(self.c.ordered_column("x"), value), distance(self.c.ordered_column("y"), value)
        if self.rng.random() < 0.5:
            return [f"{ORDERED}SELECT {both} FROM (SELECT * FROM t UNION ALL SELECT * FROM u) y ORDER BY {both} LIMIT {k}"]
        return [" UNION ALL ".join(f"(SELECT '{table}', {one} FROM {table} x ORDER BY {one} LIMIT {k})" for table in ("t", "u"))]

    def n_farthest_of_nearest(self):
        """A condition on the nearest does not change which rows they are."""
        c = self.c
        order = distance(self.c.ordered_column("x"), c.literal())
        return [f"SELECT count(*), max(y.bits), sum(y.bits) FROM (SELECT {order} AS bits FROM {self.table()} x ORDER BY {order} "
                f"LIMIT {self.rng.choice([1, 10, 200])}) y WHERE y.bits >= {self.rng.choice([0, 1, 5, 20])}"]

    def n_by_two(self):
        first, second = distance(self.c.ordered_column("x"), self.c.value()), distance(self.c.ordered_column("x"), self.c.value())
        return [f"{ORDERED}SELECT {first}, {second} FROM {self.table()} x ORDER BY {first}, {second} {self.limit()}"]

    def q_equal(self):
        """Comparisons that are conditions of an index USING simhash, also with other integer types."""
        c, rng = self.c, self.rng
        value = rng.choice(["0", "-1", "5::smallint", "NULL", c.literal(), "(SELECT fp FROM q WHERE id = 3)"])
        more = rng.choice(["", "AND x.fp IS NOT NULL", "OR x.fp IS NULL", f"AND {c.near('x.fp', c.value())}"])
        return [f"SELECT x.id FROM t x WHERE x.fp = {value} {more}"]

    def q_extremes(self):
        bits = distance(self.c.ordered_column("x"), self.c.value())
        return [f"SELECT min({bits}), max({bits}) FROM {self.table()} x WHERE {self.c.filter('x')}"]

    def n_window(self):
        bits = distance(self.c.ordered_column("x"), self.c.value())
        return [f"SELECT w.bits, w.n FROM (SELECT {bits} AS bits, row_number() OVER (ORDER BY {bits}) AS n FROM t x) w WHERE w.n <= 10"]
