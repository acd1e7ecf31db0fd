//! The report about compositions as a file: data, a picture of the tree, or the table.

use crate::outcome::Answer;
use crate::words::{self, composition as said};
use serde_json::{Value as Json, json};
use swarmcheck_engine::Composition;
use swarmcheck_picture::tree::{Tree, TreeNode, sheet};

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// All numbers, by property.
    Json,
    /// A picture of each tree, with sizes.
    Svg,
    /// The tables in Markdown, and the trees.
    Markdown,
    /// The tables in columns, and the trees.
    Text,
}

impl ReportFormat {
    /// The formats with the endings of files that stand for them.
    pub const ENDINGS: &[(ReportFormat, &str)] = &[
        (ReportFormat::Json, "json"),
        (ReportFormat::Svg, "svg"),
        (ReportFormat::Markdown, "md"),
        (ReportFormat::Text, "txt"),
    ];

    /// The format that the ending of a file's name stands for.
    pub fn of(path: &str) -> Option<ReportFormat> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let (_, ending) = name.rsplit_once('.')?;
        let known = |(_, own): &&(ReportFormat, &str)| own.eq_ignore_ascii_case(ending);
        ReportFormat::ENDINGS.iter().find(known).map(|(format, _)| *format)
    }
}

/// The answers that were found by composition, with how that was.
pub fn composed(answers: &[Answer]) -> impl Iterator<Item = (&Answer, &Composition)> {
    answers.iter().filter_map(|answer| Some((answer, answer.composition.as_deref()?)))
}

/// The text of the file; none if no answer was found by composition.
pub fn report(model: &str, answers: &[Answer], format: ReportFormat) -> Option<String> {
    composed(answers).next()?;
    let texts = |one: &dyn Fn(&Answer, &Composition) -> String, between: &str| {
        composed(answers).map(|(answer, report)| one(answer, report)).collect::<Vec<_>>().join(between)
    };
    Some(match format {
        ReportFormat::Json => format!("{:#}\n", data(model, answers)),
        ReportFormat::Svg => {
            let trees: Vec<(String, Tree)> =
                composed(answers).map(|(answer, report)| (drawn(answer), tree(report))).collect();
            sheet(&format!("{model}: how the system was put together"), &trees)
        }
        ReportFormat::Text => texts(&text, "\n"),
        ReportFormat::Markdown => texts(
            &|answer, report| {
                let tree = said::tree(report);
                let tree: String = tree.lines().map(|line| format!("    {line}\n")).collect();
                let (table, heading) = (said::markdown(report), said::heading(report));
                format!("## {}\n\n{heading}{}.\n\n{table}\n{tree}", title(answer), why(report, ": "))
            },
            "\n",
        ),
    })
}

/// The table and the tree of one answer.
pub fn text(answer: &Answer, report: &Composition) -> String {
    let (table, tree) = (said::table(report), said::tree(report));
    format!("{}: {}{}\n\n{table}\n{tree}", title(answer), said::heading(report), why(report, "\n"))
}

/// Why the equivalence preserves what was asked, after what stands before it.
fn why(report: &Composition, before: &str) -> String {
    match report.preserves.as_str() {
        "" => String::new(),
        why => format!("{before}{why}"),
    }
}

/// What a picture is of, and how to read its numbers.
fn drawn(answer: &Answer) -> String {
    format!("{}: sizes before → after reduction", title(answer))
}

fn title(answer: &Answer) -> String {
    words::naming::row(answer).0.to_string()
}

fn data(model: &str, answers: &[Answer]) -> Json {
    let one = |(answer, report): (&Answer, &Composition)| {
        json!({
            "property": answer.name,
            "verdict": answer.outcome.word(),
            "composition": report,
        })
    };
    json!({
        "format": "swarmcheck-composition",
        "version": 1,
        "model": model,
        "results": composed(answers).map(one).collect::<Vec<_>>(),
    })
}

fn tree(report: &Composition) -> Tree {
    let node = |(number, node): (usize, &swarmcheck_engine::CompositionNode)| TreeNode {
        // What was joined is seen in the picture.
        name: match node.parts.is_empty() || number + 1 == report.nodes.len() {
            true => said::name(report, number),
            false => String::new(),
        },
        lines: said::lines(node),
        parts: node.parts.iter().map(|part| *part as usize).collect(),
    };
    let mut nodes: Vec<TreeNode> = report.nodes.iter().enumerate().map(node).collect();
    if report.unfinished {
        let part = |number: &usize| nodes.iter().any(|node| node.parts.contains(number));
        let parts = (0..nodes.len()).filter(|number| !part(number)).collect();
        nodes.push(TreeNode { name: "given up".to_string(), lines: vec![], parts });
    }
    Tree { nodes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_formats() {
        assert_eq!(ReportFormat::of("a.b/c.SVG"), Some(ReportFormat::Svg));
        assert_eq!(ReportFormat::of("c.md"), Some(ReportFormat::Markdown));
        for wrong in ["c", "a.svg/c", "c.", "c.html", ""] {
            assert_eq!(ReportFormat::of(wrong), None, "{wrong}");
        }
    }
}
