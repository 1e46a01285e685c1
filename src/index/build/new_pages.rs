//! The pages of a new index, as a build writes them.

use crate::index::pages::buffer::{CriticalSection, Pinned, copy_image};
use crate::server::interrupt;
use crate::server::settings::PAGE;
use crate::server::version::needs_wal;
use pgrx::pg_sys;
use simhash_search::tree::Block;
use simhash_search::tree::build::Sink;
use simhash_search::tree::page::Image;

/// A new index that is being written.
pub struct NewPages {
    relation: pg_sys::Relation,
    fork: pg_sys::ForkNumber::Type,
}

impl NewPages {
    /// The pages of a new index. `log` logs all of them together.
    ///
    /// # Safety
    /// `relation` is an index that no other backend uses, and stays open while this value is used.
    pub unsafe fn of_index(relation: pg_sys::Relation) -> NewPages {
        NewPages { relation, fork: pg_sys::ForkNumber::MAIN_FORKNUM }
    }

    /// The pages that an unlogged index has after a crash: those of its init fork. Each page is logged when it is written.
    ///
    /// # Safety
    /// As for `of_index`.
    pub unsafe fn after_crash(relation: pg_sys::Relation) -> NewPages {
        NewPages { relation, fork: pg_sys::ForkNumber::INIT_FORKNUM }
    }

    /// Logs all pages, if the index needs it.
    pub fn log(&self) {
        // SAFETY: an open index, of which all pages are written.
        unsafe {
            if needs_wal(self.relation) {
                let end = pg_sys::RelationGetNumberOfBlocksInFork(self.relation, self.fork);
                pg_sys::log_newpage_range(self.relation, self.fork, 0, end, true);
            }
        }
    }
}

impl Sink for NewPages {
    fn page_size(&self) -> usize {
        PAGE
    }

    fn add_page(&mut self) -> Block {
        interrupt::check();
        // SAFETY: an open index.
        unsafe { Pinned::new_page(self.relation, self.fork) }.block()
    }

    fn write(&mut self, block: Block, page: &Image) {
        // SAFETY: an open index that no other backend uses, and a page of it that was added before.
        let mut pinned = unsafe { Pinned::for_writing(self.relation, self.fork, block) };
        let critical = CriticalSection::enter();
        // SAFETY: the page is locked for writing. A page of the init fork is always logged, also for an unlogged index.
        unsafe {
            copy_image(page, pinned.bytes_mut());
            pg_sys::MarkBufferDirty(pinned.buffer());
            if self.fork == pg_sys::ForkNumber::INIT_FORKNUM {
                pg_sys::log_newpage_buffer(pinned.buffer(), true);
            }
        }
        drop(critical);
    }
}
