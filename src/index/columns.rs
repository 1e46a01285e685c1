//! The columns that an index can have: those of the scope, and after them a fingerprint.

use super::fingerprints::LastColumn;
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
            Some(FINGERPRINTS_LAST.to_owned()),
        );
    }
    if relation.words().is_none() {
        wrong_length(relation);
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
                Some(FINGERPRINTS_LAST.to_owned()),
            );
        }
    }
}

const FINGERPRINTS_LAST: &str = "Put the column of type bigint or bit(n) that has the fingerprints last.";

/// Raises the error for a last column of bit strings that has no length, or not one of fingerprints.
fn wrong_length(relation: &IndexRelation) -> ! {
    let (name, type_name) = (relation.column_name(relation.scope_columns()), relation.type_name());
    let (what, whose, hint) = match relation.last_column() {
        LastColumn::BitBalls => (
            format!(
                "an index with access method simhash cannot tell how many bits the centers of \"{name}\" have"
            ),
            "type of the centers",
            "Use an expression such as simhash_bit_ball(pdq, 31), where pdq is of type bit(256).",
        ),
        _ => (
            format!("an index with access method simhash cannot have column \"{name}\" of type {type_name}"),
            "type",
            "Use a column of type bit(256), for example, or an expression with a cast, such as (simhash256(body)::bit(256)).",
        ),
    };
    let detail = format!("The {whose} has to be bit(n), where n is a multiple of 64 from 64 to 512.");
    raise(ERRCODE_FEATURE_NOT_SUPPORTED, what, Some(detail), Some(hint.to_owned()))
}
