//! Text arguments in any server encoding, as UTF-8.

use super::datum::{argument, result};
use super::error::raise;
use super::{guard, interrupt};
use pgrx::{IntoDatum, PgSqlErrorCode, pg_sys};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ops::Deref;

/// A `text` argument, detoasted and converted from the server encoding to UTF-8. Memory that was allocated for it is freed when it
/// is dropped.
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
        // SAFETY: the caller promises a text, so the detoasted value has a varlena header and as many bytes as it
        // says.
        unsafe {
            let stored = datum.cast_mut_ptr::<pg_sys::varlena>();
            let plain = guard::pg_detoast_datum_packed(stored);
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
        // SAFETY: as the caller promises.
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
            let utf8 = guard::pg_server_to_any(data, bytes.len() as c_int, pg_sys::pg_enc::PG_UTF8 as c_int);
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
    /// The same text without blanks at its end, as the server converts values of type `char(n)` to text.
    pub fn without_trailing_blanks(mut self) -> Utf8Text<'fcx> {
        self.len = self.trim_end_matches(' ').len();
        self
    }
}

/// A text result, converted from UTF-8 to the server encoding.
pub struct ServerText(pub String);

impl IntoDatum for ServerText {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        TextDatum::of(&self.0).into_datum()
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::TEXTOID
    }
}

result!(ServerText, |text| TextDatum::of(&text.0).0);

/// A text result of any length, already in the server encoding and in the server's memory.
pub struct TextDatum(pg_sys::Datum);

impl TextDatum {
    /// The text in the current memory context. Characters that the server encoding does not have are escaped, such as `\u{2044}`.
    pub fn of(text: &str) -> TextDatum {
        // SAFETY: reads a setting of the database; the bytes are copied into a new text.
        unsafe {
            let encoding = pg_sys::GetDatabaseEncoding();
            let needs_no_conversion = [pg_sys::pg_enc::PG_UTF8, pg_sys::pg_enc::PG_SQL_ASCII]
                .iter()
                .any(|&e| e as c_int == encoding);
            // All server encodings have ASCII in common.
            if needs_no_conversion || text.is_ascii() {
                let bytes = text.as_ptr().cast::<c_char>();
                let text = guard::cstring_to_text_with_len(bytes, text.len() as c_int);
                return TextDatum(pg_sys::Datum::from(text));
            }
            let converted = convert_or_escape(text, encoding);
            let len = CStr::from_ptr(converted).count_bytes() as c_int;
            let datum = pg_sys::Datum::from(guard::cstring_to_text_with_len(converted, len));
            pg_sys::pfree(converted.cast());
            TextDatum(datum)
        }
    }
}

impl IntoDatum for TextDatum {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        Some(self.0)
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::TEXTOID
    }
}

result!(TextDatum, |text| text.0);

/// The text as a palloc'd string in another encoding of the server, with escapes for characters that this encoding does not have.
///
/// # Safety
/// `encoding` is a server encoding.
unsafe fn convert_or_escape(text: &str, encoding: c_int) -> *mut c_char {
    /// The maximum number of bytes that one byte becomes (MAX_CONVERSION_GROWTH). The escape of a character is never longer than
    /// its bytes times this number.
    const GROWTH: usize = 4;
    const UTF8: c_int = pg_sys::pg_enc::PG_UTF8 as c_int;
    // SAFETY: `out` has room for the longest result and a NUL. Each conversion gets the rest of this room, writes a NUL after its
    // result, and returns how many bytes of the text it has read: whole characters.
    unsafe {
        let conversion = pg_sys::FindDefaultConversionProc(UTF8, encoding);
        let room = GROWTH * text.len() + 1;
        let out = guard::palloc(room).cast::<c_char>();
        let (mut rest, mut written) = (text, 0);
        *out = 0;
        while !rest.is_empty() {
            let read = pg_sys::pg_do_encoding_conversion_buf(
                conversion,
                UTF8,
                encoding,
                rest.as_ptr().cast_mut(),
                rest.len() as c_int,
                out.add(written).cast(),
                (room - written) as c_int,
                true,
            );
            written += CStr::from_ptr(out.add(written)).count_bytes();
            rest = &rest[read as usize..];
            let Some(missing) = rest.chars().next() else { break };
            for c in missing.escape_unicode() {
                *out.add(written) = c as c_char;
                written += 1;
            }
            *out.add(written) = 0;
            rest = &rest[missing.len_utf8()..];
        }
        out
    }
}

/// A string of the server, such as a name, as UTF-8; `None` for NULL.
///
/// # Safety
/// `string` ends in NUL, or is NULL.
pub unsafe fn server_string(string: *const c_char) -> Option<String> {
    // SAFETY: as the caller promises.
    unsafe { (!string.is_null()).then(|| Utf8Text::from_server_string(string).to_owned()) }
}

/// How many bytes are checked between two checks for interrupts.
const BYTES_PER_CHECK: usize = 1 << 20;

/// Raises an error if `bytes` are not UTF-8. The check of a long text takes a while, and can be cancelled.
fn check_utf8(bytes: &[u8]) {
    let mut done = 0;
    while done < bytes.len() {
        let piece = &bytes[done..bytes.len().min(done + BYTES_PER_CHECK)];
        done += match std::str::from_utf8(piece) {
            Ok(_) => piece.len(),
            // The piece ends within a character; the next piece begins with it.
            Err(cut) if cut.error_len().is_none() && done + piece.len() < bytes.len() => cut.valid_up_to(),
            Err(broken) => invalid_utf8(done + broken.valid_up_to()),
        };
        interrupt::check();
    }
}

/// A UTF8 database holds only valid UTF-8, unless the checks were bypassed.
fn invalid_utf8(position: usize) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_CHARACTER_NOT_IN_REPERTOIRE,
        "invalid byte sequence for encoding \"UTF8\"".to_owned(),
        Some(format!("The text is invalid after {position} bytes.")),
        None,
    )
}

impl Deref for Utf8Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        // SAFETY: only `from_server_bytes` makes these values. It has checked that the bytes are UTF-8, and its caller promises
        // that the bytes outlive the value. Converted bytes are freed only when the value is dropped.
        unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(self.bytes, self.len)) }
    }
}

impl Drop for Utf8Text<'_> {
    fn drop(&mut self) {
        for copy in [self.converted, self.detoasted] {
            if !copy.is_null() {
                // SAFETY: palloc'd by `from_text_datum` or `from_server_bytes`, and owned by this value only.
                unsafe { pg_sys::pfree(copy) };
            }
        }
    }
}

argument!([] Utf8Text<'fcx>, Utf8Text::from_text_datum);
