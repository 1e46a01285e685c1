//! `simhash_index_check`: whether an index is intact and agrees with its table.

mod table;

use crate::server::error::raise;
use pgrx::iter::TableIterator;
use pgrx::{PgSqlErrorCode, name, pg_extern, pg_sys};
use simhash_search::fingerprint::Fingerprint;
use simhash_search::tree::check::check;
use simhash_search::tree::descend::contains;
use simhash_search::tree::key::{Key, Tid};
use table::{AtTid, Checking};

type CheckRow = TableIterator<
    'static,
    (
        name!(rows, i64),
        name!(nulls, i64),
        name!(height, i32),
        name!(leaf_pages, i64),
        name!(inner_pages, i64),
        name!(unused_pages, i64),
        name!(missing_downlinks, i64),
    ),
>;

/// `simhash_index_check(index regclass) → (rows, nulls, height, leaf_pages, inner_pages, unused_pages, missing_downlinks)`
#[pg_extern]
fn simhash_index_check(index: pg_sys::Oid) -> CheckRow {
    let checking = Checking::open(index, "simhash_handler");
    let relation = checking.index();
    let meta = relation.meta();
    let raise_entry = |key: Key, what: &str| -> ! {
        raise(
            PgSqlErrorCode::ERRCODE_INDEX_CORRUPTED,
            format!("index \"{}\" has an entry {what}", relation.name()),
            Some(format!(
                "The entry of rotation {} is for the row at {}.",
                key.rotation(),
                tid_to_text(key.tid())
            )),
            Some("Run REINDEX on the index.".to_owned()),
        )
    };
    let checked = check(&mut relation.pages(), meta, |keys| {
        let mut keys = keys.to_vec();
        keys.sort_unstable_by_key(|key| key.tid());
        for key in keys {
            let is_other =
                |stored: Option<Fingerprint>| meta.keys_of(stored, key.tid()).all(|own| own != key);
            match checking.at_tid(key.tid()) {
                AtTid::Nothing => raise_entry(key, "for a tid without a row"),
                AtTid::Row(stored) if is_other(stored) && relation.scope_columns() == 0 => {
                    raise_entry(key, "with another fingerprint")
                }
                AtTid::Row(stored) if is_other(stored) => {
                    raise_entry(key, "with another fingerprint or of another scope")
                }
                AtTid::Row(_) | AtTid::Invisible => {}
            }
        }
    });
    let checked = relation.intact(checked);
    checking.for_each_row(|stored, tid| {
        for key in meta.keys_of(stored, tid) {
            if !relation.intact(contains(&mut relation.pages(), key)) {
                raise(
                    PgSqlErrorCode::ERRCODE_INDEX_CORRUPTED,
                    format!(
                        "index \"{}\" lacks an entry for the row at {}",
                        relation.name(),
                        tid_to_text(tid)
                    ),
                    Some(format!("The entry of rotation {} is missing.", key.rotation())),
                    Some("Run REINDEX on the index.".to_owned()),
                );
            }
        }
    });
    checking.close();
    let row = (
        checked.entries[0] as i64,
        checked.entries[usize::from(meta.nulls())] as i64,
        i32::from(checked.height),
        checked.leaves as i64,
        checked.inner_pages as i64,
        checked.unused_pages as i64,
        checked.missing_downlinks as i64,
    );
    TableIterator::once(row)
}

/// A TID as the server writes it.
fn tid_to_text(tid: Tid) -> String {
    format!("({},{})", tid.block(), tid.offset())
}
