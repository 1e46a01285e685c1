//! Shards of a table that Citus distributes. The triggers of such a table fire on its shards, and a guard on a shard sees the
//! rows of that shard only: they are all that count where the scope has the column by which rows are distributed.

use crate::pg::call::Call;
use crate::pg::error::raise;
use crate::pg::names::{is_catalog_table, schema_and_table};
use crate::pg::query::{Privileges, Query, Seen};
use crate::pg::table::relation_name;
use crate::pg::trigger::{Column, RowTrigger};
use crate::pg::triggers::Root;
use crate::pg::value::Value;
use pgrx::{PgSqlErrorCode, pg_sys};
use std::cell::RefCell;
use std::collections::HashSet;

thread_local! {
    /// Shards and their guards that are known to look at all rows that count. How a shard's rows were chosen never changes:
    /// other ways to distribute them, and splits, make new shards.
    static CHECKED: RefCell<HashSet<(pg_sys::Oid, pg_sys::Oid)>> = RefCell::default();
}

/// How many shards are remembered at most.
const MANY: usize = 10_000;

/// Raises an error where the table is a shard, and near rows can be in other shards.
pub fn check_sees_all(trigger: &RowTrigger, root: Root, fp: &Column, k: u32, scope: &[Column]) {
    let key = (root.table, root.trigger);
    let Some(shard) = shard_number(root.table).filter(|_| is_catalog_table(c"pg_dist_shard")) else { return };
    if CHECKED.with_borrow(|checked| checked.contains(&key)) {
        return;
    }
    // No row where it only looks like a shard, or where the node does not know of the shard yet.
    let Some(found) = distribution(trigger.call(), root.table, shard).first_row(Seen::ByTransaction) else {
        return;
    };
    let texts: Vec<Option<String>> = found.into_iter().map(Value::to_text).collect();
    if let [Some(column), table] = &texts[..] {
        // Equal fingerprints are in one shard where they decide which it is.
        let is_same = k == 0 && fp.name == *column;
        if !is_same && !scope.iter().any(|part| part.name == *column) {
            sees_one_shard(trigger, column, table.as_deref().unwrap_or_default());
        }
    }
    CHECKED.with_borrow_mut(|checked| {
        if checked.len() >= MANY {
            checked.clear();
        }
        checked.insert(key)
    });
}

/// Raises an error where a table is one that Citus knows: its rows are in other tables.
pub fn check_has_rows(call: Call, table: pg_sys::Oid) {
    if !is_catalog_table(c"pg_dist_partition") {
        return;
    }
    let sql = "SELECT 1 FROM pg_catalog.pg_dist_partition
               WHERE logicalrelid::pg_catalog.oid OPERATOR(pg_catalog.=) $1";
    let values = vec![Value::oid(table)];
    let query = Query { call, table, sql: sql.to_owned(), values, privileges: Privileges::User };
    if query.first_row(Seen::ByTransaction).is_some() {
        raise(
            PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
            format!("simhash_guard_lock cannot lock the shards of {}", relation_name(table)),
            Some("Its rows are distributed by Citus, and guards lock keys of shards.".to_owned()),
            Some("Store fewer rows in a transaction.".to_owned()),
        );
    }
}

/// The number at the end of the name, which all shards have.
fn shard_number(table: pg_sys::Oid) -> Option<i64> {
    let (_, name) = schema_and_table(table);
    name.rsplit_once('_')?.1.parse().ok().filter(|number| *number >= 0)
}

/// The query for the column by which rows are distributed, NULL where all are in one shard, and for the table as SQL.
fn distribution(call: Call<'_>, table: pg_sys::Oid, shard: i64) -> Query<'_> {
    let sql = "
        SELECT CASE WHEN EXISTS (
                   SELECT FROM pg_catalog.pg_dist_shard other
                   WHERE other.logicalrelid::pg_catalog.oid OPERATOR(pg_catalog.=) s.logicalrelid::pg_catalog.oid
                       AND other.shardid OPERATOR(pg_catalog.<>) s.shardid)
               THEN pg_catalog.column_to_column_name(p.logicalrelid, p.partkey) END,
               p.logicalrelid::pg_catalog.text
        FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_dist_partition p
            ON p.logicalrelid::pg_catalog.oid OPERATOR(pg_catalog.=) s.logicalrelid::pg_catalog.oid
        WHERE s.shardid OPERATOR(pg_catalog.=) $1 AND pg_catalog.relation_is_a_known_shard($2::pg_catalog.regclass)";
    let values = vec![Value::bigint(shard), Value::oid(table)];
    Query { call, table, sql: sql.to_owned(), values, privileges: Privileges::User }
}

fn sees_one_shard(trigger: &RowTrigger, column: &str, table: &str) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
        format!("guard \"{}\" of distributed table {table} looks at one shard only", trigger.name()),
        Some(format!("Rows are distributed by column \"{column}\", and near rows can be in other shards.")),
        Some(format!(
            "To compare only rows with the same value of \"{column}\", add the argument scope={column}. To find near \
             rows of all shards, guard a table of bands that is distributed by band."
        )),
    )
}
