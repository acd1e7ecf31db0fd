//! The report: a line of JSON for every system, a page for people, and a file for each disagreement.

use crate::record::{Answers, Disagreement, Record};
use crate::supervise::Plan;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use swarmcheck_session::verify::ENGINES;

/// The page is written anew after so many seconds.
const PAUSE: u64 = 30;

/// What a generator gave.
#[derive(Default)]
pub struct Given {
    pub made: u64,
    pub compared: u64,
    pub states: u64,
    pub properties: u64,
    pub seconds: f64,
}

/// Everything in numbers.
#[derive(Default)]
pub struct Summary {
    pub first: u64,
    pub seconds: f64,
    pub generators: BTreeMap<String, Given>,
    pub engines: BTreeMap<String, Answers>,
    /// Systems about which an engine gave an answer that was compared, summed over engines.
    pub pairs: u64,
    /// The same for interpreters, and for the explicit engine asked in detail.
    pub others: u64,
    /// How many compared systems have each feature.
    pub features: BTreeMap<String, u64>,
    pub disagreements: Vec<(String, u64, Disagreement)>,
}

impl Summary {
    fn add(&mut self, record: Record) {
        let given = self.generators.entry(record.generator.clone()).or_default();
        given.made += 1;
        given.compared += u64::from(record.compared);
        given.states += record.states;
        given.properties += record.properties;
        given.seconds += record.seconds;
        for (name, answers) in &record.engines {
            let engine = name == "auto" || ENGINES.iter().any(|entry| entry.name == name);
            *if engine { &mut self.pairs } else { &mut self.others } += u64::from(answers.compared() > 0);
        }
        for (engine, answers) in record.engines {
            self.engines.entry(engine).or_default().add(answers);
        }
        for feature in record.features {
            *self.features.entry(feature).or_default() += 1;
        }
        let (generator, seed) = (record.generator, record.seed);
        self.disagreements.extend(record.disagreements.into_iter().map(|d| (generator.clone(), seed, d)));
    }

    /// How many systems were compared.
    pub fn compared(&self) -> u64 {
        self.generators.values().map(|given| given.compared).sum()
    }

    /// The page.
    pub fn markdown(&self) -> String {
        let answers: u64 = self.engines.values().map(Answers::compared).sum();
        let mut out = format!(
            "# Random systems against oracles\n\nFirst seed {}, {:.0} s. {} systems compared, {} systems × engines, {} other comparisons of \
             a system, {answers} answers compared, {} disagreements.\n\n",
            self.first,
            self.seconds,
            self.compared(),
            self.pairs,
            self.others,
            self.disagreements.len()
        );
        out += "| generator | made | compared | states | properties | seconds |\n|---|--:|--:|--:|--:|--:|\n";
        for (name, g) in &self.generators {
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {:.0} |",
                g.made, g.compared, g.states, g.properties, g.seconds
            );
        }
        out += "\n| engine | compared | holds | violated | model error | other | open | too late | nothing promised | seconds |\n\
                |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
        for (name, a) in &self.engines {
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {:.0} |",
                a.compared(),
                a.holds,
                a.violated,
                a.errors,
                a.other,
                a.open,
                a.late,
                a.tolerated,
                a.micros as f64 / 1e6
            );
        }
        out += "\n| feature | systems |\n|---|--:|\n";
        for (name, count) in &self.features {
            let _ = writeln!(out, "| {name} | {count} |");
        }
        for (generator, seed, d) in &self.disagreements {
            let _ = write!(out, "\n## {generator}, seed {seed}: {} ({})\n\n{}\n", d.engine, d.sort, d.words);
            let text = d.shrunk.as_ref().unwrap_or(&d.text);
            if !text.is_empty() {
                let _ = write!(out, "\n```text\n{text}```\n");
            }
        }
        out
    }
}

/// A report under way.
pub struct Report {
    summary: Summary,
    files: Option<Files>,
}

struct Files {
    directory: PathBuf,
    lines: BufWriter<File>,
    /// When the page was written last, in seconds.
    written: u64,
}

impl Files {
    fn page(&mut self, summary: &Summary) -> std::io::Result<()> {
        self.lines.flush()?;
        std::fs::write(self.directory.join("report.md"), summary.markdown())
    }

    fn add(&mut self, record: &Record) -> std::io::Result<()> {
        writeln!(self.lines, "{}", record.json())?;
        for (at, d) in record.disagreements.iter().enumerate() {
            let plain: String =
                record.generator.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
            let comment: String = d.words.lines().take(40).map(|line| format!("# {line}\n")).collect();
            let text = d.shrunk.as_ref().unwrap_or(&d.text);
            std::fs::write(
                self.directory.join(format!("{plain}-{}-{at}.txt", record.seed)),
                format!("# {}: {}\n{comment}{text}", d.engine, d.sort),
            )?;
        }
        Ok(())
    }
}

impl Report {
    pub fn new(plan: &Plan) -> Result<Report, String> {
        let files = plan.directory.as_ref().map(|directory| {
            std::fs::create_dir_all(directory)?;
            let lines = BufWriter::new(File::create(directory.join("systems.jsonl"))?);
            Ok(Files { directory: directory.clone(), lines, written: 0 })
        });
        let files = files.transpose().map_err(|e: std::io::Error| e.to_string())?;
        Ok(Report { summary: Summary { first: plan.first, ..Summary::default() }, files })
    }

    pub fn add(&mut self, record: Record, elapsed: Duration) -> Result<(), String> {
        self.summary.seconds = elapsed.as_secs_f64();
        let news = !record.disagreements.is_empty();
        if let Some(files) = &mut self.files {
            files.add(&record).map_err(|e| e.to_string())?;
        }
        self.summary.add(record);
        match &mut self.files {
            Some(files) if news || elapsed.as_secs() >= files.written + PAUSE => {
                files.written = elapsed.as_secs();
                files.page(&self.summary).map_err(|e| e.to_string())
            }
            _ => Ok(()),
        }
    }

    pub fn finish(mut self, elapsed: Duration) -> Result<Summary, String> {
        self.summary.seconds = elapsed.as_secs_f64();
        if let Some(files) = &mut self.files {
            files.page(&self.summary).map_err(|e| e.to_string())?;
        }
        Ok(self.summary)
    }
}
