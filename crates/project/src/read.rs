//! From TOML to a project. Reading never fails: it returns what could be understood, and everything that is wrong.

mod fields;
#[cfg(test)]
mod tests;

use crate::{
    DEADLOCK, Expected, LimitsData, Model, Parameter, ParameterValue, Placed, Project, Reading, VERSION,
    codes,
};
use fields::{Fields, File, Value};
use swarmcheck_source::{Diagnostic, Diagnostics, Span};
use toml::de::DeTable;

/// The keys of the three kinds of tables.
const PROJECT: &[&str] = &["version", "limits", "model"];
const LIMITS: &[&str] = &["time", "memory"];
const MODEL: &[&str] = &[
    "file",
    "parameters",
    "fair",
    "schedule",
    "fairness",
    "sync",
    "semantics",
    "choice",
    "precedence",
    "language",
    "steps",
    "where",
    "up-to",
    "ignore-deadlock",
    "engine",
    "states",
    "slow",
    "limits",
    "properties",
];
const PROPERTY: &[&str] = &["name", "expect", "source"];

/// The words for verdicts.
const VERDICTS: &[&str] = &["holds", "violated", "unknown", "model error"];

/// Reads a project file.
pub fn read(text: &str) -> (Project, Diagnostics) {
    let file = File::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let place = file.span(error.span().unwrap_or(0..1));
        let message = error.message().lines().next().unwrap_or("this is not TOML").to_string();
        file.push(Diagnostic::error(codes::SYNTAX, place, message));
    }
    // What seems to be missing may stand where the error is.
    let project = if errors.is_empty() { project(&file, table.get_ref(), text) } else { Project::default() };
    (project, file.finish())
}

fn project<'t>(file: &'t File<'t>, table: &'t DeTable<'t>, text: &str) -> Project {
    let mut project = Project::default();
    let version = table.get("version").filter(|value| value.get_ref().is_integer());
    let other = version.and_then(|value| file.whole(value, "version")).filter(|v| v.value != VERSION);
    if let Some(other) = other {
        // Keys of another version may mean anything.
        let message = format!("version {} of project files is not read here", other.value);
        let help = format!("this program reads version {VERSION}; a newer swarmcheck may read others");
        file.push(Diagnostic::error(codes::VERSION, other.span, message).help(help));
        return project;
    }
    let place = file.span(0..text.lines().next().map_or(0, str::len));
    let fields = Fields::new(file, table, place, "a project file", PROJECT);
    match fields.has("version") {
        true => drop(fields.integer("version")),
        false => fields.missing("version", &format!("begin the file with: version = {VERSION}")),
    }
    project.limits = fields.value("limits").map(|value| limits(file, value)).unwrap_or_default();
    project.models = fields.array("model").into_iter().filter_map(|value| model(file, value)).collect();
    project
}

fn limits<'t>(file: &'t File<'t>, value: Value<'t>) -> LimitsData {
    let Some(fields) = Fields::of(file, value, "limits", LIMITS) else { return LimitsData::default() };
    let refuse = |span: Span, message: &str| file.push(Diagnostic::error(codes::WORD, span, message));
    let time = fields.number("time").and_then(|time| {
        let fine = time.value > 0.0 && time.value < 1e9;
        if !fine {
            refuse(time.span, "a time limit is a number of seconds, more than 0");
        }
        fine.then_some(time.value)
    });
    let memory = fields.string("memory").and_then(|text| {
        let bytes = size(&text.value);
        if bytes.is_none() {
            refuse(text.span, "a size is given as in \"800M\" or \"8G\", and is at least \"1M\"");
        }
        bytes
    });
    LimitsData { time, memory }
}

/// A number of bytes, as in `800M` or `8G`.
fn size(text: &str) -> Option<u64> {
    const MEGABYTE: f64 = 1024.0 * 1024.0;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" | "B" => 1.0,
        "K" | "KB" | "KIB" => 1024.0,
        "M" | "MB" | "MIB" => MEGABYTE,
        "G" | "GB" | "GIB" => 1024.0 * MEGABYTE,
        "T" | "TB" | "TIB" => 1024.0 * 1024.0 * MEGABYTE,
        _ => return None,
    };
    let bytes = digits.trim().parse::<f64>().ok()? * unit;
    (MEGABYTE..1e18).contains(&bytes).then_some(bytes as u64)
}

