//! Whether linear constraints over non-negative rationals have a solution: the first phase of the simplex method, in exact arithmetic.
//!
//! If they have none, they have none in whole numbers either, and there are multipliers that show it (Farkas' lemma): a combination of
//! the constraints, with multipliers that are not negative for inequalities, whose left side has no positive coefficient and whose right side is
//! positive. [`Farkas::refutes`] checks multipliers by multiplying out; nothing else in a proof depends on this file. After a number of
//! pivots they follow Bland's rule, so the method ends.

use super::rational::Rational;

/// From so many pivots on, Bland's rule is used.
const QUICK_PIVOTS: usize = 300;

/// `Σ coefficient · variable ≥ bound`, or `=`. All variables are at least 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Variables with coefficients; a variable occurs once.
    pub terms: Vec<(usize, i64)>,
    /// Whether the left side may not be greater either.
    pub equal: bool,
    /// The bound.
    pub bound: i64,
}

/// Multipliers of constraints whose combination is a contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Farkas(pub Vec<Rational>);

/// The result.
#[derive(Clone, Debug)]
pub enum Feasible {
    /// A solution.
    Yes(Vec<Rational>),
    /// None.
    No(Farkas),
    /// Numbers became too large.
    Unknown,
}

impl Farkas {
    /// Whether these multipliers show that there is no solution.
    pub fn refutes(&self, variables: usize, constraints: &[Constraint]) -> bool {
        self.contradiction(variables, constraints).unwrap_or(false)
    }

    fn contradiction(&self, variables: usize, constraints: &[Constraint]) -> Option<bool> {
        if self.0.len() != constraints.len() {
            return Some(false);
        }
        let mut left = vec![Rational::ZERO; variables];
        let mut right = Rational::ZERO;
        for (multiplier, constraint) in self.0.iter().zip(constraints) {
            if multiplier.sign() < 0 && !constraint.equal {
                return Some(false);
            }
            for (variable, factor) in &constraint.terms {
                let old = left.get(*variable).copied()?;
                left[*variable] = old.plus(multiplier.times((*factor).into())?)?;
            }
            right = right.plus(multiplier.times(constraint.bound.into())?)?;
        }
        Some(left.iter().all(|value| value.sign() <= 0) && right.sign() > 0)
    }
}

/// Decides.
pub fn feasible(variables: usize, constraints: &[Constraint]) -> Feasible {
    match Tableau::new(variables, constraints).and_then(|tableau| tableau.solve()) {
        Some(result) => result,
        None => Feasible::Unknown,
    }
}

/// Rows `Σ row · columns = right`, right sides not negative. Columns: variables, then surplus variables of inequalities, then
/// one artificial variable for each row. The last row is the cost: the sum of artificial variables, expressed by variables that are not in the basis.
struct Tableau {
    variables: usize,
    /// Columns before the artificial ones.
    real: usize,
    rows: Vec<Vec<Rational>>,
    cost: Vec<Rational>,
    basis: Vec<usize>,
    /// Whether a row was multiplied by −1.
    flipped: Vec<bool>,
}

impl Tableau {
    fn new(variables: usize, constraints: &[Constraint]) -> Option<Tableau> {
        let surplus = constraints.iter().filter(|c| !c.equal).count();
        let real = variables + surplus;
        let columns = real + constraints.len();
        let mut rows = vec![];
        let mut flipped = vec![];
        let mut next = variables;
        for (number, constraint) in constraints.iter().enumerate() {
            let mut row = vec![Rational::ZERO; columns + 1];
            for (variable, factor) in &constraint.terms {
                *row.get_mut(*variable)? = (*factor).into();
            }
            if !constraint.equal {
                row[next] = Rational::ONE.negated();
                next += 1;
            }
            row[columns] = constraint.bound.into();
            let negative = constraint.bound < 0;
            if negative {
                row.iter_mut().for_each(|value| *value = value.negated());
            }
            flipped.push(negative);
            row[real + number] = Rational::ONE;
            rows.push(row);
        }
        let mut cost = vec![Rational::ZERO; columns + 1];
        for row in &rows {
            for (total, value) in cost.iter_mut().zip(row) {
                *total = total.minus(*value)?;
            }
        }
        for value in &mut cost[real..columns] {
            *value = Rational::ZERO;
        }
        let basis = (real..columns).collect();
        Some(Tableau { variables, real, rows, cost, basis, flipped })
    }

