//! Tables in Markdown.

use std::fmt::Write;

/// The first two lines of a table: names are aligned to the left, figures to the right.
pub fn header(out: &mut String, names: &[&str], figures: &[&str]) {
    row(out, &names.iter().map(|n| n.to_string()).collect::<Vec<_>>(), figures);
    let _ = writeln!(out, "|{}{}", "---|".repeat(names.len()), "---:|".repeat(figures.len()));
}

/// A share with three decimal digits.
pub fn number(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |s| format!("{s:.3}"))
}

/// A line of a table.
pub fn row<T: AsRef<str>>(out: &mut String, names: &[String], figures: &[T]) {
    let cells = names.iter().map(String::as_str).chain(figures.iter().map(T::as_ref));
    let _ = writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "));
}
