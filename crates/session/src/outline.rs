//! What a file contains, for a form beside an editor: parameters, properties and agents. In LAbS this is read from the syntax
//! tree, so that it is there while the model has errors, values of parameters are missing, for instance. In other languages it
//! is that of the checked model.

use crate::languages::LanguageWord;
use crate::open::Checked;
use crate::place;
use serde::{Deserialize, Serialize};
use swarmcheck_labs::syntax;
use swarmcheck_source::data::{PlaceData, place as place_of};
use swarmcheck_source::{SourceFile, Span};

/// The contents of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outline {
    /// The word of the language.
    pub language: LanguageWord,
    /// The parameters, in the order of the file.
    pub parameters: Vec<ParameterOutline>,
    /// The properties, in the order of the file.
    pub properties: Vec<PropertyOutline>,
    /// The kinds of agents, in the order of their numbers.
    pub agents: Vec<AgentOutline>,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ParameterOutline {
    /// Without the underscore.
    pub name: String,
    /// The value that the model itself gives.
    pub default: Option<i64>,
    /// Where it is declared.
    pub place: PlaceData,
}

/// A property.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PropertyOutline {
    /// As verdicts name it.
    pub name: String,
    /// As it is written, in one line; none if that is very long.
    pub text: Option<String>,
    /// Where it stands.
    pub place: PlaceData,
}

/// A kind of agents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentOutline {
    /// As the model calls the kind.
    pub kind: String,
    /// How many there are, if that is known.
    pub count: Option<u32>,
}

/// The outline of a file that was checked; none if there is nothing to tell.
pub fn outline(checked: &Checked) -> Option<Outline> {
    let language = checked.language().word;
    let mut outline = match language {
        LanguageWord::Labs => labs(&checked.file)?,
        _ => Outline { language, parameters: vec![], properties: properties(checked)?, agents: vec![] },
    };
    if let Some(program) = checked.program() {
        let kinds = program.kinds.iter();
        outline.agents =
            kinds.map(|kind| AgentOutline { kind: kind.name.clone(), count: Some(kind.count) }).collect();
    }
    Some(outline)
}

fn labs(file: &SourceFile) -> Option<Outline> {
    let (tree, _) = syntax::parse(file.text());
    let systems = || tree.systems.iter();
    let parameters: Vec<ParameterOutline> = systems()
        .flat_map(|system| &system.externs)
        .map(|parameter| ParameterOutline {
            name: parameter.name.text.clone(),
            default: parameter.default,
            place: place_of(file, parameter.name.span),
        })
        .collect();
    let properties: Vec<PropertyOutline> =
        tree.properties.iter().map(|property| written(file, &property.name.text, property.span)).collect();
    let agents: Vec<AgentOutline> = systems()
        .filter_map(|system| system.spawn.as_ref())
        .flatten()
        // What is computed from parameters is known when they have values.
        .map(|spawn| AgentOutline {
            kind: spawn.kind.text.clone(),
            count: file.slice(spawn.count.span).parse().ok(),
        })
        .collect();
    let is_empty = parameters.is_empty() && properties.is_empty() && agents.is_empty();
    (!is_empty).then_some(Outline { language: LanguageWord::Labs, parameters, properties, agents })
}

/// The properties of a model that was checked. One that can be read in two ways is one property of the file.
fn properties(checked: &Checked) -> Option<Vec<PropertyOutline>> {
    let (model, program) = (checked.model.as_ref()?, checked.program()?);
    let named = program.properties.iter().enumerate().map(|(number, property)| {
        let name = model.reading(number).map_or(property.name.as_str(), |reading| reading.of);
        (name, property.span)
    });
    let mut found: Vec<PropertyOutline> = vec![];
    for (name, span) in named {
        if found.last().is_none_or(|last| last.name != name) {
            found.push(written(&checked.file, name, span));
        }
    }
    found.sort_by_key(|property| property.place.start);
    Some(found)
}

/// Where the place of a property is that of its name, its text begins with the name and an equals sign.
fn without_name(text: String, name: &str) -> String {
    let rest = text.strip_prefix(name).and_then(|rest| rest.trim_start().strip_prefix('='));
    rest.map_or_else(|| text.clone(), |rest| rest.trim_start().to_string())
}

fn written(file: &SourceFile, name: &str, span: Span) -> PropertyOutline {
    let named = file.slice(span) == name;
    PropertyOutline {
        name: name.to_string(),
        text: place::written(file, name, span)
            .map(|text| if named { without_name(text, name) } else { text }),
        place: place_of(file, span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const MODEL: &str = "system { extern = _n, _m: 4 spawn = A: _n, B: 2 }\n\
                         agent A { interface = x: 0 Behavior = x <- 1 }\nagent B { interface = x: 0 Behavior = x <- 1 }\n\
                         check { P = always forall A a, x of a <= 1 }\n";

    fn of(name: &str, text: &str, parameters: &[(String, String)]) -> Option<Outline> {
        outline(&check(name, text.as_bytes(), parameters))
    }

    fn agents(outline: &Outline) -> Vec<(&str, Option<u32>)> {
        outline.agents.iter().map(|agent| (agent.kind.as_str(), agent.count)).collect()
    }

    #[test]
    fn a_model_without_values_has_an_outline() {
        let open = of("m.labs", MODEL, &[]).unwrap();
        let parameters: Vec<_> = open.parameters.iter().map(|p| (p.name.as_str(), p.default)).collect();
        assert_eq!(parameters, [("n", None), ("m", Some(4))]);
        assert_eq!(agents(&open), [("A", None), ("B", Some(2))]);
        assert_eq!(open.properties[0].name, "P");
        assert_eq!(open.properties[0].text.as_deref(), Some("always forall A a, x of a <= 1"));
        let place = &open.properties[0].place;
        assert_eq!(&MODEL[place.start as usize..place.end as usize], "always forall A a, x of a <= 1");
        let valued = of("m.labs", MODEL, &[("n".to_string(), "3".to_string())]).unwrap();
        assert_eq!(agents(&valued), [("A", Some(3)), ("B", Some(2))]);
        assert_eq!(valued.properties, open.properties);
    }

    #[test]
    fn properties_of_calculi_stand_behind_their_names() {
        let text = "proc Clock = tick.Clock\nsystem = Clock\ncheck {\n  Ticks = eventually tick\n}\n";
        let clock = of("clock.ccs", text, &[]).unwrap();
        assert_eq!(clock.language, LanguageWord::Ccs);
        assert_eq!(clock.properties[0].name, "Ticks");
        assert_eq!(clock.properties[0].text.as_deref(), Some("eventually tick"));
    }

    #[test]
    fn half_a_model_has_half_an_outline() {
        let half = of("m.labs", "system { extern = _n\n", &[]).unwrap();
        assert_eq!((half.parameters.len(), half.properties.len()), (1, 0));
        assert_eq!(of("m.labs", "", &[]), None);
        assert_eq!(of("m.ccs", "A =", &[]), None);
    }
}
