//! The nearest row of a table, found among all rows that are there, whoever may see them: what a constraint needs.

use super::error::raise;
use super::settings::without_sequential_scans;
use super::text::{server_string, to_server_string};
use super::trigger::{Column, Outcome, RowTrigger, quoted};
use super::version::primary_key_index;
use pgrx::{PgSqlErrorCode, pg_sys};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

/// What is looked for: rows near the new one.
pub struct Search<'a> {
    pub trigger: &'a RowTrigger<'a>,
    pub fp: &'a Column,
    pub fingerprint: i64,
    pub k: u32,
    /// Columns in which the rows have to be equal.
    pub scope: &'a [Column],
    /// The columns that tell rows apart; none where the table has no key.
    pub key: &'a [Column],
}

/// A row that was found.
pub struct Neighbour {
    key: Vec<Option<pg_sys::Datum>>,
    pub distance: i32,
}

/// Which rows are there.
#[derive(Clone, Copy)]
enum Seen {
    /// Those that the query sees.
    ByQuery,
    /// All that are committed, and our own.
    Now,
}

thread_local! {
    /// Plans by the text and the parameter types of their queries, kept as long as the connection; the server plans
    /// anew what has become stale, but a column of another type needs parameters of another type.
    static PLANS: RefCell<HashMap<(String, Vec<pg_sys::Oid>), pg_sys::SPIPlanPtr>> = RefCell::default();
}

