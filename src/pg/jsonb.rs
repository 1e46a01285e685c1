//! `jsonb` arguments, as the bytes they are stored in and as JSON text.

use super::server;
use super::text::Utf8Text;
use pgrx::callconv::{Arg, ArgAbi};
use pgrx::{FromDatum, pg_sys};
use std::marker::PhantomData;

/// A `jsonb` argument, detoasted.
pub struct RawJsonb<'fcx> {
    varlena: *mut pg_sys::varlena,
    call: PhantomData<&'fcx [u8]>,
}

impl RawJsonb<'_> {
    /// The stored bytes: equal bytes are equal values.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a varlena detoasted by `from_polymorphic_datum`, in the memory of the call.
        unsafe { pgrx::varlena_to_byte_slice(self.varlena) }
    }

    /// The value as JSON text.
    pub fn to_json(&self) -> Utf8Text<'_> {
        // SAFETY: a jsonb, as `from_polymorphic_datum` is promised; the result is a palloc'd string in the server
        // encoding, which lives as long as the call.
        unsafe {
            let root = &raw mut (*self.varlena.cast::<pg_sys::Jsonb>()).root;
            let size = pgrx::varsize_any_exhdr(self.varlena) as i32;
            let json = server::JsonbToCString(std::ptr::null_mut(), root, size);
            Utf8Text::from_server_string(json)
        }
    }
}

impl FromDatum for RawJsonb<'_> {
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
        // SAFETY: the caller promises a datum of this type. Unpacked, because the jsonb code expects a full header.
        (!is_null).then(|| unsafe {
            RawJsonb { varlena: server::pg_detoast_datum(datum.cast_mut_ptr()), call: PhantomData }
        })
    }
}

// SAFETY: the SQL declarations give these arguments the type jsonb, in functions that are STRICT.
unsafe impl<'fcx> ArgAbi<'fcx> for RawJsonb<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: a jsonb, as the SQL declarations say, which the server keeps as long as the call.
        let jsonb = unsafe { arg.unbox_arg_using_from_datum() };
        jsonb.expect("a STRICT function is not called with NULL")
    }
}
