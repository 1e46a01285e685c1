//! The tree of the index `USING simhash`: every fingerprint under several rotations, whole, beside the place of its row.
//!
//! A B-link tree whose pages are never merged, deleted or reused. Its key is (rotation, fingerprint rotated left by 16
//! bits times the rotation, place of the row). A search within k bits walks only those subtrees whose keys can be within
//! its radius of a band, and compares whole fingerprints in the leaves: what it returns is exact.
//!
//! ```text
//! fingerprint ── cover ── search ── page ── filter ── places of rows
//!                            │
//!                          pager     the server's buffers, or the memory of a test
//! ```
//!
//! Invariants, which `check` tests:
//!
//! 1. A page covers the keys from its low to its high; its low never changes. High and right link are in the page.
//! 2. A split moves the upper part of a page to a new one. One record of the log has both pages.
//! 3. A page is reached by a downlink whose separator is the page's low, or by the right link of its left neighbour. The
//!    downlink comes in a record of its own after the split; until then, or for ever if the server crashes in between,
//!    the right link is the way.
//! 4. The root is always the same page. It splits into two new pages and stays.
//! 5. The entries of a leaf have one rotation.
//!
//! So a search that follows any downlink, however old, arrives at the page or to the left of it, and goes right.
//! Only a split holds two locks, and no other process knows its second page.

mod block;
pub mod build;
pub mod check;
pub mod cover;
pub mod descend;
mod failure;
mod insert;
mod interpolate;
pub mod key;
pub mod meta;
pub mod nearest;
pub mod page;
pub mod pager;
pub mod scope;
pub mod search;
pub mod sort;
mod split;
pub mod vacuum;
pub mod walk;

pub use block::{Block, META, ROOT};
pub use failure::{Corrupt, Failure};
pub use insert::insert;
