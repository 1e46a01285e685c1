//! The open elements, by those rules of the standard's tree construction that determine where an element ends.
//!
//! An end tag ends the innermost open element of its name and all elements in it, unless a fence (`Kind::Fence` and others) is
//! between them: an end tag inside a cell of a table does not end a block outside the table. A start tag ends elements that cannot
//! contain the new one: an item ends the previous item, a cell ends the previous cell. So an element whose end tag is missing ends
//! with the element around it.

use super::element::{Element, Kind};

/// Elements deeper than this are only counted, as in browsers.
const DEEPEST: usize = 512;

/// Headings. The end tag of any heading ends each of them.
const HEADINGS: [Element; 6] = [Element::H1, Element::H2, Element::H3, Element::H4, Element::H5, Element::H6];

/// The open elements, the outermost first.
pub struct Open {
    elements: Vec<Element>,
    /// The number of open elements of each name. Most elements that a tag could end are not open, and then no search is needed.
    counts: [u16; Element::COUNT],
    /// The number of open elements inside the deepest one that is remembered.
    deeper: usize,
}

impl Default for Open {
    fn default() -> Open {
        Open { elements: vec![], counts: [0; Element::COUNT], deeper: 0 }
    }
}

impl Open {
    /// The number of open elements that are remembered.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// An element by its depth.
    pub fn get(&self, depth: usize) -> Option<Element> {
        self.elements.get(depth).copied()
    }

    /// Keeps only the `len` outermost elements.
    pub fn truncate(&mut self, len: usize) {
        for element in self.elements.drain(len.min(self.elements.len())..) {
            self.counts[element as usize] -= 1;
        }
    }

    /// Whether an element of this name is open.
    fn has(&self, element: Element) -> bool {
        self.counts[element as usize] > 0
    }

    /// Opens an element, and returns whether it is remembered.
    pub fn push(&mut self, element: Element) -> bool {
        if self.elements.len() < DEEPEST {
            self.elements.push(element);
            self.counts[element as usize] += 1;
            return true;
        }
        self.deeper += 1;
        false
    }

    /// Whether the rules of `svg` or `math` apply in the innermost element.
    pub fn is_foreign(&self) -> bool {
        let innermost = self.elements.iter().rev().find_map(|element| match element.kind() {
            Kind::Foreign => Some(true),
            Kind::ForeignHtml => Some(false),
            _ => None,
        });
        innermost.unwrap_or(false)
    }

    /// How many elements stay open at a start tag.
    pub fn kept_by_start(&self, element: Element) -> usize {
        let all = self.elements.len();
        let holds_table = |open: &Element| open.kind() == Kind::Cell || *open == Element::Caption;
        match element.kind() {
            Kind::Item => self.kept_by_item(element),
            Kind::Heading if self.elements.last().is_some_and(|open| open.kind() == Kind::Heading) => all - 1,
            // A table can be in a cell or a caption of another table, but not beside them.
            Kind::Table => {
                self.table().filter(|table| !self.elements[*table..].iter().any(holds_table)).unwrap_or(all)
            }
            Kind::TablePart => self.kept_in_table(&[Kind::Table]),
            Kind::Row => self.kept_in_table(&[Kind::Table, Kind::TablePart]),
            Kind::Cell => self.kept_in_table(&[Kind::Table, Kind::TablePart, Kind::Row]),
            _ => all,
        }
    }

    /// How many elements stay open at an end tag; `None` if the end tag has no effect.
    pub fn kept_by_end(&mut self, element: Element) -> Option<usize> {
        if self.deeper > 0 {
            self.deeper -= 1;
            return None;
        }
        let kind = element.kind();
        let is_open = match kind {
            Kind::Heading => HEADINGS.into_iter().any(|heading| self.has(heading)),
            _ => self.has(element),
        };
        if !is_open {
            return None;
        }
        let is_ended = |open: Element| match kind {
            Kind::Heading => open.kind() == Kind::Heading,
            _ => open == element,
        };
        let is_fence = |open: Element| match kind {
            _ if open == Element::Template => true,
            _ if element == Element::Template => false,
            Kind::Table => false,
            Kind::TablePart | Kind::Row | Kind::Cell => open.kind() == Kind::Table,
            Kind::Item if element == Element::Li && matches!(open, Element::Ul | Element::Ol) => true,
            _ => {
                matches!(open.kind(), Kind::Table | Kind::Cell | Kind::Fence | Kind::ForeignHtml)
                    || open == Element::Caption
            }
        };
        for (depth, &open) in self.elements.iter().enumerate().rev() {
            if is_ended(open) {
                return Some(depth);
            }
            if is_fence(open) {
                return None;
            }
        }
        None
    }

    /// Whether a table is open that can have parts.
    pub fn is_in_table(&self) -> bool {
        self.table().is_some()
    }

    /// The depth of the innermost open table; `None` if a template is open inside it.
    fn table(&self) -> Option<usize> {
        if !self.has(Element::Table) {
            return None;
        }
        let innermost = |open: &Element| open.kind() == Kind::Table || *open == Element::Template;
        self.elements.iter().rposition(innermost).filter(|&depth| self.elements[depth] == Element::Table)
    }

    /// How many elements stay open at an item. An item ends the previous one, unless it is in another block.
    fn kept_by_item(&self, element: Element) -> usize {
        let is_same = |open: Element| match element {
            Element::Li => open == Element::Li,
            _ => matches!(open, Element::Dd | Element::Dt),
        };
        for (depth, &open) in self.elements.iter().enumerate().rev() {
            if is_same(open) {
                return depth;
            }
            if !matches!(open, Element::Address | Element::Div | Element::Svg | Element::Math) {
                break;
            }
        }
        self.elements.len()
    }

    /// How many elements stay open at a part of a table that has to be in one of `holders`.
    fn kept_in_table(&self, holders: &[Kind]) -> usize {
        let Some(table) = self.table() else { return self.elements.len() };
        let holder = |open: &Element| holders.contains(&open.kind()) && *open != Element::Caption;
        self.elements[table..].iter().rposition(holder).map_or(table, |depth| table + depth) + 1
    }
}
