#!/usr/bin/env python3
"""Runs the SQL of README.md and docs/*.md and compares its output with the output in these files. Called by tests/cluster/docs.

usage: tests/docs.py [--write] FILE.md …    with a server by PGHOST and so on; --write puts the real outputs into the files

Each file has its own database, with the extension unless the file creates it itself. Its blocks run in order in one psql session:

    ```sql                    runs; an error fails the test
    ```text or ```            directly after a block of SQL: the output that it has to print. If it has a line that begins with
                              ERROR:, the block may fail
    <!-- setup                SQL that readers do not need to see, up to a line with -->
    <!-- not run: why -->     directly before a block of SQL: the block does not run, and is counted
    <!-- needs NAME -->       the same if the server lacks this extension; `citus` always, tests/cluster/citus runs these blocks
    <!-- needs 17 -->         the same if the server is older

Blank lines, white space at the ends of lines, counts such as "(2 rows)" and the headings of plans do not matter. In an output
… stands for any text. Links to files and headings of the repository are checked as well.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

MARK = "\x02block "


class Block:
    def __init__(self, line, sql):
        self.line = line
        self.sql = sql
        self.shown = None  # the output in the file, as a list of lines
        self.shown_at = None  # index of its first line in the file

    def may_fail(self):
        return self.shown is not None and any(line.startswith("ERROR:") for line in self.shown)


def available():
    """The extensions that the server has, except Citus, and the major versions up to its own."""
    query = """SELECT name FROM pg_available_extensions
        UNION ALL SELECT generate_series(15, current_setting('server_version_num')::int / 10000)::text"""
    names = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-c", query], check=True, stdout=subprocess.PIPE, text=True)
    return set(names.stdout.split()) - {"citus"}


def parse(lines, extensions):
    """The blocks of a file that run, and the reasons why others do not."""
    blocks, skipped = [], []
    reason = last = None
    i = 0
    while i < len(lines):
        line = lines[i].strip()
        if line.startswith("<!-- setup"):
            end = next(j for j in range(i, len(lines)) if "-->" in lines[j])
            sql = "\n".join(lines[i : end + 1])
            blocks.append(Block(i + 1, sql[sql.index("setup") + len("setup") : sql.rindex("-->")]))
            last, i = None, end + 1
        elif match := re.fullmatch(r"<!-- (not run: .+|needs \S+) -->", line):
            needed = match[1].removeprefix("needs ")
            reason, last, i = None if needed in extensions else match[1], None, i + 1
        elif line.startswith("```"):
            end = next((j for j in range(i + 1, len(lines)) if lines[j].strip() == "```"), None)
            if end is None:
                sys.exit(f"line {i + 1}: a block without an end")
            body, kind = lines[i + 1 : end], line[3:].strip()
            if kind == "sql" and reason:
                skipped.append((i + 1, reason))
                last = "skipped"
            elif kind == "sql":
                last = Block(i + 1, "\n".join(body))
                blocks.append(last)
            elif kind in ("", "text") and isinstance(last, Block):
                last.shown, last.shown_at, last = body, i + 1, None
            else:
                last = None
            reason, i = None, end + 1
        else:
            if line:
                reason = last = None
            i += 1
    return blocks, skipped


def run(name, blocks):
    """What each block prints, up to the one that fails."""
    database = "docs_" + re.sub(r"\W", "_", name.lower())
    subprocess.run(["psql", "-X", "-q", "-c", f"CREATE DATABASE {database}"], check=True)
    creates_it = any("CREATE EXTENSION simhash" in block.sql for block in blocks)
    script = [] if creates_it else ["CREATE EXTENSION simhash;"]
    for i, block in enumerate(blocks):
        script.append(f"\\echo {MARK}{i}")
        script.append("\\set ON_ERROR_STOP " + ("off" if block.may_fail() else "on"))
        script += [block.sql, ""]
    script.append(f"\\echo {MARK}{len(blocks)}\n")
    environment = {**os.environ, "PGDATABASE": database, "PGOPTIONS": "-c timezone=UTC", "PSQL_PAGER": ""}
    done = subprocess.run(
        ["psql", "-X", "-q"], input="\n".join(script), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    outputs = []
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            outputs.append([])
        elif outputs:
            outputs[-1].append(line)
    return outputs


def tidy(lines):
    """The lines of an output that matter."""
    kept = []
    for line in (line.rstrip() for line in lines):
        if kept and kept[-1].strip() == "QUERY PLAN" and re.fullmatch("-+", line):
            kept.pop()
        elif line and not re.fullmatch(r"\(\d+ rows?\)", line):
            kept.append(line)
    return kept


def same(shown, printed):
    def one(a, b):
        return re.fullmatch(".*".join(map(re.escape, a.split("…"))), b)

    return len(shown) == len(printed) and all(one(a, b) for a, b in zip(shown, printed))


def anchors(path):
    """The anchors of a file's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    titles = re.findall(r"^#+ +(.*?) *$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)|src(?:set)?=\"([^\"]+)\"", text):
        target = target[0] or target[1]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        to = path.parent / file if file else path
        if not to.exists() or (anchor and anchor not in anchors(to)):
            yield target


def show(title, lines):
    print(f"-- {title}")
    print("\n".join("    " + line for line in lines))


def check(path, write, extensions):
    lines = path.read_text().splitlines()
    blocks, skipped = parse(lines, extensions)
    outputs = run(path.name, blocks) if blocks else []
    wrong = 0
    for i, block in enumerate(blocks):
        if i + 1 >= len(outputs):
            wrong += 1
            print(f"{path}:{block.line}: this block fails")
            show("the block", block.sql.splitlines())
            show("psql says", outputs[i] if i < len(outputs) else [])
            break
        if block.shown is not None and not write and not same(tidy(block.shown), tidy(outputs[i])):
            wrong += 1
            print(f"{path}:{block.line}: the output is another one")
            show("the block", block.sql.splitlines())
            show("shown", tidy(block.shown))
            show("printed", tidy(outputs[i]))
    if write:
        for i, block in reversed(list(enumerate(blocks))):
            if block.shown is not None and i + 1 < len(outputs) and not same(tidy(block.shown), tidy(outputs[i])):
                lines[block.shown_at : block.shown_at + len(block.shown)] = tidy(outputs[i])
        path.write_text("\n".join(lines) + "\n")
    for target in broken_links(path):
        wrong += 1
        print(f"{path}: the link {target} leads nowhere")
    compared = sum(block.shown is not None for block in blocks)
    print(f"        {path}: {len(blocks)} blocks, {compared} outputs, {len(skipped)} not run")
    for line, reason in skipped:
        print(f"            line {line}: {reason}")
    return wrong


def main():
    files = [name for name in sys.argv[1:] if name != "--write"]
    extensions = available()
    wrong = sum([check(Path(name), "--write" in sys.argv[1:], extensions) for name in files])
    sys.exit(1 if wrong or not files else 0)


if __name__ == "__main__":
    main()
