//! Bands: the 64 bits of a fingerprint cut into slices. The first slice has the highest bits.
//!
//! A band value contains the family and the number of the band, so that values of different bands are never equal:
//!
//! ```text
//! one band:      1 vvvvvvv…v          63 bits of value; the lowest bit of the fingerprint is left out
//! two or more:   0…0 mmmmm bbbb v…v   bands, band, 32 bits for the value
//! ```

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Into how many bands a fingerprint can be cut.
pub const BANDS: RangeInclusive<u32> = 1..=16;

/// A way to cut 64 bits into bands of nearly equal width, the wider ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family {
    bands: u32,
}

impl Family {
    /// The family with `bands` bands; `None` if there is none.
    pub fn new(bands: i32) -> Option<Family> {
        let bands = u32::try_from(bands).ok()?;
        BANDS.contains(&bands).then_some(Family { bands })
    }

    /// How many bands it has.
    pub fn bands(self) -> u32 {
        self.bands
    }

    /// How many bits band `band` has.
    pub fn width(self, band: u32) -> u32 {
        match self.bands {
            1 => 63,
            bands => 64 / bands + u32::from(band < 64 % bands),
        }
    }

    /// How many bits are below band `band`.
    fn shift(self, band: u32) -> u32 {
        64 - (0..=band).map(|b| self.width(b)).sum::<u32>()
    }
}

/// The value of one band of a fingerprint. Values of one band are ordered as numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Band(u64);

const ONE_BAND: u64 = 1 << 63;
const VALUE_BITS: u32 = 32;
const BAND_BITS: u32 = 4;

impl Band {
    /// Band `band` of `fingerprint`; `None` if the family has no such band.
    pub fn of(fingerprint: u64, band: i32, family: Family) -> Option<Band> {
        let band = u32::try_from(band).ok().filter(|&band| band < family.bands)?;
        let value = fingerprint >> family.shift(band) & mask(family.width(band));
        Some(Band::new(family, band, value))
    }

    fn new(family: Family, band: u32, value: u64) -> Band {
        if family.bands == 1 {
            return Band(ONE_BAND | value);
        }
        Band(u64::from(family.bands) << (VALUE_BITS + BAND_BITS) | u64::from(band) << VALUE_BITS | value)
    }

    /// The value as it is stored.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The band of a stored value; `None` if no band has this value.
    pub fn from_bits(bits: u64) -> Option<Band> {
        let band = Band(bits);
        let bands = i32::try_from(bits >> (VALUE_BITS + BAND_BITS)).ok();
        let valid = bits & ONE_BAND != 0
            || bands.is_some_and(|bands| {
                bands > 1
                    && Family::new(bands).is_some_and(|f| band.band() < f.bands)
                    && band.value() <= mask(band.width())
            });
        valid.then_some(band)
    }

    /// The family that it belongs to.
    pub fn family(self) -> Family {
        match self.0 & ONE_BAND {
            0 => Family { bands: (self.0 >> (VALUE_BITS + BAND_BITS)) as u32 },
            _ => Family { bands: 1 },
        }
    }

    /// Which band of the family it is, counted from 0 at the top.
    pub fn band(self) -> u32 {
        match self.0 & ONE_BAND {
            0 => (self.0 >> VALUE_BITS & mask(BAND_BITS)) as u32,
            _ => 0,
        }
    }

    /// Its bits.
    pub fn value(self) -> u64 {
        match self.0 & ONE_BAND {
            0 => self.0 & mask(VALUE_BITS),
            _ => self.0 & !ONE_BAND,
        }
    }

    /// How many bits it has.
    pub fn width(self) -> u32 {
        self.family().width(self.band())
    }
}

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

/// `1/4:6d3a`: band 1 of 4, and its bits in hexadecimal.
impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = self.width().div_ceil(4) as usize;
        write!(f, "{}/{}:{:0digits$x}", self.band(), self.family().bands, self.value())
    }
}

impl fmt::Debug for Band {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a band value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandError {
    /// It does not have the syntax of a band value.
    Syntax,
    /// There is no such band.
    NoSuchBand,
    /// The value has more bits than the band.
    TooWide(u32),
}

impl FromStr for Band {
    type Err = BandError;

