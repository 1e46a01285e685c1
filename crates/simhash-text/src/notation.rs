//! The hexadecimal notation of fingerprints, for people and other systems.

/// The fingerprint as 16 hexadecimal digits.
pub fn to_hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Reads 16 hexadecimal digits, with or without a leading 0x.
pub fn from_hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let plain = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u64::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known() {
        assert_eq!(to_hex(0x0123_4567_89AB_CDEF), "0123456789abcdef");
        assert_eq!(from_hex("0xFFFFFFFFFFFFFFFF"), Some(u64::MAX));
        for broken in
            ["", "123", "0x", "0123456789abcdeg", "+123456789abcdef", "00123456789abcdef", " 123456789abcdef"]
        {
            assert_eq!(from_hex(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn there_and_back(fingerprint: u64) {
            prop_assert_eq!(from_hex(&to_hex(fingerprint)), Some(fingerprint));
        }
    }
}
