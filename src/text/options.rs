//! Options from jsonb, with errors that name the key.

use super::call_site::per_call_site;
use super::jsonb::RawJsonb;
use crate::server::call::Call;
use crate::server::error::{out_of_memory, raise, shown};
use pgrx::PgSqlErrorCode;
use simhash_text::options::{KEYS, MAX_JSON, OptionError, Options};

/// The options that a JSON object asks for.
pub fn parse(json: &str) -> Options {
    Options::from_json(json).unwrap_or_else(|error| reject(error))
}

/// The options that the last argument of a call asks for, read once per call site.
pub fn of_call(jsonb: &RawJsonb, call: Call) -> Options {
    per_call_site(call, jsonb.bytes(), || parse(&jsonb.to_json()))
}

fn reject(error: OptionError) -> ! {
    let keys = || KEYS.map(|(key, _)| format!("\"{key}\"")).join(", ");
    let code = match error {
        OptionError::TooLong { .. } => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        _ => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
    };
    let (message, detail, hint) = match error {
        OptionError::TooLong { bytes } => (
            format!("simhash options are too long: {bytes} bytes"),
            Some(format!("They can have at most {MAX_JSON} bytes.")),
            None,
        ),
        OptionError::OutOfMemory => out_of_memory("The options do not fit in memory."),
        OptionError::NotAnObject => (
            "simhash options must be a JSON object".to_owned(),
            None,
            Some("For example {\"features\": \"words\", \"runs\": [1, 2]}.".to_owned()),
        ),
        OptionError::UnknownKey { key } => (
            format!("unrecognized simhash option \"{}\"", shown(&key)),
            Some(format!("The options are {}.", keys())),
            None,
        ),
        OptionError::InvalidValue { key, value, allowed } => (
            format!("invalid value for simhash option \"{key}\": {}", shown(&value)),
            Some(format!("Valid values: {allowed}.")),
            None,
        ),
    };
    raise(code, message, detail, hint)
}
