//! Where output goes and who may interrupt: results to standard output, everything else to standard error; signals and the
//! clock.

use crate::arguments::{ColourWhen, GlobalArguments, LimitArguments};
use crate::exit::Exit;
use crate::output::{self, Target, Unwritable};
use crate::progress::Style;
use crate::terminal::{self, Said};
use crate::told::{Form, Told};
use serde_json::Value as Json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use swarmcheck_session::estimate::NoEstimate;
use swarmcheck_session::languages::LanguageWord;
use swarmcheck_session::refusal::{NoFairness, Refusal};
use swarmcheck_session::{Event, words};
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::{Severity, SourceFile, render, shown};
use swarmcheck_worker::{Limits, machine};

/// A line on standard error.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::terminal::err(&(format!($($words)*) + "\n"), $crate::terminal::Said::Words)
    };
}
pub(crate) use say;

/// What the user wants to see, what the terminal can show, and when to stop.
pub struct Shell {
    /// Results only.
    pub quiet: bool,
    /// Say more.
    pub verbose: bool,
    colour: bool,
    /// The same for results.
    colour_out: bool,
    began: Instant,
    /// When the time is over, once that is known.
    deadline: Cell<Option<Instant>>,
    interrupted: Arc<AtomicBool>,
    /// A file whose language was guessed, because neither its name nor an option says it.
    guessed: RefCell<Option<String>>,
    /// What programs are told.
    pub told: Told,
    /// How progress is shown.
    pub progress: Style,
}

/// How often to look whether the user or the clock says that it is over, and how long what was begun may take then.
const TICK: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_millis(300);

/// Signals that come so soon after the first one are the same request.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// Hears signals in a thread of its own. One that was ignored when the program began (`nohup`) stays ignored.
fn listen(flag: Arc<AtomicBool>) {
    let ignored = std::fs::read_to_string("/proc/self/status").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    });
    let is_ignored = |signal: i32| ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1);
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let Ok(mut signals) = Signals::new(heard.collect::<Vec<_>>()) else { return };
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for _ in signals.forever() {
            // Programs such as timeout send the same signal to the process and to its group.
            let again = first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL;
            // Who asks twice does not want to wait for an orderly end. Workers end when this process does.
            if flag.swap(true, Ordering::Relaxed) && again {
                output::abandon();
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
        }
    });
}

impl Shell {
    /// From now on signals are heard and the clock runs.
    pub fn new(global: &GlobalArguments, began: Instant) -> Shell {
        let colour = match global.color {
            ColourWhen::Always => true,
            ColourWhen::Never => false,
            ColourWhen::Auto => terminal::err_is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        let colour_out = match global.color {
            ColourWhen::Auto => terminal::out_is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            _ => colour,
        };
        let interrupted: Arc<AtomicBool> = Arc::default();
        listen(interrupted.clone());
        let deadline = Cell::new(None);
        let (quiet, verbose, guessed, told) =
            (global.quiet, global.verbose, RefCell::default(), Told::default());
        let progress = Style::new(global.progress, quiet);
        Shell { quiet, verbose, colour, colour_out, began, deadline, interrupted, guessed, told, progress }
    }

    /// Runs a command whose standard output has this form. In the end programs are told what there is to tell.
    pub fn speaking(self, command: &'static str, form: Form, run: impl FnOnce(&Shell) -> Exit) -> Exit {
        self.told.command.set(command);
        self.told.form.set(form);
        if form == Form::Events {
            let _ = self.write_out(&self.told.first_line(), Said::Json);
        }
        let exit = run(&self);
        if self.told.is_data() && !self.told.written.get() {
            return exit.and(self.write_document(&self.told.failure(exit)));
        }
        exit
    }

    /// The result for programs: a document of this format.
    pub fn document(&self, format: &str, version: u32, fields: Json) -> Exit {
        self.write_document(&self.told.document(format, version, fields))
    }

    fn write_document(&self, document: &Json) -> Exit {
        self.told.written.set(true);
        self.print_as(&self.told.text(document), Said::Json)
    }

    /// Something has happened, and whoever reads events hears of it.
    pub fn event(&self, event: &Event) {
        // The result and a refusal are in the last line.
        if self.told.form.get() == Form::Events
            && !matches!(event, Event::Done { .. } | Event::Refused { .. })
            && let Some(line) = Told::line(event)
        {
            let _ = self.write_out(&line, Said::Json);
        }
    }

    /// Whether results on standard output have colours.
    pub fn colours_out(&self) -> bool {
        self.colour_out
    }

    /// Whether the user has had enough.
    pub fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The same for other threads.
    pub fn interruption(&self) -> Arc<AtomicBool> {
        self.interrupted.clone()
    }

    /// What the work may use. The clock runs since the program began, so that reading files counts.
    pub fn limits(&self, limits: &LimitArguments) -> Limits {
        let memory = limits.memory.or_else(|| machine::available_memory().map(|free| free / 4 * 3));
        self.deadline.set(limits.timeout.map(|limit| self.began + limit));
        Limits {
            began: self.began,
            timeout: limits.timeout,
            memory,
            grace: swarmcheck_worker::GRACE,
            with_parent: true,
        }
    }

    /// A result for people.
    pub fn print(&self, text: &str) -> Exit {
        self.print_as(&in_lines(text), Said::Words)
    }

    /// A result. Whoever reads it may have gone (`| head`): that is no failure.
    pub fn print_as(&self, text: &str, said: Said) -> Exit {
        match self.write_out(text, said) {
            Ok(Err(e)) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                self.failure(&format!("cannot write: {e}"))
            }
            Ok(_) => Exit::Fine,
            Err(exit) => exit,
        }
    }

