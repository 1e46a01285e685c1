//! Window functions that read the whole partition at once (windowapi.h).

use crate::server::call::Call;
use crate::server::error::raise;
use crate::server::{guard, interrupt};
use pgrx::{PgMemoryContexts, PgSqlErrorCode, is_a, pg_sys};
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

/// What a window function keeps for a partition. It is zeroed at first.
#[repr(C)]
struct Kept {
    /// A number for each row, plus one; 0 for a row that has none. NULL until the numbers are computed.
    numbers: *mut u32,
}

/// The maximum number of rows: the server counts the rows of a partition from both ends in C integers.
const MOST_ROWS: i64 = c_int::MAX as i64;

/// How many rows are written between two checks for interrupts.
const ROWS_PER_CHECK: usize = 1 << 16;

impl<'c> Window<'c> {
    /// The window that `function` is called for. Raises an error if it is called in another way.
    pub fn of_call(call: Call<'c>, function: &str) -> Window<'c> {
        // SAFETY: the context of the call in progress is a node or NULL; for a window function it is the window.
        let object = unsafe { (*call.fcinfo()).context };
        // SAFETY: not NULL, so a node: the server sets the context of a call only to nodes.
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
        // SAFETY: calls of the functions above, which are the server's own.
        unsafe { guard::guarded(move || call(object)) }
    }

    /// How many rows the partition has. Raises an error if there are more than can be numbered.
    pub fn rows(&self) -> usize {
        // SAFETY: the window of the call in progress.
        let rows = self.guarded(|object| unsafe { WinGetPartitionRowCount(object) });
        if rows > MOST_ROWS {
            raise(
                PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                format!("too many rows in a partition: {rows}"),
                Some(format!("A window can have at most {MOST_ROWS} rows.")),
                None,
            );
        }
        rows as usize
    }

    /// The value of an argument in a row of the partition.
    fn argument(&self, number: c_int, row: usize) -> Option<pg_sys::Datum> {
        let (mut is_null, mut is_out) = (false, false);
        // SAFETY: the window of the call in progress; a row that is not in the partition is reported as such.
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
        // The memory that an argument allocates when it is computed is freed before the next one.
        let mut memory = PgMemoryContexts::new("simhash window argument");
        (0..self.rows()).map(move |row| {
            // SAFETY: the context is owned here. Nothing in it is in use between two rows: a bigint is passed by value.
            unsafe {
                memory.reset();
                memory.switch_to(|_| self.argument(number, row)).map(|datum| datum.value() as i64)
            }
        })
    }

    /// The integer argument `number` of the first row.
    pub fn first_integer(&self, number: c_int) -> Option<i32> {
        self.argument(number, 0).map(|datum| datum.value() as i32)
    }

    /// The number of the current row. `compute` computes the numbers of all rows of the partition when the first row comes. A
    /// number is less than 2³² − 1.
    pub fn number<N: Iterator<Item = Option<u32>>>(&self, compute: impl FnOnce() -> N) -> Option<u32> {
        // SAFETY: the window of the call in progress. The memory is zeroed at first, is the same for all rows of the partition, and
        // is freed with it.
        let kept = unsafe {
            &mut *self.guarded(|object| WinGetPartitionLocalMemory(object, size_of::<Kept>())).cast::<Kept>()
        };
        if kept.numbers.is_null() {
            kept.numbers = self.computed(kept, compute());
        }
        // SAFETY: there are as many numbers as rows in the partition, and the current row is one of these rows.
        unsafe {
            let current = self.guarded(|object| WinGetCurrentPosition(object)) as usize;
            (*kept.numbers.add(current)).checked_sub(1)
        }
    }

    /// The numbers of all rows, in the memory of the partition.
    fn computed(&self, kept: &mut Kept, numbers: impl Iterator<Item = Option<u32>>) -> *mut u32 {
        const FLAGS: c_int = (pg_sys::MCXT_ALLOC_HUGE | pg_sys::MCXT_ALLOC_ZERO) as c_int;
        let rows = self.rows();
        // SAFETY: `kept` was allocated in the context of the partition. The memory has room for all rows. This may be more than the
        // server allows without a flag.
        let memory = unsafe {
            let context = pg_sys::GetMemoryChunkContext(std::ptr::from_mut(kept).cast());
            let size = rows * size_of::<u32>();
            std::slice::from_raw_parts_mut(
                guard::MemoryContextAllocExtended(context, size, FLAGS).cast::<u32>(),
                rows,
            )
        };
        for (row, (slot, number)) in memory.iter_mut().zip(numbers).enumerate() {
            if row.is_multiple_of(ROWS_PER_CHECK) {
                interrupt::check();
            }
            *slot = number.map_or(0, |number| number + 1);
        }
        memory.as_mut_ptr()
    }
}
