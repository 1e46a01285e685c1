//! The planner's question: how many rows does an operator select?

use super::selectivity::Selectivity;
use super::statistics::Statistics;
use crate::server::expr::Expr;
use pgrx::callconv::{Arg, ArgAbi};
use pgrx::{direct_function_call, pg_sys};
use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::null_mut;

/// The arguments with which the planner calls the estimator of an operator, for a restriction or for a join. SQL has no values of
/// type internal, so no query can call such a function.
pub struct OperatorQuestion<'fcx> {
    root: pg_sys::Datum,
    operator: pg_sys::Oid,
    args: pg_sys::Datum,
    clause: Clause,
    call: PhantomData<&'fcx ()>,
}

/// The kind of condition that has the operator.
#[derive(Clone, Copy)]
enum Clause {
    /// A condition on this table, or on any table if it is 0.
    Restriction(c_int),
    /// A join of this kind, with its SpecialJoinInfo.
    Join(i16, pg_sys::Datum),
}

impl<'fcx> OperatorQuestion<'fcx> {
    /// The operator.
    pub fn operator(&self) -> pg_sys::Oid {
        self.operator
    }

    /// The two sides of the operator.
    pub fn sides(&self) -> Vec<Expr<'fcx>> {
        // SAFETY: the planner passes a list of expressions, which lives until the call ends.
        unsafe { Expr::from_list(self.args.cast_mut_ptr()) }
    }

    /// The share of rows, or of pairs of rows, for which `simhash_near` of these arguments holds.
    pub fn share_near(&self, near: &[Expr], estimate: impl FnOnce(&Selectivity) -> f64) -> f64 {
        let (relation, join) = match self.clause {
            Clause::Restriction(relation) => (relation, None),
            Clause::Join(kind, special) => (0, Some((kind, special))),
        };
        // SAFETY: the arguments are those that the planner has called with.
        unsafe { Selectivity::of_near(self.root, near, relation, join, estimate) }
    }

    /// The estimate that the server makes for an equality, if it has statistics of the columns.
    pub fn by_statistics(&self) -> Option<f64> {
        let mut args = vec![Some(self.root), Some(self.operator.into()), Some(self.args)];
        // SAFETY: called in the same way as by the planner.
        unsafe {
            match self.clause {
                Clause::Restriction(relation) if self.has_statistics(relation) => {
                    args.push(Some(relation.into()));
                    direct_function_call::<f64>(pg_sys::eqsel, &args)
                }
                Clause::Join(kind, special) if self.both_have_statistics(special) => {
                    args.extend([Some(kind.into()), Some(special)]);
                    direct_function_call::<f64>(pg_sys::eqjoinsel, &args)
                }
                _ => None,
            }
        }
    }

    fn has_statistics(&self, relation: c_int) -> bool {
        let mut variable = pg_sys::VariableStatData::default();
        let (mut other, mut on_left) = (null_mut(), false);
        let (root, args) = (self.root.cast_mut_ptr(), self.args.cast_mut_ptr());
        // SAFETY: the arguments are the planner's own; the statistics are released when they are dropped.
        unsafe {
            let (variable, other, on_left) = (&mut variable, &mut other, &mut on_left);
            pg_sys::get_restriction_variable(root, args, relation, variable, other, on_left)
                && Statistics::of_variable(variable).is_some()
        }
    }

    fn both_have_statistics(&self, special: pg_sys::Datum) -> bool {
        let (mut left, mut right) = <(pg_sys::VariableStatData, pg_sys::VariableStatData)>::default();
        let mut reversed = false;
        let (root, args) = (self.root.cast_mut_ptr(), self.args.cast_mut_ptr());
        // SAFETY: the arguments are the planner's own; the statistics are released when they are dropped.
        unsafe {
            let special = special.cast_mut_ptr();
            pg_sys::get_join_variables(root, args, special, &mut left, &mut right, &mut reversed);
            Statistics::of_variable(&left).is_some() & Statistics::of_variable(&right).is_some()
        }
    }
}

// SAFETY: the SQL declarations give this argument only to estimators of operators, for which it stands for all arguments.
unsafe impl<'fcx> ArgAbi<'fcx> for OperatorQuestion<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: pgrx passes the pointer that the server has called with. Estimators are STRICT. They have four arguments for a
        // restriction and five for a join.
        let args = unsafe {
            let fcinfo = pg_sys::FunctionCallInfo::unbox_arg_unchecked(arg);
            (*fcinfo).args.as_slice((*fcinfo).nargs as usize)
        };
        let values: Vec<pg_sys::Datum> = args.iter().map(|arg| arg.value).collect();
        let (root, operator, args, clause) = match values[..] {
            [root, operator, args, relation] => {
                (root, operator, args, Clause::Restriction(relation.value() as c_int))
            }
            [root, operator, args, kind, special] => {
                (root, operator, args, Clause::Join(kind.value() as i16, special))
            }
            _ => unreachable!("an estimator has four arguments or five"),
        };
        let operator = pg_sys::Oid::from_u32(operator.value() as u32);
        OperatorQuestion { root, operator, args, clause, call: PhantomData }
    }

    fn is_virtual_arg() -> bool {
        true
    }
}
