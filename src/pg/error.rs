//! Errors with SQLSTATE, in the server's manner.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::{PgLogLevel, PgSqlErrorCode, pg_sys};

/// Raises an error; `detail` and `hint` are whole sentences.
pub fn raise(code: PgSqlErrorCode, message: String, detail: Option<String>, hint: Option<String>) -> ! {
    let mut report = ErrorReport::new(code, in_server_encoding(message), "simhash");
    if let Some(detail) = detail {
        report = report.set_detail(in_server_encoding(detail));
    }
    if let Some(hint) = hint {
        report = report.set_hint(in_server_encoding(hint));
    }
    report.report(PgLogLevel::ERROR);
    unreachable!("an ERROR does not return")
}

/// The server expects messages in its own encoding: where that is not UTF-8, what is not ASCII is escaped.
fn in_server_encoding(message: String) -> String {
    // SAFETY: reads a setting of the database.
    let is_utf8 = unsafe { pg_sys::GetDatabaseEncoding() } == pg_sys::pg_enc::PG_UTF8 as i32;
    if is_utf8 || message.is_ascii() {
        return message;
    }
    let escape = |c: char| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() };
    message.chars().map(escape).collect()
}

/// Raises "out of memory".
pub fn out_of_memory() -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY,
        "out of memory".to_owned(),
        Some("The features of the text do not fit in memory.".to_owned()),
        None,
    )
}
