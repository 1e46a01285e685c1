//! Index scans: row by row, or all rows at once into a bitmap.

mod keys;
mod memory;

use super::pages::IndexPages;
use super::relation::IndexRelation;
use super::tid::pointer_of;
use crate::near::kernel::kernel;
use crate::server::guard::RelationGetIndexScan;
use crate::server::settings::{hash_memory, work_memory};
use crate::server::version::count_index_scan;
use keys::{Condition, conditions, is_mvcc, order_by, prepare_order, set_order};
use memory::ScanMemory;
use pgrx::{pg_guard, pg_sys};
use simhash_search::filter;
use simhash_search::fingerprint::Ball;
use simhash_search::tree::key::Tid;
use simhash_search::tree::nearest::Nearest;
use simhash_search::tree::search::{Search, What};

/// What a scan remembers between two rows.
struct Scan {
    /// It is open until the scan ends.
    relation: IndexRelation<'static>,
    kernel: filter::Kernel,
    method: Method,
    /// Whether the server has to check the conditions again, because the index does not store all that they need.
    needs_recheck: bool,
    /// The rows of the last leaf, and how many of them were returned.
    found: Vec<Tid>,
    returned: usize,
}

/// How a scan finds its rows.
#[expect(clippy::large_enum_variant, reason = "a scan has one of them, and most are searches")]
enum Method {
    /// The scan has not begun, or no row can be found.
    None,
    /// In any order.
    Search(Search),
    /// The nearest first.
    Nearest(Box<Nearest>),
}

impl Scan {
    /// Reads the next leaf; `false` if there is none.
    fn step(&mut self, pages: &mut IndexPages) -> bool {
        self.found.clear();
        self.returned = 0;
        let Method::Search(search) = &mut self.method else { return false };
        self.relation.intact(search.step(pages, self.kernel, &mut self.found))
    }

    /// Reads the next leaf. If an entry has only a part of the fingerprint, rows can be found again.
    fn step_with_repeats(&mut self, pages: &mut IndexPages) -> bool {
        let Scan { relation, kernel, method, found, .. } = self;
        found.clear();
        let Method::Search(search) = method else { return false };
        relation.intact(search.step_with(pages, *kernel, |tid, _| found.push(tid)))
    }

    /// The next row, with its distance if rows are ordered and both fingerprints exist.
    fn next(&mut self, pages: &mut IndexPages) -> Option<(Tid, Option<u32>)> {
        if let Method::Nearest(nearest) = &mut self.method {
            return self.relation.intact(nearest.next(pages, self.kernel));
        }
        loop {
            if let Some(&tid) = self.found.get(self.returned) {
                self.returned += 1;
                return Some((tid, None));
            }
            if !self.step(pages) {
                return None;
            }
        }
    }
}

#[pg_guard]
pub unsafe extern "C-unwind" fn ambeginscan(
    index: pg_sys::Relation,
    keys: i32,
    order_bys: i32,
) -> pg_sys::IndexScanDesc {
    // SAFETY: called by the server with an open index, which stays open until the scan ends.
    unsafe {
        let scan = RelationGetIndexScan(index, keys, order_bys);
        prepare_order(scan);
        let relation = IndexRelation::new(index);
        let state = Scan {
            relation,
            kernel: kernel(),
            method: Method::None,
            needs_recheck: false,
            found: vec![],
            returned: 0,
        };
        (*scan).opaque = ScanMemory::keep(state);
        scan
    }
}

#[pg_guard]
pub unsafe extern "C-unwind" fn amrescan(
    scan: pg_sys::IndexScanDesc,
    keys: pg_sys::ScanKey,
    _key_count: i32,
    order_keys: pg_sys::ScanKey,
    _order_by_count: i32,
) {
    // SAFETY: called by the server, with a scan of `ambeginscan` and keys for it.
    unsafe {
        let state: &mut Scan = ScanMemory::value(&mut (*scan).opaque);
        let conditions = conditions(scan, keys);
        let order = order_by(scan, order_keys);
        let is_overlap = |condition: &Condition| matches!(condition, Condition::Overlap(_));
        // An index with a scope stores only a hash of the scope, and an entry has only one word of a fingerprint.
        state.needs_recheck = state.relation.scope_columns() > 0
            || state.relation.meta().words > 1
            || conditions.of_fingerprint.iter().any(is_overlap);
        state.method = match what(&conditions.of_fingerprint) {
            None => Method::None,
            Some(what) => method_of(&state.relation, what, conditions.scope, order),
        };
        state.found.clear();
        state.returned = 0;
        count_index_scan(scan);
    }
}

