//! Sorts of the second opinion: data, numbers of agents, and timestamps; and who may write what in a loop over agents.
//!
//! Numbers of agents may be compared with each other, name whose copy is meant, and be stored in global variables, which start as ⊥ or
//! with a number of an agent. They are no data: no arithmetic, no index, no comparison with a constant, and no attribute holds one, since a kept agent
//! could then name a deleted one. Timestamps are compared with timestamps of the same tuple only.

use crate::second::is_order;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, Function, Local, LocalId, Place, Program, Set, Stmt, Var, VarId};

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// ⊥, which every sort has, or a negative constant, which is the number of no agent.
    Undefined,
    Data,
    /// The number of an agent.
    Identity,
    /// A timestamp of this order.
    Rank(VarId),
}

/// The sort of each variable.
pub struct Sorts {
    variables: Vec<Sort>,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct At<'a> {
    locals: &'a [Sort],
    /// The agent bound by the loop around it.
    agent: Option<u32>,
    initial: bool,
}

fn join(a: Sort, b: Sort) -> Result<Sort, String> {
    match (a, b) {
        (Sort::Undefined, other) | (other, Sort::Undefined) => Ok(other),
        (a, b) if a == b => Ok(a),
        (a, b) => Err(format!("{a:?} meets {b:?}")),
    }
}

impl Sorts {
    /// The least sorts that fit all assignments. A variable that is never anything but ⊥ has none.
    pub fn infer(program: &Program) -> Result<Sorts, String> {
        let start = |(number, var): (u32, &Var)| match var.role {
            Role::Order => Sort::Rank(VarId(number)),
            Role::Data { .. } => Sort::Undefined,
            _ => Sort::Data,
        };
        let mut sorts = Sorts { variables: (0..).zip(&program.vars).map(start).collect() };
        loop {
            let before = sorts.variables.clone();
            let blocks = program.functions.iter().map(|f| (&f.locals, &f.body));
            for (locals, body) in blocks.chain([(&program.init_locals, &program.init)]) {
                let locals = sorts.locals(locals, body)?;
                let mut result = Ok(());
                let mut look = |place: &Place, sort: Sort| {
                    let now = &mut sorts.variables[place.var.0 as usize];
                    if matches!(now, Sort::Rank(_)) {
                        return;
                    }
                    match join(*now, sort) {
                        Ok(sort) => *now = sort,
                        Err(why) => result = Err(why),
                    }
                };
                let old = Sorts { variables: before.clone() };
                swarmcheck_ir::stmt::walk(body, &mut |stmt| match stmt {
                    Stmt::Assign(place, e) => look(place, old.guess(&locals, e)),
                    Stmt::Fill(place, Set::Values(values)) => {
                        values.iter().for_each(|e| look(place, old.guess(&locals, e)));
                    }
                    Stmt::Fill(place, Set::Range(..)) => look(place, Sort::Data),
                    _ => {}
                });
                result?;
            }
            if sorts.variables == before {
                break;
            }
        }
        let stored = |(sort, var): (&Sort, &Var)| *sort == Sort::Identity && var.owners.is_some();
        match sorts.variables.iter().zip(&program.vars).find(|pair| stored(*pair)) {
            Some((_, var)) => Err(format!("agents hold numbers of agents in {}", var.name)),
            None => Ok(sorts),
        }
    }

    pub fn holds_identity(&self, var: u32) -> bool {
        self.variables[var as usize] == Sort::Identity
    }

    pub fn of_variable(&self, var: VarId) -> Sort {
        self.variables[var.0 as usize]
    }

    /// The sort of a value, if it has one.
    fn guess(&self, locals: &[Sort], e: &Expr) -> Sort {
        match e {
            Expr::Const(value) if *value < 0 => Sort::Undefined,
            Expr::Me | Expr::Bound(_) => Sort::Identity,
            Expr::Read(place) => self.of_variable(place.var),
            Expr::Local(local) | Expr::LocalCell(local, ..) => locals[local.0 as usize],
            Expr::If(_, a, b) => match self.guess(locals, a) {
                Sort::Undefined => self.guess(locals, b),
                sort => sort,
            },
            _ => Sort::Data,
        }
    }

