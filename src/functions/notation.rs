//! Fingerprints for people and other systems.

use crate::pg::error::{raise, shown};
use crate::pg::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_extern};
use simhash_core::band::Family;
use simhash_core::notation::{from_bits, from_hex, to_bits, to_hex};

/// `simhash_bits(fp bigint, bands int) → text`
#[pg_extern]
fn simhash_bits(fp: i64, bands: i32) -> String {
    match Family::new(bands) {
        Some(family) => to_bits(fp as u64, family),
        None => raise(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("number of bands is out of range: {bands}"),
            Some("A fingerprint is cut into 1 to 16 bands.".to_owned()),
            None,
        ),
    }
}

/// `simhash_from_bits(text) → bigint`
#[pg_extern]
fn simhash_from_bits(text: Utf8Text) -> i64 {
    from_bits(&text).unwrap_or_else(|| broken(&text, "64 binary digits; spaces between them do not matter"))
        as i64
}

/// `simhash_hex(bigint) → text`
#[pg_extern]
fn simhash_hex(fp: i64) -> String {
    to_hex(fp as u64)
}

/// `simhash_from_hex(text) → bigint`
#[pg_extern]
fn simhash_from_hex(text: Utf8Text) -> i64 {
    from_hex(&text).unwrap_or_else(|| broken(&text, "16 hexadecimal digits, with 0x before them or without"))
        as i64
}

fn broken(text: &str, expected: &str) -> u64 {
    raise(
        PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
        format!("invalid fingerprint: \"{}\"", shown(text)),
        Some(format!("Expected {expected}.")),
        None,
    )
}
