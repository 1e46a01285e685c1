//! What band indexes a table has.

use crate::pg::call::Call;
use crate::pg::catalog::Catalog;
use crate::pg::error::raise;
use crate::pg::table::{Table, relation_name};
use crate::pg::text::ServerText;
use crate::planner::band_column::BandColumn;
use pgrx::iter::TableIterator;
use pgrx::{PgSqlErrorCode, name, pg_extern, pg_sys};

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
fn simhash_indexes(rel: pg_sys::Oid, call: Call) -> IndexRows {
    let Some(table) = Table::open_for_call(call, rel) else {
        raise(
            PgSqlErrorCode::ERRCODE_WRONG_OBJECT_TYPE,
            format!("{} is not a table or materialized view", relation_name(rel)),
            None,
            None,
        )
    };
    let Some(catalog) = Catalog::beside(call.function()) else { return TableIterator::empty() };
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
