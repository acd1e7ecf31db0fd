//! Parameters that say how many agents there are, and nothing else.
//!
//! A family of systems, one for each value of a parameter, is uniform if the value is the number of agents of some kinds and occurs
//! nowhere else. Tokens are looked at, not the tree: what a walk over the tree could miss is still a token.

use crate::syntax::ast::ExprNode;
use crate::syntax::parse_with_tokens;
use crate::syntax::token::TokenKind;
use swarmcheck_source::Span;

/// The kinds whose number of agents is this parameter, in the order of `spawn`; or a place where it means something else. Of the properties, only the
/// one with this name counts.
pub fn spawned(text: &str, parameter: &str, property: &str) -> Result<Vec<String>, Span> {
    let (file, tokens) = parse_with_tokens(text);
    let (mut kinds, mut allowed) = (vec![], vec![]);
    for system in &file.systems {
        allowed.extend(system.externs.iter().map(|parameter| parameter.name.span));
        for spawn in system.spawn.iter().flatten() {
            if matches!(&spawn.count.node, ExprNode::Parameter(name) if name == parameter) {
                kinds.push(spawn.kind.text.clone());
                allowed.push(spawn.count.span);
            }
        }
    }
    allowed.extend(file.properties.iter().filter(|p| p.name.text != property).map(|p| p.span));
    let written = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let means = |span: Span| written(span).trim_start_matches('_') == parameter;
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Parameter && means(token.span)) {
        let inside = |span: &Span| span.start <= token.span.start && token.span.end <= span.end;
        if !allowed.iter().any(inside) {
            return Err(token.span);
        }
    }
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use super::spawned;

    fn check(text: &str, expected: Result<&[&str], &str>) {
        let found = spawned(text, "n", "P");
        let place = found.as_ref().err().map(|span| {
            let line = text[..span.start as usize].lines().count();
            format!("{line}: {}", &text[span.start as usize..span.end as usize])
        });
        match expected {
            Ok(kinds) => assert_eq!(found.unwrap(), kinds),
            Err(at) => assert_eq!(place.as_deref(), Some(at)),
        }
    }

    #[test]
    fn a_parameter_is_a_number_of_agents_or_something_else() {
        let model = |spawn: &str, rest: &str| {
            format!(
                "system {{ extern = _n, _m\n spawn = {spawn} }}\nagent A {{ interface = x: 0 {rest} }}\ncheck {{ }}"
            )
        };
        check(&model("A: _n", "Behavior = x <- 1"), Ok(&["A"]));
        check(&model("A: _n, B: _n, C: 2", "Behavior = x <- 1"), Ok(&["A", "B"]));
        check(&model("A: _m", "Behavior = x <- 1"), Ok(&[]));
        check(&model("A: _n", "Behavior = x <- _n"), Err("3: _n"));
        check(&model("A: _n + 1", "Behavior = x <- 1"), Err("2: _n"));
        check(&model("A: _n", "Behavior = x < _n - 1 -> x <- 1"), Err("3: _n"));
        check(&model("A: _n", "Behavior = x <- _m"), Ok(&["A"]));
        let about = |name: &str| {
            let property = format!("{name} = always forall A a, x of a < _n");
            model("A: _n", "Behavior = x <- 1").replace("check { }", &format!("check {{ {property} }}"))
        };
        check(&about("P"), Err("4: _n"));
        check(&about("Q"), Ok(&["A"]));
    }
}
