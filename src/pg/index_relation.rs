//! An open index of ours: its options, what its first page says, its place in the statistics.

use super::error::{out_of_memory, raise};
use super::index_pages::IndexPages;
use super::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_guard, pg_sys};
use simhash_core::tree::cover::Cover;
use simhash_core::tree::meta::{FORMAT, Meta, Unreadable};
use simhash_core::tree::pager::Pager;
use simhash_core::tree::search::leaves_of;
use simhash_core::tree::{Block, Corrupt, Failure, META};
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering};

/// What `WITH (…)` can say, as the server stores it.
#[repr(C)]
struct Options {
    length: i32,
    fillfactor: c_int,
    rotations: c_int,
}

/// How full a build makes pages, in percent, unless it is said.
const FILLFACTOR: c_int = 90;
/// What an index is, unless it is said.
pub const USUAL: Meta = Meta { rotations: 4 };

/// The server's number for the options of our indexes.
static KIND: AtomicU32 = AtomicU32::new(0);

/// Makes the options known to the server.
pub fn define_options() {
    // SAFETY: called once, when the library is loaded.
    unsafe {
        let kind = pg_sys::add_reloption_kind();
        KIND.store(kind, Ordering::Relaxed);
        let lock = pg_sys::ShareUpdateExclusiveLock as _;
        let description = c"How full a build makes the pages of the index, in percent.";
        pg_sys::add_int_reloption(
            kind,
            c"fillfactor".as_ptr(),
            description.as_ptr(),
            FILLFACTOR,
            10,
            100,
            lock,
        );
        let description = c"How many rotations of each fingerprint are stored: 1, 2 or 4.";
        pg_sys::add_int_reloption(
            kind,
            c"rotations".as_ptr(),
            description.as_ptr(),
            USUAL.rotations.into(),
            1,
            4,
            lock,
        );
    }
}

/// What WITH says, checked. It also distinguishes our indexes from others.
#[pg_guard]
pub unsafe extern "C-unwind" fn amoptions(options: pg_sys::Datum, validate: bool) -> *mut pg_sys::bytea {
    #[allow(clippy::needless_update, reason = "PostgreSQL 18 has a further field")]
    let element = |name: &'static std::ffi::CStr, offset: usize| pg_sys::relopt_parse_elt {
        optname: name.as_ptr(),
        opttype: pg_sys::relopt_type::RELOPT_TYPE_INT,
        offset: offset as c_int,
        ..Default::default()
    };
    let elements = [
        element(c"fillfactor", offset_of!(Options, fillfactor)),
        element(c"rotations", offset_of!(Options, rotations)),
    ];
    // SAFETY: the arguments are the server's; the elements say where in `Options` each value goes.
    let parsed = unsafe {
        pg_sys::build_reloptions(
            options,
            validate,
            KIND.load(Ordering::Relaxed),
            size_of::<Options>(),
            elements.as_ptr(),
            elements.len() as c_int,
        )
    };
    // SAFETY: the server has filled the options, or returned NULL.
    if let Some(options) = unsafe { parsed.cast::<Options>().as_ref() }
        && validate
        && Meta::with_rotations(options.rotations).is_none()
    {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("invalid value for option \"rotations\": {}", options.rotations),
            Some("Valid values are 1, 2 and 4.".to_owned()),
            None,
        );
    }
    parsed.cast()
}

/// What is remembered of an index from scan to scan. It owns no memory: the server frees it without a callback.
struct Remembered {
    meta: Meta,
    /// How many pages it had, and for how many further scans that will do: to ask costs a call of the system, and only the
    /// choice of the way depends on it.
    blocks: Block,
    scans_left: u32,
    /// The cover for this k in an index of so many pages.
    cover: Option<(u32, Cover)>,
}

/// For how many scans the number of pages is remembered.
const SCANS_OF_A_SIZE: u32 = 64;

/// An index that is open for as long as `'r`.
#[derive(Clone, Copy)]
pub struct IndexRelation<'r>(pg_sys::Relation, PhantomData<&'r ()>);

