//! The triggers of a table, as the catalogue has them.

use super::text::{Utf8Text, server_string};
use pgrx::pg_sys;

/// Where a trigger comes from: for the copy that a partition has, the trigger of the partitioned table.
#[derive(Clone, Copy)]
pub struct Root {
    pub trigger: pg_sys::Oid,
    /// The table that it was created on.
    pub table: pg_sys::Oid,
}

/// The tables that the triggers of `table` come from which call `function` of the schema of `beside`, in the order of
/// their OIDs. The table is locked as for an INSERT.
pub fn tables_of_triggers(table: pg_sys::Oid, function: &str, beside: pg_sys::Oid) -> Vec<pg_sys::Oid> {
    // SAFETY: opens the table, or raises an error where there is none; names are in the server encoding.
    unsafe {
        let relation = pg_sys::table_open(table, pg_sys::RowExclusiveLock as _);
        let schema = pg_sys::get_func_namespace(beside);
        let calls = |trigger: &&pg_sys::Trigger| {
            pg_sys::get_func_namespace(trigger.tgfoid) == schema
                && server_string(pg_sys::get_func_name(trigger.tgfoid)).as_deref() == Some(function)
        };
        let triggers = triggers_of(relation).iter().filter(calls);
        let mut tables: Vec<pg_sys::Oid> = triggers.map(|trigger| root_of(trigger, table).table).collect();
        pg_sys::table_close(relation, pg_sys::NoLock as _);
        tables.sort_by_key(|table| table.to_u32());
        tables.dedup();
        tables
    }
}

/// The triggers of an open table in the order of their names, in which they fire.
///
/// # Safety
/// The table is open for `'r`, and its triggers do not change.
pub(super) unsafe fn triggers_of<'r>(table: pg_sys::Relation) -> &'r [pg_sys::Trigger] {
    // SAFETY: as the caller promises; a description has `numtriggers` triggers.
    unsafe {
        match (*table).trigdesc.as_ref() {
            Some(description) => {
                std::slice::from_raw_parts(description.triggers, description.numtriggers as usize)
            }
            None => &[],
        }
    }
}

/// The arguments of a trigger.
///
/// # Safety
/// The server has made the description of the trigger.
pub(super) unsafe fn args_of(trigger: &pg_sys::Trigger) -> Vec<String> {
    // SAFETY: as the caller promises, a trigger has `tgnargs` strings in the server encoding.
    let arg = |at| unsafe { Utf8Text::from_server_string(*trigger.tgargs.add(at)).to_owned() };
    (0..trigger.tgnargs as usize).map(arg).collect()
}

/// Whether a trigger fires in this session.
pub(super) fn fires(trigger: &pg_sys::Trigger) -> bool {
    let silent =
        if is_replica() { pg_sys::TRIGGER_FIRES_ON_ORIGIN } else { pg_sys::TRIGGER_FIRES_ON_REPLICA };
    ![silent, pg_sys::TRIGGER_DISABLED].contains(&(trigger.tgenabled as u8))
}

/// Whether the session applies changes of another server.
pub(super) fn is_replica() -> bool {
    // SAFETY: a plain setting, read in the server's only thread.
    unsafe { pg_sys::SessionReplicationRole as u32 == pg_sys::SESSION_REPLICATION_ROLE_REPLICA }
}

/// Where a trigger of `table` comes from.
pub(super) fn root_of(trigger: &pg_sys::Trigger, table: pg_sys::Oid) -> Root {
    let mut root = Root { trigger: trigger.tgoid, table };
    let mut next = trigger.tgisclone.then_some(trigger.tgoid);
    // SAFETY: reads pg_trigger by its index on oid; a row lives until the scan goes on.
    unsafe {
        if next.is_none() {
            return root;
        }
        let catalog = pg_sys::table_open(pg_sys::TriggerRelationId, pg_sys::AccessShareLock as _);
        while let Some(oid) = next.take() {
            let mut key = pg_sys::ScanKeyData::default();
            pg_sys::ScanKeyInit(
                &mut key,
                pg_sys::Anum_pg_trigger_oid as _,
                pg_sys::BTEqualStrategyNumber as _,
                pg_sys::F_OIDEQ.into(),
                oid.into(),
            );
            let index = pg_sys::TriggerOidIndexId.into();
            let scan = pg_sys::systable_beginscan(catalog, index, true, std::ptr::null_mut(), 1, &mut key);
            if let Some(row) = pg_sys::systable_getnext(scan).as_mut() {
                let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_trigger>();
                root = Root { trigger: form.oid, table: form.tgrelid };
                next = (form.tgparentid != pg_sys::InvalidOid).then_some(form.tgparentid);
            }
            pg_sys::systable_endscan(scan);
        }
        pg_sys::table_close(catalog, pg_sys::AccessShareLock as _);
    }
    root
}

/// Whether a table is a partition.
pub fn is_partition(table: pg_sys::Oid) -> bool {
    // SAFETY: a look-up takes any OID, one without a row is no partition; the server runs every SQL call in a transaction.
    unsafe { pg_sys::get_rel_relispartition(table) }
}
