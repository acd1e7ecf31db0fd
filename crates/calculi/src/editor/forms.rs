//! Forms with several parts, as `message[from, to]`, of which one is being written.

use swarmcheck_source::index::Signature;

/// Describes a form. Its parts are found in the label one after the other.
pub fn signature(label: &str, parts: &[&str], active: usize, says: &str) -> Signature {
    let mut from = 0;
    let mut places = vec![];
    for part in parts {
        let start = label.get(from..).and_then(|rest| rest.find(part)).map_or(from, |at| from + at);
        from = start + part.len();
        places.push((start as u32, from as u32));
    }
    let active = active.min(parts.len().saturating_sub(1)) as u32;
    Signature { label: label.to_string(), parts: places, active, says: says.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_in_order() {
        let form = signature("a(b, a)", &["b", "a"], 7, "");
        assert_eq!((form.parts, form.active), (vec![(2, 3), (5, 6)], 1));
    }
}
