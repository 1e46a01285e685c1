//! Single words that are features.

use crate::segment::Span;

/// A single word that is a feature.
#[derive(Clone, Copy, Default)]
pub struct Single {
    /// Its hash.
    pub hash: u64,
    /// Its span in its chunk.
    pub span: Span,
}
