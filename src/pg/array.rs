//! Arrays of one dimension: arguments, their elements one by one, and results.

use super::error::raise;
use super::text::Utf8Text;
use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::{FromDatum, PgSqlErrorCode, pg_sys};
use std::ffi::c_int;
use std::marker::PhantomData;

/// What an array argument may be made of.
pub trait Element: Sized {
    /// The type of the elements, and how the server stores them: length, by value, alignment.
    const TYPE: (pg_sys::Oid, c_int, bool, u8);

    /// Reads one element.
    ///
    /// # Safety
    /// `datum` is of that type, and not NULL.
    unsafe fn read(datum: pg_sys::Datum) -> Self;
}

impl Element for f32 {
    const TYPE: (pg_sys::Oid, c_int, bool, u8) = (pg_sys::FLOAT4OID, 4, true, b'i');

    unsafe fn read(datum: pg_sys::Datum) -> f32 {
        f32::from_bits(datum.value() as u32)
    }
}

impl Element for f64 {
    const TYPE: (pg_sys::Oid, c_int, bool, u8) = (pg_sys::FLOAT8OID, 8, true, b'd');

    unsafe fn read(datum: pg_sys::Datum) -> f64 {
        f64::from_bits(datum.value() as u64)
    }
}

impl Element for Utf8Text<'_> {
    const TYPE: (pg_sys::Oid, c_int, bool, u8) = (pg_sys::TEXTOID, -1, false, b'i');

    unsafe fn read(datum: pg_sys::Datum) -> Self {
        // SAFETY: a text, as the caller vouches.
        unsafe { Utf8Text::from_text_datum(datum) }
    }
}

/// An array argument without NULLs and of at most one dimension; anything else is an error.
pub struct PlainArray<'fcx, T> {
    elements: *const pg_sys::Datum,
    len: usize,
    call: PhantomData<&'fcx T>,
}

impl<T: Element> PlainArray<'_, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The elements, each read when its turn comes.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        // SAFETY: `elements` has `len` datums of the element type, none of them NULL, for as long as the call.
        (0..self.len).map(|i| unsafe { T::read(*self.elements.add(i)) })
    }
}

impl<T: Element> FromDatum for PlainArray<'_, T> {
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
        if is_null {
            return None;
        }
        let (oid, len, by_value, align) = T::TYPE;
        let mut elements = std::ptr::null_mut();
        let mut count = 0;
        // SAFETY: the caller vouches for an array of this element type.
        unsafe {
            let array = pg_sys::pg_detoast_datum(datum.cast_mut_ptr()).cast::<pg_sys::ArrayType>();
            if (*array).ndim > 1 {
                raise(
                    PgSqlErrorCode::ERRCODE_ARRAY_ELEMENT_ERROR,
                    "array must have one dimension".to_owned(),
                    Some(format!("It has {} dimensions.", (*array).ndim)),
                    None,
                );
            }
            if pg_sys::array_contains_nulls(array) {
                raise(
                    PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED,
                    "array must not contain nulls".to_owned(),
                    None,
                    Some("Use array_remove(array, NULL) to leave them out.".to_owned()),
                );
            }
            let nulls = std::ptr::null_mut();
            pg_sys::deconstruct_array(
                array,
                oid,
                len,
                by_value,
                align as _,
                &mut elements,
                nulls,
                &mut count,
            );
        }
        Some(PlainArray { elements, len: count as usize, call: PhantomData })
    }
}

// SAFETY: the SQL declarations give these arguments the array type of T, in functions that are STRICT.
unsafe impl<'fcx, T: Element> ArgAbi<'fcx> for PlainArray<'fcx, T> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: as above; arguments live as long as the call.
        let array = unsafe { arg.unbox_arg_using_from_datum() };
        array.expect("a STRICT function is not called with NULL")
    }
}

/// An array result whose elements are stored as a bigint is.
pub struct BigintArray(pg_sys::Datum);

impl BigintArray {
    /// An array of the type that the function being called is declared to return.
    pub fn new(fcinfo: pg_sys::FunctionCallInfo, elements: impl Iterator<Item = i64>) -> BigintArray {
        let mut elements: Vec<pg_sys::Datum> = elements.map(pg_sys::Datum::from).collect();
        let count = elements.len() as c_int;
        // SAFETY: the server hands every call its FmgrInfo; the elements are copied.
        unsafe {
            let array = pg_sys::get_func_rettype((*(*fcinfo).flinfo).fn_oid);
            let element = pg_sys::get_element_type(array);
            let array = pg_sys::construct_array(elements.as_mut_ptr(), count, element, 8, true, b'd' as _);
            BigintArray(pg_sys::Datum::from(array))
        }
    }
}

// SAFETY: the SQL declarations give these results an array type whose elements are stored as a bigint is.
unsafe impl BoxRet for BigintArray {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        // SAFETY: an array, as above.
        unsafe { fcinfo.return_raw_datum(self.0) }
    }
}
