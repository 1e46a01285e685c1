//! The PostgreSQL extension `simhash`: near-duplicate texts by 64-bit fingerprints.
//!
//! `simhash-core` computes; `functions` adapts it to SQL; `index` is the access method `simhash`; `planner` turns
//! `simhash_near` into probes of band indexes; `trigger` fingerprints rows as they come; `window` groups near rows; `pg` is the
//! safe wrapper around the server's functions.
//! What SQL sees is declared in `sql/simhash--*.sql`, which names the symbols here.

mod functions;
mod index;
mod pg;
mod planner;
mod trigger;
mod window;

::pgrx::pg_module_magic!(name, version);

/// Loads jieba, which guesses words, before the postmaster forks, where the library is in `shared_preload_libraries`: then
/// all backends share it. The dictionary is part of the library and needs no loading.
#[pgrx::pg_guard]
extern "C-unwind" fn _PG_init() {
    pg::server::prepare();
    pg::progress::define_setting();
    pg::index_relation::define_options();
    if pg::preload::in_progress() {
        simhash_core::dictionary::preload();
    }
}
