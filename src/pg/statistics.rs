//! What ANALYZE found out, and estimates made with it.

use super::expr::Expr;
use pgrx::{Internal, direct_function_call, pg_sys};
use std::ffi::c_int;

/// The statistics of a column of a table or of an index.
pub struct Statistics(pg_sys::HeapTuple);

impl Statistics {
    /// `None` where there are none.
    pub fn of(relation: pg_sys::Oid, attribute: i16) -> Option<Statistics> {
        let cache = pg_sys::SysCacheIdentifier::STATRELATTINH as c_int;
        // SAFETY: looks into the catalogue: relation, column, and not of its children.
        let tuple =
            unsafe { pg_sys::SearchSysCache3(cache, relation.into(), attribute.into(), false.into()) };
        (!tuple.is_null()).then(|| Statistics(tuple))
    }

    fn form(&self) -> &pg_sys::FormData_pg_statistic {
        // SAFETY: a row of pg_statistic, held until it is dropped.
        unsafe { &*pg_sys::GETSTRUCT(self.0).cast() }
    }

    /// About how many different values the column has, the table having `rows` rows.
    pub fn distinct_values(&self, rows: f64) -> f64 {
        // A negative number is a share of the rows, with its sign turned; 0 stands for "not known".
        match f64::from(self.form().stadistinct) {
            0.0 => f64::from(pg_sys::DEFAULT_NUM_DISTINCT).min(rows.max(1.0)),
            share if share < 0.0 => (-share * rows).max(1.0),
            number => number,
        }
    }

    /// The probability that two random rows have the same value, which is also the share of rows that a typical value
    /// finds.
    pub fn concentration(&self, rows: f64) -> f64 {
        let common = self.common_shares();
        let of_common: f64 = common.iter().map(|share| share * share).sum();
        let rest = (1.0 - f64::from(self.form().stanullfrac) - common.iter().sum::<f64>()).max(0.0);
        let others = (self.distinct_values(rows) - common.len() as f64).max(1.0);
        of_common + rest * rest / others
    }

    /// The shares of rows that have one of the most common values.
    fn common_shares(&self) -> Vec<f64> {
        let mut slot = pg_sys::AttStatsSlot::default();
        let (kind, numbers) = (pg_sys::STATISTIC_KIND_MCV as c_int, pg_sys::ATTSTATSSLOT_NUMBERS as c_int);
        // SAFETY: reads a row of pg_statistic into a slot, which has as many numbers as it says, and frees it.
        unsafe {
            if !pg_sys::get_attstatsslot(&mut slot, self.0, kind, pg_sys::InvalidOid, numbers) {
                return vec![];
            }
            let shares = (0..slot.nnumbers as usize).map(|i| f64::from(*slot.numbers.add(i))).collect();
            pg_sys::free_attstatsslot(&mut slot);
            shares
        }
    }
}

impl Drop for Statistics {
    fn drop(&mut self) {
        // SAFETY: taken by `of`.
        unsafe { pg_sys::ReleaseSysCache(self.0) };
    }
}

/// The arguments with which the planner calls the selectivity function of an operator in a restriction.
pub struct Restriction {
    root: pg_sys::Datum,
    operator: pg_sys::Oid,
    args: pg_sys::Datum,
    relation: c_int,
}

impl Restriction {
    pub fn new(root: Internal, operator: pg_sys::Oid, args: Internal, relation: c_int) -> Restriction {
        let pointer = |internal: Internal| internal.unwrap().expect("the planner hands over what it has");
        Restriction { root: pointer(root), operator, args: pointer(args), relation }
    }

