//! The layout of a page, and how it changes.
//!
//! ```text
//! 0               24            48                  lower        upper                  size
//! │ server header │ tree header │ u64 │ u64 │ u64 … │ free space │ … slot │ slot │ slot │
//! ```
//!
//! The server defines the server header. The tree uses only the bounds of the free space in it. The tree header describes the page
//! within the tree. It follows the server header and is not at the end of the page, so that a search finds it in the same cache
//! line. Rotated fingerprints grow upwards from the tree header. For each of them one slot grows downwards from the end of the
//! page: in a leaf it has the tid of the row, in an inner page the child and the rest of the separator. Inner pages are sorted. A
//! leaf is sorted when it is built or split. An insert appends, so only the first entries are in order; the tree header stores how
//! many.

use super::block::Block;
use super::failure::Corrupt;
use super::interpolate::{NEARBY, bracket, count_less};
use super::key::{Entry, Key, TID_BYTES, Tid};
use std::ops::{Range, RangeInclusive};

/// Bytes of the server header.
pub const SERVER_HEADER: usize = 24;
/// Where the server header stores the end of the fingerprints.
pub const LOWER_AT: usize = 12;
/// Where the server header stores the start of the slots.
pub const UPPER_AT: usize = 14;
/// Bytes of the tree header: high key (8 + 6 + 1), level, right link (4), rotation, sorted entries in steps of four, page id (2).
const HEADER_BYTES: usize = 24;
/// Where the fingerprints begin.
const CONTENT: usize = SERVER_HEADER + HEADER_BYTES;

/// Bytes of a rotated fingerprint.
const BITS: usize = 8;
/// Bytes of an inner slot: child (4), tid (6), rotation, unused.
const DOWNLINK: usize = 12;
/// Where the tree header stores how many entries are sorted, and the steps in which it counts them.
const SORTED_AT: usize = SERVER_HEADER + 21;
const SORTED_STEP: usize = 4;
/// Distinguishes a page of this tree from pages of other indexes.
const PAGE_ID: u16 = 0xFF64;
/// The right link of the last page of a level.
const NONE: Block = Block::MAX;

/// A link to a child, which covers the keys from `low` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Downlink {
    /// The child's least key.
    pub low: Key,
    /// The child.
    pub child: Block,
}

/// The tree header of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The level, 0 for leaves.
    pub level: u8,
    /// The rotation of a leaf's entries.
    pub rotation: u8,
    /// The high key: all keys of the page are less.
    pub high: Key,
    /// The page that begins at `high`.
    pub right: Option<Block>,
}

/// A page of the tree. Its bounds are checked, so that nothing in it points outside the page.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    bytes: &'a [u8],
    count: usize,
    sorted: usize,
    header: Header,
}

impl<'a> Page<'a> {
    /// The page in `bytes`, which has the number `block`.
    pub fn open(bytes: &'a [u8], block: Block) -> Result<Page<'a>, Corrupt> {
        let Some(stored) = bytes.get(SERVER_HEADER..CONTENT) else {
            return Corrupt::at(block, "page is too small");
        };
        if word(stored, 22) != PAGE_ID {
            return Corrupt::at(block, "page is not part of a simhash index");
        }
        let right = u32_at(stored, 16);
        let high = Entry { bits: u64_at(stored, 0), tid: tid_at(stored, 8) };
        let header = Header {
            level: stored[15],
            rotation: stored[20],
            high: if right == NONE { Key::MAX } else { Key::new(stored[14], high) },
            right: (right != NONE).then_some(right),
        };
        let (lower, upper) = (usize::from(word(bytes, LOWER_AT)), usize::from(word(bytes, UPPER_AT)));
        let end = bytes.len();
        let fits =
            CONTENT <= lower && lower <= upper && upper <= end && (lower - CONTENT).is_multiple_of(BITS);
        let count = if fits { (lower - CONTENT) / BITS } else { 0 };
        if !fits || count * slot_bytes(header.level) != end - upper {
            return Corrupt::at(block, "bounds of the free space are wrong");
        }
        let sorted = usize::from(bytes[SORTED_AT]) * SORTED_STEP;
        if sorted > count {
            return Corrupt::at(block, "page has fewer entries than its header counts as sorted");
        }
        Ok(Page { bytes, count, sorted, header })
    }

    /// Whether `bytes` are those of a page that was added to the file and never written.
    pub fn is_new(bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| byte == 0)
    }

    /// The tree header.
    pub fn header(&self) -> Header {
        self.header
    }

