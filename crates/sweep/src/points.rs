//! The points of a sweep: all combinations, or a sample of them, in a fixed order.
//!
//! The first parameter changes slowest, as the digits of a number do, and seeds change fastest. A point has an index, which is
//! its name in journals and shards, so the order must not depend on anything but what the user asked for.
//!
//! Samples are drawn without replacement. A *Latin hypercube* of N points (McKay, Beckman and Conover 1979) divides the values of
//! every parameter into N parts of equal length and takes one value of each part; the parts of different parameters are combined at
//! random. With fewer than N values a value occurs several times, and points that are equal are made once.

use crate::condition::{Condition, ConditionFault};
use crate::space::{Axis, MOST};
use crate::table::Table;
use std::collections::HashSet;
use std::fmt;

/// What a sweep is over.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Space {
    /// Points from a file: names and rows of values.
    pub listed: Option<(Vec<String>, Vec<Vec<i64>>)>,
    /// Each with every value of the others.
    pub axes: Vec<Axis>,
    /// Which points are meant.
    pub condition: Option<String>,
    /// Not all of them.
    pub sample: Option<Sample>,
    /// Seeds of each point: the first one and how many; none if the work is not random.
    pub seeds: Option<(u64, u64)>,
}

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// So many.
    pub count: usize,
    /// A Latin hypercube.
    pub latin: bool,
    /// Of the drawing.
    pub seed: u64,
}

/// All points, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Combinations of values; each is worked on with every seed.
    pub combinations: Vec<Vec<i64>>,
    /// Of each combination: the first seed and how many; none if there are none.
    pub seeds: Option<(u64, u64)>,
}

/// One point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// Its number among all points, from 0.
    pub index: usize,
    /// One value for each parameter.
    pub values: Vec<i64>,
    /// The seed, if the work is random.
    pub seed: Option<u64>,
}

/// Why there are no points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointsFault {
    /// Two words, or a word and the file, are about one parameter.
    Twice(String),
    /// The condition cannot be read, or computed for these values.
    Condition(ConditionFault, Option<String>),
    /// The condition refuses all points.
    NoneLeft {
        /// So many there were.
        of: usize,
    },
    /// There are fewer points than were to be drawn.
    Fewer {
        /// To be drawn.
        wanted: usize,
        /// So many there are.
        found: usize,
    },
    /// Of the points that were drawn, almost all are refused by the condition.
    Rare,
    /// There are more points than anybody can want.
    TooMany,
    /// The file of points has no rows.
    NoRows,
    /// A cell of the file is no whole number.
    Cell {
        /// Of the row, from 1 without the header.
        row: usize,
        /// The name of the column.
        column: String,
        /// What is there.
        text: String,
    },
}

impl fmt::Display for PointsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointsFault::Twice(name) => write!(f, "the parameter {name} is given twice"),
            PointsFault::Condition(fault, None) => write!(f, "{}", fault.kind),
            PointsFault::Condition(fault, Some(at)) => write!(f, "{} at the point {at}", fault.kind),
            PointsFault::NoneLeft { of: 1 } => {
                write!(f, "there are no points: the condition does not hold at the only one")
            }
            PointsFault::NoneLeft { of } => {
                write!(f, "there are no points: the condition holds at none of {of}")
            }
            PointsFault::Fewer { wanted, found } => {
                write!(f, "{wanted} points are to be drawn, but there are only {found}; leave out the sample")
            }
            PointsFault::Rare => {
                write!(
                    f,
                    "the condition holds at so few points that drawing does not find them; narrow the ranges"
                )
            }
            PointsFault::TooMany => write!(f, "there are more than {MOST} points"),
            PointsFault::NoRows => write!(f, "there are no points: the file has a header and no rows"),
            PointsFault::Cell { row, column, text } => {
                write!(f, "row {row}, column {column}: {text:?} is no whole number")
            }
        }
    }
}

