"""Runs statements in both wordings and compares what they return."""

import re
import time
from collections import Counter

import psycopg

from .conditions import MARK, oracle, ours
from .queries import ORDERED

# A statement is slow if it takes this many seconds and this many times the oracle's time.
SLOW, TIMES = 2.0, 30


# The kinds of scans. A large share of the statements has to have each of them.
KINDS = ("index search", "bitmap search", "nearest", "bands", "scope", "nearest of a scope", "wide search", "wide search in a scope",
         "plain scan", "parallel")

# In a run with a time limit, a kind without a plan is a failure only after this many statements were explained.
ENOUGH = 1000

# Statements that can be explained without the statements before them, and those of them that change nothing for the next statement.
READING = ORDERED.strip(), "SELECT", "(SELECT", "WITH"
EXPLAINABLE = *READING, "UPDATE", "DELETE", "MERGE", "INSERT", "DECLARE"

OWN = """SELECT relname, relnatts FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE amname = 'simhash' AND relkind = 'i'
    AND (relnamespace = 'attack'::regnamespace OR relpersistence = 't')"""


class Difference(Exception):
    """What is wrong, and the statements that reproduce it."""


def rendered(program, wording):
    """The statements of a program in one wording. Some statements exist only in one of them."""
    own, other = ("/* ours */", "/* oracle */") if wording in (ours, str) else ("/* oracle */", "/* ours */")
    return [wording(statement).removeprefix(own).strip() for statement in program if not statement.startswith(other)]


def run(connection, statements):
    """The results of the statements, in a transaction that is rolled back: a list, or the SQLSTATE of an error; and the time."""
    results, state = [], None
    begun = time.monotonic()
    connection.execute("BEGIN")
    try:
        for statement in statements:
            cursor = connection.execute(statement)
            if cursor.description:
                rows = cursor.fetchall()
                results.append(rows if statement.startswith(ORDERED.strip()) else Counter(rows))
    except psycopg.Error as error:
        if connection.broken:
            raise
        state = error.sqlstate, str(error).splitlines()[0]
    connection.execute("ROLLBACK")
    return results, state, time.monotonic() - begun


def differing(expected, got):
    """A short description of the first results that differ."""
    for number, (theirs, own) in enumerate(zip(expected, got)):
        if theirs == own:
            continue
        if isinstance(theirs, Counter):
            missing, excess = list((theirs - own).elements()), list((own - theirs).elements())
        else:
            missing, excess = theirs, own
        return f"result {number + 1}: {len(missing)} rows missing {missing[:5]}, {len(excess)} too many {excess[:5]}"
    return f"{len(expected)} results expected, {len(got)} returned" if len(expected) != len(got) else None


def kinds(plan, own):
    """The kinds of scans in a plan. `own` maps each index USING simhash to its number of columns."""
    node, condition = plan["Node Type"], plan.get("Index Cond", "")
    if node in ("Index Scan", "Bitmap Index Scan") and plan["Index Name"] in own:
        if "simhash_bit_ball" in condition:
            yield "wide search" if own[plan["Index Name"]] == 1 else "wide search in a scope"
        elif own[plan["Index Name"]] > 1 and (" AND " in condition or condition and "Order By" in plan):
            yield "nearest of a scope" if "Order By" in plan else "scope"
        if "Order By" in plan:
            yield "nearest"
        elif condition:
            yield "index search" if node == "Index Scan" else "bitmap search"
    elif "simhash_band(" in condition:
        yield "bands"
    elif node == "Seq Scan" and re.fullmatch("[tu](_.*)?", plan["Relation Name"]):
        yield "plain scan"
    elif node.startswith("Gather"):
        yield "parallel"
    for child in plan.get("Plans", []):
        yield from kinds(child, own)


class Comparison:
    """Compares programs on one connection, and counts them."""

    def __init__(self, connection, more=0):
        self.connection = connection
        self.more = more
        self.counts = Counter()
        self.slow = []

    def compare(self, program):
        """Raises Difference if the wordings return different results. Returns whether they return rows and not an error."""
        in_ours = rendered(program, ours)
        in_oracle = rendered(program, lambda statement: oracle(statement, self.more))
        expected, expected_state, oracle_time = run(self.connection, in_oracle)
        try:
            got, state, time_taken = run(self.connection, in_ours)
        except psycopg.Error as error:
            raise Difference(f"the server has crashed: {error}", in_ours, in_oracle) from error
        self.counts["programs"] += 1
        if state and expected_state and state[0] == expected_state[0]:
            self.counts["errors in both"] += 1
            self.counts[f"error {state[0]}"] += 1
            return False
        if state or expected_state:
            raise Difference(f"error {state}, by the oracle {expected_state}", in_ours, in_oracle)
        wrong = differing(expected, got)
        if wrong:
            raise Difference(wrong, in_ours, in_oracle)
        self.counts["rows"] += sum(len(result) for result in got)
        if time_taken > SLOW and time_taken > TIMES * oracle_time:
            self.slow.append((time_taken, oracle_time, in_ours))
        return True

    def explain(self, program):
        """Counts the kinds of scans in the plans of a program: of its first statements, up to one that has to be executed."""
        own = dict(self.connection.execute(OWN))
        for statement in rendered(program, str):
            if not MARK.search(statement) or not statement.startswith(EXPLAINABLE):
                break
            statement = ours(statement)
            [(plan,)] = self.connection.execute("EXPLAIN (COSTS OFF, FORMAT JSON) " + statement)
            scans = set(kinds(plan[0]["Plan"], own))
            self.counts["explained"] += 1
            for kind in scans:
                self.counts[kind] += 1
            if not statement.startswith(READING):
                break

    def shares(self):
        """How many of the explained statements have each kind of scan, as text."""
        explained = self.counts["explained"]
        return ", ".join(f"{kind} {self.counts[kind]} ({100 * self.counts[kind] / max(1, explained):.0f} %)" for kind in KINDS)

    def missing(self):
        """The kinds of scans that no statement had."""
        return [kind for kind in KINDS if not self.counts[kind]]
