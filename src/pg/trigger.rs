//! Row triggers: the row at hand, its columns, and what becomes of it.

use super::call::Call;
use super::error::raise;
use super::names;
use super::server;
use super::text::{Utf8Text, server_string};
use super::triggers::{Root, args_of, fires, is_replica, root_of, triggers_of};
use super::value::Value;
use super::version::primary_key_index;
use pgrx::callconv::{BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::{PgSqlErrorCode, PgTupleDesc, is_a, pg_sys};
use std::ffi::{CStr, c_char, c_int};
use std::num::NonZeroUsize;

/// A call of a trigger function, before a row is inserted or updated.
pub struct RowTrigger<'c> {
    call: Call<'c>,
    data: &'c pg_sys::TriggerData,
    /// Memory that lives as long as the statement.
    statement: pg_sys::MemoryContext,
}

/// A column of the trigger's table.
#[derive(Clone)]
pub struct Column {
    pub name: String,
    number: i16,
    /// Its type, a domain perhaps.
    type_oid: pg_sys::Oid,
    /// What the domain is over.
    pub base_type: pg_sys::Oid,
    /// The type modifier, that of the domain perhaps; -1 where there is none.
    pub type_mod: i32,
    pub is_generated: bool,
}

/// What becomes of the row.
pub struct Outcome(pg_sys::HeapTuple);

impl<'c> RowTrigger<'c> {
    /// The trigger that `function` is called for; an error where it is called in another way.
    pub fn of_call(call: Call<'c>, function: &str) -> RowTrigger<'c> {
        let fcinfo = call.fcinfo();
        let reject = |message: &str, hint: Option<String>| -> ! {
            let code = PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED;
            raise(code, format!("function \"{function}\" {message}"), None, hint)
        };
        let hint = || {
            Some(format!(
                "Use CREATE TRIGGER ... BEFORE INSERT OR UPDATE ON ... FOR EACH ROW EXECUTE FUNCTION {function}(...)."
            ))
        };
        // SAFETY: the call in progress. Its context is a node or NULL, and one of this tag is trigger data.
        let data = unsafe {
            let context = (*fcinfo).context;
            if context.is_null() || !is_a(context, pg_sys::NodeTag::T_TriggerData) {
                reject("was not called by a trigger", hint());
            }
            &*context.cast::<pg_sys::TriggerData>()
        };
        let event = data.tg_event;
        if event & pg_sys::TRIGGER_EVENT_ROW == 0 {
            reject("must be called for each row", hint());
        }
        if event & pg_sys::TRIGGER_EVENT_TIMINGMASK != pg_sys::TRIGGER_EVENT_BEFORE {
            reject("must be called before the row is stored", hint());
        }
        let operation = event & pg_sys::TRIGGER_EVENT_OPMASK;
        if ![pg_sys::TRIGGER_EVENT_INSERT, pg_sys::TRIGGER_EVENT_UPDATE].contains(&operation) {
            reject("must be called for INSERT or UPDATE", hint());
        }
        // SAFETY: a trigger function is called with its FmgrInfo, which the statement keeps for all its rows.
        let statement = unsafe { (*(*fcinfo).flinfo).fn_mcxt };
        RowTrigger { call, data, statement }
    }

    /// The call.
    pub fn call(&self) -> Call<'c> {
        self.call
    }

    /// The arguments of CREATE TRIGGER.
    pub fn args(&self) -> Vec<String> {
        // SAFETY: the trigger that is being called.
        unsafe { args_of(self.trigger()) }
    }

    /// The trigger's name.
    pub fn name(&self) -> String {
        // SAFETY: a string in the server encoding.
        unsafe { Utf8Text::from_server_string(self.trigger().tgname).to_owned() }
    }

    /// The table that the row is in, a partition perhaps.
    pub fn table(&self) -> pg_sys::Oid {
        // SAFETY: an open table.
        unsafe { (*self.data.tg_relation).rd_id }
    }

    /// Whether that table is a partition.
    pub fn is_in_partition(&self) -> bool {
        // SAFETY: an open table.
        unsafe { (*(*self.data.tg_relation).rd_rel).relispartition }
    }

    /// Memory that lives as long as the statement, for other modules of `pg`.
    pub(super) fn statement(&self) -> pg_sys::MemoryContext {
        self.statement
    }

    /// The schema of the trigger's function as SQL.
    pub fn schema_of_function(&self) -> String {
        names::schema_of_function(self.trigger().tgfoid)
    }

