//! Tests of the parser. A compact printer turns trees into text, so that most tests are a line of input and a line
//! of expectation.

mod expressions;
mod formulas;
mod newcomers;
mod processes;
mod rates;
mod recovery;
mod robustness;
mod sections;
mod words;

use super::ast::*;
use super::{parse, parse_expression};
use swarmcheck_source::{Diagnostic, Diagnostics};

fn list<T>(items: &[T], show: impl Fn(&T) -> String, between: &str) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(between)
}

fn expr(e: &Expr) -> String {
    match &e.node {
        ExprNode::Number(n) => n.to_string(),
        ExprNode::Bool(b) => b.to_string(),
        ExprNode::Undef => "undef".into(),
        ExprNode::Parameter(p) => format!("_{p}"),
        ExprNode::Id(None) => "id".into(),
        ExprNode::Id(Some(of)) => format!("id@{}", expr(of)),
        ExprNode::Var { name, index, of } => {
            let index =
                if index.is_empty() { String::new() } else { format!("[{}]", list(index, expr, ",")) };
            let of = of.as_ref().map_or(String::new(), |of| format!("@{}", expr(of)));
            format!("{}{index}{of}", name.text)
        }
        ExprNode::Unary(op, a) => {
            let op = match op {
                UnaryOp::Neg => "-",
                UnaryOp::Abs => "abs",
                UnaryOp::Not => "!",
            };
            format!("({op} {})", expr(a))
        }
        ExprNode::Binary(op, a, b) => {
            let op = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Div => "/",
                BinaryOp::Round => ":",
                BinaryOp::Mod => "%",
                BinaryOp::Min => "min",
                BinaryOp::Max => "max",
                BinaryOp::Eq => "=",
                BinaryOp::Ne => "!=",
                BinaryOp::Lt => "<",
                BinaryOp::Le => "<=",
                BinaryOp::Gt => ">",
                BinaryOp::Ge => ">=",
                BinaryOp::And => "and",
                BinaryOp::Or => "or",
            };
            format!("({op} {} {})", expr(a), expr(b))
        }
        ExprNode::If(c, a, b) => format!("(if {} {} {})", expr(c), expr(a), expr(b)),
        ExprNode::Quantified(q, kind, agent, body) => {
            let q = match q {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Count => "count",
            };
            format!("({q} {} {} {})", kind.text, agent.text, expr(body))
        }
        ExprNode::Range(a, b) => format!("[{}..{}]", expr(a), expr(b)),
        ExprNode::Pick { count, kind, condition } => {
            let kind = kind.as_ref().map_or(String::new(), |k| format!(" {}", k.text));
            let condition = condition.as_ref().map_or(String::new(), |c| format!(" where {}", expr(c)));
            format!("(pick {}{kind}{condition})", expr(count))
        }
        ExprNode::Error => "ERROR".into(),
    }
}

fn assignment(a: &Assignment) -> String {
    let target = |t: &Target| {
        let index = match (t.whole, t.index.is_empty()) {
            (true, _) => "[]".to_string(),
            (false, true) => String::new(),
            (false, false) => format!("[{}]", list(&t.index, expr, ",")),
        };
        format!("{}{index}", t.name.text)
    };
    format!("{} {} {}", list(&a.targets, target, ","), a.op.symbol(), list(&a.values, expr, ","))
}

fn process(p: &Process) -> String {
    match &p.node {
        ProcessNode::Skip => "Skip".into(),
        ProcessNode::Nil => "Nil".into(),
        ProcessNode::Call(name) => name.clone(),
        ProcessNode::Assign(a) => format!("({})", assignment(a)),
        ProcessNode::Block(list_) => format!("{{{}}}", list(list_, assignment, "; ")),
        ProcessNode::Seq(parts) => format!("(; {})", list(parts, process, " ")),
        ProcessNode::Choice(parts) => format!("(++ {})", list(parts, process, " ")),
        ProcessNode::Par(parts) => format!("(|| {})", list(parts, process, " ")),
        ProcessNode::Guard(g, p) => format!("(-> {} {})", expr(g), process(p)),
        ProcessNode::Conditional(g, p) => format!("(=> {} {})", expr(g), process(p)),
        ProcessNode::Rated(p, r) => format!("(@ {} {})", process(p), rate(r)),
        ProcessNode::Error => "ERROR".into(),
    }
}

fn rate(r: &Rate) -> String {
    match &r.value {
        RateValue::Decimal(text) => text.clone(),
        RateValue::Expr(e) => expr(e),
    }
}

fn init(i: &Init) -> String {
    match i {
        Init::Undef(_) => "undef".into(),
        Init::Value(e) => expr(e),
        Init::Set(values, _) => format!("{{{}}}", list(values, expr, ",")),
        Init::Range(a, b) => format!("{}..{}", expr(a), expr(b)),
    }
}

fn declared(name: &Name, dimensions: &[Expr]) -> String {
    let sizes =
        if dimensions.is_empty() { String::new() } else { format!("[{}]", list(dimensions, expr, ",")) };
    format!("{}{sizes}", name.text)
}

