//! The one file that writes to standard output and standard error. What is written is neutralised here, whoever put it together
//! (`swarmcheck_source::shown`): text of a model, of a file's name, of a stored document or of another program cannot steer a
//! terminal. A test of the house looks that no other file writes there.

use crate::arguments::CommandLine;
use crate::suggest;
use clap::Parser;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use swarmcheck_source::shown;

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// For people.
    Words,
    /// For people, with colours that were chosen here.
    Coloured,
    /// JSON: what would steer is escaped, and means the same.
    Json,
    /// In a language of its own, a model that was formatted or a drawing: a file or another program gets it as it is. A terminal does not.
    Data,
}

fn safe(text: &str, said: Said, terminal: bool) -> Cow<'_, str> {
    match said {
        Said::Words => shown::text(text),
        Said::Coloured => shown::coloured(text),
        Said::Json => shown::json(text),
        Said::Data if terminal => shown::text(text),
        Said::Data => Cow::Borrowed(text),
    }
}

/// Whether results go to a terminal.
pub fn out_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether everything else goes to a terminal.
pub fn err_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Columns and rows of the terminal that shows progress, if it tells them.
pub fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(io::stderr())?;
    Some((usize::from(width.0), usize::from(height.0)))
}

/// Results.
pub fn out(text: &str, said: Said) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(safe(text, said, out_is_terminal()).as_bytes())?;
    out.flush()
}

/// Everything else. Nobody may be reading any more, and that is no reason to fail.
pub fn err(text: &str, said: Said) {
    let _ = io::stderr().write_all(safe(text, said, err_is_terminal()).as_bytes());
}

/// Status lines, one of them or several, with what moves the cursor around them. They were cut to the width of the terminal, which
/// must come after [`status`].
pub fn draw(before: &str, lines: &[&str], after: &str) {
    let lines: Vec<Cow<'_, str>> = lines.iter().map(|line| status(line)).collect();
    // One write, so that nothing comes between switching wrapping off and on.
    let _ = io::stderr().write_all(format!("{before}{}{after}", lines.join("\r\n")).as_bytes());
}

/// A status line as it will be shown.
pub fn status(line: &str) -> Cow<'_, str> {
    shown::line(line)
}

/// A conversation on standard output.
pub struct Conversation;

impl Write for Conversation {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self::out(&String::from_utf8_lossy(bytes), Said::Words).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// What is wrong with a command line, where the parser repeats words of it among its own colours: the same mistake in words that
/// were neutralised.
pub fn tame_error(error: clap::Error) -> clap::Error {
    let words: Vec<OsString> = std::env::args_os().collect();
    let tame: Vec<OsString> =
        words.iter().map(|word| shown::line(&word.to_string_lossy()).into_owned().into()).collect();
    match tame == words {
        true => error,
        false => CommandLine::try_parse_from(suggest::arguments(tame)).err().unwrap_or(error),
    }
}

/// Help, the version, or what is wrong with a command line, with the parser's own colours if all words of the line are harmless.
pub fn parser(error: &clap::Error) {
    let harmless =
        |word: OsString| word.to_str().is_some_and(|word| matches!(shown::line(word), Cow::Borrowed(_)));
    if std::env::args_os().all(harmless) {
        let _ = error.print();
    } else if error.use_stderr() {
        err(&error.render().to_string(), Said::Words);
    } else {
        let _ = out(&error.render().to_string(), Said::Words);
    }
}

/// A panic is a bug, and what it says may hold text of a model.
pub fn tame_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current().name().unwrap_or("<unnamed>").to_string();
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let said = panic.payload_as_str().unwrap_or("no message");
        let trace = std::backtrace::Backtrace::capture();
        let trace = match trace.status() {
            std::backtrace::BacktraceStatus::Captured => format!("\n{trace}"),
            _ => String::new(),
        };
        err(&format!("\nthread '{thread}' panicked at {place}:\n{said}{trace}\n"), Said::Words);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_in_a_pipe_is_left_alone() {
        let text = "a\u{1b}[31m\u{9b}2J\u{202e}\n";
        assert_eq!(safe(text, Said::Words, false), "a␛[31m\u{fffd}2J\u{fffd}\n");
        assert_eq!(safe(text, Said::Words, true), safe(text, Said::Words, false));
        assert_eq!(safe(text, Said::Data, true), safe(text, Said::Words, true));
        assert_eq!(safe(text, Said::Data, false), text);
        assert_eq!(safe(text, Said::Coloured, true), "a\u{1b}[31m\u{fffd}2J\u{fffd}\n");
        assert_eq!(status("P\n\u{1b}[2K"), "P␊␛[2K");
    }
}
