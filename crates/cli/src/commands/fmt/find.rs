//! The models that paths stand for.

use std::path::{Path, PathBuf};
use swarmcheck_session::languages::by_extension;
use swarmcheck_source::shown;

/// Files as they are named, and those in folders, in order; none of them twice.
pub fn find(paths: &[&str]) -> Result<Vec<String>, String> {
    let mut out: Vec<String> = vec![];
    for path in paths {
        match *path != super::INPUT && Path::new(path).is_dir() {
            true => search(Path::new(path), &mut out)?,
            false => out.push((*path).to_string()),
        }
    }
    let mut seen = std::collections::HashSet::new();
    out.retain(|path| seen.insert(path.clone()));
    Ok(out)
}

/// Models in a folder and below. Folders that are hidden, and what tools have built, are left alone.
fn search(folder: &Path, out: &mut Vec<String>) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("cannot read {}: {e}", shown::line(&folder.to_string_lossy()));
    let entries = std::fs::read_dir(folder).map_err(cannot)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(cannot)?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        if name.starts_with('.') {
            continue;
        }
        // A link may lead back to where it is, and to files that somebody has elsewhere.
        let Ok(meta) = std::fs::symlink_metadata(&path) else { continue };
        if meta.is_dir() && !["target", "node_modules"].contains(&name.as_str()) {
            search(&path, out)?;
        } else if meta.is_file() && by_extension(&name).is_some() {
            let path = path.display().to_string();
            out.push(path.strip_prefix("./").map_or(path.clone(), str::to_string));
        }
    }
    Ok(())
}
