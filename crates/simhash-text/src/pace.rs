//! Checkpoints at a steady pace: often enough to answer a cancel at once, rarely enough to cost nothing.

/// The number of steps, of a few nanoseconds each, between two checkpoints.
const STEPS_PER_CHECK: usize = 1 << 20;

/// Calls a checkpoint after every `STEPS_PER_CHECK` steps.
pub struct Pace<'a> {
    steps: usize,
    checkpoint: &'a mut dyn FnMut(),
}

impl<'a> Pace<'a> {
    /// A checkpoint may unwind to abandon the work.
    pub fn new(checkpoint: &'a mut dyn FnMut()) -> Pace<'a> {
        Pace { steps: 0, checkpoint }
    }

    /// Adds steps of work that has been done, and calls the checkpoint if it is due.
    #[inline]
    pub fn step(&mut self, steps: usize) {
        self.steps += steps;
        if self.steps >= STEPS_PER_CHECK {
            self.check();
        }
    }

    /// Calls the checkpoint now.
    #[cold]
    pub fn check(&mut self) {
        self.steps = 0;
        (self.checkpoint)();
    }
}
