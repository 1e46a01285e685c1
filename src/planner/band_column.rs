//! Band columns of indexes: what the planner can probe.

use crate::pg::catalog::Catalog;
use crate::pg::error::raise;
use crate::pg::expr::Expr;
use crate::pg::table::{Index, Table, relation_name};
use crate::pg::text::ServerText;
use pgrx::iter::TableIterator;
use pgrx::{PgSqlErrorCode, name, pg_extern, pg_sys};
use simhash_core::band::Family;

/// A key column of an index that is `simhash_band(fp, band, bands)`.
pub struct BandColumn<'p> {
    /// Its place among the key columns, counted from 0.
    pub at: usize,
    pub fp: Expr<'p>,
    pub band: u32,
    pub family: Family,
}

impl<'p> BandColumn<'p> {
    /// The band columns of an index, `function` being `simhash_band`.
    pub fn all_of(index: &Index<'p>, function: pg_sys::Oid) -> Vec<BandColumn<'p>> {
        let band_column = |(at, column): (usize, &Expr<'p>)| {
            let call = column.as_call().filter(|call| call.function == function)?;
            let [fp, band, bands] = call.args[..] else { return None };
            let family = Family::new(bands.as_integer()?)?;
            let band = u32::try_from(band.as_integer()?).ok().filter(|&band| band < family.bands())?;
            Some(BandColumn { at, fp, band, family })
        };
        index.columns.iter().enumerate().filter_map(band_column).collect()
    }
}

type IndexRows = TableIterator<
    'static,
    (
        name!(index, pg_sys::Oid),
        name!(fp, ServerText),
        name!(band, i32),
        name!(bands, i32),
        name!(place, i32),
        name!(is_partial, bool),
    ),
>;

/// `simhash_indexes(rel regclass) → setof (index regclass, fp text, band int, bands int, place int, is_partial bool)`
#[pg_extern]
fn simhash_indexes(rel: pg_sys::Oid, fcinfo: pg_sys::FunctionCallInfo) -> IndexRows {
    let Some(table) = Table::open_by_oid(rel) else {
        raise(
            PgSqlErrorCode::ERRCODE_WRONG_OBJECT_TYPE,
            format!("{} is not a table or materialized view", relation_name(rel)),
            None,
            None,
        )
    };
    let Some(catalog) = Catalog::beside_call(fcinfo) else { return TableIterator::empty() };
    let rows = table.expression_indexes().into_iter().flat_map(|index| {
        let row = |column: BandColumn| {
            (
                index.oid,
                ServerText(table.sql_of(column.fp.without_relabeling())),
                column.band as i32,
                column.family.bands() as i32,
                column.at as i32 + 1,
                !index.predicate.is_empty(),
            )
        };
        BandColumn::all_of(&index, catalog.band).into_iter().map(row).collect::<Vec<_>>()
    });
    TableIterator::new(rows.collect::<Vec<_>>())
}