    /// How many entries or downlinks it has.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many entries of a leaf, from the first on, are known to be in order.
    pub fn sorted(&self) -> usize {
        self.sorted
    }

    /// Whether another entry or downlink fits.
    pub fn has_room(&self) -> bool {
        self.count < capacity(self.bytes.len(), self.header.level)
    }

    /// The rotated fingerprints of a leaf, as they are stored.
    pub fn bits(&self) -> &'a [[u8; BITS]] {
        self.bytes[CONTENT..CONTENT + self.count * BITS].as_chunks().0
    }

    /// A range of the sorted entries of a leaf whose low key has the rotated fingerprint `low`. It has all entries whose rotated
    /// fingerprints are in `bits`, and a few beside them.
    pub fn sorted_around(&self, low: u64, bits: RangeInclusive<u64>) -> Range<usize> {
        let sorted = &self.bits()[..self.sorted];
        let Header { high, rotation, .. } = self.header;
        let span = low..if high.rotation() == rotation { high.bits() } else { u64::MAX };
        let start = bracket(sorted, span.clone(), *bits.start()).start;
        let end = match bits.end().checked_add(1) {
            Some(beyond) => bracket(sorted, span, beyond).end,
            None => sorted.len(),
        };
        start..end
    }

    /// Slot number `at`.
    fn slot(&self, at: usize) -> &'a [u8] {
        let len = slot_bytes(self.header.level);
        let start = slot_at(self.bytes.len(), self.header.level, at);
        &self.bytes[start..start + len]
    }

    /// The tid of entry number `at` of a leaf.
    pub fn tid(&self, at: usize) -> Tid {
        tid_at(self.slot(at), 0)
    }

    /// Entry number `at` of a leaf.
    pub fn entry(&self, at: usize) -> Entry {
        Entry { bits: u64::from_ne_bytes(self.bits()[at]), tid: self.tid(at) }
    }

    /// The entries of a leaf.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.count).map(|at| self.entry(at))
    }

    /// The child of downlink number `at` of an inner page.
    pub fn child(&self, at: usize) -> Block {
        u32_at(self.slot(at), 0)
    }

    /// The separator of downlink number `at` of an inner page.
    pub fn low(&self, at: usize) -> Key {
        let slot = self.slot(at);
        Key::new(slot[10], Entry { bits: u64::from_ne_bytes(self.bits()[at]), tid: tid_at(slot, 4) })
    }

    /// The rotated fingerprint in the separator of downlink number `at` of an inner page.
    pub fn low_bits(&self, at: usize) -> u64 {
        u64::from_ne_bytes(self.bits()[at])
    }

    /// The first of the `children` of an inner page whose separator has the rotated fingerprint `bits` or a greater one, or the end
    /// of `children`. Their separators have one rotation and are spread over `span`.
    pub fn first_from(&self, children: Range<usize>, span: Range<u64>, bits: u64) -> usize {
        children.start + count_less(&self.bits()[children], span, bits)
    }

    /// Whether separator number `at` of an inner page is `key`. If it is not, the fingerprints are nearly always enough to show
    /// that.
    pub fn begins_at(&self, at: usize, key: Key) -> bool {
        self.low_bits(at) == key.bits() && self.low(at) == key
    }

    /// The first key after the keys that the child of downlink number `at` of an inner page covers.
    pub fn until(&self, at: usize) -> Key {
        if at + 1 < self.count { self.low(at + 1) } else { self.header.high }
    }

    /// The downlinks of an inner page.
    pub fn downlinks(&self) -> impl Iterator<Item = Downlink> {
        (0..self.count).map(|at| Downlink { low: self.low(at), child: self.child(at) })
    }

    /// How many of an inner page's separators are not greater than `key`.
    pub fn lows_to(&self, key: Key) -> usize {
        let (mut start, mut end) = (0, self.count);
        // Within a rotation the fingerprints are nearly always enough to decide, and they are adjacent in memory.
        let is_rotation = |at: usize| self.low(at).rotation() == key.rotation();
        let bits_decide = end > 0 && is_rotation(0) && is_rotation(end - 1);
        let is_low = |at: usize| match u64::from_ne_bytes(self.bits()[at]) {
            bits if bits_decide && bits != key.bits() => bits < key.bits(),
            _ => self.low(at) <= key,
        };
        while start < end {
            let middle = start.midpoint(end);
            match is_low(middle) {
                true => start = middle + 1,
                false => end = middle,
            }
        }
        start
    }

    /// The change that adds an entry to a leaf that has room.
    pub fn append(&self, entry: Entry) -> Patch {
        let mut patch = Patch::default();
        patch.set_bounds(self.bytes.len(), 0, self.count + 1);
        patch.set_entry(self.bytes.len(), self.count, entry);
        patch
    }

    /// The change that removes the entries `at` (ascending) from a leaf. The remaining entries after the first removed one move
    /// down and keep their order.
    pub fn remove(&self, at: &[usize]) -> Patch {
        let mut patch = Patch::default();
        let Some(&first) = at.first() else { return patch };
        let kept = self.count - at.len();
        patch.set_bounds(self.bytes.len(), 0, kept);
        let sorted = self.sorted - at.iter().filter(|&&gone| gone < self.sorted).count();
        patch.set(SORTED_AT, &[in_steps(sorted)]);
        let mut gone = at.iter().copied().peekable();
        let moved: Vec<usize> = (first..self.count).filter(|at| gone.next_if_eq(at).is_none()).collect();
        if moved.is_empty() {
            return patch;
        }
        let bits: Vec<u8> = moved.iter().flat_map(|&at| self.bits()[at]).collect();
        patch.set(CONTENT + first * BITS, &bits);
        let slots: Vec<u8> = moved.iter().rev().flat_map(|&at| self.slot(at)).copied().collect();
        patch.set(slot_at(self.bytes.len(), 0, kept - 1), &slots);
        patch
    }

    /// The change that inserts a downlink, in the order of the keys, into an inner page that has room.
    pub fn insert_downlink(&self, downlink: Downlink) -> Patch {
        let at = self.lows_to(downlink.low);
        let size = self.bytes.len();
        let mut patch = Patch::default();
        patch.set_bounds(size, self.header.level, self.count + 1);
        let bits: Vec<u8> =
            [downlink.low.bits().to_ne_bytes()].iter().chain(&self.bits()[at..]).flatten().copied().collect();
        patch.set(CONTENT + at * BITS, &bits);
        let last = slot_at(size, self.header.level, self.count);
        let end = slot_at(size, self.header.level, at) + DOWNLINK;
        let mut slots = self.bytes[last + DOWNLINK..end].to_vec();
        slots.extend(downlink_slot(downlink));
        patch.set(last, &slots);
        patch
    }
}

