//! The three shapes of recursion that do not stay finite, and what is never reached (thesis 4.1).
//!
//! A behaviour becomes a finite set of triples if its definitions, once unfolded, come back to terms already seen.
//! They do unless
//! 1. a definition calls itself before any action (*unguarded*): unfolding does not even reach a first step;
//! 2. a definition calls itself inside a parallel composition: every round adds a process;
//! 3. a definition calls itself, the call can end, and something follows it: every round adds something to do later.
//!
//! "Calls itself" means that the call lies on a cycle of the call graph, that is, inside one strongly connected
//! component. The thesis only forbids the first two, because its constants always end a sequence.

use super::graph;
use crate::codes;
use crate::model::{Process, ProcessDef, ProcessNode};
use swarmcheck_source::{Diagnostic, Diagnostics, Span};

/// One call in the body of a definition.
#[derive(Clone, Copy)]
struct Call {
    to: usize,
    span: Span,
    /// It stands inside a parallel composition.
    parallel: bool,
    /// Something follows it.
    followed: bool,
}

/// A call that a definition can make before its first step.
#[derive(Clone, Copy)]
struct FirstCall {
    to: usize,
    span: Span,
}

/// Reports recursion that does not stay finite and processes that are never reached.
pub(super) fn check(processes: &[ProcessDef], out: &mut Diagnostics) {
    let calls: Vec<Vec<Call>> = processes.iter().map(|p| calls(&p.body)).collect();
    let ends = ending(processes, &calls);
    let unguarded = check_unguarded(processes, out);
    let component =
        graph::components(&calls.iter().map(|c| c.iter().map(|c| c.to).collect()).collect::<Vec<_>>());
    for (from, calls) in calls.iter().enumerate() {
        for call in calls.iter().filter(|c| component[c.to] == component[from]) {
            if !(unguarded[from] && unguarded[call.to]) {
                let (caller, callee) = (&processes[from].name, &processes[call.to].name);
                check_call(caller, callee, from == call.to, call, ends[call.to], out);
            }
        }
        if !unguarded[from] {
            check_reached(&processes[from].body, &ends, out);
        }
    }
}

fn check_call(from: &str, to: &str, direct: bool, call: &Call, ends: bool, out: &mut Diagnostics) {
    let who = if direct {
        format!("`{from}` calls itself")
    } else {
        format!("`{from}` calls `{to}`, which leads back to `{from}`,")
    };
    if call.parallel {
        let error = Diagnostic::error(
            codes::PARALLEL_RECURSION,
            call.span,
            format!("{who} inside a parallel composition"),
        );
        out.push(
            error
                .label("every round starts more processes")
                .help("let each parallel process call itself: `Behavior = A || B`, `A = …; A`"),
        );
    } else if call.followed && ends {
        let error = Diagnostic::error(
            codes::STACK_RECURSION,
            call.span,
            format!("{who} and has more to do afterwards"),
        );
        out.push(
            error
                .label("every round leaves more to do afterwards")
                .help(format!("make the call of `{to}` the last thing that `{from}` does")),
        );
    }
}

/// Reports cycles of first calls, one per component. Returns the definitions in them.
fn check_unguarded(processes: &[ProcessDef], out: &mut Diagnostics) -> Vec<bool> {
    let first: Vec<Vec<FirstCall>> = processes
        .iter()
        .map(|p| {
            let mut found = vec![];
            first_calls(&p.body, &mut found);
            found
        })
        .collect();
    let edges: Vec<Vec<usize>> = first.iter().map(|c| c.iter().map(|c| c.to).collect()).collect();
    let component = graph::components(&edges);
    let mut reported = vec![false; processes.len()];
    let mut inside = vec![false; processes.len()];
    for start in 0..processes.len() {
        let own = component[start];
        let cyclic = edges[start].iter().any(|to| component[*to] == own);
        inside[start] = cyclic;
        if cyclic && !std::mem::replace(&mut reported[own as usize], true) {
            let path = graph::cycle(&edges, &component, start);
            out.push(unguarded(processes, &first, &path));
        }
    }
    inside
}

