//! Files that the program writes. An old file survives whatever goes wrong: what is new is written beside it and takes its
//! place only when it is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use swarmcheck_source::shown;

/// Files that are being written under another name, for a process that ends in a hurry.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

/// Removes everything that is not complete.
pub fn abandon() {
    for path in TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_file(path);
    }
}

fn forget(temporary: &Path) {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known != temporary);
}

/// Where a file will be.
#[derive(Clone)]
pub struct Target {
    /// As the user gave it, for messages.
    shown: String,
    /// With links followed.
    path: PathBuf,
    /// A device or a pipe: it is written to, not replaced.
    special: bool,
}

/// Why a file cannot be written.
#[derive(Debug)]
pub enum Unwritable {
    /// The directory that should contain it does not exist.
    NoDirectory(String),
    /// As a sentence.
    Other(String),
}

/// What makes two paths the same file: an existing file's number, or a new file's place.
#[derive(PartialEq, Eq)]
enum Identity {
    Known(u64, u64),
    New(PathBuf),
}

fn identity(path: &Path) -> Option<Identity> {
    match std::fs::metadata(path) {
        // Devices may be read and written at the same time.
        Ok(meta) if !meta.is_file() => None,
        #[cfg(unix)]
        Ok(meta) => {
            use std::os::unix::fs::MetadataExt;
            Some(Identity::Known(meta.dev(), meta.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => path.canonicalize().ok().map(Identity::New),
        Err(_) => Some(Identity::New(resolved(path)?)),
    }
}

/// Where a file would be that does not exist yet, with links followed that lead nowhere so far.
fn resolved(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_path_buf();
    // As many as the system follows.
    for _ in 0..40 {
        let place = directory(&path).canonicalize().ok()?.join(path.file_name()?);
        match std::fs::read_link(&place) {
            Ok(target) => path = directory(&place).join(target),
            Err(_) => return Some(place),
        }
    }
    None
}

/// The file that an argument names: a process may follow the name of a model, and `-` is whatever standard input is.
fn input(argument: &str) -> &Path {
    match argument {
        "-" => Path::new("/dev/stdin"),
        name if Path::new(name).exists() => Path::new(name),
        // With --language, a process may follow any name.
        name => Path::new(name.rsplit_once(':').map_or(name, |(path, _)| path)),
    }
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Standard output or standard error, which may be a regular file: then the rest of the output goes there, too.
fn is_terminal_of_ours(path: &Path) -> bool {
    let own = identity(path);
    ["/dev/stdout", "/dev/stderr"].iter().any(|ours| own.is_some() && identity(Path::new(ours)) == own)
}

/// Refuses outputs that would overwrite an input, or each other. Each has the option's name and the path.
pub fn distinct(inputs: &[&str], outputs: &[(&str, &str)]) -> Result<(), String> {
    for (at, (option, path)) in outputs.iter().enumerate() {
        let Some(own) = identity(Path::new(path)) else { continue };
        if inputs.iter().any(|name| identity(input(name)).is_some_and(|id| id == own)) {
            return Err(format!("{option} {} would overwrite an input file", shown::line(path)));
        }
        for (other, second) in &outputs[at + 1..] {
            if identity(Path::new(second)).is_some_and(|id| id == own) {
                return Err(format!("{option} and {other} name the same file, {}", shown::line(path)));
            }
        }
    }
    Ok(())
}

impl Target {
    /// Looks whether a file can be written there: that is better noticed before a long search than after it.
    pub fn new(shown: &str) -> Result<Target, Unwritable> {
        let (given, shown) = (Path::new(shown), shown::line(shown).into_owned());
        let found = given.canonicalize().ok().or_else(|| resolved(given));
        let path = found.unwrap_or_else(|| given.to_path_buf());
        let cannot = |e: io::Error| Unwritable::Other(format!("cannot write {shown}: {e}"));
        if !directory(&path).exists() {
            return Err(Unwritable::NoDirectory(directory(&path).display().to_string()));
        }
        let special = match std::fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => {
                return Err(Unwritable::Other(format!("cannot write {shown}: it is a directory")));
            }
            Ok(meta) => !meta.is_file() || is_terminal_of_ours(&path),
            Err(_) => false,
        };
        let target = Target { shown: shown.clone(), path, special };
        // To open a pipe and close it again would look like the end to whoever reads it.
        if !special {
            drop(target.begin().map_err(cannot)?);
        }
        Ok(target)
    }

    /// There is a file already, with something in it.
    pub fn is_file(&self) -> bool {
        !self.special && std::fs::metadata(&self.path).is_ok_and(|meta| meta.len() > 0)
    }

    /// A device or a pipe, or what standard output is: to write to it may take for ever.
    pub fn is_special(&self) -> bool {
        self.special
    }

    /// Writes the whole file.
    pub fn write(&self, bytes: &[u8]) -> Result<(), String> {
        let mut growing = self.open()?;
        growing.write_all(bytes).map_err(|e| self.cannot(&e))?;
        growing.finish()
    }

    /// Begins to write a file piece by piece.
    pub fn open(&self) -> Result<Growing<'_>, String> {
        let growing = match self.special {
            true => OpenOptions::new().append(true).open(&self.path).map(|file| Growing {
                target: self,
                file: BufWriter::new(file),
                temporary: None,
            }),
            false => self.begin(),
        };
        growing.map_err(|e| self.cannot(&e))
    }

    fn cannot(&self, e: &io::Error) -> String {
        format!("cannot write {}: {e}", self.shown)
    }

    /// A new file beside the target, with the rights of the one it will replace.
    fn begin(&self) -> io::Result<Growing<'_>> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        // A long name must stay below what file systems allow.
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let name: String = name.chars().take(40).collect();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let hidden = format!(".{name}.{}-{number}.tmp", std::process::id());
            let temporary = directory(&self.path).join(hidden);
            TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).push(temporary.clone());
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    let growing =
                        Growing { target: self, file: BufWriter::new(file), temporary: Some(temporary) };
                    if let Ok(old) = std::fs::metadata(&self.path) {
                        if old.permissions().readonly() {
                            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
                        }
                        growing.file.get_ref().set_permissions(old.permissions())?;
                    }
                    return Ok(growing);
                }
                Err(e) => {
                    forget(&temporary);
                    if e.kind() != io::ErrorKind::AlreadyExists {
                        return Err(e);
                    }
                }
            }
        }
    }
}

