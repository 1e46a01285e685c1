//! `jsonb` arguments, as the bytes they are stored in and as JSON text.

use crate::server::datum::argument;
use crate::server::guard;
use crate::server::text::Utf8Text;
use pgrx::pg_sys;
use std::marker::PhantomData;

/// A `jsonb` argument, detoasted.
pub struct RawJsonb<'fcx> {
    varlena: *mut pg_sys::varlena,
    call: PhantomData<&'fcx [u8]>,
}

impl RawJsonb<'_> {
    /// The stored bytes: equal bytes are equal values.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a varlena detoasted by `of_datum`, in the memory of the call.
        unsafe { pgrx::varlena_to_byte_slice(self.varlena) }
    }

    /// The value as JSON text.
    pub fn to_json(&self) -> Utf8Text<'_> {
        // SAFETY: a jsonb, as the caller of `of_datum` promised. The result is a palloc'd string in the server encoding, which
        // lives until the call ends.
        unsafe {
            let root = &raw mut (*self.varlena.cast::<pg_sys::Jsonb>()).root;
            let size = pgrx::varsize_any_exhdr(self.varlena) as i32;
            let json = guard::JsonbToCString(std::ptr::null_mut(), root, size);
            Utf8Text::from_server_string(json)
        }
    }
}

impl<'fcx> RawJsonb<'fcx> {
    /// # Safety
    /// The datum is a jsonb, and lives until the call ends.
    unsafe fn of_datum(datum: pg_sys::Datum) -> RawJsonb<'fcx> {
        // SAFETY: as the caller promises. The value gets a full header, because the jsonb code requires one.
        let varlena = unsafe { guard::pg_detoast_datum(datum.cast_mut_ptr()) };
        RawJsonb { varlena, call: PhantomData }
    }
}

argument!([] RawJsonb<'fcx>, RawJsonb::of_datum);
