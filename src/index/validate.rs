//! Whether an operator class can be used with the access method.

mod operator_class;

use super::strategy::{HASH, Strategy};
use crate::near::ball::StoredBall;
use crate::near::bit_ball::StoredBitBall;
use crate::server::error::complain;
use operator_class::{ClassFunction, ClassOperator, OperatorClass};
use pgrx::{pg_guard, pg_sys};

#[pg_guard]
pub unsafe extern "C-unwind" fn amvalidate(class: pg_sys::Oid) -> bool {
    let class = OperatorClass::of(class);
    let mut is_valid = true;
    let mut reject = |what: String| {
        complain(format!("operator class \"{}\" of access method simhash {what}", class.name));
        is_valid = false;
    };
    let is_scope = class.operators.iter().all(|operator| operator.strategy == Strategy::Equal as u16);
    let expected: &[Strategy] = match class.input_type {
        _ if is_scope => &Strategy::OF_SCOPES,
        pg_sys::INT8OID => &Strategy::OF_FINGERPRINTS,
        pg_sys::BITOID => &Strategy::OF_BITS,
        _ => &Strategy::OF_BALLS,
    };
    let balls = [size_of::<StoredBall>(), size_of::<StoredBitBall>()];
    if expected == Strategy::OF_BALLS && !balls.contains(&(class.input_length as usize)) {
        reject("has other operators than = and is not for a type of fingerprints or balls".to_owned());
    }
    for operator in &class.operators {
        let ClassOperator { strategy: number, result_type, is_for_order } = *operator;
        let Some(strategy) = Strategy::from_number(number).filter(|s| expected.contains(s)) else {
            reject(format!("has an operator with invalid strategy number {number}"));
            continue;
        };
        if is_for_order != (strategy == Strategy::Distance) {
            reject(format!("has an operator with strategy number {number} and the wrong purpose"));
        }
        let result = if is_for_order { pg_sys::INT4OID } else { pg_sys::BOOLOID };
        if result_type != result {
            reject(format!("has an operator with strategy number {number} and the wrong result type"));
        }
    }
    for number in expected.iter().map(|&strategy| strategy as u16) {
        if !class.operators.iter().any(|operator| operator.strategy == number) {
            reject(format!("lacks an operator with strategy number {number}"));
        }
    }
    for function in &class.functions {
        let ClassFunction { number, arguments, result_type } = *function;
        if number != HASH {
            reject(format!("has a function with invalid support number {number}"));
        } else if arguments != 2 || result_type != pg_sys::INT8OID {
            reject("has a function of support number 1 that is not a hash of 64 bits with a seed".to_owned());
        }
    }
    // Only a column before the last one is hashed.
    if is_scope && class.functions.is_empty() {
        reject("lacks a function with support number 1, the hash of a value".to_owned());
    }
    is_valid
}
