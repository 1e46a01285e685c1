//! `INSERT`: adds an entry for each rotation.

use super::relation::IndexRelation;
use super::scratch::Scratch;
use super::tid::tid_of;
use pgrx::{pg_guard, pg_sys};
use simhash_search::tree::insert;

#[pg_guard]
#[expect(clippy::too_many_arguments, reason = "the server's signature")]
pub unsafe extern "C-unwind" fn aminsert(
    index: pg_sys::Relation,
    values: *mut pg_sys::Datum,
    is_null: *mut bool,
    tid: pg_sys::ItemPointer,
    _table: pg_sys::Relation,
    _unique: pg_sys::IndexUniqueCheck::Type,
    _is_unchanged: bool,
    _info: *mut pg_sys::IndexInfo,
) -> bool {
    // SAFETY: called by the server, with an open index, the values of its columns and the TID of the row.
    let (relation, meta, stored, tid) = unsafe {
        let relation = IndexRelation::new(index);
        let meta = relation.meta();
        (relation, meta, relation.stored(values, is_null, meta.words, &Scratch::new()), tid_of(*tid))
    };
    relation.intact(insert(&mut relation.pages(), meta, stored, tid));
    false
}
