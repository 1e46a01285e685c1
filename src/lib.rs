//! The PostgreSQL extension `simhash`: near-duplicate texts by SimHash fingerprints.
//!
//! ```text
//! text ── trigger ── text ── a fingerprint in a column ── near ── indexes on bands ── rows
//!                                                           │
//!                                                         index ───────────────────── rows, a conflict
//!                            all fingerprints of a table ── window ── groups
//! ```
//!
//! One folder per duty, each with its own contact with the server; `server` has what several folders need. A folder uses only
//! folders before it in this order: `server`; `text`, `near` and `window`; `trigger`, which uses `text`, and `index`, which uses
//! `near`. The crates `simhash-text` and `simhash-search` compute. `sql/simhash--*.sql` declares the SQL objects, and names the
//! symbols here.

mod index;
mod near;
mod server;
mod text;
mod trigger;
mod window;

::pgrx::pg_module_magic!(name, version);

/// Prepares the memory for errors, and registers the setting and the options of indexes. If the library is in
/// `shared_preload_libraries`, it also loads jieba, which guesses words, before the postmaster forks: then all backends share it.
/// The dictionary is part of the library and needs no loading.
#[pgrx::pg_guard]
extern "C-unwind" fn _PG_init() {
    server::guard::prepare();
    window::progress::define_setting();
    index::options::define();
    if server::settings::is_preloading() {
        simhash_text::dictionary::preload();
    }
}
