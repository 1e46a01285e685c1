//! The type `simhash_ball`: all fingerprints within k bits of one fingerprint, which an index searches for. It has 16 bytes and is
//! passed by reference.

use super::message::Message;
use crate::server::datum::{argument, make_fixed, read_fixed, result};
use crate::server::error::{raise, shown_bytes};
use pgrx::{PgSqlErrorCode, pg_extern, pg_sys};
use simhash_search::distance::hamming;
use simhash_search::fingerprint::Ball;
use std::ffi::{CStr, CString};

/// All fingerprints within `k` bits of `center`, as SQL stores it: none for k < 0, all for k ≥ 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct StoredBall {
    pub center: i64,
    pub k: i32,
    /// Always 0, so that equal balls have equal bytes.
    padding: i32,
}

impl StoredBall {
    pub fn new(center: i64, k: i32) -> StoredBall {
        StoredBall { center, k, padding: 0 }
    }

    /// Reads a datum of type `simhash_ball`.
    ///
    /// # Safety
    /// `datum` is a `simhash_ball`, not NULL.
    pub unsafe fn from_ball_datum(datum: pg_sys::Datum) -> StoredBall {
        // SAFETY: as the caller promises; the SQL declaration gives the type this size and alignment.
        unsafe { read_fixed(datum) }
    }
}

argument!([] StoredBall, StoredBall::from_ball_datum);
result!(StoredBall, make_fixed);

/// The ball as the tree searches for it; `None` if it contains nothing.
pub fn to_search(ball: StoredBall) -> Option<Ball> {
    let radius = u32::try_from(ball.k).ok()?.min(64);
    Some(Ball { center: (ball.center as u64).into(), radius })
}

/// Whether a fingerprint is in a ball.
pub fn contains(ball: StoredBall, fp: i64) -> bool {
    i64::from(hamming(fp as u64, ball.center as u64)) <= i64::from(ball.k)
}

/// The center and the radius in the text form of a ball, `<center,k>`.
pub fn parts(text: &CStr) -> Option<(&str, &str)> {
    let inner = text.to_str().ok()?.trim().strip_prefix('<')?.strip_suffix('>')?;
    inner.split_once(',').map(|(center, k)| (center.trim(), k.trim()))
}

/// `simhash_ball_in(cstring) → simhash_ball`
#[pg_extern]
fn simhash_ball_in(text: &CStr) -> StoredBall {
    let ball =
        parts(text).and_then(|(center, k)| Some(StoredBall::new(center.parse().ok()?, k.parse().ok()?)));
    ball.unwrap_or_else(|| {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
            format!("invalid input syntax for type simhash_ball: \"{}\"", shown_bytes(text.to_bytes())),
            None,
            Some("Write a fingerprint and a number of bits, such as <42,3>.".to_owned()),
        )
    })
}

/// `simhash_ball_out(simhash_ball) → cstring`
#[pg_extern]
fn simhash_ball_out(ball: StoredBall) -> CString {
    CString::new(format!("<{},{}>", ball.center, ball.k)).expect("numbers have no NUL")
}

/// `simhash_ball_recv(internal) → simhash_ball`
#[pg_extern]
fn simhash_ball_recv(mut message: Message) -> StoredBall {
    let center = message.bigint();
    StoredBall::new(center, message.integer())
}

/// `simhash_ball_send(simhash_ball) → bytea`
#[pg_extern]
fn simhash_ball_send(ball: StoredBall) -> Vec<u8> {
    [&ball.center.to_be_bytes()[..], &ball.k.to_be_bytes()].concat()
}

/// `simhash_ball(fp bigint, k int) → simhash_ball`
#[pg_extern]
fn simhash_ball(fp: i64, k: i32) -> StoredBall {
    StoredBall::new(fp, k)
}

/// `simhash_in_ball(fp bigint, simhash_ball) → boolean`
#[pg_extern]
fn simhash_in_ball(fp: i64, ball: StoredBall) -> bool {
    contains(ball, fp)
}

/// `simhash_balls_overlap(simhash_ball, simhash_ball) → boolean`: each contains the center of the other.
#[pg_extern]
fn simhash_balls_overlap(a: StoredBall, b: StoredBall) -> bool {
    contains(a, b.center) && contains(b, a.center)
}
