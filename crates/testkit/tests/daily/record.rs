//! What a child is asked, and what it answers: one line of JSON each.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A system to make and compare.
#[derive(Clone, Debug)]
pub struct Request {
    pub generator: String,
    pub seed: u64,
    /// Seconds that an engine may take.
    pub patience: f64,
    /// Small systems only, and every engine once: many systems in little time.
    pub small: bool,
    /// What is planted to test this mode itself.
    pub planted: Option<String>,
}

impl Request {
    pub fn line(&self) -> String {
        json!({
            "generator": self.generator, "seed": self.seed, "patience": self.patience, "small": self.small,
            "planted": self.planted,
        })
        .to_string()
    }

    pub fn read(line: &str) -> Option<Request> {
        let value: Value = serde_json::from_str(line).ok()?;
        Some(Request {
            generator: value["generator"].as_str()?.to_string(),
            seed: value["seed"].as_u64()?,
            patience: value["patience"].as_f64()?,
            small: value["small"].as_bool()?,
            planted: value["planted"].as_str().map(str::to_string),
        })
    }
}

/// How often an engine gave each answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    pub holds: u64,
    pub violated: u64,
    /// Errors of the model.
    pub errors: u64,
    /// Compared, but not known by verdict.
    pub other: u64,
    /// Left open by the engine itself.
    pub open: u64,
    /// Left open because the time was over.
    pub late: u64,
    /// About systems for which nothing is promised: a number that is too large may be sliced away.
    pub tolerated: u64,
    /// Microseconds that it took to ask and to compare.
    pub micros: u64,
}

impl Answers {
    const NAMES: [&'static str; 8] =
        ["holds", "violated", "errors", "other", "open", "late", "tolerated", "micros"];

    fn fields(&mut self) -> [&mut u64; 8] {
        let Answers { holds, violated, errors, other, open, late, tolerated, micros } = self;
        [holds, violated, errors, other, open, late, tolerated, micros]
    }

    /// Answers that were compared with what is right.
    pub fn compared(&self) -> u64 {
        self.holds + self.violated + self.errors + self.other
    }

    pub fn add(&mut self, mut more: Answers) {
        for (sum, more) in self.fields().into_iter().zip(more.fields()) {
            *sum += *more;
        }
    }

    pub fn json(mut self) -> Value {
        let pairs = Answers::NAMES.iter().zip(self.fields());
        Value::Object(pairs.map(|(name, count)| ((*name).to_string(), json!(*count))).collect())
    }

    fn read(value: &Value) -> Answers {
        let mut out = Answers::default();
        for (name, field) in Answers::NAMES.iter().zip(out.fields()) {
            *field = value[name].as_u64().unwrap_or(0);
        }
        out
    }
}

/// What is wrong.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Who is wrong, or was at work.
    pub engine: String,
    pub sort: String,
    pub words: String,
    pub text: String,
    /// The smallest text that was found to show it, where shrinking is possible.
    pub shrunk: Option<String>,
}

/// What became of a system.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub generator: String,
    pub seed: u64,
    /// The system was accepted and small enough.
    pub compared: bool,
    pub states: u64,
    pub properties: u64,
    pub features: Vec<String>,
    pub engines: BTreeMap<String, Answers>,
    pub disagreements: Vec<Disagreement>,
    pub seconds: f64,
}

impl Record {
    pub fn new(request: &Request) -> Record {
        Record { generator: request.generator.clone(), seed: request.seed, ..Record::default() }
    }

    pub fn engine(&mut self, name: &str) -> &mut Answers {
        self.engines.entry(name.to_string()).or_default()
    }

    pub fn json(&self) -> Value {
        let engines = self.engines.iter().map(|(name, answers)| (name.clone(), answers.json()));
        let disagreements = self.disagreements.iter().map(|d| {
            json!({"engine": d.engine, "sort": d.sort, "words": d.words, "text": d.text, "shrunk": d.shrunk})
        });
        json!({
            "generator": self.generator, "seed": self.seed, "compared": self.compared, "states": self.states,
            "properties": self.properties, "features": self.features, "seconds": self.seconds,
            "engines": Value::Object(engines.collect()), "disagreements": disagreements.collect::<Vec<_>>(),
        })
    }

    pub fn read(value: &Value) -> Option<Record> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let disagreement = |d: &Value| Disagreement {
            engine: text(&d["engine"]),
            sort: text(&d["sort"]),
            words: text(&d["words"]),
            text: text(&d["text"]),
            shrunk: d["shrunk"].as_str().map(str::to_string),
        };
        let engines = value["engines"].as_object()?;
        Some(Record {
            generator: text(&value["generator"]),
            seed: value["seed"].as_u64()?,
            compared: value["compared"].as_bool()?,
            states: value["states"].as_u64()?,
            properties: value["properties"].as_u64()?,
            features: value["features"].as_array()?.iter().map(text).collect(),
            engines: engines.iter().map(|(name, answers)| (name.clone(), Answers::read(answers))).collect(),
            disagreements: value["disagreements"].as_array()?.iter().map(disagreement).collect(),
            seconds: value["seconds"].as_f64()?,
        })
    }
}
