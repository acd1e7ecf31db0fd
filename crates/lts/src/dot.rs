//! Drawings of small systems, for Graphviz.

use crate::system::{Lts, TAU};
use std::collections::BTreeMap;
use std::fmt::{Result, Write};

/// Writes a drawing. Transitions between the same two states share an arrow; it is dashed if all of them are
/// invisible.
pub fn write(out: &mut impl Write, lts: &Lts) -> Result {
    writeln!(out, "digraph lts {{")?;
    writeln!(out, "  node [shape=circle];")?;
    writeln!(out, "  start [shape=point];")?;
    writeln!(out, "  start -> {};", lts.initial())?;
    for source in 0..lts.states() {
        writeln!(out, "  {source};")?;
        let mut arrows: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for &(label, target) in lts.steps(source) {
            arrows.entry(target).or_default().push(lts.label(label));
        }
        for (target, labels) in arrows {
            let texts: Vec<String> = labels.iter().map(|label| escape(label)).collect();
            let style = if labels == [TAU] { ", style=dashed" } else { "" };
            writeln!(out, "  {source} -> {target} [label=\"{}\"{style}];", texts.join("\\n"))?;
        }
    }
    writeln!(out, "}}")
}

/// In Graphviz a backslash introduces more than quotation marks, so it is doubled; a line end would end nothing, but
/// is easier on the eye as `\n`. XML does not have other control characters, so drawings would not be readable with them.
fn escape(label: &str) -> String {
    let escaped = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    escaped.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Builder;

    #[test]
    fn a_drawing() {
        let mut builder = Builder::new();
        builder.step(0, "a", 1);
        builder.step(0, "say \"\\\"", 1);
        builder.step(0, "\u{0}\u{1b}[2J\r\u{9b}", 1);
        builder.step(1, TAU, 0);
        let mut text = String::new();
        write(&mut text, &builder.finish(1)).unwrap();
        let expected = r#"digraph lts {
  node [shape=circle];
  start [shape=point];
  start -> 1;
  0;
  0 -> 1 [label="a\nsay \"\\\"\n��[2J��"];
  1;
  1 -> 0 [label="i", style=dashed];
}
"#;
        assert_eq!(text, expected);
    }
}
