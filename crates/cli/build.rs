//! Lists the files of `examples/`, so that the program carries them along.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!("cargo:rerun-if-changed={}", examples.display());
    let mut paths = vec![];
    for folder in entries(&examples).into_iter().filter(|path| path.is_dir()) {
        println!("cargo:rerun-if-changed={}", folder.display());
        paths.extend(entries(&folder).into_iter().filter(|path| path.is_file()));
    }
    let mut list = String::from("&[\n");
    for path in paths {
        let name = path.strip_prefix(&examples).expect("a file below the folder").display();
        let place = path.canonicalize().expect("a file that exists");
        writeln!(list, "    ({:?}, include_str!({:?})),", name.to_string(), place.display().to_string())
            .expect("a text can be written to");
    }
    list += "]\n";
    let out = std::env::var_os("OUT_DIR").expect("cargo says where");
    std::fs::write(Path::new(&out).join("examples.rs"), list).expect("the folder of cargo can be written to");
}

/// What is in a folder, in order, without what is hidden.
fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the examples");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    paths
}
