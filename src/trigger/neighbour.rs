//! The nearest row of a table, as the guard needs it: among all rows that are there, visible to the user or not, or
//! among those that the user may see.

use super::columns;
use crate::pg::names::{equality, table};
use crate::pg::query::{Privileges, Query, Seen, keeps_one_snapshot};
use crate::pg::trigger::{Column, RowTrigger};
use crate::pg::value::Value;
use pgrx::pg_sys;

/// What is looked for: rows near the new one.
pub struct Search<'a, 'c> {
    pub trigger: &'a RowTrigger<'c>,
    /// The table whose rows count: for a partition the partitioned table that the trigger was created on.
    pub table: pg_sys::Oid,
    pub fp: &'a Column,
    pub fingerprint: i64,
    pub k: u32,
    /// Columns in which the rows have to be equal.
    pub scope: &'a [Column],
    /// The columns that identify rows; none where the table has no key.
    pub key: &'a [Column],
    pub privileges: Privileges,
}

/// A row that was found.
pub struct Neighbour<'c> {
    pub key: Vec<Value<'c>>,
    pub distance: i32,
}

impl<'c> Search<'_, 'c> {
    /// The nearest row, and of those equally near the one with the smallest key.
    pub fn nearest(&self) -> Option<Neighbour<'c>> {
        self.run(if keeps_one_snapshot() { Seen::Now } else { Seen::ByTransaction })
    }

    /// Whether the nearest row is also the nearest that the transaction's snapshot shows. Where it is not, acting on it
    /// would not be serializable.
    pub fn is_visible(&self, found: &Neighbour) -> bool {
        let same = |seen: Neighbour| {
            let mut pairs = seen.key.iter().zip(&found.key);
            seen.distance == found.distance && pairs.all(|(a, b)| a.to_text() == b.to_text())
        };
        !keeps_one_snapshot() || self.run(Seen::ByTransaction).is_some_and(same)
    }

    fn run(&self, seen: Seen) -> Option<Neighbour<'c>> {
        let mut row = self.query().first_row(seen)?;
        let distance = row.pop().and_then(|value| value.as_integer());
        Some(Neighbour { key: row, distance: distance.expect("a near row has a fingerprint") })
    }

    /// `SELECT key, distance FROM table WHERE near AND same scope AND not the row itself ORDER BY distance, key LIMIT 1`.
    /// It can run with the privileges of the table's owner, so every operand is cast to the exact type of its operator:
    /// otherwise a function or operator that another user has made for a domain would match better.
    fn query(&self) -> Query<'c> {
        let own = self.trigger.schema_of_function();
        let fp = format!("{}::pg_catalog.int8", self.fp.quoted());
        let mut values = vec![Value::bigint(self.fingerprint)];
        let mut equals = |column: &str, value: Value<'c>| equals(column, value, &mut values);
        let mut conditions = vec![format!("{own}.simhash_near({fp}, $1, {}::pg_catalog.int4)", self.k)];
        for column in self.scope {
            conditions.push(equals(&column.quoted(), self.trigger.value(column)));
        }
        if let Some(itself) = self.row_itself(&mut equals) {
            conditions.push(format!("NOT ({itself})"));
        }
        let list: String = self.key.iter().map(|key| format!("{}, ", key.quoted())).collect();
        let order: String = (1..=self.key.len()).map(|place| format!(", {place}")).collect();
        let sql = format!(
            "SELECT {list}{own}.hamming({fp}, $1) FROM {} WHERE {} ORDER BY {}{order} LIMIT 1",
            table(self.table),
            conditions.join(" AND "),
            self.key.len() + 1,
        );
        Query { call: self.trigger.call(), table: self.table, sql, values, privileges: self.privileges }
    }

    /// The condition that says "the row that is being stored": the one with the same key, which another constraint
    /// takes care of, or by its place where it has none.
    fn row_itself(&self, equals: &mut impl FnMut(&str, Value<'c>) -> String) -> Option<String> {
        let table = self.trigger.table();
        let mut conditions = vec![];
        // By parameters: a plan is kept for each text. The key of a table is no key of those that inherit from it, while
        // that of a partitioned table is one of its partitions.
        if self.key.is_empty() {
            conditions.push(equals("ctid", self.trigger.old_place()?));
        }
        if self.key.is_empty() || table == self.table {
            conditions.push(equals("tableoid", Value::oid(table)));
        }
        let value = |column: &Column| match self.trigger.is_update() {
            true => self.trigger.old_value(column),
            false => self.trigger.value(column),
        };
        conditions.extend(self.key.iter().map(|column| equals(&column.quoted(), value(column))));
        Some(conditions.join(" AND "))
    }
}

/// The condition that a column has a value, which becomes one more parameter.
fn equals<'c>(column: &str, value: Value<'c>, values: &mut Vec<Value<'c>>) -> String {
    if value.is_null() {
        return format!("{column} IS NULL");
    }
    values.push(value);
    let with = equality(value.base_type()).unwrap_or_else(|| columns::without_equality(column, value));
    let operand = with.operand_type;
    format!("{column}::{operand} {} ${}::{operand}", with.operator, values.len())
}

impl Neighbour<'_> {
    /// Its key for messages, such as `(id)=(17)`; `None` where it has none.
    pub fn key_for_message(&self, key: &[Column]) -> Option<String> {
        let names: Vec<&str> = key.iter().map(|column| column.name.as_str()).collect();
        let text = |value: &Value| value.to_text().unwrap_or_else(|| "null".to_owned());
        let values: Vec<String> = self.key.iter().map(text).collect();
        (!names.is_empty()).then(|| format!("({})=({})", names.join(", "), values.join(", ")))
    }
}
