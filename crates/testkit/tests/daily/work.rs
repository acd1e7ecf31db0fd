//! The child: makes the systems that it is asked for, compares, and says what it found.

use crate::record::{Disagreement, Record, Request};
use crate::{calculi, formulas, labs, others, rcheck};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use swarmcheck_labs::lower::Options;
use swarmcheck_testkit::generate;
use swarmcheck_testkit::literal::Fairness;
use swarmcheck_testkit::verify::{self, reading};

/// Where systems come from.
pub struct Generator {
    pub name: &'static str,
    pub kind: Kind,
}

/// What is done with them.
pub enum Kind {
    /// LAbS systems with properties; `None` if the system is refused or too large.
    Labs(fn(u64, Size) -> Option<String>),
    /// Numbers near 2⁶³.
    Wide,
    /// Systems with formulas of linear time, in some language.
    Formulas(fn(u64, usize) -> Result<crate::compare::Made, String>),
}

/// How large systems may be.
#[derive(Clone, Copy)]
pub struct Size {
    /// Systems with more states are left out.
    pub states: usize,
    /// How many properties are added to a system.
    pub properties: usize,
    /// Formulas are asked about systems with at most so many states: every guess of every part is a state of its own.
    pub formulas: usize,
}

impl Size {
    pub fn of(request: &Request) -> Size {
        match request.small {
            false => Size { states: 250, properties: 6, formulas: 60 },
            true => Size { states: 30, properties: 2, formulas: 20 },
        }
    }
}

const fn labs(name: &'static str, make: fn(u64, Size) -> Option<String>) -> Generator {
    Generator { name, kind: Kind::Labs(make) }
}

fn sharp(text: String, seed: u64, size: Size) -> Option<String> {
    verify::sharpened(&text, seed, reading(seed), size.states, size.properties)
}

fn fairness(seed: u64) -> Fairness {
    if seed % 7 < 4 { Fairness::Weak } else { Fairness::Strong }
}

fn any(seed: u64) -> String {
    match seed % 5 {
        0 => generate::messages(seed),
        1 => generate::arena(seed),
        _ => generate::system(seed),
    }
}

/// All generators. They take turns.
pub const GENERATORS: &[Generator] = &[
    labs("aimed, from reached states", |seed, size| sharp(generate::aimed(seed), seed, size)),
    labs("general", |seed, size| verify::system(seed, reading(seed), size.states, size.properties)),
    labs("general, from reached states", |seed, size| sharp(generate::system(seed), seed, size)),
    labs("messages, from reached states", |seed, size| sharp(generate::messages(seed), seed, size)),
    labs("kinds that are alike", |seed, size| {
        verify::alike(seed, reading(seed), size.states, size.properties)
    }),
    labs("symmetric data", |seed, size| verify::arena(seed, reading(seed), size.states, size.properties)),
    labs("symmetric data, from reached states", |seed, size| sharp(generate::arena(seed), seed, size)),
    labs("initial states", |seed, size| sharp(generate::beginnings(seed), seed, size)),
    Generator { name: "numbers near 2⁶³", kind: Kind::Wide },
    Generator {
        name: "formulas of LAbS",
        kind: Kind::Formulas(|seed, most| {
            formulas::labs(seed, &any(seed), reading(seed), most, Fairness::All)
        }),
    },
    Generator {
        name: "formulas of LAbS, fair",
        kind: Kind::Formulas(|seed, most| {
            let free = Options { fair: false, ..reading(seed) };
            formulas::labs(seed, &any(seed), free, most, fairness(seed))
        }),
    },
    Generator { name: "CCS", kind: Kind::Formulas(calculi::ccs) },
    Generator { name: "Chor", kind: Kind::Formulas(calculi::chor) },
    Generator {
        name: "R-CHECK",
        kind: Kind::Formulas(|seed, most| rcheck::rcheck(seed, most, Fairness::All)),
    },
    Generator {
        name: "R-CHECK, fair",
        kind: Kind::Formulas(|seed, most| rcheck::rcheck(seed, most, fairness(seed))),
    },
];

/// Writes one line that the parent reads whole.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A parent that has gone reads nothing; the next request does not come either.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Answers requests until there are no more.
pub fn serve() {
    // Panics are reported as disagreements; the words go where the report can show them.
    std::panic::set_hook(Box::new(|_| {}));
    for line in std::io::stdin().lock().lines() {
        let Some(request) = line.ok().as_deref().and_then(Request::read) else { return };
        let began = Instant::now();
        let mut record = Record::new(&request);
        let done = catch_unwind(AssertUnwindSafe(|| compare(&request, &mut record)));
        if let Err(payload) = done {
            let words = payload.downcast_ref::<String>().cloned();
            let words = words.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_string()));
            record.disagreements.push(Disagreement {
                engine: "the comparison".to_string(),
                sort: "panic".to_string(),
                words: words.unwrap_or_default(),
                text: text(&request),
                shrunk: None,
            });
        }
        record.seconds = began.elapsed().as_secs_f64();
        say(&record.json().to_string());
    }
}

/// The system of a request as text, as far as it can be had without comparing it.
fn text(request: &Request) -> String {
    let generator = GENERATORS.iter().find(|g| g.name == request.generator);
    let made = catch_unwind(|| match generator.map(|g| &g.kind) {
        Some(Kind::Labs(make)) => make(request.seed, Size::of(request)),
        Some(Kind::Wide) => Some(swarmcheck_testkit::wide::Wide::new(request.seed).text()),
        Some(Kind::Formulas(make)) => match make(request.seed, Size::of(request).formulas) {
            Ok(crate::compare::Made::Case(case)) => Some(case.text),
            _ => None,
        },
        None => None,
    });
    made.ok().flatten().unwrap_or_default()
}

fn compare(request: &Request, record: &mut Record) {
    match request.planted.as_deref() {
        Some("panic") => panic!("planted"),
        Some("abort") => std::process::abort(),
        Some("hang") => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        _ => {}
    }
    let Some(generator) = GENERATORS.iter().find(|g| g.name == request.generator) else { return };
    match &generator.kind {
        Kind::Labs(make) => {
            if let Some(text) = make(request.seed, Size::of(request)) {
                labs::compare(request, &text, record);
            }
        }
        Kind::Wide => others::wide(request, record),
        Kind::Formulas(make) => others::formulas(request, *make, record),
    }
}
