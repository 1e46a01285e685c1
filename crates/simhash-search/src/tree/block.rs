//! Page numbers.

/// The number of a page.
pub type Block = u32;

/// The first page, which describes the index.
pub const META: Block = 0;

/// The root, the page at which every search begins.
pub const ROOT: Block = 1;
