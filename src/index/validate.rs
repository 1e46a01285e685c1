//! Whether an operator class can be used with the access method.

use super::Strategy;
use crate::pg::ball::StoredBall;
use crate::pg::error::complain;
use crate::pg::opclass::{ClassOperator, OperatorClass};
use pgrx::{pg_guard, pg_sys};

#[pg_guard]
pub unsafe extern "C-unwind" fn amvalidate(class: pg_sys::Oid) -> bool {
    let class = OperatorClass::of(class);
    let mut is_valid = true;
    let mut reject = |what: String| {
        complain(format!("operator class \"{}\" of access method simhash {what}", class.name));
        is_valid = false;
    };
    let expected: &[Strategy] = match class.input_type {
        pg_sys::INT8OID => &Strategy::OF_FINGERPRINTS,
        _ => &Strategy::OF_BALLS,
    };
    if class.input_type != pg_sys::INT8OID && class.input_length != size_of::<StoredBall>() as i16 {
        reject("is neither for type bigint nor for type simhash_ball".to_owned());
    }
    for operator in &class.operators {
        let ClassOperator { strategy: number, result_type, is_for_order } = *operator;
        let Some(strategy) = Strategy::from_number(number).filter(|s| expected.contains(s)) else {
            reject(format!("has an operator with invalid strategy number {number}"));
            continue;
        };
        if is_for_order != (strategy == Strategy::Distance) {
            reject(format!("has an operator of strategy {number} that is for another purpose"));
        }
        let result = if is_for_order { pg_sys::INT4OID } else { pg_sys::BOOLOID };
        if result_type != result {
            reject(format!("has an operator of strategy {number} with another result type"));
        }
    }
    for number in expected.iter().map(|&strategy| strategy as u16) {
        if !class.operators.iter().any(|operator| operator.strategy == number) {
            reject(format!("lacks an operator with strategy number {number}"));
        }
    }
    if class.has_functions {
        reject("has support functions, which the access method does not call".to_owned());
    }
    is_valid
}
