//! Window functions that look at the whole partition at once (windowapi.h).

use super::error::raise;
use pgrx::{PgSqlErrorCode, is_a, pg_sys};
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

/// The server's handle.
#[repr(C)]
struct WindowObjectData {
    _opaque: [u8; 0],
}

unsafe extern "C-unwind" {
    fn WinGetPartitionLocalMemory(window: *mut WindowObjectData, size: usize) -> *mut c_void;
    fn WinGetCurrentPosition(window: *mut WindowObjectData) -> i64;
    fn WinGetPartitionRowCount(window: *mut WindowObjectData) -> i64;
    fn WinGetFuncArgInPartition(
        window: *mut WindowObjectData,
        argument: c_int,
        position: c_int,
        seek_from: c_int,
        set_mark: bool,
        is_null: *mut bool,
        is_out: *mut bool,
    ) -> pg_sys::Datum;
}

const FROM_PARTITION_HEAD: c_int = 1;

/// A call of a window function, for one row of a partition.
pub struct Window<'c> {
    object: *mut WindowObjectData,
    call: PhantomData<&'c ()>,
}

/// What a window function keeps for a partition: a number for each row, plus one; 0 where it has none.
#[repr(C)]
struct Kept {
    is_computed: bool,
    numbers: [u32; 0],
}

impl Window<'_> {
    /// The window that `function` is called for; an error where it is called in another way.
    pub fn of_call<'c>(fcinfo: pg_sys::FunctionCallInfo, function: &str) -> Window<'c> {
        // SAFETY: the context of a call is a node or NULL; for a window function it is the window.
        let object = unsafe { (*fcinfo).context };
        // SAFETY: as above.
        if object.is_null() || !unsafe { is_a(object, pg_sys::NodeTag::T_WindowObjectData) } {
            raise(
                PgSqlErrorCode::ERRCODE_WRONG_OBJECT_TYPE,
                format!("window function {function} requires an OVER clause"),
                None,
                None,
            );
        }
        Window { object: object.cast(), call: PhantomData }
    }

    fn guarded<T>(&self, call: impl FnOnce(*mut WindowObjectData) -> T) -> T {
        let object = self.object;
        // SAFETY: an error of the server becomes a panic, and an error again at the boundary.
        unsafe { pg_sys::ffi::pg_guard_ffi_boundary(move || call(object)) }
    }

    /// How many rows the partition has.
    pub fn rows(&self) -> usize {
        // SAFETY: a window that is being computed.
        self.guarded(|object| unsafe { WinGetPartitionRowCount(object) }) as usize
    }

    /// The value of an argument in a row of the partition.
    fn argument(&self, number: c_int, row: usize) -> Option<pg_sys::Datum> {
        let (mut is_null, mut is_out) = (false, false);
        // SAFETY: a window that is being computed; the row is in the partition.
        let datum = self.guarded(|object| unsafe {
            WinGetFuncArgInPartition(
                object,
                number,
                row as c_int,
                FROM_PARTITION_HEAD,
                false,
                &mut is_null,
                &mut is_out,
            )
        });
        (!is_null && !is_out).then_some(datum)
    }

    /// The bigint argument `number` of each row, one after the other.
    pub fn bigints(&self, number: c_int) -> impl Iterator<Item = Option<i64>> {
        (0..self.rows()).map(move |row| self.argument(number, row).map(|datum| datum.value() as i64))
    }

    /// The integer argument `number` of the first row.
    pub fn first_integer(&self, number: c_int) -> Option<i32> {
        self.argument(number, 0).map(|datum| datum.value() as i32)
    }

    /// The number of the current row, of those that `compute` computes for all rows of the partition when its first row
    /// comes. A number less than 2³² − 1.
    pub fn number<N: Iterator<Item = Option<u32>>>(&self, compute: impl FnOnce() -> N) -> Option<u32> {
        let rows = self.rows();
        let size = size_of::<Kept>() + rows * size_of::<u32>();
        // SAFETY: zeroed memory of that size, the same for all rows of the partition. The current row is in it.
        unsafe {
            let kept = self.guarded(|object| WinGetPartitionLocalMemory(object, size)).cast::<Kept>();
            let numbers = (&raw mut (*kept).numbers).cast::<u32>();
            if !(*kept).is_computed {
                for (row, number) in compute().enumerate().take(rows) {
                    *numbers.add(row) = number.map_or(0, |number| number + 1);
                }
                (*kept).is_computed = true;
            }
            let current = self.guarded(|object| WinGetCurrentPosition(object)) as usize;
            (*numbers.add(current)).checked_sub(1)
        }
    }
}
