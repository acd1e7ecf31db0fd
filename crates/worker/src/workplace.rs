//! A temporary directory for other programs. It disappears with whoever made it.

use crate::machine;
use crate::tools::MARK;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new directory, removed when this is dropped.
pub struct Workplace {
    directory: PathBuf,
}

impl Workplace {
    /// Makes one.
    pub fn new() -> Result<Workplace, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let place = std::env::temp_dir();
        // Somebody else's directory of the same name is left alone.
        for _ in 0..1000 {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let directory = place.join(format!("swarmcheck-{}-{number}", std::process::id()));
            match std::fs::create_dir(&directory) {
                Ok(()) => return Ok(Workplace { directory }),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(format!("cannot create {}: {e}", directory.display())),
            }
        }
        Err(format!("cannot create a directory in {}", place.display()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.directory
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        machine::end_marked(MARK, &self.directory);
        // Somebody who was just killed may have written a file in between.
        let _ =
            std::fs::remove_dir_all(&self.directory).or_else(|_| std::fs::remove_dir_all(&self.directory));
    }
}
