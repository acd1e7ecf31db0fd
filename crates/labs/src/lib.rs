//! The LAbS language: text → syntax tree ([`syntax`]) → checked model ([`check`], [`model`]) → emulation program
//! ([`lower`]).

pub mod check;
pub mod codes;
pub mod fixes;
pub mod lower;
pub mod model;
pub mod syntax;
