//! `simhash_guard`: for near fingerprints what a UNIQUE constraint is for equal values.

use super::columns;
use super::moved::check_can_skip;
use super::neighbour::{Neighbour, Search};
use super::shard::check_sees_all;
use crate::pg::call::Call;
use crate::pg::error::raise;
use crate::pg::lock::lock_keys;
use crate::pg::moved::Moved;
use crate::pg::privileges::{is_under_row_security, may_read, may_read_something};
use crate::pg::query::Privileges;
use crate::pg::table::relation_name;
use crate::pg::trigger::{Column, Outcome, RowTrigger};
use crate::pg::triggers::Root;
use crate::pg::value::Value;
use crate::pg::violation::raise_unique_violation;
use pgrx::{PgSqlErrorCode, pg_extern, pg_sys};
use simhash_core::guard::{MAX_K, keys};

/// What happens to a row that has a near one.
enum Action {
    /// An error.
    Reject,
    /// It is not stored, if it is new. A row that is there is not lost: an UPDATE is an error.
    Skip,
    /// The key of the near row goes into one column, and the distance into another.
    Link { into: Column, distance: Option<Column> },
}

/// Where the row comes from.
#[derive(PartialEq, Eq)]
enum Row {
    New,
    /// It was there, with another fingerprint or in another scope.
    Changed,
    /// It was there, and nothing has changed that the guard looks at.
    Unchanged,
}

/// The arguments of CREATE TRIGGER, and the row at hand.
struct Guard<'a, 'c> {
    trigger: &'a RowTrigger<'c>,
    root: Root,
    fp: Column,
    k: u32,
    action: Action,
    scope: Vec<Column>,
    key: Vec<Column>,
}

/// `simhash_guard('fp', '3', 'reject' | 'skip' | 'link'[, 'scope=…'][, 'into=…'][, 'distance=…']) → trigger`
#[pg_extern]
fn simhash_guard(call: Call) -> Outcome {
    let trigger = RowTrigger::of_call(call, "simhash_guard");
    let guard = Guard::of(&trigger);
    let row = guard.row();
    if row == Row::Unchanged {
        return trigger.unchanged();
    }
    let search = guard.search();
    let found = search.as_ref().and_then(|search| search_alone(search));
    match (&guard.action, search.zip(found)) {
        (Action::Link { into, distance }, found) => {
            let found = found.map(|(search, found)| serializable(&search, found));
            guard.linked(into, distance.as_ref(), found)
        }
        (_, None) => trigger.unchanged(),
        (Action::Skip, Some((search, found))) if row == Row::New => {
            serializable(&search, found);
            trigger.skip()
        }
        (_, Some((_, found))) => guard.reject(&found),
    }
}

/// Blocks transactions that would store a near row, until the end of this one, and looks for a near row that is there.
fn search_alone<'c>(search: &Search<'_, 'c>) -> Option<Neighbour<'c>> {
    lock_keys(search.table, keys(search.fingerprint as u64, search.k).expect("k was checked"));
    search.nearest()
}

/// The row that was found, on which the transaction may act; an error where its snapshot does not show it.
fn serializable<'c>(search: &Search<'_, 'c>, found: Neighbour<'c>) -> Neighbour<'c> {
    if !search.is_visible(&found) {
        raise(
            PgSqlErrorCode::ERRCODE_T_R_SERIALIZATION_FAILURE,
            "could not serialize access due to concurrent insert of a near row".to_owned(),
            None,
            Some("The transaction might succeed if retried.".to_owned()),
        );
    }
    found
}

