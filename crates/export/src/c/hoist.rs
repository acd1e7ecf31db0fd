//! Expressions that need a loop or a flag: each becomes a function of its own, written before the one that uses it.

use super::bounds::Bounds;
use super::expr::Text;
use super::helpers::Helper;
use super::names::{among, cells, comment, mentions, ranges};
use super::writer::{Scope, Writer};
use std::collections::BTreeSet;
use std::fmt::Write;
use swarmcheck_ir::{Expr, KindId, LocalId, Quantifier};

impl<'a> Writer<'a> {
    /// Whether an expression is not ⊥; an error in it counts as defined (`ir::Expr::Defined`).
    pub(super) fn defined(&'a self, scope: &Scope<'a>, e: &'a Expr) -> Text {
        let known = scope.known.eval(e);
        if !known.undef {
            return Text::atom("1");
        }
        if !known.fault {
            return Text::open(format!("{} != UNDEF", self.operand(scope, e)));
        }
        let (name, inside) = (scope.fresh("defined"), scope.quiet());
        let text = self.alone(&inside, e);
        let free = self.free(scope, e);
        self.help(Helper::Quiet);
        let body = format!(
            "  int outer = quiet, before = heard, result;\n  value it;\n  quiet = 1;\n  heard = 0;\n  it = {text};\n  \
             result = heard || it != UNDEF;\n  quiet = outer;\n  heard = before;\n  return result;\n"
        );
        self.hoist("an error counts as defined", "int", &name, &free, &body);
        Text::atom(format!("{name}({})", free.join(", ")))
    }

    pub(super) fn quantified(
        &'a self,
        scope: &Scope<'a>,
        whole: &'a Expr,
        quantifier: Quantifier,
        kinds: &'a [KindId],
        bound: u32,
        body: &'a Expr,
    ) -> Text {
        let (word, kind) = match quantifier {
            Quantifier::Forall => ("forall", "int"),
            Quantifier::Exists => ("exists", "int"),
            Quantifier::Count => ("count", "value"),
        };
        let name = scope.fresh(word);
        let condition = self.expr(&scope.under(bound, kinds), body);
        let agent = self.names.bound(bound);
        let mut text = String::new();
        if quantifier == Quantifier::Count {
            text += "  value count = 0;\n";
        }
        text += &self.each_agent("  ", &agent, kinds);
        let line = match quantifier {
            Quantifier::Forall => format!("if (!{}) return 0;", condition.tight()),
            Quantifier::Exists => format!("if ({}) return 1;", condition.text),
            Quantifier::Count => format!("if ({}) count++;", condition.text),
        };
        let last = match quantifier {
            Quantifier::Forall => "1",
            Quantifier::Exists => "0",
            Quantifier::Count => "count",
        };
        let _ = write!(text, "    {line}\n  }}\n  return {last};\n");
        let free = self.free(scope, whole);
        let names: Vec<&str> = kinds.iter().map(|k| self.program.kind(*k).name.as_str()).collect();
        self.hoist(&format!("{word} {agent} in {}", names.join(", ")), kind, &name, &free, &text);
        Text::atom(format!("{name}({})", free.join(", ")))
    }

    /// The head of a loop over the agents of some kinds, opening a block.
    pub(super) fn each_agent(&self, indent: &str, agent: &str, kinds: &[KindId]) -> String {
        let ranges = ranges(self.program, kinds);
        let (first, end) = match (ranges.first(), ranges.last()) {
            (Some(first), Some(last)) => (first.0, last.1),
            _ => (0, 0),
        };
        self.note(Bounds::of(0, end.into()));
        let mut out = format!("{indent}for (value {agent} = {first}; {agent} < {end}; {agent}++) {{\n");
        if ranges.len() > 1 {
            let inside = among(agent, &ranges, self.program.agents()).unwrap_or_default();
            let _ = writeln!(out, "{indent}  if (!({inside})) continue;");
        }
        out
    }

    /// The variables of the C function that an expression mentions.
    fn free(&self, scope: &Scope<'a>, e: &'a Expr) -> Vec<String> {
        let (mut me, mut outside, mut locals) = (false, BTreeSet::new(), BTreeSet::new());
        let around: BTreeSet<u32> = scope.known.bound.iter().map(|(b, _)| *b).collect();
        e.walk(&mut |e| match e {
            Expr::Me => me = true,
            Expr::Bound(b) if around.contains(b) => {
                outside.insert(*b);
            }
            Expr::Local(l) | Expr::LocalCell(l, ..) => {
                locals.insert(l.0);
            }
            _ => {}
        });
        let mut out = vec![];
        out.extend(me.then(|| "me".to_string()));
        out.extend(outside.into_iter().map(|b| self.names.bound(b)));
        out.extend(locals.into_iter().flat_map(|l| cells(scope.locals, LocalId(l)).iter().cloned()));
        out
    }

    fn hoist(&self, remark: &str, kind: &str, name: &str, parameters: &[String], body: &str) {
        let list = match parameters {
            [] => "void".to_string(),
            all => all.iter().map(|p| format!("value {p}")).collect::<Vec<_>>().join(", "),
        };
        let unused: String =
            (parameters.iter().filter(|p| !mentions(body, p))).map(|p| format!("  (void){p};\n")).collect();
        let remark = comment(remark);
        let text = format!("/* {remark} */\nstatic {kind} {name}({list})\n{{\n{unused}{body}}}\n\n");
        self.used.borrow_mut().hoisted += &text;
    }
}
