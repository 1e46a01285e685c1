//! Arguments and results of SQL functions that have types of their own here: what pgrx asks of such a type, by a line each.

/// Makes a type one of arguments of SQL functions. Where NULL is possible the argument is an `Option` of it.
///
/// The first line names the type, the second how to read a datum that is not NULL: an unsafe function, whose promise the SQL
/// declarations keep, because they give arguments of this type the SQL type that it reads. The datum lives as long as the call.
macro_rules! argument {
    ([$($generics:tt)*] $type:ty, $read:expr) => {
        // SAFETY: the SQL declarations give these arguments the type that is read.
        unsafe impl<'fcx, $($generics)*> pgrx::callconv::ArgAbi<'fcx> for $type {
            unsafe fn unbox_arg_unchecked(arg: pgrx::callconv::Arg<'_, 'fcx>) -> Self {
                // SAFETY: any argument is a datum.
                let datum = unsafe { arg.unbox_arg_using_from_datum::<pgrx::pg_sys::Datum>() };
                let datum = datum.expect("an argument that can be NULL is an Option");
                // SAFETY: of the type that is read, as the SQL declarations say; the server keeps it as long as the call.
                unsafe { $read(datum) }
            }
        }
    };
}

/// Makes a type one of results of SQL functions: names it, and how to make a datum of it, which is of the SQL type that the SQL
/// declarations give such results.
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
