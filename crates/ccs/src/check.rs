//! Whether a file makes sense: names, and recursion that has finitely many states.

use crate::syntax::{Process, Specification, parse};
use std::collections::{BTreeSet, HashMap};
use swarmcheck_calculi::{codes, property};
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Span};

/// How many definitions may call one another before any of them acts, counted with the operators around the calls:
/// the computation of first actions recurs into all of them.
const LONGEST_CHAIN: usize = 500;

/// Reads and checks a file; `system` names the process that is to be the system instead of the file's own.
pub fn check(text: &str, system: Option<&str>) -> (Option<Specification>, Diagnostics) {
    let (mut spec, mut found) = parse(text);
    if spec.definitions.is_empty() && !found.has_errors() {
        let error = Diagnostic::error(codes::EMPTY, Span::default(), "the file defines no process");
        found.push(error.help("write for instance: proc Clock = tick.Clock"));
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (number, definition) in spec.definitions.iter().enumerate() {
        if let Some(&first) = numbers.get(&definition.name) {
            let message = format!("`{}` is defined twice", definition.name);
            let error = Diagnostic::error(codes::DUPLICATE, definition.span, message);
            found.push(error.also(spec.definitions[first].span, "the first definition"));
        } else {
            numbers.insert(definition.name.clone(), number);
        }
    }
    if let Some(name) = system {
        match numbers.get(name) {
            Some(&number) => spec.system = number,
            None => {
                // The name is not in the text, so nothing in the text can be mended.
                let error = unknown(name, Span::default(), &numbers, &found);
                found.push(Diagnostic { fixes: vec![], ..error });
            }
        }
    }
    // Where a definition could not be read, its name only seems to be unknown.
    let complete = !found.has_errors();
    let mut calls: Vec<Vec<Call>> = vec![];
    for definition in &mut spec.definitions {
        let mut list = vec![];
        resolve(&mut definition.body, &numbers, Call::default(), &mut list);
        for call in list.iter().filter(|call| call.callee == usize::MAX && complete) {
            let error = unknown(&call.name, call.span, &numbers, &found);
            found.push(error);
        }
        list.retain(|call| call.callee != usize::MAX);
        calls.push(list);
    }
    recursion(&spec, &calls, &mut found);
    if complete {
        let mut known: BTreeSet<String> =
            spec.names.iter().flat_map(|n| [n.clone(), format!("'{n}")]).collect();
        known.insert("tau".to_string());
        property::check_labels(&spec.properties, &known, &mut found);
    }
    let fine = !found.has_errors();
    (fine.then_some(spec), found)
}

fn unknown(name: &str, span: Span, known: &HashMap<String, usize>, found: &Diagnostics) -> Diagnostic {
    // A name in lower case is more likely an action without its process than a slip.
    let action = name.starts_with(|c: char| c.is_lowercase());
    let near = found.nearest(name, known.keys().map(String::as_str)).filter(|_| !action);
    Diagnostic::error(codes::UNKNOWN, span, format!("no process is named `{name}`"))
        .did_you_mean(near)
        .help_if(action.then(|| format!("an action needs a process after it: `{name}.0`")))
        .fix_if(action.then(|| Fix::insert(span.end, ".0", format!("write `{name}.0`"))))
}

/// A constant in a definition.
#[derive(Clone, Debug, Default)]
struct Call {
    callee: usize,
    name: String,
    span: Span,
    /// Some action comes before it.
    guarded: bool,
    /// It stands inside a parallel composition.
    parallel: bool,
    /// How many operators are around it.
    depth: usize,
}

fn resolve(process: &mut Process, known: &HashMap<String, usize>, around: Call, out: &mut Vec<Call>) {
    let mut inside = around;
    inside.depth += 1;
    match process {
        Process::Constant(number, name, span) => {
            *number = known.get(name).copied().unwrap_or(usize::MAX);
            out.push(Call { callee: *number, name: name.clone(), span: *span, ..inside });
            return;
        }
        Process::Prefix(..) => inside.guarded = true,
        Process::Par(_) | Process::Hoare(..) => inside.parallel = true,
        Process::Nil | Process::Choice(_) | Process::Seen(..) => {}
    }
    for part in process.parts_mut() {
        resolve(part, known, inside.clone(), out);
    }
}

fn recursion(spec: &Specification, calls: &[Vec<Call>], found: &mut Diagnostics) {
    let mut depth = vec![None; calls.len()];
    for (number, list) in calls.iter().enumerate() {
        if let Err(call) = chain(number, calls, &mut depth, &mut vec![]) {
            let message = format!("`{}` calls itself before it acts", call.name);
            let error = Diagnostic::error(codes::UNGUARDED, call.span, message);
            found.push(error.help("put an action before the call"));
            return;
        }
        if depth[number] > Some(LONGEST_CHAIN) {
            let message = format!(
                "more than {LONGEST_CHAIN} definitions and operators are unfolded before the first action"
            );
            found.push(Diagnostic::error(codes::DEPTH, spec.definitions[number].span, message));
            return;
        }
        for call in list.iter().filter(|call| call.parallel && reachable(call.callee, calls)[number]) {
            let name = &spec.definitions[number].name;
            let message = format!("`{name}` calls itself inside a parallel composition");
            let error = Diagnostic::error(codes::PARALLEL_RECURSION, call.span, message)
                .label("every call adds a process")
                .also(spec.definitions[number].span, "in this definition")
                .help("a system has finitely many processes: compose them once, and let each of them recur by itself");
            found.push(error);
        }
    }
}

/// How many definitions and operators are opened before an action; the call that closes a cycle if there is one.
fn chain<'c>(
    number: usize,
    calls: &'c [Vec<Call>],
    depth: &mut Vec<Option<usize>>,
    path: &mut Vec<usize>,
) -> Result<usize, &'c Call> {
    if let Some(known) = depth[number] {
        return Ok(known);
    }
    path.push(number);
    let mut longest = 0;
    for call in calls[number].iter().filter(|call| !call.guarded) {
        if path.contains(&call.callee) {
            return Err(call);
        }
        // Beyond the longest allowed chain nothing needs to be known exactly.
        let below =
            if path.len() > LONGEST_CHAIN { LONGEST_CHAIN } else { chain(call.callee, calls, depth, path)? };
        longest = longest.max(below + call.depth);
    }
    path.pop();
    depth[number] = Some(longest);
    Ok(longest)
}

/// Which definitions are called from one, at any distance; itself included.
fn reachable(from: usize, calls: &[Vec<Call>]) -> Vec<bool> {
    let mut seen = vec![false; calls.len()];
    let mut todo = vec![from];
    while let Some(next) = todo.pop() {
        if !std::mem::replace(&mut seen[next], true) {
            todo.extend(calls[next].iter().map(|call| call.callee));
        }
    }
    seen
}
