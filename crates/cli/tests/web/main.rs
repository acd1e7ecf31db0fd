//! `swarmcheck web` attacked: what other sites, other programs and hostile models can do to it (`docs/web.md`).
//!
//! Every test talks to the real program over a socket. Each ends with a server that answers and has no worker left.

#[path = "../common/mod.rs"]
mod common;
#[path = "../supervision/process.rs"]
#[allow(dead_code)]
mod process;
#[path = "../machines/schema.rs"]
mod schema;

mod command;
mod doors;
mod jobs;
mod server;
mod times;
