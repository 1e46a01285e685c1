//! Files for what a build cannot keep in memory.

use crate::server::error::raise;
use crate::server::settings::PAGE;
use crate::server::version::write_file;
use pgrx::{PgSqlErrorCode, pg_sys};
use simhash_search::tree::sort::{SPILL_BLOCK, Spill};

/// Temporary files, one per tape. The server removes them at the latest at the end of the transaction.
#[derive(Default)]
pub struct TemporaryFiles(Vec<Option<*mut pg_sys::BufFile>>);

impl TemporaryFiles {
    fn file(&mut self, tape: u8) -> *mut pg_sys::BufFile {
        let tape = usize::from(tape);
        if self.0.len() <= tape {
            self.0.resize(tape + 1, None);
        }
        // SAFETY: creates a file that belongs to this transaction.
        *self.0[tape].get_or_insert_with(|| unsafe { pg_sys::BufFileCreateTemp(false) })
    }

    /// Removes the files.
    pub fn close(self) {
        for file in self.0.into_iter().flatten() {
            // SAFETY: opened by `file`.
            unsafe { pg_sys::BufFileClose(file) };
        }
    }
}

const _: () = assert!(SPILL_BLOCK == PAGE, "the server seeks in temporary files by blocks of the page size");

impl Spill for TemporaryFiles {
    fn write(&mut self, tape: u8, bytes: &[u8]) {
        // SAFETY: an open file and bytes to write.
        unsafe { write_file(self.file(tape), bytes) };
    }

    fn read(&mut self, tape: u8, at: u64, bytes: &mut [u8]) {
        let file = self.file(tape);
        // SAFETY: an open file; the server reads at most as many bytes as `bytes` has room for.
        let read = unsafe {
            match pg_sys::BufFileSeekBlock(file, (at / SPILL_BLOCK as u64) as _) {
                0 => pg_sys::BufFileRead(file, bytes.as_mut_ptr().cast(), bytes.len()),
                _ => 0,
            }
        };
        if read != bytes.len() {
            raise(
                PgSqlErrorCode::ERRCODE_IO_ERROR,
                "could not read from a temporary file of an index build".to_owned(),
                None,
                None,
            );
        }
    }
}
