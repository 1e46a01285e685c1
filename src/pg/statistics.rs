//! What ANALYZE found out, and estimates made with it.

use super::expr::Expr;
use super::from_planner::FromPlanner;
use super::selectivity::Selectivity;
use pgrx::{direct_function_call, pg_sys};
use std::ffi::c_int;

/// The statistics of a column of a table or of an index.
pub struct Statistics {
    tuple: pg_sys::HeapTuple,
    /// How to give the row back.
    free: Option<unsafe extern "C-unwind" fn(pg_sys::HeapTuple)>,
}

/// What the values of a bigint are.
pub struct Values {
    /// The most common values with their shares of the rows, the most common first.
    pub common: Vec<(i64, f64)>,
    /// A sample of the other values.
    pub sample: Vec<i64>,
    /// The share of rows that have one of the other values.
    pub rest: f64,
    /// About how many other values there are.
    pub others: f64,
}

impl Statistics {
    /// Those of a variable, which they are taken from.
    ///
    /// # Safety
    /// The server has filled `variable`, and nothing else releases its statistics.
    pub(super) unsafe fn of_variable(variable: &pg_sys::VariableStatData) -> Option<Statistics> {
        let pg_sys::VariableStatData { statsTuple: tuple, freefunc: free, .. } = *variable;
        (!tuple.is_null()).then(|| Statistics { tuple, free })
    }

    fn form(&self) -> &pg_sys::FormData_pg_statistic {
        // SAFETY: a row of pg_statistic, held until it is dropped.
        unsafe { &*pg_sys::GETSTRUCT(self.tuple).cast() }
    }

    /// About how many different values the column has, the table having `rows` rows.
    fn distinct_values(&self, rows: f64) -> f64 {
        // A negative number is a share of the rows, with its sign turned; 0 stands for "not known".
        match f64::from(self.form().stadistinct) {
            0.0 => f64::from(pg_sys::DEFAULT_NUM_DISTINCT).min(rows.max(1.0)),
            share if share < 0.0 => (-share * rows).max(1.0),
            number => number,
        }
    }

    /// The share of rows that have none of the most common values, and about how many other values those have.
    fn rest(&self, rows: f64) -> (f64, f64) {
        let common = self.common_shares();
        let rest = (1.0 - f64::from(self.form().stanullfrac) - common.iter().sum::<f64>()).max(0.0);
        (rest, (self.distinct_values(rows) - common.len() as f64).max(1.0))
    }

    /// What the values are, the table having `rows` rows; `None` where they are no bigints.
    pub fn values(&self, rows: f64) -> Option<Values> {
        let common = self.bigints(pg_sys::STATISTIC_KIND_MCV)?;
        let (rest, others) = self.rest(rows);
        Some(Values {
            common: common.into_iter().zip(self.common_shares()).collect(),
            sample: self.bigints(pg_sys::STATISTIC_KIND_HISTOGRAM)?,
            rest,
            others,
        })
    }

    /// The values of one kind; `None` where they are no bigints.
    fn bigints(&self, kind: u32) -> Option<Vec<i64>> {
        let mut slot = pg_sys::AttStatsSlot::default();
        let values = pg_sys::ATTSTATSSLOT_VALUES as c_int;
        // SAFETY: reads a row of pg_statistic into a slot, which has as many values as it says, and frees it. Bigints,
        // and domains over them, are passed by value.
        unsafe {
            if !pg_sys::get_attstatsslot(&mut slot, self.tuple, kind as c_int, pg_sys::InvalidOid, values) {
                return Some(vec![]);
            }
            let are_bigints = pg_sys::getBaseType(slot.valuetype) == pg_sys::INT8OID;
            let read = || (0..slot.nvalues as usize).map(|i| (*slot.values.add(i)).value() as i64).collect();
            let values = are_bigints.then(read);
            pg_sys::free_attstatsslot(&mut slot);
            values
        }
    }

    /// The shares of rows that have one of the most common values.
    fn common_shares(&self) -> Vec<f64> {
        let mut slot = pg_sys::AttStatsSlot::default();
        let (kind, numbers) = (pg_sys::STATISTIC_KIND_MCV as c_int, pg_sys::ATTSTATSSLOT_NUMBERS as c_int);
        // SAFETY: reads a row of pg_statistic into a slot, which has as many numbers as it says, and frees it.
        unsafe {
            if !pg_sys::get_attstatsslot(&mut slot, self.tuple, kind, pg_sys::InvalidOid, numbers) {
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
        // SAFETY: a row that was taken, and that is given back once.
        unsafe {
            if let Some(free) = self.free {
                free(self.tuple);
            }
        }
    }
}

/// The arguments with which the planner calls the selectivity function of an operator in a restriction.
pub struct Restriction<'p> {
    root: FromPlanner<'p>,
    operator: pg_sys::Oid,
    args: FromPlanner<'p>,
    relation: c_int,
}

impl<'p> Restriction<'p> {
    /// The share of rows for which `simhash_near` of these arguments holds.
    pub fn share_near(&self, near: &[Expr], estimate: impl FnOnce(&Selectivity) -> f64) -> f64 {
        // SAFETY: what the planner has called with.
        unsafe { Selectivity::of_near(self.root.datum(), near, self.relation, None, estimate) }
    }

