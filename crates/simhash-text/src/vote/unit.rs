//! Votes of equal weight, many at a time.

/// Two words side by side, which the compiler puts into one register.
type Lanes = [u64; 2];

/// The number of hashes that are added to the bit planes at once.
const BLOCK: usize = 16;

/// Votes of equal weight, counted in bit planes. A carry-save adder adds sixteen hashes at a time, so that a vote on all 64 bits
/// costs only a few word operations.
#[derive(Clone)]
pub struct UnitVotes {
    pending: [u64; BLOCK],
    pending_len: usize,
    ones: Lanes,
    twos: Lanes,
    fours: Lanes,
    /// Counts of eight votes each, one byte per bit: byte j of word i belongs to bit 8·j + i.
    eights: [Lanes; 8],
    eights_len: u8,
    /// Counts of eight votes each that no longer fit in a byte.
    spilled: [u64; 64],
    voters: u64,
}

impl Default for UnitVotes {
    fn default() -> Self {
        UnitVotes {
            pending: [0; BLOCK],
            pending_len: 0,
            ones: [0; 2],
            twos: [0; 2],
            fours: [0; 2],
            eights: [[0; 2]; 8],
            eights_len: 0,
            spilled: [0; 64],
            voters: 0,
        }
    }
}

/// Full adder on every bit: the sum bit and the carry bit of three inputs.
#[inline(always)]
fn add3(a: Lanes, b: Lanes, c: Lanes) -> (Lanes, Lanes) {
    let half = [a[0] ^ b[0], a[1] ^ b[1]];
    let carry = |i: usize| (a[i] & b[i]) | (half[i] & c[i]);
    ([half[0] ^ c[0], half[1] ^ c[1]], [carry(0), carry(1)])
}

impl UnitVotes {
    /// Lets one hash vote on every bit.
    #[inline(always)]
    pub fn add(&mut self, hash: u64) {
        self.add_if(true, hash);
    }

    /// Lets one hash vote if `may` is set, without a branch that the processor has to predict.
    #[inline(always)]
    pub fn add_if(&mut self, may: bool, hash: u64) {
        self.pending[self.pending_len % BLOCK] = hash;
        self.pending_len += usize::from(may);
        self.voters += u64::from(may);
        if self.pending_len == BLOCK {
            self.pending_len = 0;
            let pending = self.pending;
            self.add_block(&pending);
        }
    }

    /// Lets many hashes vote.
    pub fn add_all(&mut self, hashes: &[u64]) {
        let (blocks, rest) = hashes.as_chunks();
        self.voters += (hashes.len() - rest.len()) as u64;
        blocks.iter().for_each(|block| self.add_block(block));
        rest.iter().for_each(|hash| self.add(*hash));
    }

    /// Adds hashes to the bit planes.
    #[inline]
    fn add_block(&mut self, block: &[u64; BLOCK]) {
        let (lanes, _) = block.as_chunks::<2>();
        let (ones, twos_a) = add3(self.ones, lanes[0], lanes[1]);
        let (ones, twos_b) = add3(ones, lanes[2], lanes[3]);
        let (twos, fours_a) = add3(self.twos, twos_a, twos_b);
        let (ones, twos_a) = add3(ones, lanes[4], lanes[5]);
        let (ones, twos_b) = add3(ones, lanes[6], lanes[7]);
        let (twos, fours_b) = add3(twos, twos_a, twos_b);
        let (fours, eights) = add3(self.fours, fours_a, fours_b);
        (self.ones, self.twos, self.fours) = (ones, twos, fours);

        for (i, words) in self.eights.iter_mut().enumerate() {
            for (word, eights) in words.iter_mut().zip(eights) {
                *word += eights >> i & 0x0101_0101_0101_0101;
            }
        }
        self.eights_len += 1;
        if self.eights_len == u8::MAX {
            self.spill();
        }
    }

    /// Moves the counts from the byte counters to the wide counters.
    fn spill(&mut self) {
        for (i, words) in self.eights.iter_mut().enumerate() {
            for word in words {
                for (j, byte) in word.to_le_bytes().into_iter().enumerate() {
                    self.spilled[8 * j + i] += u64::from(byte);
                }
                *word = 0;
            }
        }
        self.eights_len = 0;
    }

    /// For every bit, the votes for it minus the votes against it.
    pub fn sums(&self) -> [i64; 64] {
        let mut rest = self.clone();
        let mut pending = [0; BLOCK];
        pending[..self.pending_len].copy_from_slice(&self.pending[..self.pending_len]);
        rest.add_block(&pending);
        rest.spill();
        std::array::from_fn(|bit| {
            let lane = |word: u64| word >> bit & 1;
            let both = |lanes: Lanes| lane(lanes[0]) + lane(lanes[1]);
            let votes = both(rest.ones) + 2 * both(rest.twos) + 4 * both(rest.fours) + 8 * rest.spilled[bit];
            2 * votes as i64 - rest.voters as i64
        })
    }
}
