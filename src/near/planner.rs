//! The query that is being planned: its tables and conditions.

use super::table::Table;
use crate::server::expr::{Expr, pointers};
use pgrx::{PgBox, is_a, pg_sys};
use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::null_mut;

unsafe extern "C-unwind" {
    // optimizer/subselect.h
    fn SS_process_sublinks(
        root: *mut pg_sys::PlannerInfo,
        expr: *mut pg_sys::Node,
        is_qual: bool,
    ) -> *mut pg_sys::Node;
}

/// The query that is being planned.
#[derive(Clone, Copy)]
pub struct Planner<'p> {
    root: *mut pg_sys::PlannerInfo,
    planning: PhantomData<&'p ()>,
}

impl<'p> Planner<'p> {
    /// The query that contains the call to be simplified; `None` if the call is not part of a query.
    ///
    /// # Safety
    /// `root` is NULL, or a query that is being planned for `'p`.
    pub unsafe fn of(root: *mut pg_sys::PlannerInfo) -> Option<Planner<'p>> {
        (!root.is_null()).then_some(Planner { root, planning: PhantomData })
    }

    fn query(self) -> &'p pg_sys::Query {
        // SAFETY: a query that is being planned has a parse tree.
        unsafe { &*(*self.root).parse }
    }

    fn tables(self) -> impl Iterator<Item = &'p pg_sys::RangeTblEntry> {
        // SAFETY: the range table is a list of these entries.
        unsafe { pointers(self.query().rtable).map(|entry| &*entry.cast::<pg_sys::RangeTblEntry>()) }
    }

    /// The table, at this level of the query, whose columns `expr` uses. `None` if `expr` has no columns, or columns of several
    /// tables, or columns of something that is not a table.
    pub fn table_of(self, expr: Expr) -> Option<Table<'p>> {
        let mut number: c_int = 0;
        // SAFETY: the planner's own query and an expression of it, which are only read; the set of numbers is new.
        let single = unsafe {
            let numbers = pg_sys::pull_varnos(self.root, expr.without_nulling_joins().as_ptr());
            pg_sys::bms_get_singleton_member(numbers, &mut number)
        };
        let entry = single.then(|| self.tables().nth(number as usize - 1))??;
        let is_relation = entry.rtekind == pg_sys::RTEKind::RTE_RELATION;
        // SAFETY: the parser or the planner has locked the tables of a query, which is planned in its own memory.
        is_relation.then(|| unsafe { Table::open(number, entry) })?
    }

    /// Whether `expr` has columns of this level of the query, or of an outer level.
    pub fn has_columns(self, expr: Expr) -> bool {
        // SAFETY: `root` lives for `'p`, as the caller of `of` promised.
        let levels = unsafe { (*self.root).query_level };
        (0..levels).any(|level| expr.has_columns_of_level(level))
    }

    /// Whether `expr` has columns of `table`.
    pub fn has_columns_of(self, expr: Expr, table: &Table) -> bool {
        // SAFETY: the planner's own query and an expression of it, which are only read; the set of numbers is new.
        unsafe { pg_sys::bms_is_member(table.number(), pg_sys::pull_varnos(self.root, expr.as_ptr())) }
    }

    /// The cost of computing everything in `expr` once, in the planner's units.
    pub fn cost(self, expr: Expr) -> f64 {
        let mut cost = pg_sys::QualCost::default();
        // SAFETY: the planner's own query and an expression of it, which are only read.
        unsafe { pg_sys::cost_qual_eval_node(&mut cost, expr.as_ptr(), self.root) };
        cost.startup + cost.per_tuple
    }

    /// Whether a condition of the query that can be used to look up rows has a call of `function`.
    pub fn looks_up_by(self, function: pg_sys::Oid) -> bool {
        let mut conditions = vec![];
        // SAFETY: the join tree of a query is a tree of joins; HAVING is an expression or NULL.
        unsafe {
            join_conditions(self.query().jointree.cast(), &mut conditions);
            conditions.extend(Expr::from_node(self.query().havingQual));
        }
        // SAFETY: conditions of row-level security and of security barriers are lists of expressions.
        let policies = self.tables().flat_map(|entry| unsafe { Expr::from_list(entry.securityQuals) });
        conditions.into_iter().chain(policies).any(|condition| condition.asserts(function))
    }

    /// Makes `expr`, which has no columns, the output of an InitPlan, so that it is computed once when the query is executed.
    /// `None` if a function in the FROM clause calls `function`: the planner simplifies such a call for a query that it may then
    /// merge into another one, and the InitPlans are lost.
    pub fn compute_once(self, expr: Expr<'p>, function: pg_sys::Oid) -> Option<Expr<'p>> {
        // SAFETY: the functions of a FROM clause are a list of expressions.
        let merged = |entry: &pg_sys::RangeTblEntry| unsafe {
            Expr::from_list(entry.functions).iter().any(|f| f.calls(function))
        };
        if self.tables().any(merged) {
            return None;
        }
        let subquery = if expr.is_scalar_subquery() { expr.copy() } else { select(expr) };
        // SAFETY: plans a subquery without references to the outside, as the planner does later with all other subqueries.
        let param = unsafe {
            let plan = || SS_process_sublinks(self.root, subquery.as_ptr(), false);
            Expr::from_node(pg_sys::ffi::pg_guard_ffi_boundary(plan))
        };
        param.filter(|param| param.is_plain_value())
    }
}

/// The expression `(SELECT expr)`.
fn select(expr: Expr) -> Expr {
    // SAFETY: new nodes, filled as the parser fills them; fields that are not named here are zero.
    unsafe {
        let value = expr.copy().as_ptr();
        pg_sys::IncrementVarSublevelsUp(value, 1, 0);
        let query = PgBox::<pg_sys::Query>::alloc_node(pg_sys::NodeTag::T_Query).into_pg();
        (*query).commandType = pg_sys::CmdType::CMD_SELECT;
        (*query).canSetTag = true;
        (*query).hasSubLinks = expr.has_subquery();
        (*query).jointree = pg_sys::makeFromExpr(null_mut(), null_mut());
        let column = pg_sys::makeTargetEntry(value.cast(), 1, c"fp".as_ptr().cast_mut(), false);
        (*query).targetList = pg_sys::lappend(null_mut(), column.cast());
        let link = PgBox::<pg_sys::SubLink>::alloc_node(pg_sys::NodeTag::T_SubLink).into_pg();
        (*link).subLinkType = pg_sys::SubLinkType::EXPR_SUBLINK;
        (*link).subselect = query.cast();
        (*link).location = -1;
        Expr::from_node(link).expect("a new node")
    }
}

/// Collects the conditions of a tree of joins, including WHERE.
///
/// # Safety
/// `node` is a tree of joins, or NULL.
unsafe fn join_conditions(node: *mut pg_sys::Node, conditions: &mut Vec<Expr>) {
    // SAFETY: each node is what its tag says.
    unsafe {
        if node.is_null() {
            return;
        }
        if is_a(node, pg_sys::NodeTag::T_FromExpr) {
            let from = &*node.cast::<pg_sys::FromExpr>();
            pointers(from.fromlist).for_each(|item| join_conditions(item.cast(), conditions));
            conditions.extend(Expr::from_node(from.quals));
        } else if is_a(node, pg_sys::NodeTag::T_JoinExpr) {
            let join = &*node.cast::<pg_sys::JoinExpr>();
            join_conditions(join.larg, conditions);
            join_conditions(join.rarg, conditions);
            conditions.extend(Expr::from_node(join.quals));
        }
    }
}
