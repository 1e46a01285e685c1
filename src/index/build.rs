//! `CREATE INDEX`: sorts all rows, and writes the tree leaf by leaf.

mod new_pages;
pub mod phase;
mod temporary_files;

use super::columns;
use super::relation::IndexRelation;
use super::table_rows::for_each_row;
use crate::server::error::out_of_memory;
use crate::server::interrupt;
use crate::server::settings::maintenance_memory;
use new_pages::NewPages;
use pgrx::{PgBox, pg_guard, pg_sys};
use phase::Phase;
use simhash_search::tree::build::Builder;
use simhash_search::tree::sort::Sorter;
use temporary_files::TemporaryFiles;

/// The detail of the error that is raised if memory is refused.
const SORTING: &str = "The rows to be sorted for an index do not fit in memory.";

/// How many keys are written between two reports of progress.
const KEYS_PER_REPORT: u64 = 1 << 14;

#[pg_guard]
pub unsafe extern "C-unwind" fn ambuild(
    table: pg_sys::Relation,
    index: pg_sys::Relation,
    info: *mut pg_sys::IndexInfo,
) -> *mut pg_sys::IndexBuildResult {
    // SAFETY: called by the server, with an open index that no other backend uses, and its IndexInfo.
    let (relation, mut pages, comparisons) =
        unsafe { (IndexRelation::new(index), NewPages::of_index(index), comparisons(index, info)) };
    columns::check(&relation, comparisons);
    let meta = relation.wanted();
    let mut sorter = Sorter::new(meta, maintenance_memory());
    let mut files = TemporaryFiles::default();
    let (mut rows, mut nulls) = (0, 0);
    Phase::Scanning.begin();
    // SAFETY: the arguments are the server's.
    let table_rows = unsafe {
        for_each_row(table, index, info, meta.words, std::ptr::null_mut(), |stored, tid| {
            rows += 1;
            nulls += u64::from(stored.is_none());
            let pushed = sorter.push(stored, tid, &mut files, &mut interrupt::check);
            pushed.unwrap_or_else(|_| out_of_memory(SORTING));
        })
    };
    Phase::Writing.begin();
    Phase::total((rows - nulls) * meta.stored().count() as u64 + nulls);
    let mut builder = Builder::new(&mut pages, meta, relation.fillfactor());
    let mut keys = 0;
    let sorted = sorter.finish(&mut files, &mut interrupt::check, |key| {
        builder.push(key);
        keys += 1;
        if keys % KEYS_PER_REPORT == 0 {
            Phase::done(keys);
        }
    });
    sorted.unwrap_or_else(|_| out_of_memory(SORTING));
    builder.finish();
    files.close();
    Phase::Logging.begin();
    pages.log();
    // SAFETY: a new result, which the server frees.
    let mut result = unsafe { PgBox::<pg_sys::IndexBuildResult>::alloc0() };
    result.heap_tuples = table_rows;
    result.index_tuples = rows as f64;
    result.into_pg()
}

#[pg_guard]
pub unsafe extern "C-unwind" fn ambuildempty(index: pg_sys::Relation) {
    // SAFETY: called by the server, with an open index that no other backend uses.
    let (relation, mut pages) = unsafe { (IndexRelation::new(index), NewPages::after_crash(index)) };
    Builder::new(&mut pages, relation.wanted(), relation.fillfactor()).finish();
}

/// The strategy numbers of the operators with which an exclusion constraint compares the columns; `None` if the index is not for
/// one.
///
/// # Safety
/// The index is open. `info` is its IndexInfo, which lives for `'i`.
unsafe fn comparisons<'i>(index: pg_sys::Relation, info: *const pg_sys::IndexInfo) -> Option<&'i [u16]> {
    // SAFETY: as the caller promises: the array has a number for each key column.
    unsafe {
        let numbers = (*info).ii_ExclusionStrats;
        let count = (*(*index).rd_index).indnkeyatts as usize;
        (!numbers.is_null()).then(|| std::slice::from_raw_parts(numbers, count))
    }
}
