//! Checkpoints at a steady pace: often enough that a cancel is answered at once, seldom enough to cost nothing.

/// How many steps, of some nanoseconds each, are taken between two checkpoints.
const STEPS_PER_CHECK: usize = 1 << 20;

/// Calls a checkpoint from time to time.
pub struct Pace<'a> {
    steps: usize,
    checkpoint: &'a mut dyn FnMut(),
}

impl<'a> Pace<'a> {
    /// A checkpoint may unwind to abandon the work.
    pub fn new(checkpoint: &'a mut dyn FnMut()) -> Pace<'a> {
        Pace { steps: 0, checkpoint }
    }

    /// Takes note of work done.
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
