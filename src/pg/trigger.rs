//! Row triggers: the row at hand, its columns, and what becomes of it.

use super::error::raise;
use super::text::Utf8Text;
use pgrx::callconv::{BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::{PgSqlErrorCode, PgTupleDesc, is_a, pg_sys};
use std::ffi::{CStr, c_char, c_int};
use std::num::NonZeroUsize;

/// A call of a trigger function, before a row is inserted or updated.
pub struct RowTrigger<'c> {
    data: &'c pg_sys::TriggerData,
}

/// A column of the trigger's table.
#[derive(Clone)]
pub struct Column {
    pub name: String,
    pub number: i16,
    /// Its type, a domain perhaps.
    pub type_oid: pg_sys::Oid,
    /// What the domain is over.
    pub base_type: pg_sys::Oid,
    pub is_generated: bool,
}

/// What becomes of the row.
pub struct Outcome(pg_sys::HeapTuple);

impl RowTrigger<'_> {
    /// The trigger that `function` is called for; an error where it is called in another way.
    pub fn of_call<'c>(fcinfo: pg_sys::FunctionCallInfo, function: &str) -> RowTrigger<'c> {
        let reject = |message: &str, hint: Option<String>| -> ! {
            let code = PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED;
            raise(code, format!("function \"{function}\" {message}"), None, hint)
        };
        let hint = || {
            Some(format!(
                "Use CREATE TRIGGER ... BEFORE INSERT OR UPDATE ON ... FOR EACH ROW EXECUTE FUNCTION {function}(...)."
            ))
        };
        // SAFETY: the context of a call is a node or NULL, and one of this tag is trigger data.
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
        RowTrigger { data }
    }

    /// The arguments of CREATE TRIGGER.
    pub fn args(&self) -> Vec<String> {
        // SAFETY: a trigger has `tgnargs` strings in the server encoding.
        unsafe {
            let trigger = self.trigger();
            let arg = |i| Utf8Text::from_server_string(*trigger.tgargs.add(i)).to_owned();
            (0..trigger.tgnargs as usize).map(arg).collect()
        }
    }

    /// The trigger's name.
    pub fn name(&self) -> String {
        // SAFETY: a string in the server encoding.
        unsafe { Utf8Text::from_server_string(self.trigger().tgname).to_owned() }
    }

    /// The trigger's table, for other parts of the fence.
    pub(super) fn relation(&self) -> pg_sys::Relation {
        self.data.tg_relation
    }

    /// The trigger itself.
    pub(super) fn oid(&self) -> pg_sys::Oid {
        self.trigger().tgoid
    }

    /// The function that it calls.
    pub(super) fn function(&self) -> pg_sys::Oid {
        self.trigger().tgfoid
    }

    /// Whether it was made for a partition, because the partitioned table has it.
    pub(super) fn is_clone(&self) -> bool {
        self.trigger().tgisclone
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

    /// The place of the row that the update replaces, a tid that lives as long as the row.
    pub(super) fn old_place(&self) -> Option<pg_sys::Datum> {
        // SAFETY: the old row of an update is a tuple of the table.
        self.old_row().map(|row| pg_sys::Datum::from(unsafe { &raw mut (*row).t_self }))
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
            .map(|attribute| Column {
                // SAFETY: a name in the server encoding.
                name: unsafe { Utf8Text::from_server_string(attribute.attname.data.as_ptr()).to_owned() },
                number: attribute.attnum,
                type_oid: attribute.atttypid,
                // SAFETY: looks into the catalogue.
                base_type: unsafe { pg_sys::getBaseType(attribute.atttypid) },
                is_generated: attribute.attgenerated != 0,
            })
            .collect();
        columns.into_iter()
    }

    /// The value of `column` in `row`.
    fn value_in(&self, row: pg_sys::HeapTuple, column: &Column) -> Option<pg_sys::Datum> {
        let number = NonZeroUsize::new(column.number as usize).expect("columns are counted from 1");
        // SAFETY: a row of the table, and a column of it.
        unsafe { pgrx::htup::heap_getattr_raw(row, number, self.description()) }
    }

    /// The value that `column` is going to have.
    pub(super) fn value(&self, column: &Column) -> Option<pg_sys::Datum> {
        self.value_in(self.new_row(), column)
    }

    /// The value that `column` had before the update.
    pub(super) fn old_value(&self, column: &Column) -> Option<pg_sys::Datum> {
        self.old_row().and_then(|row| self.value_in(row, column))
    }

    /// The value that `column`, a bigint, is going to have.
    pub fn bigint(&self, column: &Column) -> Option<i64> {
        self.value(column).map(|datum| datum.value() as i64)
    }

    /// The text that `column`, of a type for which `is_text` holds, is going to have.
    pub fn text(&self, column: &Column) -> Option<Utf8Text<'_>> {
        let datum = self.value(column)?;
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
        let (Some(old), Some(new)) = (self.old_value(column), self.value(column)) else {
            return self.old_value(column).is_some() || self.value(column).is_some();
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
            let plain = |datum: pg_sys::Datum| pg_sys::pg_detoast_datum_packed(datum.cast_mut_ptr());
            pgrx::varlena_to_byte_slice(plain(old)) != pgrx::varlena_to_byte_slice(plain(new))
        }
    }

    /// The row with other values in some columns.
    pub(super) fn with(&self, values: &[(&Column, Option<pg_sys::Datum>)]) -> Outcome {
        let mut numbers: Vec<c_int> = values.iter().map(|(column, _)| c_int::from(column.number)).collect();
        let mut nulls: Vec<bool> = values.iter().map(|(_, value)| value.is_none()).collect();
        let mut datums: Vec<pg_sys::Datum> =
            values.iter().map(|(_, value)| value.unwrap_or(pg_sys::Datum::from(0))).collect();
        // SAFETY: a row of the table, columns of it, and values of their types; a domain's constraints are checked.
        unsafe {
            for (column, value) in values.iter().filter(|(column, _)| column.type_oid != column.base_type) {
                let datum = value.unwrap_or(pg_sys::Datum::from(0));
                let cache = std::ptr::null_mut();
                pg_sys::domain_check(datum, value.is_none(), column.type_oid, cache, std::ptr::null_mut());
            }
            Outcome(pg_sys::heap_modify_tuple_by_cols(
                self.new_row(),
                self.description(),
                numbers.len() as c_int,
                numbers.as_mut_ptr(),
                datums.as_mut_ptr(),
                nulls.as_mut_ptr(),
            ))
        }
    }

    /// The row with another value in `column`, a bigint.
    pub fn with_bigint(&self, column: &Column, value: Option<i64>) -> Outcome {
        self.with(&[(column, value.map(pg_sys::Datum::from))])
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
    /// A column that every table has.
    pub(super) fn of_system(name: &str, type_oid: pg_sys::Oid) -> Column {
        Column { name: name.to_owned(), number: 0, type_oid, base_type: type_oid, is_generated: false }
    }

    /// Whether it holds text: text, varchar, char, name, citext and the like, and domains over them.
    pub fn is_text(&self) -> bool {
        let text = [pg_sys::TEXTOID, pg_sys::VARCHAROID, pg_sys::BPCHAROID, pg_sys::NAMEOID];
        // SAFETY: looks into the catalogue.
        text.contains(&self.base_type)
            || unsafe { pg_sys::IsBinaryCoercible(self.base_type, pg_sys::TEXTOID) }
    }

    /// The name of its type.
    pub fn type_name(&self) -> String {
        // SAFETY: the server writes the name as a string in its encoding.
        unsafe { Utf8Text::from_server_string(pg_sys::format_type_be(self.type_oid)).to_owned() }
    }

    /// Its name as SQL.
    pub(super) fn quoted(&self) -> String {
        quoted(&self.name)
    }
}

/// A name as SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

// SAFETY: trigger functions return a tuple of the table, or a null pointer.
unsafe impl BoxRet for Outcome {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        // SAFETY: as above.
        unsafe { fcinfo.return_raw_datum(pg_sys::Datum::from(self.0)) }
    }
}
