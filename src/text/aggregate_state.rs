//! The state of `simhash_agg`, in the aggregate's own memory. So the server can measure it, and writes groups to disk if they use
//! too much.

use crate::server::call::Call;
use crate::server::datum::{argument, result};
use crate::server::guard;
use pgrx::pg_sys;
use simhash_text::vote::{RealVotes, Step, Steps};
use std::ffi::c_void;
use std::marker::PhantomData;

/// Votes in the server's memory.
type Votes = RealVotes<ServerSteps>;

// The server aligns memory to eight bytes.
const _: () = assert!(align_of::<Votes>() <= 8 && align_of::<Step>() <= 8);

/// A state that the server passes on from call to call.
pub struct State<'fcx> {
    /// Made by `State::within`, the only function that makes such pointers. The server passes it only to the functions of
    /// `simhash_agg`: no others are declared to take it. No other value has it until the call ends.
    votes: *mut Votes,
    call: PhantomData<&'fcx mut Votes>,
}

impl<'fcx> State<'fcx> {
    /// A state without votes that lives while the aggregate needs it.
    pub fn new(call: Call<'fcx>) -> State<'fcx> {
        let mut context = std::ptr::null_mut();
        // SAFETY: asks the executor about the call in progress; outside an aggregate the answer is 0.
        let kind = unsafe { pg_sys::AggCheckCallContext(call.fcinfo(), &mut context) };
        assert!(kind != 0, "an aggregate's function is called by an aggregate");
        // SAFETY: the context of the aggregate, which outlives the call.
        unsafe { State::within(context) }
    }

    /// A state without votes for the function that is called next with the result of this call.
    pub fn temporary(_: Call<'fcx>) -> State<'fcx> {
        // SAFETY: the context in which results are made, which outlives the call.
        unsafe { State::within(pg_sys::CurrentMemoryContext) }
    }

    /// # Safety
    /// The context lives at least until the call ends.
    unsafe fn within(context: pg_sys::MemoryContext) -> State<'fcx> {
        // SAFETY: memory of that size for this value only, aligned as asserted above, and written before it is read.
        unsafe {
            let votes = guard::MemoryContextAlloc(context, size_of::<Votes>()).cast::<Votes>();
            votes.write(RealVotes::with(ServerSteps::within(context)));
            State { votes, call: PhantomData }
        }
    }

    /// # Safety
    /// The datum is a state that a function of `simhash_agg` returned, and lives until the call ends.
    unsafe fn of_datum(datum: pg_sys::Datum) -> State<'fcx> {
        State { votes: datum.cast_mut_ptr(), call: PhantomData }
    }

    /// The votes.
    pub fn votes(&self) -> &Votes {
        // SAFETY: valid, and no other value has it, as the field's comment says.
        unsafe { &*self.votes }
    }

    /// The votes, to add others.
    pub fn votes_mut(&mut self) -> &mut Votes {
        // SAFETY: valid, and no other value has it, as the field's comment says.
        unsafe { &mut *self.votes }
    }
}

argument!([] State<'fcx>, State::of_datum);
result!(State<'_>, |state| pg_sys::Datum::from(state.votes));

/// Steps in a memory context. They need not be dropped: they are freed with the context, like the value that holds them.
pub struct ServerSteps {
    context: pg_sys::MemoryContext,
    /// NULL, or `len` steps in that context.
    steps: *mut Step,
    len: usize,
}

impl ServerSteps {
    /// # Safety
    /// The context outlives the steps.
    unsafe fn within(context: pg_sys::MemoryContext) -> ServerSteps {
        ServerSteps { context, steps: std::ptr::null_mut(), len: 0 }
    }
}

impl Steps for ServerSteps {
    fn as_slice(&self) -> &[Step] {
        match self.steps.is_null() {
            true => &[],
            // SAFETY: `len` steps in a context that outlives them.
            false => unsafe { std::slice::from_raw_parts(self.steps, self.len) },
        }
    }

    fn as_mut_slice(&mut self) -> &mut [Step] {
        match self.steps.is_null() {
            true => &mut [],
            // SAFETY: `len` steps in a context that outlives them; no other value has them.
            false => unsafe { std::slice::from_raw_parts_mut(self.steps, self.len) },
        }
    }

    fn insert(&mut self, at: usize, step: Step) {
        let size = (self.len + 1) * size_of::<Step>();
        // SAFETY: the memory is enlarged by one step, or allocated, in the context that outlives the steps; there are at most 66.
        // If the server raises an error, nothing has changed.
        unsafe {
            self.steps = match self.steps.is_null() {
                true => guard::MemoryContextAlloc(self.context, size),
                false => guard::repalloc(self.steps.cast::<c_void>(), size),
            }
            .cast();
            // Initialized, so that the slice has no uninitialized step.
            self.steps.add(self.len).write(step);
        }
        self.len += 1;
        self.as_mut_slice()[at..].rotate_right(1);
    }
}
