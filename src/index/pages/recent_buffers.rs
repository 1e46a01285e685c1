//! Where pages of indexes were last seen among the server's buffers.
//!
//! A search spends most of its time waiting for memory: for the server's table of buffers, for the description of a buffer,
//! for the page. A remembered buffer saves the look-up, and lets the processor load several pages at once. It is only a
//! hint: a page that has moved is looked up as usual.

use pgrx::pg_sys;
use simhash_search::tree::Block;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// So many pages are remembered, half a gigabyte of indexes. Where pages have the same slot, the last one counts.
const SLOTS: usize = 1 << 16;

/// In the upper half the number of a page, in the lower its buffer, from 1 on. The system gives memory for what is used of it.
static SEEN: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// Bytes of a page.
const PAGE: usize = pg_sys::BLCKSZ as usize;

/// Bytes that the processor loads at once.
const LINE: usize = 64;

// What stands below about descriptions of buffers is the server's own business (storage/buf_internals.h), and may be different
// in another version: then look at `BufferDesc`, at the bits of its `state`, and at how `BufferDescriptors` is allocated.
#[cfg(not(any(feature = "pg15", feature = "pg16", feature = "pg17", feature = "pg18")))]
compile_error!("descriptions of buffers of this version of PostgreSQL have not been looked at");

/// The slot of a page. Pages of one index have different ones as long as there are enough.
fn slot(index: pg_sys::Oid, block: Block) -> &'static AtomicU64 {
    let first = index.to_u32().wrapping_mul(0x9E37_79B1) >> 16;
    &SEEN[first.wrapping_add(block) as usize % SLOTS]
}

/// Remembers where a page was seen. The buffers of temporary tables, which have numbers below 0, are the process's own.
pub fn remember(index: pg_sys::Oid, block: Block, buffer: pg_sys::Buffer) {
    let buffer = u32::try_from(buffer).unwrap_or(0);
    slot(index, block).store(u64::from(block) << 32 | u64::from(buffer), Ordering::Relaxed);
}

/// The buffer in which a page was seen.
fn seen(index: pg_sys::Oid, block: Block) -> Option<usize> {
    let seen = slot(index, block).load(Ordering::Relaxed);
    let number = (seen as u32).checked_sub(1).filter(|_| seen >> 32 == u64::from(block))?;
    Some(number as usize)
}

/// The buffer in which a page was seen, if that buffer is used as much as the server counts. For others the server has to find
/// out itself that they are used, which keeps them in memory.
pub fn busy(index: pg_sys::Oid, block: Block) -> Option<pg_sys::Buffer> {
    let number = seen(index, block)?;
    // SAFETY: where the server has the descriptions of its buffers, of which this is one. It changes them by atomic
    // operations.
    let state = unsafe {
        let description = pg_sys::BufferDescriptors.add(number).cast::<pg_sys::BufferDesc>();
        AtomicU32::from_ptr(&raw mut (*description).state.value).load(Ordering::Relaxed)
    };
    let uses = (state & pg_sys::BUF_USAGECOUNT_MASK) >> pg_sys::BUF_USAGECOUNT_SHIFT;
    (uses >= pg_sys::BM_MAX_USAGE_COUNT).then_some(number as pg_sys::Buffer + 1)
}

/// Has the processor load these bytes of a page, and its first ones. `false` where it is not known where the page is.
pub fn load(index: pg_sys::Oid, block: Block, bytes: Range<usize>) -> bool {
    let Some(buffer) = seen(index, block) else { return false };
    // SAFETY: where the server has its buffers, which does not change.
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
