//! A strict parser for the part of SVL that the exporter writes: the composition is parsed as LNT, because SVL has the same
//! notation for it, and files must be there.

use crate::syntax::{self, Module, Statement};
use std::collections::BTreeSet;
use swarmcheck_export::File;

/// Checks a script against the module it is for and the files that come with it.
pub fn check(files: &[File], module: &Module) {
    let script = files.iter().find(|f| f.name == "parallel.svl").expect("a script");
    let names: BTreeSet<&str> = files.iter().map(|f| f.name.as_str()).collect();
    let lines: Vec<&str> =
        script.text.lines().filter(|l| !l.trim_start().starts_with("--") && !l.is_empty()).collect();
    let mut lines = lines.into_iter();
    assert_eq!(lines.next(), Some("% DEFAULT_PROCESS_FILE=\"parallel.lnt\""));
    assert!(names.contains("parallel.lnt"));
    assert_eq!(lines.next(), Some("\"parallel.bcg\" = root leaf divbranching reduction of"));
    let head = lines.next().expect("what is hidden");
    let shown =
        head.strip_prefix("   hide all but ").and_then(|h| h.strip_suffix(" in")).expect("labels that stay");
    let main = module.processes.iter().find(|p| p.name == "main").expect("MAIN");
    let gates: Vec<String> = main.gates.iter().map(|(gate, _)| gate.to_uppercase()).collect();
    assert_eq!(shown, gates.join(", "), "what the main process does not hide");
    let composition: Vec<&str> = lines.by_ref().take_while(|l| *l != "   end hide;").collect();
    let text =
        format!("module m is process main [A: none] is {} end process end module", composition.join("\n"));
    let parsed = syntax::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let [Statement::Hide(_, expected)] = main.body.as_slice() else { panic!("MAIN hides gates") };
    assert_eq!(format!("{:?}", parsed.processes[0].body), format!("{expected:?}"), "the same composition");
    while let Some(line) = lines.next() {
        let name = line.strip_prefix("property ").expect("a property");
        assert_eq!(lines.next(), Some(format!("   \"property {name} of the model\"").as_str()));
        assert_eq!(lines.next(), Some("is"));
        let verify = format!(
            "   \"{name}_diagnostic.bcg\" = verify \"{name}.mcl\" with evaluator4 in \"parallel.bcg\";"
        );
        assert_eq!(lines.next(), Some(verify.as_str()));
        assert_eq!(lines.next(), Some("   expected TRUE"));
        assert_eq!(lines.next(), Some("end property"));
        assert!(names.contains(format!("{name}.mcl").as_str()), "the query of {name}");
    }
}
