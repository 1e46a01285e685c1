//! Row triggers: the row, its columns, and the row that the trigger returns.

use crate::server::bits::BitStringDatum;
use crate::server::call::Call;
use crate::server::datum::result;
use crate::server::error::raise;
use crate::server::guard;
use crate::server::text::{Utf8Text, server_string};
use pgrx::{PgSqlErrorCode, PgTupleDesc, is_a, pg_sys};
use std::ffi::{CStr, c_char, c_int};
use std::num::NonZeroUsize;

/// A call of a trigger function, before a row is inserted or updated.
pub struct RowTrigger<'c> {
    data: &'c pg_sys::TriggerData,
}

/// A column of the trigger's table.
pub struct Column {
    pub name: String,
    number: i16,
    /// Its type, which may be a domain.
    type_oid: pg_sys::Oid,
    /// The type modifier; -1 if there is none.
    type_mod: i32,
    /// The type that a domain is over; for other types, the type itself.
    base_type: pg_sys::Oid,
    /// The type modifier of that type.
    base_type_mod: i32,
    pub is_generated: bool,
}

/// How many bits a fingerprint column has: it is of type bigint, bit(128) or bit(256), or a domain over one of them.
#[derive(Clone, Copy)]
pub enum Width {
    Bits64,
    Bits128,
    Bits256,
}

/// The value of a fingerprint column.
pub enum Fingerprint {
    Bigint(i64),
    Bits(BitStringDatum),
}

/// The row that the trigger returns.
pub struct Outcome(pg_sys::HeapTuple);