    fn solve(mut self) -> Option<Feasible> {
        let right = self.cost.len() - 1;
        let mut pivots = 0;
        while let Some(entering) = self.entering(pivots)? {
            pivots += 1;
            let mut best: Option<(Rational, usize, usize)> = None;
            for (number, row) in self.rows.iter().enumerate() {
                if row[entering].sign() <= 0 {
                    continue;
                }
                let ratio = row[right].over(row[entering])?;
                let better = match best {
                    None => true,
                    Some((least, variable, _)) => {
                        ratio.is_less(least)? || ratio == least && self.basis[number] < variable
                    }
                };
                if better {
                    best = Some((ratio, self.basis[number], number));
                }
            }
            // The cost is at least 0, so some row limits the step.
            let (_, _, leaving) = best?;
            self.pivot(leaving, entering)?;
        }
        if self.cost[right].is_zero() {
            let mut solution = vec![Rational::ZERO; self.variables];
            for (number, column) in self.basis.iter().enumerate() {
                if *column < self.variables {
                    solution[*column] = self.rows[number][right];
                }
            }
            return Some(Feasible::Yes(solution));
        }
        // The reduced cost of an artificial variable is 1 minus the multiplier of its row.
        let mut multipliers = vec![];
        for (number, flipped) in self.flipped.iter().enumerate() {
            let multiplier = Rational::ONE.minus(self.cost[self.real + number])?;
            multipliers.push(if *flipped { multiplier.negated() } else { multiplier });
        }
        Some(Feasible::No(Farkas(multipliers)))
    }

    /// The column with the greatest gain, which is quick; after many pivots the first one that gains, which ends (Bland).
    fn entering(&self, pivots: usize) -> Option<Option<usize>> {
        let mut best: Option<usize> = None;
        for column in (0..self.real).filter(|column| self.cost[*column].sign() < 0) {
            match best {
                None => best = Some(column),
                Some(other) if self.cost[column].is_less(self.cost[other])? => best = Some(column),
                Some(_) => {}
            }
            if pivots >= QUICK_PIVOTS {
                break;
            }
        }
        Some(best)
    }

    fn pivot(&mut self, leaving: usize, entering: usize) -> Option<()> {
        let factor = self.rows[leaving][entering];
        for value in &mut self.rows[leaving] {
            if !value.is_zero() {
                *value = value.over(factor)?;
            }
        }
        let row = self.rows[leaving].iter().copied().enumerate();
        let pivot: Vec<(usize, Rational)> = row.filter(|(_, value)| !value.is_zero()).collect();
        let others = self.rows.iter_mut().enumerate().filter(|(number, _)| *number != leaving);
        for row in others.map(|(_, row)| row).chain([&mut self.cost]) {
            let factor = row[entering];
            if factor.is_zero() {
                continue;
            }
            for (column, by) in &pivot {
                row[*column] = row[*column].minus(factor.times(*by)?)?;
            }
        }
        self.basis[leaving] = entering;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: usize, constraints: &[(&[i64], bool, i64)], expected: bool) {
        let row = |(factors, equal, bound): &(&[i64], bool, i64)| Constraint {
            terms: factors.iter().copied().enumerate().filter(|(_, f)| *f != 0).collect(),
            equal: *equal,
            bound: *bound,
        };
        let constraints: Vec<Constraint> = constraints.iter().map(row).collect();
        match feasible(variables, &constraints) {
            Feasible::Yes(solution) => {
                assert!(expected, "{constraints:?} has {solution:?}");
                for constraint in &constraints {
                    let mut left = Rational::from(-constraint.bound);
                    for (variable, factor) in &constraint.terms {
                        let product = solution[*variable].times((*factor).into()).expect("small");
                        left = left.plus(product).expect("small");
                    }
                    assert!(left.sign() == 0 || left.sign() > 0 && !constraint.equal, "{constraint:?}");
                }
            }
            Feasible::No(farkas) => {
                assert!(!expected, "{constraints:?}");
                assert!(farkas.refutes(variables, &constraints), "{constraints:?} {farkas:?}");
            }
            Feasible::Unknown => panic!("{constraints:?}"),
        }
    }

    #[test]
    fn systems_by_hand() {
        check(2, &[(&[1, 1], false, 2), (&[-1, 0], false, 0), (&[0, -1], false, -1)], false);
        check(2, &[(&[1, 1], false, 2), (&[-1, 0], false, -1), (&[0, -1], false, -1)], true);
        check(2, &[(&[1, -1], true, 0), (&[1, 1], true, 3)], true);
        check(2, &[(&[1, -1], true, 5), (&[-1, 0], false, -4)], false);
        check(1, &[(&[-1], false, 1)], false);
        check(1, &[], true);
    }

    /// A box and one inequality: there is a solution if the best corner is one.
    #[test]
    fn random_systems_of_one_inequality() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut seen = [0, 0];
        for _ in 0..400 {
            let sizes: Vec<i64> = (0..4).map(|_| random.i64(0..4)).collect();
            let factors: Vec<i64> = (0..4).map(|_| random.i64(-3..4)).collect();
            let bound = random.i64(-4..9);
            let best: i64 = sizes.iter().zip(&factors).map(|(size, factor)| (size * factor).max(0)).sum();
            let unit: Vec<Vec<i64>> =
                (0..4).map(|at| (0..4).map(|i| if i == at { -1 } else { 0 }).collect()).collect();
            let mut rows: Vec<(&[i64], bool, i64)> = vec![(&factors, false, bound)];
            rows.extend(unit.iter().zip(&sizes).map(|(row, size)| (row.as_slice(), false, -size)));
            check(4, &rows, best >= bound);
            seen[usize::from(best >= bound)] += 1;
        }
        assert!(seen[0] > 50 && seen[1] > 50, "{seen:?}");
    }
}
