//! Emulation functions, the initial block and properties in C: one function each.

use super::bounds::Bounds;
use super::names::{among, comment, mentions, ranges};
use super::writer::{Scope, Used, Writer};
use std::cell::Cell;
use std::fmt::Write;
use swarmcheck_ir::print::property_to_string;
use swarmcheck_ir::{Expr, Function, KindId, Local, Rule, Stmt};
use swarmcheck_source::{SourceFile, Span};

/// The functions of a program, as text.
pub(super) struct Parts {
    /// The initial block, called `init`.
    pub init: String,
    /// The emulation functions.
    pub steps: String,
    /// Whether a step is possible, called `can_step`; where it was asked for.
    pub enabled: String,
    /// The predicates of the properties, called `holds`, or `holds_1` and so on where there are several.
    pub holds: Vec<String>,
}

impl<'a> Writer<'a> {
    /// All functions. `locals` are the names of the locals of each function, those of the initial block last.
    pub(super) fn parts(
        &'a self,
        file: &SourceFile,
        properties: &[usize],
        locals: &'a [Vec<Vec<String>>],
        counters: &'a [Cell<u32>],
        enabled: bool,
    ) -> Parts {
        let program = self.program;
        self.note(Bounds::of(0, program.agents().into()));
        let last = program.functions.len();
        let init = self.function(
            "init",
            &Block {
                remark: "The initial state: every choice gives one.".to_string(),
                me: None,
                entry: &[],
                guard: None,
                locals: Locals { declared: &program.init_locals, names: &locals[last] },
                body: &program.init,
                counter: &counters[last],
            },
        );
        let mut steps = String::new();
        for (at, f) in program.functions.iter().enumerate() {
            steps += &self.function(
                self.names.function(at),
                &Block {
                    remark: remark(f, file),
                    me: Some(&f.owners),
                    entry: &f.entry,
                    guard: Some(&f.guard),
                    locals: Locals { declared: &f.locals, names: &locals[at] },
                    body: &f.body,
                    counter: &counters[at],
                },
            );
        }
        let enabled = if enabled { self.can_step(counters) } else { String::new() };
        let holds = properties.iter().enumerate().map(|(at, p)| {
            let property = &program.properties[*p];
            let name = holds_name(at, properties.len());
            let scope = self.scope(&name, &[], Locals::NONE, &[], false, &counters[last]);
            let text = self.alone(&scope, &property.predicate);
            let remark = comment(&property_to_string(program, property));
            self.hoisted() + &format!("/* {remark} */\nstatic int {name}(void)\n{{\n  return {text};\n}}\n\n")
        });
        let holds = holds.collect();
        Parts { init, steps, enabled, holds }
    }

