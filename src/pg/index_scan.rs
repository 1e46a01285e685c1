//! Index scans: their conditions, and memory that lives as long as they do.

use super::ball::StoredBall;
use pgrx::{PgMemoryContexts, pg_sys};
use std::ffi::c_void;

/// A condition of a scan on the index's column.
#[derive(Clone, Copy)]
pub enum Condition {
    /// An operator with NULL: no row fulfils it.
    Never,
    IsNull,
    IsNotNull,
    /// An operator by its number in the operator class, and what stands on its right.
    Operator(u16, Argument),
}

/// The right side of an operator.
#[derive(Clone, Copy)]
pub enum Argument {
    Integer(i64),
    Ball(StoredBall),
}

impl Argument {
    /// # Safety
    /// The value is an integer of the type, or a ball where that is no type of integers.
    unsafe fn of(datum: pg_sys::Datum, type_oid: pg_sys::Oid) -> Argument {
        match type_oid {
            pg_sys::INT2OID => Argument::Integer(i64::from(datum.value() as i16)),
            pg_sys::INT4OID => Argument::Integer(i64::from(datum.value() as i32)),
            pg_sys::INT8OID => Argument::Integer(datum.value() as i64),
            // SAFETY: as the caller promises.
            _ => Argument::Ball(unsafe { StoredBall::from_ball_datum(datum) }),
        }
    }

    /// The fingerprint that it is, or around which it is.
    pub fn fingerprint(self) -> u64 {
        match self {
            Argument::Integer(fingerprint) => fingerprint as u64,
            Argument::Ball(ball) => ball.center as u64,
        }
    }
}

/// The conditions of a scan, after they were set to `keys`, where there are some.
///
/// # Safety
/// `scan` is an open scan of an index of ours, and `keys` NULL or as many keys as it has.
pub unsafe fn conditions(scan: pg_sys::IndexScanDesc, keys: pg_sys::ScanKey) -> Vec<Condition> {
    // SAFETY: as the caller promises.
    unsafe {
        let count = (*scan).numberOfKeys as usize;
        if !keys.is_null() && count > 0 {
            keys.copy_to((*scan).keyData, count);
        }
        (0..count).map(|at| condition(scan, &*(*scan).keyData.add(at))).collect()
    }
}

/// What the rows of a scan are ordered by, after it was set to `keys`, where there are some.
///
/// # Safety
/// As `conditions`.
pub unsafe fn order_bys(scan: pg_sys::IndexScanDesc, keys: pg_sys::ScanKey) -> Vec<Condition> {
    // SAFETY: as the caller promises.
    unsafe {
        let count = (*scan).numberOfOrderBys as usize;
        if !keys.is_null() && count > 0 {
            keys.copy_to((*scan).orderByData, count);
        }
        (0..count).map(|at| condition(scan, &*(*scan).orderByData.add(at))).collect()
    }
}

/// Makes room for what rows are ordered by.
///
/// # Safety
/// `scan` is new.
pub unsafe fn prepare_order(scan: pg_sys::IndexScanDesc) {
    // SAFETY: as the caller promises; memory that lives as long as the scan.
    unsafe {
        let count = (*scan).numberOfOrderBys as usize;
        if count > 0 {
            (*scan).xs_orderbyvals = pg_sys::palloc0(count * size_of::<pg_sys::Datum>()).cast();
            (*scan).xs_orderbynulls = pg_sys::palloc0(count * size_of::<bool>()).cast();
        }
    }
}

/// Sets a row's distance from the first query that is not NULL. Where rows are ordered by further distances, the server
/// computes them.
///
/// # Safety
/// `scan` is a scan with an order.
pub unsafe fn set_order(scan: pg_sys::IndexScanDesc, distance: Option<u32>) {
    // SAFETY: as the caller promises: `prepare_order` has made room for each distance. A distance that is not known is at
    // least 0.
    unsafe {
        let mut known = 0;
        for at in 0..(*scan).numberOfOrderBys as usize {
            let has_query = (*(*scan).orderByData.add(at)).sk_flags & pg_sys::SK_ISNULL as i32 == 0;
            known += usize::from(has_query);
            let value = if has_query && known == 1 { distance.unwrap_or(0) } else { 0 };
            *(*scan).xs_orderbyvals.add(at) = pg_sys::Datum::from(value as i32);
            *(*scan).xs_orderbynulls.add(at) = !has_query || distance.is_none();
        }
        (*scan).xs_recheckorderby = known > 1;
    }
}

