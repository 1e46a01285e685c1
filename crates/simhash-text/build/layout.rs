//! Words → a trie of their characters, as a double array.
//!
//! A node is a prefix of words. The children of a node stand in one array of cells, the child by the character with the
//! code `c` at `base + c`; the cell names `c`, and no two nodes have the same base, so a cell that names `c` there is the
//! child and no other. Many children leave few places to fit in, and single characters have up to a thousand: those have
//! several bases, one for each group of children by the lowest bits of their codes.

use std::collections::BTreeMap;

/// Codes below this are no character of a word: `src/dictionary.rs` has names for them.
pub const FIRST_CODE: u16 = 3;

/// The code of a cell that is free.
const FREE: u16 = u16::MAX;

/// All that the library needs.
pub struct Tables {
    /// The code of each character of the basic plane; 0 where no word has it.
    pub codes: Vec<u16>,
    /// By its code, the node of a single character. It has the place of its first base, and in the place of its own code
    /// those bits of a child's code that select the base.
    pub roots: Vec<u64>,
    /// The bases of single characters; the first is that of no children.
    pub bases: Vec<u32>,
    /// All other nodes.
    pub cells: Vec<u64>,
    /// The frequencies that words have, by rank; the first is that of no word.
    pub frequencies: Vec<u32>,
    /// The sum of the frequencies of all words.
    pub total: u64,
}

/// A node: the code of its last character, the rank of its frequency, and where its children are; 0 where it is no word
/// and has none.
fn cell(code: u16, rank: u16, base: u32) -> u64 {
    u64::from(code) | u64::from(rank) << 16 | u64::from(base) << 32
}

impl Tables {
    /// Lays out words with their frequencies.
    pub fn new(words: &[(&str, u32)]) -> Tables {
        let mut frequencies = vec![1];
        let mut distinct: Vec<u32> = words.iter().map(|(_, frequency)| *frequency).collect();
        distinct.sort_unstable_by(|a, b| b.cmp(a));
        distinct.dedup();
        frequencies.extend(distinct);
        let rank = |frequency: u32| {
            let place =
                frequencies[1..].binary_search_by(|other| frequency.cmp(other)).expect("a known frequency");
            u16::try_from(place + 1).expect("few distinct frequencies")
        };
        let codes = codes(words);
        let mut entries: Vec<(Vec<u16>, u16)> = words
            .iter()
            .map(|(word, frequency)| (word.chars().map(|c| codes[c as usize]).collect(), rank(*frequency)))
            .collect();
        entries.sort_unstable();
        assert!(
            entries.windows(2).all(|pair| pair[0].0 != pair[1].0),
            "a word stands twice in the dictionary"
        );
        let nodes = nodes(&entries);
        let (families, firsts) = families(&nodes);
        let (placed, len) = place(&families);
        let count = codes.iter().max().map_or(0, |last| usize::from(*last) + 1);
        // Some room behind: whatever the code, its place is inside.
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
            let mut place = cell(0, root.rank, 0);
            if let Some(node) = root.node {
                let mask = nodes[node].mask();
                place = cell(mask, root.rank, u32::try_from(bases.len()).expect("few bases"));
                bases.extend_from_slice(&placed[firsts[node]..][..=usize::from(mask)]);
            }
            roots[usize::from(root.code)] = place;
        }
        let total = words.iter().map(|(_, frequency)| u64::from(*frequency)).sum();
        Tables { codes, roots, bases, cells, frequencies, total }
    }
}

/// A code for each character of the words. Frequent characters have the low ones, so that what is read most lies close
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

/// A node with children. The first of all is the root, whose children are the single characters.
struct Node {
    children: Vec<Child>,
    /// The length of the prefix.
    depth: usize,
}

struct Child {
    code: u16,
    rank: u16,
    /// Its number among the nodes with children, if it has some.
    node: Option<usize>,
}

/// A group of children of single characters has about so many.
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

/// All nodes with children, of words in order.
fn nodes(entries: &[(Vec<u16>, u16)]) -> Vec<Node> {
    let mut nodes = vec![Node { children: Vec::new(), depth: 0 }];
    // Nodes, the words that begin with their prefix, and the length of that.
    let mut open = vec![(0, 0..entries.len(), 0)];
    while let Some((node, range, depth)) = open.pop() {
        let mut start = range.start;
        while start < range.end {
            // A shorter word comes before the longer ones, and belongs to the node itself.
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

/// Children that have one base.
type Family<'a> = Vec<&'a Child>;

/// All families but that of the root, and for each node the number of its first.
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

/// A base for each family, and how many cells that takes. A family without children has base 0.
fn place(families: &[Family]) -> (Vec<u32>, usize) {
    let mut order: Vec<usize> = (0..families.len()).filter(|family| !families[*family].is_empty()).collect();
    // The largest first, and those with low codes, because only those fit in the first cells.
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
    /// For each cell, itself where it is free, and otherwise a later cell that nothing free stands before.
    next: Vec<usize>,
    is_base: Vec<bool>,
    /// No cell before it is tried any more, by the logarithm of the number of children.
    starts: [usize; 16],
}

/// Tries for a family that are not too many.
const TRIES: usize = 64;

impl Room {
    /// Takes cells for children with these codes, and returns their base.
    fn take(&mut self, codes: &[usize]) -> usize {
        let kind = codes.len().ilog2() as usize;
        let mut first = self.free(self.starts[kind]);
        for tries in 1.. {
            // Behind the last cell that is taken everything is free.
            let base = first.saturating_sub(codes[0]);
            let is_base = base == 0 || self.is_base.get(base).is_some_and(|taken| *taken);
            if !is_base && codes.iter().all(|code| self.is_free(base + code)) {
                self.mark(base, codes);
                return base;
            }
            // The holes before it are left to smaller families, which fit nearly anywhere.
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

    /// The first free cell from this one on.
    fn free(&mut self, cell: usize) -> usize {
        let mut free = cell;
        while !self.is_free(free) {
            free = self.next[free];
        }
        // The next search is shorter.
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
