//! The access method `simhash`: an index of our own, `CREATE INDEX … USING simhash ([scope, …] fp)`.
//!
//! The tree itself is in the core (`simhash_core::tree`); here it meets what the server asks of an access method, one file
//! per duty.

mod ball;
mod build;
mod check;
mod columns;
pub mod condition;
mod cost;
mod estimate;
mod insert;
pub mod operators;
mod scan;
mod vacuum;
mod validate;

use crate::pg::index_relation::{Phase, amoptions};
use crate::pg::index_scope::HASH;
use pgrx::{Internal, PgBox, pg_extern, pg_guard, pg_sys};
use std::ffi::c_char;

/// The operators that an index can search by, by their numbers in the operator class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// `fp <@ simhash_ball(query, k)`
    Within = 1,
    /// `fp = query`, or the value of a scope column
    Equal = 2,
    /// `fp ~= query`: within 3 bits
    Near = 3,
    /// `fp ~~= query`: within 7 bits
    Similar = 4,
    /// `ORDER BY fp <~> query`
    Distance = 5,
    /// `simhash_ball(fp, k) && simhash_ball(query, k)`
    Overlap = 6,
}

impl Strategy {
    /// Those for an index on fingerprints.
    const OF_FINGERPRINTS: [Strategy; 5] =
        [Strategy::Within, Strategy::Equal, Strategy::Near, Strategy::Similar, Strategy::Distance];
    /// Those of a column before the fingerprint.
    const OF_SCOPES: [Strategy; 1] = [Strategy::Equal];
    /// Those for an index on balls.
    const OF_BALLS: [Strategy; 1] = [Strategy::Overlap];

    fn from_number(number: u16) -> Option<Strategy> {
        let mut all = Strategy::OF_FINGERPRINTS.into_iter().chain(Strategy::OF_BALLS);
        all.find(|&strategy| strategy as u16 == number)
    }
}

/// `simhash_handler(internal) → index_am_handler`
#[pg_extern]
fn simhash_handler(_call: pg_sys::FunctionCallInfo) -> Internal {
    // SAFETY: a new node, filled with what it asks for.
    let mut routine =
        unsafe { PgBox::<pg_sys::IndexAmRoutine>::alloc_node(pg_sys::NodeTag::T_IndexAmRoutine) };
    routine.amstrategies = (Strategy::OF_FINGERPRINTS.len() + Strategy::OF_BALLS.len()) as u16;
    routine.amsupport = HASH;
    routine.amcanmulticol = true;
    routine.amcanorderbyop = true;
    routine.amoptionalkey = true;
    routine.amsearchnulls = true;
    routine.amusemaintenanceworkmem = false;
    routine.amparallelvacuumoptions =
        (pg_sys::VACUUM_OPTION_PARALLEL_BULKDEL | pg_sys::VACUUM_OPTION_PARALLEL_CLEANUP) as u8;
    routine.ambuild = Some(build::ambuild);
    routine.ambuildempty = Some(build::ambuildempty);
    routine.aminsert = Some(insert::aminsert);
    routine.ambulkdelete = Some(vacuum::ambulkdelete);
    routine.amvacuumcleanup = Some(vacuum::amvacuumcleanup);
    routine.amcostestimate = Some(cost::amcostestimate);
    routine.amoptions = Some(amoptions);
    routine.ambuildphasename = Some(ambuildphasename);
    routine.amvalidate = Some(validate::amvalidate);
    routine.ambeginscan = Some(scan::ambeginscan);
    routine.amrescan = Some(scan::amrescan);
    routine.amgettuple = Some(scan::amgettuple);
    routine.amgetbitmap = Some(scan::amgetbitmap);
    routine.amendscan = Some(scan::amendscan);
    Internal::from(Some(pg_sys::Datum::from(routine.into_pg())))
}

#[pg_guard]
unsafe extern "C-unwind" fn ambuildphasename(number: i64) -> *mut c_char {
    Phase::name(number).map_or(std::ptr::null_mut(), |name| name.as_ptr().cast_mut())
}
