//! The table of an index: each visible row, and what the table has at the TID of an entry.

use crate::index::relation::IndexRelation;
use crate::index::scratch::Scratch;
use crate::index::table_rows::for_each_row;
use crate::index::tid::pointer_of;
use crate::server::error::raise;
use crate::server::guard;
use crate::server::text::{Utf8Text, server_string};
use crate::server::version::{is_owner, restrict_search_path};
use pgrx::{PgSqlErrorCode, pg_sys};
use simhash_search::fingerprint::Fingerprint;
use simhash_search::tree::key::Tid;
use std::ffi::c_int;
use std::ptr::null_mut;

/// What the table has at a TID.
pub enum AtTid {
    /// No row, not even a dead one: the TID is unused.
    Nothing,
    /// A row that is not visible.
    Invisible,
    /// A visible row, and what the index has to store for it.
    Row(Option<Fingerprint>),
}

/// An index and its table, both locked against changes until the transaction ends.
pub struct Checking {
    table: pg_sys::Relation,
    index: pg_sys::Relation,
    info: *mut pg_sys::IndexInfo,
    snapshot: pg_sys::Snapshot,
    executor: *mut pg_sys::EState,
    slot: *mut pg_sys::TupleTableSlot,
    fetch: *mut pg_sys::IndexFetchTableData,
    /// How many pages the table has, if it is a heap.
    heap_pages: Option<u32>,
    scratch: Scratch,
    owner: ActingAsOwner,
}

impl Checking {
    /// Opens a simhash index. Raises an error if the relation is not one, or if the user is not its owner.
    pub fn open(index: pg_sys::Oid, handler: &str) -> Checking {
        let lock = lock_against_changes();
        // SAFETY: the usual order to open an index: its table first. Both stay locked until the transaction ends.
        unsafe {
            let table = pg_sys::IndexGetRelation(index, true);
            if table == pg_sys::InvalidOid {
                wrong(index, "is not an index");
            }
            if !is_owner(index) {
                raise(
                    PgSqlErrorCode::ERRCODE_INSUFFICIENT_PRIVILEGE,
                    format!("must be owner of index {}", relation_name(index)),
                    None,
                    None,
                );
            }
            let table = guard::table_open(table, lock);
            let owner = ActingAsOwner::begin((*(*table).rd_rel).relowner);
            let index_relation = guard::index_open(index, lock);
            let kind = (*(*index_relation).rd_rel).relkind as u8;
            let method = pg_sys::get_func_name((*index_relation).rd_amhandler);
            let is_ours = server_string(method).is_some_and(|name| name == handler);
            if !is_ours || kind != pg_sys::RELKIND_INDEX {
                wrong(index, "is not an index with access method simhash, or is partitioned");
            }
            let form = &*(*index_relation).rd_index;
            if !form.indisvalid || !form.indisready {
                wrong(index, "is not valid");
            }
            if (*(*index_relation).rd_rel).relpersistence == pg_sys::RELPERSISTENCE_TEMP as i8
                && !(*index_relation).rd_islocaltemp
            {
                wrong(index, "is a temporary index of another session");
            }
            let info = guard::BuildIndexInfo(index_relation);
            // The scan reads rows as a query sees them, and checks no constraints.
            (*info).ii_Concurrent = true;
            (*info).ii_Unique = false;
            (*info).ii_ExclusionOps = null_mut();
            (*info).ii_ExclusionProcs = null_mut();
            (*info).ii_ExclusionStrats = null_mut();
            Checking {
                table,
                index: index_relation,
                info,
                // Not the snapshot of the transaction, which may be older than the index: of a chain of HOT updates, an index has
                // only the row that was the last one when the index was built.
                snapshot: guard::RegisterSnapshot(guard::GetLatestSnapshot()),
                executor: guard::CreateExecutorState(),
                slot: guard::table_slot_create(table, null_mut()),
                fetch: pg_sys::table_index_fetch_begin(table),
                heap_pages: (pg_sys::GetHeapamTableAmRoutine() == (*table).rd_tableam).then(|| {
                    let fork = pg_sys::ForkNumber::MAIN_FORKNUM;
                    pg_sys::RelationGetNumberOfBlocksInFork(table, fork)
                }),
                scratch: Scratch::new(),
                owner,
            }
        }
    }

