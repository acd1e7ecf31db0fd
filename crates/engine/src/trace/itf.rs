//! Traces in the Informal Trace Format of Apalache: one JSON object with a list of whole states.
//!
//! An environment variable is a number or, for an array, a list. A variable of the agents is a map from agent
//! numbers to such values. ⊥ is the string `"undef"`.

use serde_json::{Map, Value as Json, json};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{UNDEF, Value};

/// Collects states.
pub struct Itf<'f> {
    flat: &'f Flat,
    states: Vec<Json>,
}

impl<'f> Itf<'f> {
    /// An empty trace.
    pub fn new(flat: &'f Flat) -> Itf<'f> {
        Itf { flat, states: vec![] }
    }

    /// Adds a state; `action` says how it was reached.
    pub fn state(&mut self, state: &[Value], action: &str) {
        let mut object = Map::new();
        object.insert("#meta".into(), json!({ "index": self.states.len(), "action": action }));
        let layout = &self.flat.layout;
        for (var, decl) in self.data() {
            let read = |first: u32| cells(&state[first as usize..], decl.cells(), decl.dimensions.is_empty());
            let value = match decl.owners {
                None => read(layout.global(var)),
                Some(_) => {
                    let copies =
                        (0..self.flat.program.agents()).filter_map(|a| Some((a, layout.copy(var, a)?)));
                    json!({ "#map": copies.map(|(a, first)| json!([a, read(first)])).collect::<Vec<_>>() })
                }
            };
            object.insert(decl.name.clone(), value);
        }
        self.states.push(Json::Object(object));
    }

    fn data(&self) -> impl Iterator<Item = (swarmcheck_ir::VarId, &swarmcheck_ir::Var)> {
        let vars = self.flat.program.vars.iter().enumerate();
        vars.filter(|(_, v)| matches!(v.role, Role::Data { .. }))
            .map(|(i, v)| (swarmcheck_ir::VarId(i as u32), v))
    }

    /// The whole document.
    pub fn finish(self, description: &str, loop_start: Option<usize>) -> Json {
        let vars: Vec<&str> = self.data().map(|(_, v)| v.name.as_str()).collect();
        let mut out = json!({
            "#meta": { "format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
                       "description": description },
            "vars": vars,
            "states": self.states,
        });
        if let Some(at) = loop_start {
            out["loop"] = json!(at);
        }
        out
    }
}

fn cells(values: &[Value], count: usize, scalar: bool) -> Json {
    let one = |v: &Value| if *v == UNDEF { json!("undef") } else { json!(v) };
    if scalar { one(&values[0]) } else { values[..count].iter().map(one).collect() }
}
