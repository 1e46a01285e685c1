//! Fingerprints for people and other systems.

use crate::server::error::{raise, shown};
use crate::server::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_extern};
use simhash_text::notation::{from_hex, to_hex};

/// `simhash_hex(bigint) → text`
#[pg_extern]
fn simhash_hex(fp: i64) -> String {
    to_hex(fp as u64)
}

/// `simhash_from_hex(text) → bigint`
#[pg_extern]
fn simhash_from_hex(text: Utf8Text) -> i64 {
    let digits = from_hex(&text).unwrap_or_else(|| {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
            format!("invalid fingerprint: \"{}\"", shown(&text)),
            Some("Expected 16 hexadecimal digits, optionally preceded by 0x.".to_owned()),
            None,
        )
    });
    digits as i64
}
