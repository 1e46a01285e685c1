//! Memory that lives until a scan ends.

use crate::server::guard;
use pgrx::{PgMemoryContexts, pg_sys};
use std::ffi::c_void;

/// A value in its own memory context below the current one. It is dropped by `free`, or with the context above it, also after an
/// error. The server keeps a pointer to it.
pub struct ScanMemory<T> {
    context: pg_sys::MemoryContext,
    value: *mut T,
}

impl<T> ScanMemory<T> {
    /// Stores the value, and returns the pointer for the server to keep.
    pub fn keep(value: T) -> *mut c_void {
        // SAFETY: a new context below the current one; the value is dropped when this context is deleted.
        unsafe {
            let context = guard::AllocSetContextCreateInternal(
                pg_sys::CurrentMemoryContext,
                c"simhash index scan".as_ptr(),
                pg_sys::ALLOCSET_SMALL_MINSIZE as usize,
                pg_sys::ALLOCSET_SMALL_INITSIZE as usize,
                pg_sys::ALLOCSET_SMALL_MAXSIZE as usize,
            );
            let value = PgMemoryContexts::For(context).leak_and_drop_on_delete(value);
            let memory = guard::MemoryContextAlloc(context, size_of::<ScanMemory<T>>());
            memory.cast::<ScanMemory<T>>().write(ScanMemory { context, value });
            memory
        }
    }

    /// The value behind the pointer that the server keeps, while the pointer is borrowed.
    ///
    /// # Safety
    /// The pointer is from `keep` for the same type, and was not freed.
    pub unsafe fn value(kept: &mut *mut c_void) -> &mut T {
        // SAFETY: as the caller promises; the only reference to the pointer is also the only reference to the value.
        unsafe { &mut *(*kept.cast::<ScanMemory<T>>()).value }
    }

    /// Drops the value.
    ///
    /// # Safety
    /// As for `value`, and the pointer is not used afterwards.
    pub unsafe fn free(kept: *mut c_void) {
        // SAFETY: as the caller promises.
        unsafe { pg_sys::MemoryContextDelete((*kept.cast::<ScanMemory<T>>()).context) };
    }
}
