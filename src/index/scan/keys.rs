//! What a scan has to find: its conditions and its order.

use crate::index::fingerprints::LastColumn;
use crate::index::relation::IndexRelation;
use crate::index::scratch::Scratch;
use crate::index::strategy::Strategy;
use crate::near::ball::{self, StoredBall};
use crate::near::bit_ball::{self, StoredBitBall};
use crate::near::operators::{NEAR, SIMILAR};
use crate::server::bits::BitString;
use crate::server::guard;
use pgrx::pg_sys;
use simhash_search::fingerprint::{Ball, Fingerprint};
use simhash_search::tree::scope::scope;

/// The conditions of a scan.
pub struct Conditions {
    /// The conditions on the fingerprint, and those conditions on other columns that no row satisfies.
    pub of_fingerprint: Vec<Condition>,
    /// The scope of the rows; `None` if the conditions do not give it.
    pub scope: Option<u64>,
}

/// A condition of a scan on the fingerprint.
#[derive(Clone, Copy)]
pub enum Condition {
    /// No row satisfies it.
    Never,
    IsNull,
    IsNotNull,
    /// The fingerprint is in the ball.
    Within(Ball),
    /// The fingerprint is in the ball, and the condition has to be checked again: an index on balls stores no radii, and the radius
    /// of a row may be smaller than that of the query.
    Overlap(Ball),
}

/// The conditions of a scan. If there are `keys`, the scan is first set to them.
///
/// # Safety
/// `scan` is an open scan of a simhash index. `keys` is NULL, or has as many keys as the scan.
pub unsafe fn conditions(scan: pg_sys::IndexScanDesc, keys: pg_sys::ScanKey) -> Conditions {
    // SAFETY: as the caller promises.
    unsafe {
        let count = (*scan).numberOfKeys as usize;
        if !keys.is_null() && count > 0 {
            keys.copy_to((*scan).keyData, count);
        }
        let relation = IndexRelation::new((*scan).indexRelation);
        let last = relation.scope_columns();
        let keys = || (0..count).map(|at| &*(*scan).keyData.add(at));
        let is_never = |key: &pg_sys::ScanKeyData| matches!(kind(key), Kind::Never);
        let of_fingerprint = keys().filter(|key| column(key) == last || is_never(key));
        Conditions {
            of_fingerprint: of_fingerprint.map(|key| condition(&relation, key)).collect(),
            scope: scope_of(&relation, keys),
        }
    }
}

/// The scope, if the conditions give a value for each of its columns.
///
/// # Safety
/// `keys` are the keys of a scan of the index.
unsafe fn scope_of<'k, K>(relation: &IndexRelation, keys: impl Fn() -> K) -> Option<u64>
where
    K: Iterator<Item = &'k pg_sys::ScanKeyData>,
{
    let columns = relation.scope_columns();
    if columns == 0 {
        return Some(scope([]));
    }
    let value = |at: usize| {
        keys().filter(|key| column(key) == at).find_map(|key| match kind(key) {
            Kind::IsNull => Some(None),
            // SAFETY: as the caller promises: the value is of the type of the operator's right operand.
            Kind::Operator if key.sk_strategy == Strategy::Equal as u16 => unsafe {
                relation.hash(at, right_type(relation, key), key.sk_argument).map(Some)
            },
            _ => None,
        })
    };
    let hashes: Option<Vec<Option<u64>>> = Scratch::new().run(|| (0..columns).map(value).collect());
    hashes.map(scope)
}

/// The fingerprint by whose distance the rows of a scan are ordered. If there are `keys`, the scan is first set to them.
/// `amcostestimate` leaves the planner no other order. `None` if there is no order, or if the fingerprint is NULL.
///
/// # Safety
/// As for `conditions`.
pub unsafe fn order_by(scan: pg_sys::IndexScanDesc, keys: pg_sys::ScanKey) -> Option<u64> {
    // SAFETY: as the caller promises.
    unsafe {
        let count = (*scan).numberOfOrderBys as usize;
        if !keys.is_null() && count > 0 {
            keys.copy_to((*scan).orderByData, count);
        }
        let relation = IndexRelation::new((*scan).indexRelation);
        let key = (count > 0).then(|| &*(*scan).orderByData)?;
        assert!(count == 1 && column(key) == relation.scope_columns(), "rows are ordered by one distance");
        match condition(&relation, key) {
            Condition::Within(query) => Some(query.center.word(0)),
            _ => None,
        }
    }
}

/// Allocates memory for the distance that rows are ordered by.
///
/// # Safety
/// `scan` is new.
pub unsafe fn prepare_order(scan: pg_sys::IndexScanDesc) {
    // SAFETY: as the caller promises; the memory lives until the scan ends.
    unsafe {
        let count = (*scan).numberOfOrderBys as usize;
        if count > 0 {
            (*scan).xs_orderbyvals = guard::palloc0(count * size_of::<pg_sys::Datum>()).cast();
            (*scan).xs_orderbynulls = guard::palloc0(count * size_of::<bool>()).cast();
        }
    }
}