/// A file that is being written. If it is dropped before it is finished, nothing has happened.
pub struct Growing<'t> {
    target: &'t Target,
    file: BufWriter<File>,
    temporary: Option<PathBuf>,
}

impl Growing<'_> {
    /// The file is complete: it takes the place of the old one.
    pub fn finish(mut self) -> Result<(), String> {
        let done = self.file.flush().and_then(|()| match self.temporary.take() {
            None => Ok(()),
            Some(temporary) => {
                let synced = self.file.get_ref().sync_all();
                let moved = synced.and_then(|()| std::fs::rename(&temporary, &self.target.path));
                forget(&temporary);
                moved.inspect_err(|_| drop(std::fs::remove_file(&temporary)))
            }
        });
        done.map_err(|e| self.target.cannot(&e))
    }
}

impl Write for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Growing<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            forget(&temporary);
            let _ = std::fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("swarmcheck-output-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn an_old_file_stays_until_the_new_one_is_complete() {
        let folder = folder("stays");
        let path = folder.join("t.json");
        std::fs::write(&path, "old").unwrap();
        let target = Target::new(path.to_str().unwrap()).unwrap();
        assert_eq!(names(&folder), ["t.json"], "looking leaves nothing behind");
        let mut growing = target.open().unwrap();
        growing.write_all(b"new, but not").unwrap();
        growing.flush().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        drop(growing);
        assert_eq!((names(&folder).len(), std::fs::read_to_string(&path).unwrap().as_str()), (1, "old"));
        target.write(b"new").unwrap();
        assert_eq!((names(&folder).len(), std::fs::read_to_string(&path).unwrap().as_str()), (1, "new"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn files_are_the_same_whatever_they_are_called() {
        let folder = folder("same");
        let at = |name: &str| folder.join(name).to_str().unwrap().to_string();
        std::fs::write(at("model"), "").unwrap();
        std::fs::hard_link(at("model"), at("hard")).unwrap();
        std::os::unix::fs::symlink(at("model"), at("soft")).unwrap();
        for other in ["model", "hard", "soft", "./model"] {
            assert!(distinct(&[&at("model")], &[("-o", &at(other))]).is_err(), "{other}");
        }
        assert!(distinct(&[&at("model")], &[("-o", &at("new"))]).is_ok());
        assert!(distinct(&[], &[("-o", &at("new")), ("--certificate", &at("./new"))]).is_err());
        assert!(distinct(&[], &[("-o", "/dev/null"), ("--certificate", "/dev/null")]).is_ok());
        // A link that leads nowhere yet, and a model of which one process is meant.
        std::os::unix::fs::symlink(at("later"), at("dangling")).unwrap();
        assert!(distinct(&[], &[("-o", &at("dangling")), ("--certificate", &at("later"))]).is_err());
        std::fs::write(at("m.ccs"), "").unwrap();
        assert!(distinct(&[&format!("{}:Spec", at("m.ccs"))], &[("-o", &at("m.ccs"))]).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn links_are_followed_and_devices_are_not_replaced() {
        let folder = folder("links");
        std::fs::write(folder.join("real"), "old").unwrap();
        std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
        Target::new(folder.join("link").to_str().unwrap()).unwrap().write(b"new").unwrap();
        assert!(std::fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(folder.join("real")).unwrap(), "new");
        Target::new("/dev/null").unwrap().write(b"gone").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        assert!(Target::new("/dev/full").unwrap().write(b"no room").is_err());
        assert!(Target::new(folder.to_str().unwrap()).is_err());
        assert!(Target::new(folder.join("no/such/folder").to_str().unwrap()).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
