//! The type `simhash_bit_ball`: all bit strings within k bits of one bit string, which an index searches for. It has 72 bytes and is
//! passed by reference.

use super::ball::parts;
use super::message::Message;
use crate::server::bits::{BitString, BitStringDatum};
use crate::server::datum::{argument, make_fixed, read_fixed, result};
use crate::server::error::{raise, shown_bytes};
use pgrx::{PgSqlErrorCode, pg_extern, pg_sys};
use simhash_search::fingerprint::{Ball, Fingerprint, MAX_WORDS};
use std::ffi::{CStr, CString};
use std::fmt::Write;

/// All bit strings of the same length within `k` bits of the center, as SQL stores it: none for k < 0, all for k ≥ the length. The
/// center has 1 to 512 bits.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct StoredBitBall {
    pub k: i32,
    /// How many bits the center has.
    len: i32,
    /// Its bits, the first one in the highest bit of the first word. The bits after the last one are 0.
    words: [u64; MAX_WORDS],
}

impl StoredBitBall {
    /// The ball around a bit string; `None` if it is empty or too long.
    pub fn new(center: BitString, k: i32) -> Option<StoredBitBall> {
        let own = padded(center)?;
        let mut words = [0; MAX_WORDS];
        words[..own.words().len()].copy_from_slice(own.words());
        Some(StoredBitBall { k, len: center.len() as i32, words })
    }

    /// Reads a datum of type `simhash_bit_ball`.
    ///
    /// # Safety
    /// `datum` is a `simhash_bit_ball`, not NULL.
    pub unsafe fn from_ball_datum(datum: pg_sys::Datum) -> StoredBitBall {
        // SAFETY: as the caller promises; the SQL declaration gives the type this size and alignment.
        unsafe { read_fixed(datum) }
    }

    /// The center; `None` if its length is not one of fingerprints.
    pub fn center(&self) -> Option<Fingerprint> {
        (self.len % 64 == 0).then(|| self.padded_center())?
    }

    /// How many bits the center has.
    pub fn bits(&self) -> usize {
        self.len as usize
    }

    /// The center as a value of type `bit`.
    pub fn center_datum(&self) -> BitStringDatum {
        BitStringDatum::of(self.bits(), &self.words)
    }

    fn padded_center(&self) -> Option<Fingerprint> {
        let count = self.bits().div_ceil(64).min(MAX_WORDS);
        Fingerprint::of_words(self.words[..count].iter().copied())
    }

    /// Whether a bit string is in the ball, of which the length and the bits are given.
    fn contains(&self, len: usize, bits: Option<Fingerprint>) -> bool {
        let of_same_length = bits.zip(self.padded_center()).filter(|_| len == self.bits());
        of_same_length.is_some_and(|(a, b)| i64::from(a.distance(&b)) <= i64::from(self.k))
    }
}

argument!([] StoredBitBall, StoredBitBall::from_ball_datum);
result!(StoredBitBall, make_fixed);

/// A bit string as a fingerprint, with zeros after its last bit; `None` if it is empty or too long.
fn padded(bits: BitString) -> Option<Fingerprint> {
    let (words, rest) = bits.bytes().as_chunks();
    let mut last = [0; size_of::<u64>()];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(&last);
    Fingerprint::of_words(words.iter().chain(last).map(|word| u64::from_be_bytes(*word)))
}

/// A bit string as a fingerprint; `None` if its length is not one of fingerprints.
pub fn fingerprint(bits: BitString) -> Option<Fingerprint> {
    bits.len().is_multiple_of(64).then(|| padded(bits))?
}

/// The ball as the tree searches for it; `None` if it contains no fingerprint of `words` words.
pub fn to_search(ball: StoredBitBall, words: usize) -> Option<Ball> {
    let center = ball.center().filter(|center| center.words().len() == words)?;
    Some(Ball { center, radius: u32::try_from(ball.k).ok()?.min(center.bits()) })
}

/// `simhash_bit_ball_in(cstring) → simhash_bit_ball`
#[pg_extern]
fn simhash_bit_ball_in(text: &CStr) -> StoredBitBall {
    parts(text).and_then(|(center, k)| parsed(center, k.parse().ok()?)).unwrap_or_else(|| {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
            format!("invalid input syntax for type simhash_bit_ball: \"{}\"", shown_bytes(text.to_bytes())),
            None,
            Some("Write 1 to 512 bits and a number of bits, such as <01101110,2>.".to_owned()),
        )
    })
}

/// The ball around the bit string that is written as the digits `center`.
fn parsed(center: &str, k: i32) -> Option<StoredBitBall> {
    let mut words = [0; MAX_WORDS];
    for (at, digit) in center.bytes().enumerate() {
        let bit = u64::from(matches!(digit, b'0' | b'1').then_some(digit)? - b'0');
        *words.get_mut(at / 64)? |= bit << (63 - at % 64);
    }
    (!center.is_empty()).then_some(StoredBitBall { k, len: center.len() as i32, words })
}

/// `simhash_bit_ball_out(simhash_bit_ball) → cstring`
#[pg_extern]
fn simhash_bit_ball_out(ball: StoredBitBall) -> CString {
    let mut text = "<".to_owned();
    for at in 0..ball.bits() {
        text.push(if ball.words[at / 64] >> (63 - at % 64) & 1 == 1 { '1' } else { '0' });
    }
    write!(text, ",{}>", ball.k).expect("a string takes any text");
    CString::new(text).expect("digits have no NUL")
}

/// `simhash_bit_ball_recv(internal) → simhash_bit_ball`
#[pg_extern]
fn simhash_bit_ball_recv(mut message: Message) -> StoredBitBall {
    let (k, len) = (message.integer(), message.integer());
    if !(1..=64 * MAX_WORDS as i32).contains(&len) {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
            "invalid external \"simhash_bit_ball\" value".to_owned(),
            Some(format!("Its center has {len} bits.")),
            Some("A center has 1 to 512 bits.".to_owned()),
        );
    }
    let mut words = [0; MAX_WORDS];
    words[..(len as usize).div_ceil(64)].fill_with(|| message.bigint() as u64);
    if len % 64 > 0 {
        words[len as usize / 64] &= !(u64::MAX >> (len % 64));
    }
    StoredBitBall { k, len, words }
}

/// `simhash_bit_ball_send(simhash_bit_ball) → bytea`
#[pg_extern]
fn simhash_bit_ball_send(ball: StoredBitBall) -> Vec<u8> {
    let words = ball.words.iter().take(ball.bits().div_ceil(64)).flat_map(|word| word.to_be_bytes());
    ball.k.to_be_bytes().into_iter().chain(ball.len.to_be_bytes()).chain(words).collect()
}

/// `simhash_bit_ball(fp bit, k int) → simhash_bit_ball`; NULL if the bit string is empty or too long.
#[pg_extern]
fn simhash_bit_ball(fp: BitString, k: i32) -> Option<StoredBitBall> {
    StoredBitBall::new(fp, k)
}

/// `simhash_in_bit_ball(fp bit, simhash_bit_ball) → boolean`
#[pg_extern]
fn simhash_in_bit_ball(fp: BitString, ball: StoredBitBall) -> bool {
    ball.contains(fp.len(), padded(fp))
}

/// `simhash_bit_balls_overlap(simhash_bit_ball, simhash_bit_ball) → boolean`: each contains the center of the other.
#[pg_extern]
fn simhash_bit_balls_overlap(a: StoredBitBall, b: StoredBitBall) -> bool {
    a.contains(b.bits(), b.padded_center()) && b.contains(a.bits(), a.padded_center())
}
