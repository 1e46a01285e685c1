//! The PostgreSQL extension `simhash`: near-duplicate texts by 64-bit fingerprints.
//!
//! ```text
//! text ── trigger ── text ── a fingerprint in a column ── near ── B-trees on bands ── rows
//!                                                           │
//!                                                         index ───────────────────── rows, a conflict
//!                            all fingerprints of a table ── window ── groups
//! ```
//!
//! A room for each duty, with its own contact with the server, and `server` for what several need of it. A room uses those before
//! it alone: `server`; `text` and `near`; `trigger` after `text`, `index` after `near`, `window`. The crates `simhash-text` and
//! `simhash-search` compute. What SQL sees is declared in `sql/simhash--*.sql`, which names the symbols here.

mod index;
mod near;
mod server;
mod text;
mod trigger;
mod window;

::pgrx::pg_module_magic!(name, version);

/// Loads jieba, which guesses words, before the postmaster forks, where the library is in `shared_preload_libraries`: then
/// all backends share it. The dictionary is part of the library and needs no loading.
#[pgrx::pg_guard]
extern "C-unwind" fn _PG_init() {
    server::guard::prepare();
    window::progress::define_setting();
    index::options::define();
    if server::settings::is_preloading() {
        simhash_text::dictionary::preload();
    }
}
