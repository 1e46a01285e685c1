//! An open simhash index: its properties, what is remembered of it, and the errors of a damaged index.

use super::options;
use super::pages::IndexPages;
use crate::server::error::{out_of_memory, raise};
use crate::server::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_sys};
use simhash_search::tree::cover::Cover;
use simhash_search::tree::meta::{FORMAT, Meta, Unreadable};
use simhash_search::tree::pager::Pager;
use simhash_search::tree::search::cover_for;
use simhash_search::tree::{Block, Corrupt, Failure, META};
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

/// What is remembered of an index from scan to scan. It owns no memory, because the server frees it without a callback.
struct Remembered {
    meta: Meta,
    /// How many pages the index had, and for how many further scans this number is used. To ask for it costs a system call, and
    /// only the choice of the search method depends on it.
    blocks: Block,
    scans_left: u32,
    /// A k, and the cheapest cover for it in an index of `blocks` pages.
    cover: Option<(u32, Cover)>,
}

/// For how many scans the number of pages is remembered.
const SCANS_PER_SIZE: u32 = 64;

/// An index that is open for `'r`.
#[derive(Clone, Copy)]
pub struct IndexRelation<'r>(pg_sys::Relation, PhantomData<&'r ()>);

impl<'r> IndexRelation<'r> {
    /// # Safety
    /// `relation` is an open simhash index, and stays open for `'r`.
    pub unsafe fn new(relation: pg_sys::Relation) -> IndexRelation<'r> {
        IndexRelation(relation, PhantomData)
    }

    /// The server's handle of the index.
    pub fn as_ptr(&self) -> pg_sys::Relation {
        self.0
    }

    /// How full a build makes pages, in percent.
    pub fn fillfactor(&self) -> usize {
        // SAFETY: an open simhash index.
        unsafe { options::fillfactor(self.0) }
    }

    /// The properties that a new index gets, by its options and its last column.
    pub fn wanted(&self) -> Meta {
        // SAFETY: an open simhash index.
        let rotations = unsafe { options::rotations(self.0) };
        Meta { rotations, words: self.words().unwrap_or(options::DEFAULT.words) }
    }

    /// The properties of the index.
    pub fn meta(&self) -> Meta {
        self.with_remembered(|remembered| remembered.meta)
    }

    /// About how many pages it has: the number at one of the last scans.
    pub fn recent_blocks(&self) -> Block {
        let known = self.with_remembered(|remembered| {
            remembered.scans_left = remembered.scans_left.checked_sub(1)?;
            Some(remembered.blocks)
        });
        known.unwrap_or_else(|| {
            let blocks = self.pages().blocks();
            self.with_remembered(|remembered| {
                (remembered.blocks, remembered.scans_left) = (blocks, SCANS_PER_SIZE - 1);
                remembered.cover = None;
            });
            blocks
        })
    }

    /// The cheapest cover for `k`.
    pub fn cover(&self, k: u32) -> Cover {
        let blocks = self.recent_blocks();
        self.with_remembered(|remembered| match remembered.cover {
            Some((of, cover)) if of == k => cover,
            _ => {
                let cover = cover_for(k, remembered.meta, blocks);
                remembered.cover = Some((k, cover));
                cover
            }
        })
    }

    /// Calls `look` with what is remembered of the index. The server may forget it when a lock is taken on a table or an index, so
    /// `look` does not call the server. It does not call this function again either.
    fn with_remembered<R>(&self, look: impl FnOnce(&mut Remembered) -> R) -> R {
        // SAFETY: an open index; what is remembered was put there below. The server has one thread, and `look` is the only user
        // until it returns: each `look` is in this file, and obeys the rules above.
        unsafe {
            if let Some(remembered) = (*self.0).rd_amcache.cast::<Remembered>().as_mut() {
                return look(remembered);
            }
            let meta = match self.pages().read(META, Meta::read) {
                Ok(meta) => meta,
                Err(Unreadable::Corrupt(corrupt)) => self.raise_corrupt(corrupt),
                Err(Unreadable::Format(format)) => self.raise_format(format),
            };
            let memory = pg_sys::MemoryContextAlloc((*self.0).rd_indexcxt, size_of::<Remembered>());
            let remembered = memory.cast::<Remembered>();
            remembered.write(Remembered { meta, blocks: 0, scans_left: 0, cover: None });
            (*self.0).rd_amcache = memory.cast::<c_void>();
            look(&mut *remembered)
        }
    }

    /// Its pages.
    pub fn pages(&self) -> IndexPages<'r> {
        // SAFETY: an open index.
        unsafe { IndexPages::new(self.0) }
    }

    /// Its pages, for a scan.
    ///
    /// # Safety
    /// `snapshot` is that of the scan, and is valid while the pages are used.
    pub unsafe fn pages_for_scan(&self, snapshot: pg_sys::Snapshot) -> IndexPages<'r> {
        // SAFETY: an open index, and as the caller promises.
        unsafe { IndexPages::for_scan(self.0, snapshot) }
    }

    /// Its pages, for vacuum.
    ///
    /// # Safety
    /// `strategy` is vacuum's.
    pub unsafe fn pages_for_vacuum(&self, strategy: pg_sys::BufferAccessStrategy) -> IndexPages<'r> {
        // SAFETY: an open index, and as the caller promises.
        unsafe { IndexPages::for_vacuum(self.0, strategy) }
    }

    /// Its name.
    pub fn name(&self) -> String {
        // SAFETY: an open index; the name is in the server encoding.
        unsafe {
            let name = (*(*self.0).rd_rel).relname.data.as_ptr();
            Utf8Text::from_server_string(name).to_owned()
        }
    }

    /// Raises the error of a damaged index.
    pub fn raise_corrupt(&self, corrupt: Corrupt) -> ! {
        raise(
            PgSqlErrorCode::ERRCODE_INDEX_CORRUPTED,
            format!("index \"{}\" is damaged at block {}", self.name(), corrupt.block),
            Some(format!("Reason: {}.", corrupt.what)),
            Some("Run REINDEX on the index.".to_owned()),
        )
    }

    fn raise_format(&self, format: u32) -> ! {
        raise(
            PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
            format!(
                "index \"{}\" has format {format}, which this version of simhash cannot read",
                self.name()
            ),
            Some(format!("This version reads and writes format {FORMAT}.")),
            Some("Run REINDEX on the index, or install the version of simhash that wrote it.".to_owned()),
        )
    }

    /// The value, or the error of a damaged index or of refused memory.
    pub fn intact<T>(&self, result: Result<T, impl Into<Failure>>) -> T {
        result.unwrap_or_else(|failure| match failure.into() {
            Failure::Corrupt(corrupt) => self.raise_corrupt(corrupt),
            Failure::OutOfMemory => {
                out_of_memory("The working memory of an index operation does not fit in memory.")
            }
        })
    }
}

/// The properties that an index gets, by OID and for any index; `None` if it is not a simhash index.
pub fn wanted_of(index: pg_sys::Oid) -> Option<Meta> {
    let lock = pg_sys::AccessShareLock as c_int;
    // SAFETY: opens an index and closes it again.
    unsafe {
        let relation = pg_sys::index_open(index, lock);
        let meta = options::is_ours(relation).then(|| {
            let index = IndexRelation::new(relation);
            // A change of the column's type to bit varying keeps the index, but the type no longer says the number of words.
            if index.words().is_some() { index.wanted() } else { index.meta() }
        });
        pg_sys::index_close(relation, lock);
        meta
    }
}
