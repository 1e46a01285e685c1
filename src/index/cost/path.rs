//! The planner's question: what does a scan of an index cost?

use crate::index::options;
use crate::index::relation::wanted_of;
use crate::index::strategy::HASH;
use crate::server::expr::{Expr, pointers};
use pgrx::pg_sys;
use simhash_search::tree::meta::Meta;
use std::ptr::null_mut;

/// A scan that the planner considers.
pub struct IndexPath<'p> {
    root: *mut pg_sys::PlannerInfo,
    path: &'p pg_sys::IndexPath,
    loops: f64,
}

/// The cost of a scan.
pub struct IndexCost {
    /// Before the first row.
    pub startup: f64,
    /// For all rows.
    pub total: f64,
    /// The share of the table's rows that it finds.
    pub selectivity: f64,
    /// Pages of the index.
    pub pages: f64,
    /// The cost to read a page of the table for each row. The planner adds it unless it plans an index-only scan.
    pub table_pages: f64,
}

/// The server's generic estimate, for an index of which it knows nothing.
pub struct Generic {
    pub selectivity: f64,
    pub random_page: f64,
    /// The number of scans, one for each element of an array.
    pub scans: f64,
    /// The cost of the conditions that are computed once, before the scan.
    pub startup: f64,
}

impl<'p> IndexPath<'p> {
    /// # Safety
    /// The arguments are those of `amcostestimate`.
    pub unsafe fn new(
        root: *mut pg_sys::PlannerInfo,
        path: *mut pg_sys::IndexPath,
        loops: f64,
    ) -> IndexPath<'p> {
        // SAFETY: as the caller promises.
        IndexPath { root, path: unsafe { &*path }, loops }
    }

    /// The conditions that the index checks, each with the number of its column.
    pub fn conditions(&self) -> Vec<(usize, Expr<'p>)> {
        // SAFETY: a list of index clauses, each with a list of restrictions, each with an expression.
        unsafe {
            pointers(self.path.indexclauses)
                .flat_map(|clause| {
                    let clause = &*clause.cast::<pg_sys::IndexClause>();
                    pointers(clause.indexquals).map(|condition| (clause.indexcol as usize, condition))
                })
                .filter_map(|(column, condition)| {
                    let condition = Expr::from_node((*condition.cast::<pg_sys::RestrictInfo>()).clause)?;
                    Some((column, condition))
                })
                .collect()
        }
    }

    /// How many columns are before the fingerprint.
    pub fn scope_columns(&self) -> usize {
        // SAFETY: the path is for an index, which has at least one column.
        unsafe { (*self.path.indexinfo).nkeycolumns as usize - 1 }
    }

    /// Whether the rows are ordered, and first by the distance of fingerprints of type bigint, not by that of another column.
    pub fn begins_with_fingerprints(&self) -> bool {
        let last = self.scope_columns();
        // SAFETY: the path is for an index, which has a type for each of its columns; a list of numbers of columns.
        unsafe {
            self.has_order()
                && pg_sys::list_nth_int(self.path.indexorderbycols, 0) as usize == last
                && *(*self.path.indexinfo).opcintype.add(last) == pg_sys::INT8OID
        }
    }

    /// Makes the path one that returns its rows in no order. The planner sorts the rows if needed.
    ///
    /// # Safety
    /// `path` is that of `amcostestimate`.
    pub unsafe fn no_longer_in_order(path: *mut pg_sys::IndexPath) {
        // SAFETY: as the caller promises; the planner has not yet used the path's order.
        unsafe {
            (*path).path.pathkeys = null_mut();
            (*path).indexorderbys = null_mut();
            (*path).indexorderbycols = null_mut();
        }
    }

    /// Makes the path one that is ordered by the first distance alone. The executor could order rows by the further distances, but
    /// not if an earlier distance is NULL. The planner sorts the rows by them.
    ///
    /// # Safety
    /// As for `no_longer_in_order`.
    pub unsafe fn no_longer_by_several(path: *mut pg_sys::IndexPath) {
        // SAFETY: as for `no_longer_in_order`. The three lists have the same length. The first one may be shared, so the lists are
        // replaced and not changed.
        unsafe {
            let path = &mut *path;
            if path.indexorderbys.as_ref().is_some_and(|list| list.length > 1) {
                let first = |list| pg_sys::lappend(null_mut(), pg_sys::list_nth(list, 0));
                path.path.pathkeys = first(path.path.pathkeys);
                path.indexorderbys = first(path.indexorderbys);
                path.indexorderbycols =
                    pg_sys::lappend_int(null_mut(), pg_sys::list_nth_int(path.indexorderbycols, 0));
            }
        }
    }

    /// Makes the path one that reads the table, and returns whether it was an index-only scan. The planner considers an index-only
    /// scan for `count(*)`, for example, if a partial index has all rows that are wanted. But a scan that holds no pins cannot skip
    /// the table: it would not notice that vacuum has run.
    ///
    /// # Safety
    /// `path` is that of `amcostestimate`.
    pub unsafe fn no_longer_index_only(path: *mut pg_sys::IndexPath) -> bool {
        // SAFETY: as the caller promises; the planner has not yet used the path's type.
        unsafe {
            let kind = &mut (*path).path.pathtype;
            std::mem::replace(kind, pg_sys::NodeTag::T_IndexScan) == pg_sys::NodeTag::T_IndexOnlyScan
        }
    }

    /// The strategy number of an operator in the operator family of a column; 0 if it has none.
    pub fn strategy(&self, column: usize, operator: pg_sys::Oid) -> u16 {
        // SAFETY: the path is for an index, which has an operator family for each of its columns.
        unsafe {
            let family = *(*self.path.indexinfo).opfamily.add(column);
            pg_sys::get_op_opfamily_strategy(operator, family) as u16
        }
    }

    /// Whether the operator family of a column has a hash function for the right operand of an operator.
    pub fn has_hash(&self, column: usize, operator: pg_sys::Oid) -> bool {
        let (mut left, mut right) = (pg_sys::InvalidOid, pg_sys::InvalidOid);
        // SAFETY: as for `strategy`; an operator of an index condition exists.
        unsafe {
            let family = *(*self.path.indexinfo).opfamily.add(column);
            pg_sys::op_input_types(operator, &mut left, &mut right);
            pg_sys::get_opfamily_proc(family, right, right, HASH as i16) != pg_sys::InvalidOid
        }
    }

    /// Whether a condition requires NULL in a column.
    pub fn wants_null(&self, column: usize) -> bool {
        self.conditions().iter().any(|&(of, condition)| of == column && condition.as_is_null().is_some())
    }

    /// The share of the table's rows that satisfy the conditions on a column.
    pub fn share(&self, column: usize) -> f64 {
        // SAFETY: lists of clauses, as in `conditions`; the planner's own function for conditions of one table.
        unsafe {
            let clauses =
                pointers(self.path.indexclauses).map(|clause| &*clause.cast::<pg_sys::IndexClause>());
            clauses
                .filter(|clause| clause.indexcol as usize == column)
                .map(|clause| {
                    let (table, kind) = ((*self.path.path.parent).relid as i32, pg_sys::JoinType::JOIN_INNER);
                    pg_sys::clauselist_selectivity(self.root, clause.indexquals, table, kind, null_mut())
                })
                .product()
        }
    }

    /// The number of rows of the table.
    pub fn table_rows(&self) -> f64 {
        // SAFETY: the path is for a table.
        unsafe { (*self.path.path.parent).tuples.max(1.0) }
    }

    /// Whether the rows are ordered by a distance.
    pub fn has_order(&self) -> bool {
        !self.path.indexorderbys.is_null()
    }

    /// The share of the scan's rows that the query is expected to read, if it does not read all of them.
    pub fn wanted_share(&self) -> Option<f64> {
        // SAFETY: the planner, and the table of the path.
        let (root, rows) = unsafe { (&*self.root, (*self.path.path.parent).rows.max(1.0)) };
        let wanted = if root.limit_tuples > 0.0 { root.limit_tuples } else { root.tuple_fraction };
        // A value below one is already a share, and 0 means all rows.
        let share = if wanted < 1.0 { wanted } else { wanted / rows };
        (0.0 < share && share < 1.0).then_some(share)
    }

    /// The properties of the index, by its options and columns. A hypothetical index of another extension has no options.
    pub fn meta(&self) -> Meta {
        // SAFETY: the path is for an index.
        let index = unsafe { &*self.path.indexinfo };
        let meta = if index.hypothetical { None } else { wanted_of(index.indexoid) };
        meta.unwrap_or(options::DEFAULT)
    }

    /// The number of pages and of rows of the index.
    pub fn size(&self) -> (f64, f64) {
        // SAFETY: the path is for an index.
        let index = unsafe { &*self.path.indexinfo };
        (f64::from(index.pages), index.tuples)
    }

    /// The server's own estimate.
    pub fn generic(&self) -> Generic {
        let mut costs = pg_sys::GenericCosts::default();
        // SAFETY: the arguments are the planner's own; the server only reads the path.
        unsafe {
            let path = (&raw const *self.path).cast_mut();
            pg_sys::genericcostestimate(self.root, path, self.loops, &mut costs);
        }
        Generic {
            selectivity: costs.indexSelectivity,
            random_page: costs.spc_random_page_cost,
            scans: costs.num_sa_scans,
            startup: costs.indexStartupCost,
        }
    }

    /// How many of the `pages` that one scan reads come from disk. If the scan is repeated, some of them are still in the cache.
    pub fn fetched(&self, pages: f64) -> f64 {
        if self.loops <= 1.0 {
            return pages;
        }
        let (all, _) = self.size();
        // SAFETY: arithmetic with the planner's numbers.
        let fetched = unsafe {
            pg_sys::index_pages_fetched(pages * self.loops, all.max(1.0) as u32, all.max(1.0), self.root)
        };
        fetched / self.loops
    }
}
