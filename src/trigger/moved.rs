//! Whether the guard may skip rows of a partition. There a row can look new that an UPDATE moves, and would be lost: so the
//! guard has to fire at every UPDATE of every partition.

use crate::pg::error::raise;
use crate::pg::names::literal;
use crate::pg::query::{Privileges, Query, Seen};
use crate::pg::trigger::RowTrigger;
use crate::pg::triggers::{Root, is_partition};
use crate::pg::value::Value;
use pgrx::PgSqlErrorCode;

/// Raises an error where the guard cannot distinguish new rows from moved ones.
pub fn check_can_skip(trigger: &RowTrigger, root: Root) {
    let is_told = || {
        trigger.fires_at_every_update()
            && !is_partition(root.table)
            && trigger.sees_every_update(root.trigger, || fires_in_every_partition(trigger, root))
    };
    if trigger.is_in_partition() && !is_told() {
        let (name, table) = (trigger.name(), trigger.table_name());
        raise(
            PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
            format!("guard \"{name}\" cannot skip rows of partition \"{table}\""),
            Some(
                "The guard cannot distinguish new rows from rows that an UPDATE moves to another partition."
                    .to_owned(),
            ),
            Some(
                "Create it on the partitioned table, BEFORE INSERT OR UPDATE, without columns and without WHEN, and \
                 leave it enabled on all partitions."
                    .to_owned(),
            ),
        );
    }
}

/// Whether no partition has the trigger disabled.
fn fires_in_every_partition(trigger: &RowTrigger, root: Root) -> bool {
    // Copies of a trigger have its name.
    let sql = format!(
        "SELECT 1 FROM pg_catalog.pg_partition_tree($1::pg_catalog.regclass) p
         WHERE p.isleaf AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_trigger t
            WHERE t.tgrelid OPERATOR(pg_catalog.=) p.relid::pg_catalog.oid
                AND t.tgname OPERATOR(pg_catalog.=) {}::pg_catalog.name
                AND t.tgenabled OPERATOR(pg_catalog.<>) ALL ('{{D,R}}'::pg_catalog.\"char\"[]))
         LIMIT 1",
        literal(&trigger.name()),
    );
    let values = vec![Value::oid(root.table)];
    let query = Query { call: trigger.call(), table: root.table, sql, values, privileges: Privileges::User };
    query.first_row(Seen::ByTransaction).is_none()
}
