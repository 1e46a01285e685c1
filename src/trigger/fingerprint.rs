//! `simhash_trigger`: keeps a fingerprint column up to date with text columns.

use super::columns;
use super::row::{Column, Fingerprint, Outcome, RowTrigger, Width};
use crate::server::call::Call;
use crate::server::error::{of_text, raise};
use crate::text::call_site::per_call_site;
use crate::text::fingerprint::{bigint, bits};
use crate::text::options;
use pgrx::{PgSqlErrorCode, pg_extern};
use simhash_memory::join;
use simhash_text::options::Options;

/// The separator between two columns of one document.
const BETWEEN_COLUMNS: &str = "\n";

/// `simhash_trigger('fp', 'title', 'body', …[, '{"options": …}']) → trigger`
#[pg_extern]
fn simhash_trigger(call: Call) -> Outcome {
    let trigger = RowTrigger::of_call(call, "simhash_trigger");
    let args = trigger.args();
    let (names, options) = split_options(&args);
    let [fp, texts @ ..] = names else { missing_arguments() };
    if texts.is_empty() {
        missing_arguments();
    }
    let (fp, width) = columns::fingerprint(&trigger, fp);
    let texts: Vec<Column> = texts.iter().map(|name| columns::text(&trigger, name)).collect();
    let parse = || match options {
        "" => Options::default(),
        json => options::parse(json),
    };
    let options = per_call_site(call, options.as_bytes(), parse);
    if trigger.is_update() && !texts.iter().any(|column| trigger.is_changed(column)) {
        return trigger.unchanged();
    }
    let fingerprint = |text: &str| match width {
        Width::Bits64 => bigint(text, &options).map(Fingerprint::Bigint),
        Width::Bits128 => bits::<2>(text, &options).map(Fingerprint::Bits),
        Width::Bits256 => bits::<4>(text, &options).map(Fingerprint::Bits),
    };
    let value = match &texts[..] {
        [text] => trigger.text(text).and_then(|text| fingerprint(&text)),
        _ => document(&trigger, &texts).and_then(|text| fingerprint(&text)),
    };
    trigger.with_fingerprint(&fp, value)
}

/// The texts of the columns that are not NULL, as one document.
fn document(trigger: &RowTrigger, texts: &[Column]) -> Option<String> {
    let texts: Vec<_> = texts.iter().filter_map(|column| trigger.text(column)).collect();
    let pieces: Vec<&str> = texts.iter().map(|text| &**text).collect();
    (!pieces.is_empty()).then(|| of_text(join(&pieces, BETWEEN_COLUMNS)))
}

/// Column names, and options if the last argument is a JSON object.
fn split_options(args: &[String]) -> (&[String], &str) {
    match args {
        [names @ .., options] if options.trim_start().starts_with('{') => (names, options),
        names => (names, ""),
    }
}

fn missing_arguments() -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
        "simhash_trigger needs a fingerprint column and at least one text column".to_owned(),
        None,
        Some("For example simhash_trigger('fp', 'title', 'body').".to_owned()),
    )
}
