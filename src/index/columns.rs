//! The columns that an index can have: those of the scope, and after them a fingerprint.

use super::relation::IndexRelation;
use super::strategy::Strategy;
use crate::server::error::raise;
use pgrx::PgSqlErrorCode::{ERRCODE_FEATURE_NOT_SUPPORTED, ERRCODE_UNDEFINED_FUNCTION};

/// Raises an error if a new index has other columns. `comparisons` are the strategy numbers of the operators of an exclusion
/// constraint, if the index is for one.
pub fn check(relation: &IndexRelation, comparisons: Option<&[u16]>) {
    let last = relation.scope_columns();
    let name = |column| relation.column_name(column);
    if !relation.is_fingerprint(last) {
        raise(
            ERRCODE_FEATURE_NOT_SUPPORTED,
            format!(
                "last column of an index with access method simhash must be a fingerprint, but \"{}\" is not",
                name(last)
            ),
            Some("The columns before the last one are the scope: only rows that are equal in them are compared.".to_owned()),
            Some("Put the column of type bigint that has the fingerprints last.".to_owned()),
        );
    }
    for column in 0..last {
        if !relation.has_hash(column) {
            raise(
                ERRCODE_UNDEFINED_FUNCTION,
                format!(
                    "column \"{}\" of an index with access method simhash has no hash function",
                    name(column)
                ),
                Some("Columns before the fingerprint are hashed.".to_owned()),
                Some(
                    "Use an operator class that has support function 1, or an expression of another type."
                        .to_owned(),
                ),
            );
        }
        if relation.hashes_padding(column) {
            raise(
                ERRCODE_FEATURE_NOT_SUPPORTED,
                format!(
                    "column \"{}\" of an index with access method simhash is of type character and has a nondeterministic collation",
                    name(column)
                ),
                Some(
                    "Before PostgreSQL 16, the server's hash of such a value depends on spaces at its end."
                        .to_owned(),
                ),
                Some("Use an expression of type text.".to_owned()),
            );
        }
        if comparisons.is_some_and(|comparisons| comparisons[column] != Strategy::Equal as u16) {
            raise(
                ERRCODE_FEATURE_NOT_SUPPORTED,
                format!(
                    "column \"{}\" of an exclusion constraint with access method simhash must be compared by =",
                    name(column)
                ),
                Some("The columns before the last one are the scope: only rows that are equal in them are compared.".to_owned()),
                Some("Put the column of type bigint that has the fingerprints last.".to_owned()),
            );
        }
    }
}
