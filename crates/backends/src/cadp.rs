//! CADP: how its model checker is called, and what its answers mean.
//!
//! `lnt.open emulation.lnt evaluator4 -diag diagnostic.bcg query.mcl` builds the states of the exported program and
//! decides the query; the manual page of evaluator4 says that it displays `TRUE` or `FALSE` and writes a diagnostic,
//! which `bcg_io` turns into a text. Compilers speak before it, so other lines are not looked at unless they tell of
//! an error.

mod diagnostic;

pub use diagnostic::follow;

use crate::question::BackendQuestion;
use crate::reading::unreadable;
use crate::table::Dialogue;
use crate::tools::{put, run};
use crate::verdicts::{CADP, Said};
use crate::{NoAnswer, Ran, Reading, Reply, Tools, Unreadable};
use swarmcheck_export::File;
use swarmcheck_ir::Modality;

/// The name of the program's file; its module has the same name.
pub const MODULE: &str = "emulation.lnt";

const QUERY: &str = "query.mcl";
const DIAGNOSTIC: &str = "diagnostic.bcg";
const TEXT: &str = "diagnostic.aut";

/// How CADP is asked and read.
pub(crate) struct Cadp;

const NAME: &str = "CADP";

impl Dialogue for Cadp {
    fn ask(
        &self,
        question: &BackendQuestion<'_>,
        files: &[Vec<File>],
        _: &[&'static str],
        tools: &mut dyn Tools,
    ) -> Result<Reply, NoAnswer> {
        put(tools, [(MODULE, files[1][0].text.as_str()), (QUERY, files[0][0].text.as_str())])?;
        // A violation that is a finite execution is found in its shortest form breadth first.
        let search: &[&str] = if shape(question) == Some(Shape::Finite) { &["-bfs"] } else { &[] };
        let arguments = [&[MODULE, "evaluator4"], search, &["-diag", DIAGNOSTIC, QUERY]].concat();
        if holds(&run(tools, "lnt.open", &arguments)?)? {
            return Ok(Reply::new(Reading::Holds, NAME));
        }
        // That the query is false is known; whatever goes wrong from here on, only the evidence is missing.
        let claimed = |why: String| Ok(Reply::new(Reading::Claimed(why), NAME));
        match run(tools, "bcg_io", &[DIAGNOSTIC, TEXT]) {
            Err(NoAnswer::Stopped) => return Err(NoAnswer::Stopped),
            Err(NoAnswer::Memory) => return claimed("bcg_io ran out of memory".to_string()),
            Err(NoAnswer::Unsupported(why) | NoAnswer::Unreadable(why)) => return claimed(why),
            Ok(_) => {}
        }
        match tools.get(TEXT) {
            Ok(diagnostic) => Ok(self.read(question, &diagnostic)?),
            Err(why) => claimed(why),
        }
    }

    fn read(&self, question: &BackendQuestion<'_>, found: &str) -> Result<Reply, Unreadable> {
        question.named_property()?;
        let reading = match shape(question) {
            None => {
                Reading::Claimed("no single execution shows that something cannot be reached".to_string())
            }
            Some(shape) => match follow(found, question.flat, shape == Shape::Maximal) {
                Ok(trail) => Reading::Followed(trail),
                Err(unreadable) => Reading::Claimed(unreadable.why),
            },
        };
        Ok(Reply::new(reading, NAME))
    }
}

/// What executions that violate a property look like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// They end where the condition fails.
    Finite,
    /// They go on for ever, or stop.
    Maximal,
}

/// The shape of violations; `None` if they are no single executions.
fn shape(question: &BackendQuestion<'_>) -> Option<Shape> {
    match question.modality()? {
        Modality::Always | Modality::After(_) | Modality::Scoped { .. } => Some(Shape::Finite),
        Modality::Eventually | Modality::Finally => Some(Shape::Maximal),
        Modality::Fairly | Modality::FairlyInf | Modality::Linear(_) => None,
    }
}

/// Whether the query is true: one line says so, and no line tells of an error.
fn holds(ran: &Ran) -> Result<bool, Unreadable> {
    let lines = || ran.output.lines().chain(ran.errors.lines()).map(str::trim);
    if let Some(line) = lines().find(|line| line.to_lowercase().contains("error")) {
        return unreadable(format!("CADP reports an error: {line}"));
    }
    let said: Vec<Said> = lines().filter_map(|line| CADP.say(line)).collect();
    match said[..] {
        [said] => Ok(said == Said::Holds),
        [] => unreadable("CADP says neither TRUE nor FALSE: the answer was cut off"),
        _ => unreadable("CADP gives two verdicts"),
    }
}