/// # Safety
/// `key` is one of the open scan's, whose index is ours: it has an operator of its operator class.
unsafe fn condition(scan: pg_sys::IndexScanDesc, key: &pg_sys::ScanKeyData) -> Condition {
    let has = |flag: u32| key.sk_flags & flag as i32 != 0;
    if has(pg_sys::SK_SEARCHNULL) {
        Condition::IsNull
    } else if has(pg_sys::SK_SEARCHNOTNULL) {
        Condition::IsNotNull
    } else if has(pg_sys::SK_ISNULL) {
        Condition::Never
    } else {
        // SAFETY: as the caller promises. The operators of the class have integers and balls on their right. Where the
        // server does not say which, as for a constraint, it is the type of the column.
        unsafe {
            let type_oid = match key.sk_subtype {
                pg_sys::InvalidOid => *(*(*scan).indexRelation).rd_opcintype,
                subtype => subtype,
            };
            Condition::Operator(key.sk_strategy, Argument::of(key.sk_argument, type_oid))
        }
    }
}

/// Whether a snapshot shows what was committed at one moment: IsMVCCSnapshot of the server's headers.
///
/// # Safety
/// `snapshot` is a snapshot or NULL.
pub unsafe fn is_mvcc(snapshot: pg_sys::Snapshot) -> bool {
    use pg_sys::SnapshotType::{SNAPSHOT_HISTORIC_MVCC, SNAPSHOT_MVCC};
    // SAFETY: as the caller promises.
    let kind = unsafe { snapshot.as_ref() }.map(|snapshot| snapshot.snapshot_type);
    matches!(kind, Some(SNAPSHOT_MVCC | SNAPSHOT_HISTORIC_MVCC))
}

/// A value that lives in a memory context of its own below the current one: it is dropped by `free`, or with the context
/// above it, also after an error.
pub struct ScanMemory<T> {
    context: pg_sys::MemoryContext,
    value: *mut T,
}

impl<T> ScanMemory<T> {
    /// Takes the value over.
    pub fn new(value: T) -> ScanMemory<T> {
        // SAFETY: a new context below the current one, in which the value is dropped when the context goes.
        unsafe {
            let context = pg_sys::AllocSetContextCreateInternal(
                pg_sys::CurrentMemoryContext,
                c"simhash index scan".as_ptr(),
                pg_sys::ALLOCSET_SMALL_MINSIZE as usize,
                pg_sys::ALLOCSET_SMALL_INITSIZE as usize,
                pg_sys::ALLOCSET_SMALL_MAXSIZE as usize,
            );
            let value = PgMemoryContexts::For(context).leak_and_drop_on_delete(value);
            ScanMemory { context, value }
        }
    }

    /// A pointer for the server to keep.
    pub fn into_pointer(self) -> *mut c_void {
        // SAFETY: memory in the value's own context.
        unsafe {
            let handle = pg_sys::MemoryContextAlloc(self.context, size_of::<ScanMemory<T>>());
            handle.cast::<ScanMemory<T>>().write(self);
            handle
        }
    }

    /// The value behind a pointer that the server kept.
    ///
    /// # Safety
    /// `pointer` is of `into_pointer` for the same type and not freed; no other reference to the value is in use.
    pub unsafe fn from_pointer<'s>(pointer: *mut c_void) -> &'s mut T {
        // SAFETY: as the caller promises.
        unsafe { &mut *(*pointer.cast::<ScanMemory<T>>()).value }
    }

    /// Drops the value.
    ///
    /// # Safety
    /// As `from_pointer`, and the pointer is not used afterwards.
    pub unsafe fn free(pointer: *mut c_void) {
        // SAFETY: as the caller promises.
        unsafe { pg_sys::MemoryContextDelete((*pointer.cast::<ScanMemory<T>>()).context) };
    }
}
