//! Lines of LNT: statements are lists of lines, and `;` stands between them, never after the last.

/// One statement, or several in a row, line by line.
pub(crate) type Lines = Vec<String>;

pub(crate) fn line(text: impl Into<String>) -> Lines {
    vec![text.into()]
}

/// The lines one level deeper.
pub(crate) fn indent(lines: Lines) -> Lines {
    lines.into_iter().map(|l| if l.is_empty() { l } else { format!("   {l}") }).collect()
}

/// A construct with a head and an end around its body.
pub(crate) fn nest(head: impl Into<String>, body: Lines, end: &str) -> Lines {
    let mut out = line(head);
    out.extend(indent(body));
    out.push(end.to_string());
    out
}

/// Parts with a separating word on lines of its own, each part one level deeper: branches of a choice.
pub(crate) fn branches(head: &str, parts: Vec<Lines>, between: &str, end: &str) -> Lines {
    let mut out = line(head);
    for (i, part) in parts.into_iter().enumerate() {
        if i > 0 {
            out.push(between.to_string());
        }
        out.extend(indent(part));
    }
    out.push(end.to_string());
    out
}

/// Statements one after the other; `null` if there is none.
pub(crate) fn sequence(statements: Vec<Lines>) -> Lines {
    let mut statements: Vec<Lines> = statements.into_iter().filter(|s| !s.is_empty()).collect();
    let Some(last) = statements.pop() else {
        return line("null");
    };
    let mut out = vec![];
    for mut statement in statements {
        if let Some(end) = statement.last_mut() {
            end.push(';');
        }
        out.extend(statement);
    }
    out.extend(last);
    out
}

/// Declares local variables around a statement, if there are any.
pub(crate) fn declare(variables: &[(String, String)], body: Lines) -> Lines {
    if variables.is_empty() {
        return body;
    }
    let one = |(name, kind): &(String, String)| format!("{name}: {kind}");
    let list = variables.iter().map(one).collect::<Vec<_>>();
    nest(format!("var {} in", list.join(", ")), body, "end var")
}

/// A condition of several parts after a word such as `only if`, one part per line where one line would be too long.
pub(crate) fn guarded(word: &str, parts: &[String], body: Lines) -> Lines {
    if parts.is_empty() {
        return body;
    }
    let all = parts.join(" and ");
    if all.len() <= 80 {
        return nest(format!("{word} {all} then"), body, "end if");
    }
    let mut out = line(word);
    for (i, part) in parts.iter().enumerate() {
        let after = if i + 1 < parts.len() { " and" } else { "" };
        out.push(format!("   {part}{after}"));
    }
    out.push("then".to_string());
    out.extend(indent(body));
    out.push("end if".to_string());
    out
}
