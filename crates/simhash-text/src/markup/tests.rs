use super::*;
use crate::chunk::chunk_len;
use crate::fingerprint::Fingerprinter;
use crate::options::Options;
use proptest::prelude::*;

/// The text of a page.
fn text(html: &str) -> String {
    let mut checkpoint = || ();
    let mut source = Source::new(html, Markup::Html, chunk_len, &mut checkpoint);
    let mut text = String::new();
    while let Some(chunk) = source.next_chunk().expect("enough memory") {
        text.push_str(chunk);
    }
    text
}

#[test]
fn tags_attributes_and_comments_go() {
    assert_eq!(
        text(
            "<!DOCTYPE html><html lang=en><body class='a > b'><p title=\"x>y\">one</p><!-- no -- > no --></body>"
        ),
        "one"
    );
    assert_eq!(text("a<!>b<!-->c<!--->d<?php no ?>e</3>f<![CDATA[no]]>g"), "abcdefg");
    assert_eq!(text("1 < 2 && 3 > 2 <é <中"), "1 < 2 && 3 > 2 <é <中");
    assert_eq!(text("before<p unfinished='"), "before");
    assert_eq!(text(""), "");
}

#[test]
fn entities_are_decoded() {
    assert_eq!(
        text("&lt;b&gt; &amp;amp; &eacute;&#233;&#xE9; &#20013;&#x6587; &notit; &copy &bogus; &#0; AT&T"),
        "<b> &amp; ééé 中文 ¬it; © &bogus; \u{FFFD} AT&T"
    );
    assert_eq!(text("a&nbsp;b&#10;c"), "a\u{A0}b c");
}

#[test]
fn blocks_separate_words_and_inline_elements_do_not() {
    assert_eq!(text("in<b>ter</b>na<i>tion</i>al <a href=x>li</a>nk"), "international link");
    assert_eq!(text("<P>one<P>two<BR>three<br/>four</p>five<hr>six"), "one\ntwo\nthree\nfour\nfive\nsix");
    assert_eq!(text("<ul><li>a<li>b</ul><dl><dt>c<dd>d</dl>"), "a\nb\nc\nd");
    assert_eq!(text("<table><tr><td>a<td>b<tr><th>c</table><h1>d</h1>e"), "a\nb\nc\nd\ne");
    assert_eq!(text("<x-card>a</x-card><x-card>b</x-card><wbr>c<img src=x>d"), "abcd");
    assert_eq!(text("<select><option>a<option>b</select><button>c</button>d"), "a\nb\nc\nd");
}

#[test]
fn white_space_is_folded_but_for_preformatted_text() {
    assert_eq!(text("  <p>\n  one \r\n two  </p>\n\n <p> <b> three</b> </p>  "), "one two\nthree");
    assert_eq!(text("<pre>one\n  two</pre>three\nfour"), "one\ntwo\nthree four");
    assert_eq!(text("<textarea>\none &lt; <b>two\nthree</textarea>four"), "one < <b>two\nthree\nfour");
    assert_eq!(text("a<xmp><b>&amp;</xmp>c"), "a\n<b>&amp;\nc");
    assert_eq!(text("a<plaintext><p>b</plaintext>"), "a\n<p>b</plaintext>");
}

#[test]
fn what_is_not_content_is_left_out() {
    let page = "<html><head><meta charset=utf-8><title>no &amp; no</title><style>p { no }</style><script>if (a < b) '<p>no</p>'</script>\
        <noscript><img src=no>no</noscript></head><body><header>Site</header><nav><ul><li>no</ul></nav>\
        <main><article><h1>Title</h1><p>Text<script>no</script>s.</article></main>\
        <aside>no<p>no</aside><template><div>no</div></template><footer>no</footer></body></html>";
    assert_eq!(text(page), "Site\nTitle\nText\ns.");
    // The tags of the head may be missing. An element that cannot be in the head begins the body.
    assert_eq!(text("<title>no</title><meta name=x><p>yes"), "yes");
    assert_eq!(text("<head><title>no</title>yes<p>and yes</head>too"), "yes\nand yes\ntoo");
    assert_eq!(text("<iframe><p>no</iframe><noframes>no</noframes>yes"), "yes");
    assert_eq!(text("<script><!-- <script> </script> no --></script>yes"), "yes");
    assert_eq!(text("<SCRIPT>no</ScRiPt >yes<Nav>no</NAV>too"), "yes\ntoo");
    // A slash does not close an element of HTML.
    assert_eq!(text("<script/>no</script>yes"), "yes");
    assert_eq!(text("yes<div/><nav/>no</nav>too"), "yes\ntoo");
}