impl<'r> IndexRelation<'r> {
    /// # Safety
    /// `relation` is an open index of ours, and stays open for `'r`.
    pub unsafe fn new(relation: pg_sys::Relation) -> IndexRelation<'r> {
        IndexRelation(relation, PhantomData)
    }

    /// What the options of an index say, which an index that was not built since may not be; `None` where it is not ours.
    pub fn wanted_of(index: pg_sys::Oid) -> Option<Meta> {
        let lock = pg_sys::AccessShareLock as c_int;
        // SAFETY: opens an index and closes it again; whose options were checked by `amoptions` is ours.
        unsafe {
            let relation = pg_sys::index_open(index, lock);
            let method = (*relation).rd_indam.as_ref();
            let is_ours = method.and_then(|method| method.amoptions).is_some_and(|options| {
                let ours: unsafe extern "C-unwind" fn(pg_sys::Datum, bool) -> *mut pg_sys::bytea = amoptions;
                std::ptr::fn_addr_eq(options, ours)
            });
            let meta = is_ours.then(|| IndexRelation::new(relation).wanted());
            pg_sys::index_close(relation, lock);
            meta
        }
    }

    /// The server's own.
    pub(super) fn as_ptr(&self) -> pg_sys::Relation {
        self.0
    }

    fn options(&self) -> Option<&Options> {
        // SAFETY: the options of our indexes are what `parse_options` returned.
        unsafe { (*self.0).rd_options.cast::<Options>().as_ref() }
    }

    /// How full a build makes pages, in percent.
    pub fn fillfactor(&self) -> usize {
        self.options().map_or(FILLFACTOR, |options| options.fillfactor) as usize
    }

    /// What a new index is to be.
    pub fn wanted(&self) -> Meta {
        self.options().and_then(|options| Meta::with_rotations(options.rotations)).unwrap_or(USUAL)
    }

    /// What the index is.
    pub fn meta(&self) -> Meta {
        self.with_remembered(|remembered| remembered.meta)
    }

    /// About how many pages it has: as many as it had at one of the last scans.
    pub fn recent_blocks(&self) -> Block {
        let known = self.with_remembered(|remembered| {
            remembered.scans_left = remembered.scans_left.checked_sub(1)?;
            Some(remembered.blocks)
        });
        known.unwrap_or_else(|| {
            let blocks = self.pages().blocks();
            self.with_remembered(|remembered| {
                (remembered.blocks, remembered.scans_left) = (blocks, SCANS_OF_A_SIZE - 1);
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
                let cover = Cover::cheapest(k, remembered.meta, leaves_of(blocks, remembered.meta));
                remembered.cover = Some((k, cover));
                cover
            }
        })
    }

    /// Calls `look` with what is remembered as long as the server remembers the index. `look` does not call the server, which
    /// may forget it where a lock is taken on a table or an index, and not this function again.
    fn with_remembered<R>(&self, look: impl FnOnce(&mut Remembered) -> R) -> R {
        // SAFETY: an open index; what is remembered is what was put there below. The server has one thread, and `look` is the
        // only user until it returns: it is in this file, and does what is said above.
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
    /// `snapshot` is that of the scan, and is there as long as the pages are used.
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
            Failure::OutOfMemory => out_of_memory("What is remembered of an index does not fit in memory."),
        })
    }
}

/// The phases of a build, as pg_stat_progress_create_index shows them.
#[derive(Clone, Copy)]
pub enum Phase {
    Scanning = 2,
    Writing = 3,
    Logging = 4,
}

impl Phase {
    /// What it is called; 1 is the server's own.
    pub fn name(number: i64) -> Option<&'static std::ffi::CStr> {
        match number {
            1 => Some(c"initializing"),
            2 => Some(c"scanning table"),
            3 => Some(c"sorting and writing pages"),
            4 => Some(c"logging pages"),
            _ => None,
        }
    }

    /// Says that the build has come so far.
    pub fn begin(self) {
        report(pg_sys::PROGRESS_CREATEIDX_SUBPHASE as c_int, self as i64);
    }

    /// Says how many keys there are to write.
    pub fn total(keys: u64) {
        report(pg_sys::PROGRESS_CREATEIDX_TUPLES_TOTAL as c_int, keys as i64);
    }

    /// Says how many keys are written.
    pub fn done(keys: u64) {
        report(pg_sys::PROGRESS_CREATEIDX_TUPLES_DONE as c_int, keys as i64);
    }
}

fn report(what: c_int, value: i64) {
    // SAFETY: a counter in shared memory that belongs to this process.
    unsafe { pg_sys::pgstat_progress_update_param(what, value) };
}
