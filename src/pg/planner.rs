//! The planner's view of the query at hand.

use super::expr::{Call, Expr, list, pointers};
use super::table::Table;
use super::version::without_nulling_joins;
use pgrx::{Internal, PgBox, is_a, pg_sys};
use std::cell::Cell;
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

/// What the planner asks a support function (nodes/supportnodes.h).
pub enum Request<'p> {
    /// Another expression that means the same as this call, in this query if it is part of one.
    Simplify(Call<'p>, Option<Planner<'p>>),
    /// The share of rows, or of pairs of rows, for which a call with these arguments holds.
    Selectivity(Vec<Expr<'p>>, &'p mut f64),
    /// What a call costs.
    Cost(&'p mut pg_sys::SupportRequestCost),
    /// Something that this version of the server asks and the extension does not answer.
    Other,
}

impl Request<'_> {
    fn from_datum(argument: pg_sys::Datum) -> Request<'static> {
        let node = argument.cast_mut_ptr::<pg_sys::Node>();
        // SAFETY: the planner calls a support function, declared to take `internal`, with one of these nodes.
        unsafe {
            match node.as_ref().map(|node| node.type_) {
                Some(pg_sys::NodeTag::T_SupportRequestSimplify) => {
                    let request = &*node.cast::<pg_sys::SupportRequestSimplify>();
                    let call = &*request.fcall;
                    let call = Call { function: call.funcid, args: Expr::from_list(call.args) };
                    Request::Simplify(call, Planner::of(request.root))
                }
                Some(pg_sys::NodeTag::T_SupportRequestSelectivity) => {
                    let request = &mut *node.cast::<pg_sys::SupportRequestSelectivity>();
                    Request::Selectivity(Expr::from_list(request.args), &mut request.selectivity)
                }
                Some(pg_sys::NodeTag::T_SupportRequestCost) => Request::Cost(&mut *node.cast()),
                _ => Request::Other,
            }
        }
    }
}

/// What a support function returns.
pub enum Answer<'p> {
    /// The expression that was asked for.
    Expr(Expr<'p>),
    /// The request, filled in.
    Filled,
    /// Nothing: the planner does as it would without the function.
    No,
}

/// Answers the request that a support function is called with.
pub fn respond(argument: Internal, respond: impl FnOnce(Request) -> Answer) -> Internal {
    let request = argument.unwrap().unwrap_or(pg_sys::Datum::from(0));
    let answer = match respond(Request::from_datum(request)) {
        Answer::Expr(expr) => pg_sys::Datum::from(expr.as_ptr()),
        Answer::Filled => request,
        // Not NULL but a null pointer: a support function must not return NULL.
        Answer::No => pg_sys::Datum::from(0),
    };
    Internal::from(Some(answer))
}

/// The query that is being planned.
#[derive(Clone, Copy)]
pub struct Planner<'p> {
    root: *mut pg_sys::PlannerInfo,
    planning: PhantomData<&'p ()>,
}

thread_local! {
    /// Set while `conditions` simplifies the query's conditions, in which calls are to be left as they are.
    static BUSY: Cell<bool> = const { Cell::new(false) };
}

