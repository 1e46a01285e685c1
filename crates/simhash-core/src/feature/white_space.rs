//! Text → the same with one space for each stretch of white space.

/// Appends all characters of `text`, with one space for white space between them.
pub fn fold_white_space(text: &str, out: &mut String) {
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    out.extend(words.next());
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
}

/// White space and control characters, as the normal form leaves them.
fn is_blank(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\x7f'..='\u{9f}' | '\u{1680}' | '\u{2028}' | '\u{2029}')
}
