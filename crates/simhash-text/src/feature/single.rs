//! Words that are features by themselves.

use crate::segment::Span;

/// A word that is a feature by itself.
#[derive(Clone, Copy, Default)]
pub struct Single {
    /// Its hash.
    pub hash: u64,
    /// Where it stands in its chunk.
    pub span: Span,
}