    /// The two sides of the operator.
    pub fn sides(&self) -> Vec<Expr<'_>> {
        // SAFETY: the planner hands over a list of expressions.
        unsafe { Expr::from_list(self.args.cast_mut_ptr()) }
    }

    /// The estimate that the server would make for an equality, where it has statistics of the column.
    pub fn by_statistics(&self) -> Option<f64> {
        let mut variable = pg_sys::VariableStatData::default();
        let (mut other, mut on_left) = (std::ptr::null_mut(), false);
        // SAFETY: the arguments are the planner's own, and what it fills is what it uses; statistics are released again.
        unsafe {
            let (root, args) = (self.root.cast_mut_ptr(), self.args.cast_mut_ptr());
            if !pg_sys::get_restriction_variable(
                root,
                args,
                self.relation,
                &mut variable,
                &mut other,
                &mut on_left,
            ) {
                return None;
            }
            let has_statistics = !variable.statsTuple.is_null();
            let estimate = has_statistics.then(|| match constant(other) {
                Some(constant) => pg_sys::var_eq_const(
                    &mut variable,
                    self.operator,
                    pg_sys::InvalidOid,
                    constant.constvalue,
                    constant.constisnull,
                    on_left,
                    false,
                ),
                None => pg_sys::var_eq_non_const(
                    &mut variable,
                    self.operator,
                    pg_sys::InvalidOid,
                    other,
                    on_left,
                    false,
                ),
            });
            release(&variable);
            estimate
        }
    }
}

/// The constant that a node is, if it is one.
///
/// # Safety
/// `node` is a node.
unsafe fn constant<'a>(node: *mut pg_sys::Node) -> Option<&'a pg_sys::Const> {
    // SAFETY: as the caller vouches.
    unsafe { pgrx::is_a(node, pg_sys::NodeTag::T_Const).then(|| &*node.cast::<pg_sys::Const>()) }
}

/// The arguments with which the planner calls the selectivity function of an operator in a join.
pub struct Join {
    root: pg_sys::Datum,
    operator: pg_sys::Oid,
    args: pg_sys::Datum,
    kind: i16,
    special: pg_sys::Datum,
}

impl Join {
    pub fn new(root: Internal, operator: pg_sys::Oid, args: Internal, kind: i16, special: Internal) -> Join {
        let pointer = |internal: Internal| internal.unwrap().expect("the planner hands over what it has");
        Join { root: pointer(root), operator, args: pointer(args), kind, special: pointer(special) }
    }

    /// The two sides of the operator.
    pub fn sides(&self) -> Vec<Expr<'_>> {
        // SAFETY: the planner hands over a list of expressions.
        unsafe { Expr::from_list(self.args.cast_mut_ptr()) }
    }

    /// The estimate that the server would make for an equality, where it has statistics of both sides.
    pub fn by_statistics(&self) -> Option<f64> {
        let mut left = pg_sys::VariableStatData::default();
        let mut right = pg_sys::VariableStatData::default();
        let mut reversed = false;
        // SAFETY: the arguments are the planner's own; the statistics are released again.
        let have_statistics = unsafe {
            let (root, args, special) =
                (self.root.cast_mut_ptr(), self.args.cast_mut_ptr(), self.special.cast_mut_ptr());
            pg_sys::get_join_variables(root, args, special, &mut left, &mut right, &mut reversed);
            release(&left) & release(&right)
        };
        let args = [
            Some(self.root),
            Some(self.operator.into()),
            Some(self.args),
            Some(self.kind.into()),
            Some(self.special),
        ];
        // SAFETY: called as the planner would.
        have_statistics.then(|| unsafe { direct_function_call::<f64>(pg_sys::eqjoinsel, &args) })?
    }
}

/// Gives back the statistics of a variable, and says whether there were any.
///
/// # Safety
/// `variable` was filled by the server.
unsafe fn release(variable: &pg_sys::VariableStatData) -> bool {
    // SAFETY: as the caller vouches; the server says how to free them.
    unsafe {
        if !variable.statsTuple.is_null()
            && let Some(free) = variable.freefunc
        {
            free(variable.statsTuple);
        }
    }
    !variable.statsTuple.is_null()
}
