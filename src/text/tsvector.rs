//! `tsvector` arguments, read from the form in which the server stores them (tsearch/ts_type.h).

use crate::server::datum::argument;
use crate::server::guard;
use crate::server::text::Utf8Text;
use pgrx::pg_sys;
use std::marker::PhantomData;

/// A `tsvector` argument, detoasted.
pub struct TsVector<'fcx> {
    varlena: *mut pg_sys::varlena,
    call: PhantomData<&'fcx [u8]>,
}

/// The label of a position, as stored: D is 0, A is 3.
pub type Label = u16;

impl TsVector<'_> {
    /// Calls `lexeme` with every lexeme, as UTF-8, and the labels of its positions. A stripped vector has no labels.
    pub fn for_each(&self, mut lexeme: impl FnMut(&str, &[Label])) {
        // SAFETY: a varlena detoasted by `of_datum`, in the memory of the call.
        let bytes = unsafe { pgrx::varlena_to_byte_slice(self.varlena) };
        let u16_at = |at: usize| u16::from_ne_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let count = u32_at(0) as usize;
        let strings = 4 + 4 * count;
        let mut labels = Vec::new();
        for i in 0..count {
            let (has_positions, len, offset) = entry(u32_at(4 + 4 * i));
            let start = strings + offset;
            labels.clear();
            if has_positions {
                // Positions are aligned to two bytes, counted from the start of the strings.
                let positions = strings + (offset + len).next_multiple_of(2);
                let number = usize::from(u16_at(positions));
                labels.extend((1..=number).map(|p| u16_at(positions + 2 * p) >> 14));
            }
            // SAFETY: the lexeme's bytes, which outlive the loop.
            let text = unsafe { Utf8Text::from_server_bytes(&bytes[start..start + len]) };
            lexeme(&text, &labels);
        }
    }
}

/// The bit fields of a WordEntry: has positions, length, offset. C stores them from the low end on a little-endian machine, and
/// from the high end on a big-endian one.
fn entry(word: u32) -> (bool, usize, usize) {
    if cfg!(target_endian = "little") {
        (word & 1 == 1, (word >> 1 & 0x7FF) as usize, (word >> 12) as usize)
    } else {
        (word >> 31 == 1, (word >> 20 & 0x7FF) as usize, (word & 0xF_FFFF) as usize)
    }
}

impl<'fcx> TsVector<'fcx> {
    /// # Safety
    /// The datum is a tsvector, and lives until the call ends.
    unsafe fn of_datum(datum: pg_sys::Datum) -> TsVector<'fcx> {
        // SAFETY: as the caller promises.
        TsVector { varlena: unsafe { guard::pg_detoast_datum(datum.cast_mut_ptr()) }, call: PhantomData }
    }
}

argument!([] TsVector<'fcx>, TsVector::of_datum);
