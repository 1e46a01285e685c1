//! Values of the server, with their types.

use super::error::of_text;
use super::server;
use super::text::Utf8Text;
use pgrx::pg_sys;
use simhash_core::memory;
use std::marker::PhantomData;

/// A value or NULL; `'v` is how long it lives.
#[derive(Clone, Copy)]
pub struct Value<'v> {
    datum: Option<pg_sys::Datum>,
    base_type: pg_sys::Oid,
    life: PhantomData<&'v ()>,
}

impl<'v> Value<'v> {
    /// # Safety
    /// `datum` is a value of `base_type`, which is no domain, and lives for `'v`.
    pub(super) unsafe fn new(datum: Option<pg_sys::Datum>, base_type: pg_sys::Oid) -> Value<'v> {
        Value { datum, base_type, life: PhantomData }
    }

    /// A bigint.
    pub fn bigint(value: i64) -> Value<'v> {
        Value { datum: Some(value.into()), base_type: pg_sys::INT8OID, life: PhantomData }
    }

    /// An oid.
    pub fn oid(value: pg_sys::Oid) -> Value<'v> {
        Value { datum: Some(value.into()), base_type: pg_sys::OIDOID, life: PhantomData }
    }

    /// A number of one of the integer types, or NULL of any type.
    pub fn integer(value: Option<i16>, base_type: pg_sys::Oid) -> Value<'v> {
        let integers = [pg_sys::INT2OID, pg_sys::INT4OID, pg_sys::INT8OID];
        assert!(value.is_none() || integers.contains(&base_type), "an integer type");
        Value { datum: value.map(|value| i64::from(value).into()), base_type, life: PhantomData }
    }

    /// NULL.
    pub fn null(base_type: pg_sys::Oid) -> Value<'v> {
        Value { datum: None, base_type, life: PhantomData }
    }

    /// Its type, never a domain.
    pub fn base_type(&self) -> pg_sys::Oid {
        self.base_type
    }

    /// Whether it is NULL.
    pub fn is_null(&self) -> bool {
        self.datum.is_none()
    }

    /// The datum, for other modules of `pg`.
    pub(super) fn datum(&self) -> Option<pg_sys::Datum> {
        self.datum
    }

    /// The number that a bigint is.
    pub fn as_bigint(&self) -> Option<i64> {
        assert_eq!(self.base_type, pg_sys::INT8OID, "a bigint");
        self.datum.map(|datum| datum.value() as i64)
    }

    /// The number that an integer is.
    pub fn as_integer(&self) -> Option<i32> {
        assert_eq!(self.base_type, pg_sys::INT4OID, "an integer");
        self.datum.map(|datum| datum.value() as i32)
    }

    /// The value as text, in the way of its type. It may be as long as a value can be.
    pub fn to_text(self) -> Option<String> {
        let datum = self.datum?;
        // SAFETY: a value of this type, as its maker promised; its output function writes a string in the server
        // encoding, which outlives the copy.
        unsafe {
            let (mut output, mut is_varlena) = (pg_sys::InvalidOid, false);
            pg_sys::getTypeOutputInfo(self.base_type, &mut output, &mut is_varlena);
            let text = Utf8Text::from_server_string(server::OidOutputFunctionCall(output, datum));
            Some(of_text(memory::join(&[&text], "")))
        }
    }
}