    pub fn new(
        root: FromPlanner<'p>,
        operator: pg_sys::Oid,
        args: FromPlanner<'p>,
        relation: c_int,
    ) -> Restriction<'p> {
        Restriction { root, operator, args, relation }
    }

    /// The two sides of the operator.
    pub fn sides(&self) -> Vec<Expr<'p>> {
        // SAFETY: the planner hands over a list of expressions, which is there as long as the call.
        unsafe { Expr::from_list(self.args.datum().cast_mut_ptr()) }
    }

    /// The estimate that the server would make for an equality, where it has statistics of the column.
    pub fn by_statistics(&self) -> Option<f64> {
        let mut variable = pg_sys::VariableStatData::default();
        let (mut other, mut on_left) = (std::ptr::null_mut(), false);
        // SAFETY: the arguments are the planner's own; statistics are released again.
        let has_statistics = unsafe {
            let (root, args) = (self.root.datum().cast_mut_ptr(), self.args.datum().cast_mut_ptr());
            pg_sys::get_restriction_variable(
                root,
                args,
                self.relation,
                &mut variable,
                &mut other,
                &mut on_left,
            ) && release(&variable)
        };
        let args = [
            Some(self.root.datum()),
            Some(self.operator.into()),
            Some(self.args.datum()),
            Some(self.relation.into()),
        ];
        // SAFETY: called as the planner would.
        has_statistics.then(|| unsafe { direct_function_call::<f64>(pg_sys::eqsel, &args) })?
    }
}

/// The arguments with which the planner calls the selectivity function of an operator in a join.
pub struct Join<'p> {
    root: FromPlanner<'p>,
    operator: pg_sys::Oid,
    args: FromPlanner<'p>,
    kind: i16,
    special: FromPlanner<'p>,
}

impl<'p> Join<'p> {
    /// The share of pairs of rows for which `simhash_near` of these arguments holds.
    pub fn share_near(&self, near: &[Expr], estimate: impl FnOnce(&Selectivity) -> f64) -> f64 {
        // SAFETY: what the planner has called with.
        unsafe {
            let join = Some((self.kind, self.special.datum()));
            Selectivity::of_near(self.root.datum(), near, 0, join, estimate)
        }
    }

    pub fn new(
        root: FromPlanner<'p>,
        operator: pg_sys::Oid,
        args: FromPlanner<'p>,
        kind: i16,
        special: FromPlanner<'p>,
    ) -> Join<'p> {
        Join { root, operator, args, kind, special }
    }

    /// The two sides of the operator.
    pub fn sides(&self) -> Vec<Expr<'p>> {
        // SAFETY: the planner hands over a list of expressions, which is there as long as the call.
        unsafe { Expr::from_list(self.args.datum().cast_mut_ptr()) }
    }

    /// The estimate that the server would make for an equality, where it has statistics of both sides.
    pub fn by_statistics(&self) -> Option<f64> {
        let mut left = pg_sys::VariableStatData::default();
        let mut right = pg_sys::VariableStatData::default();
        let mut reversed = false;
        // SAFETY: the arguments are the planner's own; the statistics are released again.
        let have_statistics = unsafe {
            let [root, args, special] = [self.root, self.args, self.special].map(FromPlanner::datum);
            let (root, args, special) = (root.cast_mut_ptr(), args.cast_mut_ptr(), special.cast_mut_ptr());
            pg_sys::get_join_variables(root, args, special, &mut left, &mut right, &mut reversed);
            release(&left) & release(&right)
        };
        let args = [
            Some(self.root.datum()),
            Some(self.operator.into()),
            Some(self.args.datum()),
            Some(self.kind.into()),
            Some(self.special.datum()),
        ];
        // SAFETY: called as the planner would.
        have_statistics.then(|| unsafe { direct_function_call::<f64>(pg_sys::eqjoinsel, &args) })?
    }
}

/// Releases the statistics of a variable, and returns whether there were any.
///
/// # Safety
/// `variable` was filled by the server.
unsafe fn release(variable: &pg_sys::VariableStatData) -> bool {
    // SAFETY: as the caller promises; the server says how to free them.
    unsafe {
        if !variable.statsTuple.is_null()
            && let Some(free) = variable.freefunc
        {
            free(variable.statsTuple);
        }
    }
    !variable.statsTuple.is_null()
}