impl<'p> Planner<'p> {
    /// The query in which a call is to be simplified; `None` where it is not part of one, or is only looked at.
    fn of(root: *mut pg_sys::PlannerInfo) -> Option<Planner<'p>> {
        (!root.is_null() && !BUSY.get()).then_some(Planner { root, planning: PhantomData })
    }

    fn query(self) -> &'p pg_sys::Query {
        // SAFETY: a query that is being planned has a parse tree.
        unsafe { &*(*self.root).parse }
    }

    fn tables(self) -> impl Iterator<Item = &'p pg_sys::RangeTblEntry> {
        // SAFETY: the range table is a list of these entries.
        unsafe { pointers(self.query().rtable).map(|entry| &*entry.cast::<pg_sys::RangeTblEntry>()) }
    }

    /// The table, at this level of the query, whose columns `expr` is made of; `None` where it has none, or those of
    /// several tables, or what they come from is no table.
    pub fn table_of(self, expr: Expr) -> Option<Table<'p>> {
        let mut number: c_int = 0;
        // SAFETY: collects the numbers of tables in a tree of nodes.
        let single = unsafe {
            let numbers = pg_sys::pull_varnos(self.root, without_nulling_joins(expr).as_ptr());
            pg_sys::bms_get_singleton_member(numbers, &mut number)
        };
        let entry = single.then(|| self.tables().nth(number as usize - 1))??;
        (entry.rtekind == pg_sys::RTEKind::RTE_RELATION).then(|| Table::open(number, entry))?
    }

    /// Whether `expr` has columns of this level of the query, or of one further out.
    pub fn has_columns(self, expr: Expr) -> bool {
        // SAFETY: a plain field.
        let levels = unsafe { (*self.root).query_level };
        (0..levels).any(|level| expr.has_columns_of_level(level))
    }

    /// Whether `expr` has columns of `table`.
    pub fn has_columns_of(self, expr: Expr, table: &Table) -> bool {
        // SAFETY: collects the numbers of tables in a tree of nodes.
        unsafe { pg_sys::bms_is_member(table.number(), pg_sys::pull_varnos(self.root, expr.as_ptr())) }
    }

    /// What a call of everything in `expr` costs, in the planner's currency.
    pub fn cost(self, expr: Expr) -> f64 {
        let mut cost = pg_sys::QualCost::default();
        // SAFETY: adds up the costs of functions in a tree of nodes.
        unsafe { pg_sys::cost_qual_eval_node(&mut cost, expr.as_ptr(), self.root) };
        cost.startup + cost.per_tuple
    }

    /// Whether a condition of the query, with which rows could be looked up, has a call of `function`.
    pub fn looks_up_by(self, function: pg_sys::Oid) -> bool {
        let mut conditions = vec![];
        // SAFETY: the joins of a query; HAVING is an expression or NULL.
        unsafe {
            join_conditions(self.query().jointree.cast(), &mut conditions);
            conditions.extend(Expr::from_node(self.query().havingQual));
        }
        // SAFETY: conditions of row-level security and of security barriers are lists of expressions.
        let policies = self.tables().flat_map(|entry| unsafe { Expr::from_list(entry.securityQuals) });
        conditions.into_iter().chain(policies).any(|condition| condition.asserts(function))
    }

    /// What has to hold for a row of `table` to be in the result: the conditions of the query, simplified, as far as
    /// they are a conjunction. Some may be about other tables.
    pub fn conditions(self, table: &Table) -> Vec<Expr<'p>> {
        struct NotBusy;
        impl Drop for NotBusy {
            fn drop(&mut self) {
                BUSY.set(false);
            }
        }
        let mut conditions = vec![];
        // SAFETY: the joins of a query. The conditions are simplified as the planner is going to do it, and translated
        // from a table's columns to those of its child where the child is what is looked at.
        unsafe {
            join_conditions(self.query().jointree.cast(), &mut conditions);
            BUSY.set(true);
            let _not_busy = NotBusy;
            let mut node = pg_sys::eval_const_expressions(self.root, list(&conditions).cast());
            for ancestor in self.ancestors(table.number()).into_iter().rev() {
                node = pg_sys::adjust_appendrel_attrs(self.root, node, 1, &mut { ancestor });
            }
            Expr::from_node(node).map_or(vec![], Expr::conjuncts)
        }
    }

    /// How the table came to be in the query: the steps from it to the parent that the query names.
    fn ancestors(self, mut number: c_int) -> Vec<*mut pg_sys::AppendRelInfo> {
        let mut steps = vec![];
        // SAFETY: once it is there, the array has an entry for every table of the query.
        unsafe {
            let array = (*self.root).append_rel_array;
            while !array.is_null() && number < (*self.root).simple_rel_array_size {
                let Some(step) = (*array.add(number as usize)).as_mut() else { break };
                number = step.parent_relid as c_int;
                steps.push(&raw mut *step);
            }
        }
        steps
    }

    /// Whether `conditions` imply all of `predicate`.
    pub fn implies(self, conditions: &[Expr], predicate: &[Expr]) -> bool {
        // SAFETY: compares trees of nodes.
        unsafe { pg_sys::predicate_implied_by(list(predicate), list(conditions), false) }
    }

    /// The value of `expr`, which has no columns, computed once when the query is executed: turns it into the output
    /// of an InitPlan. `None` where the query calls `function` in a place that the planner simplifies for a query that
    /// it may then merge into another, InitPlans and all lost.
    pub fn compute_once(self, expr: Expr<'p>, function: pg_sys::Oid) -> Option<Expr<'p>> {
        // SAFETY: the functions of a FROM clause are a list of expressions.
        let merged = |entry: &pg_sys::RangeTblEntry| unsafe {
            Expr::from_list(entry.functions).iter().any(|f| f.calls(function))
        };
        if self.tables().any(merged) {
            return None;
        }
        let subquery = if expr.is_scalar_subquery() { expr.copy() } else { select(expr) };
        // SAFETY: plans a subquery without references to the outside, as the planner is about to do with all others.
        let param = unsafe {
            let plan = || SS_process_sublinks(self.root, subquery.as_ptr(), false);
            Expr::from_node(pg_sys::ffi::pg_guard_ffi_boundary(plan))
        };
        param.filter(|param| param.is_plain_value())
    }
}

/// The expression `(SELECT expr)`.
fn select(expr: Expr) -> Expr {
    // SAFETY: new nodes, filled as the parser would; fields not named here are zero.
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

/// Collects the conditions of a tree of joins, WHERE among them.
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