/// Points that a table lists: every column is a parameter.
pub fn listed(table: &Table) -> Result<(Vec<String>, Vec<Vec<i64>>), PointsFault> {
    let names = table.columns.iter().map(|name| name.trim());
    let names: Vec<String> = names.map(|name| name.strip_prefix('_').unwrap_or(name).to_string()).collect();
    if table.rows.is_empty() {
        return Err(PointsFault::NoRows);
    }
    let mut rows = vec![];
    for (number, row) in table.rows.iter().enumerate() {
        let cells = row.iter().zip(&names).map(|(cell, column)| {
            let text = cell.shown().trim();
            text.parse::<i64>().map_err(|_| PointsFault::Cell {
                row: number + 1,
                column: column.clone(),
                text: text.to_string(),
            })
        });
        rows.push(cells.collect::<Result<Vec<i64>, PointsFault>>()?);
    }
    Ok((names, rows))
}

impl Space {
    /// Works out which points there are.
    pub fn points(&self) -> Result<Points, PointsFault> {
        let mut parameters: Vec<String> = self.listed.iter().flat_map(|(names, _)| names.clone()).collect();
        parameters.extend(self.axes.iter().map(|axis| axis.name.clone()));
        let mut seen = HashSet::new();
        if let Some(name) = parameters.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(PointsFault::Twice(name.clone()));
        }
        let read = |text: &String| Condition::read(text, &parameters);
        let condition = self.condition.as_ref().map(read).transpose();
        let condition = condition.map_err(|fault| PointsFault::Condition(fault, None))?;
        let mut chooser = Chooser { condition, parameters: &parameters };
        let combinations = match self.sample {
            None => self.every(&mut chooser)?,
            Some(sample) if sample.latin => self.latin(sample, &mut chooser)?,
            Some(sample) => self.random(sample, &mut chooser)?,
        };
        let seeds = self.seeds.map_or(1, |(_, count)| count);
        let all = usize::try_from(seeds).ok().and_then(|seeds| combinations.len().checked_mul(seeds));
        match all {
            Some(0) => Err(PointsFault::NoneLeft { of: 0 }),
            Some(all) if all <= MOST => Ok(Points { parameters, combinations, seeds: self.seeds }),
            _ => Err(PointsFault::TooMany),
        }
    }

    /// How many combinations there are before anything is left out.
    fn size(&self) -> Option<usize> {
        let rows = self.listed.as_ref().map_or(1, |(_, rows)| rows.len());
        self.axes.iter().try_fold(rows, |size, axis| size.checked_mul(axis.values.len()))
    }

    /// The combination with a number: the last parameter changes fastest.
    fn combination(&self, number: usize) -> Vec<i64> {
        let mut rest = number;
        let mut values = vec![];
        for axis in self.axes.iter().rev() {
            values.push(axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        values.reverse();
        match &self.listed {
            Some((_, rows)) => rows[rest].iter().copied().chain(values).collect(),
            None => values,
        }
    }

    fn every(&self, chooser: &mut Chooser<'_>) -> Result<Vec<Vec<i64>>, PointsFault> {
        let size = self.size().filter(|size| *size <= MOST).ok_or(PointsFault::TooMany)?;
        let mut kept = vec![];
        for number in 0..size {
            let values = self.combination(number);
            if chooser.keeps(&values)? {
                kept.push(values);
            }
        }
        match kept.is_empty() {
            true => Err(PointsFault::NoneLeft { of: size }),
            false => Ok(kept),
        }
    }

    fn random(&self, sample: Sample, chooser: &mut Chooser<'_>) -> Result<Vec<Vec<i64>>, PointsFault> {
        let mut random = Random(sample.seed);
        let wanted = sample.count;
        if self.size().is_some_and(|size| size <= 1_000_000) {
            let mut all = self.every(chooser)?;
            let found = all.len();
            if found < wanted {
                return Err(PointsFault::Fewer { wanted, found });
            }
            // The first steps of a shuffle (Fisher and Yates).
            for at in 0..wanted {
                let other = at + random.below((found - at) as u64) as usize;
                all.swap(at, other);
            }
            all.truncate(wanted);
            return Ok(all);
        }
        let lengths = self.lengths();
        let (mut kept, mut seen) = (vec![], HashSet::new());
        for _ in 0..wanted.saturating_mul(1000).saturating_add(10_000) {
            if kept.len() == wanted {
                break;
            }
            let parts: Vec<usize> = lengths.iter().map(|n| random.below(*n as u64) as usize).collect();
            let values = self.chosen(&parts);
            if chooser.keeps(&values)? && seen.insert(values.clone()) {
                kept.push(values);
            }
        }
        if kept.len() < wanted { Err(PointsFault::Rare) } else { Ok(kept) }
    }

    fn latin(&self, sample: Sample, chooser: &mut Chooser<'_>) -> Result<Vec<Vec<i64>>, PointsFault> {
        if sample.count > MOST {
            return Err(PointsFault::TooMany);
        }
        let mut random = Random(sample.seed);
        let count = sample.count as u64;
        let columns = self.lengths().into_iter().map(|length| {
            let mut parts: Vec<u64> = (0..count).collect();
            for at in 0..parts.len() {
                let other = at + random.below((parts.len() - at) as u64) as usize;
                parts.swap(at, other);
            }
            // A place inside the part, exactly: (part + u / 2^32) / count of the length.
            let place = |part: u64, inside: u64| {
                let numerator = ((u128::from(part) << 32) + u128::from(inside)) * length as u128;
                (numerator / (u128::from(count) << 32)) as usize
            };
            parts.into_iter().map(|part| place(part, random.next() >> 32)).collect::<Vec<usize>>()
        });
        let columns: Vec<Vec<usize>> = columns.collect();
        let (mut kept, mut seen) = (vec![], HashSet::new());
        for at in 0..sample.count {
            let parts: Vec<usize> = columns.iter().map(|column| column[at]).collect();
            let values = self.chosen(&parts);
            if chooser.keeps(&values)? && seen.insert(values.clone()) {
                kept.push(values);
            }
        }
        match kept.is_empty() {
            true => Err(PointsFault::NoneLeft { of: sample.count }),
            false => Ok(kept),
        }
    }

    /// How many rows the file has, and how many values each axis.
    fn lengths(&self) -> Vec<usize> {
        let rows = self.listed.iter().map(|(_, rows)| rows.len());
        rows.chain(self.axes.iter().map(|axis| axis.values.len())).collect()
    }

    fn chosen(&self, parts: &[usize]) -> Vec<i64> {
        let (rows, axes) = parts.split_at(usize::from(self.listed.is_some()));
        let row = self.listed.iter().zip(rows).flat_map(|((_, all), row)| all[*row].clone());
        row.chain(self.axes.iter().zip(axes).map(|(axis, at)| axis.values[*at])).collect()
    }
}

struct Chooser<'p> {
    condition: Option<Condition>,
    parameters: &'p [String],
}

