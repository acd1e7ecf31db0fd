//! External parameters: what `extern` declares and what the command line gives.

use super::names::{Names, Parameter};
use super::words;
use crate::codes;
use crate::syntax::ast;
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Span};

/// Fills the table of parameters. Those without a usable value are reported and stay without one.
pub(super) fn declare<'a>(
    names: &mut Names<'a>,
    file: &'a ast::File,
    end: Span,
    given: &[(String, String)],
    out: &mut Diagnostics,
) {
    let given: Vec<(&str, &str)> =
        given.iter().map(|(name, value)| (name.strip_prefix('_').unwrap_or(name), value.trim())).collect();
    for declared in file.systems.iter().flat_map(|s| &s.externs) {
        let (name, span) = (declared.name.text.as_str(), declared.name.span);
        if let Some(at) = names.parameter(name) {
            out.push(words::duplicate("parameter", &declared.name, names.parameters[at].span));
            continue;
        }
        let values: Vec<&str> = given.iter().filter(|(n, _)| *n == name).map(|(_, v)| *v).collect();
        let value = match declared.default.filter(|_| values.is_empty()) {
            Some(default) => Some(default),
            None => value(name, span, &values, out),
        };
        names.parameter_index.insert(name, names.parameters.len());
        names.parameters.push(Parameter { name, span, value });
    }
    check_given(names, file, end, &given, out);
}

/// The value given to a parameter; reported if it is not exactly one number.
fn value(name: &str, span: Span, given: &[&str], out: &mut Diagnostics) -> Option<i64> {
    let Some(first) = given.first() else {
        let error =
            Diagnostic::error(codes::MISSING_PARAMETER, span, format!("parameter `_{name}` has no value"));
        let default = format!("or a default in the model: `extern = _{name}: 5`");
        let fix = Fix::insert(span.end, ": 5", format!("give `_{name}` a default"));
        out.push(error.help(format!("give it a value: {name}=5")).help(default).fix(fix));
        return None;
    };
    if let Some(other) = given.iter().find(|v| *v != first) {
        let message =
            format!("parameter `_{name}` is given two values: {} and {}", shown(first), shown(other));
        out.push(Diagnostic::error(codes::PARAMETER_VALUE, span, message));
        return None;
    }
    // The smallest number of 64 bits has no positive counterpart, and engines use it for ⊥.
    let value = first.parse().ok().filter(|v| *v != i64::MIN);
    if value.is_none() {
        let digits = first.strip_prefix(['-', '+']).unwrap_or(first);
        let message = match !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            true => format!("the value of `_{name}` does not fit 64 bits"),
            false => format!("the value of `_{name}` must be a number, not `{}`", shown(first)),
        };
        let mut error =
            Diagnostic::error(codes::PARAMETER_VALUE, span, message).help(format!("for example {name}=5"));
        if first.contains("..") {
            let open =
                format!("{name}=1.. asks about every number from 1 on, with --where '{name} <= 3' up to 3");
            error = error.help(open);
        }
        out.push(error);
    }
    value
}

/// At most this many characters of user input are repeated in a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Values for parameters that do not exist.
fn check_given(names: &Names, file: &ast::File, end: Span, given: &[(&str, &str)], out: &mut Diagnostics) {
    let mut unknown: Vec<&str> = vec![];
    for (name, _) in given {
        if names.parameter(name).is_none() && !unknown.contains(name) {
            unknown.push(name);
        }
    }
    if unknown.is_empty() {
        return;
    }
    let declared = names.parameters.iter().map(|p| p.span).reduce(Span::to);
    let place = declared.or(file.systems.first().map(|s| s.span)).unwrap_or(end);
    let shown: Vec<String> = unknown.iter().map(|n| shown(n)).collect();
    let message = match unknown.len() {
        1 => format!("a value is given for parameter `{}`, which does not exist", shown[0]),
        _ => {
            format!(
                "values are given for parameters {}, which do not exist",
                words::list(shown.iter().map(|n| n.as_str()))
            )
        }
    };
    let mut error = Diagnostic::error(codes::UNKNOWN_PARAMETER, place, message);
    if names.parameters.is_empty() {
        error = error.help("this file has no parameters");
    }
    for name in unknown {
        let near = names.nearest(name, names.parameters.iter().map(|p| p.name));
        // The text to mend is not in the file, so there is no fix.
        error = error.help_if(near.map(|near| format!("did you mean `{near}`?")));
    }
    out.push(error);
}
