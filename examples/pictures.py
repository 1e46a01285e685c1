"""Pictures that look alike, by perceptual hashes: python3 pictures.py 'dbname=…'. Packages: requirements.txt.

A perceptual hash is a fingerprint that is compared by Hamming distance, so the index works for it as for texts. One of 64 bits is a
bigint; a longer one is a bit string, and few other pictures are near it by chance. The program draws pictures, and makes copies of
some: smaller, recompressed, cropped."""

import io
import math
import random
import sys

import imagehash
import psycopg
from PIL import Image, ImageDraw

SCHEMA = """
    CREATE EXTENSION IF NOT EXISTS simhash;
    CREATE TABLE pictures (name text PRIMARY KEY, phash bigint NOT NULL, phash256 bit(256) NOT NULL);
    CREATE INDEX pictures_phash ON pictures USING simhash (phash);
    CREATE INDEX pictures_phash256 ON pictures USING simhash (phash256);
"""


def draw(number):
    """A picture that always looks the same for the same number: a sky, six discs and three hills."""
    luck = random.Random(number)
    size = 320, 240
    picture = Image.new("RGB", size)
    canvas = ImageDraw.Draw(picture)
    top, bottom = ([luck.randrange(256) for _ in range(3)] for _ in range(2))
    for y in range(size[1]):
        canvas.line([(0, y), (size[0], y)], tuple(a + (b - a) * y // size[1] for a, b in zip(top, bottom)))
    for _ in range(6):
        x, y, r = luck.randrange(size[0]), luck.randrange(size[1]), luck.randrange(20, 90)
        canvas.ellipse([x - r, y - r, x + r, y + r], tuple(luck.randrange(256) for _ in range(3)))
    for _ in range(3):
        height, phase, length = luck.randrange(60, 220), luck.random() * 6, luck.randrange(20, 80)
        edge = [(x, height + 18 * math.sin(x / length + phase)) for x in range(0, size[0] + 1, 4)]
        canvas.polygon([(0, size[1]), *edge, (size[0], size[1])], tuple(luck.randrange(256) for _ in range(3)))
    return picture


def recompressed(picture, quality):
    """The picture after it was saved as a JPEG file of this quality."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(file)


def copies(picture):
    """Copies like those on the web: [(what, picture), …]."""
    width, height = picture.size
    return [
        ("thumbnail", picture.resize((width // 3, height // 3))),
        ("recompressed", recompressed(picture, 20)),
        ("cropped", picture.crop((8, 6, width - 8, height - 6))),
    ]


def fingerprint(picture):
    """The pHash of a picture as a bigint: the same 64 bits, read as a signed number. In SQL: simhash_from_hex('…')."""
    return int.from_bytes(bytes.fromhex(str(imagehash.phash(picture))), "big", signed=True)


def long_fingerprint(picture):
    """The pHash of 256 bits, as zeros and ones. Of a PDQ hash, which has 256 bits as well: "".join(map(str, pdqhash.compute(…)[0]))."""
    return f"{int(str(imagehash.phash(picture, hash_size=16)), 16):0256b}"


def store(conn, name, picture):
    conn.execute("INSERT INTO pictures VALUES (%s, %s, %s)", [name, fingerprint(picture), long_fingerprint(picture)])


def within(conn, picture, k):
    """Names of all pictures within k bits."""
    rows = conn.execute(
        "SELECT name FROM pictures WHERE simhash_near(phash, %s, %s) ORDER BY name", [fingerprint(picture), k]
    )
    return [name for (name,) in rows]


def within_long(conn, picture, k):
    """The same by 256 bits. In SQL, a cast to bit without a length is one to bit(1)."""
    rows = conn.execute(
        "SELECT name FROM pictures WHERE simhash_bit_near(phash256, %s::bit(256), %s) ORDER BY name",
        [long_fingerprint(picture), k],
    )
    return [name for (name,) in rows]


def nearest(conn, picture, limit):
    """The pictures that look most like it, nearest first: [(name, distance), …]."""
    return conn.execute(
        "SELECT name, phash <~> %(fp)s::bigint FROM pictures ORDER BY phash <~> %(fp)s::bigint LIMIT %(limit)s",
        {"fp": fingerprint(picture), "limit": limit},
    ).fetchall()


def main():
    with psycopg.connect(sys.argv[1], autocommit=True) as conn:
        conn.execute(SCHEMA)
        for number in range(40):
            store(conn, f"picture {number}", draw(number))
        for number in range(5):
            for what, copy in copies(draw(number)):
                store(conn, f"picture {number}, {what}", copy)
        for number in range(5):
            print(f"within 10 bits of picture {number}: {'; '.join(within(conn, draw(number), 10))}")
        for number in range(5):
            print(f"within 31 of 256 bits of picture {number}: {'; '.join(within_long(conn, draw(number), 31))}")
        for name, distance in nearest(conn, draw(3).rotate(1), 4):
            print(f"near picture 3, turned by a degree: {name}: {distance} bits")


if __name__ == "__main__":
    main()
