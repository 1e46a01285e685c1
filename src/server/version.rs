//! What differs between versions of the server.

use pgrx::pg_sys;

/// A copy of an expression without the record of the outer joins that can make its columns NULL. From PostgreSQL 16 on, columns of
/// a query have this record, until the planner has found that a strict condition above excludes it. Columns of an index do not have
/// it.
///
/// # Safety
/// `node` is an expression.
#[cfg(not(feature = "pg15"))]
pub unsafe fn without_nulling_joins(node: *mut pg_sys::Node) -> *mut pg_sys::Node {
    use pgrx::is_a;
    use std::ffi::c_void;

    #[pgrx::pg_guard]
    unsafe extern "C-unwind" fn clear(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
        // SAFETY: called below and by the server's walker, with a node of a copy or NULL.
        unsafe {
            if node.is_null() {
                return false;
            }
            if is_a(node, pg_sys::NodeTag::T_Var) {
                (*node.cast::<pg_sys::Var>()).varnullingrels = std::ptr::null_mut();
            }
            pg_sys::expression_tree_walker(node, Some(clear), context)
        }
    }
    // SAFETY: as the caller promises; the copy is a tree of nodes that only this function refers to.
    unsafe {
        let copy = pg_sys::copyObjectImpl(node.cast()).cast();
        clear(copy, std::ptr::null_mut());
        copy
    }
}

/// Before PostgreSQL 16, columns have no record of outer joins.
///
/// # Safety
/// `node` is an expression.
#[cfg(feature = "pg15")]
pub unsafe fn without_nulling_joins(node: *mut pg_sys::Node) -> *mut pg_sys::Node {
    node
}

/// Whether changes of a relation have to be logged: RelationNeedsWAL of the server's headers.
///
/// # Safety
/// The relation must be open.
pub unsafe fn needs_wal(relation: pg_sys::Relation) -> bool {
    // SAFETY: as the caller promises; a plain setting, read in the server's only thread.
    unsafe {
        let relation = &*relation;
        #[cfg(feature = "pg15")]
        let new_file = relation.rd_firstRelfilenodeSubid;
        #[cfg(not(feature = "pg15"))]
        let new_file = relation.rd_firstRelfilelocatorSubid;
        // No subtransaction has number 0.
        let is_old = relation.rd_createSubid == 0 && new_file == 0;
        (*relation.rd_rel).relpersistence == pg_sys::RELPERSISTENCE_PERMANENT as std::ffi::c_char
            && (is_old || pg_sys::wal_level >= pg_sys::WalLevel::WAL_LEVEL_REPLICA as i32)
    }
}

/// Adds data to the first block of the log record that is being made.
///
/// # Safety
/// The call is between XLogBeginInsert and XLogInsert; the data live until then.
pub unsafe fn register_buffer_data(data: &[u8]) {
    // SAFETY: as the caller promises; the server only reads them.
    unsafe { pg_sys::XLogRegisterBufData(0, data.as_ptr().cast_mut().cast(), data.len() as _) };
}

/// Sets how far the log has the changes of a page: PageSetLSN of the server's headers.
///
/// # Safety
/// The page is locked for writing.
pub unsafe fn set_page_lsn(page: pg_sys::Page, lsn: pg_sys::XLogRecPtr) {
    // SAFETY: as the caller promises.
    unsafe {
        (*page.cast::<pg_sys::PageHeaderData>()).pd_lsn =
            pg_sys::PageXLogRecPtr { xlogid: (lsn >> 32) as u32, xrecoff: lsn as u32 };
    }
}

/// Writes to a temporary file.
///
/// # Safety
/// The file is open.
pub unsafe fn write_file(file: *mut pg_sys::BufFile, bytes: &[u8]) {
    // SAFETY: as the caller promises; the server only reads the bytes.
    unsafe { pg_sys::BufFileWrite(file, bytes.as_ptr().cast_mut().cast(), bytes.len()) };
}

/// Sleeps if vacuum has reached its cost limit, and checks for interrupts.
pub fn vacuum_delay_point() {
    // SAFETY: no lock is held.
    unsafe {
        #[cfg(not(feature = "pg18"))]
        pg_sys::vacuum_delay_point();
        #[cfg(feature = "pg18")]
        pg_sys::vacuum_delay_point(false);
    }
}

/// Counts a scan of an index in its statistics: pgstat_count_index_scan of the server's headers, and from PostgreSQL 18 on
/// what EXPLAIN shows as index searches.
///
/// # Safety
/// The scan is open.
pub unsafe fn count_index_scan(scan: pg_sys::IndexScanDesc) {
    // SAFETY: as the caller promises.
    unsafe {
        if let Some(statistics) = statistics_of((*scan).indexRelation).as_mut() {
            #[cfg(feature = "pg15")]
            let counts = &mut statistics.t_counts.t_numscans;
            #[cfg(not(feature = "pg15"))]
            let counts = &mut statistics.counts.numscans;
            *counts += 1;
        }
        #[cfg(feature = "pg18")]
        if let Some(instrument) = (*scan).instrument.as_mut() {
            instrument.nsearches += 1;
        }
    }
}