fn model<'t>(file: &'t File<'t>, value: Value<'t>) -> Option<Model> {
    let fields = Fields::of(file, value, "a model", MODEL)?;
    if !fields.has("file") {
        fields.missing("file", "add the name of the model's file: file = \"MODEL.labs\"");
    }
    let reading = Reading {
        fair: round_robin(file, &fields),
        sync: fields.boolean("sync"),
        semantics: fields.word("semantics", &["sliver", "paper"]),
        choice: fields.word("choice", &["late", "early"]),
        precedence: fields.word("precedence", &["conventional", "rcheck"]),
        language: fields.word("language", &["labs", "rcheck", "ccs", "chor"]),
    };
    let small = |name: &str, what: &str| {
        let count = fields.count(name)?;
        let number = u32::try_from(count.value).ok();
        if number.is_none() {
            let message = format!("at most {} {what} are possible", u32::MAX);
            file.push(Diagnostic::error(codes::WORD, count.span, message));
        }
        number
    };
    let (steps, most_agents) = (small("steps", "steps"), small("up-to", "agents"));
    let model = Model {
        span: fields.place(),
        parameters: fields.value("parameters").map(|value| parameters(file, value)).unwrap_or_default(),
        reading,
        steps,
        ignore_deadlock: fields.boolean("ignore-deadlock"),
        engine: fields.string("engine"),
        states: fields.count("states").map(|states| states.value),
        slow: fields.boolean("slow"),
        numbers: fields.string("where"),
        most_agents,
        limits: fields.value("limits").map(|value| limits(file, value)).unwrap_or_default(),
        properties: properties(file, &fields),
        fairness: fields.word("fairness", &["none", "weak", "strong"]),
        file: fields.string("file")?,
    };
    open_numbers(file, &model);
    Some(model)
}

/// `where` and `up-to` are about open parameters.
fn open_numbers(file: &File<'_>, model: &Model) {
    if model.is_open() {
        return;
    }
    let place = model.numbers.as_ref().map(|numbers| numbers.span);
    if place.is_some() || model.most_agents.is_some() {
        let message = "`where` and `up-to` are about open parameters, and none is open";
        let open = Diagnostic::error(codes::WORD, place.unwrap_or(model.span), message);
        file.push(open.help("give the smallest value and two points: parameters = { n = \"1..\" }"));
    }
}

/// Whether agents take turns: `fair = true` is short for `schedule = "round-robin"`.
fn round_robin(file: &File<'_>, fields: &Fields<'_>) -> bool {
    let fair = fields.boolean("fair");
    let schedule = fields.word("schedule", &["free", "round-robin"]);
    if let (true, Some("free"), Some(value)) = (fair, schedule.as_deref(), fields.value("schedule")) {
        let message = "`fair = true` is the round-robin schedule, and `schedule` says another one";
        let place = file.span(value.span());
        file.push(Diagnostic::error(codes::WORD, place, message).help("leave out one of them"));
    }
    fair || schedule.as_deref() == Some("round-robin")
}

/// Any names are fine here: which ones there are, the model says.
fn parameters(file: &File<'_>, value: Value<'_>) -> Vec<Parameter> {
    let Some(table) = value.get_ref().as_table() else {
        file.wrong_type(value, "parameters", "a table, as in { n = 3 }");
        return vec![];
    };
    let mut out: Vec<Parameter> = vec![];
    for (name, value) in table {
        let name = file.place(name, name.get_ref().to_string());
        out.extend(parameter(file, value, &name.value).map(|value| Parameter { name, value }));
    }
    // The map of the library is sorted by name.
    out.sort_by_key(|parameter| parameter.name.span.start);
    out
}

/// A whole number, or `"1.."`.
fn parameter(file: &File<'_>, value: Value<'_>, name: &str) -> Option<Placed<ParameterValue>> {
    let Some(text) = value.get_ref().as_str() else {
        let number = file.whole(value, name)?;
        return Some(Placed { value: ParameterValue::Number(number.value), span: number.span });
    };
    match text.strip_suffix("..").and_then(|least| least.trim().parse().ok()) {
        Some(least) => Some(file.place(value, ParameterValue::From(least))),
        None => {
            file.wrong_type(value, name, "a whole number, or every number from one on as in \"1..\"");
            None
        }
    }
}

fn properties<'t>(file: &'t File<'t>, fields: &Fields<'t>) -> Vec<Expected> {
    if !fields.has("properties") {
        let help = "say what is expected: properties = [{ name = \"P\", expect = \"holds\" }]";
        fields.missing("properties", help);
    }
    let mut out: Vec<Expected> = vec![];
    for value in fields.array("properties") {
        let Some(one) = property(file, value) else { continue };
        match out.iter().find(|known| known.name.value == one.name.value) {
            None => out.push(one),
            Some(known) => {
                let message = format!("`{}` is listed twice for this model", one.name.value);
                let twice = Diagnostic::error(codes::TWICE, one.name.span, message);
                file.push(twice.also(known.name.span, "first here"));
            }
        }
    }
    out
}

fn property<'t>(file: &'t File<'t>, value: Value<'t>) -> Option<Expected> {
    let fields = Fields::of(file, value, "a property", PROPERTY)?;
    if !fields.has("name") {
        let help =
            format!("name = \"P\" is a property of the model, name = \"{DEADLOCK}\" asks for deadlocks");
        fields.missing("name", &help);
    }
    if !fields.has("expect") {
        fields.missing("expect", &format!("one of: {}", VERDICTS.join(", ")));
    }
    fields.word("expect", VERDICTS)?;
    let source = fields.string("source").map(|source| source.value);
    Some(Expected { name: fields.string("name")?, verdict: fields.string("expect")?, source })
}