    /// The index.
    pub fn index(&self) -> IndexRelation<'_> {
        // SAFETY: open until `close`.
        unsafe { IndexRelation::new(self.index) }
    }

    /// Calls `each` with every visible row that belongs in the index.
    pub fn for_each_row(&self, each: impl FnMut(Option<Fingerprint>, Tid)) {
        // SAFETY: an open table and index.
        unsafe {
            let scan = pg_sys::table_beginscan_strat(self.table, self.snapshot, 0, null_mut(), true, true);
            for_each_row(self.table, self.index, self.info, self.index().meta().words, scan, each);
        }
    }

    /// What the table has at a TID.
    pub fn at_tid(&self, tid: Tid) -> AtTid {
        let mut pointer = pointer_of(tid);
        let (mut again, mut all_dead) = (false, false);
        // SAFETY: an open table, and a slot for its rows; the row stays until the slot is cleared.
        unsafe {
            if self.heap_pages.is_some_and(|pages| tid.block() >= pages || !self.is_used(tid)) {
                return AtTid::Nothing;
            }
            // table_index_fetch_tuple of the server's headers.
            let fetch_tuple = (*(*self.table).rd_tableam).index_fetch_tuple;
            let fetch_tuple = fetch_tuple.expect("a table's access method has all functions");
            let is_visible = guard::guarded(|| {
                fetch_tuple(self.fetch, &mut pointer, self.snapshot, self.slot, &mut again, &mut all_dead)
            });
            if !is_visible {
                return AtTid::Invisible;
            }
            let mut context = (*self.executor).es_per_tuple_exprcontext;
            if context.is_null() {
                context = guard::MakePerTupleExprContext(self.executor);
            }
            (*context).ecxt_scantuple = self.slot;
            let mut values = [pg_sys::Datum::from(0); pg_sys::INDEX_MAX_KEYS as usize];
            let mut is_null = [false; pg_sys::INDEX_MAX_KEYS as usize];
            guard::FormIndexDatum(
                self.info,
                self.slot,
                self.executor,
                values.as_mut_ptr(),
                is_null.as_mut_ptr(),
            );
            let index = self.index();
            let stored = index.stored(values.as_ptr(), is_null.as_ptr(), index.meta().words, &self.scratch);
            pg_sys::ExecClearTuple(self.slot);
            pg_sys::MemoryContextReset((*context).ecxt_per_tuple_memory);
            AtTid::Row(stored)
        }
    }

    /// Whether a TID of a heap holds a row, dead or alive.
    ///
    /// # Safety
    /// The table is a heap that has the page.
    unsafe fn is_used(&self, tid: Tid) -> bool {
        // SAFETY: a page that the table has, under a lock; the line pointer is one that the page has.
        unsafe {
            let buffer = guard::ReadBuffer(self.table, tid.block());
            pg_sys::LockBuffer(buffer, pg_sys::BUFFER_LOCK_SHARE as _);
            let page = pg_sys::BufferGetPage(buffer);
            let is_used = tid.offset() > 0 && tid.offset() <= pg_sys::PageGetMaxOffsetNumber(page) && {
                let item = pg_sys::PageGetItemId(page, tid.offset());
                (*item).lp_flags() != pg_sys::LP_UNUSED
            };
            pg_sys::UnlockReleaseBuffer(buffer);
            is_used
        }
    }

    /// Ends the check. The locks stay.
    pub fn close(self) {
        // SAFETY: `open` has opened all of them.
        unsafe {
            pg_sys::table_index_fetch_end(self.fetch);
            pg_sys::ExecDropSingleTupleTableSlot(self.slot);
            pg_sys::FreeExecutorState(self.executor);
            pg_sys::UnregisterSnapshot(self.snapshot);
            pg_sys::index_close(self.index, pg_sys::NoLock as _);
            pg_sys::table_close(self.table, pg_sys::NoLock as _);
        }
        self.owner.end();
    }
}

/// The privileges with which the functions of the index's expressions and predicate are called: those of the table's owner, as when
/// the index is built. Otherwise they would run with the privileges of a superuser who checks the index.
struct ActingAsOwner {
    user: pg_sys::Oid,
    context: c_int,
    settings: c_int,
}

impl ActingAsOwner {
    fn begin(owner: pg_sys::Oid) -> ActingAsOwner {
        let (mut user, mut context) = (pg_sys::InvalidOid, 0);
        // SAFETY: sets the user and the settings until the check ends. After an error, the end of the (sub)transaction restores
        // them.
        unsafe {
            pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
            pg_sys::SetUserIdAndSecContext(owner, context | pg_sys::SECURITY_RESTRICTED_OPERATION as c_int);
            let settings = pg_sys::NewGUCNestLevel();
            restrict_search_path();
            ActingAsOwner { user, context, settings }
        }
    }

    fn end(self) {
        // SAFETY: restores what `begin` has changed.
        unsafe {
            pg_sys::AtEOXact_GUC(false, self.settings);
            pg_sys::SetUserIdAndSecContext(self.user, self.context);
        }
    }
}

/// The lock that prevents changes. During recovery the server allows no lock that conflicts with replay, so replay has to be
/// paused.
fn lock_against_changes() -> c_int {
    // SAFETY: reads the state of the server in shared memory.
    let (is_standby, is_paused) = unsafe {
        let paused = pg_sys::RecoveryPauseState::RECOVERY_PAUSED;
        (pg_sys::RecoveryInProgress(), pg_sys::GetRecoveryPauseState() == paused)
    };
    if !is_standby {
        return pg_sys::ShareLock as c_int;
    }
    if !is_paused {
        raise(
            PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            "cannot check an index while changes are replayed".to_owned(),
            Some("The index can change during the check.".to_owned()),
            Some(
                "Call pg_wal_replay_pause() before the check and pg_wal_replay_resume() after it.".to_owned(),
            ),
        );
    }
    pg_sys::AccessShareLock as c_int
}

fn wrong(index: pg_sys::Oid, what: &str) -> ! {
    let code = PgSqlErrorCode::ERRCODE_WRONG_OBJECT_TYPE;
    raise(code, format!("{} {what}", relation_name(index)), None, None)
}

/// The name of a relation, for messages.
fn relation_name(oid: pg_sys::Oid) -> String {
    // SAFETY: a lookup takes any OID; the name is a copy in the server encoding, NULL if there is no such relation.
    unsafe {
        match pg_sys::get_rel_name(oid).as_ref() {
            Some(name) => format!("\"{}\"", &*Utf8Text::from_server_string(name)),
            None => format!("relation {}", oid.to_u32()),
        }
    }
}
