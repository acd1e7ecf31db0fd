//! The LAbS language: text → syntax tree ([`syntax`]) → checked model ([`check`], [`model`]) → emulation program
//! ([`lower`]). What editors ask is answered by [`editor`].

pub mod check;
pub mod codes;
pub mod editor;
pub mod fixes;
pub mod lower;
pub mod model;
pub mod ring;
pub mod spawned;
pub mod syntax;
