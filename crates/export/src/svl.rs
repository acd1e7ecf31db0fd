//! A script in SVL that builds the transition system of the parallel program piece by piece and checks properties on it:
//! every process is generated and reduced for itself, then their composition (ATLAS paper, section 5.1).

use crate::naming::line_comment;
use crate::{Export, File, mcl};

/// The script, and the queries it needs. Properties that MCL cannot express are left out, and the script says so.
pub(crate) fn write(export: &Export<'_>, module: &str, composition: &[String]) -> Vec<File> {
    let system = format!("{module}.bcg");
    let mut out = vec![
        format!(
            "-- Compositional verification of {}, written by swarmcheck.",
            line_comment(export.file.name())
        ),
        String::new(),
        format!("% DEFAULT_PROCESS_FILE=\"{module}.lnt\""),
        String::new(),
        "-- Every process is reduced, then what they are together. Queries look at these three labels only."
            .to_string(),
        format!("\"{system}\" = root leaf divbranching reduction of"),
        "   hide all but ASSIGN, START, STEP in".to_string(),
    ];
    out.extend(composition.iter().map(|l| format!("      {l}")));
    out.push("   end hide;".to_string());
    let chosen: Vec<usize> = match export.property {
        Some(property) => vec![property],
        None => (0..export.program.properties.len()).collect(),
    };
    let mut files = vec![];
    for property in chosen {
        let Some(name) = export.program.properties.get(property).map(|p| mcl::plain(&p.name)) else {
            continue;
        };
        out.push(String::new());
        match mcl::write(&Export { property: Some(property), ..*export }) {
            Err(refusal) => out.push(format!("-- Not checked: {}", line_comment(&refusal.why))),
            Ok(queries) => {
                out.extend([
                    format!("property {name}"),
                    format!("   \"property {name} of the model\""),
                    "is".to_string(),
                    format!("   \"{name}_diagnostic.bcg\" = verify \"{name}.mcl\" with evaluator4 in \"{system}\";"),
                    "   expected TRUE".to_string(),
                    "end property".to_string(),
                ]);
                files.extend(queries);
            }
        }
    }
    if export.property.is_none() {
        for formula in export.formulas {
            let name = line_comment(formula);
            out.extend([
                String::new(),
                format!("-- Not checked: property {name}: it is a formula over actions"),
            ]);
        }
    }
    let script = File { name: format!("{module}.svl"), text: out.join("\n") + "\n" };
    std::iter::once(script).chain(files).collect()
}
