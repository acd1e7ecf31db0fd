//! Expressions in C.
//!
//! Plain operators where neither ⊥ nor overflow is possible, calls of the functions in `helpers` elsewhere. What needs a
//! loop or a flag becomes a function of its own, so that no expression of C has effects: the order in which C evaluates
//! operands then only decides which of several errors of the model is reported.

use super::bounds::Bounds;
use super::helpers::Helper;
use super::names::cells;
use super::writer::{Scope, Writer};
use swarmcheck_ir::{BinaryOp, Expr, LocalId, Place, UNDEF, UnaryOp, VarId, arith};
use swarmcheck_passes::ranges::same::same;

/// Text, and whether it can stand beside any operator without parentheses.
pub(super) struct Text {
    pub text: String,
    atomic: bool,
}

impl Text {
    pub(super) fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), atomic: true }
    }

    pub(super) fn open(text: String) -> Text {
        Text { text, atomic: false }
    }

    /// As an operand.
    pub(super) fn tight(self) -> String {
        if self.atomic { self.text } else { format!("({})", self.text) }
    }
}

impl<'a> Writer<'a> {
    /// An expression that stands alone.
    pub(super) fn alone(&'a self, scope: &Scope<'a>, e: &'a Expr) -> String {
        self.expr(scope, e).text
    }

    pub(super) fn operand(&'a self, scope: &Scope<'a>, e: &'a Expr) -> String {
        self.expr(scope, e).tight()
    }

