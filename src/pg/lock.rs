//! Locks on keys, held until the end of the transaction.

use pgrx::pg_sys;

/// Tells these locks from those of `pg_advisory_lock`, which has 1 and 2 here.
const NAMESPACE: u16 = 0x5348;

/// Waits for the lock on a key of a table.
pub fn lock_key(table: pg_sys::Oid, key: u32) {
    // SAFETY: a lock tag of its own kind, filled as the server does it for advisory locks.
    unsafe {
        let tag = pg_sys::LOCKTAG {
            locktag_field1: pg_sys::MyDatabaseId.to_u32(),
            locktag_field2: table.to_u32(),
            locktag_field3: key,
            locktag_field4: NAMESPACE,
            locktag_type: pg_sys::LockTagType::LOCKTAG_ADVISORY as u8,
            locktag_lockmethodid: pg_sys::USER_LOCKMETHOD as u8,
        };
        pg_sys::LockAcquire(&tag, pg_sys::ExclusiveLock as _, false, false);
    }
}
