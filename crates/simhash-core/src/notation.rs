//! Fingerprints for people and other systems: binary with the bands visible, and hexadecimal.

use crate::band::Family;

/// 64 binary digits, a space between two bands.
pub fn to_bits(fingerprint: u64, family: Family) -> String {
    let digits = format!("{fingerprint:064b}");
    let mut rest = digits.as_str();
    let mut bands = vec![];
    for band in 0..family.bands() {
        // The only band of one leaves a bit out; here all are shown.
        let width = if family.bands() == 1 { 64 } else { family.width(band) as usize };
        let (bits, below) = rest.split_at(width);
        bands.push(bits);
        rest = below;
    }
    bands.join(" ")
}

/// Reads 64 binary digits; spaces between them do not matter.
pub fn from_bits(text: &str) -> Option<u64> {
    let mut digits = [0; 64];
    let mut count = 0;
    for byte in text.bytes().filter(|b| *b != b' ') {
        *digits.get_mut(count)? = byte;
        count += 1;
    }
    from_digits(str::from_utf8(&digits).ok()?, 2, count)
}

/// 16 hexadecimal digits.
pub fn to_hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Reads 16 hexadecimal digits, with 0x before them or without.
pub fn from_hex(text: &str) -> Option<u64> {
    from_digits(text.strip_prefix("0x").unwrap_or(text), 16, 16)
}

/// Exactly so many digits and nothing else.
fn from_digits(text: &str, radix: u32, count: usize) -> Option<u64> {
    let plain = text.len() == count && text.chars().all(|c| c.is_digit(radix));
    plain.then(|| u64::from_str_radix(text, radix).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known() {
        let four = Family::new(4).unwrap();
        assert_eq!(
            to_bits(0x0123_4567_89AB_CDEF, four),
            "0000000100100011 0100010101100111 1000100110101011 1100110111101111"
        );
        assert_eq!(to_hex(0x0123_4567_89AB_CDEF), "0123456789abcdef");
        assert_eq!(from_hex("0xFFFFFFFFFFFFFFFF"), Some(u64::MAX));
        for broken in
            ["", "123", "0x", "0123456789abcdeg", "+123456789abcdef", "00123456789abcdef", " 123456789abcdef"]
        {
            assert_eq!(from_hex(broken), None, "{broken}");
        }
        assert_eq!(from_bits("01"), None);
        assert_eq!(from_bits(&"2".repeat(64)), None);
    }

    proptest! {
        #[test]
        fn there_and_back(fingerprint: u64, bands in 1..=16i32) {
            prop_assert_eq!(from_bits(&to_bits(fingerprint, Family::new(bands).unwrap())), Some(fingerprint));
            prop_assert_eq!(from_hex(&to_hex(fingerprint)), Some(fingerprint));
        }
    }
}
