//! How many hashes have each bit set, counted for many hashes at a time.

/// Two words side by side, which the compiler puts into one register.
type Lanes = [u64; 2];

/// The number of hashes that are added at once.
pub const BLOCK: usize = 16;

/// The lowest bit of each byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// For each of 64 bits, the number of hashes in which it is set.
#[derive(Clone, Copy)]
pub struct BitCounts {
    recent: BlockCounts,
    /// How many blocks are in `recent`.
    recent_len: u8,
    /// Counts of eight hashes each that no longer fit in `recent`.
    spilled: [u64; 64],
}

/// Counts of up to 255 blocks, in bit planes. A carry-save adder adds a block at a time, so that all 64 counts together cost only a
/// few word operations.
#[derive(Clone, Copy)]
struct BlockCounts {
    ones: Lanes,
    twos: Lanes,
    fours: Lanes,
    /// Counts of eight hashes each, one byte per bit: byte j of word i belongs to bit 8·j + i.
    eights: [Lanes; 8],
}

/// Full adder on every bit: the sum bit and the carry bit of three inputs.
#[inline(always)]
fn add3(a: Lanes, b: Lanes, c: Lanes) -> (Lanes, Lanes) {
    let half = [a[0] ^ b[0], a[1] ^ b[1]];
    let carry = |i: usize| (a[i] & b[i]) | (half[i] & c[i]);
    ([half[0] ^ c[0], half[1] ^ c[1]], [carry(0), carry(1)])
}

impl BitCounts {
    /// The counts of no hashes.
    pub const ZERO: BitCounts = BitCounts { recent: BlockCounts::ZERO, recent_len: 0, spilled: [0; 64] };

    /// Counts the bits of these hashes.
    #[inline]
    pub fn add(&mut self, block: &[u64; BLOCK]) {
        self.recent.add(block);
        self.recent_len += 1;
        // One block less than fits, for the last one, which `totals_with` adds.
        if self.recent_len == u8::MAX - 1 {
            self.spill();
        }
    }

    /// Moves the counts of eight hashes to the wide counters.
    fn spill(&mut self) {
        for (i, words) in self.recent.eights.iter_mut().enumerate() {
            for word in words {
                for (j, byte) in word.to_le_bytes().into_iter().enumerate() {
                    self.spilled[8 * j + i] += u64::from(byte);
                }
                *word = 0;
            }
        }
        self.recent_len = 0;
    }

    /// The counts, with those of further hashes.
    pub fn totals_with(&self, block: &[u64; BLOCK]) -> [u64; 64] {
        let mut recent = self.recent;
        recent.add(block);
        let mut totals = [0; 64];
        for (i, eights) in recent.eights.iter().enumerate() {
            let both = |lanes: Lanes| (lanes[0] >> i & EACH_BYTE) + (lanes[1] >> i & EACH_BYTE);
            // At most 14 in each byte.
            let low = both(recent.ones) + 2 * both(recent.twos) + 4 * both(recent.fours);
            for j in 0..8 {
                let byte = |word: u64| word >> (8 * j) & 0xFF;
                let high = byte(eights[0]) + byte(eights[1]) + self.spilled[8 * j + i];
                totals[8 * j + i] = byte(low) + 8 * high;
            }
        }
        totals
    }
}

impl BlockCounts {
    const ZERO: BlockCounts = BlockCounts { ones: [0; 2], twos: [0; 2], fours: [0; 2], eights: [[0; 2]; 8] };

    #[inline]
    fn add(&mut self, block: &[u64; BLOCK]) {
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
                *word += eights >> i & EACH_BYTE;
            }
        }
    }
}
