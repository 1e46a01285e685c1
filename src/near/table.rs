//! Tables of a query, and their indexes.

use crate::server::expr::Expr;
use pgrx::pg_sys;
use std::ffi::c_int;
use std::marker::PhantomData;

/// A table in a query.
pub struct Table<'p> {
    number: c_int,
    relation: pg_sys::Relation,
    lock: pg_sys::LOCKMODE,
    has_children: bool,
    planning: PhantomData<&'p ()>,
}

impl<'p> Table<'p> {
    /// Opens a table; `None` if tables of its kind have no indexes.
    ///
    /// # Safety
    /// The table is locked while it is open, and the current memory context lives for `'p`.
    pub unsafe fn open(number: c_int, entry: &pg_sys::RangeTblEntry) -> Option<Table<'p>> {
        let kinds = [pg_sys::RELKIND_RELATION, pg_sys::RELKIND_MATVIEW, pg_sys::RELKIND_PARTITIONED_TABLE];
        kinds.contains(&(entry.relkind as u8)).then(|| Table {
            number,
            // SAFETY: the table is locked, as the caller promises.
            relation: unsafe { pg_sys::table_open(entry.relid, pg_sys::NoLock as _) },
            lock: entry.rellockmode,
            has_children: entry.inh,
            planning: PhantomData,
        })
    }

    /// Its number in the query.
    pub fn number(&self) -> c_int {
        self.number
    }

    /// Whether it also stands for its children: partitions, or tables that inherit from it.
    pub fn has_children(&self) -> bool {
        self.has_children
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
        // SAFETY: an open index has an operator family for each of its columns, and the lookup takes any two OIDs.
        self.indexes(|index| unsafe {
            let last = (*index.rd_index).indnkeyatts as usize - 1;
            pg_sys::op_in_opfamily(operator, *index.rd_opfamily.add(last))
        })
    }

    /// Its valid indexes for which `wanted` holds.
    fn indexes(&self, wanted: impl Fn(&pg_sys::RelationData) -> bool) -> Vec<Index<'p>> {
        // SAFETY: an open table; the list has the OIDs of its indexes.
        let oids = unsafe {
            let oids = pg_sys::RelationGetIndexList(self.relation);
            (0..oids.as_ref().map_or(0, |l| l.length))
                .map(|i| pg_sys::list_nth_oid(oids, i))
                .collect::<Vec<_>>()
        };
        oids.into_iter().filter_map(|oid| self.index(oid, &wanted)).collect()
    }

    fn index(&self, oid: pg_sys::Oid, wanted: &impl Fn(&pg_sys::RelationData) -> bool) -> Option<Index<'p>> {
        // SAFETY: opens an index of an open table, with the lock that the planner is going to take and that is kept. What is kept
        // of the index is copied. The index has `indnkeyatts` key columns.
        unsafe {
            let index = pg_sys::index_open(oid, self.lock);
            let form = &*(*index).rd_index;
            let usable = (form.indisvalid && wanted(&*index)).then(|| {
                let mut expressions = self.renumbered(pg_sys::RelationGetIndexExpressions(index)).into_iter();
                let columns = (0..form.indnkeyatts as usize).filter_map(|at| {
                    match *form.indkey.values.as_ptr().add(at) {
                        0 => expressions.next(),
                        attribute => self.column(attribute),
                    }
                });
                let has_all_rows = pg_sys::RelationGetIndexPredicate(index).is_null();
                Index { columns: columns.collect(), has_all_rows }
            });
            pg_sys::index_close(index, pg_sys::NoLock as _);
            usable
        }
    }

    /// Expressions of the catalog, in which the table is number 1, with the number that the table has in the query.
    ///
    /// # Safety
    /// `exprs` is a list of expressions or NULL, to which nothing else refers.
    unsafe fn renumbered(&self, exprs: *mut pg_sys::List) -> Vec<Expr<'p>> {
        // SAFETY: as the caller promises.
        unsafe {
            pg_sys::ChangeVarNodes(exprs.cast(), 1, self.number, 0);
            Expr::from_list(exprs)
        }
    }

    /// A column, as an expression of the query.
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
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        // SAFETY: opened by `open`; the lock is the query's.
        unsafe { pg_sys::table_close(self.relation, pg_sys::NoLock as _) };
    }
}

/// An index of a table.
pub struct Index<'p> {
    /// The key columns, as expressions of the query.
    pub columns: Vec<Expr<'p>>,
    /// Whether it is not partial.
    pub has_all_rows: bool,
}

impl Index<'_> {
    /// Whether it has all rows of the table, and `expr` as its only column.
    pub fn is_of_all_rows_by(&self, expr: Expr) -> bool {
        // A column of a domain type has that type in the index, and is relabeled as a bigint in the call.
        let is_same = |column: Expr| column.without_relabeling().same(expr.without_relabeling());
        self.has_all_rows && self.columns.len() == 1 && is_same(self.columns[0])
    }
}
