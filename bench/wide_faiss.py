"""What faiss finds for the searches of bench/wide, and how long it takes: one thread, its indexes in memory.

usage: wide_faiss.py DIR K …, where DIR has the files that bench/wide writes. Writes the exact answers of a flat scan to DIR/truth
and lines of tables in Markdown to DIR/searches-faiss and DIR/indexes-faiss. Times are processor time.
"""

import ctypes
import math
import os
import sys
import time

import faiss
import numpy

BITS = 256


def hashes(path):
    """The column of a binary COPY: a header of 19 bytes, rows of 42, a trailer of 2."""
    row = numpy.dtype([("columns", ">i2"), ("size", ">i4"), ("bits", ">i4"), ("fp", "u1", BITS // 8)])
    with open(path, "rb") as file:
        data = file.read()
    return numpy.ascontiguousarray(numpy.frombuffer(data[19:-2], row)["fp"])


def shown(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def percent(found, expected):
    """Only the whole is 100."""
    return "100 %" if found == expected else f"{math.floor(1000 * found / expected) / 10} %"


def timed(work):
    """Seconds of processor time, and what the work returns."""
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def memory():
    """Bytes that this process has in memory, without those that it has freed."""
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def settings():
    """Indexes by their names, without rows: [(kind, name, index, numbers of flips to try), …]."""
    for count, bits in [(8, 32), (11, 23), (16, 16)]:
        yield "MultiHash", f"{count} hashes of {bits} bits", faiss.IndexBinaryMultiHash(BITS, count, bits), range(4)
    for bits in (16, 24):
        yield "Hash", f"{bits} bits", faiss.IndexBinaryHash(BITS, bits), range(7)


def main():
    folder, ks = sys.argv[1], [int(k) for k in sys.argv[2:]]
    faiss.omp_set_num_threads(1)
    table = hashes(f"{folder}/table")
    queries = {k: hashes(f"{folder}/queries-{k}") for k in ks}

    flat = faiss.IndexBinaryFlat(BITS)
    flat.add(table)
    scan, truth = [], {}
    with open(f"{folder}/truth", "w") as file:
        for k in ks:
            took, (limits, _, found) = timed(lambda: flat.range_search(queries[k], k + 1))
            truth[k] = int(limits[-1])
            scan.append(f"{shown(took * 1e6 / len(queries[k]))} (100 %)")
            for q in range(len(queries[k])):
                file.writelines(f"{k}\t{q + 1}\t{row + 1}\n" for row in found[limits[q] : limits[q + 1]])

    # For each line and k, the fastest setting.
    best = {}
    builds = []
    for kind, name, index, flips in settings():
        before = memory()
        took, _ = timed(lambda: index.add(table))
        builds.append(f"| faiss {kind}, {name} | {shown(took)} | {shown((memory() - before) / len(table))} | | |")
        for k in ks:
            for index.nflip in flips:
                # A few queries show whether the setting is much slower than another.
                few, _ = timed(lambda: index.range_search(queries[k][:50], k + 1))
                if few / 50 > 3 * best.get((kind, "every row", k), (math.inf,))[0] or few > 5:
                    break
                took, (limits, _, _) = timed(lambda: index.range_search(queries[k], k + 1))
                each, found = took / len(queries[k]), int(limits[-1])
                lines = [line for line, least in (("every row", truth[k]), ("99 % or more", 0.99 * truth[k])) if found >= least]
                for line in lines:
                    cell = f"{shown(each * 1e6)} ({percent(found, truth[k])}; {name}, {index.nflip} flips)"
                    best[kind, line, k] = min(best.get((kind, line, k), (math.inf, "")), (each, cell))
                if found == truth[k]:
                    break
        del index

    with open(f"{folder}/searches-faiss", "w") as file:
        for kind in ("MultiHash", "Hash"):
            for line in ("every row", "99 % or more"):
                cells = [best.get((kind, line, k), (0, ""))[1] for k in ks]
                file.write(f"| faiss {kind} in memory, fastest that finds {line} | {' | '.join(cells)} |\n")
        file.write(f"| faiss, flat scan in memory | {' | '.join(scan)} |\n")
    with open(f"{folder}/indexes-faiss", "w") as file:
        file.write("\n".join(builds) + "\n")


main()
