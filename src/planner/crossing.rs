//! Conditions that meet in one index scan. B-trees look for every combination of the values of several arrays, and before
//! PostgreSQL 17 also where they are about one column, without a check for interrupts: thousands by thousands never end.

use super::bands::{Arm, Families, Plan, best_plan};
use super::choose::Search;
use super::near::Near;
use crate::pg::expr::Expr;
use crate::pg::table::Index;
use simhash_core::band::{Family, MAX_NEIGHBOURS, neighbours};

/// A search among the other conditions of its query.
pub struct Crossing<'a, 'p> {
    pub search: &'a Search<'p>,
    pub families: &'a Families<'p>,
    /// The conditions of the query.
    pub conditions: &'a dyn Fn() -> &'a [Expr<'p>],
}

/// The probes of another call that come first.
struct Earlier {
    is_single: bool,
    values: f64,
}

impl<'p> Crossing<'_, 'p> {
    /// Whether no index scan has to look for too many combinations of values.
    pub fn allows(&self, plan: &Plan) -> bool {
        if plan.arms.iter().all(|arm| arm.values == 1.0) {
            return true;
        }
        let levels = beside((self.conditions)(), &self.search.written);
        self.bears(plan, &levels.concat(), &self.earlier(&levels))
    }

    /// The probes of the calls that come before this one: calls on the same fingerprint, those of outer levels of AND and
    /// OR first, then those of smaller k, then those that stand before it in the query. Of equal calls without a place, as
    /// those of a view are, each comes before the others: none of them can know which is the first.
    fn earlier(&self, levels: &[Vec<Expr<'p>>]) -> Vec<Earlier> {
        let mut calls: Vec<(usize, u32, Near)> = vec![];
        for (depth, level) in levels.iter().enumerate() {
            calls.extend(level.iter().filter_map(|&c| self.call_on_fp(c)).map(|(k, near)| (depth, k, near)));
        }
        calls.sort_by_key(|(depth, k, near)| (*depth, *k, near.places()));
        let written = &self.search.written;
        let own = calls.iter().rposition(|(_, _, near)| near.is(written));
        let own = own.or_else(|| calls.iter().rposition(|(_, _, near)| near.same(written)));
        let conditions = levels.concat();
        let mut earlier = vec![];
        for &(_, k, _) in &calls[..own.unwrap_or(calls.len())] {
            let plan = best_plan(k, self.families, |plan| self.bears(plan, &conditions, &earlier));
            let values = plan.iter().flat_map(|plan| &plan.arms).map(|arm| arm.values);
            let (is_single, values) =
                (plan.as_ref().is_some_and(|p| p.arms.len() == 1), values.fold(1.0, f64::max));
            earlier.push(Earlier { is_single, values });
        }
        earlier
    }

    /// The call that `condition` is, with its k, if it is one on the fingerprint that is searched.
    fn call_on_fp(&self, condition: Expr<'p>) -> Option<(u32, Near<'p>)> {
        let near = as_near(condition, &self.search.written)?;
        let on_fp = [near, near.swapped()].into_iter().find(|near| near.fp.same(self.search.near.fp))?;
        Some((on_fp.radius()?, on_fp))
    }

    /// Whether no scan of `plan` has too many values to look for, beside those of conditions and of earlier calls.
    fn bears(&self, plan: &Plan, conditions: &[Expr], earlier: &[Earlier]) -> bool {
        let is_single = plan.arms.len() == 1;
        let combinations = |arm: &Arm| {
            let arrays = conditions.iter().map(|&condition| self.values(condition, arm.index, is_single));
            // The arms of an OR are scans of their own: they meet single conditions only.
            let calls = earlier.iter().filter(|call| is_single || call.is_single).map(|call| call.values);
            arm.values * arrays.chain(calls).product::<f64>()
        };
        plan.arms.iter().all(|arm| arm.values == 1.0 || combinations(arm) <= MAX_NEIGHBOURS as f64)
    }

    /// How many values `condition` makes a scan of `index` look for; `in_arms` says whether the arms of an OR count.
    fn values(&self, condition: Expr, index: &Index, in_arms: bool) -> f64 {
        if let Some((_, left, array)) = condition.as_any() {
            let is_key = index.columns.iter().any(|column| column.same(left));
            return if is_key { self.length(array).max(1.0) } else { 1.0 };
        }
        let arms = if in_arms { condition.disjuncts() } else { vec![] };
        arms.into_iter()
            .map(|arm| arm.conjuncts().into_iter().map(|c| self.values(c, index, false)).product())
            .fold(1.0, f64::max)
    }

    /// How many elements an array has.
    fn length(&self, array: Expr) -> f64 {
        let of_neighbours = || {
            let call = array.as_call().filter(|call| call.function == self.search.catalog.neighbours)?;
            count_of_neighbours(&call.args)
        };
        of_neighbours().unwrap_or_else(|| self.search.planner.array_length(array))
    }
}

/// How many values `simhash_neighbours` of these arguments yields, where it is known.
pub fn count_of_neighbours(args: &[Expr]) -> Option<f64> {
    let [_, band, bands, radius] = args[..] else { return None };
    let family = Family::new(bands.as_integer()?)?;
    let band = u32::try_from(band.as_integer()?).ok().filter(|&band| band < family.bands())?;
    let count = neighbours(family.width(band), u32::try_from(radius.as_integer()?).ok()?);
    count.filter(|&count| count <= MAX_NEIGHBOURS).map(|count| count as f64)
}

/// The conditions that hold together with `call`: those of the query, then those of the arms of OR that it stands in, one
/// level after the other.
fn beside<'p>(conditions: &[Expr<'p>], call: &Near) -> Vec<Vec<Expr<'p>>> {
    let is_call = |near: Near| near.same(call) || near.swapped().same(call);
    let has_call = |condition: &Expr| condition.has_part(|part| as_near(part, call).is_some_and(is_call));
    let mut levels = vec![conditions.to_vec()];
    let arms = conditions.iter().flat_map(|condition| condition.disjuncts()).map(Expr::conjuncts);
    for arm in arms.filter(|arm| arm.iter().any(has_call)) {
        levels.extend(beside(&arm, call));
    }
    levels
}

/// The call that `expr` is, if it is one of the function that `like` calls.
fn as_near<'p>(expr: Expr<'p>, like: &Near) -> Option<Near<'p>> {
    expr.as_call().filter(|call| call.function == like.function).and_then(Near::new)
}