    fn scope(
        &'a self,
        name: &str,
        me: &'a [KindId],
        locals: Locals<'a>,
        body: &'a [Stmt],
        start: bool,
        next: &'a Cell<u32>,
    ) -> Scope<'a> {
        let known = self.known(me, locals.declared, body, start);
        Scope { name: name.to_string(), known, locals: locals.names, next }
    }

    /// The auxiliary functions that were written since the last time.
    fn hoisted(&self) -> String {
        let used: &mut Used = &mut self.used.borrow_mut();
        std::mem::take(&mut used.hoisted)
    }

    fn function(&'a self, name: &str, block: &Block<'a>) -> String {
        let (start, me) = (block.me.is_none(), block.me.unwrap_or(&[]));
        let scope = self.scope(name, me, block.locals, block.body, start, block.counter);
        let mut text = String::new();
        let me = vec!["me".to_string()];
        for (var, at) in block.entry {
            let _ = writeln!(text, "  assume({} == {});", self.cell(*var, &me), self.constant(*at));
            self.note(Bounds::of((*at).into(), (*at).into()));
        }
        if let Some(guard) = block.guard {
            self.assume(&scope, &mut text, 1, guard);
        }
        self.block(&scope, &mut text, 1, block.body);
        let mut head = String::new();
        if !start && !mentions(&text, "me") {
            head += "  (void)me;\n";
        }
        for cell in block.locals.names.iter().flatten() {
            let _ = writeln!(head, "  value {cell} = 0;");
        }
        // A local that is only written would make compilers complain.
        for cell in block.locals.names.iter().flatten() {
            if !mentions(&text.replace(&format!("{cell} = "), ""), cell) {
                let _ = writeln!(head, "  (void){cell};");
            }
        }
        let parameters = if start { "void" } else { "value me" };
        let remark = comment(&block.remark);
        self.hoisted() + &format!("/* {remark} */\nstatic void {name}({parameters})\n{{\n{head}{text}}}\n\n")
    }

    /// Whether some agent can take some step. Only right if no body gets stuck after its guard.
    fn can_step(&'a self, counters: &'a [Cell<u32>]) -> String {
        let mut out = String::new();
        let mut calls = String::new();
        let me = vec!["me".to_string()];
        for (at, f) in self.program.functions.iter().enumerate() {
            let name = format!("can_{}", self.names.function(at));
            let scope = self.scope(&name, &f.owners, Locals::NONE, &[], false, &counters[at]);
            let entry =
                f.entry.iter().map(|(var, at)| format!("{} == {}", self.cell(*var, &me), self.constant(*at)));
            let guard =
                Some(self.alone(&scope, &f.guard)).filter(|text| text != "1").map(|text| format!("({text})"));
            let parts: Vec<String> = entry.chain(guard).collect();
            let condition = if parts.is_empty() { "1".to_string() } else { parts.join(" && ") };
            let unused = if mentions(&condition, "me") { "" } else { "  (void)me;\n" };
            out += &self.hoisted();
            let _ = write!(out, "static int {name}(value me)\n{{\n{unused}  return {condition};\n}}\n\n");
            calls += &self.each_agent("  ", "me", &f.owners);
            let _ = write!(calls, "    if ({name}(me)) return 1;\n  }}\n");
        }
        out + &format!(
            "/* Whether there is a step. */\nstatic int can_step(void)\n{{\n{calls}  return 0;\n}}\n\n"
        )
    }

    /// The body of a switch over the functions: for each, the condition that the agent may run it, and its name.
    pub(super) fn schedule(&self) -> Vec<(Option<String>, &str)> {
        let agents = self.program.agents();
        let one = |(at, f): (usize, &Function)| {
            (among("me", &ranges(self.program, &f.owners), agents), self.names.function(at))
        };
        self.program.functions.iter().enumerate().map(one).collect()
    }
}

/// What the predicate of a property is called, the one with this number.
pub(super) fn holds_name(at: usize, of: usize) -> String {
    if of == 1 { "holds".to_string() } else { format!("holds_{}", at + 1) }
}

/// The locals of a function, and the names of their cells in C.
#[derive(Clone, Copy)]
struct Locals<'a> {
    declared: &'a [Local],
    names: &'a [Vec<String>],
}

impl Locals<'_> {
    const NONE: Locals<'static> = Locals { declared: &[], names: &[] };
}

/// What a function is made from.
struct Block<'a> {
    remark: String,
    me: Option<&'a [KindId]>,
    entry: &'a [(swarmcheck_ir::VarId, i64)],
    guard: Option<&'a Expr>,
    locals: Locals<'a>,
    body: &'a [Stmt],
    counter: &'a Cell<u32>,
}

/// Where a function comes from: the action or the rule, and its place in the user's file.
fn remark(f: &Function, file: &SourceFile) -> String {
    let rule = match &f.rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { verb, object, .. } => format!("{verb} '{object}'"),
    };
    match (f.span.start, f.span.end) {
        (0, 0) => rule,
        _ => format!("{rule} -- {}", place(f.span, file)),
    }
}

/// A place in the user's file.
pub(super) fn place(span: Span, file: &SourceFile) -> String {
    format!("{}:{}", file.name(), file.position(span))
}
