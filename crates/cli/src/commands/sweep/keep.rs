//! The file of a journal: it only grows, every line is on the disk before the next one begins, and what was torn is cut off.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use swarmcheck_sweep::journal::{Entry, Header, Journal, JournalFault, line};

/// A journal that is being kept.
pub struct Keeper {
    file: File,
    path: String,
    /// Bytes that are whole lines.
    length: u64,
    /// Lines about points.
    entries: usize,
    /// It was begun by this process.
    new: bool,
}

/// Why a journal cannot be kept.
pub enum Unkept {
    /// The user must decide something.
    Usage(String),
    /// The system does not let us.
    Failure(String),
}

/// Where the journal of a table is.
pub fn path(out: &str, shard: Option<(usize, usize)>) -> String {
    match shard {
        None => format!("{out}.journal"),
        Some((number, of)) => format!("{out}.shard-{number}-of-{of}.journal"),
    }
}

/// Reads a journal, if there is one that has begun.
pub fn read(path: &str) -> Result<Option<Journal>, String> {
    let bytes = match std::fs::read(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|e| format!("cannot read {path}: {e}"))?,
    };
    match Journal::read(&bytes) {
        Ok(journal) => Ok(Some(journal)),
        Err(JournalFault::Empty) => Ok(None),
        Err(fault) => Err(format!("{path}: {fault}")),
    }
}

impl Keeper {
    /// Begins a journal, or goes on with one. What it has so far comes along.
    pub fn open(path: &str, header: &Header, resume: bool) -> Result<(Keeper, Vec<Entry>), Unkept> {
        let cannot = |e: std::io::Error| Unkept::Failure(format!("cannot write {path}: {e}"));
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let file = match resume {
            true => options.create(true).truncate(false).open(path),
            false => options.create_new(true).open(path),
        };
        let mut file = match file {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                return Err(Unkept::Usage(format!(
                    "{path} is the journal of an earlier run: --resume goes on with it; remove it to begin again"
                )));
            }
            file => file.map_err(cannot)?,
        };
        // Some file systems of clusters have no locks; they are no reason to do nothing.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Unkept::Usage(format!("another sweep is writing {path} right now")));
        }
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(|e| Unkept::Failure(format!("cannot read {path}: {e}")))?;
        let journal = match Journal::read(&bytes) {
            Ok(journal) => Some(journal),
            Err(JournalFault::Empty) => None,
            Err(fault) => return Err(Unkept::Usage(format!("{path}: {fault}; remove it to begin again"))),
        };
        let (length, entries) = match journal {
            None => (0, vec![]),
            Some(journal) => {
                let mut differences = journal.header.differences(header);
                if journal.header.shard != header.shard {
                    differences.push("it is of another shard".to_string());
                }
                if !differences.is_empty() {
                    return Err(Unkept::Usage(format!(
                        "{path} is the journal of another sweep:\n  {}\nRemove it to begin again, or choose another --out.",
                        differences.join("\n  ")
                    )));
                }
                (journal.whole as u64, journal.entries.into_values().collect())
            }
        };
        file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(cannot)?;
        let new = length == 0;
        let mut keeper = Keeper { file, path: path.to_string(), length, entries: entries.len(), new };
        if new {
            let bytes = line(header).map_err(Unkept::Failure)?;
            keeper.write(&bytes).map_err(Unkept::Failure)?;
            // The name of the file must be on the disk, too.
            let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
            let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
        }
        Ok((keeper, entries))
    }

    /// Writes a point. It comes back as whoever reads the journal will see it.
    pub fn append(&mut self, entry: &Entry) -> Result<Entry, String> {
        let bytes = line(entry)?;
        self.write(&bytes)?;
        self.entries += 1;
        serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", self.path))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(e) => {
                // Half a line helps nobody. If this fails as well, it is dropped when the journal is read.
                let _ = self.file.set_len(self.length);
                let path = &self.path;
                Err(format!(
                    "cannot write {path}: {e}\nIts {} points are safe; when the reason is gone, --resume goes on.",
                    self.entries
                ))
            }
        }
    }

    /// Removes a journal that was begun in vain.
    pub fn abandon(self) {
        if self.new && self.entries == 0 {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Where it is.
    pub fn path(&self) -> &str {
        &self.path
    }
}
