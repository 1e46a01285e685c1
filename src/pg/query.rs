//! Queries by SPI, whose plans are kept.

use super::call::Call;
use super::server;
use super::settings::with_settings;
use super::text::to_server_string;
use super::value::Value;
use pgrx::pg_sys;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;

/// A query of a table.
pub struct Query<'v> {
    /// The call that asks: what is found lives as long.
    pub call: Call<'v>,
    pub table: pg_sys::Oid,
    pub sql: String,
    /// The parameters $1, $2, …
    pub values: Vec<Value<'v>>,
    pub privileges: Privileges,
}

/// With whose privileges a query runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Privileges {
    /// With those of the table's owner, without row-level security and in a search path of the server's own objects,
    /// as the queries of foreign keys. All that the query names has to be resolved for certain.
    Owner,
    /// With those of the current user: it finds what the user may see.
    User,
}

/// Which rows are there.
#[derive(Clone, Copy)]
pub enum Seen {
    /// Those that the transaction sees.
    ByTransaction,
    /// All that are committed, and our own.
    Now,
}

/// What a plan depends on. With other privileges the same text has another plan: policies are part of it.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    table: pg_sys::Oid,
    sql: String,
    types: Vec<pg_sys::Oid>,
    privileges: Privileges,
}

/// Plans of this connection; the server plans again what has become stale.
struct Plans {
    by_key: HashMap<Key, pg_sys::SPIPlanPtr>,
    /// So many plans make it worth looking for those of dropped tables.
    sweep_at: usize,
}

/// How many plans are never too many.
const FEW_PLANS: usize = 32;

thread_local! {
    static PLANS: RefCell<Plans> = RefCell::new(Plans { by_key: HashMap::new(), sweep_at: FEW_PLANS });
}

impl<'v> Query<'v> {
    /// The first row, whose values live as long as the call.
    pub fn first_row(&self, seen: Seen) -> Option<Vec<Value<'v>>> {
        // A plan that is made while the table is small is kept while it grows, so it must not read it from end to end.
        // Where that is the only way, it counts as very expensive, which must not make the server compile it.
        let by_index: &[(&CStr, &CStr)] = &[(c"enable_seqscan", c"off"), (c"jit", c"off")];
        match self.privileges {
            Privileges::User => with_settings(by_index, || self.run(seen)),
            Privileges::Owner => {
                let safe_path = (c"search_path", c"pg_catalog, pg_temp");
                with_settings(&[by_index, &[safe_path]].concat(), || self.run(seen))
            }
        }
    }

    fn run(&self, seen: Seen) -> Option<Vec<Value<'v>>> {
        let datums = self.values.iter().map(|value| value.datum().unwrap_or(pg_sys::Datum::from(0)));
        let mut datums: Vec<pg_sys::Datum> = datums.collect();
        let nulls = self.values.iter().map(|value| if value.is_null() { b'n' } else { b' ' } as c_char);
        let nulls: Vec<c_char> = nulls.collect();
        // SAFETY: SPI is connected and finished in pairs, and the parameters are of the types that the plan was made
        // for. An error leaves SPI and the user to the end of the (sub)transaction, which restores them.
        unsafe {
            pg_sys::SPI_connect();
            let (mut user, mut context) = (pg_sys::InvalidOid, 0);
            pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
            if let Privileges::Owner = self.privileges {
                let flags = pg_sys::SECURITY_LOCAL_USERID_CHANGE | pg_sys::SECURITY_NOFORCE_RLS;
                pg_sys::SetUserIdAndSecContext(owner_of(self.table), context | flags as c_int);
            }
            let plan = self.plan();
            let snapshot = match seen {
                Seen::ByTransaction => null_mut(),
                Seen::Now => {
                    // Our own rows, those of this very statement among them.
                    pg_sys::CommandCounterIncrement();
                    pg_sys::GetLatestSnapshot()
                }
            };
            let status = server::SPI_execute_snapshot(
                plan,
                datums.as_mut_ptr(),
                nulls.as_ptr(),
                snapshot,
                null_mut(),
                false,
                false,
                1,
            );
            assert_eq!(status, pg_sys::SPI_OK_SELECT as c_int, "a query that returns rows");
            pg_sys::SetUserIdAndSecContext(user, context);
            let found = (pg_sys::SPI_processed > 0).then(|| read_row(self.call));
            pg_sys::SPI_finish();
            found
        }
    }

    /// The plan of the query, made once.
    ///
    /// # Safety
    /// SPI is connected.
    unsafe fn plan(&self) -> pg_sys::SPIPlanPtr {
        let types = self.values.iter().map(Value::base_type).collect();
        let mut key = Key { table: self.table, sql: self.sql.clone(), types, privileges: self.privileges };
        if let Some(plan) = PLANS.with_borrow(|plans| plans.by_key.get(&key).copied()) {
            return plan;
        }
        // SAFETY: as the caller promises; a plan that is kept lives until it is freed.
        let plan = unsafe {
            let sql = to_server_string(&key.sql);
            let plan = pg_sys::SPI_prepare(sql, key.types.len() as c_int, key.types.as_mut_ptr());
            assert!(!plan.is_null(), "a query that can be prepared");
            pg_sys::SPI_keepplan(plan);
            plan
        };
        PLANS.with_borrow_mut(|plans| plans.insert(key, plan));
        plan
    }
}

