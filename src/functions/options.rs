//! Options from jsonb, with errors that name the key.

use crate::pg::error::raise;
use pgrx::PgSqlErrorCode;
use simhash_core::options::{KEYS, OptionError, Options};

/// The options that a JSON object asks for.
pub fn parse(json: &str) -> Options {
    Options::from_json(json).unwrap_or_else(|error| reject(error))
}

fn reject(error: OptionError) -> ! {
    let keys = || KEYS.map(|(key, _)| format!("\"{key}\"")).join(", ");
    let (message, detail, hint) = match error {
        OptionError::NotAnObject => (
            "simhash options must be a JSON object".to_owned(),
            None,
            Some("For example {\"features\": \"words\", \"runs\": [1, 2]}.".to_owned()),
        ),
        OptionError::UnknownKey { key } => (
            format!("unrecognized simhash option \"{key}\""),
            Some(format!("The options are {}.", keys())),
            None,
        ),
        OptionError::InvalidValue { key, value, allowed } => (
            format!("invalid value for simhash option \"{key}\": {value}"),
            Some(format!("It takes {allowed}.")),
            None,
        ),
    };
    raise(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, detail, hint)
}
