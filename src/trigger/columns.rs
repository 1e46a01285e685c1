//! The columns that a trigger's arguments name.

use crate::pg::error::raise;
use crate::pg::trigger::{Column, RowTrigger};
use pgrx::{PgSqlErrorCode, pg_sys};

/// The column of that name; an error where there is none.
pub fn named(trigger: &RowTrigger, name: &str) -> Column {
    trigger.column(name).unwrap_or_else(|| {
        let (trigger_name, table) = (trigger.name(), trigger.table_name());
        raise(
            PgSqlErrorCode::ERRCODE_UNDEFINED_COLUMN,
            format!("column \"{name}\" of relation \"{table}\" does not exist"),
            Some(format!("Trigger \"{trigger_name}\" names it.")),
            Some(
                "A trigger does not follow a column that is renamed: drop it and create it anew.".to_owned(),
            ),
        )
    })
}

/// The fingerprint column of that name; an error where it is none.
pub fn fingerprint(trigger: &RowTrigger, name: &str) -> Column {
    let column = named(trigger, name);
    if column.base_type != pg_sys::INT8OID {
        wrong_type(&column, "bigint");
    }
    if column.is_generated {
        raise(
            PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
            format!("column \"{name}\" of relation \"{}\" is a generated column", trigger.table_name()),
            Some("Generated columns are computed after BEFORE triggers.".to_owned()),
            Some("Use a plain bigint column and simhash_trigger.".to_owned()),
        );
    }
    column
}

/// The text column of that name; an error where it is none.
pub fn text(trigger: &RowTrigger, name: &str) -> Column {
    let column = named(trigger, name);
    if !column.is_text() {
        wrong_type(&column, "a character type");
    }
    column
}

/// Raises an error for a column that is not of the type it has to be.
pub fn wrong_type(column: &Column, expected: &str) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_DATATYPE_MISMATCH,
        format!("column \"{}\" is of type {}, not {expected}", column.name, column.type_name()),
        None,
        None,
    )
}
