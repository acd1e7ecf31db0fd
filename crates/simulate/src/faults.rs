//! Errors of the model in initial values that no draw needs to meet.
//!
//! `x: [0, 9223372036854775807 + id]` is an error for agent 1, and whoever looks at all initial states finds it, as does the
//! reference interpreter, which evaluates every alternative before it begins. A run draws one of the alternatives. So each
//! alternative that may be an error is taken once before any run begins: alternative k of all cells at once, since initial
//! values read no others, and nothing is assumed before initial values that may be errors.

use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome};
use swarmcheck_ir::{Expr, Fault, Set, Stmt, stmt};

/// How many cells all attempts may write together.
const CELLS: usize = 1 << 26;

/// The first error of an alternative.
pub(crate) fn hidden(flat: &Flat) -> Option<Fault> {
    let mut attempts = 0;
    stmt::walk(&flat.program.init, &mut |stmt| {
        let (Stmt::Fill(_, Set::Values(values)) | Stmt::Havoc(_, Set::Values(values))) = stmt else { return };
        let simple = |e: &Expr| matches!(e, Expr::Const(_) | Expr::Me | Expr::Bound(_));
        let last = values.iter().rposition(|e| !simple(e)).filter(|_| values.len() > 1);
        attempts = attempts.max(last.map_or(0, |at| at + 1));
    });
    let mut machine = Machine::new(flat);
    let mut state = vec![0; if attempts == 0 { 0 } else { flat.width() }];
    let attempts = attempts.min(CELLS / flat.width().max(1));
    (0..attempts as u64).find_map(|at| match machine.initialise(flat, &mut state, &mut Alternative(at)) {
        Outcome::Fault(fault) => Some(fault),
        Outcome::Done | Outcome::Disabled => None,
    })
}

/// Takes the same alternative everywhere, or the last where there are fewer.
struct Alternative(u64);

impl Chooser for Alternative {
    fn choose(&mut self, n: u64) -> u64 {
        self.0.min(n - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, Starts};

    fn flat(initial: &str) -> Flat {
        let text = format!(
            "system {{ spawn = A: 3 }} agent A {{ interface = x: {initial} Behavior = x <- x; Behavior }}\n"
        );
        let end = swarmcheck_source::Span::new(text.len(), text.len());
        let (file, _) = swarmcheck_labs::syntax::parse(&text);
        let (model, found) = swarmcheck_labs::check::check(&file, end, &[]);
        let model = model.unwrap_or_else(|| panic!("{:?}", found.into_sorted()));
        let lowered = swarmcheck_labs::lower::lower(&model, &text, Default::default()).unwrap();
        Flat::new(lowered.program)
    }

    /// Agent 2 has an error among 100 alternatives, so one draw of 300 meets it on average. No seed may miss it.
    #[test]
    fn every_run_meets_an_error_of_an_alternative() {
        let many = (0..99).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
        let wrong = flat(&format!("[{many}, 9223372036854775806 + id]"));
        let fine = flat(&format!("[{many}, 9223372036854775805 + id]"));
        assert!(hidden(&wrong).is_some());
        assert_eq!(hidden(&fine), None);
        for seed in 0..20 {
            assert!(Starts::new(&wrong).draw(Rng::new(seed), &|| false).is_err(), "{seed}");
            assert!(Starts::new(&fine).draw(Rng::new(seed), &|| false).is_ok(), "{seed}");
        }
    }
}