/// Raises an error if vacuum may have removed entries of a page that the snapshot still needs (`old_snapshot_threshold`, which
/// PostgreSQL 17 no longer has).
///
/// # Safety
/// The index is open; `snapshot` is that of a scan, or NULL; `page` is pinned and locked.
pub unsafe fn check_old_snapshot(snapshot: pg_sys::Snapshot, relation: pg_sys::Relation, page: pg_sys::Page) {
    #[cfg(any(feature = "pg15", feature = "pg16"))]
    // SAFETY: as the caller promises.
    unsafe {
        if pg_sys::old_snapshot_threshold >= 0 {
            pg_sys::TestForOldSnapshot(snapshot, relation, page);
        }
    }
    #[cfg(not(any(feature = "pg15", feature = "pg16")))]
    let _ = (snapshot, relation, page);
}

/// Pins a page of an index in the buffer in which it was before. Returns `false` if it is no longer there. The call is not guarded.
///
/// # Safety
/// The index is open and not temporary, and the buffer is one of the server's.
pub unsafe fn read_recent_buffer(
    relation: pg_sys::Relation,
    block: pg_sys::BlockNumber,
    buffer: pg_sys::Buffer,
) -> bool {
    #[cfg(feature = "pg15")]
    type File = pg_sys::RelFileNode;
    #[cfg(not(feature = "pg15"))]
    type File = pg_sys::RelFileLocator;
    unsafe extern "C-unwind" {
        // storage/bufmgr.h
        fn ReadRecentBuffer(
            file: File,
            fork: pg_sys::ForkNumber::Type,
            block: pg_sys::BlockNumber,
            buffer: pg_sys::Buffer,
        ) -> bool;
    }
    // SAFETY: as the caller promises.
    unsafe {
        #[cfg(feature = "pg15")]
        let file = (*relation).rd_node;
        #[cfg(not(feature = "pg15"))]
        let file = (*relation).rd_locator;
        ReadRecentBuffer(file, pg_sys::ForkNumber::MAIN_FORKNUM, block, buffer)
    }
}

/// Counts a page that was found in a buffer in the statistics of its index: pgstat_count_buffer_read and
/// pgstat_count_buffer_hit of the server's headers.
///
/// # Safety
/// The index is open.
pub unsafe fn count_buffer_hit(relation: pg_sys::Relation) {
    // SAFETY: as the caller promises.
    if let Some(statistics) = unsafe { statistics_of(relation).as_mut() } {
        #[cfg(feature = "pg15")]
        let (fetched, hit) =
            (&mut statistics.t_counts.t_blocks_fetched, &mut statistics.t_counts.t_blocks_hit);
        #[cfg(not(feature = "pg15"))]
        let (fetched, hit) = (&mut statistics.counts.blocks_fetched, &mut statistics.counts.blocks_hit);
        *fetched += 1;
        *hit += 1;
    }
}

/// The statistics of an open relation, NULL if none are kept.
unsafe fn statistics_of(relation: pg_sys::Relation) -> *mut pg_sys::PgStat_TableStatus {
    // SAFETY: the callers, both in this file, have an open relation.
    unsafe {
        if (*relation).pgstat_info.is_null() && (*relation).pgstat_enabled {
            pg_sys::pgstat_assoc_relation(relation);
        }
        (*relation).pgstat_info
    }
}

/// Whether the user owns a relation.
pub fn is_owner(relation: pg_sys::Oid) -> bool {
    // SAFETY: takes any OID and only reads; the server runs every SQL call in a transaction.
    unsafe {
        #[cfg(feature = "pg15")]
        return pg_sys::pg_class_ownercheck(relation, pg_sys::GetUserId());
        #[cfg(not(feature = "pg15"))]
        return pg_sys::object_ownercheck(pg_sys::RelationRelationId, relation, pg_sys::GetUserId());
    }
}

/// Sets the search_path to the one with which an index is built. Before PostgreSQL 17 that is the caller's.
///
/// # Safety
/// The caller restores the settings.
pub unsafe fn restrict_search_path() {
    #[cfg(any(feature = "pg17", feature = "pg18"))]
    // SAFETY: a setting of this process.
    unsafe {
        pg_sys::RestrictSearchPath()
    };
}

/// Whether the server hashes spaces at the end of a value of type character that has a nondeterministic collation.
pub const PADDING_IS_HASHED: bool = cfg!(feature = "pg15");