impl Search<'_> {
    /// The table whose rows count: for a partition the partitioned table that the trigger was created on.
    pub fn table(&self) -> pg_sys::Oid {
        // SAFETY: an open table.
        let own = unsafe { (*self.trigger.relation()).rd_id };
        match self.trigger.is_clone() {
            true => root_of(self.trigger.oid()).unwrap_or(own),
            false => own,
        }
    }

    /// The nearest row, and of those equally near the one with the smallest key.
    pub fn nearest(&self) -> Option<Neighbour> {
        self.run(if keeps_one_snapshot() { Seen::Now } else { Seen::ByQuery })
    }

    /// Whether the nearest row is also the nearest that the transaction's snapshot shows. Where it is not, acting on it
    /// would not be serializable.
    pub fn is_visible(&self, found: &Neighbour) -> bool {
        let same = |seen: Neighbour| {
            let pairs = seen.key.iter().zip(&found.key).zip(self.key);
            seen.distance == found.distance
                && pairs.into_iter().all(|((a, b), column)| text_of(column, *a) == text_of(column, *b))
        };
        !keeps_one_snapshot() || self.run(Seen::ByQuery).is_some_and(same)
    }

    fn run(&self, seen: Seen) -> Option<Neighbour> {
        // A plan that is made while the table is small is kept while it grows.
        without_sequential_scans(|| self.run_query(seen))
    }

    fn run_query(&self, seen: Seen) -> Option<Neighbour> {
        let table = self.table();
        let mut types = vec![pg_sys::INT8OID];
        let mut values = vec![Some(pg_sys::Datum::from(self.fingerprint))];
        let query = self.query(table, &mut types, &mut values);
        let mut datums: Vec<pg_sys::Datum> =
            values.iter().map(|value| value.unwrap_or(pg_sys::Datum::from(0))).collect();
        let nulls: Vec<c_char> =
            values.iter().map(|value| if value.is_some() { b' ' } else { b'n' } as c_char).collect();
        // SAFETY: the usual way of a query by SPI. As for foreign keys, it runs with the rights of the table's owner and
        // without row-level security; an error leaves these to the end of the (sub)transaction, which restores them.
        unsafe {
            pg_sys::SPI_connect();
            let (mut user, mut context) = (pg_sys::InvalidOid, 0);
            pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
            let owner = owner_of(table);
            let rights = pg_sys::SECURITY_LOCAL_USERID_CHANGE | pg_sys::SECURITY_NOFORCE_RLS;
            pg_sys::SetUserIdAndSecContext(owner, context | rights as c_int);
            let plan = plan_of(query, types);
            let snapshot = match seen {
                Seen::ByQuery => null_mut(),
                Seen::Now => {
                    // Our own rows, those of this very statement among them.
                    pg_sys::CommandCounterIncrement();
                    pg_sys::GetLatestSnapshot()
                }
            };
            let status = pg_sys::SPI_execute_snapshot(
                plan,
                datums.as_mut_ptr(),
                nulls.as_ptr(),
                snapshot,
                null_mut(),
                false,
                false,
                1,
            );
            assert_eq!(status, pg_sys::SPI_OK_SELECT as c_int, "a query of the guard");
            pg_sys::SetUserIdAndSecContext(user, context);
            let found = (pg_sys::SPI_processed > 0).then(|| self.read_row());
            pg_sys::SPI_finish();
            found
        }
    }

    /// The row that SPI has found, its key copied to where it outlives SPI.
    ///
    /// # Safety
    /// SPI has a row of `query`.
    unsafe fn read_row(&self) -> Neighbour {
        // SAFETY: as the caller vouches: the key columns, then the distance.
        unsafe {
            let table = &*pg_sys::SPI_tuptable;
            let row = *table.vals;
            let value = |at: usize| {
                let mut is_null = false;
                let datum = pg_sys::SPI_getbinval(row, table.tupdesc, at as c_int, &mut is_null);
                (!is_null).then_some(datum)
            };
            let key = self.key.iter().enumerate().map(|(at, column)| {
                let (mut len, mut by_value) = (0, false);
                pg_sys::get_typlenbyval(column.type_oid, &mut len, &mut by_value);
                value(at + 1).map(|datum| pg_sys::SPI_datumTransfer(datum, by_value, c_int::from(len)))
            });
            let key = key.collect();
            let distance = value(self.key.len() + 1).map_or(0, |datum| datum.value() as i32);
            Neighbour { key, distance }
        }
    }

    /// `SELECT key, distance FROM table WHERE near AND same scope AND not the row itself ORDER BY distance, key LIMIT 1`
    fn query(
        &self,
        table: pg_sys::Oid,
        types: &mut Vec<pg_sys::Oid>,
        values: &mut Vec<Option<pg_sys::Datum>>,
    ) -> String {
        let own = self.trigger.own_schema();
        let fp = self.fp.quoted();
        let mut conditions = vec![format!("{own}.simhash_near({fp}, $1, {})", self.k)];
        let mut equals = |column: &Column, value: Option<pg_sys::Datum>| match value {
            None => format!("{} IS NULL", column.quoted()),
            Some(_) => {
                types.push(column.base_type);
                values.push(value);
                format!("{} {} ${}", column.quoted(), equality(column), types.len())
            }
        };
        for column in self.scope {
            conditions.push(equals(column, self.trigger.value(column)));
        }
        if let Some(itself) = self.row_itself(&mut equals) {
            conditions.push(format!("NOT ({itself})"));
        }
        let keys: Vec<String> = self.key.iter().map(Column::quoted).collect();
        let list: String = keys.iter().map(|key| format!("{key}, ")).collect();
        let order: String = keys.iter().map(|key| format!(", {key}")).collect();
        format!(
            "SELECT {list}{own}.hamming({fp}, $1) FROM {} WHERE {} ORDER BY {own}.hamming({fp}, $1){order} LIMIT 1",
            qualified_name(table),
            conditions.join(" AND "),
        )
    }

    /// The condition that says "the row that is being stored": the one with the same key, which another constraint
    /// takes care of, or by its place where it has none.
    fn row_itself(
        &self,
        equals: &mut impl FnMut(&Column, Option<pg_sys::Datum>) -> String,
    ) -> Option<String> {
        if self.key.is_empty() {
            let place = self.trigger.old_place()?;
            // SAFETY: an open table.
            let table = unsafe { (*self.trigger.relation()).rd_id };
            // By parameters: a plan is kept for each text.
            let place = equals(&Column::of_system("ctid", pg_sys::TIDOID), Some(place));
            let table = equals(&Column::of_system("tableoid", pg_sys::OIDOID), Some(table.into()));
            return Some(format!("{place} AND {table}"));
        }
        let value = |column: &Column| match self.trigger.is_update() {
            true => self.trigger.old_value(column),
            false => self.trigger.value(column),
        };
        Some(self.key.iter().map(|column| equals(column, value(column))).collect::<Vec<_>>().join(" AND "))
    }
}

