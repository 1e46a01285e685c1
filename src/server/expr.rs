//! Expressions of a query, as the planner has them: functions that inspect, compare and build them.

use super::bits::{BitString, BitStringDatum};
use super::version::without_nulling_joins;
use pgrx::{is_a, pg_sys};
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

/// An expression. It lives while the query is planned.
#[derive(Clone, Copy)]
pub struct Expr<'p> {
    node: *mut pg_sys::Node,
    planning: PhantomData<&'p ()>,
}

/// A function called in an expression.
pub struct FunctionCall<'p> {
    pub function: pg_sys::Oid,
    pub args: Vec<Expr<'p>>,
}

impl<'p> Expr<'p> {
    /// # Safety
    /// `node` is an expression, a list of expressions or NULL, and lives for `'p`.
    pub unsafe fn from_node<T>(node: *mut T) -> Option<Expr<'p>> {
        (!node.is_null()).then_some(Expr { node: node.cast(), planning: PhantomData })
    }

    /// # Safety
    /// `list` is a list of expressions or NULL, and lives for `'p`.
    pub unsafe fn from_list(list: *mut pg_sys::List) -> Vec<Expr<'p>> {
        // SAFETY: as the caller promises.
        unsafe { pointers(list).filter_map(|node| Expr::from_node(node)).collect() }
    }

    /// The node.
    pub fn as_ptr(self) -> *mut pg_sys::Node {
        self.node
    }

    fn is(self, tag: pg_sys::NodeTag) -> bool {
        // SAFETY: `from_node` takes only nodes, which begin with their tag, and not NULL.
        unsafe { is_a(self.node, tag) }
    }

    /// The node, as the type that its tag means.
    fn cast<T>(self, tag: pg_sys::NodeTag) -> Option<&'p T> {
        // SAFETY: the tag says that the node is a `T`: the pairs of tag and type are written out below.
        self.is(tag).then(|| unsafe { &*self.node.cast::<T>() })
    }

    /// The value of a constant of type `of`.
    pub fn constant(self, of: pg_sys::Oid) -> Option<pg_sys::Datum> {
        let constant = self.cast::<pg_sys::Const>(pg_sys::NodeTag::T_Const)?;
        (constant.consttype == of && !constant.constisnull).then_some(constant.constvalue)
    }

    /// The value of a constant `integer`.
    pub fn as_integer(self) -> Option<i32> {
        self.constant(pg_sys::INT4OID).map(|datum| datum.value() as i32)
    }

    /// The value of a constant `bigint`.
    pub fn as_bigint(self) -> Option<i64> {
        self.constant(pg_sys::INT8OID).map(|datum| datum.value() as i64)
    }

    /// The value of a constant `bit`.
    pub fn as_bits(self) -> Option<BitString<'p>> {
        // SAFETY: the type says what the value is; it lives while the query is planned.
        self.constant(pg_sys::BITOID).map(|datum| unsafe { BitString::from_bit_datum(datum) })
    }

    /// The type of its value before any relabeling, without domains, and the type modifier, which is negative if there is none.
    pub fn type_and_modifier(self) -> (pg_sys::Oid, i32) {
        let inner = self.without_relabeling();
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised; an expression has a type.
        unsafe {
            let mut modifier = pg_sys::exprTypmod(inner.node);
            (pg_sys::getBaseTypeAndTypmod(pg_sys::exprType(inner.node), &mut modifier), modifier)
        }
    }

    /// The value of a constant of `type_oid`, a type that is stored like a bigint.
    pub fn as_stored_bigint(self, type_oid: pg_sys::Oid) -> Option<i64> {
        self.constant(type_oid).map(|datum| datum.value() as i64)
    }

    /// Whether it is a constant.
    pub fn is_constant(self) -> bool {
        self.is(pg_sys::NodeTag::T_Const)
    }

    /// Whether it is a constant or a parameter: cheap to compute twice.
    pub fn is_plain_value(self) -> bool {
        self.is_constant() || self.is(pg_sys::NodeTag::T_Param)
    }

    /// The call, if the expression is one.
    pub fn as_call(self) -> Option<FunctionCall<'p>> {
        let call = self.cast::<pg_sys::FuncExpr>(pg_sys::NodeTag::T_FuncExpr)?;
        // SAFETY: the arguments of a call are a list of expressions.
        Some(FunctionCall { function: call.funcid, args: unsafe { Expr::from_list(call.args) } })
    }

    /// The operator and its two operands, if the expression is an operator with two operands.
    pub fn as_operator(self) -> Option<(pg_sys::Oid, Expr<'p>, Expr<'p>)> {
        let operator = self.cast::<pg_sys::OpExpr>(pg_sys::NodeTag::T_OpExpr)?;
        // SAFETY: the operands are a list of expressions.
        match unsafe { Expr::from_list(operator.args) }[..] {
            [left, right] => Some((operator.opno, left, right)),
            _ => None,
        }
    }

    /// The operator and its two sides, if the expression is a comparison with any element of an array.
    pub fn as_any(self) -> Option<(pg_sys::Oid, Expr<'p>, Expr<'p>)> {
        let any = self.cast::<pg_sys::ScalarArrayOpExpr>(pg_sys::NodeTag::T_ScalarArrayOpExpr)?;
        // SAFETY: the two sides are a list of expressions.
        match unsafe { Expr::from_list(any.args) }[..] {
            [left, array] if any.useOr => Some((any.opno, left, array)),
            _ => None,
        }
    }

    /// The argument of IS NULL, if the expression is such a condition.
    pub fn as_is_null(self) -> Option<Expr<'p>> {
        let test = self.cast::<pg_sys::NullTest>(pg_sys::NodeTag::T_NullTest)?;
        // SAFETY: a test for NULL has an argument.
        let argument = unsafe { Expr::from_node(test.arg) };
        argument.filter(|_| test.nulltesttype == pg_sys::NullTestType::IS_NULL)
    }

    /// The expression without the relabeling that gives its value another type and does not change the value.
    pub fn without_relabeling(self) -> Expr<'p> {
        let relabeled = self.cast::<pg_sys::RelabelType>(pg_sys::NodeTag::T_RelabelType);
        // SAFETY: what is relabeled is an expression.
        let inner = relabeled.and_then(|relabeled| unsafe { Expr::from_node(relabeled.arg) });
        inner.map_or(self, Expr::without_relabeling)
    }

    /// The arms of a disjunction; none if the expression is not one.
    pub fn disjuncts(self) -> Vec<Expr<'p>> {
        // SAFETY: the arms of a disjunction are expressions.
        unsafe {
            match pg_sys::is_orclause(self.node.cast()) {
                true => Expr::from_list((*self.node.cast::<pg_sys::BoolExpr>()).args),
                false => vec![],
            }
        }
    }

    /// The expression without the record of the outer joins that can make its columns NULL.
    pub fn without_nulling_joins(self) -> Expr<'p> {
        // SAFETY: an expression that lives for `'p`, as the caller of `from_node` promised; a copy also lives for `'p`.
        Expr { node: unsafe { without_nulling_joins(self.node) }, planning: PhantomData }
    }

    /// Whether the two expressions are the same on tables: outer joins above the tables do not matter.
    pub fn same(self, other: Expr) -> bool {
        let (one, other) = (self.without_nulling_joins(), other.without_nulling_joins());
        // SAFETY: only reads the two trees, which outlive this call, as the callers of `from_node` promised.
        unsafe { pg_sys::equal(one.node.cast(), other.node.cast()) }
    }

    /// Whether it has a volatile function. A volatile function in a subquery that does not depend on the row does not count: such a
    /// subquery is computed once.
    pub fn is_volatile(self) -> bool {
        #[pgrx::pg_guard]
        unsafe extern "C-unwind" fn is_volatile(function: pg_sys::Oid, _context: *mut c_void) -> bool {
            // SAFETY: a lookup takes any OID; an OID without a row is an error. The planner runs in a transaction.
            unsafe { pg_sys::func_volatile(function) == pg_sys::PROVOLATILE_VOLATILE as std::ffi::c_char }
        }
        let calls_volatile = |part: Expr| {
            // SAFETY: a part of a tree that lives for `'p`; the checker ignores its context.
            let calls = unsafe { pg_sys::check_functions_in_node(part.node, Some(is_volatile), null_mut()) };
            let in_correlated = || part.depends_on_outer_query() && part.is_volatile_at_all();
            calls
                || part.is(pg_sys::NodeTag::T_NextValueExpr)
                || part.is(pg_sys::NodeTag::T_Query) && in_correlated()
        };
        self.any_part(calls_volatile, |_| false)
    }

    /// Whether it has a volatile function anywhere.
    fn is_volatile_at_all(self) -> bool {
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised.
        unsafe { pg_sys::contain_volatile_functions(self.node) }
    }

    /// Whether the expression, a subquery, has columns of the query that contains it.
    fn depends_on_outer_query(self) -> bool {
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised.
        unsafe { pg_sys::contain_vars_of_level(self.node, 1) }
    }

    /// Whether it has a column of the query that is `level` levels further out.
    pub fn has_columns_of_level(self, level: u32) -> bool {
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised.
        unsafe { pg_sys::contain_vars_of_level(self.node, level as c_int) }
    }

    /// Whether it has an aggregate or a window function.
    pub fn has_aggregates(self) -> bool {
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised.
        unsafe { pg_sys::contain_aggs_of_level(self.node, 0) || pg_sys::contain_windowfuncs(self.node) }
    }

    /// Whether it has a subquery that is not planned yet.
    pub fn has_subquery(self) -> bool {
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised.
        unsafe { pg_sys::checkExprHasSubLink(self.node) }
    }

    /// Whether it is a scalar subquery that is not planned yet.
    pub fn is_scalar_subquery(self) -> bool {
        self.cast::<pg_sys::SubLink>(pg_sys::NodeTag::T_SubLink)
            .is_some_and(|s| s.subLinkType == pg_sys::SubLinkType::EXPR_SUBLINK)
    }

    /// Whether `wanted` holds for the expression or for a part of it. Subqueries are not searched, nor parts below one for which
    /// `skipped` holds.
    fn any_part(self, wanted: impl Fn(Expr) -> bool, skipped: impl Fn(Expr) -> bool) -> bool {
        type Tests<'a> = (&'a dyn Fn(Expr) -> bool, &'a dyn Fn(Expr) -> bool);
        #[pgrx::pg_guard]
        unsafe extern "C-unwind" fn visit(node: *mut pg_sys::Node, tests: *mut c_void) -> bool {
            // SAFETY: called below and by the server's walker, with a node or NULL and the tests given to it.
            unsafe {
                let Some(part) = Expr::from_node(node) else { return false };
                let (wanted, skipped) = *tests.cast::<Tests>();
                if wanted(part) {
                    return true;
                }
                if part.is(pg_sys::NodeTag::T_Query) || skipped(part) {
                    return false;
                }
                pg_sys::expression_tree_walker(node, Some(visit), tests)
            }
        }
        let mut tests: Tests = (&wanted, &skipped);
        // SAFETY: a node, and tests of the type that `visit` expects.
        unsafe { visit(self.node, (&raw mut tests).cast()) }
    }

    /// Whether it has a subquery that depends on the row and is already planned.
    pub fn has_planned_subquery(self) -> bool {
        // SAFETY: only reads the tree, which lives for `'p`, as the caller of `from_node` promised.
        unsafe { pg_sys::contain_subplans(self.node) }
    }

    /// Whether it has parameters that do not come from outside the query.
    pub fn has_inner_parameters(self) -> bool {
        let inner = |part: Expr| {
            part.cast::<pg_sys::Param>(pg_sys::NodeTag::T_Param)
                .is_some_and(|p| p.paramkind != pg_sys::ParamKind::PARAM_EXTERN)
        };
        self.any_part(inner, |_| false)
    }

    /// Whether it calls `function`.
    pub fn calls(self, function: pg_sys::Oid) -> bool {
        self.any_part(|part| part.is_call_of(function), |_| false)
    }

    /// Whether it calls `function` in a part that is not below a NOT or a CASE.
    pub fn asserts(self, function: pg_sys::Oid) -> bool {
        let hides = |part: Expr| {
            // SAFETY: a part of a tree that lives for `'p`, of which only the tag and the kind are read.
            part.is(pg_sys::NodeTag::T_CaseExpr) || unsafe { pg_sys::is_notclause(part.node.cast()) }
        };
        self.any_part(|part| part.is_call_of(function), hides)
    }

    fn is_call_of(self, function: pg_sys::Oid) -> bool {
        self.cast::<pg_sys::FuncExpr>(pg_sys::NodeTag::T_FuncExpr).is_some_and(|call| call.funcid == function)
    }

    /// A copy: expressions must not share their parts.
    pub fn copy(self) -> Expr<'p> {
        // SAFETY: copies a tree of nodes into the planner's memory.
        Expr { node: unsafe { pg_sys::copyObjectImpl(self.node.cast()) }.cast(), planning: PhantomData }
    }
}

