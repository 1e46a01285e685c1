//! The last column of an index: its fingerprints, and how many words they have.

use super::relation::IndexRelation;
use crate::near::ball::StoredBall;
use crate::near::bit_ball::{StoredBitBall, fingerprint};
use crate::server::bits::BitString;
use crate::server::error::raise;
use crate::server::expr::Expr;
use crate::server::text::server_string;
use pgrx::{PgSqlErrorCode, pg_sys};
use simhash_search::fingerprint::{Fingerprint, MAX_WORDS};

/// What the last column has: fingerprints, or balls around them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LastColumn {
    Bigints,
    Balls,
    Bits,
    BitBalls,
}

impl IndexRelation<'_> {
    /// What the last column has. It is the last column of an index that was built, or `is_fingerprint` holds for it.
    pub fn last_column(&self) -> LastColumn {
        let last = self.scope_columns();
        match self.type_of(last) {
            pg_sys::INT8OID => LastColumn::Bigints,
            pg_sys::BITOID => LastColumn::Bits,
            _ if self.length_of(last) == size_of::<StoredBall>() as i16 => LastColumn::Balls,
            _ => LastColumn::BitBalls,
        }
    }

    /// Whether a column can be the last one: of bigints with a distance, of bit strings, or of balls.
    pub fn is_fingerprint(&self, column: usize) -> bool {
        use super::strategy::Strategy::{Distance, Overlap};
        match self.type_of(column) {
            pg_sys::INT8OID => self.has_operator(column, Distance as u16),
            // Only an operator class for columns before the last one has a hash function.
            pg_sys::BITOID => !self.has_hash(column),
            _ => {
                let lengths = [size_of::<StoredBall>(), size_of::<StoredBitBall>()];
                lengths.contains(&(self.length_of(column) as usize))
                    && self.has_operator(column, Overlap as u16)
            }
        }
    }

    /// The fingerprint in a value of the last column, or in the center of a ball; an error if it does not have `words` words.
    ///
    /// # Safety
    /// `value` is of the type of the last column, and not NULL.
    pub unsafe fn fingerprint(&self, value: pg_sys::Datum, words: u8) -> Fingerprint {
        // SAFETY: as the caller promises.
        let (fingerprint, bits) = unsafe {
            match self.last_column() {
                LastColumn::Bigints => return Fingerprint::from(value.value() as u64),
                LastColumn::Balls => {
                    return Fingerprint::from(StoredBall::from_ball_datum(value).center as u64);
                }
                LastColumn::Bits => BitString::look_at(value, |bits| (fingerprint(bits), bits.len())),
                LastColumn::BitBalls => {
                    let ball = StoredBitBall::from_ball_datum(value);
                    (ball.center(), ball.bits())
                }
            }
        };
        fingerprint.filter(|fingerprint| fingerprint.words().len() == usize::from(words)).unwrap_or_else(
            || {
                raise(
                    PgSqlErrorCode::ERRCODE_STRING_DATA_LENGTH_MISMATCH,
                    format!(
                        "fingerprint has {bits} bits, but index \"{}\" has fingerprints of {} bits",
                        self.name(),
                        64 * u32::from(words)
                    ),
                    None,
                    None,
                )
            },
        )
    }

    /// How many words the fingerprints of the last column have; `None` if its type does not say so, or if no fingerprint has this
    /// length.
    pub fn words(&self) -> Option<u8> {
        let (base_type, length) = match self.last_column() {
            LastColumn::Bigints | LastColumn::Balls => return Some(1),
            LastColumn::Bits => {
                let (type_oid, mut length) = self.declared_type();
                // SAFETY: a lookup by OID takes any OID of a type.
                (unsafe { pg_sys::getBaseTypeAndTypmod(type_oid, &mut length) }, length)
            }
            LastColumn::BitBalls => self.type_of_center()?,
        };
        let words = usize::try_from(length).ok().filter(|length| length.is_multiple_of(64))? / 64;
        (base_type == pg_sys::BITOID && (1..=MAX_WORDS).contains(&words)).then_some(words as u8)
    }

    /// The name of the type of the last column.
    pub fn type_name(&self) -> String {
        let (type_oid, modifier) = self.declared_type();
        // SAFETY: the server writes the name as a string in its encoding.
        unsafe { server_string(pg_sys::format_type_with_typemod(type_oid, modifier)).unwrap_or_default() }
    }

    /// The type and the type modifier of the last column as it was declared.
    fn declared_type(&self) -> (pg_sys::Oid, i32) {
        // SAFETY: an open index describes its columns.
        let columns = unsafe { pgrx::PgTupleDesc::from_pg_unchecked((*self.as_ptr()).rd_att) };
        let column = columns.get(self.scope_columns());
        column.map_or((pg_sys::InvalidOid, -1), |column| (column.atttypid, column.atttypmod))
    }

    /// The type and the type modifier of the fingerprint in the last column, if that is a call such as `simhash_bit_ball(pdq, 31)`.
    fn type_of_center(&self) -> Option<(pg_sys::Oid, i32)> {
        // SAFETY: an open index, whose description has a number for each column; its expressions are a list.
        let expressions = unsafe {
            let is_expression =
                *(*(*self.as_ptr()).rd_index).indkey.values.as_ptr().add(self.scope_columns()) == 0;
            is_expression.then(|| Expr::from_list(pg_sys::RelationGetIndexExpressions(self.as_ptr())))?
        };
        let call = expressions.last()?.as_call()?;
        call.args.first().map(|fingerprint| fingerprint.type_and_modifier())
    }

    /// The length of the values of a column in bytes; negative if it varies.
    fn length_of(&self, column: usize) -> i16 {
        // SAFETY: a lookup takes any OID.
        unsafe { pg_sys::get_typlen(self.type_of(column)) }
    }
}