#[test]
fn elements_within_each_other() {
    assert_eq!(text("a<nav>no<nav>no</nav>no</nav>b"), "a\nb");
    assert_eq!(text("a<aside>no<footer>no</footer>no<nav>no</nav></aside>b"), "a\nb");
    assert_eq!(text("a<template>no<nav>no</template>b"), "a\nb");
    assert_eq!(text("a<nav>no<template></nav>no</template>no</nav>b"), "a\nb");
    assert_eq!(text("</nav>a</aside></div>b"), "a\nb");
}

#[test]
fn missing_end_tags() {
    // The end of an element also ends the elements in it.
    assert_eq!(text("<div><nav>no</div>yes"), "yes");
    assert_eq!(text("<section><div><aside><div>no</div><p>no</section>yes"), "yes");
    assert_eq!(text("<ul><li><nav>no</li><li>yes</ul>"), "yes");
    // An item in a list of the navigation does not end the item outside.
    assert_eq!(text("<ul><li>a<nav><ul><li>no<li>no</ul>no</nav>b</ul>"), "a\nb");
    // Cells, rows and tables end the elements in them.
    assert_eq!(text("<table><tr><td><nav>no<td>yes<tr><td>too</table>end"), "yes\ntoo\nend");
    assert_eq!(text("<table><tr><td><nav>no</table>end"), "end");
    // But they do not end elements outside.
    assert_eq!(text("<nav><table><tr><td>no</nav>no</div>no</table>no</nav>end"), "end");
    assert_eq!(text("<div><nav><span>no</span></b></span>no</nav>yes</div>"), "yes");
    // The navigation ends where the content begins.
    assert_eq!(text("<nav><a>no</a><main><p>yes</main>too"), "yes\ntoo");
    assert_eq!(text("<nav><template><main>no</main></template>no</nav>yes"), "yes");
    // An element that never ends is not left out, but the elements that end in it are.
    assert_eq!(text("a<nav>b<aside>no</aside>c<p>d"), "a\nb\nc\nd");
    assert_eq!(text("a<nav>b<aside>c</body></html>"), "a\nb\nc");
    assert_eq!(text("<p>a<footer>b"), "a\nb");
    // By the standard, only its own end tag ends a raw element.
    assert_eq!(text("a<title>no<p>no"), "a");
    assert_eq!(text("a<style>no</script>no"), "a");
}

#[test]
fn pictures_and_formulas() {
    assert_eq!(
        text(
            "a<svg><title>no</title><style>no</style><text>b</text><text>c</text><script>no</script></svg>d"
        ),
        "a\nb\nc\nd"
    );
    assert_eq!(text("<svg><script/><style/><text>yes</text></svg>too"), "yes\ntoo");
    assert_eq!(text("<svg><![CDATA[x < y]]></svg>z"), "x < yz");
    assert_eq!(text("<math><mi>x</mi><mo>+</mo></math>"), "x+");
    // A block ends an `svg` that is not closed. After that, CDATA is a comment again.
    assert_eq!(text("<svg><g><p>one<![CDATA[no]]><p>two"), "one\ntwo");
    assert_eq!(
        text("<svg><foreignObject><p>one<nav>no</nav></foreignObject><text>two</text></svg>"),
        "one\ntwo"
    );
}

#[test]
fn depth_is_bounded() {
    let deep = |n: usize| format!("{}x<nav>no</nav>{}y", "<div>".repeat(n), "</div>".repeat(n));
    assert_eq!(text(&deep(500)), "x\ny");
    // At a depth where elements are not remembered, a navigation is not recognised.
    assert_eq!(text(&deep(5_000)), "x\nno\ny");
    assert_eq!(text(&format!("{}<nav>no</nav>x", deep(5_000))), "x\nno\ny\nx");
}