impl<'c> RowTrigger<'c> {
    /// The trigger that `function` is called for. Raises an error if it is called in another way.
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
        // SAFETY: the call in progress. Its context is a node or NULL, and a node with this tag is trigger data.
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
        let trigger = self.trigger();
        // SAFETY: a trigger has `tgnargs` strings in the server encoding.
        let arg = |at| unsafe { Utf8Text::from_server_string(*trigger.tgargs.add(at)).to_owned() };
        (0..trigger.tgnargs as usize).map(arg).collect()
    }

    /// The trigger's name.
    pub fn name(&self) -> String {
        // SAFETY: a string in the server encoding.
        unsafe { Utf8Text::from_server_string(self.trigger().tgname).to_owned() }
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

    /// Whether the row is updated, not inserted.
    pub fn is_update(&self) -> bool {
        self.data.tg_event & pg_sys::TRIGGER_EVENT_OPMASK == pg_sys::TRIGGER_EVENT_UPDATE
    }

    fn new_row(&self) -> pg_sys::HeapTuple {
        if self.is_update() { self.data.tg_newtuple } else { self.data.tg_trigtuple }
    }

    fn old_row(&self) -> Option<pg_sys::HeapTuple> {
        self.is_update().then_some(self.data.tg_trigtuple)
    }

    fn description(&self) -> pg_sys::TupleDesc {
        // SAFETY: an open table.
        unsafe { (*self.data.tg_relation).rd_att }
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<Column> {
        // SAFETY: the description of an open table; names are in the server encoding, and types in the catalog.
        unsafe {
            let description = PgTupleDesc::from_pg_unchecked(self.description());
            let is_it = |attribute: &&pg_sys::FormData_pg_attribute| {
                !attribute.attisdropped
                    && *Utf8Text::from_server_string(attribute.attname.data.as_ptr()) == *name
            };
            description.iter().find(is_it).map(|attribute| {
                let mut base_type_mod = attribute.atttypmod;
                Column {
                    name: name.to_owned(),
                    number: attribute.attnum,
                    type_oid: attribute.atttypid,
                    type_mod: attribute.atttypmod,
                    base_type: pg_sys::getBaseTypeAndTypmod(attribute.atttypid, &mut base_type_mod),
                    base_type_mod,
                    is_generated: attribute.attgenerated != 0,
                }
            })
        }
    }

    /// Whether `column` is a column of the table as it is now.
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

    /// The text of `column` in the new row. `is_text` holds for the column.
    pub fn text(&self, column: &Column) -> Option<Utf8Text<'_>> {
        let datum = self.datum(column)?;
        // SAFETY: a name, or a type that is stored like text; it is valid while the row is.
        let text = unsafe {
            if column.base_type == pg_sys::NAMEOID {
                return Some(Utf8Text::from_server_string(datum.cast_mut_ptr::<c_char>()));
            }
            Utf8Text::from_text_datum(datum)
        };
        Some(if column.base_type == pg_sys::BPCHAROID { text.without_trailing_blanks() } else { text })
    }

    /// Whether the update changes the bytes of `column`.
    pub fn is_changed(&self, column: &Column) -> bool {
        let (Some(old), Some(new)) = (self.old_datum(column), self.datum(column)) else {
            return self.old_datum(column).is_some() || self.datum(column).is_some();
        };
        let (mut len, mut by_value) = (0, false);
        // SAFETY: two values of the column's type, which is stored as the catalog says. Values of a varlena type are first compared
        // as they are stored: an unchanged long text has the same TOAST pointer.
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
            let plain = |datum: pg_sys::Datum| guard::pg_detoast_datum_packed(datum.cast_mut_ptr());
            pgrx::varlena_to_byte_slice(plain(old)) != pgrx::varlena_to_byte_slice(plain(new))
        }
    }

    /// The row with another fingerprint in `column`.
    pub fn with_fingerprint(&self, column: &Column, fingerprint: Option<Fingerprint>) -> Outcome {
        assert!(self.has(column), "a column of the table");
        let mut is_null = fingerprint.is_none();
        let (type_oid, mut datum) = match fingerprint {
            Some(Fingerprint::Bigint(bits)) => (pg_sys::INT8OID, pg_sys::Datum::from(bits)),
            Some(Fingerprint::Bits(bits)) => (pg_sys::BITOID, bits.datum()),
            None => (column.base_type, pg_sys::Datum::null()),
        };
        assert!(type_oid == column.base_type, "a fingerprint of the column's type");
        // SAFETY: a row of the table, a column of it, and a value of its type; a domain's constraints are checked.
        unsafe {
            if column.type_oid != column.base_type {
                let cache = std::ptr::null_mut();
                pg_sys::domain_check(datum, is_null, column.type_oid, cache, std::ptr::null_mut());
            }
            Outcome(guard::heap_modify_tuple_by_cols(
                self.new_row(),
                self.description(),
                1,
                &mut c_int::from(column.number),
                &mut datum,
                &mut is_null,
            ))
        }
    }

    /// The row without changes.
    pub fn unchanged(&self) -> Outcome {
        Outcome(self.new_row())
    }
}

impl Column {
    /// How many bits it has as a fingerprint column; `None` if it is not one.
    pub fn width(&self) -> Option<Width> {
        match (self.base_type, self.base_type_mod) {
            (pg_sys::INT8OID, _) => Some(Width::Bits64),
            (pg_sys::BITOID, 128) => Some(Width::Bits128),
            (pg_sys::BITOID, 256) => Some(Width::Bits256),
            _ => None,
        }
    }

    /// Whether it holds text: text, varchar, char, name, citext and the like, and domains over them.
    pub fn is_text(&self) -> bool {
        let text = [pg_sys::TEXTOID, pg_sys::VARCHAROID, pg_sys::BPCHAROID, pg_sys::NAMEOID];
        // SAFETY: a lookup takes any two OIDs of types; the server runs triggers in a transaction.
        text.contains(&self.base_type)
            || unsafe { pg_sys::IsBinaryCoercible(self.base_type, pg_sys::TEXTOID) }
    }

    /// The name of its type.
    pub fn type_name(&self) -> String {
        // SAFETY: the server writes the name as a string in its encoding.
        unsafe {
            server_string(pg_sys::format_type_with_typemod(self.type_oid, self.type_mod)).unwrap_or_default()
        }
    }
}

// Only `RowTrigger` makes an `Outcome`: of a tuple of the table that the server gave or made.
result!(Outcome, |outcome| pg_sys::Datum::from(outcome.0));