/// The complaint about one cycle, given as the definitions on it.
fn unguarded(processes: &[ProcessDef], first: &[Vec<FirstCall>], path: &[usize]) -> Diagnostic {
    let steps = path.iter().zip(path.iter().cycle().skip(1));
    // On a cycle every definition calls the next one.
    let calls: Vec<FirstCall> =
        steps.filter_map(|(from, to)| first[*from].iter().find(|c| c.to == *to).copied()).collect();
    let name = |at: usize| processes[at].name.as_str();
    let message = match path {
        [only] => format!("`{}` calls itself before doing anything", name(*only)),
        _ => {
            let around: Vec<String> =
                path.iter().chain(path.first()).map(|p| format!("`{}`", name(*p))).collect();
            format!("unguarded recursion: {} without any action in between", around.join(" calls "))
        }
    };
    let place = calls.first().map_or(processes[path[0]].span, |c| c.span);
    let mut error = Diagnostic::error(codes::UNGUARDED, place, message);
    for (call, from) in calls.iter().zip(path).skip(1) {
        error = error.also(call.span, format!("`{}` calls `{}` here", name(*from), name(call.to)));
    }
    error.help(format!(
        "put an action before the call: `Skip; {}`",
        name(path.get(1).copied().unwrap_or(path[0]))
    ))
}

/// Reports what follows something that never ends. Returns whether it did.
fn check_reached(process: &Process, ends: &[bool], out: &mut Diagnostics) -> bool {
    match &process.node {
        ProcessNode::Seq(parts) => {
            let found: Vec<bool> = parts.iter().map(|part| check_reached(part, ends, out)).collect();
            let found = found.contains(&true);
            if let Some(at) = parts.iter().position(|p| !can_end(p, ends))
                && let Some(next) = parts.get(at + 1)
                && !found
            {
                let warning = Diagnostic::warning(codes::UNREACHABLE, next.span, "this is never reached");
                out.push(warning.also(parts[at].span, "this never ends"));
                return true;
            }
            found
        }
        ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            let found: Vec<bool> = parts.iter().map(|part| check_reached(part, ends, out)).collect();
            found.contains(&true)
        }
        ProcessNode::Guard(_, body) | ProcessNode::Conditional(_, _, body) => check_reached(body, ends, out),
        ProcessNode::Nil | ProcessNode::Action(_) | ProcessNode::Call(_) => false,
    }
}

fn can_end(process: &Process, ends: &[bool]) -> bool {
    match &process.node {
        ProcessNode::Nil => false,
        ProcessNode::Action(_) | ProcessNode::Conditional(..) => true,
        ProcessNode::Seq(parts) | ProcessNode::Par(parts) => parts.iter().all(|p| can_end(p, ends)),
        ProcessNode::Choice(parts) => parts.iter().any(|p| can_end(p, ends)),
        ProcessNode::Guard(_, body) => can_end(body, ends),
        ProcessNode::Call(id) => ends[id.0 as usize],
    }
}

/// Which definitions can end: the least solution, because that depends on the definitions they call.
fn ending(processes: &[ProcessDef], calls: &[Vec<Call>]) -> Vec<bool> {
    let mut callers = vec![vec![]; processes.len()];
    for (from, calls) in calls.iter().enumerate() {
        for call in calls {
            callers[call.to].push(from);
        }
    }
    let mut known = vec![false; processes.len()];
    let mut todo: Vec<usize> = (0..processes.len()).collect();
    while let Some(at) = todo.pop() {
        if !known[at] && can_end(&processes[at].body, &known) {
            known[at] = true;
            todo.extend(&callers[at]);
        }
    }
    known
}

fn calls(process: &Process) -> Vec<Call> {
    let mut found = vec![];
    collect_calls(process, false, false, &mut found);
    found
}

fn collect_calls(process: &Process, parallel: bool, followed: bool, found: &mut Vec<Call>) {
    match &process.node {
        ProcessNode::Call(id) => {
            found.push(Call { to: id.0 as usize, span: process.span, parallel, followed })
        }
        ProcessNode::Seq(parts) => {
            for (at, part) in parts.iter().enumerate() {
                collect_calls(part, parallel, followed || at + 1 < parts.len(), found);
            }
        }
        ProcessNode::Choice(parts) => parts.iter().for_each(|p| collect_calls(p, parallel, followed, found)),
        ProcessNode::Par(parts) => parts.iter().for_each(|p| collect_calls(p, true, followed, found)),
        ProcessNode::Guard(_, body) | ProcessNode::Conditional(_, _, body) => {
            collect_calls(body, parallel, followed, found);
        }
        ProcessNode::Nil | ProcessNode::Action(_) => {}
    }
}

/// The calls before the first step. Whatever ends has made a step, so only the first part of a sequence counts.
fn first_calls(process: &Process, found: &mut Vec<FirstCall>) {
    match &process.node {
        ProcessNode::Call(id) => found.push(FirstCall { to: id.0 as usize, span: process.span }),
        ProcessNode::Seq(parts) => parts.first().into_iter().for_each(|p| first_calls(p, found)),
        ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            parts.iter().for_each(|p| first_calls(p, found));
        }
        ProcessNode::Guard(_, body) | ProcessNode::Conditional(_, _, body) => first_calls(body, found),
        ProcessNode::Nil | ProcessNode::Action(_) => {}
    }
}
