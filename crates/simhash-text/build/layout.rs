//! Words → a trie of their characters, as a double array.
//!
//! A node is a prefix of words. The children of all nodes are in one array of cells. The child for the character with the code `c`
//! is at `base + c`, and its cell contains `c`. No two nodes have the same base, so if the cell at `base + c` contains `c`, it is
//! this child and no other. A node with many children fits in few positions, and single characters have up to a thousand children.
//! Single characters therefore have several bases, one for each group of children. The lowest bits of a child's code select the
//! group.

use std::collections::BTreeMap;

/// Codes below this are not characters of words: `src/dictionary/table.rs` has names for them.
pub const FIRST_CODE: u16 = 3;

/// The code in a free cell.
const FREE: u16 = u16::MAX;

/// All tables that the library needs.
pub struct Tables {
    /// The code of each character of the Basic Multilingual Plane; 0 if it is in no word.
    pub codes: Vec<u16>,
    /// The nodes of single characters, by code. Instead of a base, such a node contains the index of its first base in `bases`.
    /// Instead of its own code, it contains a mask: those bits of a child's code that select the base.
    pub roots: Vec<u64>,
    /// The bases of single characters. The first one is for characters without children.
    pub bases: Vec<u32>,
    /// All other nodes.
    pub cells: Vec<u64>,
    /// The distinct frequencies of words, by rank. The first rank means that there is no word.
    pub frequencies: Vec<u32>,
    /// The sum of the frequencies of all words.
    pub total: u64,
}

/// A node: the code of its last character, the rank of its frequency (0 if it is not a word) and the base of its children (0 if it
/// has none).
fn cell(code: u16, rank: u16, base: u32) -> u64 {
    u64::from(code) | u64::from(rank) << 16 | u64::from(base) << 32
}

impl Tables {
    /// Builds the tables from words with their frequencies.
    pub fn new(words: &[(&str, u32)]) -> Tables {
        let mut frequencies = vec![1];
        let mut distinct: Vec<u32> = words.iter().map(|(_, frequency)| *frequency).collect();
        distinct.sort_unstable_by(|a, b| b.cmp(a));
        distinct.dedup();
        frequencies.extend(distinct);
        let rank = |frequency: u32| {
            let position =
                frequencies[1..].binary_search_by(|other| frequency.cmp(other)).expect("a known frequency");
            u16::try_from(position + 1).expect("few distinct frequencies")
        };
        let codes = codes(words);
        let mut entries: Vec<(Vec<u16>, u16)> = words
            .iter()
            .map(|(word, frequency)| (word.chars().map(|c| codes[c as usize]).collect(), rank(*frequency)))
            .collect();
        entries.sort_unstable();
        assert!(
            entries.windows(2).all(|pair| pair[0].0 != pair[1].0),
            "a word occurs twice in the dictionary"
        );
        let nodes = nodes(&entries);
        let (families, firsts) = families(&nodes);
        let (placed, len) = place(&families);
        let count = codes.iter().max().map_or(0, |last| usize::from(*last) + 1);
        // Extra cells at the end: `base + code` is inside the array for every code.
        let mut cells = vec![cell(FREE, 0, 0); len + count];
        for (family, base) in families.iter().zip(&placed) {
            for child in family {
                let longer = child.node.map_or(0, |node| placed[firsts[node]]);
                cells[*base as usize + usize::from(child.code)] = cell(child.code, child.rank, longer);
            }
        }
        let mut roots = vec![cell(0, 0, 0); count];
        let mut bases = vec![0];
        for root in &nodes[0].children {
            let mut packed = cell(0, root.rank, 0);
            if let Some(node) = root.node {
                let mask = nodes[node].mask();
                packed = cell(mask, root.rank, u32::try_from(bases.len()).expect("few bases"));
                bases.extend_from_slice(&placed[firsts[node]..][..=usize::from(mask)]);
            }
            roots[usize::from(root.code)] = packed;
        }
        let total = words.iter().map(|(_, frequency)| u64::from(*frequency)).sum();
        Tables { codes, roots, bases, cells, frequencies, total }
    }
}

/// A code for each character of the words. Frequent characters have low codes, so that the cells that are read most are close
/// together.
fn codes(words: &[(&str, u32)]) -> Vec<u16> {
    let mut uses: BTreeMap<char, u64> = BTreeMap::new();
    for (word, frequency) in words {
        for c in word.chars() {
            *uses.entry(c).or_default() += u64::from(*frequency);
        }
    }
    let mut characters: Vec<(char, u64)> = uses.into_iter().collect();
    characters.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
    let mut codes = vec![0; 0x10000];
    for (code, (c, _)) in (FIRST_CODE..FREE).zip(&characters) {
        assert!((*c as usize) < codes.len(), "a word with {c:?}, which is beyond the basic plane");
        codes[*c as usize] = code;
    }
    codes
}

/// A node with children. The first node is the root, whose children are the single characters.
struct Node {
    children: Vec<Child>,
    /// The length of the prefix.
    depth: usize,
}

