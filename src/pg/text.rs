//! Text arguments in any server encoding, as UTF-8.

use super::error::raise;
use pgrx::callconv::{Arg, ArgAbi};
use pgrx::{FromDatum, PgSqlErrorCode, pg_sys};
use std::ffi::{c_int, c_void};
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
        // SAFETY: the caller vouches for a text, so the detoasted value has a varlena header and as many bytes
        // as it says; the conversion yields either these bytes or a palloc'd string ending in NUL.
        unsafe {
            let stored = datum.cast_mut_ptr::<pg_sys::varlena>();
            let plain = pg_sys::pg_detoast_datum_packed(stored);
            let len = pgrx::varsize_any_exhdr(plain);
            let data = pgrx::vardata_any(plain);
            let utf8 = pg_sys::pg_server_to_any(data, len as c_int, pg_sys::pg_enc::PG_UTF8 as c_int);
            let mut text = Utf8Text {
                bytes: utf8.cast(),
                len,
                detoasted: if plain == stored { std::ptr::null_mut() } else { plain.cast() },
                converted: std::ptr::null_mut(),
                call: PhantomData,
            };
            if utf8.cast_const() != data {
                text.len = std::ffi::CStr::from_ptr(utf8).count_bytes();
                text.converted = utf8.cast();
            }
            if let Err(broken) = std::str::from_utf8(std::slice::from_raw_parts(text.bytes, text.len)) {
                invalid_utf8(broken.valid_up_to());
            }
            text
        }
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
