//! The columns of an index before its fingerprint: the hashes of their values, by the functions of their operator classes.

use super::relation::IndexRelation;
use super::scratch::Scratch;
use super::strategy::HASH;
use crate::server::guard;
use crate::server::text::Utf8Text;
use crate::server::version::PADDING_IS_HASHED;
use pgrx::pg_sys;
use simhash_search::fingerprint::Fingerprint;
use simhash_search::tree::scope::scope;

impl IndexRelation<'_> {
    /// How many columns are before the fingerprint.
    pub fn scope_columns(&self) -> usize {
        // SAFETY: an open index has a description.
        unsafe { (*(*self.as_ptr()).rd_index).indnkeyatts as usize - 1 }
    }

    /// What the index stores for a row: its fingerprint of `words` words, or the center of its ball, moved by its scope.
    ///
    /// # Safety
    /// `values` and `is_null` have one element for each column of the index, of the column's type.
    pub unsafe fn stored(
        &self,
        values: *const pg_sys::Datum,
        is_null: *const bool,
        words: u8,
        scratch: &Scratch,
    ) -> Option<Fingerprint> {
        let last = self.scope_columns();
        // SAFETY: as the caller promises.
        let fingerprint = unsafe {
            if *is_null.add(last) {
                return None;
            }
            self.fingerprint(*values.add(last), words)
        };
        if last == 0 {
            return Some(fingerprint);
        }
        // SAFETY: as the caller promises.
        let column = |at: usize| unsafe {
            (!*is_null.add(at)).then(|| self.hash(at, self.type_of(at), *values.add(at)))?
        };
        Some(fingerprint.moved(scratch.run(|| scope((0..last).map(column)))))
    }

    /// The type that the operator class of a column is for.
    pub fn type_of(&self, column: usize) -> pg_sys::Oid {
        // SAFETY: an open index has a type for each column.
        unsafe { *(*self.as_ptr()).rd_opcintype.add(column) }
    }

    /// The hash of a value that is compared with a column; `None` if the operator family has no hash function for its type.
    ///
    /// # Safety
    /// `value` is of type `type_oid`, and not NULL.
    pub unsafe fn hash(&self, column: usize, type_oid: pg_sys::Oid, value: pg_sys::Datum) -> Option<u64> {
        let relation = self.as_ptr();
        let seed = pg_sys::Datum::from(0i64);
        // SAFETY: an open index has a collation and an operator family for each column. A class that was validated has this
        // function for its own type; if it is missing, the server raises an error. As the caller promises, the value is of the type
        // that the function is for.
        let hash = unsafe {
            let collation = *(*relation).rd_indcollation.add(column);
            if type_oid == self.type_of(column) {
                let function = guard::index_getprocinfo(relation, column as i16 + 1, HASH);
                guard::FunctionCall2Coll(function, collation, value, seed)
            } else {
                let family = *(*relation).rd_opfamily.add(column);
                let function = guard::get_opfamily_proc(family, type_oid, type_oid, HASH as i16);
                if function == pg_sys::InvalidOid {
                    return None;
                }
                guard::OidFunctionCall2Coll(function, collation, value, seed)
            }
        };
        Some(hash.value() as u64)
    }

    /// Whether the operator class of a column has a hash function.
    pub fn has_hash(&self, column: usize) -> bool {
        // SAFETY: an open index has room for the support functions of each column.
        unsafe { pg_sys::index_getprocid(self.as_ptr(), column as i16 + 1, HASH) != pg_sys::InvalidOid }
    }

    /// Whether equal values of a column can have different hashes, because some have spaces at their end.
    pub fn hashes_padding(&self, column: usize) -> bool {
        // SAFETY: an open index has a collation for each column; a type with collations has a valid one.
        PADDING_IS_HASHED
            && self.type_of(column) == pg_sys::BPCHAROID
            && unsafe {
                !pg_sys::get_collation_isdeterministic(*(*self.as_ptr()).rd_indcollation.add(column))
            }
    }

    /// Whether the operator class of a column has an operator with this number between two values of its type.
    pub fn has_operator(&self, column: usize, strategy: u16) -> bool {
        let type_oid = self.type_of(column);
        // SAFETY: an open index has an operator family for each column; a lookup takes any OIDs.
        let operator = unsafe {
            let family = *(*self.as_ptr()).rd_opfamily.add(column);
            pg_sys::get_opfamily_member(family, type_oid, type_oid, strategy as i16)
        };
        operator != pg_sys::InvalidOid
    }

    /// The name of a column.
    pub fn column_name(&self, column: usize) -> String {
        // SAFETY: an open index describes its columns; a name is a string in the server encoding.
        unsafe {
            let columns = pgrx::PgTupleDesc::from_pg_unchecked((*self.as_ptr()).rd_att);
            let name = columns.get(column).map(|column| column.attname);
            name.map_or_else(String::new, |name| Utf8Text::from_server_string(name.data.as_ptr()).to_owned())
        }
    }
}
