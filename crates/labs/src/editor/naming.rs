//! Which names may be given to what: `docs/labs.md`, "Words and symbols".

use crate::syntax::token::KEYWORDS;
use swarmcheck_source::index::{Symbol, SymbolKind};

/// The process that an agent starts with, in both spellings.
const START: [&str; 2] = ["Behavior", "Behaviour"];

/// Why this cannot be the name of such a symbol, as a sentence. The name of a parameter is meant without its underscore.
pub fn name_problem(kind: SymbolKind, name: &str) -> Option<String> {
    let capital = match kind {
        SymbolKind::Parameter
        | SymbolKind::Attribute
        | SymbolKind::StigmergicVariable
        | SymbolKind::EnvironmentVariable
        | SymbolKind::LocalVariable
        | SymbolKind::BoundAgent => false,
        SymbolKind::AgentKind
        | SymbolKind::Stigmergy
        | SymbolKind::Process
        | SymbolKind::Property
        | SymbolKind::Assumption => true,
        _ => return Some("LAbS does not declare anything of this kind.".to_string()),
    };
    let Some(first) = name.chars().next() else { return Some("A name cannot be empty.".to_string()) };
    if kind == SymbolKind::Parameter && first == '_' {
        return Some(format!(
            "The name of a parameter is given without its underscore, and `{name}` has one."
        ));
    }
    if let Some(other) = name.chars().find(|c| !c.is_ascii_alphanumeric() && *c != '_') {
        return Some(format!(
            "Names consist of letters a-z, A-Z, digits and `_`, so `{other}` cannot be used."
        ));
    }
    if capital && !first.is_ascii_uppercase() {
        return Some(format!(
            "The name of {} starts with a capital letter, and `{name}` does not.",
            what(kind)
        ));
    }
    if !capital && !first.is_ascii_lowercase() {
        return Some(format!(
            "The name of {} starts with a lowercase letter, and `{name}` does not.",
            what(kind)
        ));
    }
    let word = KEYWORDS.contains(&name) || matches!(name, "and" | "or" | "not" | "Skip" | "Nil");
    if word && kind != SymbolKind::Parameter {
        return Some(format!("`{name}` is a reserved word."));
    }
    if kind == SymbolKind::Process && START.contains(&name) {
        return Some(format!("`{name}` is the process that agents start with."));
    }
    None
}

/// Why a symbol cannot get another name at all, as a sentence.
pub fn fixed_name(symbol: &Symbol) -> Option<String> {
    let fixed = symbol.kind == SymbolKind::Process && START.contains(&symbol.name.as_str());
    fixed.then(|| "Agents start with the process `Behavior`, so it cannot have another name.".to_string())
}

fn what(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Parameter => "a parameter",
        SymbolKind::BoundAgent => "a bound agent",
        SymbolKind::AgentKind => "a kind of agents",
        SymbolKind::Stigmergy => "a stigmergy",
        SymbolKind::Process => "a process",
        SymbolKind::Property => "a property",
        SymbolKind::Assumption => "an assumption",
        _ => "a variable",
    }
}

#[cfg(test)]
mod tests {
    use super::name_problem;
    use crate::syntax::parse;
    use swarmcheck_source::index::SymbolKind;

    /// A file in which something of each kind has a given name. The parser decides whether it may have it.
    fn model(kind: SymbolKind, name: &str) -> String {
        let or = |wanted: SymbolKind, other: &str| {
            if kind == wanted { name.to_string() } else { other.to_string() }
        };
        format!(
            "system {{ extern = _{} environment = {}: 0 spawn = {}: 1 }} stigmergy {} {{ link = true {}: 0 }}
             agent Z {{ interface = {}: 0 {} = {{ {} := 1; zz <- 1 }} }}
             assume {{ {} = true }} check {{ {} = always forall Z {}, true }}",
            or(SymbolKind::Parameter, "zp"),
            or(SymbolKind::EnvironmentVariable, "ze"),
            or(SymbolKind::AgentKind, "Z"),
            or(SymbolKind::Stigmergy, "Zs"),
            or(SymbolKind::StigmergicVariable, "zs"),
            or(SymbolKind::Attribute, "za"),
            or(SymbolKind::Process, "Zp"),
            or(SymbolKind::LocalVariable, "zl"),
            or(SymbolKind::Assumption, "Za"),
            or(SymbolKind::Property, "Zq"),
            or(SymbolKind::BoundAgent, "zb"),
        )
    }

    #[test]
    fn the_parser_agrees() {
        let kinds = [
            SymbolKind::Parameter,
            SymbolKind::EnvironmentVariable,
            SymbolKind::AgentKind,
            SymbolKind::Stigmergy,
            SymbolKind::StigmergicVariable,
            SymbolKind::Attribute,
            SymbolKind::Process,
            SymbolKind::LocalVariable,
            SymbolKind::Assumption,
            SymbolKind::Property,
            SymbolKind::BoundAgent,
        ];
        let names = [
            "x", "X", "min", "not", "Skip", "Nil", "a_b1", "é", "aé", "1x", "_x", "x-y", "agent", "count",
            "rate",
        ];
        let (mut fine, mut refused) = (0, 0);
        for kind in kinds {
            for name in names {
                let problem = name_problem(kind, name);
                let errors = parse(&model(kind, name)).1;
                assert_eq!(
                    problem.is_some(),
                    errors.has_errors(),
                    "{kind:?} {name}: {problem:?}, {errors:#?}"
                );
                fine += usize::from(problem.is_none());
                refused += usize::from(problem.is_some());
            }
        }
        assert!(fine >= 20 && refused >= 60, "{fine} names are fine, {refused} are not");
    }

    #[test]
    fn behavior_is_taken_and_nothing_is_no_name() {
        assert!(name_problem(SymbolKind::Attribute, "").is_some());
        assert!(name_problem(SymbolKind::Process, "Behaviour").is_some());
        assert!(name_problem(SymbolKind::Property, "Behavior").is_none());
    }
}
