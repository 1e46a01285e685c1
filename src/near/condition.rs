//! `simhash_near(fp, query, k)`, `simhash_within` and `simhash_bit_near` as a condition of an index: `fp <@ simhash_ball(query, k)`, or
//! the same with `simhash_bit_ball`.

use super::catalog::BallCatalog;
use super::request::{Answer, IndexCondition};
use crate::server::expr::Expr;

/// The condition that a simhash index can check instead of the call. Either argument of the call can be the column of the index.
pub fn answer(question: IndexCondition) -> Answer {
    let [fp, query, k] = question.call.args[..] else { return Answer::No };
    let (column, other) = match question.column {
        0 => (fp, query),
        1 => (query, fp),
        _ => return Answer::No,
    };
    let Some(catalog) = BallCatalog::beside(question.call.function) else { return Answer::No };
    // The fingerprint is the last column. The ball is computed when the scan begins, so it must not depend on the row.
    if !question.is_last
        || !question.takes(catalog.within)
        || !question.is_fixed(other)
        || !question.is_fixed(k)
    {
        return Answer::No;
    }
    let ball = Expr::call(catalog.ball, &[other, k]);
    question.answer(Expr::operator(catalog.within, column, ball))
}