    /// Where the trigger comes from.
    pub fn root(&self) -> Root {
        root_of(self.trigger(), self.table())
    }

    /// Whether it fires at every UPDATE of its table, too: of all columns, without a WHEN condition, and not where
    /// changes of another server are applied, which moves rows without the triggers of an UPDATE.
    pub fn fires_at_every_update(&self) -> bool {
        let trigger = self.trigger();
        let at_update = trigger.tgtype as u32 & pg_sys::TRIGGER_TYPE_UPDATE != 0;
        at_update && trigger.tgnattr == 0 && trigger.tgqual.is_null() && !is_replica()
    }

    /// The name of a trigger that fires for this row after this one, and calls `function` of the same schema with
    /// `first_argument`.
    pub fn later_trigger(&self, function: &str, first_argument: &str) -> Option<String> {
        let own = self.trigger();
        let event = if self.is_update() { pg_sys::TRIGGER_TYPE_UPDATE } else { pg_sys::TRIGGER_TYPE_INSERT };
        let kind = pg_sys::TRIGGER_TYPE_ROW | pg_sys::TRIGGER_TYPE_BEFORE | event;
        // SAFETY: the triggers of an open table; names and arguments are strings in the server encoding.
        unsafe {
            let schema = pg_sys::get_func_namespace(own.tgfoid);
            let is_it = |other: &&pg_sys::Trigger| {
                other.tgtype as u32 & kind == kind
                    && CStr::from_ptr(other.tgname) > CStr::from_ptr(own.tgname)
                    && fires(other)
                    && pg_sys::get_func_namespace(other.tgfoid) == schema
                    && server_string(pg_sys::get_func_name(other.tgfoid)).as_deref() == Some(function)
                    && args_of(other).first().is_some_and(|argument| argument == first_argument)
            };
            let found = triggers_of(self.data.tg_relation).iter().find(is_it);
            found.and_then(|other| server_string(other.tgname))
        }
    }

    fn trigger(&self) -> &pg_sys::Trigger {
        // SAFETY: a trigger that is being called.
        unsafe { &*self.data.tg_trigger }
    }

    /// The name of the trigger's table.
    pub fn table_name(&self) -> String {
        // SAFETY: an open table.
        unsafe {
            let name = (*(*self.data.tg_relation).rd_rel).relname.data.as_ptr();
            Utf8Text::from_server_string(name).to_owned()
        }
    }

    /// Whether the row is updated and not inserted.
    pub fn is_update(&self) -> bool {
        self.data.tg_event & pg_sys::TRIGGER_EVENT_OPMASK == pg_sys::TRIGGER_EVENT_UPDATE
    }

    fn new_row(&self) -> pg_sys::HeapTuple {
        if self.is_update() { self.data.tg_newtuple } else { self.data.tg_trigtuple }
    }

    fn old_row(&self) -> Option<pg_sys::HeapTuple> {
        self.is_update().then_some(self.data.tg_trigtuple)
    }

