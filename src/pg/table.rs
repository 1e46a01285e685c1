//! Tables, their sizes and indexes.

use super::expr::Expr;
use super::statistics::Statistics;
use super::text::Utf8Text;
use super::version::SKIP_SCAN;
use pgrx::pg_sys;
use std::ffi::c_int;
use std::marker::PhantomData;

/// How many rows a table is taken to have when nobody has counted.
const UNKNOWN_ROWS: f64 = 1e6;

/// A table as it stands in a query, or by itself.
pub struct Table<'p> {
    number: c_int,
    relation: pg_sys::Relation,
    lock: pg_sys::LOCKMODE,
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

impl Table<'_> {
    /// Opens a table that is locked already; `None` where it is of a kind that has no indexes.
    pub(super) fn open<'p>(number: c_int, entry: &pg_sys::RangeTblEntry) -> Option<Table<'p>> {
        let kinds = [pg_sys::RELKIND_RELATION, pg_sys::RELKIND_MATVIEW, pg_sys::RELKIND_PARTITIONED_TABLE];
        kinds.contains(&(entry.relkind as u8)).then(|| Table {
            number,
            // SAFETY: the parser or the planner has locked the tables of a query.
            relation: unsafe { pg_sys::table_open(entry.relid, pg_sys::NoLock as _) },
            lock: entry.rellockmode,
            has_children: entry.inh,
            planning: PhantomData,
        })
    }

    /// Opens and locks a table for reading; `None` where it is of a kind that has no indexes.
    pub fn open_by_oid(oid: pg_sys::Oid) -> Option<Table<'static>> {
        // SAFETY: looks into the catalogue; the lock is kept until the end of the transaction.
        let entry = unsafe {
            pg_sys::LockRelationOid(oid, pg_sys::AccessShareLock as _);
            pg_sys::RangeTblEntry {
                relid: oid,
                relkind: pg_sys::get_rel_relkind(oid),
                rellockmode: pg_sys::AccessShareLock as _,
                ..Default::default()
            }
        };
        Table::open(1, &entry)
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
        match f64::from(pages) {
            // A partitioned table has its own figures only after ANALYZE.
            0.0 if self.has_children => Size { rows: UNKNOWN_ROWS, pages: UNKNOWN_ROWS / 50.0 },
            pages => Size { rows, pages },
        }
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
}

impl<'p> Table<'p> {
    /// Its valid indexes that have expressions and can look up a value.
    pub fn expression_indexes(&self) -> Vec<Index<'p>> {
        // SAFETY: an open table; the list is of the oids of its indexes.
        let oids = unsafe {
            let oids = pg_sys::RelationGetIndexList(self.relation);
            (0..oids.as_ref().map_or(0, |l| l.length))
                .map(|i| pg_sys::list_nth_oid(oids, i))
                .collect::<Vec<_>>()
        };
        oids.into_iter().filter_map(|oid| self.expression_index(oid)).collect()
    }

    fn expression_index(&self, oid: pg_sys::Oid) -> Option<Index<'p>> {
        // SAFETY: opens an index of an open table, with the lock that the planner is going to take, and keeps it; the
        // index has `indnkeyatts` key columns, each with an operator family.
        unsafe {
            let index = pg_sys::index_open(oid, self.lock);
            let form = &*(*index).rd_index;
            let method = (*(*index).rd_rel).relam;
            let usable = form.indisvalid
                && [pg_sys::BTREE_AM_OID, pg_sys::HASH_AM_OID].contains(&method)
                && !pg_sys::heap_attisnull(
                    (*index).rd_indextuple,
                    pg_sys::Anum_pg_index_indexprs as _,
                    std::ptr::null_mut(),
                );
            let usable = usable.then(|| {
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
            pg_sys::index_close(index, pg_sys::NoLock as _);
            usable
        }
    }

    /// Expressions of the catalogue, where the table is number 1, as they would stand in the query.
    ///
    /// # Safety
    /// `exprs` is a list of expressions or NULL, and nobody else's.
    unsafe fn renumbered(&self, exprs: *mut pg_sys::List) -> Vec<Expr<'p>> {
        // SAFETY: as the caller vouches.
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
        // SAFETY: opened by `open`; the lock is the query's.
        unsafe { pg_sys::table_close(self.relation, pg_sys::NoLock as _) };
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

    /// What `expr`, which is compared as key column `at` is, equals if `condition` holds.
    pub fn equal_to<'e>(&self, at: usize, expr: Expr, condition: Expr<'e>) -> Option<Expr<'e>> {
        let strategy =
            if self.is_btree { pg_sys::BTEqualStrategyNumber } else { pg_sys::HTEqualStrategyNumber };
        let (operator, left, right) = condition.as_operator()?;
        // SAFETY: looks into the catalogue.
        let is_equality =
            unsafe { pg_sys::get_op_opfamily_strategy(operator, self.families[at]) } == strategy as c_int;
        match is_equality {
            true if left.same(expr) => Some(right),
            true if right.same(expr) => Some(left),
            _ => None,
        }
    }
}

/// What a relation is called, for messages.
pub fn relation_name(oid: pg_sys::Oid) -> String {
    // SAFETY: looks into the catalogue; the name is in the server encoding, NULL where there is no such relation.
    unsafe {
        match pg_sys::get_rel_name(oid).as_ref() {
            Some(name) => format!("\"{}\"", &*Utf8Text::from_server_string(name)),
            None => format!("relation {}", oid.to_u32()),
        }
    }
}
