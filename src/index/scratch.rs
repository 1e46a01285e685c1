//! Memory for the hashes of scopes.

use crate::server::guard;
use pgrx::pg_sys;
use std::cell::Cell;

/// Memory for what hash functions allocate, such as a decompressed value. It is created when it is first needed, below the context
/// that was current when the `Scratch` was made.
pub struct Scratch {
    parent: pg_sys::MemoryContext,
    own: Cell<Option<pg_sys::MemoryContext>>,
}

impl Scratch {
    /// No memory yet.
    pub fn new() -> Scratch {
        // SAFETY: read in the server's only thread.
        Scratch { parent: unsafe { pg_sys::CurrentMemoryContext }, own: Cell::new(None) }
    }

    /// Calls `compute` with this memory as the current context, and frees what it has allocated. After an error the memory is freed
    /// with its parent.
    pub fn run<T>(&self, compute: impl FnOnce() -> T) -> T {
        // SAFETY: a context that only this function uses, in the server's only thread; nothing that `compute` returns is in it.
        unsafe {
            let own = self.own.get().unwrap_or_else(|| {
                guard::AllocSetContextCreateInternal(
                    self.parent,
                    c"simhash scope".as_ptr(),
                    pg_sys::ALLOCSET_SMALL_MINSIZE as usize,
                    pg_sys::ALLOCSET_SMALL_INITSIZE as usize,
                    pg_sys::ALLOCSET_SMALL_MAXSIZE as usize,
                )
            });
            self.own.set(Some(own));
            let before = pg_sys::CurrentMemoryContext;
            pg_sys::CurrentMemoryContext = own;
            let result = compute();
            pg_sys::CurrentMemoryContext = before;
            pg_sys::MemoryContextReset(own);
            result
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(context) = self.own.get().filter(|_| !std::thread::panicking()) {
            // SAFETY: made by `run`, and used by nothing else.
            unsafe { pg_sys::MemoryContextDelete(context) };
        }
    }
}
