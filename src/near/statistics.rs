//! What ANALYZE found out about a column.

use super::bit_ball::fingerprint;
use crate::server::bits::BitString;
use pgrx::pg_sys;
use simhash_search::fingerprint::Fingerprint;
use std::ffi::c_int;

/// The statistics of a column of a table or of an index.
pub struct Statistics {
    tuple: pg_sys::HeapTuple,
    /// How to release the row.
    free: Option<unsafe extern "C-unwind" fn(pg_sys::HeapTuple)>,
}

/// The fingerprints in a column.
pub struct Values {
    /// The most common values with their shares of the rows, the most common first.
    pub common: Vec<(Fingerprint, f64)>,
    /// A sample of the other values.
    pub sample: Vec<Fingerprint>,
    /// The share of rows that have one of the other values.
    pub rest: f64,
    /// About how many distinct other values there are.
    pub others: f64,
}

impl Values {
    /// How many bits they have; `None` if no value is known.
    pub fn bits(&self) -> Option<u32> {
        self.common.first().map(|(value, _)| value).or(self.sample.first()).map(Fingerprint::bits)
    }
}

impl Statistics {
    /// Takes over the statistics of a variable.
    ///
    /// # Safety
    /// The server has filled `variable`, and nothing else releases its statistics.
    pub unsafe fn of_variable(variable: &pg_sys::VariableStatData) -> Option<Statistics> {
        let pg_sys::VariableStatData { statsTuple: tuple, freefunc: free, .. } = *variable;
        (!tuple.is_null()).then(|| Statistics { tuple, free })
    }

    fn form(&self) -> &pg_sys::FormData_pg_statistic {
        // SAFETY: a row of pg_statistic, held until this value is dropped.
        unsafe { &*pg_sys::GETSTRUCT(self.tuple).cast() }
    }

    /// About how many distinct values the column has, if the table has `rows` rows.
    fn distinct_values(&self, rows: f64) -> f64 {
        // A negative number is a share of the rows, with its sign inverted; 0 means "not known".
        match f64::from(self.form().stadistinct) {
            0.0 => f64::from(pg_sys::DEFAULT_NUM_DISTINCT).min(rows.max(1.0)),
            share if share < 0.0 => (-share * rows).max(1.0),
            number => number,
        }
    }

    /// The share of rows that have none of the most common values, and about how many distinct values these rows have.
    fn rest(&self, rows: f64) -> (f64, f64) {
        let common = self.common_shares();
        let rest = (1.0 - f64::from(self.form().stanullfrac) - common.iter().sum::<f64>()).max(0.0);
        (rest, (self.distinct_values(rows) - common.len() as f64).max(1.0))
    }

    /// The values, if the table has `rows` rows; `None` if they are not fingerprints.
    pub fn values(&self, rows: f64) -> Option<Values> {
        let common = self.fingerprints(pg_sys::STATISTIC_KIND_MCV)?;
        let (rest, others) = self.rest(rows);
        Some(Values {
            common: common.into_iter().zip(self.common_shares()).collect(),
            sample: self.fingerprints(pg_sys::STATISTIC_KIND_HISTOGRAM)?,
            rest,
            others,
        })
    }

    /// The values of one kind of statistics; `None` if they are not fingerprints.
    fn fingerprints(&self, kind: u32) -> Option<Vec<Fingerprint>> {
        let mut slot = pg_sys::AttStatsSlot::default();
        let values = pg_sys::ATTSTATSSLOT_VALUES as c_int;
        // SAFETY: reads a row of pg_statistic into a slot, and frees the slot. The slot has as many values as it says, of the type
        // that it says.
        unsafe {
            if !pg_sys::get_attstatsslot(&mut slot, self.tuple, kind as c_int, pg_sys::InvalidOid, values) {
                return Some(vec![]);
            }
            let value_type = pg_sys::getBaseType(slot.valuetype);
            let read = |datum: pg_sys::Datum| match value_type {
                pg_sys::INT8OID => Some(Fingerprint::from(datum.value() as u64)),
                pg_sys::BITOID | pg_sys::VARBITOID => BitString::look_at(datum, fingerprint),
                _ => None,
            };
            let values = (0..slot.nvalues as usize).map(|i| read(*slot.values.add(i))).collect();
            pg_sys::free_attstatsslot(&mut slot);
            values
        }
    }

    /// The shares of rows that have one of the most common values.
    fn common_shares(&self) -> Vec<f64> {
        let mut slot = pg_sys::AttStatsSlot::default();
        let (kind, numbers) = (pg_sys::STATISTIC_KIND_MCV as c_int, pg_sys::ATTSTATSSLOT_NUMBERS as c_int);
        // SAFETY: reads a row of pg_statistic into a slot, and frees the slot. The slot has as many numbers as it says.
        unsafe {
            if !pg_sys::get_attstatsslot(&mut slot, self.tuple, kind, pg_sys::InvalidOid, numbers) {
                return vec![];
            }
            let shares = (0..slot.nnumbers as usize).map(|i| f64::from(*slot.numbers.add(i))).collect();
            pg_sys::free_attstatsslot(&mut slot);
            shares
        }
    }
}

impl Drop for Statistics {
    fn drop(&mut self) {
        // SAFETY: the row was taken over by `of_variable`, and is released once.
        unsafe {
            if let Some(free) = self.free {
                free(self.tuple);
            }
        }
    }
}
