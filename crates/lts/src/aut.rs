//! Systems as Aldebaran files, which CADP and mCRL2 read and write.
//!
//! ```text
//!     des (0, 2, 3)
//!     (0, "send !1", 1)
//!     (1, "i", 2)
//! ```
//!
//! The first line gives the initial state, the number of transitions and the number of states; then there is a line
//! for each transition. The initial state is 0 in the files written here, because not all tools accept another.
//!
//! The format has no agreed way to put a quotation mark into a label: for mCRL2 the next one ends the label, whatever
//! stands before it, and CADP takes only ASCII. So [`write()`] writes a quotation mark, a backslash and whatever is not
//! printable ASCII as `\u{…}` with the number in hexadecimal, which every tool takes for ordinary text, and
//! [`read()`] turns it back. It also accepts `\"` and a bare quotation mark inside a label, since the last one of a line
//! is certain to be the end. Any other backslash stands for itself.

mod read;
mod write;

pub use read::{Error, Invisible, Problem, read};
pub use write::{write, write_header, write_transition};
