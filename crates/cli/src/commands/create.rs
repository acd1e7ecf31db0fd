//! New folders of files. What is there is never overwritten, and if something cannot be written, nothing stays.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use swarmcheck_source::shown;

/// Writes files to a folder, all of them or none.
pub fn create(folder: &Path, files: &[(&str, &str)]) -> Result<(), String> {
    for (name, _) in files {
        let path = folder.join(name);
        // A link that leads nowhere is there, too.
        if path.symlink_metadata().is_ok() {
            return Err(format!(
                "{} exists already: nothing was written",
                shown::line(&path.to_string_lossy())
            ));
        }
    }
    let mut made = Made::default();
    let written = made.folders(folder).and_then(|()| {
        files.iter().try_for_each(|(name, text)| made.file(&folder.join(name), text.as_bytes()))
    });
    written.map_err(|(path, e)| {
        made.undo();
        format!("cannot write {}: {e}", shown::line(&path.to_string_lossy()))
    })
}

/// What was not there before.
#[derive(Default)]
struct Made {
    /// In the order in which they were made.
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Made {
    /// Makes a folder, and those that it is in.
    fn folders(&mut self, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
        let missing = folder.ancestors().take_while(|at| !at.as_os_str().is_empty() && !at.exists());
        let missing: Vec<&Path> = missing.collect();
        for at in missing.into_iter().rev() {
            std::fs::create_dir(at).map_err(|e| (at.to_path_buf(), e))?;
            self.folders.push(at.to_path_buf());
        }
        // A file of this name is no folder.
        match folder.as_os_str().is_empty() || folder.is_dir() {
            true => Ok(()),
            false => Err((folder.to_path_buf(), io::ErrorKind::NotADirectory.into())),
        }
    }

    fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        let wrong = |e: io::Error| (path.to_path_buf(), e);
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(wrong)?;
        self.files.push(path.to_path_buf());
        file.write_all(bytes).map_err(wrong)
    }

    /// Removes what was made, as far as that is possible. A folder that has got something else meanwhile stays.
    fn undo(&self) {
        for file in self.files.iter().rev() {
            let _ = std::fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("swarmcheck-create-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn contents(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    /// The second file cannot be written, because it is to be in a folder that does not exist.
    #[test]
    fn nothing_stays_of_what_cannot_be_finished() {
        let folder = empty("half");
        let files = [("first", "one"), ("missing/second", "two")];
        let said = create(&folder.join("new/inner"), &files).unwrap_err();
        assert!(said.starts_with("cannot write ") && said.contains("second"), "{said}");
        assert_eq!(contents(&folder), Vec::<String>::new());
        // A folder that was there before stays, with what is in it.
        std::fs::create_dir(folder.join("old")).unwrap();
        std::fs::write(folder.join("old/mine"), "mine").unwrap();
        create(&folder.join("old"), &files).unwrap_err();
        assert_eq!(contents(&folder.join("old")), ["mine"]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_in_the_way_of_a_folder_stays() {
        let folder = empty("way");
        std::fs::write(folder.join("taken"), "mine").unwrap();
        for place in ["taken", "taken/inner"] {
            let said = create(&folder.join(place), &[("model", "text")]).unwrap_err();
            assert!(said.starts_with("cannot write "), "{said}");
        }
        assert_eq!(contents(&folder), ["taken"]);
        assert_eq!(std::fs::read_to_string(folder.join("taken")).unwrap(), "mine");
        create(&folder.join("a/b"), &[("model", "text")]).unwrap();
        assert_eq!(std::fs::read_to_string(folder.join("a/b/model")).unwrap(), "text");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
