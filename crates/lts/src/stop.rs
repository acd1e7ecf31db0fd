//! Giving up: computations on large systems can take long and need much memory, and the caller decides how much.

/// Whether to give up. It is asked now and then, with the bytes that the computation needs for itself at that moment.
pub type Stop<'a> = &'a dyn Fn(u64) -> bool;

/// The computation was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// An error if it is time to give up.
pub(crate) fn go_on(stop: Stop<'_>, bytes: usize) -> Result<(), Stopped> {
    if stop(bytes as u64) { Err(Stopped) } else { Ok(()) }
}
