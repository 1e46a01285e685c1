//! A logarithm that is the same on every machine.

/// Fixed-point numbers have so many bits behind the point.
const BITS: u32 = 100;

/// The natural logarithm of `n`, which is from 1 to 2²⁶, rounded correctly.
pub fn natural(n: u64) -> f64 {
    assert!((1..1 << 26).contains(&n), "no logarithm of {n}");
    let power = n.ilog2();
    let fixed = u128::from(power) * twice_atanh(1, 3) + twice_atanh(n - (1 << power), n + (1 << power));
    // The conversion rounds to nearest, the division is exact.
    fixed as f64 / (1u128 << BITS) as f64
}

/// 2·atanh(a/b) = ln((b + a)/(b − a)) for b at least 3a, by its series.
fn twice_atanh(a: u64, b: u64) -> u128 {
    let (a, b) = (u128::from(a), u128::from(b));
    let mut power = (1u128 << BITS) * a / b;
    let mut sum = 0;
    let mut odd = 1;
    while power > 0 {
        sum += power / odd;
        odd += 2;
        power = power * a / b * a / b;
    }
    2 * sum
}
