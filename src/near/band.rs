//! The type `simhash_band`: a band value, stored in the eight bytes of a bigint.

use super::message::Message;
use crate::server::error::{raise, shown_bytes};
use pgrx::{PgSqlErrorCode, pg_extern};
use simhash_search::band::{Band, BandError, Family};
use std::ffi::{CStr, CString};

/// `simhash_band_in(cstring) → simhash_band`
#[pg_extern]
fn simhash_band_in(text: &CStr) -> i64 {
    let parsed = text.to_str().map_or(Err(BandError::Syntax), str::parse::<Band>);
    match parsed {
        Ok(band) => band.to_bits() as i64,
        Err(error) => raise(
            PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
            format!("invalid input syntax for type simhash_band: \"{}\"", shown_bytes(text.to_bytes())),
            match error {
                BandError::Syntax => None,
                BandError::NoSuchBand => Some("There are 1 to 16 bands, counted from 0.".to_owned()),
                BandError::TooWide(width) => Some(format!("The band has {width} bits.")),
            },
            Some("Write band, bands and bits in hexadecimal, such as 0/4:6d3a.".to_owned()),
        ),
    }
}

/// `simhash_band_out(simhash_band) → cstring`
#[pg_extern]
fn simhash_band_out(bits: i64) -> CString {
    CString::new(stored(bits).to_string()).expect("the text of a band has no NUL")
}

/// `simhash_band_recv(internal) → simhash_band`
#[pg_extern]
fn simhash_band_recv(mut message: Message) -> i64 {
    let bits = message.bigint();
    if Band::from_bits(bits as u64).is_none() {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
            "invalid external \"simhash_band\" value".to_owned(),
            Some(format!("No band has the value {bits:#x}.")),
            None,
        );
    }
    bits
}

/// `simhash_band_eq(simhash_band, simhash_band) → boolean`
#[pg_extern]
fn simhash_band_eq(a: i64, b: i64) -> bool {
    a == b
}

/// `simhash_band(fp bigint, band int, bands int) → simhash_band`; NULL if there is no such band.
#[pg_extern]
fn simhash_band(fp: i64, band: i32, bands: i32) -> Option<i64> {
    Band::of(fp as u64, band, Family::new(bands)?).map(|band| band.to_bits() as i64)
}

/// The band of a stored value.
fn stored(bits: i64) -> Band {
    Band::from_bits(bits as u64).expect("only band values are stored")
}
