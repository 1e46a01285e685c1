//! What the current user may do with a table.

use super::text::to_server_string;
use pgrx::pg_sys;
use std::ffi::c_int;

/// Whether row-level security hides rows of the table from the user.
pub fn is_under_row_security(table: pg_sys::Oid) -> bool {
    // SAFETY: takes any OID, one without a row has no row security; the server runs every SQL call in a transaction.
    let enabled = unsafe { pg_sys::check_enable_rls(table, pg_sys::GetUserId(), true) };
    enabled == pg_sys::CheckEnableRlsResult::RLS_ENABLED as c_int
}

/// Whether the user may read these columns, by a privilege on the table or on each of them.
pub fn may_read<'a>(table: pg_sys::Oid, columns: impl IntoIterator<Item = &'a str>) -> bool {
    let mode = pg_sys::ACL_SELECT as pg_sys::AclMode;
    // SAFETY: takes any OID and, of `to_server_string`, a name with a NUL at its end; a column that is not there is an error.
    let may_read = |column: &str| unsafe {
        let number = pg_sys::get_attnum(table, to_server_string(column));
        granted(pg_sys::pg_attribute_aclcheck(table, number, pg_sys::GetUserId(), mode))
    };
    may_use(table, mode) || columns.into_iter().all(may_read)
}

/// Whether the user may read any column.
pub fn may_read_something(table: pg_sys::Oid) -> bool {
    may_use_a_column(table, pg_sys::ACL_SELECT as _)
}

/// Raises an error unless the user may insert into the table or update it.
pub fn check_may_write(table: pg_sys::Oid) {
    let modes = [pg_sys::ACL_INSERT, pg_sys::ACL_UPDATE];
    if !modes.into_iter().any(|mode| may_use_a_column(table, mode as _)) {
        // SAFETY: look-ups take any OID; the error is raised with a name that the server has copied, or NULL, which it accepts.
        unsafe {
            let kind = pg_sys::get_relkind_objtype(pg_sys::get_rel_relkind(table));
            pg_sys::aclcheck_error(pg_sys::AclResult::ACLCHECK_NO_PRIV, kind, pg_sys::get_rel_name(table));
        }
    }
}

fn may_use(table: pg_sys::Oid, mode: pg_sys::AclMode) -> bool {
    // SAFETY: takes any OID, one without a row is an error; the server runs every SQL call in a transaction.
    granted(unsafe { pg_sys::pg_class_aclcheck(table, pg_sys::GetUserId(), mode) })
}

fn may_use_a_column(table: pg_sys::Oid, mode: pg_sys::AclMode) -> bool {
    let any = pg_sys::AclMaskHow::ACLMASK_ANY;
    // SAFETY: takes any OID, one without columns grants nothing; the server runs every SQL call in a transaction.
    let columns = || unsafe { pg_sys::pg_attribute_aclcheck_all(table, pg_sys::GetUserId(), mode, any) };
    may_use(table, mode) || granted(columns())
}

fn granted(result: pg_sys::AclResult::Type) -> bool {
    result == pg_sys::AclResult::ACLCHECK_OK
}