fn declaration(d: &Declaration) -> String {
    format!("{}: {}", declared(&d.name, &d.dimensions), init(&d.init))
}

fn modality(m: &Modality) -> String {
    match m {
        Modality::Always => "always".into(),
        Modality::Eventually { finally: true } => "finally".into(),
        Modality::Eventually { finally: false } => "eventually".into(),
        Modality::Fairly => "fairly".into(),
        Modality::FairlyInf => "fairly_inf".into(),
        Modality::After(n) => format!("after {}", expr(n)),
        Modality::Scoped(scope) => {
            let inside = match &scope.inside {
                Inside::Always => "always".to_string(),
                Inside::ThereIs => "thereIs".to_string(),
                Inside::Precedes(first) => format!("{} precedes", expr(first)),
            };
            let word = if scope.open { "from" } else { "between" };
            format!("{word} {} {} {inside}", expr(&scope.start), expr(&scope.end))
        }
        Modality::Linear(formula) => format!("ltl {}", formulas::formula(formula)),
    }
}

/// One line per item of the file.
fn file(f: &File) -> String {
    let mut out = Vec::new();
    let definition = |d: &ProcessDef| format!("  {} = {}", d.name.text, process(&d.body));
    for s in &f.systems {
        out.push("system".to_string());
        out.extend(s.externs.iter().map(|e| match e.default {
            Some(value) => format!("  extern {}: {value}", e.name.text),
            None => format!("  extern {}", e.name.text),
        }));
        out.extend(s.environment.iter().map(|d| format!("  env {}", declaration(d))));
        let spawns = s.spawn.iter().flatten();
        out.extend(spawns.map(|s| format!("  spawn {} {}", s.kind.text, expr(&s.count))));
        out.extend(s.processes.iter().map(definition));
    }
    for s in &f.stigmergies {
        out.push(format!("stigmergy {}", s.name.text));
        out.extend(s.link.iter().map(|l| format!("  link {}", expr(l))));
        out.extend(s.rate.iter().map(|r| format!("  rate {}", rate(r))));
        for t in &s.tuples {
            let variables = list(&t.variables, |(n, d)| declared(n, d), ", ");
            out.push(format!("  tuple {variables}: {}", list(&t.inits, init, ", ")));
        }
    }
    for a in &f.agents {
        out.push(format!("agent {}", a.name.text));
        out.extend(a.interface.iter().map(|d| format!("  attr {}", declaration(d))));
        out.extend(a.stigmergies.iter().map(|s| format!("  stig {}", s.text)));
        out.extend(a.rate.iter().map(|r| format!("  rate {}", rate(r))));
        out.extend(a.processes.iter().map(definition));
    }
    out.extend(f.assumptions.iter().map(|a| format!("assume {} {}", a.name.text, expr(&a.predicate))));
    out.extend(
        f.properties
            .iter()
            .map(|p| format!("check {} {} {}", p.name.text, modality(&p.modality), expr(&p.predicate))),
    );
    out.join("\n")
}

fn codes(diagnostics: Diagnostics) -> Vec<&'static str> {
    diagnostics.into_sorted().iter().map(|d| d.code).collect()
}

/// The expression prints like this, without any finding.
fn check_expr(input: &str, expected: &str) {
    let (e, d) = parse_expression(input);
    assert_eq!((expr(&e).as_str(), codes(d)), (expected, vec![]), "{input}");
}

fn in_agent(body: &str) -> String {
    format!("agent A {{ Behavior = {body} }}")
}

/// The body of `Behavior` prints like this, with these findings.
fn check_process_with(input: &str, expected: &str, findings: &[&str]) {
    let (f, d) = parse(&in_agent(input));
    assert_eq!(codes(d), findings, "{input}");
    assert_eq!(process(&f.agents[0].processes[0].body), expected, "{input}");
}

fn check_process(input: &str, expected: &str) {
    check_process_with(input, expected, &[]);
}

/// The file prints like this, without any finding.
fn check_file(input: &str, expected: &[&str]) {
    let (f, d) = parse(input);
    assert!(d.is_empty(), "{input}\n{:#?}", d.into_sorted());
    assert_eq!(file(&f), expected.join("\n"), "{input}");
}

/// The findings in the file: code, text below the main caret, and a part of the message.
fn check_errors(input: &str, expected: &[(&str, &str, &str)]) -> Vec<Diagnostic> {
    let found = parse(input).1.into_sorted();
    let shown: Vec<_> =
        found.iter().map(|d| (d.code, &input[d.primary.span.range()], d.message.as_str())).collect();
    assert_eq!(found.len(), expected.len(), "{input}\n{shown:#?}");
    for ((code, place, message), (c, p, m)) in shown.iter().zip(expected) {
        assert!(
            code == c && place == p && message.contains(m),
            "{input}\nexpected {c} at {p:?}: {m}\n{shown:#?}"
        );
    }
    found
}
