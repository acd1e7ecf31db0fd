//! Traces in the Informal Trace Format of Apalache: one JSON object with a list of whole states.
//!
//! An environment variable is a number or, for an array, a list. A variable of the agents is a map from agent
//! numbers to such values. ⊥ is the string `"undef"`; a value that has a name is the name, as a string, and a truth value
//! is one.

use serde_json::{Map, Value as Json, json};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{UNDEF, Value, Var, VarId};

/// A document under construction.
pub struct Itf<'f> {
    flat: &'f Flat,
    states: Vec<Json>,
}

impl<'f> Itf<'f> {
    /// A trace without states.
    pub fn new(flat: &'f Flat) -> Itf<'f> {
        Itf { flat, states: vec![] }
    }

    /// Adds a state; `action` says how it was reached.
    pub fn state(&mut self, state: &[Value], action: &str) {
        let mut object = Map::new();
        object.insert("#meta".into(), json!({ "index": self.states.len(), "action": action }));
        let layout = &self.flat.layout;
        for (var, decl) in self.data() {
            let one = |value: &Value| self.value(var, *value);
            let read = |first: u32| {
                let cells = &state[first as usize..];
                match decl.dimensions.is_empty() {
                    true => one(&cells[0]),
                    false => cells[..decl.cells()].iter().map(one).collect(),
                }
            };
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

    fn value(&self, var: VarId, value: Value) -> Json {
        match self.flat.value_name(var, value) {
            Some("true") => json!(true),
            Some("false") => json!(false),
            Some(name) => json!(name),
            None if value == UNDEF => json!("undef"),
            None => json!(value),
        }
    }

    fn data(&self) -> impl Iterator<Item = (VarId, &Var)> {
        let vars = self.flat.program.vars.iter().enumerate();
        vars.filter(|(_, v)| matches!(v.role, Role::Data { .. })).map(|(i, v)| (VarId(i as u32), v))
    }

    /// The finished JSON document.
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
