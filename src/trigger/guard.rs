//! `simhash_guard`: for near fingerprints what a UNIQUE constraint is for equal values.

use super::columns;
use crate::pg::error::raise;
use crate::pg::lock::lock_key;
use crate::pg::neighbour::{Neighbour, Search};
use crate::pg::table::relation_name;
use crate::pg::trigger::{Column, Outcome, RowTrigger};
use pgrx::{PgSqlErrorCode, pg_extern, pg_sys};
use simhash_core::guard::{MAX_K, keys};

/// What happens to a row that has a near one.
enum Action {
    /// An error.
    Reject,
    /// It is not stored.
    Skip,
    /// The key of the near row goes into one column, and the distance into another.
    Link { into: Column, distance: Option<Column> },
}

/// The arguments of CREATE TRIGGER.
struct Guard {
    fp: Column,
    k: u32,
    action: Action,
    scope: Vec<Column>,
    key: Vec<Column>,
}

/// `simhash_guard('fp', '3', 'reject' | 'skip' | 'link'[, 'scope=…'][, 'into=…'][, 'distance=…']) → trigger`
#[pg_extern]
fn simhash_guard(fcinfo: pg_sys::FunctionCallInfo) -> Outcome {
    let trigger = RowTrigger::of_call(fcinfo, "simhash_guard");
    let Guard { fp, k, action, scope, key } = Guard::of(&trigger);
    let concerns = |column| trigger.is_changed(column);
    if trigger.is_update() && !concerns(&fp) && !scope.iter().any(concerns) {
        return trigger.unchanged();
    }
    let found = trigger.bigint(&fp).and_then(|fingerprint| {
        let search = Search { trigger: &trigger, fp: &fp, fingerprint, k, scope: &scope, key: &key };
        search_alone(&search, &action)
    });
    match (action, found) {
        (Action::Link { into, distance }, found) => trigger.linked(&into, distance.as_ref(), found.as_ref()),
        (Action::Skip, Some(_)) => trigger.skip(),
        _ => trigger.unchanged(),
    }
}

/// Keeps everybody out who would store a near row, until the end of the transaction, and looks for one that is there.
fn search_alone(search: &Search, action: &Action) -> Option<Neighbour> {
    let table = search.table();
    for key in keys(search.fingerprint as u64, search.k).expect("k was checked") {
        lock_key(table, key);
    }
    let found = search.nearest()?;
    if let Action::Reject = action {
        reject(search, &found);
    }
    if !search.is_visible(&found) {
        raise(
            PgSqlErrorCode::ERRCODE_T_R_SERIALIZATION_FAILURE,
            "could not serialize access due to concurrent insert of a near row".to_owned(),
            None,
            Some("The transaction might succeed if retried.".to_owned()),
        );
    }
    Some(found)
}

fn reject(search: &Search, found: &Neighbour) -> ! {
    let bits = if found.distance == 1 { "bit" } else { "bits" };
    let row = match found.key_for_message(search) {
        Some(key) => format!("row {key}"),
        None => "another row".to_owned(),
    };
    let table = relation_name(search.table());
    raise(
        PgSqlErrorCode::ERRCODE_UNIQUE_VIOLATION,
        format!("near-duplicate row violates guard \"{}\" of {table}", search.trigger.name()),
        Some(format!("Its fingerprint differs in {} {bits} from that of {row}.", found.distance)),
        None,
    )
}

impl Guard {
    fn of(trigger: &RowTrigger) -> Guard {
        let args = trigger.args();
        let [fp, k, action, extras @ ..] = &args[..] else {
            invalid("simhash_guard needs a fingerprint column, k and an action".to_owned(), None)
        };
        let fp = columns::fingerprint(trigger, fp);
        let largest = i64::from(MAX_K);
        let k = k.trim().parse().ok().filter(|k| (0..=largest).contains(k)).unwrap_or_else(|| {
            invalid(
                format!("k of simhash_guard is out of range: \"{k}\""),
                Some(format!("It is a number from 0 to {largest}.")),
            )
        });
        let (mut scope, mut into, mut distance) = (vec![], None, None);
        for extra in extras {
            match extra.split_once('=') {
                Some(("scope", name)) => scope.push(columns::named(trigger, name)),
                Some(("into", name)) => into = Some(columns::named(trigger, name)),
                Some(("distance", name)) => distance = Some(columns::named(trigger, name)),
                _ => invalid(
                    format!("unrecognized argument of simhash_guard: \"{extra}\""),
                    Some("Arguments after the action are scope=..., into=... and distance=....".to_owned()),
                ),
            }
        }
        let key = trigger.primary_key();
        let action = match (action.as_str(), into, distance) {
            ("reject", None, None) => Action::Reject,
            ("skip", None, None) => Action::Skip,
            ("link", Some(into), distance) => link(&key, into, distance),
            ("link", None, _) => invalid(
                "action \"link\" of simhash_guard needs into=... with the column to fill".to_owned(),
                None,
            ),
            ("reject" | "skip", _, _) => {
                invalid("into=... and distance=... go with action \"link\" of simhash_guard".to_owned(), None)
            }
            (other, _, _) => invalid(
                format!("unrecognized action of simhash_guard: \"{other}\""),
                Some("It is reject, skip or link.".to_owned()),
            ),
        };
        Guard { fp, k: k as u32, action, scope, key }
    }
}

/// Links to rows by a primary key of one column.
fn link(key: &[Column], into: Column, distance: Option<Column>) -> Action {
    let [key] = key else {
        invalid("action \"link\" of simhash_guard needs a primary key of one column".to_owned(), None)
    };
    if into.base_type != key.base_type {
        columns::wrong_type(&into, &format!("{} as the primary key", key.type_name()));
    }
    if let Some(distance) = &distance
        && ![pg_sys::INT2OID, pg_sys::INT4OID, pg_sys::INT8OID].contains(&distance.base_type)
    {
        columns::wrong_type(distance, "integer");
    }
    Action::Link { into, distance }
}

fn invalid(message: String, detail: Option<String>) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        message,
        detail,
        Some("For example simhash_guard('fp', '3', 'reject', 'scope=tenant_id').".to_owned()),
    )
}
