//! Triple structures as a drawing in Graphviz' language: locations are nodes, triples are edges.
//!
//! A triple whose entry or exit concerns several components is drawn as a small square that joins them, as Petri
//! nets do. Dashed arrows lead to what an exit may pick.

use crate::print::{condition, exit};
use crate::{Exit, Location, Pc, Structure};
use std::collections::BTreeSet;
use std::fmt::Write;

/// One cluster with the given title. `prefix` keeps node names of several structures apart.
pub fn dot<A, G>(
    structure: &Structure<A, G>,
    title: &str,
    prefix: &str,
    label: impl Fn(&[G], &A) -> String,
) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "  subgraph \"cluster_{prefix}\" {{\n    label=\"{}\";", escape(title));
    let node = |(pc, at): (Pc, Location)| format!("{prefix}_{}_{}", pc.0, at.0);
    let mut used: BTreeSet<(Pc, Location)> = BTreeSet::new();
    let mut edges = String::new();
    let mut draw = |name: String, words: String, entry: &[(Pc, Location)], leaving: &Exit| {
        let picked: BTreeSet<_> = leaving.picks.iter().flatten().flat_map(Exit::begins).collect();
        used.extend(entry.iter().chain(&leaving.set).chain(&picked));
        let plain = leaving.joins.is_empty() && picked.is_empty();
        if let ([from], [to], true) = (entry, leaving.set.as_slice(), plain) {
            let _ = writeln!(edges, "    {} -> {} [label=\"{}\"];", node(*from), node(*to), escape(&words));
            return;
        }
        let _ = writeln!(edges, "    {name} [shape=box, label=\"{}\"];", escape(&words));
        for from in entry {
            let _ = writeln!(edges, "    {} -> {name};", node(*from));
        }
        for to in &leaving.set {
            let _ = writeln!(edges, "    {name} -> {};", node(*to));
        }
        for to in picked {
            let _ = writeln!(edges, "    {name} -> {} [style=dashed];", node(to));
        }
    };
    draw(format!("{prefix}_start"), "start".to_string(), &[], &structure.start);
    for (i, triple) in structure.triples.iter().enumerate() {
        let words = label(&triple.guards, &triple.action);
        draw(format!("{prefix}_t{}", i + 1), words, &triple.entry, &triple.exit);
    }
    for (i, join) in structure.joins.iter().enumerate() {
        let ended = join.branches.iter().map(|pc| (*pc, Location::ENDED));
        let entry: Vec<_> = std::iter::once(join.parent).chain(ended).collect();
        let words = format!("join {}\n{}\n{}", i + 1, condition(&entry), exit(&join.exit));
        draw(format!("{prefix}_j{}", i + 1), words, &entry, &join.exit);
    }
    for (pc, at) in used {
        let shape = if at == Location::ENDED { "doublecircle" } else { "circle" };
        let words = condition(&[(pc, at)]);
        let _ = writeln!(out, "    {} [shape={shape}, label=\"{words}\"];", node((pc, at)));
    }
    out + &edges + "  }\n"
}

/// Control characters would end up in drawings, and XML does not have them.
fn escape(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    escaped.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Term, build};

    #[test]
    fn simple_triples_are_edges_and_others_are_boxes() {
        let term: Term<&str, &str> =
            Term::Seq(vec![Term::Act("say \"a\""), Term::Par(vec![Term::Act("b"), Term::Act("c")])]);
        let built = build(&[term], 0, Choice::Late, 100).unwrap();
        let text = dot(&built, "A", "A", |_, a| a.to_string());
        for part in [
            "A_t1 [shape=box, label=\"say \\\"a\\\"\"];",
            "A_0_1 -> A_t1;",
            "A_t1 -> A_0_2;",
            "A_0_0 [shape=doublecircle, label=\"pc0 = 0\"];",
            "A_1_0 -> A_j1;",
            "A_j1 -> A_0_0;",
        ] {
            assert!(text.contains(part), "{part} missing in\n{text}");
        }
        let only: Term<&str, &str> = Term::Seq(vec![Term::Act("a"), Term::Act("b")]);
        let text = dot(&build(&[only], 0, Choice::Late, 100).unwrap(), "A", "A", |_, a| a.to_string());
        assert!(text.contains("A_0_1 -> A_0_2 [label=\"a\"];"), "{text}");
    }

    #[test]
    fn what_an_exit_may_pick_is_dashed() {
        let choice = Term::Choice(vec![Term::Act("b"), Term::Act("c")]);
        let term: Term<&str, &str> = Term::Seq(vec![Term::Act("a"), choice]);
        let text = dot(&build(&[term], 0, Choice::Early, 100).unwrap(), "A", "A", |_, a| a.to_string());
        for part in ["A_t1 -> A_0_2 [style=dashed];", "A_t1 -> A_0_3 [style=dashed];", "A_0_3 [shape=circle"]
        {
            assert!(text.contains(part), "{part} missing in\n{text}");
        }
    }
}
