//! `simhash_version`: what stored fingerprints depend on.

use crate::server::text::ServerText;
use pgrx::pg_extern;

/// `simhash_version() → text`
#[pg_extern]
fn simhash_version() -> ServerText {
    ServerText(simhash_text::version())
}
