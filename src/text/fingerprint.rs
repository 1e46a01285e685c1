//! `simhash(text)`, `simhash128` and `simhash256`: from a text to its fingerprint.

use super::jsonb::RawJsonb;
use super::options;
use crate::server::allocator::reserve_is_in_use;
use crate::server::bits::BitStringDatum;
use crate::server::call::Call;
use crate::server::text::Utf8Text;
use crate::server::{error, interrupt};
use pgrx::pg_extern;
use simhash_memory::OutOfMemory;
use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::Options;
use std::cell::RefCell;

thread_local! {
    /// The buffers, kept from one text to the next.
    static FINGERPRINTER: RefCell<Fingerprinter> = RefCell::default();
}

/// Runs `work` with the buffers of this backend.
pub fn with_fingerprinter<T>(work: impl FnOnce(&mut Fingerprinter) -> Result<T, OutOfMemory>) -> T {
    // Taken while they are in use, so that an error frees their memory.
    let mut fingerprinter = FINGERPRINTER.take();
    let result = error::of_text(work(&mut fingerprinter));
    // Buffers in the reserve are freed, so that the reserve is available for the next text.
    if !reserve_is_in_use() {
        FINGERPRINTER.set(fingerprinter);
    }
    result
}

/// The fingerprint of `text`, in parts of 64 bits.
fn fingerprint<const PARTS: usize>(text: &str, options: &Options) -> Option<[u64; PARTS]> {
    with_fingerprinter(|f| f.fingerprint(text, options, &mut interrupt::check))
}

/// The fingerprint of `text` as a bigint.
pub fn bigint(text: &str, options: &Options) -> Option<i64> {
    fingerprint(text, options).map(|[fp]| fp as i64)
}

/// The fingerprint of `text` as a bit string.
pub fn bits<const PARTS: usize>(text: &str, options: &Options) -> Option<BitStringDatum> {
    fingerprint::<PARTS>(text, options).map(|fp| BitStringDatum::of_words(&fp))
}

/// `simhash(text) → bigint`
#[pg_extern]
fn simhash_text(text: Utf8Text) -> Option<i64> {
    bigint(&text, &Options::default())
}

/// `simhash(text, jsonb) → bigint`
#[pg_extern]
fn simhash_text_options(text: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<i64> {
    let options = options::of_call(&jsonb, call);
    bigint(&text, &options)
}

/// `simhash128(text, jsonb) → bit`
#[pg_extern]
fn simhash128(text: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<BitStringDatum> {
    let options = options::of_call(&jsonb, call);
    bits::<2>(&text, &options)
}

/// `simhash256(text, jsonb) → bit`
#[pg_extern]
fn simhash256(text: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<BitStringDatum> {
    let options = options::of_call(&jsonb, call);
    bits::<4>(&text, &options)
}
