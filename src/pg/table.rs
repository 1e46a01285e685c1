//! Tables, their sizes and indexes.

use super::call::Call;
use super::expr::Expr;
use super::statistics::Statistics;
use super::text::Utf8Text;
use super::version::{self, SKIP_SCAN};
use pgrx::pg_sys;
use std::ffi::c_int;
use std::marker::PhantomData;

/// How many rows a table is taken to have when its rows were never counted.
const UNKNOWN_ROWS: f64 = 1e6;

/// What a row takes beside its columns: a header of 23 bytes, aligned, and a line pointer.
const ROW_OVERHEAD: f64 = 28.0;

/// A table as it stands in a query, or by itself.
pub struct Table<'p> {
    number: c_int,
    relation: pg_sys::Relation,
    lock: pg_sys::LOCKMODE,
    /// What is unlocked when it is closed: nothing where the lock is the query's.
    unlock: pg_sys::LOCKMODE,
    has_children: bool,
    planning: PhantomData<&'p ()>,
}

/// How large a table is.
#[derive(Clone, Copy)]
pub struct Size {
    pub rows: f64,
    pub pages: f64,
}

/// What reading pages costs, in the planner's currency.
#[derive(Clone, Copy)]
pub struct PageCosts {
    pub sequential: f64,
    pub random: f64,
}