/// The memory of the tokenizer is bounded, and checkpoints come at a steady pace, for long parts of every kind.
#[test]
fn long_parts() {
    let long = |begin: &str, part: &str| format!("{begin}{}", part.repeat((1 << 20) / part.len()));
    for html in [
        long("", "text "),
        long("", "x"),
        long("", "中文"),
        long("<!--", "comment"),
        long("<", "name"),
        long("<p ", "attribute"),
        long("<p a='", "value"),
        long("<title></", "letters"),
        long("<script><!--<script></", "letters"),
        long("&", "letters"),
        long("&#", "1"),
        long("<!DOCTYPE html PUBLIC '", "x"),
        long("", "<p>"),
        long("", "<nav>"),
        long("", "<nav></div>"),
        long("<nav>", "text "),
        long("<svg><![CDATA[", "x"),
    ] {
        let mut checks = 0;
        let mut checkpoint = || checks += 1;
        let mut source = Source::new(&html, Markup::Html, chunk_len, &mut checkpoint);
        while source.next_chunk().expect("enough memory").is_some() {}
        drop(source);
        assert!(checks >= 60, "{checks}: {}", &html[..30]);
    }
}

/// The chunks are those of the text without markup, wherever the tokenizer stops.
#[test]
fn chunks_of_long_pages() {
    let plain = "some words 和一些文字，".repeat(5_000);
    let html = plain.replace("words", "w<b>or</b>d&#115;");
    let chunks = |text: &str, markup| {
        let mut checkpoint = || ();
        let mut source = Source::new(text, markup, chunk_len, &mut checkpoint);
        let mut chunks = Vec::new();
        while let Some(chunk) = source.next_chunk().expect("enough memory") {
            chunks.push(chunk.to_owned());
        }
        chunks
    };
    assert!(chunks(&plain, Markup::None).len() > 5);
    assert_eq!(chunks(&html, Markup::Html), chunks(&plain, Markup::None));
}

fn fingerprint(text: &str, json: &str) -> Option<u64> {
    let options = Options::from_json(json).expect("valid options");
    let fingerprint =
        Fingerprinter::default().fingerprint(text, &options, &mut || ()).expect("enough memory");
    fingerprint.map(|[bits]| bits)
}

/// A part of a page: its markup, and its text as lines. The first and the last line continue in the text around the part.
#[derive(Clone, Debug)]
struct Part {
    html: String,
    lines: Vec<String>,
}

impl Part {
    fn inline(html: String, text: &str) -> Part {
        Part { html, lines: vec![text.to_owned()] }
    }

    fn after(mut self, other: Part) -> Part {
        let mut lines = other.lines;
        let first = self.lines.remove(0);
        lines.last_mut().expect("a line").push_str(&first);
        lines.append(&mut self.lines);
        Part { html: other.html + &self.html, lines }
    }

    /// The part in its own block.
    fn block(self, start: &str, end: &str) -> Part {
        let lines = [vec![String::new()], self.lines, vec![String::new()]].concat();
        Part { html: format!("{start}{}{end}", self.html), lines }
    }

    /// The part without its text: only the line break stays.
    fn left_out(self, start: &str, end: &str) -> Part {
        Part { html: format!("{start}{}{end}", self.html), lines: vec![String::new(); 2] }
    }