    /// Reads what `Display` writes. Leading zeros may be omitted, and digits may be in upper case.
    fn from_str(text: &str) -> Result<Band, BandError> {
        let (position, value) = text.split_once(':').ok_or(BandError::Syntax)?;
        let (band, bands) = position.split_once('/').ok_or(BandError::Syntax)?;
        let digits = |text: &str, radix| {
            let plain = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
            plain.then_some(()).ok_or(BandError::Syntax)
        };
        digits(band, 10)?;
        digits(bands, 10)?;
        digits(value, 16)?;
        let family = bands.parse().ok().and_then(Family::new).ok_or(BandError::NoSuchBand)?;
        let band = band.parse().ok().filter(|&band| band < family.bands).ok_or(BandError::NoSuchBand)?;
        let width = family.width(band);
        match u64::from_str_radix(value, 16) {
            Ok(value) if value <= mask(width) => Ok(Band::new(family, band, value)),
            _ => Err(BandError::TooWide(width)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn families() -> impl Iterator<Item = Family> {
        BANDS.map(|bands| Family { bands })
    }

    #[test]
    fn four_bands_are_the_hexadecimal_digits_four_by_four() {
        let family = Family::new(4).unwrap();
        let text = |band| Band::of(0x0123_4567_89AB_CDEF, band, family).unwrap().to_string();
        assert_eq!([0, 1, 2, 3].map(text), ["0/4:0123", "1/4:4567", "2/4:89ab", "3/4:cdef"]);
    }

    #[test]
    fn widths_are_even_and_fill_all_bits() {
        for family in families().skip(1) {
            let widths: Vec<u32> = (0..family.bands).map(|b| family.width(b)).collect();
            assert_eq!(widths.iter().sum::<u32>(), 64);
            assert!(widths.is_sorted_by(|a, b| a >= b) && widths[0] - widths[widths.len() - 1] <= 1);
        }
        assert_eq!([0, 1, 2].map(|b| Family::new(3).unwrap().width(b)), [22, 21, 21]);
    }

    #[test]
    fn there_are_1_to_16_bands() {
        assert!([i32::MIN, -1, 0, 17, i32::MAX].iter().all(|&bands| Family::new(bands).is_none()));
        let family = Family::new(4).unwrap();
        assert!([i32::MIN, -1, 4, i32::MAX].iter().all(|&band| Band::of(0, band, family).is_none()));
    }

    #[test]
    fn texts_that_are_no_bands() {
        for text in [
            "", ":", "0/4", "/4:1", "0/:1", "0/4:", "+0/4:1", "0/4:+1", " 0/4:1", "0/4:1 ", "0/4:g", "-1/4:0",
        ] {
            assert_eq!(text.parse::<Band>(), Err(BandError::Syntax), "{text}");
        }
        for text in ["0/0:1", "4/4:1", "0/17:1", "99999999999/4:0", "0/99999999999:0"] {
            assert_eq!(text.parse::<Band>(), Err(BandError::NoSuchBand), "{text}");
        }
        for (text, width) in [("0/4:10000", 16), ("0/3:400000", 22), ("0/1:8000000000000000", 63)] {
            assert_eq!(text.parse::<Band>(), Err(BandError::TooWide(width)), "{text}");
        }
        assert_eq!("0/4:ABCD".parse(), "0/4:abcd".parse::<Band>());
    }

    proptest! {
        /// The oracle: the fingerprint as a string of 64 binary digits, cut into pieces.
        #[test]
        fn bands_are_slices_of_the_binary_digits(fingerprint: u64, bands in 2..=16u32) {
            let family = Family { bands };
            let digits = format!("{fingerprint:064b}");
            let mut rest = digits.as_str();
            for band in 0..bands {
                let (slice, below) = rest.split_at(family.width(band) as usize);
                rest = below;
                let cut = Band::of(fingerprint, band as i32, family).unwrap();
                prop_assert_eq!(cut.value(), u64::from_str_radix(slice, 2).unwrap());
                prop_assert_eq!((cut.band(), cut.family(), cut.width()), (band, family, slice.len() as u32));
            }
        }

        #[test]
        fn text_and_bits_lead_back(fingerprint: u64, bands in 1..=16u32, band in 0..16u32) {
            let family = Family { bands };
            let band = Band::of(fingerprint, (band % bands) as i32, family).unwrap();
            prop_assert_eq!(band.to_string().parse(), Ok(band));
            prop_assert_eq!(Band::from_bits(band.to_bits()), Some(band));
        }

        /// Every value that `from_bits` accepts is the value of a band.
        #[test]
        fn only_band_values_are_taken(bits in prop_oneof![any::<u64>(), 0..1u64 << 42, 0..1u64 << 34]) {
            if let Some(band) = Band::from_bits(bits) {
                prop_assert_eq!(band.to_string().parse(), Ok(band));
            }
        }
    }
}