/// Sets the distance of a row; `None` is NULL.
///
/// # Safety
/// `scan` is open.
pub unsafe fn set_order(scan: pg_sys::IndexScanDesc, distance: Option<u32>) {
    // SAFETY: as the caller promises: `prepare_order` has allocated the memory.
    unsafe {
        if (*scan).numberOfOrderBys > 0 {
            *(*scan).xs_orderbyvals = pg_sys::Datum::from(distance.unwrap_or(0) as i32);
            *(*scan).xs_orderbynulls = distance.is_none();
            (*scan).xs_recheckorderby = false;
        }
    }
}

/// What kind of condition a key is.
enum Kind {
    Never,
    IsNull,
    IsNotNull,
    Operator,
}

fn kind(key: &pg_sys::ScanKeyData) -> Kind {
    let has = |flag: u32| key.sk_flags & flag as i32 != 0;
    if has(pg_sys::SK_SEARCHNULL) {
        Kind::IsNull
    } else if has(pg_sys::SK_SEARCHNOTNULL) {
        Kind::IsNotNull
    } else if has(pg_sys::SK_ISNULL) {
        Kind::Never
    } else {
        Kind::Operator
    }
}

/// The column of a key, counted from 0.
fn column(key: &pg_sys::ScanKeyData) -> usize {
    key.sk_attno as usize - 1
}

/// The type of the right operand of a key's operator. If the server does not give it, as for a constraint, it is the type of the
/// column.
fn right_type(relation: &IndexRelation, key: &pg_sys::ScanKeyData) -> pg_sys::Oid {
    match key.sk_subtype {
        pg_sys::InvalidOid => relation.type_of(column(key)),
        subtype => subtype,
    }
}

/// # Safety
/// `key` belongs to an open scan of the index. It is on the fingerprint or is `Never`: its operator is one of the operator class.
unsafe fn condition(relation: &IndexRelation, key: &pg_sys::ScanKeyData) -> Condition {
    match kind(key) {
        Kind::Never => Condition::Never,
        Kind::IsNull => Condition::IsNull,
        Kind::IsNotNull => Condition::IsNotNull,
        Kind::Operator => {
            let strategy = Strategy::from_number(key.sk_strategy);
            // SAFETY: as the caller promises.
            let ball = strategy.and_then(|strategy| unsafe { ball(relation, strategy, key) });
            match ball {
                None => Condition::Never,
                Some(ball) if strategy == Some(Strategy::Overlap) => Condition::Overlap(ball),
                Some(ball) => Condition::Within(ball),
            }
        }
    }
}

/// The fingerprints for which an operator of the class holds, and for the distance operator the query alone; `None` if there are
/// none.
///
/// # Safety
/// As for `condition`.
unsafe fn ball(relation: &IndexRelation, strategy: Strategy, key: &pg_sys::ScanKeyData) -> Option<Ball> {
    let (datum, words) = (key.sk_argument, usize::from(relation.meta().words));
    let radius = match strategy {
        Strategy::Within | Strategy::Overlap => {
            // SAFETY: the right operands of these operators are balls, of bigints or of bit strings as the index is.
            return unsafe {
                match relation.last_column() {
                    LastColumn::Bigints | LastColumn::Balls => {
                        ball::to_search(StoredBall::from_ball_datum(datum))
                    }
                    LastColumn::Bits | LastColumn::BitBalls => {
                        bit_ball::to_search(StoredBitBall::from_ball_datum(datum), words)
                    }
                }
            };
        }
        Strategy::Equal | Strategy::Distance => 0,
        Strategy::Near => NEAR,
        Strategy::Similar => SIMILAR,
    };
    let center = match right_type(relation, key) {
        pg_sys::INT2OID => Fingerprint::from(i64::from(datum.value() as i16) as u64),
        pg_sys::INT4OID => Fingerprint::from(i64::from(datum.value() as i32) as u64),
        pg_sys::INT8OID => Fingerprint::from(datum.value() as u64),
        // SAFETY: the right operands of these operators are integers and bit strings.
        _ => unsafe { BitString::look_at(datum, bit_ball::fingerprint)? },
    };
    (center.words().len() == words).then_some(Ball { center, radius })
}

/// Whether a snapshot shows what was committed at one moment: IsMVCCSnapshot of the server's headers.
///
/// # Safety
/// `snapshot` is a snapshot or NULL.
pub unsafe fn is_mvcc(snapshot: pg_sys::Snapshot) -> bool {
    use pg_sys::SnapshotType::{SNAPSHOT_HISTORIC_MVCC, SNAPSHOT_MVCC};
    // SAFETY: as the caller promises.
    let kind = unsafe { snapshot.as_ref() }.map(|snapshot| snapshot.snapshot_type);
    matches!(kind, Some(SNAPSHOT_MVCC | SNAPSHOT_HISTORIC_MVCC))
}
