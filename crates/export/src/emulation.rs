//! The emulation program in our own notation.

use crate::{Export, File, Written};

/// One file with the whole program.
pub fn write(export: &Export<'_>) -> Written {
    Ok(vec![File { name: "emulation.txt".to_string(), text: swarmcheck_ir::print::print(export.program) }])
}