impl Neighbour {
    /// Its key for messages, such as `(id)=(17)`; `None` where it has none, or the user may not see the row.
    pub fn key_for_message(&self, search: &Search) -> Option<String> {
        let table = search.table();
        // SAFETY: looks into the catalogue.
        let may_see = unsafe {
            let user = pg_sys::GetUserId();
            pg_sys::pg_class_aclcheck(table, user, pg_sys::ACL_SELECT as _) == pg_sys::AclResult::ACLCHECK_OK
                && pg_sys::check_enable_rls(table, user, true)
                    != pg_sys::CheckEnableRlsResult::RLS_ENABLED as c_int
        };
        if search.key.is_empty() || !may_see {
            return None;
        }
        let names: Vec<&str> = search.key.iter().map(|column| column.name.as_str()).collect();
        let values = search.key.iter().zip(&self.key);
        let values: Vec<String> = values
            .map(|(column, value)| text_of(column, *value).unwrap_or_else(|| "null".to_owned()))
            .collect();
        Some(format!("({})=({})", names.join(", "), values.join(", ")))
    }
}

impl RowTrigger<'_> {
    /// The row with the key of `found` in one column and the distance in another; both NULL where nothing was found.
    pub fn linked(&self, into: &Column, distance: Option<&Column>, found: Option<&Neighbour>) -> Outcome {
        let key = found.and_then(|found| found.key.first().copied().flatten());
        let bits = found.map(|found| pg_sys::Datum::from(i64::from(found.distance)));
        let values = [Some((into, key)), distance.map(|column| (column, bits))];
        self.with(&values.into_iter().flatten().collect::<Vec<_>>())
    }

    /// The columns of the primary key; none where the table has no such key.
    pub fn primary_key(&self) -> Vec<Column> {
        // SAFETY: an open table; its primary key, if it has one, has `indnkeyatts` columns.
        let numbers: Vec<i16> = unsafe {
            let oid = primary_key_index(self.relation());
            if oid == pg_sys::InvalidOid {
                return vec![];
            }
            let index = pg_sys::index_open(oid, pg_sys::AccessShareLock as _);
            let form = &*(*index).rd_index;
            let numbers =
                (0..form.indnkeyatts as usize).map(|at| *form.indkey.values.as_ptr().add(at)).collect();
            pg_sys::index_close(index, pg_sys::AccessShareLock as _);
            numbers
        };
        numbers.iter().filter_map(|number| self.columns().find(|column| column.number == *number)).collect()
    }

    /// The schema of the extension as SQL.
    fn own_schema(&self) -> String {
        // SAFETY: looks into the catalogue; the name is in the server encoding.
        unsafe {
            let schema = pg_sys::get_namespace_name(pg_sys::get_func_namespace(self.function()));
            quoted(&server_string(schema).unwrap_or_default())
        }
    }
}

/// Whether the transaction keeps one snapshot: REPEATABLE READ and SERIALIZABLE.
fn keeps_one_snapshot() -> bool {
    // SAFETY: a plain setting, read in the server's only thread.
    unsafe { pg_sys::XactIsoLevel >= pg_sys::XACT_REPEATABLE_READ as c_int }
}

/// The plan of `query`, made once.
///
/// # Safety
/// SPI is connected.
unsafe fn plan_of(query: String, types: Vec<pg_sys::Oid>) -> pg_sys::SPIPlanPtr {
    let mut key = (query, types);
    if let Some(plan) = PLANS.with_borrow(|plans| plans.get(&key).copied()) {
        return plan;
    }
    // SAFETY: as the caller vouches; a plan that is kept lives as long as the connection.
    let plan = unsafe {
        let (query, types) = &mut key;
        let sql = to_server_string(query);
        let plan = pg_sys::SPI_prepare(sql, types.len() as c_int, types.as_mut_ptr());
        assert!(!plan.is_null(), "a query of the guard");
        pg_sys::SPI_keepplan(plan);
        plan
    };
    PLANS.with_borrow_mut(|plans| plans.insert(key, plan));
    plan
}

