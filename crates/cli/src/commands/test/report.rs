//! What `swarmcheck test` prints: a line per case in the order of the files, failures with their evidence, a summary; or JSON
//! (`docs/schema/test.md`).

use super::plan::{Case, Plan};
use super::work::{Result, Status};
use crate::arguments::TestArguments;
use crate::exit::Exit;
use crate::shell::Shell;
use crate::terminal::Said;
use serde_json::{Value as Json, json};
use std::time::Duration;
use swarmcheck_project::DEADLOCK;
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::{SourceFile, shown};

/// The name of the format, and its version.
const FORMAT: &str = "swarmcheck-test";
const VERSION: u32 = 1;

/// The results so far.
pub struct Report<'r> {
    plan: &'r Plan,
    arguments: &'r TestArguments,
    shell: &'r Shell,
    /// By the number of the case; none until it is decided.
    results: Vec<Option<Result>>,
    /// So many lines are printed.
    printed: usize,
    wrong: Vec<DiagnosticData>,
    exit: Exit,
}

impl Status {
    /// The word at the beginning of a line.
    fn word(self) -> &'static str {
        match self {
            Status::Passed => "ok",
            Status::Failed => "FAILED",
            Status::Undecided => "undecided",
            Status::Error => "ERROR",
            Status::NotRun => "not run",
            Status::LeftOut => "left out",
        }
    }

    /// The word in the data.
    fn key(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Undecided => "undecided",
            Status::Error => "error",
            Status::NotRun => "not_run",
            Status::LeftOut => "left_out",
        }
    }

    const ALL: [Status; 6] =
        [Status::Passed, Status::Failed, Status::Undecided, Status::Error, Status::NotRun, Status::LeftOut];
}

