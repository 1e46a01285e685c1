//! `simhash(text)`: from a text to its fingerprint.

use super::jsonb::RawJsonb;
use super::options;
use crate::server::allocator::reserve_is_in_use;
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
fn simhash_text_options(text: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<i64> {
    let options = options::of_call(&jsonb, call);
    fingerprint(&text, &options)
}
