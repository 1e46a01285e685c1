//! Text arguments in any server encoding, as UTF-8.

use super::error::raise;
use super::interrupt;
use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::{FromDatum, IntoDatum, PgSqlErrorCode, pg_sys};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ops::Deref;

/// A `text` argument, detoasted and converted from the server encoding to UTF-8. What that allocated is
/// given back when it is dropped.
pub struct Utf8Text<'fcx> {
    bytes: *const u8,
    len: usize,
    detoasted: *mut c_void,
    converted: *mut c_void,
    call: PhantomData<&'fcx str>,
}

impl Utf8Text<'_> {
    /// Reads a datum of type `text`.
    ///
    /// # Safety
    /// `datum` is a `text`, not NULL, and outlives the value.
    pub unsafe fn from_text_datum(datum: pg_sys::Datum) -> Self {
        // SAFETY: the caller vouches for a text, so the detoasted value has a varlena header and as many bytes as it
        // says.
        unsafe {
            let stored = datum.cast_mut_ptr::<pg_sys::varlena>();
            let plain = pg_sys::pg_detoast_datum_packed(stored);
            let bytes =
                std::slice::from_raw_parts(pgrx::vardata_any(plain).cast(), pgrx::varsize_any_exhdr(plain));
            let mut text = Utf8Text::from_server_bytes(bytes);
            if plain != stored {
                text.detoasted = plain.cast();
            }
            text
        }
    }

    /// Reads a C string that the server made.
    ///
    /// # Safety
    /// `string` ends in NUL and outlives the value.
    pub unsafe fn from_server_string(string: *const c_char) -> Self {
        // SAFETY: as the caller vouches.
        unsafe { Utf8Text::from_server_bytes(CStr::from_ptr(string).to_bytes()) }
    }

    /// Reads bytes in the server encoding.
    ///
    /// # Safety
    /// `bytes` outlive the value.
    pub unsafe fn from_server_bytes(bytes: &[u8]) -> Self {
        let data = bytes.as_ptr().cast::<c_char>();
        // SAFETY: the conversion yields either these bytes or a palloc'd string ending in NUL.
        let (bytes, converted) = unsafe {
            let utf8 = pg_sys::pg_server_to_any(data, bytes.len() as c_int, pg_sys::pg_enc::PG_UTF8 as c_int);
            if utf8.cast_const() == data {
                (bytes, std::ptr::null_mut())
            } else {
                (CStr::from_ptr(utf8).to_bytes(), utf8.cast())
            }
        };
        check_utf8(bytes);
        Utf8Text {
            bytes: bytes.as_ptr(),
            len: bytes.len(),
            detoasted: std::ptr::null_mut(),
            converted,
            call: PhantomData,
        }
    }
}

impl<'fcx> Utf8Text<'fcx> {
    /// The same without blanks at its end, as values of type `char(n)` are seen as text.
    pub fn without_trailing_blanks(mut self) -> Utf8Text<'fcx> {
        self.len = self.trim_end_matches(' ').len();
        self
    }
}

/// A text result, converted from UTF-8 to the server encoding.
pub struct ServerText(pub String);

impl IntoDatum for ServerText {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        let len = self.0.len() as c_int;
        // SAFETY: the conversion yields either the bytes given, `len` of them, or a palloc'd string ending in NUL;
        // both are copied into a new text.
        unsafe {
            let utf8 = self.0.as_ptr().cast::<c_char>();
            let server = pg_sys::pg_any_to_server(utf8, len, pg_sys::pg_enc::PG_UTF8 as c_int);
            let len =
                if server.cast_const() == utf8 { len } else { CStr::from_ptr(server).count_bytes() as c_int };
            Some(pg_sys::Datum::from(pg_sys::cstring_to_text_with_len(server, len)))
        }
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::TEXTOID
    }
}

// SAFETY: the SQL declarations give these results the type text.
unsafe impl BoxRet for ServerText {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        match self.into_datum() {
            // SAFETY: a text, as above.
            Some(datum) => unsafe { fcinfo.return_raw_datum(datum) },
            None => fcinfo.return_null(),
        }
    }
}

/// A string of the server, such as a name, as UTF-8; `None` for NULL.
///
/// # Safety
/// `string` ends in NUL, or is NULL.
pub unsafe fn server_string(string: *const c_char) -> Option<String> {
    // SAFETY: as the caller vouches.
    unsafe { (!string.is_null()).then(|| Utf8Text::from_server_string(string).to_owned()) }
}

/// A string for the server, in its encoding and in the current memory context.
pub fn to_server_string(text: &str) -> *mut c_char {
    // SAFETY: the conversion yields the bytes given, or a palloc'd string ending in NUL; both are copied.
    unsafe {
        let utf8 = text.as_ptr().cast::<c_char>();
        let len = text.len() as c_int;
        let server = pg_sys::pg_any_to_server(utf8, len, pg_sys::pg_enc::PG_UTF8 as c_int);
        let len = if server.cast_const() == utf8 { text.len() } else { CStr::from_ptr(server).count_bytes() };
        pg_sys::pnstrdup(server, len)
    }
}

/// How many bytes are checked between two looks at interrupts.
const BYTES_A_CHECK: usize = 1 << 20;

/// Raises an error where `bytes` are not UTF-8. Listens for a cancel: a long text takes a while.
fn check_utf8(bytes: &[u8]) {
    let mut done = 0;
    while done < bytes.len() {
        let piece = &bytes[done..bytes.len().min(done + BYTES_A_CHECK)];
        done += match std::str::from_utf8(piece) {
            Ok(_) => piece.len(),
            // The piece ends within a character, which the next one begins with.
            Err(cut) if cut.error_len().is_none() && done + piece.len() < bytes.len() => cut.valid_up_to(),
            Err(broken) => invalid_utf8(done + broken.valid_up_to()),
        };
        interrupt::check();
    }
}

/// A UTF8 database holds only valid UTF-8, unless somebody went round the checks.
fn invalid_utf8(position: usize) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_CHARACTER_NOT_IN_REPERTOIRE,
        "invalid byte sequence for encoding \"UTF8\"".to_owned(),
        Some(format!("The text is broken after {position} bytes.")),
        None,
    )
}

impl Deref for Utf8Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        // SAFETY: checked to be UTF-8 when it was read, and alive as long as the argument.
        unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(self.bytes, self.len)) }
    }
}

impl Drop for Utf8Text<'_> {
    fn drop(&mut self) {
        for copy in [self.converted, self.detoasted] {
            if !copy.is_null() {
                // SAFETY: palloc'd by `from_text_datum` and known to nobody else.
                unsafe { pg_sys::pfree(copy) };
            }
        }
    }
}

impl FromDatum for Utf8Text<'_> {
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
        // SAFETY: the caller vouches for the type.
        (!is_null).then(|| unsafe { Utf8Text::from_text_datum(datum) })
    }
}

// SAFETY: the SQL declarations give these arguments the type text, in functions that are STRICT.
unsafe impl<'fcx> ArgAbi<'fcx> for Utf8Text<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: as above; arguments live as long as the call.
        let text = unsafe { arg.unbox_arg_using_from_datum() };
        text.expect("a STRICT function is not called with NULL")
    }
}
