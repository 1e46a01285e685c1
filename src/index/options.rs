//! The options of an index, `WITH (fillfactor = …, rotations = …)`.

use crate::server::error::raise;
use pgrx::{PgSqlErrorCode, pg_guard, pg_sys};
use simhash_search::tree::meta::Meta;
use std::ffi::c_int;
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering};

/// What `WITH (…)` can set, as the server stores it.
#[repr(C)]
#[derive(Clone, Copy)]
struct StoredOptions {
    length: i32,
    fillfactor: c_int,
    rotations: c_int,
}

/// The default of fillfactor: how full a build makes pages, in percent.
const FILLFACTOR: c_int = 90;
/// The default properties of an index.
pub const DEFAULT: Meta = Meta { rotations: 4, words: 1 };

/// The server's number for the options of simhash indexes.
static KIND: AtomicU32 = AtomicU32::new(0);

/// Registers the options with the server.
pub fn define() {
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
        let description = c"How many rotations of each 64 bits of a fingerprint are stored: 1, 2 or 4.";
        pg_sys::add_int_reloption(
            kind,
            c"rotations".as_ptr(),
            description.as_ptr(),
            DEFAULT.rotations.into(),
            1,
            4,
            lock,
        );
    }
}

/// Parses and checks the options of WITH. The address of this function also distinguishes simhash indexes from others.
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
        element(c"fillfactor", offset_of!(StoredOptions, fillfactor)),
        element(c"rotations", offset_of!(StoredOptions, rotations)),
    ];
    // SAFETY: the arguments are the server's; the elements say where in `StoredOptions` each value goes.
    let parsed = unsafe {
        pg_sys::build_reloptions(
            options,
            validate,
            KIND.load(Ordering::Relaxed),
            size_of::<StoredOptions>(),
            elements.as_ptr(),
            elements.len() as c_int,
        )
    };
    // SAFETY: the server has filled the options, or returned NULL.
    if let Some(options) = unsafe { parsed.cast::<StoredOptions>().as_ref() }
        && validate
        && Meta::new(options.rotations as u32, 1).is_none()
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

/// How full a build makes pages, in percent.
///
/// # Safety
/// `index` is an open simhash index.
pub unsafe fn fillfactor(index: pg_sys::Relation) -> usize {
    // SAFETY: as the caller promises.
    unsafe { stored(index) }.map_or(FILLFACTOR, |options| options.fillfactor) as usize
}

/// How many rotations the options of an index ask for. The index has others if its options were changed after it was built.
///
/// # Safety
/// `index` is an open simhash index.
pub unsafe fn rotations(index: pg_sys::Relation) -> u8 {
    // SAFETY: as the caller promises.
    let options = unsafe { stored(index) };
    options.map_or(DEFAULT.rotations, |options| options.rotations as u8)
}

/// Whether an open index is a simhash index: `amoptions` checks its options.
///
/// # Safety
/// `index` is an open index.
pub unsafe fn is_ours(index: pg_sys::Relation) -> bool {
    // SAFETY: as the caller promises.
    let method = unsafe { (*index).rd_indam.as_ref() };
    method.and_then(|method| method.amoptions).is_some_and(|options| {
        let ours: unsafe extern "C-unwind" fn(pg_sys::Datum, bool) -> *mut pg_sys::bytea = amoptions;
        std::ptr::fn_addr_eq(options, ours)
    })
}

/// The options of an index, if some were set.
///
/// # Safety
/// `index` is an open simhash index.
unsafe fn stored(index: pg_sys::Relation) -> Option<StoredOptions> {
    // SAFETY: the options of simhash indexes are what `amoptions` returned.
    unsafe { (*index).rd_options.cast::<StoredOptions>().as_ref().copied() }
}
