//! `swarmcheck new`: a folder with a small model that can be changed, and its project file.

use crate::arguments::{LanguageOf, NewArguments};
use crate::commands::create::create;
use crate::commands::examples::names;
use crate::exit::Exit;
use crate::shell::Shell;
use std::path::Path;

/// A model to start from: a property of it holds, and another one is violated.
pub struct Template {
    pub language: LanguageOf,
    /// What files of the language end in.
    pub ending: &'static str,
    pub model: &'static str,
    pub holds: &'static str,
    pub violated: &'static str,
}

/// One for every language.
pub const TEMPLATES: &[Template] = &[
    Template {
        language: LanguageOf::Labs,
        ending: "labs",
        model: include_str!("../templates/model.labs"),
        holds: "Agreed",
        violated: "NeverAgreed",
    },
    Template {
        language: LanguageOf::Rcheck,
        ending: "rcp",
        model: include_str!("../templates/model.rcp"),
        holds: "WaitsWhenFull",
        violated: "NeverFull",
    },
    Template {
        language: LanguageOf::Ccs,
        ending: "ccs",
        model: include_str!("../templates/model.ccs"),
        holds: "Ticks",
        violated: "NeverTicks",
    },
    Template {
        language: LanguageOf::Chor,
        ending: "chor",
        model: include_str!("../templates/model.chor"),
        holds: "Answered",
        violated: "NeverAnswered",
    },
];

/// Starts a model.
pub fn run(arguments: &NewArguments, shell: &Shell) -> Exit {
    let folder = Path::new(&arguments.name);
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return shell.usage(&format!("{:?} is no name for a folder", arguments.name));
    };
    // The name stands in a TOML string and on command lines.
    let plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    if !name.chars().all(plain) || name.starts_with(['-', '.']) {
        let text = format!(
            "a name has letters, digits, '-', '_' and '.', and begins with none of '-' and '.', not {name:?}"
        );
        return shell.usage(&text);
    }
    let Some(template) = TEMPLATES.iter().find(|template| template.language == arguments.language) else {
        return shell.failure("there is no template for this language");
    };
    let file = format!("{name}.{}", template.ending);
    let project = project(template, &file);
    let files = [(file.as_str(), template.model), (swarmcheck_project::FILE, project.as_str())];
    match create(folder, &files) {
        Ok(()) => {
            let shown = arguments.name.trim_end_matches('/');
            let text = format!(
                "{shown}: {}\nnext: swarmcheck verify {shown}/{file}\n      swarmcheck test {shown}\n",
                names(&files)
            );
            shell.print(&text)
        }
        Err(why) => shell.usage(&why),
    }
}

fn project(template: &Template, file: &str) -> String {
    let Template { holds, violated, .. } = template;
    format!(
        "# What is expected of the properties of {file}. 'swarmcheck test' decides them and compares.\nversion = 1\n\n\
         [limits]\ntime = 60        # seconds for each model\n\n[[model]]\nfile = \"{file}\"\nproperties = [\n  \
         {{ name = \"{holds}\", expect = \"holds\" }},\n  {{ name = \"{violated}\", expect = \"violated\" }},\n]\n"
    )
}
