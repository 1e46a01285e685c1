//! Near-duplicates from Rust with the `postgres` crate: `cargo run -- 'dbname=…'`, on the table of `schema.sql`.

use postgres::{Client, Error, NoTls};
use std::io::{BufRead, stdin};

/// The outcome of an insert.
enum Inserted {
    /// The text is stored, under this id.
    New(i64),
    /// The text is not stored, because it is like this row.
    Like(i64),
}

/// Rows like this one, nearest first: ids and distances.
fn duplicates_of(db: &mut Client, id: i64) -> Result<Vec<(i64, i32)>, Error> {
    let rows = db.query(
        "SELECT d.id, d.fp <~> q.fp AS distance
         FROM docs q JOIN docs d ON simhash_near(d.fp, q.fp, 7) AND d.id <> q.id
         WHERE q.id = $1 ORDER BY distance, d.id",
        &[&id],
    )?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The constraint decides, even if many connections insert.
fn insert_unless_near(db: &mut Client, body: &str) -> Result<Inserted, Error> {
    let insert = "INSERT INTO docs (body) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id";
    if let Some(row) = db.query_opt(insert, &[&body])? {
        return Ok(Inserted::New(row.get(0)));
    }
    let row = db.query_one("SELECT id FROM docs ORDER BY fp <~> simhash($1) LIMIT 1", &[&body])?;
    Ok(Inserted::Like(row.get(0)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut db = Client::connect(&std::env::args().nth(1).unwrap_or_default(), NoTls)?;
    let mut first = None;
    for body in stdin().lock().lines() {
        let id = match insert_unless_near(&mut db, &body?)? {
            Inserted::New(id) => {
                println!("stored as {id}");
                id
            }
            Inserted::Like(id) => {
                println!("not stored: like {id}");
                id
            }
        };
        first.get_or_insert(id);
    }
    if let Some(first) = first {
        for (id, distance) in duplicates_of(&mut db, first)? {
            println!("{id} is like {first}: {distance} bits");
        }
    }
    Ok(())
}
