//! The names of a file's properties, for completion in shells and editors.

use crate::languages::{LanguageWord, language};
use crate::open::{ModelOptions, prepare};
use crate::specification::split_name;
use crate::verify::{VerifyOptions, questions};

/// The properties of a model, as far as they can be told without values for its parameters. A file with errors may have some.
pub fn property_names(name: &str, text: &str, named: Option<LanguageWord>) -> Vec<String> {
    let path = split_name(name, named).0;
    if language(path, named).word == LanguageWord::Labs {
        let file = swarmcheck_labs::syntax::parse(text).0;
        return file.properties.into_iter().map(|property| property.name.text).collect();
    }
    let options = ModelOptions { language: named, ..ModelOptions::default() };
    let Ok(prepared) = prepare(name, text.as_bytes(), options) else { return vec![] };
    questions(&prepared, &VerifyOptions::default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::property_names;

    #[test]
    fn every_language_has_names() {
        let check = |name: &str, text: &str, expected: &[&str]| {
            assert_eq!(property_names(name, text, None), expected, "{name}");
        };
        // Parameters need no values.
        let labs = "system { extern = _n spawn = A: _n } agent A { interface = x: 0 Behavior = x <- x }\n\
                    check { P = always true Q = eventually forall A a, x of a = 1 }";
        check("a.labs", labs, &["P", "Q"]);
        check("a.ccs", "proc A = a.A\nsystem = A\ncheck { P = eventually a }", &["P"]);
        check("a.chor", "choreography C = a[x,y]\ncheck { P = eventually a[x,y] }", &["P"]);
        check("a.labs", "", &[]);
        check("a.ccs", "nothing of the kind", &[]);
    }
}
