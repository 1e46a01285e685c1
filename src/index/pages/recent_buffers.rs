//! The buffers of the server in which pages of indexes were last found.
//!
//! A search spends most of its time waiting for memory: for the server's table of buffers, for the description of a buffer, for the
//! page. A remembered buffer saves the lookup, and lets the processor load several pages at the same time. It is only a hint: a
//! page that is no longer in this buffer is looked up as usual.

use crate::server::settings::PAGE;
use pgrx::pg_sys;
use simhash_search::tree::Block;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How many pages are remembered: those of two gigabytes of indexes. If two pages have the same slot, the last one is remembered.
const SLOTS: usize = 1 << 18;

/// The upper half of a slot is the number of a page, the lower half its buffer, counted from 1. The system allocates only the
/// memory that is used.
static SEEN: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// Bytes that the processor loads at the same time.
const LINE: usize = 64;

// The descriptions of buffers that are used below are internal to the server (storage/buf_internals.h), and may differ in another
// version. For a new version, check `BufferDesc`, the bits of its `state`, and how `BufferDescriptors` is allocated.
#[cfg(not(any(feature = "pg15", feature = "pg16", feature = "pg17", feature = "pg18")))]
compile_error!("the buffer descriptors of this version of PostgreSQL have not been checked");

/// The slot of a page. Pages of one index have different slots, unless the index has more pages than there are slots.
fn slot(index: pg_sys::Oid, block: Block) -> &'static AtomicU64 {
    let first = index.to_u32().wrapping_mul(0x9E37_79B1) >> 16;
    &SEEN[first.wrapping_add(block) as usize % SLOTS]
}

/// Remembers the buffer of a page. Buffers of temporary tables have numbers below 0 and belong to this process; they are not
/// remembered.
pub fn remember(index: pg_sys::Oid, block: Block, buffer: pg_sys::Buffer) {
    let buffer = u32::try_from(buffer).unwrap_or(0);
    slot(index, block).store(u64::from(block) << 32 | u64::from(buffer), Ordering::Relaxed);
}

/// The buffer in which a page was last found, counted from 0.
fn seen(index: pg_sys::Oid, block: Block) -> Option<usize> {
    let seen = slot(index, block).load(Ordering::Relaxed);
    let number = (seen as u32).checked_sub(1).filter(|_| seen >> 32 == u64::from(block))?;
    Some(number as usize)
}

/// The buffer in which a page was last found, if the usage count of that buffer is at its maximum. For other buffers the server
/// itself has to count the use, which keeps them in memory.
pub fn busy(index: pg_sys::Oid, block: Block) -> Option<pg_sys::Buffer> {
    let number = seen(index, block)?;
    // SAFETY: the address at which the server has the descriptions of its buffers, of which this is one. The server changes them by
    // atomic operations.
    let state = unsafe {
        let description = pg_sys::BufferDescriptors.add(number).cast::<pg_sys::BufferDesc>();
        AtomicU32::from_ptr(&raw mut (*description).state.value).load(Ordering::Relaxed)
    };
    let uses = (state & pg_sys::BUF_USAGECOUNT_MASK) >> pg_sys::BUF_USAGECOUNT_SHIFT;
    (uses >= pg_sys::BM_MAX_USAGE_COUNT).then_some(number as pg_sys::Buffer + 1)
}

/// Makes the processor load these bytes of a page, and its first bytes. Returns `false` if the buffer of the page is not known.
pub fn load(index: pg_sys::Oid, block: Block, bytes: Range<usize>) -> bool {
    let Some(buffer) = seen(index, block) else { return false };
    // SAFETY: reads the addresses of the server's buffers, which do not change.
    let (descriptors, pages) = unsafe { (pg_sys::BufferDescriptors, pg_sys::BufferBlocks.cast::<u8>()) };
    let page = pages.wrapping_add(buffer * PAGE);
    load_line(descriptors.wrapping_add(buffer).cast());
    load_line(page);
    for at in (bytes.start.max(LINE)..bytes.end.min(PAGE)).step_by(LINE) {
        load_line(page.wrapping_add(at));
    }
    true
}

fn load_line(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which is harmless for any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
