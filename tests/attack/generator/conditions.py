"""Conditions on fingerprints, as text with marks. A mark is rendered as a function or operator of the extension, and for the oracle
as an expression of the server alone."""

import re

from .tables import EXPRESSIONS

BITS = 64
MASK = 2**64 - 1
MARK = re.compile("⟦([^⟦⟧]*)⟧")


def signed(bits):
    """The bigint of 64 bits."""
    bits &= MASK
    return bits - 2**64 if bits >= 2**63 else bits


def near(form, a, b, k):
    """Whether two fingerprints are within k bits, in the form `form`."""
    return f"⟦{form}¦{a}¦{b}¦{k}⟧"


def distance(a, b):
    """How many bits of two fingerprints differ."""
    return f"⟦distance¦{a}¦{b}¦⟧"


FORMS = {
    "near": "simhash_near({a}, {b}, {k})",
    "named": "simhash_near(k => {k}, query => {b}, fp => {a})",
    "default": "simhash_near({a}, {b})",
    "within": "simhash_within({a}, {b}, {k})",
    "ball": "(({a}) <@ simhash_ball({b}, {k}))",
    "overlap": "(simhash_ball({a}, {k}) && simhash_ball({b}, {k}))",
    "near_3": "(({a}) ~= ({b}))",
    "near_7": "(({a}) ~~= ({b}))",
    "equal": "(({a})::bigint = ({b})::bigint)",
    "hamming": "(hamming({a}, {b}) <= ({k}))",
    "operator": "((({a}) <~> ({b})) <= ({k}))",
    "distance": "(({a}) <~> ({b}))",
    "wide near": "simhash_bit_near({a}, {b}, {k})",
    "wide ball": "(({a}) <@ simhash_bit_ball({b}, {k}))",
    "wide overlap": "(simhash_bit_ball({a}, {k}) && simhash_bit_ball({b}, {k}))",
    "wide hamming": "(bit_hamming({a}, {b}) <= ({k}))",
}


def ours(statement):
    """The statement with the extension's functions and operators."""
    return MARK.sub(lambda mark: _fill(FORMS, mark), statement)


def oracle(statement, more=0):
    """The statement without the extension. `more` adds this many bits to k: then the oracle is wrong."""

    def by_server(mark):
        form, a, b, k = mark[1].split("¦")
        bits = f"bit_count((({a})::bigint # ({b})::bigint)::bit(64))::int"
        if form.startswith("wide"):
            bits = f"bit_count(({a}) # ({b}))::int"
        if form == "distance":
            return bits
        return f"({bits} <= ({k}){f' + {more}' if more else ''})"

    return MARK.sub(by_server, statement)


def _fill(forms, mark):
    form, a, b, k = mark[1].split("¦")
    return forms[form].format(a=a, b=b, k=k)


