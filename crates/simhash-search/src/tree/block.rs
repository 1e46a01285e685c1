//! Pages by their numbers.

/// The number of a page.
pub type Block = u32;

/// The page that says what the index is.
pub const META: Block = 0;

/// The page that every search begins with.
pub const ROOT: Block = 1;