struct Child {
    code: u16,
    rank: u16,
    /// Its index among the nodes with children; `None` if it has no children.
    node: Option<usize>,
}

/// The approximate number of children in a group, for single characters.
const GROUP: usize = 16;

impl Node {
    /// The bits of a child's code that select its group.
    fn mask(&self) -> u16 {
        match self.depth {
            1 => self.children.len().div_ceil(GROUP).next_power_of_two() as u16 - 1,
            _ => 0,
        }
    }
}

/// All nodes with children. The words are sorted.
fn nodes(entries: &[(Vec<u16>, u16)]) -> Vec<Node> {
    let mut nodes = vec![Node { children: Vec::new(), depth: 0 }];
    // Nodes to process: the node, the range of the words that begin with its prefix, and the length of the prefix.
    let mut open = vec![(0, 0..entries.len(), 0)];
    while let Some((node, range, depth)) = open.pop() {
        let mut start = range.start;
        while start < range.end {
            // A word comes before the longer words that begin with it, and belongs to the node itself.
            let code = entries[start].0[depth];
            let len = entries[start..range.end].partition_point(|(word, _)| word[depth] == code);
            let (mut rank, mut below) = (0, start..start + len);
            start = below.end;
            if entries[below.start].0.len() == depth + 1 {
                rank = entries[below.start].1;
                below.start += 1;
            }
            let child = (!below.is_empty()).then_some(nodes.len());
            nodes[node].children.push(Child { code, rank, node: child });
            if let Some(child) = child {
                nodes.push(Node { children: Vec::new(), depth: depth + 1 });
                open.push((child, below, depth + 1));
            }
        }
    }
    nodes
}

/// Children that share one base.
type Family<'a> = Vec<&'a Child>;

/// All families except the one of the root, and for each node the index of its first family.
fn families(nodes: &[Node]) -> (Vec<Family<'_>>, Vec<usize>) {
    let (mut families, mut firsts) = (Vec::new(), vec![0]);
    for node in &nodes[1..] {
        firsts.push(families.len());
        for group in 0..=node.mask() {
            families.push(node.children.iter().filter(|child| child.code & node.mask() == group).collect());
        }
    }
    (families, firsts)
}

/// A base for each family, and the number of cells that all families need. A family without children has base 0.
fn place(families: &[Family]) -> (Vec<u32>, usize) {
    let mut order: Vec<usize> = (0..families.len()).filter(|family| !families[*family].is_empty()).collect();
    // The largest families come first. Of equally large ones, those with low codes come first, because only low codes fit in the
    // first cells.
    order.sort_by_key(|family| (std::cmp::Reverse(families[*family].len()), families[*family][0].code));
    let mut bases = vec![0; families.len()];
    let mut room = Room::default();
    for family in order {
        let codes: Vec<usize> = families[family].iter().map(|child| usize::from(child.code)).collect();
        bases[family] = u32::try_from(room.take(&codes)).expect("few cells");
    }
    (bases, room.next.len())
}

/// Which cells and which bases are taken.
#[derive(Default)]
struct Room {
    /// For each free cell, the cell itself. For each taken cell, a later cell; no cell between the two is free.
    next: Vec<usize>,
    is_base: Vec<bool>,
    /// The first cell that is still tried, by the binary logarithm of the number of children.
    starts: [usize; 16],
}

/// After this many tries for a family, the search for families of its size starts at a later cell.
const TRIES: usize = 64;

impl Room {
    /// Takes cells for children with these codes, and returns their base.
    fn take(&mut self, codes: &[usize]) -> usize {
        let kind = codes.len().ilog2() as usize;
        let mut first = self.free(self.starts[kind]);
        for tries in 1.. {
            // All cells after the last taken cell are free.
            let base = first.saturating_sub(codes[0]);
            let is_base = base == 0 || self.is_base.get(base).is_some_and(|taken| *taken);
            if !is_base && codes.iter().all(|code| self.is_free(base + code)) {
                self.mark(base, codes);
                return base;
            }
            // Earlier free cells are left to smaller families, which fit almost anywhere.
            if tries > TRIES {
                self.starts[kind] = self.free(self.starts[kind] + 1);
            }
            first = self.free(first + 1);
        }
        unreachable!("there is room at the end")
    }

    fn is_free(&self, cell: usize) -> bool {
        self.next.get(cell).is_none_or(|next| *next == cell)
    }

    /// The first free cell at or after `cell`.
    fn free(&mut self, cell: usize) -> usize {
        let mut free = cell;
        while !self.is_free(free) {
            free = self.next[free];
        }
        // The cells on the path now refer to the free cell, so that the next search is shorter.
        let mut at = cell;
        while at != free {
            at = std::mem::replace(&mut self.next[at], free);
        }
        free
    }

    fn mark(&mut self, base: usize, codes: &[usize]) {
        let end = base + codes.iter().max().map_or(0, |last| last + 1);
        self.next.extend(self.next.len()..end);
        self.is_base.resize(self.is_base.len().max(base + 1), false);
        self.is_base[base] = true;
        codes.iter().for_each(|code| self.next[base + code] = base + code + 1);
    }
}