    pub(super) fn expr(&'a self, scope: &Scope<'a>, e: &'a Expr) -> Text {
        let known = scope.known.eval(e);
        self.note(known);
        match e {
            Expr::Const(v) => Text::atom(self.constant(*v)),
            Expr::Me => Text::atom("me"),
            Expr::Bound(b) => Text::atom(self.names.bound(*b)),
            Expr::Local(l) => Text::atom(cells(scope.locals, *l).first().cloned().unwrap_or_default()),
            Expr::LocalCell(l, index, span) => self.local_cell(scope, *l, index, *span),
            Expr::Read(place) => self.read(scope, place),
            Expr::Unary(op, e) => self.unary(scope, *op, e),
            Expr::Binary(op, a, b, span) => self.binary(scope, *op, a, b, known, *span),
            Expr::And(parts) => self.junction(scope, parts, "&&", "1"),
            Expr::Or(parts) => self.junction(scope, parts, "||", "0"),
            Expr::If(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|e| self.operand(scope, e));
                Text::open(format!("{c} ? {a} : {b}"))
            }
            Expr::Defined(e) => self.defined(scope, e),
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.quantified(scope, e, *quantifier, kinds, *bound, body)
            }
        }
    }

    pub(super) fn constant(&self, v: i64) -> String {
        match v {
            UNDEF => "UNDEF".to_string(),
            v if v < 0 => format!("({v}{})", self.suffix(v)),
            v => format!("{v}{}", self.suffix(v)),
        }
    }

    fn suffix(&self, v: i64) -> &'static str {
        if i32::try_from(v).is_ok() { "" } else { "LL" }
    }

    fn junction(&'a self, scope: &Scope<'a>, parts: &'a [Expr], sign: &str, neutral: &str) -> Text {
        let mut texts: Vec<Text> = vec![];
        for (at, part) in parts.iter().enumerate() {
            // Compilers warn about comparisons that exclude each other; a call is not looked into.
            texts.push(match part {
                Expr::Binary(op, a, b, _)
                    if parts[..at].iter().any(|p| excludes(p, part, neutral == "1")) =>
                {
                    self.compared(scope, *op, a, b)
                }
                part => self.expr(scope, part),
            });
        }
        texts.retain(|t| t.text != neutral);
        match texts.len() {
            0 => Text::atom(neutral),
            1 => texts.remove(0),
            _ => {
                let parts: Vec<String> = texts.into_iter().map(Text::tight).collect();
                Text::open(parts.join(&format!(" {sign} ")))
            }
        }
    }

    fn unary(&'a self, scope: &Scope<'a>, op: UnaryOp, e: &'a Expr) -> Text {
        let undef = scope.known.eval(e).undef;
        match op {
            UnaryOp::Not => Text::atom(format!("!{}", self.operand(scope, e))),
            UnaryOp::Neg if !undef => Text::open(format!("-{}", self.operand(scope, e))),
            UnaryOp::Neg => self.call(Helper::Negate, vec![self.alone(scope, e)]),
            UnaryOp::Abs => self.call(Helper::Absolute, vec![self.alone(scope, e)]),
        }
    }

    fn call(&self, helper: Helper, arguments: Vec<String>) -> Text {
        Text::atom(format!("{}({})", self.help(helper), arguments.join(", ")))
    }

    fn binary(
        &'a self,
        scope: &Scope<'a>,
        op: BinaryOp,
        a: &'a Expr,
        b: &'a Expr,
        known: Bounds,
        span: swarmcheck_source::Span,
    ) -> Text {
        let (left, right) = (scope.known.eval(a), scope.known.eval(b));
        let defined = !left.undef && !right.undef;
        let fits = defined && known.lo >= -self.style.top && known.hi <= self.style.top;
        // Compilers warn about comparing a thing with itself; a call is not looked into.
        let itself = same(a, b);
        let plain =
            |sign: &str| Text::open(format!("{} {sign} {}", self.operand(scope, a), self.operand(scope, b)));
        let both = || vec![self.alone(scope, a), self.alone(scope, b)];
        let may_overflow = binary_may_overflow(op, left, right);
        let watched = |helper| {
            let mut arguments = both();
            arguments.push(self.site(span).to_string());
            self.call(helper, arguments)
        };
        match op {
            BinaryOp::Add if fits && !may_overflow => plain("+"),
            BinaryOp::Sub if fits && !may_overflow => plain("-"),
            BinaryOp::Mul if fits && !may_overflow => plain("*"),
            BinaryOp::Add => watched(Helper::Add),
            BinaryOp::Sub => watched(Helper::Subtract),
            BinaryOp::Mul => watched(Helper::Multiply),
            BinaryOp::Div if !known.undef => plain("/"),
            BinaryOp::Mod if !known.undef && left.lo >= 0 && right.lo > 0 => plain("%"),
            BinaryOp::Div => self.call(Helper::Divide, both()),
            BinaryOp::Mod => self.call(Helper::Modulo, both()),
            BinaryOp::Round => self.call(Helper::Rounded, both()),
            BinaryOp::Min => self.call(Helper::Minimum, both()),
            BinaryOp::Max => self.call(Helper::Maximum, both()),
            BinaryOp::Eq if defined && !itself => plain("=="),
            BinaryOp::Ne if defined && !itself => plain("!="),
            BinaryOp::Lt if defined && !itself => plain("<"),
            BinaryOp::Le if defined && !itself => plain("<="),
            BinaryOp::Gt if defined && !itself => plain(">"),
            BinaryOp::Ge if defined && !itself => plain(">="),
            BinaryOp::And => plain("&&"),
            BinaryOp::Or => plain("||"),
            comparison => self.compared(scope, comparison, a, b),
        }
    }

    /// A comparison as a call, which is false for an undefined operand.
    fn compared(&'a self, scope: &Scope<'a>, op: BinaryOp, a: &'a Expr, b: &'a Expr) -> Text {
        let (a, b) = match op {
            BinaryOp::Gt | BinaryOp::Ge => (self.alone(scope, b), self.alone(scope, a)),
            _ => (self.alone(scope, a), self.alone(scope, b)),
        };
        let helper = match op {
            BinaryOp::Eq => Helper::Equal,
            BinaryOp::Ne => Helper::Different,
            BinaryOp::Lt | BinaryOp::Gt => Helper::Less,
            _ => Helper::AtMost,
        };
        self.call(helper, vec![a, b])
    }

    fn local_cell(
        &'a self,
        scope: &Scope<'a>,
        l: LocalId,
        index: &'a Expr,
        span: swarmcheck_source::Span,
    ) -> Text {
        let cells = cells(scope.locals, l);
        if let Expr::Const(at) = index
            && let Some(cell) = usize::try_from(*at).ok().and_then(|at| cells.get(at))
        {
            return Text::atom(cell.clone());
        }
        let mut arguments = vec![self.alone(scope, index)];
        arguments.extend(cells.iter().cloned());
        arguments.push(self.site(span).to_string());
        self.call(Helper::CellOf(cells.len() as u32), arguments)
    }

    /// The agent, if any, and the indices of a place.
    pub(super) fn coordinates(&'a self, scope: &Scope<'a>, place: &'a Place) -> Vec<String> {
        place.agent.iter().map(|a| &**a).chain(&place.index).map(|e| self.alone(scope, e)).collect()
    }

    fn read(&'a self, scope: &Scope<'a>, place: &'a Place) -> Text {
        let mut at = self.coordinates(scope, place);
        if scope.known.exists(place) {
            return Text::atom(self.cell(place.var, &at));
        }
        at.push(self.site(place.span).to_string());
        self.used.borrow_mut().readers.insert(place.var);
        Text::atom(format!("read_{}({})", self.names.var(place.var), at.join(", ")))
    }

    /// A cell that exists.
    pub(super) fn cell(&self, var: VarId, at: &[String]) -> String {
        let name = self.names.var(var);
        if self.style.array_free {
            if at.is_empty() {
                return name.to_string();
            }
            self.used.borrow_mut().getters.insert(var);
            return format!("get_{name}({})", at.join(", "));
        }
        let indices: String = at.iter().map(|i| format!("[{i}]")).collect();
        format!("{}{name}{indices}", if self.style.structure { "now." } else { "" })
    }

    /// An assignment to a cell that exists.
    pub(super) fn store(&self, var: VarId, at: &[String], value: &str) -> String {
        if self.style.array_free && !at.is_empty() {
            self.used.borrow_mut().setters.insert(var);
            return format!("set_{}({}, {value});", self.names.var(var), at.join(", "));
        }
        let cell = self.cell(var, at);
        // Compilers warn about assigning a thing to itself.
        if cell == value { format!("(void){cell};") } else { format!("{cell} = {value};") }
    }
}

/// Whether two comparisons of the same thing with constants cannot both be true (or, with `both` false, both be false).
fn excludes(one: &Expr, other: &Expr, both: bool) -> bool {
    let (Expr::Binary(op, a, b, _), Expr::Binary(also, c, d, _)) = (one, other) else { return false };
    let (Expr::Const(x), Expr::Const(y)) = (&**b, &**d) else { return false };
    if !op.is_comparison() || !also.is_comparison() || !same(a, c) {
        return false;
    }
    let near = [x, y].into_iter().flat_map(|v| [v.saturating_sub(1), *v, v.saturating_add(1)]);
    let truth = |op: BinaryOp, v, with| arith::binary(op, v, with) == Some(1);
    let mut together = near.filter(|v| truth(*op, *v, *x) == both && truth(*also, *v, *y) == both);
    together.next().is_none()
}

/// Whether a sum, difference or product may not fit 64 bits.
fn binary_may_overflow(op: BinaryOp, a: Bounds, b: Bounds) -> bool {
    let clean = |x: Bounds| Bounds { fault: false, ..x };
    super::bounds::binary(op, clean(a), clean(b)).fault
}
