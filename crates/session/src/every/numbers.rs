//! Open parameters: `voters=1..` stands for every number from 1 on, and `yes < no` says which numbers count.

use crate::refusal::Refusal;

/// A parameter whose value is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenParameter {
    pub(crate) name: String,
    pub(crate) low: u32,
}

/// Values of the open parameters, in their order.
pub(crate) type Instance = Vec<u32>;

/// The largest smallest value: instances with more agents are not made.
const MOST: u32 = 64;

/// Whether the value of a parameter is open: `1..`.
pub(crate) fn is_open(value: &str) -> bool {
    value.trim().ends_with("..")
}

/// Whether some value of these parameters is.
pub(crate) fn is_any_open(parameters: &[(String, String)]) -> bool {
    parameters.iter().any(|(_, value)| is_open(value))
}

/// The open parameters among those of a request.
pub(crate) fn open_parameters(parameters: &[(String, String)]) -> Result<Vec<OpenParameter>, Refusal> {
    let mut out: Vec<OpenParameter> = vec![];
    for (name, value) in parameters.iter().filter(|(_, value)| is_open(value)) {
        let number = value.trim().trim_end_matches("..").trim();
        let low = number.parse().ok().filter(|low| *low <= MOST);
        let Some(low) = low else {
            let why = format!(
                "{name}={value}: write the smallest number, up to {MOST}, and two points: {name}=1.."
            );
            return Err(Refusal::OpenNumbers { why });
        };
        let name = name.trim_start_matches('_').to_string();
        if out.iter().any(|open| open.name == name) {
            return Err(Refusal::OpenNumbers { why: format!("the parameter {name} is given twice") });
        }
        out.push(OpenParameter { name, low });
    }
    Ok(out)
}

/// The same parameters, with the numbers of an instance in place of what is open.
pub(crate) fn closed(
    parameters: &[(String, String)],
    open: &[OpenParameter],
    instance: &Instance,
) -> Vec<(String, String)> {
    let closed = |(name, value): &(String, String)| {
        let is = |open: &OpenParameter| open.name == name.trim_start_matches('_') && is_open(value);
        let number = open.iter().position(is).map(|at| instance[at].to_string());
        (name.clone(), number.unwrap_or_else(|| value.clone()))
    };
    parameters.iter().map(closed).collect()
}

/// `Σ coefficient · parameter + constant ≥ 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inequality {
    /// One for each open parameter.
    pub(crate) coefficients: Vec<i64>,
    pub(crate) constant: i64,
}

impl Inequality {
    fn holds(&self, instance: &[u32]) -> bool {
        let sum = self.coefficients.iter().zip(instance).map(|(c, n)| i128::from(*c) * i128::from(*n));
        sum.sum::<i128>() + i128::from(self.constant) >= 0
    }
}

/// Which numbers count: all of these hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Constraint {
    pub(crate) all: Vec<Inequality>,
}

impl Constraint {
    /// Whether an instance counts.
    pub(crate) fn holds(&self, instance: &[u32]) -> bool {
        self.all.iter().all(|one| one.holds(instance))
    }

    /// The largest sum of numbers that count, at most; none if it was not found, as where there are infinitely many.
    ///
    /// Upper bounds are propagated: `Σ c·x + k ≥ 0` with `c < 0` for one parameter bounds it, once those with `c > 0` are bounded.
    pub(crate) fn largest(&self, open: &[OpenParameter]) -> Option<u32> {
        let mut highest: Vec<Option<i128>> = vec![None; open.len()];
        // A bound that is found may lead to smaller ones for ever; for us the first ones are good enough.
        for _ in open {
            for Inequality { coefficients, constant } in &self.all {
                for (at, own) in coefficients.iter().enumerate().filter(|(_, own)| **own < 0) {
                    let others = coefficients.iter().enumerate().filter(|(other, _)| *other != at);
                    let most = others.map(|(other, c)| match *c {
                        0 => Some(0),
                        c if c < 0 => Some(i128::from(c) * i128::from(open[other].low)),
                        c => highest[other].map(|high| i128::from(c) * high),
                    });
                    if let (None, Some(rest)) = (highest[at], most.sum::<Option<i128>>()) {
                        let bound = (rest + i128::from(*constant)).div_euclid(i128::from(-own));
                        // So many agents are never decided; a larger bound is none.
                        highest[at] = Some(bound.max(0)).filter(|bound| *bound <= i128::from(u32::MAX));
                    }
                }
            }
        }
        // One inequality may bound the sum itself.
        let whole = self.all.iter().filter_map(|Inequality { coefficients, constant }| {
            let least = coefficients.iter().map(|c| -i128::from(*c)).min().filter(|least| *least > 0)?;
            Some(i128::from(*constant).div_euclid(least).max(0))
        });
        let sum = highest.into_iter().sum::<Option<i128>>();
        u32::try_from(whole.chain(sum).min()?).ok()
    }

