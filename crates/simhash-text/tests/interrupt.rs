//! Long work can be interrupted: every phase calls checkpoints at a steady pace, for every kind of long text.

use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::{Options, Reading};
use simhash_text::sentence::signature;
use simhash_text::similarity::explain::Explanation;
use simhash_text::similarity::features::Comparison;
use simhash_text::similarity::{edit, passage};

/// How many checkpoints `work` calls.
fn checkpoints<T>(work: impl FnOnce(&mut dyn FnMut()) -> T) -> usize {
    let mut count = 0;
    work(&mut || count += 1);
    count
}

/// A megabyte of different words.
fn words(first: u32) -> String {
    (first..first + 100_000).map(|i| format!("word{i:06} ")).collect()
}

#[test]
fn texts_are_read_chunk_by_chunk() {
    let text = words(0);
    for json in ["{}", r#"{"weights": "log"}"#, r#"{"weights": "tfidf"}"#, r#"{"features": "characters"}"#] {
        let options = Options::from_json(json).expect("valid options");
        let narrow = checkpoints(|check| {
            Fingerprinter::default().fingerprint::<1>(&text, &options, check).expect("enough memory");
        });
        let wide = checkpoints(|check| {
            Fingerprinter::default().fingerprint::<4>(&text, &options, check).expect("enough memory");
        });
        assert!(narrow >= 60 && wide >= narrow, "{json}: {narrow}, {wide}");
    }
    assert!(
        checkpoints(|check| signature(&text, 3, Reading::default(), check).expect("enough memory")) >= 60
    );
}

/// Pages of all kinds of markup, some of which leave no text.
#[test]
fn pages_are_read_piece_by_piece() {
    const BYTES: usize = 512 << 10;
    let repeat = |start: &str, piece: &str| format!("{start}{}", piece.repeat(BYTES / piece.len()));
    let pages = [
        ("tags", repeat("", "<b></b>")),
        ("blocks", repeat("", "<p>a</p>\n")),
        ("nesting", repeat("", "<div><ul><li>")),
        ("end tags", repeat(&"<section>".repeat(600), "</div>")),
        ("one comment", repeat("<!--", "comment - ")),
        ("comments", repeat("", "<!---->")),
        ("one attribute", repeat("<p class=\"", "value &amp; ")),
        ("attributes", repeat("<p", " a=b")),
        ("one tag", repeat("<", "name")),
        ("script", repeat("<script>", "if (a < b) { </div> } <!-- ")),
        ("end tag in script", repeat("<script></", "script")),
        ("style", repeat("<style>", "p { margin: 0 }\n")),
        ("title", repeat("<title>", "&amp; title ")),
        ("entities", repeat("", "&amp;&#20013;")),
        ("unknown entity", repeat("&", "entity")),
        ("left out", repeat("<nav>", "menu item ") + "</nav>"),
        ("not left out", repeat("<nav>", "menu item ")),
        ("document type", repeat("<!DOCTYPE ", "html ")),
        ("white space", repeat("<p>", " \n\t")),
    ];
    let options = Options::from_json(r#"{"markup": "html"}"#).expect("valid options");
    for (name, page) in pages {
        let count = checkpoints(|check| {
            Fingerprinter::default().fingerprint::<1>(&page, &options, check).expect("enough memory");
        });
        assert!(count >= BYTES / (32 * 1024), "{name}: {count}");
    }
}

/// Reading, listing, weighing, combining and sorting features: each phase separately.
#[test]
fn features_of_two_texts() {
    let list = |text: &str| {
        let mut count = 0;
        let list = Fingerprinter::default().features(text, &Options::default(), &mut || count += 1);
        assert!(count >= 100, "{count}");
        list.expect("enough memory")
    };
    let compare = |check: &mut dyn FnMut()| {
        Comparison::of(list(&words(0)), list(&words(50_000)), check).expect("enough memory")
    };
    assert!(checkpoints(|check| compare(check)) >= 10);
    let comparison = compare(&mut || ());
    assert!(checkpoints(|check| comparison.cosine(check)) >= 4);
    assert!(checkpoints(|check| comparison.jaccard(check)) >= 4);
    assert!(checkpoints(|check| Explanation::of(comparison, check).expect("enough memory")) >= 60);
}

/// The steps before the table is computed: reading characters, finding what the texts have in common, finding the positions of
/// characters.
#[test]
fn characters_of_two_texts() {
    let (same, reading) = ("a".repeat(2 << 20), Reading::default());
    let equal = checkpoints(|check| edit::similarity(&same, &same, reading, check).expect("enough memory"));
    assert!(equal >= 10, "{equal}");
    let (one, other) = (format!("b{same}"), format!("{same}b"));
    let positions =
        checkpoints(|check| edit::is_similar(&one, &other, 1.0, reading, check).expect("enough memory"));
    assert!(positions >= 8 + 32, "{positions}");
    let passage =
        checkpoints(|check| passage::similarity(&same, &other, reading, check).expect("enough memory"));
    assert!(passage >= 30, "{passage}");
}
