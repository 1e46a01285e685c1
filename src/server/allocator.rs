//! Rust's allocator: the memory of the system, and a reserve for small requests that the system refuses.
//!
//! Rust aborts the process if a `Vec` or a `Box` cannot get memory, and if one backend aborts, the server restarts all of them.
//! Memory whose size depends on the input is therefore requested so that the request can be refused (`simhash_memory`). Small and
//! bounded requests, also those of the libraries that segment and parse, then come from the reserve, and the next check for
//! interrupts raises the error.

use simhash_memory::Cells;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// The size of the reserve: more than everything that is allocated for one chunk of a text.
const RESERVE: usize = WORDS * 64 * CELL;

/// The largest request that the reserve serves. Only code whose requests can be refused makes larger ones.
const LARGEST: usize = 1 << 20;

const CELL: usize = 64;
const WORDS: usize = 1024;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator {
    lock: AtomicBool::new(false),
    was_used: AtomicBool::new(false),
    cells: UnsafeCell::new(Cells::new()),
    memory: Memory(UnsafeCell::new([0; RESERVE])),
};

struct Allocator {
    /// Whether a thread is using `cells`.
    lock: AtomicBool,
    was_used: AtomicBool,
    cells: UnsafeCell<Cells<WORDS>>,
    memory: Memory,
}

#[repr(align(64))]
struct Memory(UnsafeCell<[u8; RESERVE]>);

// SAFETY: `cells` is used only under the lock, and a part of `memory` only by the caller that received it.
unsafe impl Sync for Allocator {}

/// Whether the reserve was used since the last call of this function, and is still in use.
pub fn reserve_was_used() -> bool {
    // Nearly always the reserve was not used, and a load is cheaper than an exchange.
    ALLOCATOR.was_used.load(Ordering::Relaxed) && ALLOCATOR.was_used.swap(false, Ordering::Relaxed)
}

/// Whether memory that was handed out since the last error may be from the reserve.
pub fn reserve_is_in_use() -> bool {
    ALLOCATOR.was_used.load(Ordering::Relaxed)
}

impl Allocator {
    /// Memory from the reserve, or NULL.
    #[cold]
    fn take_reserve(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGEST || layout.align() > CELL {
            return std::ptr::null_mut();
        }
        self.was_used.store(true, Ordering::Relaxed);
        match self.with_cells(|cells| cells.take(layout.size().div_ceil(CELL))) {
            // SAFETY: the cell is within the memory.
            Some(first) => unsafe { self.memory.0.get().cast::<u8>().add(first * CELL) },
            None => std::ptr::null_mut(),
        }
    }

    /// Returns memory to the reserve. If the whole reserve is free again, the shortage is over, and a later statement must not fail
    /// because of it.
    #[cold]
    fn give_back_reserve(&self, first: usize, layout: Layout) {
        let are_free = self.with_cells(|cells| {
            cells.give_back(first, layout.size().div_ceil(CELL));
            cells.are_free()
        });
        if are_free {
            self.was_used.store(false, Ordering::Relaxed);
        }
    }

    /// The first cell of a piece of memory, if it is from the reserve.
    #[inline]
    fn cell_of(&self, pointer: *mut u8) -> Option<usize> {
        let offset = pointer.addr().wrapping_sub(self.memory.0.get().addr());
        (offset < RESERVE).then_some(offset / CELL)
    }

    fn with_cells<T>(&self, work: impl FnOnce(&mut Cells<WORDS>) -> T) -> T {
        while self.lock.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        // SAFETY: only the thread that has set the lock uses the cells, until it releases the lock below; the work
        // neither panics nor allocates.
        let result = work(unsafe { &mut *self.cells.get() });
        self.lock.store(false, Ordering::Release);
        result
    }
}

// SAFETY: memory is either from the system, which gets the caller's promises, or from free cells of the reserve. The cells are
// aligned to `CELL`, and are not taken again until they are given back.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let pointer = unsafe { System.alloc(layout) };
        if pointer.is_null() { self.take_reserve(layout) } else { pointer }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if !pointer.is_null() {
            return pointer;
        }
        let pointer = self.take_reserve(layout);
        if !pointer.is_null() {
            // SAFETY: the memory has that many bytes, and no other caller has received it.
            unsafe { pointer.write_bytes(0, layout.size()) };
        }
        pointer
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match self.cell_of(pointer) {
            Some(first) => self.give_back_reserve(first, layout),
            // SAFETY: not from the reserve, so from the system; the rest is as the caller promises.
            None => unsafe { System.dealloc(pointer, layout) },
        }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if self.cell_of(pointer).is_none() {
            // SAFETY: not from the reserve, so from the system; the rest is as the caller promises.
            let moved = unsafe { System.realloc(pointer, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller promises a size that is valid for a layout. The new memory has at least as many bytes as are copied,
        // and the old memory is freed only after the copy.
        unsafe {
            let new_layout = Layout::from_size_align_unchecked(new_size, layout.align());
            let moved = self.alloc(new_layout);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(pointer, layout.size().min(new_size));
                self.dealloc(pointer, layout);
            }
            moved
        }
    }
}
