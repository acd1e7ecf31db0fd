//! Exponential races: every enabled step waits for an exponentially distributed time with its own rate, and the first one is made.
//!
//! The steps that are enabled are not listed for that. All steps, enabled or not, ring together as often as a Poisson process whose rate is
//! the sum of theirs, and each ring belongs to a step with the probability of its share. Rings of disabled steps change nothing
//! but the time. What is left is a race among the enabled ones (thinning of Poisson processes: Lewis and Shedler, "Simulation of
//! nonhomogeneous Poisson processes by thinning", 1979; for chains, uniformization: Jensen, 1953).
//!
//! Who rings is drawn with whole numbers: rates are fractions, and the least common multiple of their denominators makes whole weights of
//! them. Where that is too large, a step is drawn evenly and accepted with the probability of its rate divided by the largest, which
//! fits into 64 bits. So the shares are exact. Times are floating-point numbers, by basic operations only, so that they are
//! the same on every machine.

use crate::law::{Rate, Rates};
use crate::rng::Rng;
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Flat;

/// The rates of all instances of a program.
pub(crate) struct Race {
    /// Neighbours with the same function and the same kind of agent, in the order of their numbers.
    groups: Vec<Group>,
    /// Weights of the groups up to and including each; nothing if weights are too large.
    sums: Option<Vec<u64>>,
    largest: Rate,
    total: f64,
}

struct Group {
    /// The number of its first instance.
    first: u32,
    count: u32,
    rate: Rate,
    /// In units that all groups share.
    weight: u64,
}

impl Race {
    pub(crate) fn new(flat: &Flat, rates: &Rates) -> Race {
        let mut groups: Vec<Group> = vec![];
        let mut last = None;
        for number in 0..flat.instances() {
            let instance = flat.instance(number);
            let here = (instance.function, kind_of(&flat.program, instance.agent));
            match groups.last_mut() {
                Some(group) if last == Some(here) => group.count += 1,
                _ => {
                    let of_function = rates.of.get(here.0 as usize);
                    let rate = of_function.and_then(|of| of.get(here.1)).copied().unwrap_or(Rate::ONE);
                    groups.push(Group { first: number, count: 1, rate, weight: 0 });
                    last = Some(here);
                }
            }
        }
        let sums = weigh(&mut groups);
        let largest = groups.iter().map(|g| g.rate).reduce(|a, b| if less(a, b) { b } else { a });
        let total = groups.iter().map(|g| f64::from(g.count) * g.rate.value()).sum();
        Race { groups, sums, largest: largest.unwrap_or(Rate::ONE), total }
    }

    /// The sum of all rates.
    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    fn group(&self, number: u32) -> &Group {
        &self.groups[self.groups.partition_point(|g| g.first <= number) - 1]
    }

    pub(crate) fn rate(&self, number: u32) -> f64 {
        self.group(number).rate.value()
    }

    /// Draws one of all instances, by its share.
    pub(crate) fn draw(&self, rng: &mut Rng) -> u32 {
        match &self.sums {
            Some(sums) => {
                let at = rng.below(sums[sums.len() - 1]);
                let number = sums.partition_point(|sum| *sum <= at);
                let group = &self.groups[number];
                let inside = at - if number == 0 { 0 } else { sums[number - 1] };
                group.first + (inside / group.weight) as u32
            }
            None => {
                let last = &self.groups[self.groups.len() - 1];
                let instances = u64::from(last.first + last.count);
                self.evenly(rng, |rng| rng.below(instances) as u32)
            }
        }
    }

    /// Draws one of some instances, by its share, and returns its place.
    pub(crate) fn among(&self, some: &[u32], rng: &mut Rng) -> usize {
        if self.sums.is_none() {
            let mut at = 0;
            self.evenly(rng, |rng| {
                at = rng.below(some.len() as u64) as usize;
                some[at]
            });
            return at;
        }
        // The sum over all instances fits, so this one does.
        let mut left = rng.below(some.iter().map(|number| self.group(*number).weight).sum());
        for (at, number) in some.iter().enumerate() {
            let weight = self.group(*number).weight;
            if left < weight {
                return at;
            }
            left -= weight;
        }
        some.len() - 1
    }

