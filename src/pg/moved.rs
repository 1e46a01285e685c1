//! Rows that an UPDATE moves to another partition: deleted here, then inserted there, where a trigger cannot
//! distinguish them from new ones. So a trigger that fires at both remembers what it has seen at the UPDATE.

use super::trigger::RowTrigger;
use pgrx::{PgMemoryContexts, pg_sys};
use std::cell::RefCell;
use std::collections::HashMap;

/// A row as it was when the trigger fired for its UPDATE.
struct Updated {
    table: pg_sys::Oid,
    place: pg_sys::ItemPointerData,
    note: Vec<Option<String>>,
}

/// A row of an INSERT that an UPDATE moves, and the note about it.
pub enum Moved {
    Certainly(Vec<Option<String>>),
    /// It may be another row: tables that are no heaps do not say.
    Perhaps,
}

/// Which memory a statement uses: no other has the same at the same time.
type StatementId = usize;

/// What a trigger knows of a running statement.
#[derive(Default)]
struct Known {
    last: Option<Updated>,
    sees_every_update: Option<bool>,
}

thread_local! {
    static KNOWN: RefCell<HashMap<(StatementId, pg_sys::Oid), Known>> = RefCell::default();
}

/// Forgets the statement when its memory is given back.
struct Forget(StatementId);

impl Drop for Forget {
    fn drop(&mut self) {
        KNOWN.with_borrow_mut(|known| known.retain(|(statement, _), _| *statement != self.0));
    }
}

impl RowTrigger<'_> {
    /// Remembers the row of an UPDATE, and a note about it.
    pub fn remember_update(&self, root_trigger: pg_sys::Oid, note: Vec<Option<String>>) {
        let Some(place) = self.old_row_place() else { return };
        let updated = Updated { table: self.table(), place, note };
        self.with_known(root_trigger, |known| known.last = Some(updated));
    }

    /// Whether the row of an INSERT is one that an UPDATE moves here.
    pub fn moved(&self, root_trigger: pg_sys::Oid) -> Option<Moved> {
        // A row is moved once: the next INSERT of the statement is of another row.
        self.with_known(root_trigger, |known| match known.last.as_ref()?.is_moved() {
            Some(true) => known.last.take().map(|updated| Moved::Certainly(updated.note)),
            Some(false) => None,
            None => known.last.take().map(|_| Moved::Perhaps),
        })
    }

    /// What `find_out` says of the statement, asked once.
    pub fn sees_every_update(&self, root_trigger: pg_sys::Oid, find_out: impl FnOnce() -> bool) -> bool {
        if let Some(known) = self.with_known(root_trigger, |known| known.sees_every_update) {
            return known;
        }
        let found = find_out();
        self.with_known(root_trigger, |known| known.sees_every_update = Some(found));
        found
    }

    fn with_known<T>(&self, root_trigger: pg_sys::Oid, work: impl FnOnce(&mut Known) -> T) -> T {
        let statement = self.statement();
        let key = (statement as StatementId, root_trigger);
        if !KNOWN.with_borrow(|known| known.contains_key(&key)) {
            PgMemoryContexts::For(statement).leak_and_drop_on_delete(Forget(key.0));
        }
        KNOWN.with_borrow_mut(|known| work(known.entry(key).or_default()))
    }
}

impl Updated {
    /// Whether the row was moved to another partition; `None` where its table, which is no heap, does not say.
    fn is_moved(&self) -> Option<bool> {
        // SAFETY: the statement has a lock on the table, and has locked this version of the row before its triggers
        // fired, so that it stays where it is; its buffer is pinned while it is read.
        unsafe {
            let table = pg_sys::table_open(self.table, pg_sys::NoLock as _);
            let is_heap = (*(*table).rd_rel).relam == pg_sys::HEAP_TABLE_AM_OID;
            let mut row = pg_sys::HeapTupleData { t_self: self.place, ..Default::default() };
            let mut buffer = 0;
            let is_moved = is_heap.then(|| {
                pg_sys::heap_fetch(table, &raw mut pg_sys::SnapshotAnyData, &mut row, &mut buffer, false)
                    && (*row.t_data).t_ctid.ip_posid == pg_sys::MovedPartitionsOffsetNumber as u16
            });
            if buffer != 0 {
                pg_sys::ReleaseBuffer(buffer);
            }
            pg_sys::table_close(table, pg_sys::NoLock as _);
            is_moved
        }
    }
}
