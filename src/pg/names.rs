//! Names as SQL that mean one object, whatever the search path and whatever else is in its schema.

use super::text::{server_string, to_server_string};
use pgrx::pg_sys;
use std::ffi::{CStr, c_int};

/// How two values of a type are compared for equality, as SQL.
pub struct Equality {
    /// `OPERATOR(schema.=)`.
    pub operator: String,
    /// The type to which both sides have to be cast, so that no other operator of the schema can match better.
    pub operand_type: String,
}

/// A name as SQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as SQL.
pub fn literal(text: &str) -> String {
    // SAFETY: the server makes a string of a string, both in its encoding.
    unsafe { server_string(pg_sys::quote_literal_cstr(to_server_string(text))) }.unwrap_or_default()
}

/// A table as SQL.
pub fn table(oid: pg_sys::Oid) -> String {
    // SAFETY: look-ups take any OID; names are copies in the server encoding, NULL where there is no such table.
    unsafe {
        let name = server_string(pg_sys::get_rel_name(oid));
        qualified(pg_sys::get_rel_namespace(oid), &name.unwrap_or_default())
    }
}

/// A table's schema and name, for the fields of an error.
pub fn schema_and_table(oid: pg_sys::Oid) -> (String, String) {
    // SAFETY: look-ups take any OID; names are copies in the server encoding, NULL where there is no such object.
    unsafe {
        let schema = server_string(pg_sys::get_namespace_name(pg_sys::get_rel_namespace(oid)));
        (schema.unwrap_or_default(), server_string(pg_sys::get_rel_name(oid)).unwrap_or_default())
    }
}

/// Whether the server's own schema has a table of this name: those of other extensions may be there.
pub fn is_catalog_table(name: &CStr) -> bool {
    // SAFETY: a look-up by a name with a NUL at its end, as every `CStr` has.
    let oid = unsafe { pg_sys::get_relname_relid(name.as_ptr(), pg_sys::PG_CATALOG_NAMESPACE.into()) };
    oid != pg_sys::InvalidOid
}

/// A type, for messages.
pub fn type_for_message(oid: pg_sys::Oid) -> String {
    // SAFETY: the server writes the name as a string in its encoding.
    unsafe { server_string(pg_sys::format_type_be(oid)) }.unwrap_or_default()
}

/// The schema of a function as SQL.
pub fn schema_of_function(oid: pg_sys::Oid) -> String {
    // SAFETY: a look-up by OID takes any OID; the server runs every SQL call in a transaction.
    schema(unsafe { pg_sys::get_func_namespace(oid) })
}

/// A type as SQL. By its name in the catalogue: the names of the SQL standard, such as character, can imply a length.
fn type_name(oid: pg_sys::Oid) -> Option<String> {
    // SAFETY: a look-up takes any OID; its row is held until it is released, and its name, in the server encoding, copied before.
    unsafe {
        let cache = pg_sys::SysCacheIdentifier::TYPEOID as c_int;
        let row = pg_sys::SearchSysCache1(cache, oid.into()).as_mut()?;
        let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_type>();
        let name = server_string(form.typname.data.as_ptr()).map(|name| qualified(form.typnamespace, &name));
        pg_sys::ReleaseSysCache(row);
        name
    }
}

/// The `=` of a type that is no domain; `None` where it has none that SQL can name for certain.
pub fn equality(base_type: pg_sys::Oid) -> Option<Equality> {
    // SAFETY: entries of the type cache are never freed, and a type that is not there is an error; the operator's row is held until
    // it is released, and its name, in the server encoding, copied before.
    let (schema_oid, name, operand) = unsafe {
        let operator = (*pg_sys::lookup_type_cache(base_type, pg_sys::TYPECACHE_EQ_OPR as c_int)).eq_opr;
        let cache = pg_sys::SysCacheIdentifier::OPEROID as c_int;
        let row = pg_sys::SearchSysCache1(cache, operator.into()).as_mut()?;
        let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_operator>();
        let found = (form.oprnamespace, server_string(form.oprname.data.as_ptr()), form.oprleft);
        pg_sys::ReleaseSysCache(row);
        found
    };
    // SAFETY: a look-up by OID takes any OID; the server runs every SQL call in a transaction.
    let is_polymorphic = unsafe { pg_sys::get_typtype(operand) } as u8 == pg_sys::TYPTYPE_PSEUDO;
    if is_polymorphic && schema_oid.to_u32() != pg_sys::PG_CATALOG_NAMESPACE {
        return None;
    }
    Some(Equality {
        operator: format!("OPERATOR({}.{})", schema(schema_oid), name?),
        operand_type: type_name(if is_polymorphic { base_type } else { operand })?,
    })
}

fn qualified(schema_oid: pg_sys::Oid, name: &str) -> String {
    format!("{}.{}", schema(schema_oid), quoted(name))
}

fn schema(oid: pg_sys::Oid) -> String {
    // SAFETY: a look-up takes any OID; the name is a copy in the server encoding, NULL where there is no such schema.
    quoted(&unsafe { server_string(pg_sys::get_namespace_name(oid)) }.unwrap_or_default())
}
