//! `simhash`: text to fingerprint.

use crate::pg::text::Utf8Text;
use crate::pg::{error, interrupt};
use pgrx::pg_extern;
use simhash_core::fingerprint::Fingerprinter;
use simhash_core::options::Options;
use std::cell::RefCell;

thread_local! {
    /// The buffers, kept from one text to the next.
    static FINGERPRINTER: RefCell<Fingerprinter> = RefCell::default();
}

/// The fingerprint of `text` as SQL stores it.
fn fingerprint(text: &str, options: &Options) -> Option<i64> {
    FINGERPRINTER.with_borrow_mut(|fingerprinter| {
        match fingerprinter.fingerprint(text, options, &mut interrupt::check) {
            Ok(fingerprint) => fingerprint.map(|fp| fp as i64),
            Err(simhash_core::Error::OutOfMemory) => error::out_of_memory(),
        }
    })
}

/// `simhash(text) → bigint`
#[pg_extern]
fn simhash_text(text: Utf8Text) -> Option<i64> {
    fingerprint(&text, &Options::default())
}
