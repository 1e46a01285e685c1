//! Violations of a constraint: errors whose fields name the schema, the table and the constraint.

use super::error::raise;
use super::names::schema_and_table;
use super::text::to_server_string;
use pgrx::{PgSqlErrorCode, pg_guard, pg_sys};
use std::ffi::{c_char, c_int, c_void};

/// Fields of an error, and their values in the server encoding.
type Fields = [(u8, *mut c_char); 3];

/// Raises "unique violation" of `constraint` on `table`.
pub fn raise_unique_violation(
    table: pg_sys::Oid,
    constraint: &str,
    message: String,
    detail: Option<String>,
) -> ! {
    let (schema, table) = schema_and_table(table);
    let fields: Fields = [
        (pg_sys::PG_DIAG_SCHEMA_NAME, to_server_string(&schema)),
        (pg_sys::PG_DIAG_TABLE_NAME, to_server_string(&table)),
        (pg_sys::PG_DIAG_CONSTRAINT_NAME, to_server_string(constraint)),
    ];
    // SAFETY: the server calls the callbacks on this stack while it raises the error, after Rust's frames are gone: so
    // all of it is in the server's memory. The code that catches the error resets the stack.
    unsafe {
        let arg = pg_sys::palloc(size_of::<Fields>()).cast::<Fields>();
        arg.write(fields);
        let callback = pg_sys::palloc(size_of::<pg_sys::ErrorContextCallback>()).cast();
        *callback = pg_sys::ErrorContextCallback {
            previous: pg_sys::error_context_stack,
            callback: Some(add_fields),
            arg: arg.cast(),
        };
        pg_sys::error_context_stack = callback;
    }
    raise(PgSqlErrorCode::ERRCODE_UNIQUE_VIOLATION, message, detail, None)
}

/// Adds the fields to the error that is being raised.
#[pg_guard]
unsafe extern "C-unwind" fn add_fields(arg: *mut c_void) {
    // SAFETY: called by the server with what was put on the stack above.
    unsafe {
        for (field, value) in *arg.cast::<Fields>() {
            pg_sys::err_generic_string(c_int::from(field), value);
        }
    }
}
