//! Operator classes, as an access method reads them to validate them.

use crate::server::text::Utf8Text;
use pgrx::pg_sys;
use std::ffi::c_int;

/// An operator class.
pub struct OperatorClass {
    pub name: String,
    pub input_type: pg_sys::Oid,
    /// The length of a value of that type in bytes; negative if it varies.
    pub input_length: i16,
    /// The operators of its family for its input type.
    pub operators: Vec<ClassOperator>,
    /// The functions of its family for its input type.
    pub functions: Vec<ClassFunction>,
}

/// A function of an operator class.
pub struct ClassFunction {
    pub number: u16,
    pub arguments: usize,
    pub result_type: pg_sys::Oid,
}

/// An operator of an operator class.
pub struct ClassOperator {
    pub strategy: u16,
    pub result_type: pg_sys::Oid,
    /// Whether it is for ORDER BY.
    pub is_for_order: bool,
}

impl OperatorClass {
    pub fn of(class: pg_sys::Oid) -> OperatorClass {
        use pg_sys::SysCacheIdentifier::{AMOPSTRATEGY, AMPROCNUM, CLAOID};
        // SAFETY: the server validates a class that exists. Rows of the catalog are held until they are released; what is kept of
        // them is copied before.
        unsafe {
            let row = pg_sys::SearchSysCache1(CLAOID as c_int, class.into());
            assert!(!row.is_null(), "the server validates classes that are there");
            let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_opclass>();
            let name = Utf8Text::from_server_string(form.opcname.data.as_ptr()).to_owned();
            let (family, input_type) = (form.opcfamily, form.opcintype);
            pg_sys::ReleaseSysCache(row);
            let operators = members(AMOPSTRATEGY as c_int, family, |row| {
                let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_amop>();
                let result_type = pg_sys::get_op_rettype(form.amopopr);
                let is_for_order = form.amoppurpose as u8 == pg_sys::AMOP_ORDER;
                let strategy = form.amopstrategy as u16;
                (form.amoplefttype == input_type).then_some(ClassOperator {
                    strategy,
                    result_type,
                    is_for_order,
                })
            });
            let functions = members(AMPROCNUM as c_int, family, |row| {
                let form = &*pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_amproc>();
                (form.amproclefttype == input_type && form.amprocrighttype == input_type).then(|| {
                    ClassFunction {
                        number: form.amprocnum as u16,
                        arguments: pg_sys::get_func_nargs(form.amproc) as usize,
                        result_type: pg_sys::get_func_rettype(form.amproc),
                    }
                })
            });
            let input_length = pg_sys::get_typlen(input_type);
            OperatorClass { name, input_type, input_length, operators, functions }
        }
    }
}

/// The results of `each` for the rows of a catalog that belong to an operator family.
///
/// # Safety
/// The first key of the cache is the operator family.
unsafe fn members<T>(
    cache: c_int,
    family: pg_sys::Oid,
    each: impl Fn(pg_sys::HeapTuple) -> Option<T>,
) -> Vec<T> {
    let none = pg_sys::Datum::from(0);
    // SAFETY: as the caller promises; the list has `n_members` members and is held until it is released.
    unsafe {
        let list = pg_sys::SearchSysCacheList(cache, 1, family.into(), none, none);
        let members = (*list).members.as_slice((*list).n_members as usize);
        let found = members.iter().filter_map(|&member| each(&raw mut (*member).tuple)).collect();
        pg_sys::ReleaseCatCacheList(list);
        found
    }
}
