//! Small models built by hand, for the unit tests of the rules.

use crate::{Interpreter, Label, ModelError, Options, State};
use swarmcheck_labs::model::*;
use swarmcheck_labs::syntax::ast::{AssignOp, BinaryOp};
use swarmcheck_source::Span;

/// A model under construction.
pub struct Build(pub Model);

impl Build {
    pub fn new() -> Build {
        Build(Model {
            parameters: vec![],
            environment: vec![],
            kinds: vec![],
            variables: vec![],
            stigmergies: vec![],
            tuples: vec![],
            processes: vec![],
            actions: vec![],
            assumptions: vec![],
            properties: vec![],
            view: None,
            rates: Rates::default(),
        })
    }

    pub fn variable(&mut self, class: Class, dimensions: &[u32]) -> VarId {
        let id = VarId(self.0.variables.len() as u32);
        let name = format!("v{}", id.0);
        let dimensions = dimensions.to_vec();
        self.0.variables.push(Variable { name, span: Span::default(), class, dimensions });
        id
    }

    pub fn attribute(&mut self, dimensions: &[u32]) -> VarId {
        self.variable(Class::Attribute, dimensions)
    }

    pub fn env(&mut self, dimensions: &[u32], init: Init) -> VarId {
        let var = self.variable(Class::Environment, dimensions);
        self.0.environment.push((var, init));
        var
    }

    pub fn stigmergy(&mut self, link: Cond) -> StigmergyId {
        let id = StigmergyId(self.0.stigmergies.len() as u32);
        self.0.stigmergies.push(Stigmergy {
            name: String::new(),
            span: Span::default(),
            link,
            tuples: vec![],
        });
        id
    }

    /// A tuple of scalars.
    pub fn tuple(&mut self, stigmergy: StigmergyId, inits: Vec<Init>) -> Vec<VarId> {
        let id = TupleId(self.0.tuples.len() as u32);
        let variables: Vec<(VarId, Init)> =
            inits.into_iter().map(|init| (self.variable(Class::Stigmergic(id), &[]), init)).collect();
        let vars = variables.iter().map(|(var, _)| *var).collect();
        self.0.tuples.push(Tuple { stigmergy, variables });
        self.0.stigmergies[stigmergy.0 as usize].tuples.push(id);
        vars
    }

    pub fn kind(
        &mut self,
        count: u32,
        attributes: Vec<(VarId, Init)>,
        stigmergies: &[StigmergyId],
        body: Process,
    ) -> KindId {
        let (id, first) = (KindId(self.0.kinds.len() as u32), self.0.agents());
        let behavior = self.process(body);
        let (name, span, stigmergies) = (String::new(), Span::default(), stigmergies.to_vec());
        self.0.kinds.push(AgentKind { name, span, first, count, attributes, stigmergies, behavior });
        id
    }

    pub fn process(&mut self, body: Process) -> ProcessId {
        let id = ProcessId(self.0.processes.len() as u32);
        self.0.processes.push(ProcessDef { name: String::new(), span: Span::default(), kind: None, body });
        id
    }

    /// The id of the process that will be defined next.
    pub fn next_process(&self) -> ProcessId {
        ProcessId(self.0.processes.len() as u32)
    }

    pub fn block(&mut self, locals: &[Option<u32>], assignments: Vec<Assignment>) -> Process {
        let id = ActionId(self.0.actions.len() as u32);
        let locals = locals.iter().map(|&length| Local { name: String::new(), length }).collect();
        self.0.actions.push(Action { span: Span::default(), pass: false, assignments, locals });
        p(ProcessNode::Action(id))
    }

    pub fn act(&mut self, assignment: Assignment) -> Process {
        self.block(&[], vec![assignment])
    }

    pub fn skip(&mut self) -> Process {
        self.block(&[], vec![])
    }
}

pub fn p(node: ProcessNode) -> Process {
    Process { node, span: Span::default() }
}

pub fn seq(parts: Vec<Process>) -> Process {
    p(ProcessNode::Seq(parts))
}

pub fn choice(parts: Vec<Process>) -> Process {
    p(ProcessNode::Choice(parts))
}

pub fn parallel(parts: Vec<Process>) -> Process {
    p(ProcessNode::Par(parts))
}

pub fn guard(g: Cond, body: Process) -> Process {
    p(ProcessNode::Guard(g, Box::new(body)))
}

/// `g => P`; the first action is the step that passes it.
pub fn conditional(g: Cond, pass: Process, body: Process) -> Process {
    let ProcessNode::Action(pass) = pass.node else { panic!("{pass:?} is not an action") };
    p(ProcessNode::Conditional(g, pass, Box::new(body)))
}

pub fn call(id: ProcessId) -> Process {
    p(ProcessNode::Call(id))
}

pub fn nil() -> Process {
    p(ProcessNode::Nil)
}

fn compound(op: AssignOp, targets: Vec<Target>, values: Vec<Expr>) -> Assignment {
    let values = values.into_iter().map(Value::Expr).collect();
    Assignment { op, targets, values, span: Span::default() }
}

/// Writes scalars; the arrow follows from the variables.
pub fn assign(op: AssignOp, vars: &[VarId], values: Vec<Expr>) -> Assignment {
    let targets = vars.iter().map(|var| Target::Variable(*var, vec![], Span::default())).collect();
    compound(op, targets, values)
}