    fn locals(&self, locals: &[Local], body: &[Stmt]) -> Result<Vec<Sort>, String> {
        let mut sorts = vec![Sort::Undefined; locals.len()];
        loop {
            let before = sorts.clone();
            let mut result = Ok(());
            let mut set = |local: &LocalId, sort: Sort| match join(sorts[local.0 as usize], sort) {
                Ok(sort) => sorts[local.0 as usize] = sort,
                Err(why) => result = Err(why),
            };
            swarmcheck_ir::stmt::walk(body, &mut |stmt| match stmt {
                Stmt::Let(local, e) => set(local, self.guess(&before, e)),
                Stmt::Havoc(local, Set::Range(..)) => set(local, Sort::Data),
                Stmt::Havoc(local, Set::Values(all)) => {
                    all.iter().for_each(|e| set(local, self.guess(&before, e)))
                }
                Stmt::Pick { local, .. } => set(local, Sort::Identity),
                _ => {}
            });
            result?;
            if sorts == before {
                return Ok(sorts);
            }
        }
    }

    fn place(&self, program: &Program, locals: &[Sort], place: &Place) -> Result<(), String> {
        for index in &place.index {
            join(self.expr(program, locals, index)?, Sort::Data)?;
        }
        if let Some(agent) = &place.agent {
            join(self.expr(program, locals, agent)?, Sort::Identity)?;
        }
        Ok(())
    }

    /// The sort of an expression in which all operations make sense.
    pub fn expr(&self, program: &Program, locals: &[Sort], e: &Expr) -> Result<Sort, String> {
        let sort = |e: &Expr| self.expr(program, locals, e);
        let data = |e: &Expr| join(sort(e)?, Sort::Data);
        match e {
            Expr::Const(value) if *value < 0 => Ok(Sort::Undefined),
            Expr::Const(_) => Ok(Sort::Data),
            Expr::Me | Expr::Bound(_) => Ok(Sort::Identity),
            Expr::Read(place) => {
                self.place(program, locals, place)?;
                Ok(self.of_variable(place.var))
            }
            Expr::Local(local) => Ok(locals[local.0 as usize]),
            Expr::LocalCell(local, index, _) => {
                data(index)?;
                Ok(locals[local.0 as usize])
            }
            Expr::Unary(_, e) => data(e),
            Expr::Binary(op, a, b, _) if op.is_comparison() => {
                join(sort(a)?, sort(b)?)?;
                Ok(Sort::Data)
            }
            Expr::Binary(_, a, b, _) => {
                data(a)?;
                data(b)
            }
            Expr::And(parts) | Expr::Or(parts) => {
                parts.iter().try_for_each(|p| data(p).map(drop))?;
                Ok(Sort::Data)
            }
            Expr::If(c, a, b) => {
                data(c)?;
                join(sort(a)?, sort(b)?)
            }
            Expr::Defined(e) => {
                sort(e)?;
                Ok(Sort::Data)
            }
            Expr::Quantified(_, _, _, body) => {
                data(body)?;
                Ok(Sort::Data)
            }
        }
    }

    pub fn check_function(&self, program: &Program, function: &Function) -> Result<(), String> {
        let locals = self.locals(&function.locals, &function.body)?;
        join(self.expr(program, &locals, &function.guard)?, Sort::Data)?;
        self.block(program, At { locals: &locals, agent: None, initial: false }, &function.body)
    }

