//! What the planner asks a support function, and the answer.

use super::planner::Planner;
use super::selectivity::Selectivity;
use crate::server::datum::argument;
use crate::server::expr::{Expr, FunctionCall, list};
use pgrx::{Internal, pg_sys};
use std::marker::PhantomData;

/// The argument of a support function, which lives until the call ends. SQL has no values of type internal, so no query can call
/// such a function.
#[derive(Clone, Copy)]
pub struct Asked<'fcx> {
    node: *mut pg_sys::Node,
    call: PhantomData<&'fcx ()>,
}

impl<'fcx> Asked<'fcx> {
    /// # Safety
    /// The datum is what the planner calls a support function with, and lives until the call ends.
    unsafe fn of_datum(datum: pg_sys::Datum) -> Asked<'fcx> {
        Asked { node: datum.cast_mut_ptr(), call: PhantomData }
    }
}

// The SQL declarations give only support functions an argument of type internal of this kind.
argument!([] Asked<'fcx>, Asked::of_datum);

/// What the planner asks a support function (nodes/supportnodes.h).
pub enum Request<'p> {
    /// An expression that means the same as this call. The query is given if the call is part of one.
    Simplify(FunctionCall<'p>, Option<Planner<'p>>),
    /// The share of rows, or of pairs of rows, for which a call with these arguments holds.
    Selectivity(Selectivity<'p>),
    /// Conditions that an index can check and that mean the same as a call.
    IndexCondition(IndexCondition<'p>),
    /// Something that this version of the server asks and the extension does not answer.
    Other,
}

impl<'p> Request<'p> {
    fn of(asked: Asked<'p>) -> Request<'p> {
        let node = asked.node;
        // SAFETY: the planner calls a support function with one of these nodes, which lives until the call ends.
        unsafe {
            match node.as_ref().map(|node| node.type_) {
                Some(pg_sys::NodeTag::T_SupportRequestSimplify) => {
                    let request = &*node.cast::<pg_sys::SupportRequestSimplify>();
                    let call = &*request.fcall;
                    let call = FunctionCall { function: call.funcid, args: Expr::from_list(call.args) };
                    Request::Simplify(call, Planner::of(request.root))
                }
                Some(pg_sys::NodeTag::T_SupportRequestSelectivity) => {
                    Request::Selectivity(Selectivity::new(&mut *node.cast()))
                }
                Some(pg_sys::NodeTag::T_SupportRequestIndexCondition) => {
                    let request = &mut *node.cast::<pg_sys::SupportRequestIndexCondition>();
                    IndexCondition::of(request).map_or(Request::Other, Request::IndexCondition)
                }
                _ => Request::Other,
            }
        }
    }
}

/// The question whether an index can check a call.
pub struct IndexCondition<'p> {
    pub call: FunctionCall<'p>,
    /// Which argument of the call is the index's column.
    pub column: usize,
    /// Whether that is the last column of the index.
    pub is_last: bool,
    family: pg_sys::Oid,
    root: *mut pg_sys::PlannerInfo,
    index: *mut pg_sys::IndexOptInfo,
    is_lossy: &'p mut bool,
}

impl<'p> IndexCondition<'p> {
    fn of(request: &'p mut pg_sys::SupportRequestIndexCondition) -> Option<IndexCondition<'p>> {
        // SAFETY: the node is the expression in which the function is called.
        let call = unsafe { Expr::from_node(request.node) }?.as_call()?;
        let column = usize::try_from(request.indexarg).ok()?;
        let (root, index, family) = (request.root, request.index, request.opfamily);
        // SAFETY: the planner's own index.
        let is_last = request.indexcol + 1 == unsafe { (*index).nkeycolumns };
        Some(IndexCondition { call, column, is_last, family, root, index, is_lossy: &mut request.lossy })
    }

    /// Whether the index can search by `operator`.
    pub fn takes(&self, operator: pg_sys::Oid) -> bool {
        // SAFETY: a lookup takes any two OIDs; the planner runs in a transaction.
        unsafe { pg_sys::op_in_opfamily(operator, self.family) }
    }

    /// Whether the value of `expr` is the same for all rows that a scan of the index reads.
    pub fn is_fixed(&self, expr: Expr) -> bool {
        // SAFETY: the planner's own index and expression.
        unsafe { pg_sys::is_pseudo_constant_for_index(self.root, expr.as_ptr(), self.index) }
    }

    /// Answers that the call means the same as `condition`.
    pub fn answer(self, condition: Expr<'p>) -> Answer<'p> {
        *self.is_lossy = false;
        Answer::Conditions(vec![condition])
    }
}

/// What a support function returns.
pub enum Answer<'p> {
    /// The expression that was asked for.
    Expr(Expr<'p>),
    /// The conditions that were asked for.
    Conditions(Vec<Expr<'p>>),
    /// The request, filled in.
    Filled,
    /// Nothing: the planner continues as it would without the function.
    No,
}

/// Answers the request with which a support function is called.
pub fn respond<'p>(asked: Asked<'p>, respond: impl FnOnce(Request<'p>) -> Answer<'p>) -> Internal {
    let answer = match respond(Request::of(asked)) {
        Answer::Expr(expr) => pg_sys::Datum::from(expr.as_ptr()),
        Answer::Conditions(conditions) => pg_sys::Datum::from(list(&conditions)),
        Answer::Filled => pg_sys::Datum::from(asked.node),
        // A null pointer, not an SQL NULL: a support function must not return NULL.
        Answer::No => pg_sys::Datum::from(0),
    };
    Internal::from(Some(answer))
}
