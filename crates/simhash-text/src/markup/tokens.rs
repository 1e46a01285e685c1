//! Tokens of HTML → the text of the page.
//!
//! The text does not contain what HTML itself marks as not the content: `nav`, `aside`, `footer` and `template`, and the characters
//! of `title`, `script`, `style`, `noscript` and of elements that only old browsers show. The head of a page contains nothing else,
//! with its tags or without them: any other element that begins in it begins the body.
//!
//! An element that is left out ends by the rules in `open`, at the latest with the element around it, or where a `main` begins. If
//! such an element never ends, its text stays. Otherwise the rest of the page would be lost.

use super::element::{Element, Kind, Raw};
use super::flow::Flow;
use super::open::Open;
use crate::chunk::CHUNK_BYTES;
use html5gum::{Emitter, State};
use simhash_memory::OutOfMemory;

/// The maximum length of the name of a tag that is distinguished from others.
const LONGEST: usize = 16;

/// The name of a tag.
#[derive(Clone, Copy, Default)]
struct Name {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Name {
    fn push(&mut self, more: &[u8]) {
        for (slot, b) in self.bytes.iter_mut().skip(self.len).zip(more) {
            *slot = b.to_ascii_lowercase();
        }
        self.len = (self.len + more.len()).min(LONGEST + 1);
    }

