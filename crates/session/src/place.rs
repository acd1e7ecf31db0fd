//! Where the things that answers are about stand in the text of a model.

use crate::open::Prepared;
use crate::verify::question_of;
use swarmcheck_source::data::{PlaceData, place};

/// The places of these properties; none for a name that the model does not have, as that of deadlock freedom.
pub fn questions(prepared: &Prepared, names: &[String]) -> Vec<Option<PlaceData>> {
    let properties = prepared.flat.program.properties.iter().enumerate();
    let mut known: Vec<(&str, _)> =
        properties.map(|(number, property)| (question_of(prepared, number), property.span)).collect();
    known.extend(prepared.model.linear().iter().map(|linear| (linear.name.as_str(), linear.span)));
    let find = |name: &String| known.iter().find(|(known, _)| known == name);
    names.iter().map(|name| find(name).map(|(_, span)| place(&prepared.file, *span))).collect()
}