    pub fn check_init(&self, program: &Program) -> Result<(), String> {
        let locals = self.locals(&program.init_locals, &program.init)?;
        self.block(program, At { locals: &locals, agent: None, initial: true }, &program.init)?;
        // Before the initial block every cell is 0, which is the number of an agent that nobody chose.
        let set = |var: &VarId| {
            let sets = |s: &Stmt| matches!(s, Stmt::Assign(p, _) | Stmt::Fill(p, _) if p.var == *var);
            program.init.iter().any(sets)
        };
        let unset =
            |var: &VarId| matches!(self.of_variable(*var), Sort::Identity | Sort::Undefined) && !set(var);
        let mut globals =
            (0..).map(VarId).take(program.vars.len()).filter(|v| program.var(*v).owners.is_none());
        match globals.find(unset) {
            Some(var) => Err(format!("{} starts as 0", program.var(var).name)),
            None => Ok(()),
        }
    }

    fn block(&self, program: &Program, at: At<'_>, block: &[Stmt]) -> Result<(), String> {
        block.iter().try_for_each(|stmt| self.statement(program, at, stmt))
    }

    /// In a loop, an iteration may write what belongs to its agent, and nothing else.
    fn target(&self, at: At<'_>, agent: Option<&Expr>) -> Result<(), String> {
        match (at.agent, agent) {
            (None, _) => Ok(()),
            (Some(bound), Some(Expr::Bound(b))) if *b == bound => Ok(()),
            _ => Err("an iteration writes what does not belong to its agent".to_string()),
        }
    }

    fn assigned(&self, program: &Program, at: At<'_>, place: &Place, e: &Expr) -> Result<(), String> {
        self.place(program, at.locals, place)?;
        let sort = self.expr(program, at.locals, e)?;
        if !is_order(program, place.var) {
            return join(self.of_variable(place.var), sort).map(drop);
        }
        // Timestamps: newer than all, or at first the number of the agent itself.
        let newest = matches!(e, Expr::Const(value) if *value > 0);
        let own = at.initial && at.agent.is_some() && matches!(e, Expr::Bound(b) if Some(*b) == at.agent);
        if newest && !at.initial || own { Ok(()) } else { Err("a timestamp is computed".to_string()) }
    }

    fn statement(&self, program: &Program, at: At<'_>, stmt: &Stmt) -> Result<(), String> {
        let sort = |e: &Expr| self.expr(program, at.locals, e);
        let looped = |what: &str| match at.agent {
            Some(_) => Err(format!("{what} in a loop over agents")),
            None => Ok(()),
        };
        match stmt {
            Stmt::Assign(place, e) => {
                self.target(at, place.agent.as_deref())?;
                self.assigned(program, at, place, e)
            }
            Stmt::Fill(place, set) => {
                self.target(at, place.agent.as_deref())?;
                match set {
                    Set::Values(values) => {
                        values.iter().try_for_each(|e| self.assigned(program, at, place, e))
                    }
                    Set::Range(lo, hi) => {
                        join(sort(lo)?, Sort::Data)?;
                        join(sort(hi)?, Sort::Data)?;
                        join(self.of_variable(place.var), Sort::Data).map(drop)
                    }
                }
            }
            // A local would carry something from one iteration to the next.
            Stmt::Let(..) | Stmt::Havoc(..) => looped("a local"),
            Stmt::Pick { condition, .. } => {
                looped("a pick")?;
                join(sort(condition)?, Sort::Data).map(drop)
            }
            Stmt::Assume(e) => join(sort(e)?, Sort::Data).map(drop),
            Stmt::Check(place) => self.place(program, at.locals, place),
            Stmt::If(c, yes, no) => {
                join(sort(c)?, Sort::Data)?;
                self.block(program, at, yes)?;
                self.block(program, at, no)
            }
            Stmt::Choose(branches) => branches.iter().try_for_each(|(c, body)| {
                join(sort(c)?, Sort::Data)?;
                self.block(program, at, body)
            }),
            Stmt::ForEach(_, bound, body) => {
                looped("a loop")?;
                self.block(program, At { agent: Some(*bound), ..at }, body)
            }
            Stmt::Copy(_, to, from) => {
                self.target(at, Some(to))?;
                join(sort(to)?, Sort::Identity)?;
                join(sort(from)?, Sort::Identity).map(drop)
            }
            Stmt::Rank(_) => looped("ranks"),
        }
    }
}
