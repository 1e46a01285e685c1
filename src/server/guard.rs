//! Calls into the server that may run out of memory.
//!
//! pgrx copies an error of the server into the memory context that is current at the call. If the server has run out of memory,
//! this copy fails again and again, until the server panics. So these calls go through a guard that has memory for an error, and so
//! does the code that raises one.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::{PgLogLevel, pg_sys};
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Memory for errors, in blocks that are allocated when the library is loaded.
static SPARE: AtomicPtr<pg_sys::MemoryContextData> = AtomicPtr::new(std::ptr::null_mut());

/// More than the longest message, detail and hint together.
const SPARE_BYTES: usize = 64 << 10;

/// Allocates the memory for errors, when the library is loaded.
pub fn prepare() {
    // SAFETY: a new context below the one that lives until the process ends. The name is a constant.
    let context = unsafe {
        pg_sys::AllocSetContextCreateExtended(
            pg_sys::TopMemoryContext,
            c"simhash errors".as_ptr(),
            SPARE_BYTES,
            pg_sys::ALLOCSET_DEFAULT_INITSIZE as usize,
            pg_sys::ALLOCSET_DEFAULT_MAXSIZE as usize,
        )
    };
    SPARE.store(context, Ordering::Relaxed);
}

/// Makes the memory for errors the current one, and frees what the last error has left there.
///
/// # Safety
/// The caller makes another one current, or raises an error, after which the server makes another one current.
unsafe fn make_room_for_error() {
    // Not guarded by pgrx, which would take longer than the rest: this function raises no error.
    unsafe extern "C-unwind" {
        fn MemoryContextReset(context: pg_sys::MemoryContext);
    }
    let spare = SPARE.load(Ordering::Relaxed);
    // SAFETY: in the server's only thread, a context that lives until the process ends. Only an error that is on its way uses its
    // memory. It has arrived when the next call begins: the server and pgrx have their own copies then.
    unsafe {
        if !spare.is_null() {
            if !(*spare).isReset {
                MemoryContextReset(spare);
            }
            pg_sys::CurrentMemoryContext = spare;
        }
    }
}

/// Raises an error, which is made in the memory for errors.
pub fn raise(error: ErrorReport) -> ! {
    // SAFETY: an error is raised.
    unsafe { make_room_for_error() };
    error.report(PgLogLevel::ERROR);
    unreachable!("an ERROR does not return")
}

/// Calls the server. An error of the server becomes a panic here, and an error again at the boundary of the function that the
/// server has called.
///
/// # Safety
/// As for `pg_guard_ffi_boundary`: `call` only calls the server, by a function that pgrx does not guard.
pub unsafe fn guarded<T>(call: impl FnOnce() -> T) -> T {
    // SAFETY: the server's only thread. The original context is current when the call begins and after it has ended; only an error
    // finds the memory for errors as the current context.
    unsafe {
        let context = pg_sys::CurrentMemoryContext;
        make_room_for_error();
        let result = pg_sys::ffi::pg_guard_ffi_boundary(move || {
            pg_sys::CurrentMemoryContext = context;
            call()
        });
        pg_sys::CurrentMemoryContext = context;
        result
    }
}

/// Functions of the server behind this guard, as the server declares them.
macro_rules! guarded {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As the server's function requires.
        #[allow(non_snake_case, clippy::too_many_arguments)]
        pub unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // The server's function, not this one.
            unsafe extern "C-unwind" {
                fn $name($($argument: $type),*) $(-> $result)?;
            }
            // SAFETY: as the caller promises; only calls the server.
            unsafe { guarded(move || $name($($argument),*)) }
        }
    )*};
}

