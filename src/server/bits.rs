//! Bit strings: values of the types `bit` and `bit varying`.

use super::datum::{argument, result};
use super::guard;
use pgrx::pg_sys;

/// A bit string, as an argument. The bits of the last byte that do not belong to it are 0.
#[derive(Clone, Copy)]
pub struct BitString<'fcx> {
    len: usize,
    bytes: &'fcx [u8],
}

/// Bytes of the length, which the server stores before the bits.
const LENGTH_BYTES: usize = size_of::<i32>();

impl<'fcx> BitString<'fcx> {
    /// Reads a datum of type `bit` or `bit varying`.
    ///
    /// # Safety
    /// `datum` is of one of these types, not NULL, and outlives the value. So does the current memory context.
    pub unsafe fn from_bit_datum(datum: pg_sys::Datum) -> BitString<'fcx> {
        // SAFETY: as the caller promises.
        unsafe { BitString::from_plain(guard::pg_detoast_datum_packed(datum.cast_mut_ptr())) }
    }

    /// Calls `look` with the bit string in a datum, and frees what was allocated for it.
    ///
    /// # Safety
    /// `datum` is of type `bit` or `bit varying`, and not NULL.
    pub unsafe fn look_at<T>(datum: pg_sys::Datum, look: impl FnOnce(BitString) -> T) -> T {
        // SAFETY: as the caller promises; the copy, if there is one, is freed after its last use.
        unsafe {
            let stored = datum.cast_mut_ptr::<pg_sys::varlena>();
            let plain = guard::pg_detoast_datum_packed(stored);
            let result = look(BitString::from_plain(plain));
            if plain != stored {
                pg_sys::pfree(plain.cast());
            }
            result
        }
    }

    /// # Safety
    /// `plain` is a detoasted bit string, and outlives the value.
    unsafe fn from_plain(plain: *const pg_sys::varlena) -> BitString<'fcx> {
        // SAFETY: as the caller promises; such a value has a varlena header and as many bytes as it says.
        let value = unsafe {
            std::slice::from_raw_parts(pgrx::vardata_any(plain).cast(), pgrx::varsize_any_exhdr(plain))
        };
        let (len, bytes) = value.split_first_chunk().expect("a bit string begins with its length");
        BitString { len: i32::from_ne_bytes(*len) as usize, bytes }
    }

    /// How many bits it has.
    pub fn len(self) -> usize {
        self.len
    }

    /// The bits, eight in a byte, the first bit in the highest one.
    pub fn bytes(self) -> &'fcx [u8] {
        self.bytes
    }
}

argument!([] BitString<'fcx>, BitString::from_bit_datum);

/// A bit string, as a result.
pub struct BitStringDatum(pg_sys::Datum);

impl BitStringDatum {
    /// All bits of `words`, the first bit in the highest one of the first word, in the current memory context.
    pub fn of_words(words: &[u64]) -> BitStringDatum {
        BitStringDatum::of(64 * words.len(), words)
    }

    /// The first `len` bits of `words`. The words have no other bits that are 1.
    pub fn of(len: usize, words: &[u64]) -> BitStringDatum {
        let bytes = pg_sys::VARHDRSZ + LENGTH_BYTES + len.div_ceil(8);
        // SAFETY: new memory of this size, which is filled as the server's header says: a length in bytes, a length in bits, bits.
        unsafe {
            let memory = guard::palloc(bytes).cast::<u8>();
            pgrx::set_varsize_4b(memory.cast(), bytes as i32);
            let value =
                std::slice::from_raw_parts_mut(memory.add(pg_sys::VARHDRSZ), bytes - pg_sys::VARHDRSZ);
            let (stored_len, bits) = value.split_at_mut(LENGTH_BYTES);
            stored_len.copy_from_slice(&(len as i32).to_ne_bytes());
            let digits = words.iter().flat_map(|word| word.to_be_bytes());
            bits.iter_mut().zip(digits).for_each(|(stored, byte)| *stored = byte);
            BitStringDatum(pg_sys::Datum::from(memory))
        }
    }

    /// The datum.
    pub fn datum(self) -> pg_sys::Datum {
        self.0
    }
}

result!(BitStringDatum, BitStringDatum::datum);