    /// The name; empty if it is too long.
    fn get(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// An open element that is left out.
struct Aside {
    /// How many elements are open around it.
    depth: usize,
    /// The length of `held` before it began.
    held: usize,
}

/// Receives the tokens of a page, and returns its text.
#[derive(Default)]
pub struct Tokens {
    /// The text that is certainly not left out.
    text: Flow,
    /// The text of elements that are left out if they end.
    held: Flow,
    /// At the end of the page, the text of elements that have not ended. The part from `unclosed_at` on is not yet part of `text`.
    unclosed: Vec<u8>,
    unclosed_at: usize,
    asides: Vec<Aside>,
    open: Open,
    /// How many open elements keep their line breaks.
    preformatted: usize,
    /// How many open elements are `svg`, `math` or HTML inside these.
    foreign: usize,
    /// What happens to the characters up to the end tag of a raw element.
    raw: Option<Raw>,
    tag: Name,
    is_end_tag: bool,
    is_self_closing: bool,
    last_start_tag: Name,
    is_complete: bool,
    failure: Option<OutOfMemory>,
}

impl Tokens {
    /// The text that the next characters belong to.
    fn flow(&mut self) -> &mut Flow {
        if self.asides.is_empty() { &mut self.text } else { &mut self.held }
    }

    /// Processes a start tag, and returns the state that the tokenizer has to change to.
    fn start(&mut self, element: Element) -> Option<State> {
        let kind = element.kind();
        if self.is_foreign() {
            match kind {
                Kind::Separator
                | Kind::Block
                | Kind::Preformatted
                | Kind::Item
                | Kind::Heading
                | Kind::Table
                    if element != Element::Main =>
                {
                    self.leave_foreign()
                }
                Kind::ForeignText => {
                    self.flow().line();
                    return None;
                }
                // In `svg` and `math`, every element can close itself.
                _ if self.is_self_closing => return None,
                Kind::Raw(_, Raw::LeftOut) => {
                    self.open(element, true);
                    return None;
                }
                Kind::Raw(..) => return None,
                _ => (),
            }
        }
        match kind {
            Kind::ForeignText => (),
            Kind::Separator => self.flow().line(),
            Kind::Raw(state, becomes) => {
                self.flow().line();
                self.raw = Some(becomes);
                return Some(state);
            }
            Kind::Foreign | Kind::ForeignHtml | Kind::Fence => self.open(element, false),
            Kind::TablePart | Kind::Row | Kind::Cell if !self.open.is_in_table() => self.flow().line(),
            _ => {
                if element == Element::Main {
                    self.end_asides();
                }
                self.close(self.open.kept_by_start(element));
                self.flow().line();
                self.open(element, kind == Kind::LeftOut);
            }
        }
        None
    }

    /// Processes an end tag.
    fn end(&mut self, element: Element) {
        match element.kind() {
            Kind::Raw(..) if self.raw.is_some() => self.raw = None,
            Kind::Separator | Kind::ForeignText => (),
            _ => {
                if let Some(kept) = self.open.kept_by_end(element) {
                    self.close(kept);
                }
            }
        }
        if !matches!(element.kind(), Kind::Foreign | Kind::ForeignHtml | Kind::Fence) {
            self.flow().line();
        }
    }

    fn open(&mut self, element: Element, is_left_out: bool) {
        let depth = self.open.len();
        if !self.open.push(element) {
            return;
        }
        self.preformatted += usize::from(element.kind() == Kind::Preformatted);
        self.foreign += usize::from(matches!(element.kind(), Kind::Foreign | Kind::ForeignHtml));
        if is_left_out {
            self.asides.push(Aside { depth, held: self.held.len() });
        }
    }

    /// Closes all elements except the `kept` outermost ones.
    fn close(&mut self, kept: usize) {
        for element in (kept..self.open.len()).filter_map(|depth| self.open.get(depth)) {
            self.preformatted -= usize::from(element.kind() == Kind::Preformatted);
            self.foreign -= usize::from(matches!(element.kind(), Kind::Foreign | Kind::ForeignHtml));
        }
        self.open.truncate(kept);
        while let Some(aside) = self.asides.pop_if(|aside| aside.depth >= kept) {
            self.held.truncate(aside.held);
            self.text.line();
        }
    }

    /// Ends the elements that are left out, because the content begins. A template stays open.
    fn end_asides(&mut self) {
        let is_template = |aside: &Aside| self.open.get(aside.depth) == Some(Element::Template);
        let outermost = self.asides.iter().rposition(is_template).map_or(0, |template| template + 1);
        if let Some(aside) = self.asides.get(outermost) {
            self.close(aside.depth);
        }
    }

    fn is_foreign(&self) -> bool {
        self.foreign > 0 && self.open.is_foreign()
    }

    /// Closes `svg` or `math`, which cannot contain the next element.
    fn leave_foreign(&mut self) {
        while self.is_foreign() {
            let is_outer =
                |&depth: &usize| self.open.get(depth).is_some_and(|open| open.kind() == Kind::Foreign);
            let Some(depth) = (0..self.open.len()).rev().find(is_outer) else { return };
            self.close(depth);
        }
    }
}

impl Emitter for Tokens {
    type Token = Result<String, OutOfMemory>;

    fn pop_token(&mut self) -> Option<Result<String, OutOfMemory>> {
        if let Some(failure) = self.failure.take() {
            return Some(Err(failure));
        }
        // Piece by piece, so that a cancel is answered.
        while self.unclosed_at < self.unclosed.len() && self.text.len() <= CHUNK_BYTES {
            let end = self.unclosed.len().min(self.unclosed_at + CHUNK_BYTES);
            if let Err(failure) = self.text.push(&self.unclosed[self.unclosed_at..end], true) {
                return Some(Err(failure));
            }
            self.unclosed_at = end;
        }
        let is_due = self.text.len() > CHUNK_BYTES || self.is_complete && self.text.len() > 0;
        is_due.then(|| Ok(self.text.take()))
    }

    fn emit_eof(&mut self) {
        self.is_complete = true;
        self.unclosed = self.held.take_bytes();
        self.text.line();
    }

    fn emit_string(&mut self, text: &[u8]) {
        if self.raw == Some(Raw::LeftOut) || self.failure.is_some() {
            return;
        }
        let keeps_lines = self.preformatted > 0 || self.raw.is_some();
        self.failure = self.flow().push(text, keeps_lines).err();
    }

    fn init_start_tag(&mut self) {
        (self.tag, self.is_end_tag, self.is_self_closing) = (Name::default(), false, false);
    }

    fn init_end_tag(&mut self) {
        (self.tag, self.is_end_tag) = (Name::default(), true);
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.push(name);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let element = Element::named(self.tag.get());
        if self.is_end_tag {
            element.inspect(|element| self.end(*element));
            return None;
        }
        self.last_start_tag = self.tag;
        element.and_then(|element| self.start(element))
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end_tag && !self.tag.get().is_empty() && self.tag.get() == self.last_start_tag.get()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.is_foreign()
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag = Name::default();
        self.last_start_tag.push(name.unwrap_or_default());
    }

    // Comments, attributes and document types are not text.
    fn emit_error(&mut self, _: html5gum::Error) {}
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn init_attribute(&mut self) {}
    fn push_attribute_name(&mut self, _: &[u8]) {}
    fn push_attribute_value(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
}
