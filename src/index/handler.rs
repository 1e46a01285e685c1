//! The handler: tells the server the properties and the functions of the access method.

use super::build::phase;
use super::strategy::{HASH, Strategy};
use super::{build, cost, insert, options, scan, vacuum, validate};
use pgrx::{Internal, PgBox, pg_extern, pg_sys};

/// `simhash_handler(internal) → index_am_handler`
#[pg_extern]
fn simhash_handler(_call: pg_sys::FunctionCallInfo) -> Internal {
    // SAFETY: a new node, whose tag is that of its type.
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
    routine.amoptions = Some(options::amoptions);
    routine.ambuildphasename = Some(phase::ambuildphasename);
    routine.amvalidate = Some(validate::amvalidate);
    routine.ambeginscan = Some(scan::ambeginscan);
    routine.amrescan = Some(scan::amrescan);
    routine.amgettuple = Some(scan::amgettuple);
    routine.amgetbitmap = Some(scan::amgetbitmap);
    routine.amendscan = Some(scan::amendscan);
    Internal::from(Some(pg_sys::Datum::from(routine.into_pg())))
}