impl Chooser<'_> {
    fn keeps(&mut self, values: &[i64]) -> Result<bool, PointsFault> {
        let Some(condition) = &self.condition else { return Ok(true) };
        condition
            .holds(values)
            .map_err(|fault| PointsFault::Condition(fault, Some(shown(self.parameters, values))))
    }
}

/// `n=2 delta=3`.
pub fn shown(parameters: &[String], values: &[i64]) -> String {
    let pairs = parameters.iter().zip(values).map(|(name, value)| format!("{name}={value}"));
    pairs.collect::<Vec<_>>().join(" ")
}

impl Points {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.combinations.len() * self.per_combination()
    }

    /// How many seeds each combination has; one point without seeds.
    pub fn per_combination(&self) -> usize {
        self.seeds.map_or(1, |(_, count)| count as usize)
    }

    /// The point with this index, which must be less than [`Points::count`].
    pub fn point(&self, index: usize) -> Point {
        let (combination, seed) = (index / self.per_combination(), index % self.per_combination());
        let values = self.combinations[combination].clone();
        Point { index, values, seed: self.seeds.map(|(first, _)| first.wrapping_add(seed as u64)) }
    }

    /// Everything about them in one text, for a hash.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{:?}\n", self.parameters.join(","), self.seeds);
        for values in &self.combinations {
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            text += &values.join(",");
            text.push('\n');
        }
        text
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014). It is written out here because a seed must give the same points in every version.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly below this number, which is not 0: what would make some numbers likelier is drawn again.
    fn below(&mut self, bound: u64) -> u64 {
        let surplus = (u64::MAX % bound + 1) % bound;
        loop {
            let drawn = self.next();
            if drawn <= u64::MAX - surplus {
                return drawn % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(words: &[&str]) -> Space {
        let axes = words.iter().map(|word| Axis::read(word).unwrap().unwrap()).collect();
        Space { axes, ..Space::default() }
    }

    #[test]
    fn the_last_parameter_changes_fastest_and_seeds_faster() {
        let points = Space { seeds: Some((5, 2)), ..space(&["a=1,2", "b=3..5"]) }.points().unwrap();
        let expected = [[1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]];
        assert_eq!(points.combinations, expected);
        assert_eq!(points.count(), 12);
        assert_eq!(points.point(7), Point { index: 7, values: vec![2, 3], seed: Some(6) });
    }

    #[test]
    fn files_come_before_ranges() {
        let table = Table::from_csv("_yes,no\n1,2\n3,4\n").unwrap();
        let space = Space { listed: Some(listed(&table).unwrap()), ..space(&["n=7,8"]) };
        let points = space.points().unwrap();
        assert_eq!(points.parameters, ["yes", "no", "n"]);
        assert_eq!(points.combinations, [[1, 2, 7], [1, 2, 8], [3, 4, 7], [3, 4, 8]]);
        let wrong = listed(&Table::from_csv("a,b\n1,2\n3,x\n").unwrap()).unwrap_err();
        assert_eq!(wrong.to_string(), "row 2, column b: \"x\" is no whole number");
        assert_eq!(listed(&Table::from_csv("a\n").unwrap()), Err(PointsFault::NoRows));
    }

    #[test]
    fn conditions_leave_points_out() {
        let with =
            |text: &str| Space { condition: Some(text.to_string()), ..space(&["a=1..3", "b=1..3"]) }.points();
        assert_eq!(with("a < b").unwrap().combinations, [[1, 2], [1, 3], [2, 3]]);
        assert_eq!(with("a > 9"), Err(PointsFault::NoneLeft { of: 9 }));
        assert_eq!(with("1 / (a - 2) = 0").unwrap_err().to_string(), "division by zero at the point a=2 b=1");
        assert_eq!(space(&["a=1", "a=2"]).points(), Err(PointsFault::Twice("a".to_string())));
        let many = space(&["a=1..100000", "b=1..100000"]);
        assert_eq!(many.points(), Err(PointsFault::TooMany));
    }

    #[test]
    fn samples_are_distinct_and_depend_on_the_seed_only() {
        let draw = |seed| {
            let sample = Some(Sample { count: 20, latin: false, seed });
            Space { sample, ..space(&["a=1..10", "b=1..10"]) }.points().unwrap().combinations
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(draw(1).iter().collect::<HashSet<_>>().len(), 20);
        let sample = Some(Sample { count: 101, latin: false, seed: 1 });
        let few = Space { sample, ..space(&["a=1..10", "b=1..10"]) };
        assert_eq!(few.points(), Err(PointsFault::Fewer { wanted: 101, found: 100 }));
        // A space that is too large to list.
        let sample = Some(Sample { count: 50, latin: false, seed: 1 });
        let large = Space { sample, ..space(&["a=1..100000", "b=1..100000"]) };
        assert_eq!(large.points().unwrap().combinations.len(), 50);
        let never = Space { condition: Some("a = b".to_string()), ..large };
        assert_eq!(never.points(), Err(PointsFault::Rare));
    }

    /// The definition: with as many values as points, every value of every parameter occurs once.
    #[test]
    fn a_latin_hypercube_has_every_part_once() {
        for seed in 0..20 {
            let sample = Some(Sample { count: 12, latin: true, seed });
            let points = Space { sample, ..space(&["a=1..12", "b=1..24", "c=1..4"]) }.points().unwrap();
            let column = |at: usize| {
                let mut values: Vec<i64> = points.combinations.iter().map(|values| values[at]).collect();
                values.sort_unstable();
                values
            };
            assert_eq!(column(0), (1..=12).collect::<Vec<i64>>());
            let parts: Vec<i64> = column(1).iter().map(|value| (value - 1) / 2).collect();
            assert_eq!(parts, (0..12).collect::<Vec<i64>>());
            assert_eq!(column(2), [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
        }
    }
}
