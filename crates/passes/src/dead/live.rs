//! Live-variable analysis: which functions read a variable, and at which locations it is live.

use super::graph::Graph;
use swarmcheck_ir::{Expr, Place, Program, Stmt, VarId, stmt};

/// Whether functions touch only the copy of the agent that runs them, and the properties nothing. What the initial
/// block does comes before everything.
pub(super) fn only_the_owner_touches(program: &Program, v: VarId, properties: &[usize]) -> bool {
    let own = |e: &Expr| {
        let mut fits = true;
        e.walk(&mut |e| {
            if let Expr::Read(place) = e {
                fits &= place.var != v || mine(place);
            }
        });
        fits
    };
    let block = |body: &[Stmt]| {
        let mut fits = true;
        stmt::walk(body, &mut |s| {
            fits &= s.exprs().into_iter().all(own);
            fits &= match s {
                Stmt::Assign(place, _) | Stmt::Fill(place, _) => place.var != v || mine(place),
                Stmt::Copy(var, ..) | Stmt::Rank(var) => *var != v,
                _ => true,
            };
        });
        fits
    };
    program.functions.iter().all(|f| own(&f.guard) && block(&f.body))
        && no_property_reads(program, v, properties)
}

/// Whether the truth of these properties does not depend on a variable.
pub(super) fn no_property_reads(program: &Program, v: VarId, properties: &[usize]) -> bool {
    !properties.iter().flat_map(|p| program.properties[*p].exprs()).any(|e| reads(e, v))
}

fn mine(place: &Place) -> bool {
    place.agent.as_deref() == Some(&Expr::Me)
}

fn reads(e: &Expr, v: VarId) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Read(place) if place.var == v));
    found
}

/// Whether a block writes any of it.
pub(super) fn writes(body: &[Stmt], v: VarId) -> bool {
    let mut found = false;
    stmt::walk(body, &mut |s| {
        found |= matches!(s, Stmt::Assign(place, _) | Stmt::Fill(place, _) if place.var == v);
    });
    found
}

/// Whether the variable is live, location by location.
pub(super) fn live(program: &Program, graph: &Graph, v: VarId) -> Vec<bool> {
    let scalar = program.var(v).dimensions.is_empty();
    let courses: Vec<Course> = program
        .functions
        .iter()
        .map(|f| {
            let mut course = Course { v, scalar, read: reads(&f.guard, v), written: false };
            course.block(&f.body);
            course
        })
        .collect();
    let mut live = vec![false; graph.locations.len()];
    loop {
        let mut changed = false;
        for edge in graph.edges.iter().rev() {
            let course = &courses[edge.function];
            if !live[edge.from] && (course.read || (!course.written && live[edge.to])) {
                live[edge.from] = true;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// What a function does with the variable on its way.
struct Course {
    v: VarId,
    scalar: bool,
    /// On some way it is read before all of it has been written.
    read: bool,
    /// On every way to here all of it has been written.
    written: bool,
}

impl Course {
    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        self.read |= !self.written && s.exprs().into_iter().any(|e| reads(e, self.v));
        match s {
            Stmt::Assign(place, _) => self.written |= place.var == self.v && self.scalar,
            Stmt::Fill(place, _) => self.written |= place.var == self.v,
            Stmt::If(_, yes, no) => self.branches(&[yes, no]),
            Stmt::Choose(branches) => {
                self.branches(&branches.iter().map(|(_, body)| body).collect::<Vec<_>>())
            }
            Stmt::ForEach(_, _, body) => {
                let before = self.written;
                self.block(body);
                // The set of agents may be empty.
                self.written = before;
            }
            _ => {}
        }
    }

    fn branches(&mut self, bodies: &[&Vec<Stmt>]) {
        let before = self.written;
        let mut after = true;
        for body in bodies {
            self.written = before;
            self.block(body);
            after &= self.written;
        }
        self.written = after;
    }
}