    /// The place of the row that the update replaces.
    pub fn old_place(&self) -> Option<Value<'c>> {
        // SAFETY: the old row of an update is a tuple of the table, and its place a tid that lives as long as the call.
        self.old_row().map(|row| unsafe {
            Value::new(Some(pg_sys::Datum::from(&raw mut (*row).t_self)), pg_sys::TIDOID)
        })
    }

    /// The same, for other modules of `pg`.
    pub(super) fn old_row_place(&self) -> Option<pg_sys::ItemPointerData> {
        // SAFETY: the old row of an update is a tuple of the table, which the server keeps for the call.
        self.old_row().map(|row| unsafe { (*row).t_self })
    }

    fn description(&self) -> pg_sys::TupleDesc {
        // SAFETY: an open table.
        unsafe { (*self.data.tg_relation).rd_att }
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<Column> {
        self.columns().find(|column| column.name == name)
    }

    /// The columns that are not dropped.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        // SAFETY: the description of an open table.
        let description = unsafe { PgTupleDesc::from_pg_unchecked(self.description()) };
        let columns: Vec<Column> = description
            .iter()
            .filter(|attribute| !attribute.attisdropped)
            .map(|attribute| {
                let mut type_mod = attribute.atttypmod;
                Column {
                    // SAFETY: a name in the server encoding.
                    name: unsafe { Utf8Text::from_server_string(attribute.attname.data.as_ptr()).to_owned() },
                    number: attribute.attnum,
                    type_oid: attribute.atttypid,
                    // SAFETY: the type of a column of an open table is in the catalogue; its modifier goes to a local place.
                    base_type: unsafe { pg_sys::getBaseTypeAndTypmod(attribute.atttypid, &mut type_mod) },
                    type_mod,
                    is_generated: attribute.attgenerated != 0,
                }
            })
            .collect();
        columns.into_iter()
    }

    /// Whether `column` is one of the table as it is now.
    fn has(&self, column: &Column) -> bool {
        // SAFETY: the description of an open table.
        let description = unsafe { PgTupleDesc::from_pg_unchecked(self.description()) };
        let attribute = description.get(column.number as usize - 1);
        attribute.is_some_and(|attribute| !attribute.attisdropped && attribute.atttypid == column.type_oid)
    }

    /// The value of `column` in `row`.
    fn datum_in(&self, row: pg_sys::HeapTuple, column: &Column) -> Option<pg_sys::Datum> {
        assert!(self.has(column), "a column of the table");
        let number = NonZeroUsize::new(column.number as usize).expect("columns are counted from 1");
        // SAFETY: a row of the table, and a column of it, as asserted.
        unsafe { pgrx::htup::heap_getattr_raw(row, number, self.description()) }
    }

    fn datum(&self, column: &Column) -> Option<pg_sys::Datum> {
        self.datum_in(self.new_row(), column)
    }

    fn old_datum(&self, column: &Column) -> Option<pg_sys::Datum> {
        self.old_row().and_then(|row| self.datum_in(row, column))
    }

    /// The value that `column` is going to have.
    pub fn value(&self, column: &Column) -> Value<'c> {
        // SAFETY: a value of the column's type, which lives as long as the row.
        unsafe { Value::new(self.datum(column), column.base_type) }
    }

    /// The value that `column` had before the update; NULL where there is no update.
    pub fn old_value(&self, column: &Column) -> Value<'c> {
        // SAFETY: a value of the column's type, which lives as long as the row: the server keeps the old row for the call.
        unsafe { Value::new(self.old_datum(column), column.base_type) }
    }

    /// The text that `column`, of a type for which `is_text` holds, is going to have.
    pub fn text(&self, column: &Column) -> Option<Utf8Text<'_>> {
        let datum = self.datum(column)?;
        // SAFETY: a name, or a type that is stored as text is; it lives as long as the row.
        let text = unsafe {
            if column.base_type == pg_sys::NAMEOID {
                return Some(Utf8Text::from_server_string(datum.cast_mut_ptr::<c_char>()));
            }
            Utf8Text::from_text_datum(datum)
        };
        Some(if column.base_type == pg_sys::BPCHAROID { text.without_trailing_blanks() } else { text })
    }

    /// Whether the update gives `column` other bytes.
    pub fn is_changed(&self, column: &Column) -> bool {
        let (Some(old), Some(new)) = (self.old_datum(column), self.datum(column)) else {
            return self.old_datum(column).is_some() || self.datum(column).is_some();
        };
        let (mut len, mut by_value) = (0, false);
        // SAFETY: two values of the column's type, which is stored as the catalogue says. Values of a varlena type are
        // compared as stored first: an unchanged long text has the same TOAST pointer.
        unsafe {
            pg_sys::get_typlenbyval(column.type_oid, &mut len, &mut by_value);
            if by_value {
                return old.value() != new.value();
            }
            let bytes = |datum: pg_sys::Datum, len: usize| {
                std::slice::from_raw_parts(datum.cast_mut_ptr::<u8>().cast_const(), len)
            };
            let stored = |datum: pg_sys::Datum| match len {
                -1 => bytes(datum, pgrx::varsize_any(datum.cast_mut_ptr())),
                -2 => CStr::from_ptr(datum.cast_mut_ptr()).to_bytes(),
                len => bytes(datum, len as usize),
            };
            if len != -1 || stored(old) == stored(new) {
                return stored(old) != stored(new);
            }
            let plain = |datum: pg_sys::Datum| server::pg_detoast_datum_packed(datum.cast_mut_ptr());
            pgrx::varlena_to_byte_slice(plain(old)) != pgrx::varlena_to_byte_slice(plain(new))
        }
    }

    /// The row with other values in some columns, of their types.
    pub fn with(&self, values: &[(&Column, Value)]) -> Outcome {
        let fits =
            |(column, value): &(&Column, Value)| self.has(column) && value.base_type() == column.base_type;
        assert!(values.iter().all(fits), "columns of the table, and values of their types");
        let mut numbers: Vec<c_int> = values.iter().map(|(column, _)| c_int::from(column.number)).collect();
        let mut nulls: Vec<bool> = values.iter().map(|(_, value)| value.is_null()).collect();
        let datum = |value: &Value| value.datum().unwrap_or(pg_sys::Datum::from(0));
        let mut datums: Vec<pg_sys::Datum> = values.iter().map(|(_, value)| datum(value)).collect();
        // SAFETY: a row of the table, columns of it, and values of their types; a domain's constraints are checked.
        unsafe {
            for (column, value) in values.iter().filter(|(column, _)| column.type_oid != column.base_type) {
                let cache = std::ptr::null_mut();
                let (is_null, domain) = (value.is_null(), column.type_oid);
                pg_sys::domain_check(datum(value), is_null, domain, cache, std::ptr::null_mut());
            }
            Outcome(server::heap_modify_tuple_by_cols(
                self.new_row(),
                self.description(),
                numbers.len() as c_int,
                numbers.as_mut_ptr(),
                datums.as_mut_ptr(),
                nulls.as_mut_ptr(),
            ))
        }
    }

    /// The columns of the primary key of `table`: this one or the partitioned table that it belongs to. None where it
    /// has no such key.
    pub fn primary_key_of(&self, table: pg_sys::Oid) -> Vec<Column> {
        // SAFETY: a table whose trigger runs is there; its primary key, if it has one, has `indnkeyatts` columns.
        let names: Vec<String> = unsafe {
            let relation = pg_sys::table_open(table, pg_sys::AccessShareLock as _);
            let mut names = vec![];
            let oid = primary_key_index(relation);
            if oid != pg_sys::InvalidOid {
                let index = pg_sys::index_open(oid, pg_sys::AccessShareLock as _);
                let form = &*(*index).rd_index;
                let number = |at: usize| *form.indkey.values.as_ptr().add(at);
                let name = |at| server_string(pg_sys::get_attname(table, number(at), false));
                names = (0..form.indnkeyatts as usize).filter_map(name).collect();
                pg_sys::index_close(index, pg_sys::AccessShareLock as _);
            }
            pg_sys::table_close(relation, pg_sys::NoLock as _);
            names
        };
        // Columns of a partition can have other numbers, but not other names.
        names.iter().filter_map(|name| self.column(name)).collect()
    }

    /// The row as it is.
    pub fn unchanged(&self) -> Outcome {
        Outcome(self.new_row())
    }

    /// No row: nothing is stored.
    pub fn skip(&self) -> Outcome {
        Outcome(std::ptr::null_mut())
    }
}

