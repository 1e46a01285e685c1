//! Memory whose size depends on the input. It is allocated so that the system can refuse it.
//!
//! Rust aborts the process if `push` or `collect` cannot get memory. A server must not abort because of one text. So memory that
//! grows with a text or a table is allocated by these functions. The memory for one chunk of a text is bounded and does not count
//! as growing.
//!
//! ```text
//! a vector or string ── with_room, filled, push, join ── room, or OutOfMemory
//! a small request that the system refuses ── Cells ── a piece of a reserve
//! ```

#![forbid(unsafe_code)]

mod cells;

pub use cells::Cells;

/// The system refused memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// How many elements are written between two checkpoints.
const ELEMENTS_PER_CHECK: usize = 64 * 1024;

/// An empty vector with room for `len` elements.
pub fn with_room<T>(len: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len).map_err(|_| OutOfMemory)?;
    Ok(vector)
}

/// A vector of `len` equal elements.
pub fn filled<T: Clone>(len: usize, element: T, checkpoint: &mut dyn FnMut()) -> Result<Vec<T>, OutOfMemory> {
    let mut vector = with_room(len)?;
    while vector.len() < len {
        vector.resize(len.min(vector.len() + ELEMENTS_PER_CHECK), element.clone());
        checkpoint();
    }
    Ok(vector)
}

/// Appends an element.
#[inline]
pub fn push<T>(vector: &mut Vec<T>, element: T) -> Result<(), OutOfMemory> {
    vector.try_reserve(1).map_err(|_| OutOfMemory)?;
    vector.push(element);
    Ok(())
}

/// Appends a text.
#[inline]
pub fn push_str(text: &mut String, more: &str) -> Result<(), OutOfMemory> {
    text.try_reserve(more.len()).map_err(|_| OutOfMemory)?;
    text.push_str(more);
    Ok(())
}

/// Appends bytes.
#[inline]
pub fn push_bytes(bytes: &mut Vec<u8>, more: &[u8]) -> Result<(), OutOfMemory> {
    bytes.try_reserve(more.len()).map_err(|_| OutOfMemory)?;
    bytes.extend_from_slice(more);
    Ok(())
}

/// The texts in their order, with `between` between each two.
pub fn join(texts: &[&str], between: &str) -> Result<String, OutOfMemory> {
    let mut joined = String::new();
    let len = texts.iter().map(|text| text.len() + between.len()).sum();
    joined.try_reserve_exact(len).map_err(|_| OutOfMemory)?;
    for (i, text) in texts.iter().enumerate() {
        joined.push_str(if i == 0 { "" } else { between });
        joined.push_str(text);
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(with_room::<u64>(usize::MAX / 16), Err(OutOfMemory));
        assert_eq!(filled(usize::MAX / 16, 0u64, &mut || ()), Err(OutOfMemory));
    }

    #[test]
    fn filling_can_be_interrupted() {
        let mut checks = 0;
        let filled = filled(10 * ELEMENTS_PER_CHECK + 1, 7u8, &mut || checks += 1).expect("enough memory");
        assert!(filled.len() == 10 * ELEMENTS_PER_CHECK + 1 && filled.iter().all(|&n| n == 7));
        assert_eq!(checks, 11);
    }

    #[test]
    fn joined() {
        assert_eq!(join(&[], ", ").as_deref(), Ok(""));
        assert_eq!(join(&["a"], ", ").as_deref(), Ok("a"));
        assert_eq!(join(&["a", "", "b"], ", ").as_deref(), Ok("a, , b"));
    }
}
