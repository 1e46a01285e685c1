//! What differs between versions of the server.

use super::expr::Expr;
use pgrx::pg_sys;

/// The expression without note of the outer joins that can make its columns NULL. From PostgreSQL 16 on columns say so,
/// until the planner has found out that a strict condition above rules it out; those of an index do not.
#[cfg(not(feature = "pg15"))]
pub fn without_nulling_joins(expr: Expr) -> Expr {
    use pgrx::is_a;
    use std::ffi::c_void;

    #[pgrx::pg_guard]
    unsafe extern "C-unwind" fn clear(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
        // SAFETY: called below and by the server's walker, with a node of a copy or NULL.
        unsafe {
            if node.is_null() {
                return false;
            }
            if is_a(node, pg_sys::NodeTag::T_Var) {
                (*node.cast::<pg_sys::Var>()).varnullingrels = std::ptr::null_mut();
            }
            pg_sys::expression_tree_walker(node, Some(clear), context)
        }
    }
    let copy = expr.copy();
    // SAFETY: a tree of nodes that is nobody else's.
    unsafe { clear(copy.as_ptr(), std::ptr::null_mut()) };
    copy
}

/// Before PostgreSQL 16 columns say nothing of outer joins.
#[cfg(feature = "pg15")]
pub fn without_nulling_joins(expr: Expr) -> Expr {
    expr
}

/// Whether B-trees are scanned by a later column where an earlier one is not known, value by value of that: from
/// PostgreSQL 18 on.
pub const SKIP_SCAN: bool = cfg!(feature = "pg18");

/// The index of a table's primary key, or `InvalidOid`. A deferrable key is none: before PostgreSQL 18 the server does not
/// tell of it, from then on it asks.
///
/// # Safety
///
/// The table must be open.
pub unsafe fn primary_key_index(table: pg_sys::Relation) -> pg_sys::Oid {
    // SAFETY: as the caller promises.
    unsafe {
        #[cfg(not(feature = "pg18"))]
        return pg_sys::RelationGetPrimaryKeyIndex(table);
        #[cfg(feature = "pg18")]
        return pg_sys::RelationGetPrimaryKeyIndex(table, false);
    }
}
