//! TIDs, as the tree has them and as the server has them.

use pgrx::pg_sys;
use simhash_search::tree::key::Tid;

/// A TID as the tree has it.
pub fn tid_of(pointer: pg_sys::ItemPointerData) -> Tid {
    let block = u32::from(pointer.ip_blkid.bi_hi) << 16 | u32::from(pointer.ip_blkid.bi_lo);
    Tid::new(block, pointer.ip_posid)
}

/// A TID as the server has it.
pub fn pointer_of(tid: Tid) -> pg_sys::ItemPointerData {
    let (bi_hi, bi_lo) = ((tid.block() >> 16) as u16, tid.block() as u16);
    pg_sys::ItemPointerData { ip_blkid: pg_sys::BlockIdData { bi_hi, bi_lo }, ip_posid: tid.offset() }
}
