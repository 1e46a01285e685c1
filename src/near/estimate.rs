//! How many rows a condition selects.

use super::bit_ball::fingerprint;
use super::catalog::Catalog;
use super::kernel::kernel;
use super::probes::is_probing;
use super::selectivity::Selectivity;
use super::statistics::Values;
use crate::server::expr::Expr;
use pgrx::pg_sys;
use simhash_search::distance::chance;
use simhash_search::filter::WordBall;
use simhash_search::fingerprint::Fingerprint;

/// The share of rows, or of pairs of rows, that are near, for a call with the arguments of `request`.
pub fn near(request: &Selectivity) -> f64 {
    let [fp, query, k] = request.args()[..] else { return COPIES };
    let values = [request.values_of(fp), request.values_of(query)];
    let bits = [fp, query].into_iter().find_map(bits_of);
    let Some(bits) = bits.or_else(|| values.iter().flatten().find_map(Values::bits)) else { return COPIES };
    let Ok(k) = u32::try_from(k.as_integer().unwrap_or_else(|| default_k(bits))) else { return 0.0 };
    if k >= bits {
        return 1.0;
    }
    let share = match values.into() {
        (Some(values), None) => near_values(&values, known(query), k, bits),
        (None, Some(values)) => near_values(&values, known(fp), k, bits),
        (Some(one), Some(other)) => {
            request.with_partner().unwrap_or_else(|| near_pairs(&one, &other, k, bits))
        }
        (None, None) => chance(bits, k) + COPIES,
    };
    share.clamp(0.0, 1.0)
}

/// How many bits a fingerprint has; `None` if that is not known, as for a parameter of type `bit`.
fn bits_of(side: Expr) -> Option<u32> {
    if let Some(known) = known(side) {
        return Some(known.bits());
    }
    match side.type_and_modifier() {
        (pg_sys::INT8OID, _) => Some(64),
        (_, len) => u32::try_from(len).ok().filter(|&len| len > 0),
    }
}

/// The value of a constant.
fn known(side: Expr) -> Option<Fingerprint> {
    let bigint = side.as_bigint().map(|fp| Fingerprint::from(fp as u64));
    bigint.or_else(|| side.as_bits().and_then(fingerprint))
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

/// The value assumed for k if k is not known, for fingerprints of `bits` bits.
pub fn default_k(bits: u32) -> i32 {
    3 * bits as i32 / 64
}

/// The share of pairs of texts that are near because they have a common origin, whatever their fingerprints are.
const COPIES: f64 = 1e-8;

/// How many values are compared with each other, or with those of another table.
const COMPARED: usize = 200;

/// The share of rows near one fingerprint; if it is not known, near the fingerprint of a typical row.
fn near_values(values: &Values, query: Option<Fingerprint>, k: u32, bits: u32) -> f64 {
    let Some(query) = query else { return near_pairs(values, values, k, bits) };
    let common = values.common.iter().filter(|(value, _)| is_near(value, &query, k)).map(|&(_, share)| share);
    let is_common = values.common.iter().any(|&(value, _)| value == query);
    let equal = if is_common { 0.0 } else { 1.0 / values.others };
    let hits = values.sample.iter().filter(|value| is_near(value, &query, k)).count();
    let seen = sampled(hits, values.sample.len());
    let others = if seen > 0.0 { seen } else { near_unseen(&values.sample, k) };
    common.sum::<f64>() + values.rest * equal.max(others).max(chance(bits, k))
}

/// The share of rows near a typical row of those that have at most one near value in a sample. A query with as few near values in
/// the sample is assumed to be such a row, as the server assumes that every constant is a value of the column.
fn near_unseen(sample: &[Fingerprint], k: u32) -> f64 {
    let values = spread(sample, COMPARED);
    // Values that are near are near in their first words.
    let first_words: Vec<[u8; 8]> = values.iter().map(|value| value.word(0).to_ne_bytes()).collect();
    let (kernel, mut found) = (kernel(), vec![]);
    let mut near = vec![0; values.len()];
    for (at, &value) in values.iter().enumerate() {
        found.clear();
        kernel(&first_words[at + 1..], WordBall { center: value.word(0), radius: k }, &mut found);
        let others = found.iter().map(|&behind| at + 1 + usize::from(behind));
        for other in others.filter(|&other| values[other] != value && is_near(&values[other], &value, k)) {
            near[at] += 1;
            near[other] += 1;
        }
    }
    let few: Vec<usize> = near.into_iter().filter(|&near| near <= 1).collect();
    // The whole sample would show more of these rows if they were more common.
    sampled(few.iter().sum(), few.len() * values.len()).min(1.0 / sample.len().max(1) as f64)
}

/// At most `most` values of a sample, which is sorted, from all parts of it.
fn spread(sample: &[Fingerprint], most: usize) -> Vec<Fingerprint> {
    let count = sample.len().min(most);
    (0..count).map(|i| sample[i * sample.len() / count]).collect()
}

/// The share of pairs of rows that are near.
fn near_pairs(one: &Values, other: &Values, k: u32, bits: u32) -> f64 {
    let (a, b) =
        (&one.common[..one.common.len().min(COMPARED)], &other.common[..other.common.len().min(COMPARED)]);
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    let common: f64 = pairs.filter(|(x, y)| is_near(&x.0, &y.0, k)).map(|(x, y)| x.1 * y.1).sum();
    let (a, b) = (spread(&one.sample, COMPARED), spread(&other.sample, COMPARED));
    // Without pairs of a value and itself.
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x != y);
    let near = pairs.filter(|(x, y)| is_near(x, y, k)).count();
    let others = sampled(near, a.len() * b.len());
    let equal = 1.0 / one.others.max(other.others);
    common + one.rest * other.rest * equal.max(others).max(chance(bits, k))
}

fn is_near(a: &Fingerprint, b: &Fingerprint, k: u32) -> bool {
    a.bits() == b.bits() && a.distance(b) <= k
}

/// The share that `hits` in a sample of `of` stand for; a single hit counts as none.
fn sampled(hits: usize, of: usize) -> f64 {
    if hits > 1 { hits as f64 / of as f64 } else { 0.0 }
}