    /// Draws evenly until a draw is accepted.
    fn evenly(&self, rng: &mut Rng, mut draw: impl FnMut(&mut Rng) -> u32) -> u32 {
        loop {
            let number = draw(rng);
            let (rate, largest) = (self.group(number).rate, self.largest);
            let accepted = u64::from(rate.numerator) * u64::from(largest.denominator);
            let all = u64::from(rate.denominator) * u64::from(largest.numerator);
            if rng.below(all) < accepted {
                return number;
            }
        }
    }
}

/// Gives every group its weight, and sums them up; nothing if that does not fit.
fn weigh(groups: &mut [Group]) -> Option<Vec<u64>> {
    let mut common: u64 = 1;
    for group in groups.iter() {
        let denominator = u64::from(group.rate.denominator);
        common = common.checked_mul(denominator / divisor(common, denominator))?;
    }
    let mut shared = 0;
    for group in groups.iter_mut() {
        group.weight =
            u64::from(group.rate.numerator).checked_mul(common / u64::from(group.rate.denominator))?;
        shared = divisor(shared, group.weight);
    }
    let mut sum: u64 = 0;
    let mut sums = vec![];
    for group in groups {
        group.weight /= shared;
        sum = sum.checked_add(group.weight.checked_mul(u64::from(group.count))?)?;
        sums.push(sum);
    }
    Some(sums)
}

fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn less(a: Rate, b: Rate) -> bool {
    u64::from(a.numerator) * u64::from(b.denominator) < u64::from(b.numerator) * u64::from(a.denominator)
}

fn kind_of(program: &Program, agent: u32) -> usize {
    program.kind_of(agent).0 as usize
}

/// A waiting time that is exponentially distributed with this rate: −ln(u) / rate, where u is one of the 2⁵³ numbers k / 2⁵³ from above 0 to 1.
pub(crate) fn wait(rng: &mut Rng, rate: f64) -> f64 {
    let u = ((rng.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    -logarithm(u) / rate
}

/// The natural logarithm of a normal positive number, by basic operations, which are the same everywhere: the libraries' differ in the last digits.
///
/// With x = m · 2ᵉ and s = (m − 1) / (m + 1), ln x = e ln 2 + 2 (s + s³/3 + s⁵/5 + …). m is between √½ and √2, so s² is below 0.0295 and what
/// comes after the eleventh term is below 10⁻¹⁷.
fn logarithm(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut m = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if m > std::f64::consts::SQRT_2 {
        m /= 2.0;
        exponent += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for term in (0..11).rev() {
        sum = sum * square + 1.0 / f64::from(2 * term + 1);
    }
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * s * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library's logarithm is right up to its last digit.
    #[test]
    fn is_the_logarithm() {
        let mut rng = Rng::new(5);
        for _ in 0..10_000 {
            let x = ((rng.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
            let (ours, theirs) = (logarithm(x), x.ln());
            assert!((ours - theirs).abs() <= 1e-15 * theirs.abs().max(1.0), "{x}: {ours} {theirs}");
        }
        assert_eq!(logarithm(1.0), 0.0);
        assert!(logarithm(1.0 / (1_u64 << 53) as f64).is_finite());
    }

    /// Mean 1/rate and, of all waiting times, the share 1 − 1/e up to that: within five standard deviations of 100,000 draws.
    #[test]
    fn waits_are_exponential() {
        let mut rng = Rng::new(9);
        let (mut sum, mut below) = (0.0, 0_u32);
        for _ in 0..100_000 {
            let waited = wait(&mut rng, 4.0);
            sum += waited;
            below += u32::from(waited <= 0.25);
        }
        assert!((sum / 100_000.0 - 0.25).abs() < 5.0 * 0.25 / 316.0, "{sum}");
        let share = 1.0 - (-1.0_f64).exp();
        assert!((f64::from(below) / 100_000.0 - share).abs() < 5.0 * 0.49 / 316.0, "{below}");
    }
}