/// How to find the rows that are wanted: those nearest to `order` first, if there is an order. If all distances are NULL, any order
/// is right.
fn method_of(relation: &IndexRelation, what: What, scope: Option<u64>, order: Option<u64>) -> Method {
    let what = what.moved(scope);
    // A scan has an order only if the conditions give the scope.
    let query = order.map(|query| query ^ scope.expect("the scope of ordered rows is known"));
    let balls = match (&what, query) {
        (What::All, Some(_)) => Some(vec![]),
        (What::NotNull, Some(center)) => Some(vec![Ball { center: center.into(), radius: 64 }]),
        (What::Within(balls), Some(_)) => Some(balls.clone()),
        _ => None,
    };
    match query.zip(balls) {
        Some((query, balls)) => {
            let blocks = relation.recent_blocks();
            Method::Nearest(Box::new(Nearest::new(query, balls, relation.meta(), blocks, work_memory())))
        }
        None => {
            let cover_for = |k| relation.cover(k);
            Method::Search(Search::with_cover(what, relation.meta(), hash_memory(), cover_for))
        }
    }
}

/// The rows that satisfy all conditions; `None` if no row can.
fn what(conditions: &[Condition]) -> Option<What> {
    let mut balls = vec![];
    let (mut nulls, mut not_null) = (false, false);
    for condition in conditions {
        match *condition {
            Condition::Never => return None,
            Condition::IsNull => nulls = true,
            Condition::IsNotNull => not_null = true,
            Condition::Within(ball) | Condition::Overlap(ball) => balls.push(ball),
        }
    }
    match (nulls, not_null || !balls.is_empty()) {
        (true, true) => None,
        (true, false) => Some(What::Nulls),
        (false, true) if balls.is_empty() => Some(What::NotNull),
        (false, true) => Some(What::Within(balls)),
        (false, false) => Some(What::All),
    }
}

#[pg_guard]
pub unsafe extern "C-unwind" fn amgettuple(
    scan: pg_sys::IndexScanDesc,
    _direction: pg_sys::ScanDirection::Type,
) -> bool {
    // SAFETY: called by the server, with a scan of `ambeginscan`.
    unsafe {
        let state: &mut Scan = ScanMemory::value(&mut (*scan).opaque);
        let mut pages = state.relation.pages_for_scan((*scan).xs_snapshot);
        let Some((tid, distance)) = state.next(&mut pages) else { return false };
        (*scan).xs_heaptid = pointer_of(tid);
        // A snapshot that shows uncommitted rows of others shows a new row at a TID that vacuum has freed.
        (*scan).xs_recheck = state.needs_recheck || !is_mvcc((*scan).xs_snapshot);
        set_order(scan, distance);
        true
    }
}

#[pg_guard]
pub unsafe extern "C-unwind" fn amgetbitmap(
    scan: pg_sys::IndexScanDesc,
    bitmap: *mut pg_sys::TIDBitmap,
) -> i64 {
    // SAFETY: called by the server, with a scan of `ambeginscan` and a bitmap.
    unsafe {
        let state: &mut Scan = ScanMemory::value(&mut (*scan).opaque);
        let mut pages = state.relation.pages_for_scan((*scan).xs_snapshot);
        let mut rows = 0;
        let mut pointers = vec![];
        // The bitmap has each row once.
        while state.step_with_repeats(&mut pages) {
            pointers.clear();
            pointers.extend(state.found.iter().copied().map(pointer_of));
            if !pointers.is_empty() {
                pg_sys::tbm_add_tuples(
                    bitmap,
                    pointers.as_mut_ptr(),
                    pointers.len() as i32,
                    state.needs_recheck,
                );
            }
            rows += pointers.len() as i64;
        }
        rows
    }
}

#[pg_guard]
pub unsafe extern "C-unwind" fn amendscan(scan: pg_sys::IndexScanDesc) {
    // SAFETY: called by the server, with a scan of `ambeginscan`, once.
    unsafe { ScanMemory::<Scan>::free((*scan).opaque) };
}
