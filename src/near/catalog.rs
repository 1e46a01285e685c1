//! The objects of the extension in the catalog. They are looked up each time, through the extension's own schema: the extension may
//! have been dropped and created again, and the schema may not be in the search path.

use super::ball::StoredBall;
use super::bit_ball::StoredBitBall;
use crate::server::expr::Expr;
use crate::server::text::server_string;
use pgrx::pg_sys;
use std::ffi::{CStr, c_int};

/// The objects that a rewritten condition is made of.
pub struct Catalog {
    /// The type `simhash_band`.
    pub band_type: pg_sys::Oid,
    /// Its `=`.
    pub band_equals: pg_sys::Oid,
    /// `simhash_band(bigint, int, int)`.
    pub band: pg_sys::Oid,
    /// `simhash_within(bigint, bigint, int)`.
    pub within: pg_sys::Oid,
}

impl Catalog {
    /// The objects in the schema of `function`; `None` if one of them is missing.
    pub fn beside(function: pg_sys::Oid) -> Option<Catalog> {
        // SAFETY: a lookup by OID takes any OID; the planner and SQL calls run in a transaction.
        Catalog::in_schema(unsafe { pg_sys::get_func_namespace(function) })
    }

    /// The objects in the schema of the function of `operator`.
    pub fn beside_operator(operator: pg_sys::Oid) -> Option<Catalog> {
        // SAFETY: a lookup by OID takes any OID; the planner and SQL calls run in a transaction.
        Catalog::beside(unsafe { pg_sys::get_opcode(operator) })
    }

    fn in_schema(schema: pg_sys::Oid) -> Option<Catalog> {
        let (bigint, int) = (pg_sys::INT8OID, pg_sys::INT4OID);
        let band_type = type_in(schema, c"simhash_band")?;
        // SAFETY: `type_in` found the type; its entry in the type cache is never freed.
        let band_equals =
            unsafe { (*pg_sys::lookup_type_cache(band_type, pg_sys::TYPECACHE_EQ_OPR as c_int)).eq_opr };
        Some(Catalog {
            band_type,
            band_equals: valid(band_equals)?,
            band: function_in(schema, c"simhash_band", &[bigint, int, int])?,
            within: function_in(schema, c"simhash_within", &[bigint, bigint, int])?,
        })
    }
}

/// The type of fingerprints that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FingerprintType {
    Bigint,
    Bit,
}

/// The objects that a condition of a simhash index is made of.
pub struct BallCatalog {
    /// The type of the fingerprints that a ball contains.
    pub of: FingerprintType,
    /// The type `simhash_ball` or `simhash_bit_ball`.
    pub ball_type: pg_sys::Oid,
    /// `simhash_ball(bigint, int)` or `simhash_bit_ball(bit, int)`.
    pub ball: pg_sys::Oid,
    /// `bigint <@ simhash_ball` or `bit <@ simhash_bit_ball`.
    pub within: pg_sys::Oid,
}

impl BallCatalog {
    /// The objects in the schema of `function`, for fingerprints of the type that it compares; `None` if one of them is missing.
    pub fn beside(function: pg_sys::Oid) -> Option<BallCatalog> {
        // SAFETY: a lookup by OID takes any OID; the planner and SQL calls run in a transaction.
        let schema = unsafe { pg_sys::get_func_namespace(function) };
        let first = first_argument(function)?;
        let bit_ball = || type_in(schema, c"simhash_bit_ball");
        let is_of_bits = first != pg_sys::INT8OID && (first == pg_sys::BITOID || Some(first) == bit_ball());
        let (of, name, fp_type) = match is_of_bits {
            true => (FingerprintType::Bit, c"simhash_bit_ball", pg_sys::BITOID),
            false => (FingerprintType::Bigint, c"simhash_ball", pg_sys::INT8OID),
        };
        let ball_type = type_in(schema, name)?;
        Some(BallCatalog {
            of,
            ball_type,
            ball: function_in(schema, name, &[fp_type, pg_sys::INT4OID])?,
            within: operator_in(schema, c"<@", fp_type, ball_type)?,
        })
    }

