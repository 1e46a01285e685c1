"""Random queries on fingerprints that are bit strings: the column `wide` of the tables."""

from .conditions import near


class Wide:
    """Queries on the tables t and u of one case."""

    def __init__(self, rng, words, samples):
        self.rng, self.bits = rng, 64 * words
        # Bit strings of the tables, to search near them.
        self.samples = samples or ["0" * self.bits]

    def any(self):
        shapes = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("w_")]
        return [self.rng.choice(shapes)()]

    def k(self):
        """A number of bits, mostly one at which some rows are near and others are not."""
        rng = self.rng
        if rng.random() < 0.05:
            return rng.choice([-1, self.bits - 1, self.bits, self.bits + 1, 2147483647, -2147483648])
        if rng.random() < 0.1:
            return rng.randint(0, self.bits)
        return rng.choice([0, 1, 3, 5, 8, self.bits // 64, self.bits // 16, self.bits // 8])

    def literal(self):
        """A bit string: one of the tables with some bits flipped, or a random one."""
        rng = self.rng
        bits = int(rng.choice(self.samples), 2) if rng.random() < 0.9 else rng.getrandbits(self.bits)
        for _ in range(rng.choice([0, 0, 1, 2, 5, self.bits // 16])):
            bits ^= 1 << rng.randrange(self.bits)
        return f"x'{bits:0{self.bits // 4}x}'"

    def value(self):
        """An expression without columns: the value that a query searches for."""
        rng = self.rng
        return rng.choice([
            self.literal(), self.literal(), self.literal(), f"(SELECT {self.literal()})", f"(SELECT max(wide::text)::bit({self.bits}) FROM u)",
            f"coalesce(NULL, {self.literal()})", f"({self.literal()} # {self.literal()})", f"NULL::bit({self.bits})",
        ])

    def near(self, a, b):
        rng = self.rng
        form = rng.choice(["wide near"] * 12 + ["wide ball", "wide ball", "wide overlap", "wide hamming"])
        k = rng.choice([str(self.k())] * 8 + [f"(SELECT {self.k()})", f"stable_k({self.k()})", "NULL::int"])
        return near(form, *rng.choice([(a, b), (b, a)]), k)

    def scope(self, alias):
        """A condition on the column before the fingerprint in some of the indexes, or on another one, or none."""
        values = ["= 1", "= 2", "= 3::bigint", "IS NULL", "IN (1, 2)", "= (SELECT 1)", "> 1"]
        return self.rng.choice(["", f" AND {alias}.tenant {self.rng.choice(values)}", f" AND {alias}.tenant {self.rng.choice(values)}",
                                f" AND {alias}.flag"])

    def table(self):
        return self.rng.choice(["t", "t", "t", "u", "barrier", "plain_view"])

    def w_plain(self):
        return f"SELECT x.id, x.wide FROM {self.table()} x WHERE {self.near('x.wide', self.value())}{self.scope('x')}"

    def w_count(self):
        return f"SELECT count(*), sum(x.id) FROM {self.table()} x WHERE {self.near('x.wide', self.value())}{self.scope('x')}"

    def w_two(self):
        joined = self.rng.choice(["AND", "OR", "AND NOT"])
        return f"SELECT x.id FROM t x WHERE {self.near('x.wide', self.value())} {joined} {self.near('x.wide', self.value())}"

    def w_join(self):
        kind = self.rng.choice(["JOIN", "JOIN", "LEFT JOIN"])
        return f"SELECT b.id, x.id FROM u b {kind} t x ON {self.near('x.wide', 'b.wide')}{self.scope('x')} WHERE b.id < 20"

    def w_lateral(self):
        inner = f"SELECT count(*) AS n FROM {self.table()} x WHERE {self.near('x.wide', 'b.wide')}{self.scope('x')}"
        return f"SELECT b.id, l.n FROM u b CROSS JOIN LATERAL ({inner}) l WHERE b.id < 30"

    def w_exists(self):
        word = self.rng.choice(["EXISTS", "NOT EXISTS"])
        return f"SELECT b.id FROM u b WHERE {word} (SELECT FROM t x WHERE {self.near('x.wide', 'b.wide')}{self.scope('x')})"

    def w_equal(self):
        return f"SELECT x.id FROM t x WHERE x.wide = {self.value()} AND {self.near('x.wide', self.value())}"

    def w_nulls(self):
        return f"SELECT x.id FROM t x WHERE ({self.near('x.wide', self.value())}) {self.rng.choice(['IS NULL', 'IS NOT TRUE', 'OR x.wide IS NULL'])}"

    def w_delete(self):
        return f"DELETE FROM t x WHERE {self.near('x.wide', self.value())}{self.scope('x')} RETURNING x.id"

    def w_update(self):
        return f"UPDATE u x SET wide = x.wide # {self.literal()} WHERE {self.near('x.wide', self.value())} RETURNING x.id, x.wide"