guarded! {
    /// A value that is neither compressed nor stored elsewhere, with a full header.
    fn pg_detoast_datum(datum: *mut pg_sys::varlena) -> *mut pg_sys::varlena;

    /// A value that is neither compressed nor stored elsewhere.
    fn pg_detoast_datum_packed(datum: *mut pg_sys::varlena) -> *mut pg_sys::varlena;

    /// Bytes of the server encoding, in another encoding.
    fn pg_server_to_any(bytes: *const c_char, len: c_int, encoding: c_int) -> *mut c_char;

    /// A `jsonb` as JSON text.
    fn JsonbToCString(
        out: *mut pg_sys::StringInfoData,
        container: *mut pg_sys::JsonbContainer,
        size: c_int
    ) -> *mut c_char;

    /// The elements of an array.
    fn deconstruct_array(
        array: *mut pg_sys::ArrayType,
        element: pg_sys::Oid,
        len: c_int,
        by_value: bool,
        align: c_char,
        elements: *mut *mut pg_sys::Datum,
        nulls: *mut *mut bool,
        count: *mut c_int
    );

    /// An array of one dimension.
    fn construct_array(
        elements: *mut pg_sys::Datum,
        count: c_int,
        element: pg_sys::Oid,
        len: c_int,
        by_value: bool,
        align: c_char
    ) -> *mut pg_sys::ArrayType;

    /// A row with other values in some columns.
    fn heap_modify_tuple_by_cols(
        row: pg_sys::HeapTuple,
        description: pg_sys::TupleDesc,
        count: c_int,
        columns: *mut c_int,
        values: *mut pg_sys::Datum,
        nulls: *mut bool
    ) -> pg_sys::HeapTuple;

    /// A `text` of `len` bytes.
    fn cstring_to_text_with_len(bytes: *const c_char, len: c_int) -> *mut pg_sys::text;

    /// Memory of the current context.
    fn palloc(size: usize) -> *mut c_void;

    /// Memory of the current context, zeroed.
    fn palloc0(size: usize) -> *mut c_void;

    /// Memory of a context.
    fn MemoryContextAlloc(context: pg_sys::MemoryContext, size: usize) -> *mut c_void;

    /// Memory of a context, as the flags say.
    fn MemoryContextAllocExtended(context: pg_sys::MemoryContext, size: usize, flags: c_int) -> *mut c_void;

    /// The same memory, enlarged.
    fn repalloc(pointer: *mut c_void, size: usize) -> *mut c_void;

    /// A memory context below another.
    fn AllocSetContextCreateInternal(
        parent: pg_sys::MemoryContext,
        name: *const c_char,
        least: usize,
        initial: usize,
        most: usize
    ) -> pg_sys::MemoryContext;

    /// A scan of an index, with room for its keys.
    fn RelationGetIndexScan(
        index: pg_sys::Relation,
        keys: c_int,
        order_bys: c_int
    ) -> pg_sys::IndexScanDesc;

    /// A support function of a column's operator class.
    fn index_getprocinfo(
        index: pg_sys::Relation,
        column: pg_sys::AttrNumber,
        number: u16
    ) -> *mut pg_sys::FmgrInfo;

    /// A support function of an operator family, or `InvalidOid`.
    fn get_opfamily_proc(
        family: pg_sys::Oid,
        left: pg_sys::Oid,
        right: pg_sys::Oid,
        number: i16
    ) -> pg_sys::Oid;

    /// Calls a function of two arguments.
    fn FunctionCall2Coll(
        function: *mut pg_sys::FmgrInfo,
        collation: pg_sys::Oid,
        first: pg_sys::Datum,
        second: pg_sys::Datum
    ) -> pg_sys::Datum;

    /// The same by the function's OID.
    fn OidFunctionCall2Coll(
        function: pg_sys::Oid,
        collation: pg_sys::Oid,
        first: pg_sys::Datum,
        second: pg_sys::Datum
    ) -> pg_sys::Datum;

    /// Opens a table.
    fn table_open(table: pg_sys::Oid, lock: pg_sys::LOCKMODE) -> pg_sys::Relation;

    /// Opens an index.
    fn index_open(index: pg_sys::Oid, lock: pg_sys::LOCKMODE) -> pg_sys::Relation;

    /// What is needed to compute the values of an index.
    fn BuildIndexInfo(index: pg_sys::Relation) -> *mut pg_sys::IndexInfo;

    /// The values that an index has for a row.
    fn FormIndexDatum(
        info: *mut pg_sys::IndexInfo,
        slot: *mut pg_sys::TupleTableSlot,
        executor: *mut pg_sys::EState,
        values: *mut pg_sys::Datum,
        is_null: *mut bool
    );

    /// The executor state that computes expressions.
    fn CreateExecutorState() -> *mut pg_sys::EState;

    /// Memory for the expressions of one row.
    fn MakePerTupleExprContext(executor: *mut pg_sys::EState) -> *mut pg_sys::ExprContext;

    /// A slot for a row of a table.
    fn table_slot_create(
        table: pg_sys::Relation,
        registered: *mut *mut pg_sys::List
    ) -> *mut pg_sys::TupleTableSlot;

    /// A snapshot of what is committed now.
    fn GetLatestSnapshot() -> pg_sys::Snapshot;

    /// A snapshot that stays valid until it is unregistered.
    fn RegisterSnapshot(snapshot: pg_sys::Snapshot) -> pg_sys::Snapshot;

    /// A pinned page of a table or an index.
    fn ReadBuffer(relation: pg_sys::Relation, block: pg_sys::BlockNumber) -> pg_sys::Buffer;

    /// What CHECK_FOR_INTERRUPTS does if an interrupt is pending.
    fn ProcessInterrupts();
}
