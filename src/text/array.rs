//! Arrays of one dimension: arguments, their elements one by one, and results.

use crate::server::call::Call;
use crate::server::datum::{argument, result};
use crate::server::error::raise;
use crate::server::guard;
use crate::server::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_sys};
use std::ffi::c_int;
use std::marker::PhantomData;

/// A type that an array argument may have as its element type.
pub trait Element {
    /// The element that is read. It lives as long as the array.
    type Item<'a>;

    /// The type of the elements, and how the server stores them: length, by value, alignment.
    const TYPE: (pg_sys::Oid, c_int, bool, u8);

    /// Reads one element.
    ///
    /// # Safety
    /// `datum` is of that type, not NULL, and lives for `'a`.
    unsafe fn read<'a>(datum: pg_sys::Datum) -> Self::Item<'a>;
}

impl Element for f64 {
    type Item<'a> = f64;
    const TYPE: (pg_sys::Oid, c_int, bool, u8) = (pg_sys::FLOAT8OID, 8, true, b'd');

    unsafe fn read<'a>(datum: pg_sys::Datum) -> Self::Item<'a> {
        f64::from_bits(datum.value() as u64)
    }
}

impl Element for Utf8Text<'_> {
    type Item<'a> = Utf8Text<'a>;
    const TYPE: (pg_sys::Oid, c_int, bool, u8) = (pg_sys::TEXTOID, -1, false, b'i');

    unsafe fn read<'a>(datum: pg_sys::Datum) -> Utf8Text<'a> {
        // SAFETY: a text, as the caller promises.
        unsafe { Utf8Text::from_text_datum(datum) }
    }
}

/// An array argument without NULLs and of at most one dimension; anything else is an error.
pub struct PlainArray<'fcx, T> {
    elements: *const pg_sys::Datum,
    len: usize,
    call: PhantomData<&'fcx T>,
}

impl<'fcx, T: Element> PlainArray<'fcx, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The elements. Each is read when the iterator reaches it.
    pub fn iter(&self) -> impl Iterator<Item = T::Item<'fcx>> {
        // SAFETY: `elements` has `len` datums of the element type, none of them NULL, which live until the call ends: `of_datum`
        // ensures it.
        (0..self.len).map(|i| unsafe { T::read(*self.elements.add(i)) })
    }
}

impl<'fcx, T: Element> PlainArray<'fcx, T> {
    /// # Safety
    /// The datum is an array of `T`, and lives until the call ends.
    unsafe fn of_datum(datum: pg_sys::Datum) -> PlainArray<'fcx, T> {
        let (oid, len, by_value, align) = T::TYPE;
        let mut elements = std::ptr::null_mut();
        let mut count = 0;
        // SAFETY: the caller promises an array of this element type. The detoasted array and its elements live in the memory of the
        // call.
        unsafe {
            let array = guard::pg_detoast_datum(datum.cast_mut_ptr()).cast::<pg_sys::ArrayType>();
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
            guard::deconstruct_array(array, oid, len, by_value, align as _, &mut elements, nulls, &mut count);
        }
        PlainArray { elements, len: count as usize, call: PhantomData }
    }
}

argument!([T: Element] PlainArray<'fcx, T>, PlainArray::of_datum);

/// An array result whose elements are stored like a bigint.
pub struct BigintArray(pg_sys::Datum);

impl BigintArray {
    /// An array of the type that the called function is declared to return.
    pub fn new(call: Call, elements: impl ExactSizeIterator<Item = i64>) -> BigintArray {
        let count = elements.len();
        // SAFETY: the server gives the call in progress its FmgrInfo. The memory has room for all datums that are written. All of
        // it is zeroed first, and copied into the array.
        unsafe {
            let array = pg_sys::get_func_rettype((*(*call.fcinfo()).flinfo).fn_oid);
            let element = pg_sys::get_element_type(array);
            let datums = guard::palloc0(count * size_of::<pg_sys::Datum>()).cast::<pg_sys::Datum>();
            for (i, value) in elements.take(count).enumerate() {
                datums.add(i).write(pg_sys::Datum::from(value));
            }
            let array = guard::construct_array(datums, count as c_int, element, 8, true, b'd' as _);
            pg_sys::pfree(datums.cast());
            BigintArray(pg_sys::Datum::from(array))
        }
    }
}

result!(BigintArray, |array| array.0);