impl Plans {
    /// Keeps a plan, and now and then frees those of tables that were dropped.
    fn insert(&mut self, key: Key, plan: pg_sys::SPIPlanPtr) {
        self.by_key.insert(key, plan);
        if self.by_key.len() < self.sweep_at {
            return;
        }
        let cache = pg_sys::SysCacheIdentifier::RELOID as c_int;
        let none = pg_sys::Datum::from(0);
        self.by_key.retain(|key, plan| {
            // SAFETY: a look-up takes any OID; a plan of a table that is gone is not running, and known here alone.
            unsafe {
                let is_there = pg_sys::SearchSysCacheExists(cache, key.table.into(), none, none, none);
                if !is_there {
                    pg_sys::SPI_freeplan(*plan);
                }
                is_there
            }
        });
        self.sweep_at = FEW_PLANS.max(2 * self.by_key.len());
    }
}

/// The row that SPI has found, copied to the memory context that was current before SPI.
///
/// # Safety
/// SPI has a row, and that memory context is the one that the call began in.
unsafe fn read_row<'v>(_: Call<'v>) -> Vec<Value<'v>> {
    // SAFETY: as the caller promises; the description says what types the values have.
    unsafe {
        let table = &*pg_sys::SPI_tuptable;
        let value = |at: c_int| {
            let mut is_null = false;
            let datum = pg_sys::SPI_getbinval(*table.vals, table.tupdesc, at, &mut is_null);
            let base_type = pg_sys::getBaseType(pg_sys::SPI_gettypeid(table.tupdesc, at));
            let (mut len, mut by_value) = (0, false);
            pg_sys::get_typlenbyval(base_type, &mut len, &mut by_value);
            let copy = (!is_null).then(|| pg_sys::SPI_datumTransfer(datum, by_value, c_int::from(len)));
            Value::new(copy, base_type)
        };
        (1..=(*table.tupdesc).natts).map(value).collect()
    }
}

/// Whether the transaction keeps one snapshot: REPEATABLE READ and SERIALIZABLE.
pub fn keeps_one_snapshot() -> bool {
    // SAFETY: a plain setting, read in the server's only thread.
    unsafe { pg_sys::XactIsoLevel >= pg_sys::XACT_REPEATABLE_READ as c_int }
}

/// Who owns a table.
fn owner_of(table: pg_sys::Oid) -> pg_sys::Oid {
    // SAFETY: a look-up takes any OID; a row that was found is held until it is released, and its owner copied before.
    unsafe {
        let row = pg_sys::SearchSysCache1(pg_sys::SysCacheIdentifier::RELOID as c_int, table.into());
        assert!(!row.is_null(), "a table that is there");
        let owner = (*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_class>()).relowner;
        pg_sys::ReleaseSysCache(row);
        owner
    }
}