/// The table on which the trigger was created of which `trigger` is a copy.
fn root_of(trigger: pg_sys::Oid) -> Option<pg_sys::Oid> {
    let query = "WITH RECURSIVE up AS (
            SELECT oid, tgparentid, tgrelid FROM pg_catalog.pg_trigger WHERE oid OPERATOR(pg_catalog.=) $1
            UNION ALL
            SELECT t.oid, t.tgparentid, t.tgrelid FROM pg_catalog.pg_trigger t, up
            WHERE t.oid OPERATOR(pg_catalog.=) up.tgparentid)
        SELECT tgrelid FROM up WHERE tgparentid OPERATOR(pg_catalog.=) 0::pg_catalog.oid";
    // SAFETY: the usual way of a query by SPI.
    unsafe {
        pg_sys::SPI_connect();
        let plan = plan_of(query.to_owned(), vec![pg_sys::OIDOID]);
        pg_sys::SPI_execute_plan(plan, [pg_sys::Datum::from(trigger)].as_mut_ptr(), null_mut(), true, 1);
        let root = (pg_sys::SPI_processed > 0).then(|| {
            let table = &*pg_sys::SPI_tuptable;
            let mut is_null = false;
            let datum = pg_sys::SPI_getbinval(*table.vals, table.tupdesc, 1, &mut is_null);
            pg_sys::Oid::from_u32(datum.value() as u32)
        });
        pg_sys::SPI_finish();
        root
    }
}

/// Who owns a table.
fn owner_of(table: pg_sys::Oid) -> pg_sys::Oid {
    // SAFETY: looks into the catalogue; the table is there as long as its trigger runs.
    unsafe {
        let row = pg_sys::SearchSysCache1(pg_sys::SysCacheIdentifier::RELOID as c_int, table.into());
        assert!(!row.is_null(), "a table whose trigger runs");
        let owner = (*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_class>()).relowner;
        pg_sys::ReleaseSysCache(row);
        owner
    }
}

/// `schema.table` as SQL.
fn qualified_name(table: pg_sys::Oid) -> String {
    // SAFETY: looks into the catalogue; names are in the server encoding.
    unsafe {
        let schema = server_string(pg_sys::get_namespace_name(pg_sys::get_rel_namespace(table)));
        let name = server_string(pg_sys::get_rel_name(table));
        format!("{}.{}", quoted(&schema.unwrap_or_default()), quoted(&name.unwrap_or_default()))
    }
}

/// The `=` of a column's type as SQL, whatever the search path.
fn equality(column: &Column) -> String {
    // SAFETY: looks into the catalogue; names are in the server encoding.
    let operator = unsafe {
        let operator =
            (*pg_sys::lookup_type_cache(column.base_type, pg_sys::TYPECACHE_EQ_OPR as c_int)).eq_opr;
        let cache = pg_sys::SysCacheIdentifier::OPEROID as c_int;
        let row = pg_sys::SearchSysCache1(cache, operator.into());
        row.as_mut().and_then(|row| {
            let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_operator>();
            let schema = server_string(pg_sys::get_namespace_name(form.oprnamespace));
            let name = server_string(form.oprname.data.as_ptr());
            pg_sys::ReleaseSysCache(row);
            schema.zip(name)
        })
    };
    match operator {
        Some((schema, name)) => format!("OPERATOR({}.{name})", quoted(&schema)),
        None => raise(
            PgSqlErrorCode::ERRCODE_UNDEFINED_FUNCTION,
            format!("column \"{}\" is of type {}, which has no equality", column.name, column.type_name()),
            None,
            None,
        ),
    }
}

/// A value as text, in the way of its type.
fn text_of(column: &Column, value: Option<pg_sys::Datum>) -> Option<String> {
    // SAFETY: a value of the column's type, written by its output function in the server encoding.
    unsafe {
        let (mut output, mut is_varlena) = (pg_sys::InvalidOid, false);
        pg_sys::getTypeOutputInfo(column.type_oid, &mut output, &mut is_varlena);
        value.and_then(|datum| server_string(pg_sys::OidOutputFunctionCall(output, datum)))
    }
}