    /// Reads `yes < no and yes + no <= 9`.
    pub(crate) fn read(text: &str, open: &[OpenParameter]) -> Result<Constraint, Refusal> {
        let refuse = |why: String| Err(Refusal::OpenNumbers { why: format!("--where '{text}': {why}") });
        let mut all = vec![];
        for part in text.split(" and ").flat_map(|part| part.split("&&")) {
            let operators = ["<=", ">=", "!=", "==", "<", ">", "="];
            let found = operators.iter().filter_map(|op| part.find(op).map(|at| (at, *op)));
            // The longer one of those that begin at the same place.
            let Some((at, op)) = found.min_by_key(|(at, op)| (*at, std::cmp::Reverse(op.len()))) else {
                return refuse(format!("'{}' is no comparison: write 'yes < no'", part.trim()));
            };
            let (left, right) = (sum(&part[..at], open), sum(&part[at + op.len()..], open));
            let (left, right) = match (left, right) {
                (Ok(left), Ok(right)) => (left, right),
                (Err(why), _) | (_, Err(why)) => return refuse(why),
            };
            match op {
                "<" => all.push(difference(&right, &left, -1)),
                "<=" => all.push(difference(&right, &left, 0)),
                ">" => all.push(difference(&left, &right, -1)),
                ">=" => all.push(difference(&left, &right, 0)),
                "=" | "==" => {
                    all.push(difference(&right, &left, 0));
                    all.push(difference(&left, &right, 0));
                }
                _ => return refuse("'!=' leaves two ranges: ask for each of them".to_string()),
            }
        }
        Ok(Constraint { all })
    }
}

/// `a − b + constant ≥ 0`.
fn difference(a: &Inequality, b: &Inequality, constant: i64) -> Inequality {
    let coefficients = a.coefficients.iter().zip(&b.coefficients).map(|(a, b)| a - b).collect();
    Inequality { coefficients, constant: a.constant - b.constant + constant }
}

/// `2 * yes + 1`, as coefficients and a constant.
fn sum(text: &str, open: &[OpenParameter]) -> Result<Inequality, String> {
    let mut out = Inequality { coefficients: vec![0; open.len()], constant: 0 };
    let spaced = text.replace('+', " + ").replace('-', " - ");
    let (mut sign, mut wanted, mut signed) = (1, true, false);
    let mut words = spaced.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "+" | "-" if signed => return Err(format!("'{}' has two signs in a row", text.trim())),
            "+" | "-" => {
                sign = if word == "-" { -1 } else { 1 };
                (wanted, signed) = (true, true);
            }
            _ if !wanted => return Err(format!("'{}' is no sum", text.trim())),
            _ => {
                let mut product = word.to_string();
                while product.ends_with('*') || words.peek().is_some_and(|next| next.starts_with('*')) {
                    product += words.next().ok_or_else(|| format!("'{}' is no sum", text.trim()))?;
                }
                term(&product, sign, open, &mut out)?;
                (wanted, signed) = (false, false);
            }
        }
    }
    if wanted { Err(format!("'{}' is no sum", text.trim())) } else { Ok(out) }
}

/// Adds `2*yes`, `yes` or `3`.
fn term(text: &str, sign: i64, open: &[OpenParameter], out: &mut Inequality) -> Result<(), String> {
    let mut factor = sign;
    let mut parameter = None;
    for part in text.split('*') {
        let name = part.trim_start_matches('_');
        match (part.parse::<u32>(), open.iter().position(|p| p.name == name)) {
            (Ok(number), _) => factor = small(factor.checked_mul(i64::from(number)))?,
            (Err(_), Some(at)) if parameter.is_none() => parameter = Some(at),
            (Err(_), Some(_)) => return Err(format!("'{text}' is a product of parameters")),
            (Err(_), None) => return Err(format!("'{part}' is neither a number nor an open parameter")),
        }
    }
    let to = match parameter {
        Some(at) => &mut out.coefficients[at],
        None => &mut out.constant,
    };
    *to = small(to.checked_add(factor))?;
    Ok(())
}

