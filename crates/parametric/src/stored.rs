//! Proofs as data, with names instead of numbers: for files, and for whoever reads them.

use crate::clause::{Cell, Clause, Fact, Literal};
use crate::observe::Values;
use swarmcheck_engine::certificate::{
    EveryCell, EveryClause, EveryFact, EveryLiteral, EveryProof, EveryValues,
};
use swarmcheck_ir::{KindId, Program, UNDEF, Value, VarId};

/// A proof with names.
pub fn store(program: &Program, clauses: &[Clause], values: &Values) -> EveryProof {
    let named = |kind: &KindId| program.kind(*kind).name.clone();
    let clause = |clause: &Clause| EveryClause {
        kinds: clause.kinds.iter().map(named).collect(),
        never: clause.never.iter().map(|literal| store_literal(program, *literal)).collect(),
    };
    let seen =
        |((var, kind), values): (&(VarId, Option<KindId>), &std::collections::BTreeSet<Value>)| EveryValues {
            variable: program.var(*var).name.clone(),
            kind: kind.as_ref().map(named),
            values: values.iter().map(|value| shown(*value)).collect(),
        };
    EveryProof { clauses: clauses.iter().map(clause).collect(), values: values.iter().map(seen).collect() }
}

fn shown(value: Value) -> Option<Value> {
    (value != UNDEF).then_some(value)
}

fn store_literal(program: &Program, literal: Literal) -> EveryLiteral {
    let cell = |cell: Cell| EveryCell {
        variable: program.var(cell.var).name.clone(),
        index: cell.index,
        agent: cell.agent,
    };
    let fact = match literal.fact {
        Fact::Is(of, value) => EveryFact::Is(cell(of), shown(value)),
        Fact::Same(a, b) => EveryFact::Same(cell(a), cell(b)),
        Fact::Less(a, b) => EveryFact::Less(cell(a), cell(b)),
        Fact::Names(of, agent) => EveryFact::Names(cell(of), agent),
        Fact::Earlier => EveryFact::Earlier(true),
        Fact::Some(kind, of, value) => {
            EveryFact::Some(program.kind(kind).name.clone(), cell(of), shown(value))
        }
    };
    EveryLiteral { fact, holds: literal.holds }
}

/// The proof that some data stands for; none if it names what the program has not.
pub fn restore(program: &Program, proof: &EveryProof) -> Option<(Vec<Clause>, Values)> {
    let kind = |name: &String| {
        let at = program.kinds.iter().position(|kind| kind.name == *name)?;
        Some(KindId(at as u32))
    };
    let mut clauses = vec![];
    for stored in &proof.clauses {
        let kinds: Vec<KindId> = stored.kinds.iter().map(kind).collect::<Option<_>>()?;
        if kinds.len() > 2 {
            return None;
        }
        let literal = |literal: &EveryLiteral| restore_literal(program, &kinds, literal);
        let never = stored.never.iter().map(literal).collect::<Option<_>>()?;
        clauses.push(Clause { kinds, never });
    }
    let mut values = Values::new();
    for stored in &proof.values {
        let var = variable(program, &stored.variable)?;
        let owner = stored.kind.as_ref().map(|name| kind(name).ok_or(())).transpose().ok()?;
        values.insert((var, owner), stored.values.iter().map(|value| value.unwrap_or(UNDEF)).collect());
    }
    Some((clauses, values))
}

fn variable(program: &Program, name: &str) -> Option<VarId> {
    program.vars.iter().position(|var| var.name == name).map(|at| VarId(at as u32))
}

fn restore_literal(program: &Program, kinds: &[KindId], literal: &EveryLiteral) -> Option<Literal> {
    let cell = |stored: &EveryCell| {
        let var = variable(program, &stored.variable)?;
        let known = program.var(var);
        let owned = match (&known.owners, stored.agent) {
            (None, None) => true,
            (Some(owners), Some(agent)) => owners.contains(kinds.get(agent as usize)?),
            _ => false,
        };
        let inside = (stored.index as usize) < known.cells();
        (owned && inside).then_some(Cell { var, index: stored.index, agent: stored.agent })
    };
    let fact = match &literal.fact {
        EveryFact::Is(of, value) => Fact::Is(cell(of)?, value.unwrap_or(UNDEF)),
        EveryFact::Same(a, b) => Fact::Same(cell(a)?, cell(b)?),
        EveryFact::Less(a, b) => Fact::Less(cell(a)?, cell(b)?),
        EveryFact::Names(of, agent) if (*agent as usize) < kinds.len() => Fact::Names(cell(of)?, *agent),
        EveryFact::Earlier(true) if kinds.len() == 2 => Fact::Earlier,
        EveryFact::Names(..) | EveryFact::Earlier(_) => return None,
        EveryFact::Some(name, of, value) => {
            let at = program.kinds.iter().position(|kind| kind.name == *name)?;
            let (kind, var) = (KindId(at as u32), variable(program, &of.variable)?);
            let known = program.var(var);
            let owned = known.owners.as_ref().is_some_and(|owners| owners.contains(&kind));
            if !owned || of.index as usize >= known.cells() {
                return None;
            }
            Fact::Some(kind, Cell { var, index: of.index, agent: Some(0) }, value.unwrap_or(UNDEF))
        }
    };
    Some(Literal { fact, holds: literal.holds })
}