/// A change of a page: a list of (offset, length, bytes). Offset and length have two bytes each. The generic WAL records of the
/// server describe the changes of a page in this format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch(Vec<u8>);

impl Patch {
    fn set(&mut self, offset: usize, bytes: &[u8]) {
        self.0.extend((offset as u16).to_ne_bytes());
        self.0.extend((bytes.len() as u16).to_ne_bytes());
        self.0.extend(bytes);
    }

    /// Sets the bounds of the free space of a page of `size` bytes with `count` entries.
    fn set_bounds(&mut self, size: usize, level: u8, count: usize) {
        self.set(LOWER_AT, &bounds(size, level, count));
    }

    fn set_entry(&mut self, size: usize, at: usize, entry: Entry) {
        self.set(CONTENT + at * BITS, &entry.bits.to_ne_bytes());
        self.set(slot_at(size, 0, at), &entry.tid.to_bytes());
    }

    /// The change as the log stores it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Changes a page. It does not allocate, and does not fail for a patch that was made from this page.
    pub fn apply(&self, page: &mut [u8]) {
        let mut rest = &self.0[..];
        while let Some((head, tail)) = rest.split_at_checked(4) {
            let (offset, len) = (usize::from(word(head, 0)), usize::from(word(head, 2)));
            let Some((bytes, next)) = tail.split_at_checked(len) else { return };
            if let Some(target) = page.get_mut(offset..offset + len) {
                target.copy_from_slice(bytes);
            }
            rest = next;
        }
    }
}

/// A page that is made in memory, before it is stored as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image(Vec<u8>);

impl Image {
    fn empty(size: usize, header: Header, count: usize) -> Image {
        let mut bytes = vec![0; size];
        bytes[LOWER_AT..LOWER_AT + 4].copy_from_slice(&bounds(size, header.level, count));
        let stored = &mut bytes[SERVER_HEADER..CONTENT];
        stored[..8].copy_from_slice(&header.high.bits().to_ne_bytes());
        stored[8..14].copy_from_slice(&header.high.tid().to_bytes());
        stored[14] = header.high.rotation();
        stored[15] = header.level;
        stored[16..20].copy_from_slice(&header.right.unwrap_or(NONE).to_ne_bytes());
        stored[20] = header.rotation;
        stored[22..].copy_from_slice(&PAGE_ID.to_ne_bytes());
        Image(bytes)
    }

