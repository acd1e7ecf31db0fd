//! Where the things that answers are about stand in the text of a model.

use crate::open::Prepared;
use crate::verify::question_of;
use swarmcheck_source::data::{PlaceData, place};
use swarmcheck_source::{SourceFile, Span};

/// The places of these properties; none for a name that the model does not have, as that of deadlock freedom, or a predicate
/// that is to be reached. The latter stands behind the text of the model only while that is read.
pub fn questions(prepared: &Prepared, names: &[String]) -> Vec<Option<PlaceData>> {
    let properties = prepared.flat.program.properties.iter().enumerate();
    let properties = properties.filter(|(number, _)| !prepared.is_reach(*number));
    let known: Vec<(&str, _)> =
        properties.map(|(number, property)| (question_of(prepared, number), property.span)).collect();
    let find = |name: &String| known.iter().find(|(known, _)| known == name);
    names.iter().map(|name| find(name).map(|(_, span)| place(&prepared.file, *span))).collect()
}

/// Longer texts are not repeated.
const LONGEST: usize = 400;

/// A property as it is written, in one line; none if it is empty or very long. Calculi know where its name is, and it stands in
/// the line of its name.
pub(crate) fn text(prepared: &Prepared, name: &str, span: Span) -> Option<String> {
    written(&prepared.file, name, span)
}

/// The same of a file.
pub(crate) fn written(file: &SourceFile, name: &str, span: Span) -> Option<String> {
    let all = file.text();
    let mut text = all.get(span.start as usize..span.end as usize)?;
    if text == name {
        text = all.get(span.start as usize..)?.lines().next()?;
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty() && line.len() <= LONGEST).then_some(line)
}
