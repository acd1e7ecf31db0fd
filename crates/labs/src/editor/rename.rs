//! A new name for a symbol, at all its places, if the file still means the same.
//!
//! Whether a name is free depends on scopes. Instead of asking for each of them, the new text is read: every place must mean the same
//! declaration as before, and the checker must say the same.

use super::index::index;
use super::naming::{fixed_name, name_problem};
use crate::check::check;
use crate::syntax::parse;
use swarmcheck_source::Span;
use swarmcheck_source::fix::{Edit, Fix, FixData};
use swarmcheck_source::index::{Index, SymbolKind};

/// The edits that give a symbol of the index of a text another name, or a sentence that says why it cannot have it. The name of a
/// parameter may be written with or without its underscore.
pub fn rename(text: &str, names: &Index, symbol: usize, name: &str) -> Result<Vec<Edit>, String> {
    let Some(found) = names.symbols.get(symbol) else {
        return Err("There is nothing to rename.".to_string());
    };
    let parameter = found.kind == SymbolKind::Parameter;
    let bare = if parameter { name.strip_prefix('_').unwrap_or(name) } else { name };
    if let Some(problem) = fixed_name(found).or_else(|| name_problem(found.kind, bare)) {
        return Err(problem);
    }
    if parse(text).1.has_errors() {
        return Err(
            "Names in text that cannot be read would be missed: correct the syntax errors first.".to_string()
        );
    }
    let written = if parameter { format!("_{bare}") } else { bare.to_string() };
    let edits: Vec<Edit> =
        names.of(symbol).map(|place| Edit { span: place.span, text: written.clone() }).collect();
    let fix = Fix { title: String::new(), edits: edits.clone() };
    let Some(changed) = FixData::from(&fix).apply(text) else {
        return Err("The file has changed in the meantime.".to_string());
    };
    // Places keep their order, and symbols are numbered in that order, so the numbers can be compared.
    let meant =
        |names: &Index| -> Vec<usize> { names.occurrences.iter().map(|place| place.symbol).collect() };
    if meant(&index(&changed)) != meant(names) || said(&changed) != said(text) {
        return Err(format!("`{written}` already means something at one of these places."));
    }
    Ok(edits)
}

/// The codes of what parser and checker say.
fn said(text: &str) -> Vec<&'static str> {
    let (file, parsed) = parse(text);
    let (_, checked) = check(&file, Span::new(text.len(), text.len()), &[]);
    let mut codes: Vec<&str> = parsed.iter().chain(checked.iter()).map(|d| d.code).collect();
    codes.sort_unstable();
    codes
}

#[cfg(test)]
mod tests {
    use super::super::index;
    use super::rename;

    const MODEL: &str = "system { extern = _n environment = e: 0 spawn = A: _n, B: 1  P = e <-- 1 }
        agent A { interface = x: 0 Behavior = P; { v := x; x <- v } }
        agent B { interface = y: 0 Q = Skip Behavior = y <- 1; Q; P }
        check { R = always forall A a, forall B b, x of a = y of b and e = 0 }";

    /// Renames the symbol whose name stands first in the text: the new text, or why not.
    fn renamed(name: &str, new: &str) -> Result<String, String> {
        let index = index(MODEL);
        let symbol = index.symbols.iter().position(|symbol| symbol.name == name).expect("a symbol");
        let edits = rename(MODEL, &index, symbol, new)?;
        let mut text = MODEL.to_string();
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.range(), &edit.text);
        }
        Ok(text)
    }

    #[test]
    fn names_that_are_free() {
        assert_eq!(renamed("n", "_m"), Ok(MODEL.replace("_n", "_m")));
        assert_eq!(renamed("n", "m"), Ok(MODEL.replace("_n", "_m")));
        // Two kinds may have an attribute of the same name.
        let both = MODEL.replace("y: 0", "x: 0").replace("y <- 1", "x <- 1").replace("y of b", "x of b");
        assert_eq!(renamed("y", "x"), Ok(both));
        // Properties and processes have names of their own.
        assert_eq!(renamed("R", "P"), Ok(MODEL.replace("R = always", "P = always")));
    }

    #[test]
    fn nothing_is_missed_where_text_cannot_be_read() {
        let text = "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = { x <- ; } }";
        let index = index(text);
        let symbol = index.symbols.iter().position(|symbol| symbol.name == "x").expect("a symbol");
        assert!(rename(text, &index, symbol, "y").is_err());
    }

    #[test]
    fn names_that_are_taken() {
        for (name, new) in [
            ("x", "e"),
            ("e", "y"),
            ("v", "x"),
            ("a", "b"),
            ("a", "e"),
            ("A", "B"),
            ("Q", "P"),
            ("x", "X"),
            ("x", "min"),
            ("Behavior", "Start"),
            ("Q", "Behavior"),
        ] {
            let problem = renamed(name, new).expect_err(&format!("{name} cannot be called {new}"));
            assert!(problem.ends_with('.'), "a sentence: {problem}");
        }
    }
}