impl<'p> Table<'p> {
    /// Opens a table; `None` where it is of a kind that has no indexes.
    ///
    /// # Safety
    /// The table is locked for as long as it is open, and the current memory context lives for `'p`.
    pub(super) unsafe fn open(number: c_int, entry: &pg_sys::RangeTblEntry) -> Option<Table<'p>> {
        let kinds = [pg_sys::RELKIND_RELATION, pg_sys::RELKIND_MATVIEW, pg_sys::RELKIND_PARTITIONED_TABLE];
        kinds.contains(&(entry.relkind as u8)).then(|| Table {
            number,
            // SAFETY: it is locked, as the caller promises.
            relation: unsafe { pg_sys::table_open(entry.relid, pg_sys::NoLock as _) },
            lock: entry.rellockmode,
            unlock: pg_sys::NoLock as _,
            has_children: entry.inh,
            planning: PhantomData,
        })
    }

    /// Opens a table for a call, and locks it as long as it is open; `None` where it is of a kind that has no indexes.
    pub fn open_for_call(_: Call<'p>, oid: pg_sys::Oid) -> Option<Table<'p>> {
        let lock = pg_sys::AccessShareLock as pg_sys::LOCKMODE;
        // SAFETY: locking and looking up take any OID; the lock comes first, so that the table stays what it is.
        let entry = unsafe {
            pg_sys::LockRelationOid(oid, lock);
            pg_sys::RangeTblEntry {
                relid: oid,
                relkind: pg_sys::get_rel_relkind(oid),
                rellockmode: lock,
                ..Default::default()
            }
        };
        // SAFETY: locked above; a function is called in a memory context that outlives the call.
        let mut table = unsafe { Table::open(1, &entry) };
        match &mut table {
            Some(table) => table.unlock = lock,
            // SAFETY: locked above.
            None => unsafe { pg_sys::UnlockRelationOid(oid, lock) },
        }
        table
    }

    /// An expression over its columns as SQL.
    pub fn sql_of(&self, expr: Expr) -> String {
        // SAFETY: an open table; the server writes the expression as a string in its encoding.
        unsafe {
            let name = (*(*self.relation).rd_rel).relname.data.as_ptr();
            let context = pg_sys::deparse_context_for(name, (*self.relation).rd_id);
            let sql = pg_sys::deparse_expression(expr.as_ptr(), context, false, false);
            Utf8Text::from_server_string(sql).to_owned()
        }
    }

    /// Its number in the query.
    pub fn number(&self) -> c_int {
        self.number
    }

    /// Whether it stands for its children too, partitions or tables that inherit from it.
    pub fn has_children(&self) -> bool {
        self.has_children
    }

    /// Its size, as the planner estimates it.
    pub fn size(&self) -> Size {
        let (mut pages, mut rows, mut visible) = (0, 0.0, 0.0);
        // SAFETY: an open table.
        unsafe {
            pg_sys::estimate_rel_size(
                self.relation,
                std::ptr::null_mut(),
                &mut pages,
                &mut rows,
                &mut visible,
            );
        }
        if self.is_partitioned() {
            // It has rows only, and those only after ANALYZE.
            let rows = if rows >= 0.0 { rows } else { UNKNOWN_ROWS };
            return Size { rows, pages: (rows / self.rows_of_a_page()).ceil().max(1.0) };
        }
        match f64::from(pages) {
            0.0 if self.has_children => Size { rows: UNKNOWN_ROWS, pages: UNKNOWN_ROWS / 50.0 },
            pages => Size { rows, pages },
        }
    }

    fn is_partitioned(&self) -> bool {
        // SAFETY: an open table.
        unsafe { (*(*self.relation).rd_rel).relkind as u8 == pg_sys::RELKIND_PARTITIONED_TABLE }
    }

    /// About how many rows a page has.
    fn rows_of_a_page(&self) -> f64 {
        // SAFETY: an open table; the widths of single columns are not wanted.
        let width = unsafe { pg_sys::get_rel_data_width(self.relation, std::ptr::null_mut()) };
        (f64::from(pg_sys::BLCKSZ) / (f64::from(width) + ROW_OVERHEAD)).max(1.0)
    }

    /// Whether its rows can be fetched by bitmaps, which the OR of several indexes needs.
    pub fn has_bitmap_scans(&self) -> bool {
        // SAFETY: an open table; one that is partitioned has no access method.
        unsafe { (*self.relation).rd_tableam.as_ref().is_none_or(version::has_bitmap_scans) }
    }

    /// What reading its pages costs.
    pub fn page_costs(&self) -> PageCosts {
        let (mut random, mut sequential) = (0.0, 0.0);
        // SAFETY: an open table; an invalid tablespace stands for the default one.
        unsafe {
            let space = (*(*self.relation).rd_rel).reltablespace;
            pg_sys::get_tablespace_page_costs(space, &mut random, &mut sequential);
        }
        PageCosts { sequential, random }
    }

    /// Its valid indexes that have expressions and can look up a value.
    pub fn expression_indexes(&self) -> Vec<Index<'p>> {
        self.indexes(|index| {
            let methods = [pg_sys::BTREE_AM_OID, pg_sys::HASH_AM_OID];
            // SAFETY: an open index.
            unsafe {
                methods.contains(&(*index.rd_rel).relam)
                    && !pg_sys::heap_attisnull(
                        index.rd_indextuple,
                        pg_sys::Anum_pg_index_indexprs as _,
                        std::ptr::null_mut(),
                    )
            }
        })
    }

    /// Its valid indexes that can search their last column by `operator`.
    pub fn indexes_by(&self, operator: pg_sys::Oid) -> Vec<Index<'p>> {
        // SAFETY: an open index has a family for each of its columns, and the look-up takes any two OIDs.
        self.indexes(|index| unsafe {
            let last = (*index.rd_index).indnkeyatts as usize - 1;
            pg_sys::op_in_opfamily(operator, *index.rd_opfamily.add(last))
        })
    }

    /// Its valid indexes for which `wanted` holds.
    fn indexes(&self, wanted: impl Fn(&pg_sys::RelationData) -> bool) -> Vec<Index<'p>> {
        // SAFETY: an open table; the list is of the oids of its indexes.
        let oids = unsafe {
            let oids = pg_sys::RelationGetIndexList(self.relation);
            (0..oids.as_ref().map_or(0, |l| l.length))
                .map(|i| pg_sys::list_nth_oid(oids, i))
                .collect::<Vec<_>>()
        };
        oids.into_iter().filter_map(|oid| self.index(oid, &wanted)).collect()
    }

    fn index(&self, oid: pg_sys::Oid, wanted: &impl Fn(&pg_sys::RelationData) -> bool) -> Option<Index<'p>> {
        // SAFETY: opens an index of an open table, with the lock that the planner is going to take; what is kept of it is
        // copied, and the lock is kept where the table's is; the index has `indnkeyatts` key columns, each with an operator family.
        unsafe {
            let index = pg_sys::index_open(oid, self.lock);
            let form = &*(*index).rd_index;
            let method = (*(*index).rd_rel).relam;
            let usable = (form.indisvalid && wanted(&*index)).then(|| {
                let mut expressions = self.renumbered(pg_sys::RelationGetIndexExpressions(index)).into_iter();
                let columns = (0..form.indnkeyatts as usize).filter_map(|at| {
                    match *form.indkey.values.as_ptr().add(at) {
                        0 => expressions.next(),
                        attribute => self.column(attribute),
                    }
                });
                Index {
                    oid,
                    columns: columns.collect(),
                    predicate: self.renumbered(pg_sys::RelationGetIndexPredicate(index)),
                    families: (0..form.indnkeyatts as usize)
                        .map(|at| *(*index).rd_opfamily.add(at))
                        .collect(),
                    is_btree: method == pg_sys::BTREE_AM_OID,
                }
            });
            pg_sys::index_close(index, self.unlock);
            usable
        }
    }

    /// Expressions of the catalogue, where the table is number 1, as they would stand in the query.
    ///
    /// # Safety
    /// `exprs` is a list of expressions or NULL, that nothing else refers to.
    unsafe fn renumbered(&self, exprs: *mut pg_sys::List) -> Vec<Expr<'p>> {
        // SAFETY: as the caller promises.
        unsafe {
            pg_sys::ChangeVarNodes(exprs.cast(), 1, self.number, 0);
            Expr::from_list(exprs)
        }
    }

    /// A column as it would stand in the query.
    fn column(&self, attribute: i16) -> Option<Expr<'p>> {
        // SAFETY: a column that an index of the table names; user columns are counted from 1.
        unsafe {
            let attribute_form = pgrx::PgTupleDesc::from_pg_unchecked((*self.relation).rd_att)
                .get(attribute as usize - 1)
                .map(|a| (a.atttypid, a.atttypmod, a.attcollation))?;
            let (type_oid, modifier, collation) = attribute_form;
            Expr::from_node(pg_sys::makeVar(self.number, attribute, type_oid, modifier, collation, 0))
        }
    }

    /// About how many different values `column` has; `None` where that is not known, or it is no column.
    pub fn distinct_values(&self, column: Expr, rows: f64) -> Option<f64> {
        // SAFETY: an open table, and statistics of it.
        unsafe {
            let node = column.as_ptr();
            let attribute =
                pgrx::is_a(node, pg_sys::NodeTag::T_Var).then(|| (*node.cast::<pg_sys::Var>()).varattno)?;
            let statistics = Statistics::of((*self.relation).rd_id, attribute)?;
            Some(statistics.distinct_values(rows))
        }
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        // SAFETY: opened by `open`; what is unlocked was locked by `open_for_call`.
        unsafe { pg_sys::table_close(self.relation, self.unlock) };
    }
}

