"""Near-duplicates from Python with psycopg 3: python3 near_duplicates.py 'dbname=…', on the table of schema.sql."""

import sys

import psycopg


def duplicates_of(conn, doc_id):
    """Rows like this one, nearest first: [(id, distance), …]."""
    return conn.execute(
        """SELECT d.id, d.fp <~> q.fp AS distance
           FROM docs q JOIN docs d ON simhash_near(d.fp, q.fp, 7) AND d.id <> q.id
           WHERE q.id = %s ORDER BY distance, d.id""",
        [doc_id],
    ).fetchall()


def insert_unless_near(conn, body):
    """(new id, None), or (None, id of the row that is like it). The constraint decides, even if many connections insert."""
    new = conn.execute("INSERT INTO docs (body) VALUES (%s) ON CONFLICT DO NOTHING RETURNING id", [body]).fetchone()
    if new:
        return new[0], None
    match = conn.execute("SELECT id FROM docs ORDER BY fp <~> simhash(%s) LIMIT 1", [body]).fetchone()
    return None, match and match[0]


def main():
    with psycopg.connect(sys.argv[1], autocommit=True) as conn:
        first = None
        for body in sys.stdin.read().splitlines():
            new, match = insert_unless_near(conn, body)
            print(f"stored as {new}" if new else f"not stored: like {match}")
            first = first or new or match
        for doc_id, distance in duplicates_of(conn, first):
            print(f"{doc_id} is like {first}: {distance} bits")


if __name__ == "__main__":
    main()
