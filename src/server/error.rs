//! Errors with SQLSTATE, in the server's style.

use super::guard;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::{PgLogLevel, PgSqlErrorCode, pg_sys};
use simhash_memory::OutOfMemory;

/// Raises an error; `detail` and `hint` are whole sentences.
pub fn raise(code: PgSqlErrorCode, message: String, detail: Option<String>, hint: Option<String>) -> ! {
    let mut report = ErrorReport::new(code, in_server_encoding(message), "simhash");
    if let Some(detail) = detail {
        report = report.set_detail(in_server_encoding(detail));
    }
    if let Some(hint) = hint {
        report = report.set_hint(in_server_encoding(hint));
    }
    guard::raise(report)
}

/// The message in the server's encoding. If that is not UTF-8, characters that are not ASCII are escaped.
fn in_server_encoding(message: String) -> String {
    // SAFETY: reads a setting of the database.
    let is_utf8 = unsafe { pg_sys::GetDatabaseEncoding() } == pg_sys::pg_enc::PG_UTF8 as i32;
    if is_utf8 || message.is_ascii() {
        return message;
    }
    let escape = |c: char| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() };
    message.chars().map(escape).collect()
}

/// Raises "out of memory"; `detail` says what did not fit.
pub fn out_of_memory(detail: &str) -> ! {
    raise(PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY, "out of memory".to_owned(), Some(detail.to_owned()), None)
}

/// The value that was computed from a text. Raises "out of memory" if it did not fit in memory.
pub fn of_text<T>(result: Result<T, OutOfMemory>) -> T {
    result.unwrap_or_else(|OutOfMemory| out_of_memory(TEXT))
}

const TEXT: &str = "The result computed from the text does not fit in memory.";

/// The maximum number of characters of an input that a message shows.
const SHOWN: usize = 100;

/// The start of an input, for a message: however long the input is, the message is short.
pub fn shown(input: &str) -> String {
    match input.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &input[..end]),
        None => input.to_owned(),
    }
}

/// The same for bytes in the server encoding, of which only ASCII is recognized.
pub fn shown_bytes(input: &[u8]) -> String {
    // The longest characters have four bytes.
    shown(&String::from_utf8_lossy(&input[..input.len().min(4 * (SHOWN + 1))]))
}

/// Reports a problem to the user, without ending the command.
pub fn complain(message: String) {
    let code = PgSqlErrorCode::ERRCODE_INVALID_OBJECT_DEFINITION;
    ErrorReport::new(code, in_server_encoding(message), "simhash").report(PgLogLevel::INFO);
}