class Conditions:
    """Random conditions on the tables of one case."""

    def __init__(self, rng, samples, indexed, columns):
        self.rng = rng
        self.indexed = indexed
        # The columns of most indexes USING simhash and of most bands, and the columns before the fingerprint in some of the former.
        self.own, self.banded, self.scope_columns = columns
        # The column that the intended kind of scan needs, if a kind is intended.
        self.aimed = None
        # Whether the search is within a tenant.
        self.scoped = False
        # Fingerprints of the tables, to search near them.
        self.samples = samples or [0]

    def take_aim(self):
        """Chooses a kind of scan, or none, and returns it: the next conditions allow the planner to use it."""
        aim = self.rng.choices(["index search", "bitmap search", "nearest", "bands", "scope", "nearest of a scope", None],
                               [12, 15, 15, 20, 16, 18, 9])[0]
        self.scoped = bool(aim) and "scope" in aim
        self.aimed = {"bands": self.banded, None: None}.get(aim, self.own)
        return aim

    def k(self):
        """A number of bits: mostly common values, from -1 to 20, rarely others."""
        rng = self.rng
        if self.aimed and rng.random() < 0.9:
            return rng.choice([0, 1, 2, 3, 3, 4, 5])
        if rng.random() < 0.02:
            return rng.choice([63, 64, 65, 1000, 2147483647, -2147483648])
        if rng.random() < 0.5:
            return rng.choice([0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8])
        return rng.randint(-1, 20)

    def fingerprint(self):
        """A fingerprint: one of the tables with some bits flipped, or a random one."""
        rng = self.rng
        roll = rng.random()
        if roll < 0.05:
            return rng.choice([0, -1, 2**63 - 1, -(2**63), 1])
        if roll < 0.12:
            return signed(rng.getrandbits(BITS))
        bits = rng.choice(self.samples)
        for _ in range(rng.choice([0, 0, 1, 2, 3, 4, 7, 10])):
            bits ^= 1 << rng.randrange(BITS)
        return signed(bits)

    def literal(self):
        return f"({self.fingerprint()})::bigint"

    def value(self):
        """An expression without columns: the value that a query searches for."""
        rng = self.rng
        fp = self.fingerprint()
        return rng.choices(
            [
                f"({fp})::bigint",
                f"'{fp}'",
                f"(SELECT fp FROM q WHERE id = {rng.randint(1, 12)})",
                f"(SELECT ({fp})::bigint)",
                f"(SELECT max(fp) FROM u WHERE id <= {rng.randint(1, 20)})",
                f"stable({fp})",
                f"volatile({fp})",
                f"inlined({fp})",
                f"coalesce(NULL::bigint, ({fp})::bigint)",
                f"(ARRAY[({fp})::bigint, 5])[1]",
                f"simhash('the words of document {rng.randint(1, 60)}')",
                "NULL::bigint",
                f"(({fp})::bigint # {rng.randint(0, 7)})",
                f"CASE WHEN now() > '2000-01-01' THEN ({fp})::bigint ELSE 0 END",
            ],
            [30, 5, 8, 3, 5, 6, 3, 4, 3, 3, 6, 1, 4, 3],
        )[0]

    def radius(self):
        """An expression for k."""
        k = self.k()
        return self.rng.choices(
            [str(k), f"(SELECT {k})", f"stable_k({k})", "NULL::int", f"({k} + 0)", f"{k}::smallint"],
            [80, 5, 4, 1, 4, 2],
        )[0]

    def near(self, a, b, k=None):
        """Whether a and b are within k bits, in any of the possible forms."""
        rng = self.rng
        k = self.radius() if k is None else str(k)
        forms = ["near"] * (100 if self.aimed else 24) + ["named", "within", "ball", "ball", "overlap", "hamming", "operator"]
        if k == "3":
            forms += ["default"] * 4 + ["near_3"] * 4
        if k == "7":
            forms += ["near_7"] * 6
        if k == "0":
            forms += ["equal"] * 6
        if rng.random() < 0.3:
            a, b = b, a
        return near(rng.choice(forms), a, b, k)

    def column(self, alias):
        """An expression that is a fingerprint of a table's row; most are indexed."""
        if self.aimed and self.rng.random() < 0.9:
            return f"{alias}.{self.aimed}"
        indexed = self.indexed if self.rng.random() < 0.8 else []
        return re.sub(r"\b(fp2?|d|body)\b", rf"{alias}.\1", self.rng.choice(indexed or EXPRESSIONS))

    def ordered_column(self, alias):
        """A column for ORDER BY of distances, mostly with an index."""
        return f"{alias}.{self.own if self.rng.random() < 0.9 else 'fp'}"

    def scope(self, alias, arrays=True):
        """A condition that specifies a value for each column of the scope."""
        return " AND ".join(self.scope_value(column, alias, arrays) for column in self.scope_columns) + self.rng.choice(
            ["", "", f" AND {alias}.flag"])

    def scope_value(self, column, alias, arrays):
        """A condition that specifies a value for one of these columns."""
        rng = self.rng
        if column == "flag":
            return rng.choice(["{0}.flag", "NOT {0}.flag", "{0}.flag = (SELECT true)", "{0}.flag = false"]).format(alias)
        words = "body" in column
        one, two = (f"'the words of document {rng.randint(0, 39)}'" if words else str(rng.randint(0, 4)) for _ in range(2))
        said = [f"= {one}"] * 8 + [f"= (SELECT {one})"] * 3 + ["IS NULL"] * 2 + ["= NULL"]
        if arrays:
            said += [f"IN ({one}, {two})", f"= ANY (ARRAY[{one}, NULL, {two}])", f"= ANY (ARRAY[{one}, {one}])"] * 2
        if not words:
            said += [f"= {one}::bigint", f"= {one}::smallint"]
        return re.sub(r"(tenant|body|id)", rf"{alias}.\1", column, count=1) + " " + rng.choice(said)

    def filter(self, alias):
        """Another condition on the table. Some make partial or multicolumn indexes usable."""
        rng = self.rng
        return rng.choice(
            [
                "{0}.tenant = {1}",
                "{0}.tenant = {1}",
                "{0}.tenant IN ({1}, {2})",
                "{0}.tenant = ANY ('{{{1},{2},7}}')",
                "{0}.flag",
                "NOT {0}.flag",
                "{0}.fp IS NOT NULL",
                "{0}.fp IS NULL",
                "{0}.id < {3}",
                "{0}.tenant = {1} AND {0}.flag",
                "({0}.tenant = {1} OR {0}.flag)",
                "{0}.tenant = (SELECT {1})",
                "{0}.tenant IS NOT DISTINCT FROM {1}",
                "{0}.body LIKE '%{1}%'",
            ]
        ).format(alias, rng.randint(0, 4), rng.randint(0, 4), rng.choice([5, 100, 1000]))

    def condition(self, alias, value=None, depth=0):
        """A condition on one table: a near condition, with or without others."""
        rng = self.rng
        base = self.near(self.column(alias), value or self.value())
        if self.scoped:
            base = f"{self.scope(alias)} AND {base}"
        roll = rng.random()
        if roll < (0.7 if self.aimed else 0.5) or depth > 2:
            return base
        other = self.condition(alias, value, depth + 1) if roll < 0.75 else self.filter(alias)
        return rng.choice(
            [
                f"{base} AND {other}",
                f"{base} AND {other}",
                f"{base} AND {other}",
                f"({base} OR {other})",
                f"{base} AND NOT ({other})",
                f"({base}) IS NOT FALSE AND {other}",
                f"({base} OR {other}) AND {self.filter(alias)}",
            ]
        )
