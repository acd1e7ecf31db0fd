//! Who calls whom, as the protocol writes it.

use crate::documents::Document;
use crate::text::Encoding;
use serde_json::{Value as Json, json};
use swarmcheck_session::editor::protocol::SymbolData;

/// A process.
pub(super) fn item(process: &SymbolData, document: &Document, encoding: Encoding) -> Json {
    let range = |place| document.text.range(place, encoding);
    json!({
        "name": process.name,
        "kind": super::symbol_kind(process.kind),
        "uri": document.uri,
        "range": range(process.extent),
        "selectionRange": range(process.place),
    })
}

/// Other processes, and where they call or are called.
pub(super) fn list(
    role: &str,
    calls: &[(SymbolData, Vec<(u32, u32)>)],
    document: &Document,
    encoding: Encoding,
) -> Json {
    let call = |(process, places): &(SymbolData, Vec<(u32, u32)>)| {
        let ranges: Vec<_> = places.iter().map(|place| document.text.range(*place, encoding)).collect();
        json!({ role: item(process, document, encoding), "fromRanges": ranges })
    };
    calls.iter().map(call).collect()
}