/// Functions that build expressions, in the planner's memory.
impl<'p> Expr<'p> {
    fn new<T>(node: *mut T) -> Expr<'p> {
        Expr { node: node.cast(), planning: PhantomData }
    }

    /// A constant of a type that is stored as a number.
    fn number(type_oid: pg_sys::Oid, len: c_int, datum: pg_sys::Datum) -> Expr<'p> {
        // SAFETY: makes a constant that is passed by value.
        Expr::new(unsafe { pg_sys::makeConst(type_oid, -1, pg_sys::InvalidOid, len, datum, false, true) })
    }

    /// A constant `integer` for the query of this expression.
    pub fn integer(self, value: i32) -> Expr<'p> {
        Expr::number(pg_sys::INT4OID, 4, pg_sys::Datum::from(value))
    }

    /// A constant `bigint` for the query of this expression.
    pub fn bigint(self, value: i64) -> Expr<'p> {
        self.stored_bigint(pg_sys::INT8OID, value)
    }

    /// A constant of `type_oid`, a type that is stored like a bigint, for the query of this expression.
    pub fn stored_bigint(self, type_oid: pg_sys::Oid, bits: i64) -> Expr<'p> {
        Expr::number(type_oid, 8, pg_sys::Datum::from(bits))
    }

    /// A constant `bit` for the query of this expression.
    pub fn bits(self, value: BitStringDatum) -> Expr<'p> {
        let (none, datum) = (pg_sys::InvalidOid, value.datum());
        // SAFETY: makes a constant that is passed by reference, in the planner's memory.
        Expr::new(unsafe { pg_sys::makeConst(pg_sys::BITOID, -1, none, -1, datum, false, false) })
    }

    /// A call of a function with at least one argument.
    pub fn call(function: pg_sys::Oid, args: &[Expr<'p>]) -> Expr<'p> {
        assert!(!args.is_empty(), "at least one argument");
        // SAFETY: a new node over arguments that live for `'p`; a function without a row in the catalog is an error.
        Expr::new(unsafe {
            pg_sys::makeFuncExpr(
                function,
                pg_sys::get_func_rettype(function),
                list(args),
                pg_sys::InvalidOid,
                pg_sys::InvalidOid,
                pg_sys::CoercionForm::COERCE_EXPLICIT_CALL,
            )
        })
    }

    /// `left operator right`, a condition.
    pub fn operator(operator: pg_sys::Oid, left: Expr<'p>, right: Expr<'p>) -> Expr<'p> {
        let none = pg_sys::InvalidOid;
        // SAFETY: new nodes over operands that live for `'p`; an operator without a row in the catalog gets no function to run.
        Expr::new(unsafe {
            let (left, right) = (left.node.cast(), right.node.cast());
            let node = pg_sys::make_opclause(operator, pg_sys::BOOLOID, false, left, right, none, none);
            pg_sys::set_opfuncid(node.cast());
            node
        })
    }

    /// The disjunction of `arms`. A single arm is returned as it is.
    pub fn or(arms: &[Expr<'p>]) -> Expr<'p> {
        match arms {
            [] => panic!("at least one arm"),
            [arm] => *arm,
            // SAFETY: makes a condition of conditions.
            _ => Expr::new(unsafe { pg_sys::make_orclause(list(arms)) }),
        }
    }

    /// The conjunction of `arms`, which has at least one arm.
    pub fn and(arms: &[Expr<'p>]) -> Expr<'p> {
        assert!(!arms.is_empty(), "at least one arm");
        // SAFETY: makes a condition of conditions.
        Expr::new(unsafe { pg_sys::make_andclause(list(arms)) })
    }
}

/// The pointers in a list of nodes.
///
/// # Safety
/// `list` is a list of pointers or NULL, and outlives the iterator.
pub unsafe fn pointers(list: *mut pg_sys::List) -> impl Iterator<Item = *mut c_void> {
    // SAFETY: as the caller promises; a list has `length` cells.
    let len = unsafe { list.as_ref() }.map_or(0, |list| list.length);
    // SAFETY: `i` is less than the length.
    (0..len).map(move |i| unsafe { pg_sys::list_nth(list, i) })
}

/// A list of expressions.
pub fn list(exprs: &[Expr]) -> *mut pg_sys::List {
    // SAFETY: appends to a list in the planner's memory.
    exprs.iter().fold(null_mut(), |list, expr| unsafe { pg_sys::lappend(list, expr.node.cast()) })
}
