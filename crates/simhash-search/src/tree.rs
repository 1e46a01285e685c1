//! The tree of the index `USING simhash`: it stores every word of a fingerprint under several rotations, together with the tid of its
//! row. Most fingerprints have one word of 64 bits.
//!
//! It is a B-link tree. Pages are never merged, deleted or reused. The key is (rotation, word rotated left by 16 bits times the
//! rotation, tid of the row). Word w has the rotations 4w to 4w + 3. A search within k bits visits only the subtrees that can have
//! keys within the radius of one of its bands. It compares whole words in the leaves. So its result is exact if fingerprints have
//! one word. If they have several, it also has rows that are near in one word only, and the caller compares whole fingerprints.
//!
//! ```text
//! fingerprint ── cover ── search ── page ── filter ── tids of rows
//!                            │
//!                          pager     the server's buffers, or the memory of a test
//! ```
//!
//! Invariants, which `check` verifies:
//!
//! 1. A page covers the keys from its low key up to its high key. The low key never changes. The page stores its high key and its
//!    right link.
//! 2. A split moves the upper part of a page to a new page. One log record has both pages.
//! 3. A page is reached by a downlink whose separator is the low key of the page, or by the right link of its left neighbour. A
//!    separate log record after the split adds the downlink. Until then only the right link leads to the page. If the server
//!    crashes in between, this remains so until an insert follows the right link and adds the downlink.
//! 4. The root is always the same page. When it splits, its content moves to two new pages.
//! 5. All entries of a leaf have the same rotation.
//!
//! So a search that follows any downlink, even an old one, arrives at the wanted page or to the left of it, and then goes right.
//! Only a split holds more than one lock, and no other process knows its new pages yet.

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
