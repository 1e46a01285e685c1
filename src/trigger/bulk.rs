//! `simhash_guard_lock`: the guard's lock on a whole table, for transactions that store many rows.

use super::shard::check_has_rows;
use crate::pg::call::Call;
use crate::pg::error::raise;
use crate::pg::lock::lock_all_keys;
use crate::pg::privileges::check_may_write;
use crate::pg::table::relation_name;
use crate::pg::triggers::tables_of_triggers;
use pgrx::{PgSqlErrorCode, pg_extern, pg_sys};

/// `simhash_guard_lock(rel regclass) → void`: waits until no other transaction holds keys of the table's guards, and keeps
/// others out until the end of the transaction.
#[pg_extern]
fn simhash_guard_lock(table: pg_sys::Oid, call: Call) {
    check_may_write(table);
    check_has_rows(call, table);
    let tables = tables_of_triggers(table, "simhash_guard", call.function());
    if tables.is_empty() {
        raise(
            PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            format!("{} has no trigger that calls simhash_guard", relation_name(table)),
            None,
            Some("Name the table that the guard was created on, or one of its partitions.".to_owned()),
        );
    }
    tables.into_iter().for_each(lock_all_keys);
}