/// Sums and products of numbers this large, times numbers of agents, never come near what 64 bits hold.
fn small(number: Option<i64>) -> Result<i64, String> {
    const LARGEST: i64 = 1_000_000_000;
    number
        .filter(|number| (-LARGEST..=LARGEST).contains(number))
        .ok_or_else(|| format!("numbers may be up to {LARGEST} there"))
}

/// All instances whose numbers have this sum.
pub(crate) fn instances(open: &[OpenParameter], total: u32, constraint: &Constraint) -> Vec<Instance> {
    let mut out = vec![];
    fill(open, total, &mut vec![], &mut out);
    out.retain(|instance| constraint.holds(instance));
    out
}

fn fill(open: &[OpenParameter], total: u32, so_far: &mut Instance, out: &mut Vec<Instance>) {
    let Some((first, rest)) = open.split_first() else {
        if total == 0 {
            out.push(so_far.clone());
        }
        return;
    };
    for value in first.low..=total {
        so_far.push(value);
        fill(rest, total - value, so_far, out);
        so_far.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<OpenParameter> {
        ["yes", "no"].map(|name| OpenParameter { name: name.to_string(), low: 1 }).to_vec()
    }

    #[test]
    fn values_that_are_open() {
        let given = |value: &str| open_parameters(&[("_n".to_string(), value.to_string())]);
        assert_eq!(given("3..").unwrap(), [OpenParameter { name: "n".to_string(), low: 3 }]);
        assert_eq!(given("3").unwrap(), []);
        for wrong in ["..", "-1..", "x..", "65.."] {
            assert!(given(wrong).is_err(), "{wrong}");
        }
    }

    /// The instances with up to six agents that satisfy a constraint are those for which a closure says so.
    #[test]
    fn constraints_mean_what_they_say() {
        type Test = fn(u32, u32) -> bool;
        let cases: [(&str, Test); 8] = [
            ("yes < no", |yes, no| yes < no),
            ("_yes<=no", |yes, no| yes <= no),
            ("2 * yes > no + 1", |yes, no| 2 * yes > no + 1),
            ("yes*2>=no", |yes, no| 2 * yes >= no),
            ("no = yes + 1", |yes, no| no == yes + 1),
            ("no - yes >= 1 and yes < 3", |yes, no| no > yes && yes < 3),
            ("-yes < no - 3", |yes, no| yes + no > 3),
            ("yes > 0 && no == 2", |_, no| no == 2),
        ];
        for (text, meant) in cases {
            let constraint = Constraint::read(text, &two()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            for total in 2..=6 {
                let expected: Vec<Instance> =
                    (1..total).map(|yes| vec![yes, total - yes]).filter(|i| meant(i[0], i[1])).collect();
                assert_eq!(instances(&two(), total, &constraint), expected, "{text}, {total}");
            }
        }
        // Where the largest sum is known there is none beyond it, and where there is one for each sum none is known.
        for (text, finite) in [
            ("yes + no <= 5", true),
            ("yes < no and no <= 4", true),
            ("2 * yes + 3 * no < 12", true),
            ("no <= 2 and yes <= no + 1", true),
            ("yes < no", false),
            ("yes >= 3", false),
            ("yes <= 3", false),
            ("yes = no", false),
        ] {
            let constraint = Constraint::read(text, &two()).unwrap();
            let found = constraint.largest(&two());
            // The bounds of the parameters are added up, so the sum may be more than what really is the largest.
            assert_eq!(found.is_some(), finite, "{text}: {found:?}");
            if let Some(found) = found {
                let beyond = (found + 1..found + 20).flat_map(|total| instances(&two(), total, &constraint));
                assert_eq!(beyond.count(), 0, "{text}: {found}");
            }
        }
        for wrong in [
            "yes",
            "yes < ",
            "yes < maybe",
            "yes != no",
            "yes * no < 3",
            "yes no < 3",
            "+ < 2",
            "",
            // Another reading of two signs would be the opposite.
            "yes - no >= 0 - + 2",
            "yes - no >= - + 2",
            "yes < 0 - -5",
            // Saturated coefficients would be others.
            "4294967295*4294967295*4294967295 * no <= 2*4294967295*4294967295*4294967295 * yes",
            "0 - 1000000001 < yes",
            "yes < 600000000 * no + 600000000 * no",
        ] {
            assert!(Constraint::read(wrong, &two()).is_err(), "{wrong}");
        }
        for (largest, instance) in
            [("1000000000*yes >= no - 1000000000", [64, 64]), ("-1000000000*no < -yes", [64, 1])]
        {
            assert!(Constraint::read(largest, &two()).unwrap().holds(&instance), "{largest}");
        }
    }
}
