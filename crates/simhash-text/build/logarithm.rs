//! A logarithm that is the same on every machine.

/// The number of fractional bits of the fixed-point numbers.
const BITS: u32 = 100;

/// The natural logarithm of `n`, correctly rounded. `n` is at least 1 and less than 2²⁶.
pub fn natural(n: u64) -> f64 {
    assert!((1..1 << 26).contains(&n), "logarithm of {n} is out of range");
    let power = n.ilog2();
    let fixed = u128::from(power) * twice_atanh(1, 3) + twice_atanh(n - (1 << power), n + (1 << power));
    // The conversion rounds to nearest, and the division is exact.
    fixed as f64 / (1u128 << BITS) as f64
}

/// 2·atanh(a/b) = ln((b + a)/(b − a)), computed by its power series. `b` is at least 3 `a`.
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
