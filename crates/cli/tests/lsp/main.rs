//! `swarmcheck lsp` as an editor sees it: a client over standard input and output (`docs/editors.md`).
//!
//! The client keeps the text of every document in UTF-16 and applies changes itself, so that it shares nothing with the server.

#[path = "../common/mod.rs"]
mod common;
#[path = "../supervision/process.rs"]
#[allow(dead_code)]
mod process;

mod client;
mod edits;
mod everything;
mod features;
mod robust;
mod verifying;