impl<'r> Report<'r> {
    pub fn new(plan: &'r Plan, arguments: &'r TestArguments, shell: &'r Shell) -> Report<'r> {
        let results = plan.cases.iter().map(|_| None).collect();
        Report { plan, arguments, shell, results, printed: 0, wrong: vec![], exit: Exit::Fine }
    }

    /// What became of the cases, in their order.
    pub fn results(&self) -> impl Iterator<Item = &Result> {
        self.results.iter().flatten()
    }

    /// What is wrong with files.
    pub fn diagnostics(&self) -> &[DiagnosticData] {
        &self.wrong
    }

    /// Every case with the verdict that is expected.
    pub fn list(mut self) -> Exit {
        self.wrong(&self.plan.wrong);
        if self.arguments.json {
            let cases: Vec<Json> = self.plan.cases.iter().map(|case| self.case(case)).collect();
            let document = json!({
                "format": FORMAT, "version": VERSION, "claims": cases, "diagnostics": self.wrong,
            });
            return self.exit.and(self.print_document(&document));
        }
        let slow = |case: &Case| if case.row.slow { ", slow" } else { "" };
        let cases = self.plan.cases.iter();
        let lines: String = cases
            .map(|case| format!("{}: {}{}\n", shown::line(&case.name), case.row.verdict, slow(case)))
            .collect();
        self.exit.and(self.shell.print(&lines))
    }

    fn print_document(&self, document: &Json) -> Exit {
        self.shell.told.written.set(true);
        self.shell.print_as(&format!("{document:#}\n"), Said::Json)
    }

    /// Says what is wrong with files, once.
    pub fn wrong(&mut self, list: &[(SourceFile, DiagnosticData)]) {
        for (file, d) in list {
            if d.severity == swarmcheck_source::Severity::Error {
                self.exit = self.exit.and(Exit::Model);
            }
            if self.wrong.contains(d) {
                continue;
            }
            self.wrong.push(d.clone());
            if !self.arguments.json {
                self.shell.diagnostics(file, std::slice::from_ref(d));
            }
        }
    }

    /// A result. Lines are printed in the order of the files, so some wait for others.
    pub fn take(&mut self, result: Result) {
        self.exit = self.exit.and(result.exit);
        let case = result.case;
        self.results[case] = Some(result);
        let mut out = String::new();
        while let Some(Some(result)) = self.results.get(self.printed) {
            out += &self.line(result);
            self.printed += 1;
        }
        if !self.arguments.json && !out.is_empty() {
            self.exit = self.exit.and(self.shell.print(&out));
        }
    }

    fn line(&self, result: &Result) -> String {
        let dull = matches!(result.status, Status::Passed | Status::LeftOut);
        if dull && (self.shell.quiet || (result.status == Status::LeftOut && !self.shell.verbose)) {
            return String::new();
        }
        let case = &self.plan.cases[result.case];
        let said = match (&result.answer, &result.why) {
            (Some(answer), None) if result.status == Status::Undecided => {
                format!("{} ({}), expected {}", answer.verdict().word(), answer.evidence(), case.row.verdict)
            }
            (Some(answer), None) if result.status == Status::Failed => {
                format!("{}, expected {}", answer.verdict().word(), case.row.verdict)
            }
            (Some(answer), None) => answer.verdict().word().to_string(),
            (_, Some(why)) => why.clone(),
            (None, None) => "slow".to_string(),
        };
        let seconds = result.answer.as_ref().map(|answer| format!(", {:.2} s", answer.effort.seconds));
        format!(
            "{:9} {}: {said}{}\n",
            result.status.word(),
            shown::line(&case.name),
            seconds.unwrap_or_default()
        )
    }

    /// Failures with their evidence and a summary.
    pub fn finish(mut self, took: Duration) -> Exit {
        if self.arguments.json {
            let document = self.document(took);
            return self.exit.and(self.print_document(&document));
        }
        let mut out = String::new();
        for result in self.results.iter().flatten().filter(|result| result.status == Status::Failed) {
            out += &self.failure(result);
        }
        if !self.results.is_empty() {
            out += &self.summary(took);
        }
        self.exit = self.exit.and(self.shell.print(&out));
        self.exit
    }

    fn failure(&self, result: &Result) -> String {
        let case = &self.plan.cases[result.case];
        let file = &self.plan.suite(case).file;
        let (path, name) = (shown::line(file.name()), shown::line(&case.name));
        let mut out = format!("\n{path}:{}: {name}\n", file.position(case.row.span));
        if let Some(answer) = &result.answer {
            let (expected, got) = (&case.row.verdict, answer.verdict().word());
            let evidence = answer.evidence();
            out += &match &result.why {
                Some(why) => format!("  {why}\n"),
                None => format!("  expected {expected}, got {got}: {evidence}\n"),
            };
            out += &case.row.source.as_ref().map_or(String::new(), |source| format!("  source: {source}\n"));
            out += &format!("  again: swarmcheck verify {}\n", again(case));
            if let (Some(trace), false) = (&answer.trace, self.shell.quiet) {
                out.extend(trace.text.lines().map(|line| format!("  {line}\n")));
            }
        }
        out
    }

    fn count(&self, status: Status) -> usize {
        self.results.iter().flatten().filter(|result| result.status == status).count()
    }

    fn summary(&self, took: Duration) -> String {
        let words = [
            (Status::Passed, "passed"),
            (Status::Failed, "failed"),
            (Status::Undecided, "undecided"),
            (Status::Error, "could not be asked"),
            (Status::NotRun, "not run"),
            (Status::LeftOut, "left out (--slow)"),
        ];
        let parts = words.iter().map(|(status, word)| (self.count(*status), status, word));
        let parts =
            parts.filter(|(n, status, _)| *n > 0 || [Status::Passed, Status::Failed].contains(status));
        let parts: Vec<String> = parts.map(|(n, _, word)| format!("{n} {word}")).collect();
        let gap =
            if self.count(Status::Passed) == self.results.len() && self.shell.quiet { "" } else { "\n" };
        format!("{gap}{}; {:.2} s\n", parts.join(", "), took.as_secs_f64())
    }

    fn case(&self, case: &Case) -> Json {
        let file = &self.plan.suite(case).file;
        let (line, column) = file.line_column(case.row.span.start);
        let model = self.plan.model(case);
        let parameters: serde_json::Map<String, Json> =
            model.parameters.iter().map(|p| (p.name.value.clone(), json!(p.value.value))).collect();
        json!({
            "project": file.name(),
            "line": line,
            "column": column,
            "name": case.name,
            "model": case.row.file,
            "parameters": parameters,
            "options": case.row.options,
            "property": case.row.property,
            "expected": case.row.verdict,
            "source": case.row.source,
            "slow": case.row.slow,
        })
    }

    fn document(&self, took: Duration) -> Json {
        let mut results = vec![];
        for result in self.results.iter().flatten() {
            let mut row = self.case(&self.plan.cases[result.case]);
            let answer = result.answer.as_ref();
            row["status"] = json!(result.status.key());
            row["why"] = json!(result.why);
            row["verdict"] = json!(answer.map(|a| a.verdict().word()));
            row["evidence"] = json!(answer.map(|a| a.evidence()));
            row["engine"] = json!(answer.and_then(|a| a.engine.clone()));
            row["states"] = json!(answer.map(|a| a.effort.states));
            row["seconds"] = json!(answer.map(|a| a.effort.seconds));
            let trace = answer.filter(|_| result.status == Status::Failed).and_then(|a| a.trace.as_ref());
            row["trace"] = json!(trace.map(|trace| &trace.data));
            results.push(row);
        }
        let counts: serde_json::Map<String, Json> =
            Status::ALL.iter().map(|status| (status.key().to_string(), json!(self.count(*status)))).collect();
        json!({
            "format": FORMAT,
            "version": VERSION,
            "results": results,
            "summary": counts,
            "seconds": took.as_secs_f64(),
            "diagnostics": self.wrong,
        })
    }
}

/// The arguments of `swarmcheck verify` that ask about one case.
fn again(case: &Case) -> String {
    let name = case.name.strip_suffix(&case.row.property).unwrap_or(&case.name).trim_end();
    match case.row.property == DEADLOCK {
        true => name.to_string(),
        false => format!("{name} -p {}", case.row.property),
    }
}
