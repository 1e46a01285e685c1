//! `simhash(text)`: text to fingerprint.

use super::options;
use crate::pg::jsonb::RawJsonb;
use crate::pg::text::Utf8Text;
use crate::pg::{cache, error, interrupt};
use pgrx::{pg_extern, pg_sys};
use simhash_core::fingerprint::Fingerprinter;
use simhash_core::options::Options;
use std::cell::RefCell;

thread_local! {
    /// The buffers, kept from one text to the next.
    static FINGERPRINTER: RefCell<Fingerprinter> = RefCell::default();
}

/// Runs `work` with the buffers of this backend.
pub fn with_fingerprinter<T>(work: impl FnOnce(&mut Fingerprinter) -> Result<T, simhash_core::Error>) -> T {
    // Taken out while they are in use, so that an error gives the memory back.
    let mut fingerprinter = FINGERPRINTER.take();
    let result = work(&mut fingerprinter);
    FINGERPRINTER.set(fingerprinter);
    result.unwrap_or_else(|simhash_core::Error::OutOfMemory| error::out_of_memory())
}

/// The fingerprint of `text` as SQL stores it.
pub fn fingerprint(text: &str, options: &Options) -> Option<i64> {
    with_fingerprinter(|f| f.fingerprint(text, options, &mut interrupt::check)).map(|fp| fp as i64)
}

/// `simhash(text) → bigint`
#[pg_extern]
fn simhash_text(text: Utf8Text) -> Option<i64> {
    fingerprint(&text, &Options::default())
}

/// `simhash(text, jsonb) → bigint`
#[pg_extern]
fn simhash_text_options(text: Utf8Text, jsonb: RawJsonb, fcinfo: pg_sys::FunctionCallInfo) -> Option<i64> {
    let options = cache::per_call_site(fcinfo, jsonb.bytes(), || options::parse(&jsonb.to_json()));
    fingerprint(&text, &options)
}

/// `simhash(text, text) → bigint`: options that were written down as a bare literal.
#[pg_extern]
fn simhash_text_options_literal(
    text: Utf8Text,
    json: Utf8Text,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Option<i64> {
    let options = cache::per_call_site(fcinfo, json.as_bytes(), || options::parse(&json));
    fingerprint(&text, &options)
}
