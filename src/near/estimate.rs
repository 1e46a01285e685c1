//! How many rows a condition selects.

use super::catalog::Catalog;
use super::kernel::kernel;
use super::probes::is_probing;
use super::selectivity::Selectivity;
use super::statistics::Values;
use simhash_search::distance::{chance, hamming};
use simhash_search::filter::Ball;

/// The share of rows, or of pairs of rows, that are near, for a call with the arguments of `request`.
pub fn near(request: &Selectivity) -> f64 {
    let [fp, query, k] = request.args()[..] else { return COPIES };
    let k = match k.as_integer().unwrap_or(DEFAULT_K) {
        ..0 => return 0.0,
        64.. => return 1.0,
        k => k as u32,
    };
    let share = match (request.values_of(fp), request.values_of(query)) {
        (Some(values), None) => near_values(&values, query.as_bigint(), k),
        (None, Some(values)) => near_values(&values, fp.as_bigint(), k),
        (Some(one), Some(other)) => request.with_partner().unwrap_or_else(|| near_pairs(&one, &other, k)),
        (None, None) => chance(k) + COPIES,
    };
    share.clamp(0.0, 1.0)
}

/// The share of rows that are near among those that probes have found. Multiplied by the share of the probes, it is the share of
/// all rows that are near.
pub fn within(request: &Selectivity, catalog: &Catalog) -> f64 {
    let near = near(request);
    let [fp, query, _] = request.args()[..] else { return near };
    let found = request.share_of(|condition| {
        is_probing(condition, fp, query, catalog) || is_probing(condition, query, fp, catalog)
    });
    // Without probes it means the same as `simhash_near`.
    found.map_or(near, |found| if found > near { near / found } else { 1.0 })
}

/// The value assumed for k if k is not known.
pub const DEFAULT_K: i32 = 3;

/// The share of pairs of texts that are near because they have a common origin, whatever their fingerprints are.
const COPIES: f64 = 1e-8;

/// How many values are compared with each other, or with those of another table.
const COMPARED: usize = 200;

/// The share of rows near one fingerprint; if it is not known, near the fingerprint of a typical row.
fn near_values(values: &Values, query: Option<i64>, k: u32) -> f64 {
    let Some(query) = query else { return near_pairs(values, values, k) };
    let common =
        values.common.iter().filter(|&&(value, _)| is_near(value, query, k)).map(|&(_, share)| share);
    let is_common = values.common.iter().any(|&(value, _)| value == query);
    let equal = if is_common { 0.0 } else { 1.0 / values.others };
    let hits = values.sample.iter().filter(|&&value| is_near(value, query, k)).count();
    let seen = sampled(hits, values.sample.len());
    let others = if seen > 0.0 { seen } else { near_unseen(&values.sample, k) };
    common.sum::<f64>() + values.rest * equal.max(others).max(chance(k))
}

/// The share of rows near a typical row of those that have at most one near value in a sample. A query with as few near values in
/// the sample is assumed to be such a row, as the server assumes that every constant is a value of the column.
fn near_unseen(sample: &[i64], k: u32) -> f64 {
    let values = spread(sample, COMPARED);
    let stored: Vec<[u8; 8]> = values.iter().map(|value| value.to_ne_bytes()).collect();
    let (kernel, mut found) = (kernel(), vec![]);
    let mut near = vec![0; values.len()];
    for (at, &value) in values.iter().enumerate() {
        found.clear();
        kernel(&stored[at + 1..], Ball { center: value as u64, radius: k }, &mut found);
        let others = found.iter().map(|&behind| at + 1 + usize::from(behind));
        for other in others.filter(|&other| values[other] != value) {
            near[at] += 1;
            near[other] += 1;
        }
    }
    let few: Vec<usize> = near.into_iter().filter(|&near| near <= 1).collect();
    // The whole sample would show more of these rows if they were more common.
    sampled(few.iter().sum(), few.len() * values.len()).min(1.0 / sample.len().max(1) as f64)
}

/// At most `most` values of a sample, which is sorted, from all parts of it.
fn spread(sample: &[i64], most: usize) -> Vec<i64> {
    let count = sample.len().min(most);
    (0..count).map(|i| sample[i * sample.len() / count]).collect()
}

/// The share of pairs of rows that are near.
fn near_pairs(one: &Values, other: &Values, k: u32) -> f64 {
    let (a, b) =
        (&one.common[..one.common.len().min(COMPARED)], &other.common[..other.common.len().min(COMPARED)]);
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    let common: f64 = pairs.filter(|(x, y)| is_near(x.0, y.0, k)).map(|(x, y)| x.1 * y.1).sum();
    let (a, b) = (spread(&one.sample, COMPARED), spread(&other.sample, COMPARED));
    // Without pairs of a value and itself.
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x != y);
    let near = pairs.filter(|&(&x, &y)| is_near(x, y, k)).count();
    let others = sampled(near, a.len() * b.len());
    let equal = 1.0 / one.others.max(other.others);
    common + one.rest * other.rest * equal.max(others).max(chance(k))
}

fn is_near(a: i64, b: i64, k: u32) -> bool {
    hamming(a as u64, b as u64) <= k
}

/// The share that `hits` in a sample of `of` stand for; a single hit counts as none.
fn sampled(hits: usize, of: usize) -> f64 {
    if hits > 1 { hits as f64 / of as f64 } else { 0.0 }
}
