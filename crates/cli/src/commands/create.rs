//! New folders of files. What is there is never overwritten.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Writes files to a folder, all of them or none.
pub fn create(folder: &Path, files: &[(&str, &str)]) -> Result<(), String> {
    for (name, _) in files {
        let path = folder.join(name);
        // A link that leads nowhere is there, too.
        if path.symlink_metadata().is_ok() {
            return Err(format!("{} exists already: nothing was written", path.display()));
        }
    }
    let cannot = |what: &Path, e: std::io::Error| format!("cannot write {}: {e}", what.display());
    std::fs::create_dir_all(folder).map_err(|e| cannot(folder, e))?;
    for (name, text) in files {
        let path = folder.join(name);
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(&path).map_err(|e| cannot(&path, e))?;
        file.write_all(text.as_bytes()).map_err(|e| cannot(&path, e))?;
    }
    Ok(())
}