    /// A leaf of `size` bytes.
    pub fn leaf(size: usize, header: Header, entries: &[Entry]) -> Image {
        let mut image = Image::empty(size, header, entries.len());
        let in_order = entries.windows(2).take_while(|pair| pair[0].bits <= pair[1].bits).count();
        image.0[SORTED_AT] = in_steps((in_order + 1).min(entries.len()));
        for (at, entry) in entries.iter().enumerate() {
            let bits = CONTENT + at * BITS;
            image.0[bits..bits + BITS].copy_from_slice(&entry.bits.to_ne_bytes());
            let slot = slot_at(size, 0, at);
            image.0[slot..slot + TID_BYTES].copy_from_slice(&entry.tid.to_bytes());
        }
        image
    }

    /// An inner page of `size` bytes.
    pub fn inner(size: usize, header: Header, downlinks: &[Downlink]) -> Image {
        let mut image = Image::empty(size, header, downlinks.len());
        for (at, downlink) in downlinks.iter().enumerate() {
            let bits = CONTENT + at * BITS;
            image.0[bits..bits + BITS].copy_from_slice(&downlink.low.bits().to_ne_bytes());
            let slot = slot_at(size, header.level, at);
            image.0[slot..slot + DOWNLINK].copy_from_slice(&downlink_slot(*downlink));
        }
        image
    }

    /// A page of `size` bytes that is not part of the tree, with `content` after the server header.
    pub fn plain(size: usize, content: &[u8]) -> Image {
        let mut bytes = vec![0; size];
        let lower = SERVER_HEADER + content.len();
        bytes[SERVER_HEADER..lower].copy_from_slice(content);
        bytes[LOWER_AT..UPPER_AT].copy_from_slice(&(lower as u16).to_ne_bytes());
        bytes[UPPER_AT..UPPER_AT + 2].copy_from_slice(&(size as u16).to_ne_bytes());
        Image(bytes)
    }

    /// The bytes of the page. In the server header only the bounds of the free space are set.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// How many entries or downlinks fit into a page of `size` bytes.
pub const fn capacity(size: usize, level: u8) -> usize {
    (size - CONTENT) / (BITS + slot_bytes(level))
}

/// The number of sorted entries as the tree header stores it. It may be less than `sorted`, never more.
fn in_steps(sorted: usize) -> u8 {
    u8::try_from(sorted / SORTED_STEP).unwrap_or(u8::MAX)
}

/// Which bytes of a leaf have the fingerprints of `part` of its key range, which is 0 to 1. The leaf has `size` bytes, is as full
/// as usual, and its fingerprints are spread evenly.
pub fn usual_position(size: usize, part: Range<f64>) -> Range<usize> {
    let bytes = (capacity(size, 0) * BITS * 9 / 10) as f64;
    let at = |share: f64| CONTENT + (share * bytes) as usize;
    at(part.start).saturating_sub(BITS * NEARBY)..at(part.end) + BITS * NEARBY
}

const fn slot_bytes(level: u8) -> usize {
    if level == 0 { TID_BYTES } else { DOWNLINK }
}

/// Where slot number `at` begins.
const fn slot_at(size: usize, level: u8, at: usize) -> usize {
    size - (at + 1) * slot_bytes(level)
}

/// The bounds of the free space as the server header stores them.
fn bounds(size: usize, level: u8, count: usize) -> [u8; 4] {
    let lower = ((CONTENT + count * BITS) as u16).to_ne_bytes();
    let upper = ((size - count * slot_bytes(level)) as u16).to_ne_bytes();
    [lower[0], lower[1], upper[0], upper[1]]
}

fn downlink_slot(downlink: Downlink) -> [u8; DOWNLINK] {
    let mut slot = [0; DOWNLINK];
    slot[..4].copy_from_slice(&downlink.child.to_ne_bytes());
    slot[4..10].copy_from_slice(&downlink.low.tid().to_bytes());
    slot[10] = downlink.low.rotation();
    slot
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes(array(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(array(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(array(bytes, at))
}

fn tid_at(bytes: &[u8], at: usize) -> Tid {
    Tid::from_bytes(array(bytes, at))
}

#[cfg(test)]
mod tests;
