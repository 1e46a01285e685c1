//! Locks on keys of a table, or on all of them, held until the end of the transaction.

use super::version::holds_lock;
use pgrx::pg_sys;

/// Distinguishes locks on keys from those of `pg_advisory_lock`, which has 1 and 2 here.
const KEYS: u16 = 0x5348;
/// The same for locks on all keys.
const ALL_KEYS: u16 = 0x5349;

/// Waits for the locks on some keys of a table, given in ascending order. A transaction that has locked
/// all keys of the table needs no further locks.
pub fn lock_keys(table: pg_sys::Oid, keys: impl IntoIterator<Item = u32>) {
    let all = tag(table, 0, ALL_KEYS);
    let exclusive = pg_sys::ExclusiveLock as pg_sys::LOCKMODE;
    // SAFETY: lock tags of their own kind, filled as the server does it for advisory locks.
    unsafe {
        if holds_lock(&all, exclusive) {
            return;
        }
        pg_sys::LockAcquire(&all, pg_sys::ShareLock as _, false, false);
        for key in keys {
            pg_sys::LockAcquire(&tag(table, key, KEYS), exclusive, false, false);
        }
    }
}

/// Waits until no other transaction holds a key of the table, and keeps others from locking one.
pub fn lock_all_keys(table: pg_sys::Oid) {
    // SAFETY: a lock tag of its own kind, filled as the server does it for advisory locks.
    unsafe {
        pg_sys::LockAcquire(&tag(table, 0, ALL_KEYS), pg_sys::ExclusiveLock as _, false, false);
    }
}

fn tag(table: pg_sys::Oid, key: u32, kind: u16) -> pg_sys::LOCKTAG {
    pg_sys::LOCKTAG {
        // SAFETY: set when the connection was made.
        locktag_field1: unsafe { pg_sys::MyDatabaseId }.to_u32(),
        locktag_field2: table.to_u32(),
        locktag_field3: key,
        locktag_field4: kind,
        locktag_type: pg_sys::LockTagType::LOCKTAG_ADVISORY as u8,
        locktag_lockmethodid: pg_sys::USER_LOCKMETHOD as u8,
    }
}