    fn text(&self) -> String {
        let folded = self
            .lines
            .iter()
            .map(|line| line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "));
        folded.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

fn part() -> impl Strategy<Value = Part> {
    let word = prop_oneof![
        "[a-c]{1,4}|[中文臺]{1,3}| |  ".prop_map(|text| Part::inline(text.clone(), &text)),
        "\n\t".prop_map(|text| Part::inline(text, " ")),
        Just(Part::inline("&lt;p&gt;&#x4e2d;".to_owned(), "<p>中")),
        Just(Part::inline("<!-- <p>no -->".to_owned(), "")),
        Just(Part::inline("<img alt='<p>no'>".to_owned(), "")),
        Just(Part::inline(String::new(), "").block("<br>", "")),
        Just(Part::inline("no</p>".to_owned(), "").left_out("<script>", "</script>")),
        Just(Part::inline("<p>no".to_owned(), "").left_out("<style>", "</style >")),
        Just(Part::inline("<img src=no>".to_owned(), "").left_out("<noscript><i>", "</noscript>")),
        Just(Part::inline("&amp;no".to_owned(), "").left_out("<title>", "</title>")),
    ];
    word.prop_recursive(5, 60, 6, |inner| {
        let several = prop::collection::vec(inner, 0..6).prop_map(|parts| {
            let empty = Part::inline(String::new(), "");
            parts.into_iter().fold(empty, |before, part| part.after(before))
        });
        (several, 0usize..15).prop_map(|(part, how)| match how {
            0 => Part { html: format!("<b class=x>{}</b>", part.html), ..part },
            1 => Part { html: format!("<SPAN>{}</sPan>", part.html), ..part },
            2 => part.block("<div id='>'>", "</div>"),
            3 => part.block("<section>", "</section>"),
            4 => part.block("<ul><li>", "</ul>"),
            5 => part.block("<table><tr><td>", "</table>"),
            6 => part.block("<table><tbody><tr><th>", "</th></tr></tbody></table>"),
            7 => part.block("<h2>", "</h2>"),
            8 => part.block("<article>", "</article>"),
            9 => part.left_out("<nav>", "</nav>"),
            10 => part.left_out("<aside class=a>", "</aside>"),
            11 => part.left_out("<FOOTER>", "</footer>"),
            12 => part.left_out("<template>", "</template>"),
            13 => part.left_out("<div><nav>", "</div>"),
            _ => part,
        })
    })
}

/// The text of elements that have not ended is kept at the end, in pieces of the same size as other text.
#[test]
fn unclosed_elements_come_piece_by_piece() {
    let words = "中文 and words. ".repeat(50_000);
    for start in ["<nav>", "<p>before<aside><footer>", "<template>"] {
        let page = format!("{start}{words}");
        let mut checkpoint = || ();
        let mut source = Source::new(&page, Markup::Html, chunk_len, &mut checkpoint);
        let mut read = String::new();
        while let Some(chunk) = source.next_chunk().expect("enough memory") {
            assert!(chunk.len() <= CHUNK_BYTES);
            read.push_str(chunk);
            let Source::Html(html) = &source else { panic!("a page") };
            assert!(html.text.len() <= 4 * CHUNK_BYTES, "{start}: {} bytes at once", html.text.len());
        }
        let before = if start.contains("before") { "before\n" } else { "" };
        assert_eq!(read, format!("{before}{}", words.trim_end()));
    }
}

proptest! {
    #[test]
    fn a_page_says_what_it_was_made_of(part in part()) {
        prop_assert_eq!(text(&part.html), part.text(), "{}", part.html);
    }

    #[test]
    fn pages_in_one_template_are_their_text(part in part()) {
        let page = format!(
            "<!DOCTYPE html><html><head><title>Site</title><style>p {{}}</style></head><body><nav><ul><li><a href=/>Home</a></ul>\
             </nav><main>{}</main><aside>More</aside><footer><p>About us</footer><script>x()</script></body></html>",
            part.html
        );
        for (with, without) in [
            (r#"{"markup": "html"}"#, "{}"),
            (r#"{"markup": "html", "weights": "log", "runs": [1, 3]}"#, r#"{"weights": "log", "runs": [1, 3]}"#),
            (r#"{"markup": "html", "features": "characters"}"#, r#"{"features": "characters"}"#),
        ] {
            prop_assert_eq!(fingerprint(&page, with), fingerprint(&part.text(), without));
        }
    }

    /// For every input, the text has no white space at its ends and no empty lines.
    #[test]
    fn soup_of_tags(
        html in "((</?(nav|p|div|td|table|tr|li|ul|template|svg|math|script|title|main|foreignObject|textarea|pre|object|h1)[ /]{0,2}>)|<!--|-->|&[a-z#0-9]{1,4};?|[ab<>&/\"'= \n中é]|<!\\[CDATA\\[|\\]\\]>){0,40}",
    ) {
        let text = text(&html);
        prop_assert_eq!(text.trim_matches([' ', '\n']), text.as_str());
        prop_assert!(!text.contains("\n\n") && !text.contains("  "));
    }

    #[test]
    fn any_text(html in any::<String>()) {
        text(&html);
    }
}
