//! The numbers of operators and functions in the operator classes.

/// The operators that an index can search by, with their numbers in the operator class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// `fp <@ simhash_ball(query, k)`
    Within = 1,
    /// `fp = query`, or the value of a scope column
    Equal = 2,
    /// `fp ~= query`: within 3 bits
    Near = 3,
    /// `fp ~~= query`: within 7 bits
    Similar = 4,
    /// `ORDER BY fp <~> query`
    Distance = 5,
    /// `simhash_ball(fp, k) && simhash_ball(query, k)`
    Overlap = 6,
}

impl Strategy {
    /// The operators for an index on fingerprints.
    pub const OF_FINGERPRINTS: [Strategy; 5] =
        [Strategy::Within, Strategy::Equal, Strategy::Near, Strategy::Similar, Strategy::Distance];
    /// The operators for an index on fingerprints that are bit strings.
    pub const OF_BITS: [Strategy; 2] = [Strategy::Within, Strategy::Equal];
    /// The operators for a column before the fingerprint.
    pub const OF_SCOPES: [Strategy; 1] = [Strategy::Equal];
    /// The operators for an index on balls.
    pub const OF_BALLS: [Strategy; 1] = [Strategy::Overlap];

    pub fn from_number(number: u16) -> Option<Strategy> {
        let mut all = Strategy::OF_FINGERPRINTS.into_iter().chain(Strategy::OF_BALLS);
        all.find(|&strategy| strategy as u16 == number)
    }
}

/// The number of the function in an operator class that hashes a value.
pub const HASH: u16 = 1;