/// Writes a cell.
pub fn assign_at(op: AssignOp, var: VarId, indices: Vec<Expr>, span: Span, value: Expr) -> Assignment {
    compound(op, vec![Target::Variable(var, indices, span)], vec![value])
}

pub fn assign_local(local: u32, value: Expr) -> Assignment {
    compound(AssignOp::Local, vec![Target::Local(LocalId(local))], vec![value])
}

pub fn pick(local: u32, count: u32, kind: Option<KindId>, condition: Option<Cond>) -> Assignment {
    let targets = vec![Target::Array(LocalId(local))];
    let values = vec![Value::Pick { count, kind, condition }];
    Assignment { op: AssignOp::Local, targets, values, span: Span::default() }
}

pub fn e(node: ExprNode) -> Expr {
    Expr { node, span: Span::default() }
}

/// The same expression with a recognisable place.
pub fn at(place: u32, expr: Expr) -> Expr {
    Expr { span: span(place), ..expr }
}

/// A recognisable place.
pub fn span(place: u32) -> Span {
    Span { start: place, end: place + 1 }
}

pub fn num(number: i64) -> Expr {
    e(ExprNode::Number(number))
}

pub fn id() -> Expr {
    e(ExprNode::Id)
}

pub fn read(var: VarId, owner: Owner, indices: Vec<Expr>) -> Expr {
    e(ExprNode::Var(var, Box::new(owner), indices))
}

pub fn me(var: VarId) -> Expr {
    read(var, Owner::Me, vec![])
}

pub fn env(var: VarId) -> Expr {
    read(var, Owner::Environment, vec![])
}

pub fn of(var: VarId, agent: Expr) -> Expr {
    read(var, Owner::Agent(agent), vec![])
}

pub fn sender(var: VarId) -> Expr {
    read(var, Owner::Side(Side::Sender), vec![])
}

pub fn receiver(var: VarId) -> Expr {
    read(var, Owner::Side(Side::Receiver), vec![])
}

pub fn local(id: u32) -> Expr {
    e(ExprNode::Local(LocalId(id)))
}

pub fn local_cell(id: u32, index: Expr) -> Expr {
    e(ExprNode::LocalCell(LocalId(id), Box::new(index)))
}

pub fn range(lo: Expr, hi: Expr) -> Expr {
    e(ExprNode::Range(Box::new(lo), Box::new(hi)))
}

pub fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    e(ExprNode::Binary(op, Box::new(a), Box::new(b)))
}

/// An expression whose value is ⊥.
pub fn bottom() -> Expr {
    op(BinaryOp::Div, num(1), num(0))
}

/// An expression that runs into an error at this place.
pub fn bad(place: u32) -> Expr {
    at(place, op(BinaryOp::Add, num(i64::MAX), num(1)))
}

pub fn if_(c: Cond, a: Expr, b: Expr) -> Expr {
    e(ExprNode::If(Box::new(c), Box::new(a), Box::new(b)))
}

pub fn c(node: CondNode) -> Cond {
    Cond { node, span: Span::default() }
}

pub fn bool_(b: bool) -> Cond {
    c(CondNode::Bool(b))
}

pub fn cmp(op: BinaryOp, a: Expr, b: Expr) -> Cond {
    c(CondNode::Compare(op, a, b))
}

pub fn not(g: Cond) -> Cond {
    c(CondNode::Not(Box::new(g)))
}

pub fn and(parts: Vec<Cond>) -> Cond {
    c(CondNode::And(parts))
}

pub fn or(parts: Vec<Cond>) -> Cond {
    c(CondNode::Or(parts))
}

pub fn one(value: i64) -> Init {
    Init::OneOf(vec![num(value)])
}

/// The only initial state.
pub fn initial(interpreter: &Interpreter) -> State {
    let mut states = interpreter.initial_states().expect("no error");
    assert_eq!(states.len(), 1);
    states.remove(0)
}

/// Free interleaving, default semantics.
pub fn interpreter(model: &Model) -> Interpreter<'_> {
    Interpreter::new(model, Options::default())
}

/// The targets of the actions of an agent.
pub fn acts(interpreter: &Interpreter, state: &State, agent: u32) -> Vec<Result<State, ModelError>> {
    let steps = interpreter.successors(state).into_iter();
    let mine = |label: &Label| matches!(label, Label::Action { agent: a, .. } if *a == agent);
    steps.filter(|(label, _)| mine(label)).map(|(_, target)| target).collect()
}

/// The target of the only action of an agent.
pub fn act(interpreter: &Interpreter, state: &State, agent: u32) -> State {
    let mut targets = acts(interpreter, state, agent);
    assert_eq!(targets.len(), 1, "{targets:?}");
    targets.remove(0).expect("no error")
}

/// The target of a step that is possible once.
pub fn step(interpreter: &Interpreter, state: &State, label: Label) -> Result<State, ModelError> {
    let mut steps = interpreter.successors(state);
    steps.retain(|(l, _)| *l == label);
    assert_eq!(steps.len(), 1, "{steps:?}");
    steps.remove(0).1
}
