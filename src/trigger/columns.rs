//! The columns that a trigger's arguments name.

use super::row::{Column, RowTrigger, Width};
use crate::server::error::raise;
use pgrx::PgSqlErrorCode;

/// The fingerprint column of that name, with its width. Raises an error if the column is not one.
pub fn fingerprint(trigger: &RowTrigger, name: &str) -> (Column, Width) {
    let column = named(trigger, name);
    let width = column.width().unwrap_or_else(|| wrong_type(&column, "bigint, bit(128) or bit(256)"));
    check_plain(trigger, &column, "Use a plain column.");
    (column, width)
}

/// The text column of that name. Raises an error if the column is not one.
pub fn text(trigger: &RowTrigger, name: &str) -> Column {
    let column = named(trigger, name);
    if !column.is_text() {
        wrong_type(&column, "a character type");
    }
    check_plain(trigger, &column, "Name the columns that it is generated from.");
    column
}

/// The column of that name. Raises an error if there is none.
fn named(trigger: &RowTrigger, name: &str) -> Column {
    trigger.column(name).unwrap_or_else(|| {
        let (trigger_name, table) = (trigger.name(), trigger.table_name());
        raise(
            PgSqlErrorCode::ERRCODE_UNDEFINED_COLUMN,
            format!("column \"{name}\" of relation \"{table}\" does not exist"),
            Some(format!("The arguments of trigger \"{trigger_name}\" name this column.")),
            Some(
                "A trigger does not follow a renamed column: drop the trigger and create it again."
                    .to_owned(),
            ),
        )
    })
}

/// Raises an error for a column that has no value yet when the trigger fires.
fn check_plain(trigger: &RowTrigger, column: &Column, hint: &str) {
    if column.is_generated {
        let table = trigger.table_name();
        raise(
            PgSqlErrorCode::ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
            format!("column \"{}\" of relation \"{table}\" is a generated column", column.name),
            Some("Generated columns are computed after BEFORE triggers.".to_owned()),
            Some(hint.to_owned()),
        );
    }
}

/// Raises an error for a column of the wrong type.
fn wrong_type(column: &Column, expected: &str) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_DATATYPE_MISMATCH,
        format!("column \"{}\" is of type {}, not {expected}", column.name, column.type_name()),
        None,
        None,
    )
}