/// An index of a table, its expressions as they would stand in the query.
pub struct Index<'p> {
    pub oid: pg_sys::Oid,
    /// The key columns.
    pub columns: Vec<Expr<'p>>,
    /// What the rows in it fulfil; empty where it has all rows.
    pub predicate: Vec<Expr<'p>>,
    families: Vec<pg_sys::Oid>,
    is_btree: bool,
}

impl Index<'_> {
    /// Whether it can look up the members of an array in one scan.
    pub fn takes_arrays(&self) -> bool {
        self.is_btree
    }

    /// Whether a later key column can be looked up where an earlier one is not known.
    pub fn skips_columns(&self) -> bool {
        self.is_btree && SKIP_SCAN
    }

    /// The number of an operator in the family of key column `at`; 0 where it has none.
    pub fn strategy(&self, at: usize, operator: pg_sys::Oid) -> u16 {
        // SAFETY: a look-up takes any two OIDs; the planner and SQL calls run in a transaction.
        unsafe { pg_sys::get_op_opfamily_strategy(operator, self.families[at]) as u16 }
    }

    /// What `expr`, which is compared as key column `at` of a B-tree or hash index is, equals if `condition` holds.
    pub fn equal_to<'e>(&self, at: usize, expr: Expr, condition: Expr<'e>) -> Option<Expr<'e>> {
        let equality =
            if self.is_btree { pg_sys::BTEqualStrategyNumber } else { pg_sys::HTEqualStrategyNumber };
        let (operator, left, right) = condition.as_operator()?;
        match self.strategy(at, operator) == equality as u16 {
            true if left.same(expr) => Some(right),
            true if right.same(expr) => Some(left),
            _ => None,
        }
    }
}

/// What a relation is called, for messages.
pub fn relation_name(oid: pg_sys::Oid) -> String {
    // SAFETY: a look-up takes any OID; the name is a copy in the server encoding, NULL where there is no such relation.
    unsafe {
        match pg_sys::get_rel_name(oid).as_ref() {
            Some(name) => format!("\"{}\"", &*Utf8Text::from_server_string(name)),
            None => format!("relation {}", oid.to_u32()),
        }
    }
}
