//! The type `simhash_ball`: 16 bytes, passed by reference.

use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::{FromDatum, IntoDatum, pg_sys};

/// All fingerprints within `k` bits of `center`, as SQL has it: none for k < 0, all for k ≥ 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct StoredBall {
    pub center: i64,
    pub k: i32,
    /// Always 0, so that equal balls have equal bytes.
    padding: i32,
}

impl StoredBall {
    pub fn new(center: i64, k: i32) -> StoredBall {
        StoredBall { center, k, padding: 0 }
    }

    /// Reads a datum of type `simhash_ball`.
    ///
    /// # Safety
    /// `datum` is a `simhash_ball`, not NULL.
    pub unsafe fn from_ball_datum(datum: pg_sys::Datum) -> StoredBall {
        // SAFETY: as the caller promises; the SQL declaration gives the type this size and alignment.
        unsafe { *datum.cast_mut_ptr::<StoredBall>() }
    }
}

impl FromDatum for StoredBall {
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
        // SAFETY: the caller promises the type.
        (!is_null).then(|| unsafe { StoredBall::from_ball_datum(datum) })
    }
}

impl IntoDatum for StoredBall {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        // SAFETY: new memory of this size, aligned as all that the server allocates.
        unsafe {
            let memory = pg_sys::palloc(size_of::<StoredBall>()).cast::<StoredBall>();
            memory.write(self);
            Some(pg_sys::Datum::from(memory))
        }
    }

    fn type_oid() -> pg_sys::Oid {
        pg_sys::InvalidOid
    }
}

// SAFETY: the SQL declarations give these arguments the type simhash_ball, in functions that are STRICT.
unsafe impl<'fcx> ArgAbi<'fcx> for StoredBall {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: a ball, as the SQL declarations say, which the server keeps as long as the call.
        let ball = unsafe { arg.unbox_arg_using_from_datum() };
        ball.expect("a STRICT function is not called with NULL")
    }
}

// SAFETY: the SQL declarations give these results the type simhash_ball.
unsafe impl BoxRet for StoredBall {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        match self.into_datum() {
            // SAFETY: a datum of the declared type.
            Some(datum) => unsafe { fcinfo.return_raw_datum(datum) },
            None => fcinfo.return_null(),
        }
    }
}