    /// Writes to standard output, whoever reads it and however slowly.
    pub fn write_out(&self, text: &str, said: Said) -> Result<std::io::Result<()>, Exit> {
        let text = text.to_string();
        self.patiently(move || terminal::out(&text, said))
    }

    /// Does what may take for ever in a thread of its own. When the user or the clock says so it is left behind, soon.
    pub fn patiently<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Exit> {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let _ = sender.send(work());
        });
        let mut over: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Disconnected) => return Err(Exit::Failure),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let late = self.deadline.get().is_some_and(|end| Instant::now() >= end);
            if (late || self.interrupted()) && over.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return Err(if self.interrupted() { Exit::Interrupted } else { Exit::TimeLimit });
            }
        }
    }

    /// A remark about what is being done.
    pub fn note(&self, text: &str) {
        if !self.quiet && !self.told.is_data() {
            say!("{}", in_lines(text));
        }
    }

    /// A wrong command line.
    pub fn usage(&self, text: &str) -> Exit {
        self.told.fail("usage", text);
        if self.aloud() {
            say!("error: {}\n\nTry 'swarmcheck --help'.", in_lines(text));
        }
        Exit::Usage
    }

    /// Something that is nobody's model's fault.
    pub fn failure(&self, text: &str) -> Exit {
        self.told.fail("failure", text);
        if self.aloud() {
            say!("error: {}", in_lines(text));
        }
        Exit::Failure
    }

    /// Whether an error is said on standard error: a document that is still to come will have it otherwise.
    fn aloud(&self) -> bool {
        !self.told.is_data() || self.told.written.get()
    }

    /// Where a file will be written, if it can be.
    pub fn target(&self, path: &str) -> Result<Target, Exit> {
        Target::new(path).map_err(|refused| match refused {
            Unwritable::NoDirectory(directory) => {
                let (path, directory) = (shown::line(path), shown::line(&directory));
                self.usage(&format!("cannot write {path}: there is no directory {directory}"))
            }
            Unwritable::Other(why) => self.failure(&why),
        })
    }

    /// Writes a whole file; a pipe may have no reader yet.
    pub fn store(&self, target: &Target, bytes: &[u8]) -> Exit {
        let written = match target.is_special() {
            false => Ok(target.write(bytes)),
            true => {
                let (target, bytes) = (target.clone(), bytes.to_vec());
                self.patiently(move || target.write(&bytes))
            }
        };
        match written {
            Ok(Ok(())) => Exit::Fine,
            Ok(Err(why)) => self.failure(&why),
            Err(exit) => exit,
        }
    }

    /// Findings about a file. Warnings are left out when the user wants results only.
    pub fn diagnostics(&self, file: &SourceFile, list: &[DiagnosticData]) {
        self.told.find(list);
        if self.told.is_data() {
            return;
        }
        let file = Arc::new(file.clone());
        for d in list.iter().filter(|d| !self.quiet || d.severity == Severity::Error) {
            let (file, d, colour) = (file.clone(), d.clone(), self.colour);
            // A line of megabytes takes its time, and so does a terminal that nobody reads.
            let said = if colour { Said::Coloured } else { Said::Words };
            match self.patiently(move || terminal::err(&(render::data(&file, &d, colour) + "\n"), said)) {
                Ok(()) => {}
                Err(_) => return,
            }
        }
    }

    /// The language of this file is a guess.
    pub fn guess(&self, name: &str) {
        *self.guessed.borrow_mut() = Some(name.to_string());
    }

    /// Says that a file with errors may be in another language, if that was a guess. It is said once.
    pub fn perhaps_another_language(&self) {
        if self.told.is_data() {
            return;
        }
        if let Some(name) = self.guessed.borrow_mut().take() {
            let name = shown::line(&name);
            say!(
                "note: {name} was read as LAbS, because its name does not tell the language; --language labs, rcheck, ccs or \
                 chor does"
            );
        }
    }

    /// Says why a request was refused, and what can be done about it.
    pub fn refused(&self, refusal: &Refusal) -> Exit {
        let exit = Exit::of_refusal(refusal);
        let text = words::refusal(refusal);
        let text = match refusal {
            Refusal::NothingToVerify { language: LanguageWord::Rcheck } => {
                format!("{text}: add one, as in 'SPEC G agent-x = 1', or ask for --deadlock")
            }
            Refusal::NothingToVerify { .. } => {
                format!("{text}: add a 'check' section, or ask for --deadlock")
            }
            Refusal::CounterexampleOfOneProperty => {
                format!("{text} with --property, or ask for --deadlock")
            }
            Refusal::NameOneProperty { .. } => format!("{text} with --property"),
            Refusal::NoFairness { why: NoFairness::RoundRobin } => {
                format!("{text}: leave out --fair and --schedule, or --fairness")
            }
            Refusal::NoFairness { .. } => format!("{text}: leave out --fairness"),
            Refusal::NoEstimate { why } => estimate_help(why, text),
            Refusal::NoBound { .. } => format!("{text}: leave out --steps"),
            Refusal::StateSpaceTooLarge { .. } => format!("{text}: smaller parameters give fewer states"),
            Refusal::NotComposed { .. } => format!("{text}; without --compose all states are explored"),
            Refusal::NoNetwork { .. } => format!("{text}; --as svg draws the automata of the agents"),
            Refusal::TooManyToDraw { .. } => format!("{text}: use --as aut, or --minimise"),
            Refusal::Unfinished { .. } if exit == Exit::TimeLimit => "the time limit was reached".to_string(),
            Refusal::Unfinished { .. } if exit == Exit::Inconclusive => {
                format!("{text}: --memory gives more, a smaller model needs less")
            }
            Refusal::Unfinished { .. } if exit == Exit::Failure => {
                format!("{text}\nThis is a bug in swarmcheck; please report it with the model.")
            }
            _ => text,
        };
        self.told.refuse(refusal, &text);
        match exit {
            Exit::Usage => self.usage(&text),
            _ => {
                self.failure(&text);
                exit
            }
        }
    }
}

/// A message that may repeat words of the command line, such as paths: line ends in these words begin no line of the message.
fn in_lines(text: &str) -> String {
    let words = std::env::args_os().filter_map(|word| word.into_string().ok());
    let mut broken: Vec<String> = words.filter(|word| word.contains('\n')).collect();
    broken.sort_by_key(|word| std::cmp::Reverse(word.len()));
    broken.iter().fold(text.to_string(), |text, word| text.replace(word.as_str(), &shown::line(word)))
}

/// What can be done about an estimate that was refused.
fn estimate_help(why: &NoEstimate, text: String) -> String {
    match why {
        NoEstimate::Nothing => format!("{text} with -p"),
        NoEstimate::Unbounded { .. } => format!("{text} with --max-steps, or compute the value with --exact"),
        NoEstimate::NeedsExact { .. } | NoEstimate::AnyNeedsExact => format!("{text}: --exact"),
        NoEstimate::ExtremesNeedAny { .. } => format!("{text}: --exact --scheduler any"),
        NoEstimate::NoTime { .. } => format!("{text}: --scheduler rates"),
        NoEstimate::TwoReadings { .. } => format!("{text}: --precedence"),
        _ => text,
    }
}
