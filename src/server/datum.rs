//! Arguments and results of SQL functions that have their own types here: what pgrx requires of such a type, in one line per type.

use super::guard;
use pgrx::pg_sys;

/// Makes a type usable for arguments of SQL functions. If NULL is possible, the argument is an `Option` of it.
///
/// The macro takes the generics and the type, and how to read a datum that is not NULL. The reader is an unsafe function. The SQL
/// declarations keep its promise: they give arguments of this type the SQL type that it reads. The datum lives until the call ends.
macro_rules! argument {
    ([$($generics:tt)*] $type:ty, $read:expr) => {
        // SAFETY: the SQL declarations give these arguments the type that is read.
        unsafe impl<'fcx, $($generics)*> pgrx::callconv::ArgAbi<'fcx> for $type {
            unsafe fn unbox_arg_unchecked(arg: pgrx::callconv::Arg<'_, 'fcx>) -> Self {
                // SAFETY: any argument is a datum.
                let datum = unsafe { arg.unbox_arg_using_from_datum::<pgrx::pg_sys::Datum>() };
                let datum = datum.expect("an argument that can be NULL is an Option");
                // SAFETY: the datum is of the type that is read, as the SQL declarations say; the server keeps it until the call
                // ends.
                unsafe { $read(datum) }
            }
        }
    };
}

/// Makes a type usable for results of SQL functions. The macro takes the type, and how to make a datum of it. The datum is of the
/// SQL type that the SQL declarations give such results.
macro_rules! result {
    ($type:ty, $make:expr) => {
        // SAFETY: the SQL declarations give these results the type of the datum that is made.
        unsafe impl pgrx::callconv::BoxRet for $type {
            unsafe fn box_into<'fcx>(
                self,
                fcinfo: &mut pgrx::callconv::FcInfo<'fcx>,
            ) -> pgrx::datum::Datum<'fcx> {
                let make: fn($type) -> pgrx::pg_sys::Datum = $make;
                // SAFETY: as the SQL declarations say.
                unsafe { fcinfo.return_raw_datum(make(self)) }
            }
        }
    };
}

pub(crate) use {argument, result};

/// Reads a value of a type that has a fixed length and is passed by reference.
///
/// # Safety
/// `datum` is not NULL, and the SQL declaration of its type has the length and the alignment of `T`. Every value of that type is a `T`.
pub unsafe fn read_fixed<T: Copy>(datum: pg_sys::Datum) -> T {
    // SAFETY: as the caller promises.
    unsafe { *datum.cast_mut_ptr::<T>() }
}

/// A datum of a type that has a fixed length and is passed by reference, in the current memory context.
pub fn make_fixed<T: Copy>(value: T) -> pg_sys::Datum {
    const { assert!(align_of::<T>() <= align_of::<u64>()) };
    // SAFETY: new memory of this size, which is aligned to eight bytes like all memory that the server allocates.
    unsafe {
        let memory = guard::palloc(size_of::<T>()).cast::<T>();
        memory.write(value);
        pg_sys::Datum::from(memory)
    }
}
