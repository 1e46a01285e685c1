"""How long faiss takes for the searches of bench/index: one thread, its index in memory.

usage: index_faiss.py DIR K …, where DIR has the files that bench/index writes. Prints lines of a table in Markdown, in microseconds
of processor time per query; K = 64 means the ten nearest.
"""

import math
import sys
import time

import faiss
import numpy


def fingerprints(path):
    """The column of a binary COPY: a header of 19 bytes, rows of 14, a trailer of 2."""
    row = numpy.dtype([("columns", ">i2"), ("length", ">i4"), ("fp", ">i8")])
    with open(path, "rb") as file:
        data = file.read()
    return numpy.frombuffer(data[19:-2], row)["fp"].astype("<i8").view(numpy.uint8).reshape(-1, 8)


def timed(search):
    """Microseconds of processor time of the best of three runs, or of fewer if they are long, and what the search returns."""
    best = math.inf
    begin = time.process_time()
    for _ in range(3):
        start = time.process_time()
        answer = search()
        best = min(best, time.process_time() - start)
        if time.process_time() > begin + 2:
            break
    return best * 1e6, answer


def shown(microseconds):
    return f"{microseconds:,.1f}" if microseconds < 100 else f"{microseconds:,.0f}"


def within(index, queries, k, expected):
    """Microseconds per query for all fingerprints within k bits."""
    took, (limits, _, _) = timed(lambda: index.range_search(queries, k + 1))
    if expected is not None and limits[-1] != expected:
        sys.exit(f"faiss finds {limits[-1]} rows within {k}, not {expected}")
    return took / len(queries)


def main():
    folder, ks = sys.argv[1], [int(k) for k in sys.argv[2:]]
    faiss.omp_set_num_threads(1)
    table = fingerprints(f"{folder}/table")
    queries = {k: fingerprints(f"{folder}/queries-{k}") for k in ks}
    found = {k: int(open(f"{folder}/found-{k}").read()) for k in ks if k < 64}

    flat = faiss.IndexBinaryFlat(64)
    flat.add(table)
    cells = []
    for k in ks:
        few = queries[k][:100]
        cells.append(within(flat, few, k, None) if k < 64 else timed(lambda: flat.search(few, 10))[0] / len(few))

    best = {}
    for hashes in (2, 3, 4):
        bits = 64 // hashes
        # Flips so that one of the hashes of each near fingerprint is found. More look-ups than these are never the fastest.
        flips = {k: -(-(k + 1) // hashes) - 1 for k in ks if k < 64}
        worth = [k for k in flips if sum(math.comb(bits, i) for i in range(flips[k] + 1)) < 6000]
        index = faiss.IndexBinaryMultiHash(64, hashes, bits)
        index.add(table)
        for k in worth:
            index.nflip = flips[k]
            took = within(index, queries[k], k, found[k])
            best[k] = min(best.get(k, (math.inf, "")), (took, f"{hashes} × {bits}"))
        del index
    multi = [f"{shown(best[k][0])} ({best[k][1]} bits)" if k in best else "" for k in ks]
    print("| faiss MultiHash in memory, best of 2 to 4 hashes | " + " | ".join(multi) + " |")
    print("| faiss, flat scan in memory | " + " | ".join(shown(cell) for cell in cells) + " |")


main()