impl<'a, 'c> Guard<'a, 'c> {
    fn of(trigger: &'a RowTrigger<'c>) -> Guard<'a, 'c> {
        let args = trigger.args();
        let [fp, k, action, extras @ ..] = &args[..] else {
            invalid("simhash_guard needs a fingerprint column, k and an action".to_owned(), None)
        };
        let fp = columns::fingerprint(trigger, fp);
        if let Some(later) = trigger.later_trigger("simhash_trigger", &fp.name) {
            fires_too_early(trigger, &fp, &later);
        }
        let largest = i64::from(MAX_K);
        let k = k.trim().parse().ok().filter(|k| (0..=largest).contains(k)).unwrap_or_else(|| {
            invalid(
                format!("k of simhash_guard is out of range: \"{k}\""),
                Some(format!("k must be a number from 0 to {largest}.")),
            )
        });
        let (mut scope, mut into, mut distance) = (vec![], None, None);
        for extra in extras {
            match extra.split_once('=') {
                Some(("scope", name)) => scope.push(columns::plain(trigger, name)),
                Some(("into", name)) => into = Some(columns::plain(trigger, name)),
                Some(("distance", name)) => distance = Some(columns::plain(trigger, name)),
                _ => invalid(
                    format!("unrecognized argument of simhash_guard: \"{extra}\""),
                    Some("Arguments after the action are scope=..., into=... and distance=....".to_owned()),
                ),
            }
        }
        let root = trigger.root();
        let key = trigger.primary_key_of(root.table);
        let action = match (action.as_str(), into, distance) {
            ("reject", None, None) => Action::Reject,
            ("skip", None, None) => {
                check_can_skip(trigger, root);
                Action::Skip
            }
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
                Some("Valid actions are reject, skip and link.".to_owned()),
            ),
        };
        check_sees_all(trigger, root, &fp, k as u32, &scope);
        Guard { trigger, root, fp, k: k as u32, action, scope, key }
    }

    /// Where the row comes from. One that an UPDATE moves to another partition comes twice, as updated and as inserted.
    fn row(&self) -> Row {
        let trigger = self.trigger;
        let looked_at = || [&self.fp].into_iter().chain(&self.scope);
        let note = || looked_at().map(|column| trigger.value(column).to_text()).collect();
        if trigger.is_update() {
            if trigger.is_in_partition() {
                trigger.remember_update(self.root.trigger, note());
            }
            return match looked_at().any(|column| trigger.is_changed(column)) {
                true => Row::Changed,
                false => Row::Unchanged,
            };
        }
        match trigger.is_in_partition().then(|| trigger.moved(self.root.trigger)).flatten() {
            None => Row::New,
            // It was looked at when it was updated.
            Some(Moved::Certainly(noted)) if noted == note() => Row::Unchanged,
            // It must not be lost, and a new row must not pass for it.
            Some(_) => Row::Changed,
        }
    }

    /// What to look for; nothing where the row has no fingerprint, or the user may see no row.
    fn search(&self) -> Option<Search<'_, 'c>> {
        Some(Search {
            trigger: self.trigger,
            table: self.root.table,
            fp: &self.fp,
            fingerprint: self.trigger.value(&self.fp).as_bigint()?,
            k: self.k,
            scope: &self.scope,
            key: &self.key,
            privileges: self.privileges()?,
        })
    }

    /// With whose privileges near rows are looked for. The guard is a constraint, so all rows count; but a link must
    /// not show rows that the user may not see. `None` where the user may see none.
    fn privileges(&self) -> Option<Privileges> {
        let Action::Link { .. } = self.action else { return Some(Privileges::Owner) };
        let tables = [self.root.table, self.trigger.table()];
        // A user who may read nothing does not see the link either.
        if self.may_see_keys() || !tables.into_iter().any(may_read_something) {
            return Some(Privileges::Owner);
        }
        let columns = self.key.iter().chain(&self.scope).chain([&self.fp]);
        may_read(self.root.table, columns.map(|column| column.name.as_str())).then_some(Privileges::User)
    }

    /// Whether the user may see the key of every row.
    fn may_see_keys(&self) -> bool {
        let tables = [self.root.table, self.trigger.table()];
        may_read(self.root.table, self.key.iter().map(|column| column.name.as_str()))
            && !tables.into_iter().any(is_under_row_security)
    }

    fn reject(&self, found: &Neighbour) -> ! {
        let bits = if found.distance == 1 { "bit" } else { "bits" };
        let row = match found.key_for_message(&self.key).filter(|_| self.may_see_keys()) {
            Some(key) => format!("row {key}"),
            None => "another row".to_owned(),
        };
        let (name, table) = (self.trigger.name(), self.root.table);
        raise_unique_violation(
            table,
            &name,
            format!("near-duplicate row violates guard \"{name}\" of {}", relation_name(table)),
            Some(format!("Its fingerprint differs in {} {bits} from that of {row}.", found.distance)),
        )
    }

    /// The row with the key of `found` in one column and the distance in another; both NULL where nothing was found.
    fn linked(&self, into: &Column, distance: Option<&Column>, found: Option<Neighbour>) -> Outcome {
        let bits = found.as_ref().map(|found| found.distance as i16);
        let key = found.and_then(|found| found.key.first().copied());
        let key = (into, key.unwrap_or_else(|| Value::null(into.base_type)));
        let distance = distance.map(|column| (column, Value::integer(bits, column.base_type)));
        self.trigger.with(&[Some(key), distance].into_iter().flatten().collect::<Vec<_>>())
    }
}

/// Links to rows by a primary key of one column.
fn link(key: &[Column], into: Column, distance: Option<Column>) -> Action {
    let [key] = key else {
        invalid("action \"link\" of simhash_guard needs a primary key of one column".to_owned(), None)
    };
    if !into.holds_all_of(key) {
        columns::wrong_type(&into, &format!("{} as the primary key", key.type_name()));
    }
    if let Some(distance) = &distance
        && ![pg_sys::INT2OID, pg_sys::INT4OID, pg_sys::INT8OID].contains(&distance.base_type)
    {
        columns::wrong_type(distance, "integer");
    }
    Action::Link { into, distance }
}

fn fires_too_early(trigger: &RowTrigger, fp: &Column, later: &str) -> ! {
    let name = trigger.name();
    raise(
        PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
        format!("guard \"{name}\" fires before trigger \"{later}\", which fills column \"{}\"", fp.name),
        Some("Triggers fire in the order of their names.".to_owned()),
        Some(format!("Rename one of them: ALTER TRIGGER \"{name}\" ON ... RENAME TO ....")),
    )
}

fn invalid(message: String, detail: Option<String>) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        message,
        detail,
        Some("For example simhash_guard('fp', '3', 'reject', 'scope=tenant_id').".to_owned()),
    )
}
