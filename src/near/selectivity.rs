//! The planner's question how many rows a call selects, and what the server knows that helps to answer it.

use super::statistics::{Statistics, Values};
use crate::server::expr::{Expr, list, pointers};
use pgrx::{direct_function_call, is_a, pg_sys};
use std::ffi::c_int;
use std::ptr::null_mut;

/// The question, about a call in a condition.
pub struct Selectivity<'p> {
    request: &'p mut pg_sys::SupportRequestSelectivity,
}

/// `=` of bigints and of bit strings, in pg_operator.
const BIGINT_EQ: pg_sys::Oid = pg_sys::Oid::from_u32(410);
const BIT_EQ: pg_sys::Oid = pg_sys::Oid::from_u32(1784);

impl<'p> Selectivity<'p> {
    /// # Safety
    /// The planner made the request, and waits for the answer for `'p`.
    pub unsafe fn new(request: &'p mut pg_sys::SupportRequestSelectivity) -> Selectivity<'p> {
        Selectivity { request }
    }

    /// The share of rows, as computed by `estimate`, for which an operator holds that means `simhash_near` of these arguments.
    ///
    /// # Safety
    /// `root`, `relation` and `join` are the arguments with which the planner has called the selectivity function of the operator.
    pub unsafe fn of_near(
        root: pg_sys::Datum,
        near: &[Expr],
        relation: c_int,
        join: Option<(i16, pg_sys::Datum)>,
        estimate: impl FnOnce(&Selectivity) -> f64,
    ) -> f64 {
        let (kind, special) = join.unwrap_or((0, pg_sys::Datum::from(0)));
        let mut request = pg_sys::SupportRequestSelectivity {
            type_: pg_sys::NodeTag::T_SupportRequestSelectivity,
            root: root.cast_mut_ptr(),
            args: list(near),
            is_join: join.is_some(),
            varRelid: relation,
            jointype: kind as pg_sys::JoinType::Type,
            sjinfo: special.cast_mut_ptr(),
            ..Default::default()
        };
        // SAFETY: as the caller promises.
        let question = unsafe { Selectivity::new(&mut request) };
        estimate(&question)
    }

    /// The function that is called.
    pub fn function(&self) -> pg_sys::Oid {
        self.request.funcid
    }

    /// The arguments of the call.
    pub fn args(&self) -> Vec<Expr<'p>> {
        // SAFETY: the arguments of a call are a list of expressions.
        unsafe { Expr::from_list(self.request.args) }
    }

    /// Answers the question.
    pub fn answer(&mut self, share: f64) {
        self.request.selectivity = share;
    }

    /// What ANALYZE has found about the values of an argument, a fingerprint; `None` if there are no statistics.
    pub fn values_of(&self, arg: Expr) -> Option<Values> {
        let mut variable = pg_sys::VariableStatData::default();
        // SAFETY: the request's own planner and variable; the statistics are released when they are dropped.
        unsafe {
            let relation = if self.request.is_join { 0 } else { self.request.varRelid };
            pg_sys::examine_variable(self.request.root, arg.as_ptr(), relation, &mut variable);
            let statistics = Statistics::of_variable(&variable)?;
            let rows = variable.rel.as_ref().map_or(1.0, |rel| rel.tuples);
            statistics.values(rows)
        }
    }

    /// For a semijoin or an antijoin, where a row needs only one partner on the other side: the share of rows that have one, as the
    /// server estimates it for equal values.
    pub fn with_partner(&self) -> Option<f64> {
        let kinds = [pg_sys::JoinType::JOIN_SEMI, pg_sys::JoinType::JOIN_ANTI];
        if !self.request.is_join || !kinds.contains(&self.request.jointype) {
            return None;
        }
        let are_bigints = self.args().first()?.type_and_modifier().0 == pg_sys::INT8OID;
        let equal = if are_bigints { BIGINT_EQ } else { BIT_EQ };
        // SAFETY: called in the same way as by the planner, with the two fingerprints as the sides of an equality.
        unsafe {
            let sides = pg_sys::list_truncate(pg_sys::list_copy(self.request.args), 2);
            let args = [
                Some(pg_sys::Datum::from(self.request.root)),
                Some(equal.into()),
                Some(pg_sys::Datum::from(sides)),
                Some((self.request.jointype as i16).into()),
                Some(pg_sys::Datum::from(self.request.sjinfo)),
            ];
            direct_function_call::<f64>(pg_sys::eqjoinsel, &args)
        }
    }

    /// The share of rows that the server estimates for another condition of the query, on the same tables, for which `wanted`
    /// holds; `None` if there is no such condition.
    pub fn share_of(&self, wanted: impl Fn(Expr) -> bool) -> Option<f64> {
        let root = self.request.root;
        let mut found = null_mut::<pg_sys::Node>();
        // SAFETY: when tables are estimated, the planner already has lists of conditions for each of them, and of the conditions
        // that became equivalence classes.
        unsafe {
            if root.is_null() || (*root).simple_rel_array.is_null() {
                return None;
            }
            let tables = pg_sys::pull_varnos(root, self.request.args.cast());
            let mut number: c_int = pg_sys::bms_next_member(tables, -1);
            while number >= 0 && found.is_null() {
                let in_array = number < (*root).simple_rel_array_size;
                let table =
                    if in_array { *(*root).simple_rel_array.add(number as usize) } else { null_mut() };
                if let Some(table) = table.as_ref() {
                    found = find(table.baserestrictinfo, &wanted);
                    if found.is_null() {
                        found = find(table.joininfo, &wanted);
                    }
                }
                number = pg_sys::bms_next_member(tables, number);
            }
            for class in pointers((*root).eq_classes) {
                if !found.is_null() {
                    break;
                }
                found = find((*class.cast::<pg_sys::EquivalenceClass>()).ec_sources, &wanted);
            }
            let pg_sys::SupportRequestSelectivity { varRelid, jointype, sjinfo, .. } = *self.request;
            (!found.is_null()).then(|| pg_sys::clause_selectivity(root, found, varRelid, jointype, sjinfo))
        }
    }
}

/// The first condition in a list for which `wanted` holds, also inside other conditions; NULL if there is none.
///
/// # Safety
/// `conditions` is a list of RestrictInfos, and of AND and OR of them.
unsafe fn find(conditions: *mut pg_sys::List, wanted: &dyn Fn(Expr) -> bool) -> *mut pg_sys::Node {
    // SAFETY: each node is what its tag says.
    unsafe {
        for node in pointers(conditions) {
            let mut node = node.cast::<pg_sys::Node>();
            if is_a(node, pg_sys::NodeTag::T_RestrictInfo) {
                let info = &*node.cast::<pg_sys::RestrictInfo>();
                if Expr::from_node(info.clause).is_some_and(wanted) {
                    return node;
                }
                node = info.orclause.cast();
            }
            if !node.is_null() && is_a(node, pg_sys::NodeTag::T_BoolExpr) {
                let found = find((*node.cast::<pg_sys::BoolExpr>()).args, wanted);
                if !found.is_null() {
                    return found;
                }
            }
        }
        null_mut()
    }
}