impl Column {
    /// Whether it holds text: text, varchar, char, name, citext and the like, and domains over them.
    pub fn is_text(&self) -> bool {
        let text = [pg_sys::TEXTOID, pg_sys::VARCHAROID, pg_sys::BPCHAROID, pg_sys::NAMEOID];
        // SAFETY: a look-up takes any two OIDs of types; the server runs triggers in a transaction.
        text.contains(&self.base_type)
            || unsafe { pg_sys::IsBinaryCoercible(self.base_type, pg_sys::TEXTOID) }
    }

    /// The name of its type.
    pub fn type_name(&self) -> String {
        // SAFETY: the server writes the name as a string in its encoding.
        unsafe {
            let plain = self.type_oid == self.base_type;
            let type_mod = if plain { self.type_mod } else { -1 };
            server_string(pg_sys::format_type_with_typemod(self.type_oid, type_mod)).unwrap_or_default()
        }
    }

    /// Whether every value of `other` can be stored here as it is.
    pub fn holds_all_of(&self, other: &Column) -> bool {
        let varying = [pg_sys::VARCHAROID, pg_sys::VARBITOID].contains(&self.base_type);
        let longer = varying && other.type_mod >= 0 && self.type_mod >= other.type_mod;
        self.base_type == other.base_type
            && (self.type_mod == -1 || self.type_mod == other.type_mod || longer)
    }

    /// Its name as SQL.
    pub fn quoted(&self) -> String {
        names::quoted(&self.name)
    }
}

// SAFETY: trigger functions return a tuple of the table, or a null pointer.
unsafe impl BoxRet for Outcome {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        // SAFETY: an `Outcome` is made by `RowTrigger` alone: of a tuple of the table that the server gave or made, or NULL.
        unsafe { fcinfo.return_raw_datum(pg_sys::Datum::from(self.0)) }
    }
}