    /// The objects in the schema of the function of `operator`.
    pub fn beside_operator(operator: pg_sys::Oid) -> Option<BallCatalog> {
        // SAFETY: a lookup by OID takes any OID; the planner and SQL calls run in a transaction.
        BallCatalog::beside(unsafe { pg_sys::get_opcode(operator) })
    }

    /// The center and the radius of a ball that is a constant or made by a function of the catalog.
    pub fn center_and_radius<'p>(&self, ball: Expr<'p>) -> Option<[Expr<'p>; 2]> {
        if let Some(constant) = ball.constant(self.ball_type) {
            // SAFETY: the type says what the value is.
            return Some(unsafe {
                match self.of {
                    FingerprintType::Bigint => {
                        let constant = StoredBall::from_ball_datum(constant);
                        [ball.bigint(constant.center), ball.integer(constant.k)]
                    }
                    FingerprintType::Bit => {
                        let constant = StoredBitBall::from_ball_datum(constant);
                        [ball.bits(constant.center_datum()), ball.integer(constant.k)]
                    }
                }
            });
        }
        let call = ball.as_call().filter(|call| call.function == self.ball)?;
        let [query, k] = call.args[..] else { return None };
        Some([query, k])
    }
}

/// The name of an operator.
pub fn operator_name(operator: pg_sys::Oid) -> Option<String> {
    // SAFETY: a lookup takes any OID; the name is a copy in the server encoding, NULL if there is no such operator.
    unsafe { server_string(pg_sys::get_opname(operator)) }
}

/// The type of the first argument of a function; `None` if it has none, or if there is no function.
fn first_argument(function: pg_sys::Oid) -> Option<pg_sys::Oid> {
    let (mut types, mut count) = (std::ptr::null_mut(), 0);
    valid(function)?;
    // SAFETY: a lookup takes any OID, and raises an error if there is no such function; it has `count` types of arguments.
    unsafe {
        pg_sys::get_func_signature(function, &mut types, &mut count);
        (count > 0).then(|| *types)
    }
}

fn operator_in(
    schema: pg_sys::Oid,
    name: &CStr,
    left: pg_sys::Oid,
    right: pg_sys::Oid,
) -> Option<pg_sys::Oid> {
    let cache = pg_sys::SysCacheIdentifier::OPERNAMENSP as c_int;
    // SAFETY: the keys are those of this cache, in its order: a name with a NUL at its end, two types, a schema.
    valid(unsafe {
        let oid = pg_sys::Anum_pg_operator_oid as _;
        let name = pg_sys::Datum::from(name.as_ptr());
        pg_sys::GetSysCacheOid(cache, oid, name, left.into(), right.into(), schema.into())
    })
}

fn valid(oid: pg_sys::Oid) -> Option<pg_sys::Oid> {
    (oid != pg_sys::InvalidOid).then_some(oid)
}

fn type_in(schema: pg_sys::Oid, name: &CStr) -> Option<pg_sys::Oid> {
    let cache = pg_sys::SysCacheIdentifier::TYPENAMENSP as c_int;
    let none = pg_sys::Datum::from(0);
    // SAFETY: the keys are those of this cache, in its order: a name with a NUL at its end and a schema.
    valid(unsafe {
        let oid = pg_sys::Anum_pg_type_oid as _;
        pg_sys::GetSysCacheOid(cache, oid, pg_sys::Datum::from(name.as_ptr()), schema.into(), none, none)
    })
}

fn function_in(schema: pg_sys::Oid, name: &CStr, arguments: &[pg_sys::Oid]) -> Option<pg_sys::Oid> {
    let cache = pg_sys::SysCacheIdentifier::PROCNAMEARGSNSP as c_int;
    let none = pg_sys::Datum::from(0);
    // SAFETY: the keys are those of this cache, in its order: a name with a NUL at its end, a vector of types, a schema.
    valid(unsafe {
        let oid = pg_sys::Anum_pg_proc_oid as _;
        let types = pg_sys::buildoidvector(arguments.as_ptr(), arguments.len() as c_int);
        let (name, types) = (pg_sys::Datum::from(name.as_ptr()), pg_sys::Datum::from(types));
        pg_sys::GetSysCacheOid(cache, oid, name, types, schema.into(), none)
    })
}
