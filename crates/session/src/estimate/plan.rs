//! Queries as measures over conditions and values of the program: what runs are followed by, and what the exact engine computes.

use super::query::{Ask, Bound, Comparison, Optimum, Part, Path, Query, QueryError, What, read};
use super::{EstimateOptions, ManyExecutions, NoEstimate, SchedulerWord};
use crate::asked::{self, Asked, AskedKind, AskedPart};
use crate::open::{ModelOptions, Prepared, prepare_unless};
use crate::refusal::Refusal;
use crate::verify::question_of;
use std::sync::atomic::AtomicBool;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Linear, LinearTime, Modality, Property, Stmt, Value};
use swarmcheck_source::{Diagnostic, SourceFile, Span, data};

/// The code of diagnostics about queries.
const QUERY: &str = "Q0001";

/// A condition, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cond {
    /// Its place in [`Plan::conditions`].
    pub number: usize,
    /// Whether it has to hold.
    pub wanted: bool,
}

/// What is measured of a run.
#[derive(Clone, Debug)]
pub(crate) enum Measure {
    /// Whether a goal is reached, and until then something holds. Negated, it is `always`.
    Until {
        hold: Option<Cond>,
        goal: Cond,
        within: Option<Bound>,
        negated: bool,
    },
    After {
        condition: Cond,
        steps: u64,
    },
    /// A property with a scope; conditions in the order of `Property::exprs`.
    Scoped {
        modality: Modality,
        conditions: Vec<usize>,
    },
    /// Atoms are numbers of `atoms`, which are numbers of conditions.
    Linear {
        linear: Box<LinearTime>,
        formula: Linear<usize>,
        atoms: Vec<usize>,
        rest: Option<Vec<(usize, Value)>>,
        within: Option<Bound>,
    },
    StepsUntil(Cond),
    TimeUntil(Cond),
    /// Values are numbers of [`Plan::values`].
    ValueAfter {
        value: usize,
        steps: u64,
    },
    ValueAtTheEnd(usize),
    LongRun(Cond),
}

impl Measure {
    /// Whether the answer of a run is yes or no.
    pub(crate) fn is_truth(&self) -> bool {
        matches!(
            self,
            Measure::Until { .. } | Measure::After { .. } | Measure::Scoped { .. } | Measure::Linear { .. }
        )
    }

    /// Whether every run decides it after a number of steps, or an amount of time, that the query says.
    pub(crate) fn is_bounded(&self) -> bool {
        match self {
            Measure::Until { within, .. } | Measure::Linear { within, .. } => within.is_some(),
            Measure::After { .. } | Measure::ValueAfter { .. } => true,
            Measure::Scoped { .. } | Measure::StepsUntil(_) | Measure::TimeUntil(_) => false,
            Measure::ValueAtTheEnd(_) | Measure::LongRun(_) => false,
        }
    }

    /// After how many steps the query says that its answer is known, if it says so.
    pub(crate) fn last_step(&self) -> Option<u64> {
        match self {
            Measure::Until { within: Some(Bound::Steps(most)), .. }
            | Measure::Linear { within: Some(Bound::Steps(most)), .. } => Some(*most),
            Measure::After { steps, .. } | Measure::ValueAfter { steps, .. } => Some(*steps),
            _ => None,
        }
    }

    pub(crate) fn names_time(&self) -> bool {
        match self {
            Measure::Until { within, .. } | Measure::Linear { within, .. } => {
                matches!(within, Some(Bound::Time(_)))
            }
            Measure::TimeUntil(_) => true,
            _ => false,
        }
    }
}

/// A query, ready to be answered.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub text: String,
    pub measure: Measure,
    pub optimum: Option<Optimum>,
    pub comparison: Option<Comparison>,
}

/// All queries, over one list of conditions and one of values.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub queries: Vec<Planned>,
    pub conditions: Vec<Expr>,
    pub values: Vec<Expr>,
    /// The value that says how close a state is, for splitting.
    pub importance: Option<usize>,
}

/// The model with what is asked behind it, and the plan. What was opened already is used if it fits.
pub(crate) enum Opened<'p> {
    Given(&'p Prepared),
    Anew(Box<Prepared>),
}

impl std::ops::Deref for Opened<'_> {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        match self {
            Opened::Given(prepared) => prepared,
            Opened::Anew(prepared) => prepared,
        }
    }
}

/// Reads the queries, and opens the model once more if they have parts in its language.
pub(crate) fn plan<'p>(
    prepared: &'p Prepared,
    options: &EstimateOptions,
    stop: &AtomicBool,
) -> Result<(Opened<'p>, Plan), Refusal> {
    let queries = queries(prepared, options)?;
    let mut asked = Asked { queries: options.queries.clone(), parts: vec![] };
    for (number, query) in queries.iter().enumerate() {
        parts(query, &mut |kind, part| {
            asked.parts.push(AskedPart { kind, text: part.text.clone(), query: number, at: part.at });
        });
    }
    if let super::Method::Splitting { importance, .. } = &options.method {
        asked.queries.push(importance.clone());
        asked.parts.push(AskedPart {
            kind: AskedKind::Value,
            text: importance.clone(),
            query: asked.queries.len() - 1,
            at: 0,
        });
    }
    let turns = prepared.options.fair || options.scheduler == SchedulerWord::RoundRobin;
    let opened = if asked.parts.is_empty() && turns == prepared.options.fair {
        Opened::Given(prepared)
    } else {
        let text = model_text(prepared);
        let wanted = ModelOptions { fair: turns, asked, reach: None, ..prepared.options.clone() };
        Opened::Anew(Box::new(prepare_unless(prepared.file.name(), text.as_bytes(), wanted, stop)?))
    };
    let plan = Planner { prepared: &opened, plan: Plan::default(), used: 0 }.all(queries)?;
    Ok((opened, plan))
}

/// The text of the model alone.
fn model_text(prepared: &Prepared) -> String {
    let length = crate::reach::model_length(&prepared.file, &prepared.options)
        .min(asked::model_length(&prepared.file, &prepared.options));
    prepared.file.text().get(..length).unwrap_or_default().to_string()
}

/// The properties that the file has: not those that were asked before.
fn own_properties(prepared: &Prepared) -> impl Iterator<Item = (usize, &Property)> {
    let behind = prepared.options.asked.parts.len();
    let all = &prepared.flat.program.properties;
    let own = all.len().saturating_sub(behind);
    all.iter().enumerate().take(own).filter(|(number, _)| !prepared.is_reach(*number))
}

/// The queries, then the properties that are asked for by name.
fn queries(prepared: &Prepared, options: &EstimateOptions) -> Result<Vec<Query>, Refusal> {
    let mut names: Vec<&str> = own_properties(prepared).map(|(_, property)| property.name.as_str()).collect();
    names.extend(own_properties(prepared).map(|(number, _)| question_of(prepared, number)));
    let mut out = vec![];
    for (number, text) in options.queries.iter().enumerate() {
        let query = read(text, &names);
        out.push(query.map_err(|e| wrong(e, text, asked::query_name(number, options.queries.len())))?);
    }
    for name in &options.properties {
        if !names.contains(&name.as_str()) {
            return Err(Refusal::no_such_property(name, names.iter().copied()));
        }
        let ask = Ask::Probability(Path::Named { name: name.clone(), within: None });
        out.push(Query { text: name.clone(), ask, optimum: None, comparison: None });
    }
    if out.is_empty() {
        return Err(Refusal::NoEstimate { why: NoEstimate::Nothing });
    }
    Ok(out)
}

fn wrong(error: QueryError, text: &str, name: String) -> Refusal {
    let file = SourceFile::new(&name, text);
    let span = Span::new(error.span.start, error.span.end);
    let mut diagnostic = Diagnostic::error(QUERY, span, error.message);
    diagnostic.help = error.help;
    Refusal::Model { diagnostics: vec![data::diagnostic(&file, &diagnostic)] }
}

/// The parts of a query in the order of their properties.
fn parts(query: &Query, take: &mut dyn FnMut(AskedKind, &Part)) {
    use AskedKind::{Condition, Formula, Value};
    match &query.ask {
        Ask::Probability(path) => match path {
            Path::Named { .. } => {}
            Path::Until { hold, goal, .. } => {
                hold.iter().for_each(|part| take(Condition, part));
                take(Condition, goal);
            }
            Path::Always { condition, .. } | Path::After { condition, .. } => take(Condition, condition),
            Path::Linear { formula, .. } => take(Formula, formula),
        },
        Ask::Expectation(what) => match what {
            What::StepsUntil(part) | What::TimeUntil(part) => take(Condition, part),
            What::After { value, .. } | What::AtTheEnd(value) => take(Value, value),
        },
        Ask::LongRun(part) => take(Condition, part),
    }
}

struct Planner<'p> {
    prepared: &'p Prepared,
    plan: Plan,
    /// Parts that have been taken.
    used: usize,
}

impl Planner<'_> {
    fn all(mut self, queries: Vec<Query>) -> Result<Plan, Refusal> {
        for query in queries {
            let Query { text, ask, optimum, comparison } = query;
            let measure = match ask {
                Ask::Probability(path) => self.path(path, &text)?,
                Ask::Expectation(what) => self.what(what)?,
                Ask::LongRun(_) => Measure::LongRun(self.condition()?),
            };
            self.plan.queries.push(Planned { text, measure, optimum, comparison });
        }
        if self.used < self.prepared.options.asked.parts.len() {
            self.plan.importance = Some(self.value()?);
        }
        Ok(self.plan)
    }

    fn path(&mut self, path: Path, text: &str) -> Result<Measure, Refusal> {
        Ok(match path {
            Path::Named { name, within } => self.named(&name, within, text)?,
            Path::Until { hold, within, .. } => {
                let hold = hold.map(|_| self.condition()).transpose()?;
                Measure::Until { hold, goal: self.condition()?, within, negated: false }
            }
            Path::Always { within, .. } => {
                let condition = self.condition()?;
                let goal = Cond { wanted: false, ..condition };
                Measure::Until { hold: None, goal, within, negated: true }
            }
            Path::After { steps, .. } => Measure::After { condition: self.condition()?, steps },
            Path::Linear { within, .. } => {
                let number = self.next()?;
                let property = &self.prepared.flat.program.properties[number];
                self.property(property, within, text)?
            }
        })
    }

    fn what(&mut self, what: What) -> Result<Measure, Refusal> {
        Ok(match what {
            What::StepsUntil(_) => Measure::StepsUntil(self.condition()?),
            What::TimeUntil(_) => Measure::TimeUntil(self.condition()?),
            What::After { steps, .. } => Measure::ValueAfter { value: self.value()?, steps },
            What::AtTheEnd(_) => Measure::ValueAtTheEnd(self.value()?),
        })
    }

    /// The number of the property that the next part became.
    fn next(&mut self) -> Result<usize, Refusal> {
        let name = asked::property_name(self.used);
        self.used += 1;
        let properties = &self.prepared.flat.program.properties;
        properties
            .iter()
            .position(|property| property.name == name)
            .ok_or_else(|| internal("a part of a query is lost"))
    }

    fn condition(&mut self) -> Result<Cond, Refusal> {
        let number = self.next()?;
        let predicate = self.prepared.flat.program.properties[number].predicate.clone();
        Ok(Cond { number: numbered(&mut self.plan.conditions, &predicate), wanted: true })
    }

    fn value(&mut self) -> Result<usize, Refusal> {
        let number = self.next()?;
        let value = self.prepared.model.asked_value(number, &self.prepared.options);
        let value = value.ok_or_else(|| internal("a value in a query is lost"))?;
        Ok(numbered(&mut self.plan.values, &value))
    }

    fn named(&mut self, name: &str, within: Option<Bound>, text: &str) -> Result<Measure, Refusal> {
        let prepared = self.prepared;
        let exact = own_properties(prepared).find(|(_, property)| property.name == name);
        let mut asked = own_properties(prepared).filter(|(number, _)| question_of(prepared, *number) == name);
        let (number, property) = match (exact, asked.next(), asked.next()) {
            (Some(exact), ..) => exact,
            (None, Some(_), Some(_)) => {
                return Err(Refusal::NoEstimate {
                    why: NoEstimate::TwoReadings { property: name.to_string() },
                });
            }
            (None, Some(one), None) => one,
            (None, None, _) => return Err(internal("a property is lost")),
        };
        if prepared.turned(number).is_some() {
            return Err(many(name, ManyExecutions::Possibility));
        }
        let bounded = matches!(
            property.modality,
            Modality::Always | Modality::Eventually | Modality::Finally | Modality::Linear(_)
        );
        if within.is_some() && !bounded {
            return Err(Refusal::NoEstimate { why: NoEstimate::NoBound { query: text.to_string() } });
        }
        self.property(property, within, name)
    }

    fn property(
        &mut self,
        property: &Property,
        within: Option<Bound>,
        name: &str,
    ) -> Result<Measure, Refusal> {
        let mut number = |e: &Expr| numbered(&mut self.plan.conditions, e);
        Ok(match &property.modality {
            Modality::Always => {
                let goal = Cond { number: number(&property.predicate), wanted: false };
                Measure::Until { hold: None, goal, within, negated: true }
            }
            Modality::Eventually | Modality::Finally => {
                let goal = Cond { number: number(&property.predicate), wanted: true };
                Measure::Until { hold: None, goal, within, negated: false }
            }
            Modality::After(steps) => {
                let condition = Cond { number: number(&property.predicate), wanted: true };
                Measure::After { condition, steps: u64::from(*steps) }
            }
            Modality::Scoped { .. } => {
                let conditions = property.exprs().into_iter().map(number).collect();
                Measure::Scoped { modality: property.modality.clone(), conditions }
            }
            Modality::Linear(linear) => {
                let mut atoms: Vec<usize> = vec![];
                let formula = linear.formula.map(&mut |e: &Expr| {
                    let condition = number(e);
                    atoms.iter().position(|known| *known == condition).unwrap_or_else(|| {
                        atoms.push(condition);
                        atoms.len() - 1
                    })
                });
                Measure::Linear {
                    linear: linear.clone(),
                    formula,
                    atoms,
                    rest: rest(&self.prepared.flat, &linear.rest),
                    within,
                }
            }
            Modality::Fairly => return Err(many(name, ManyExecutions::Fairly)),
            Modality::FairlyInf => return Err(many(name, ManyExecutions::FairlyInf)),
        })
    }
}

fn many(name: &str, modality: ManyExecutions) -> Refusal {
    Refusal::NoEstimate { why: NoEstimate::AllExecutions { property: name.to_string(), modality } }
}

fn internal(why: &str) -> Refusal {
    Refusal::unfinished(crate::outcome::Reason::Internal { why: why.to_string() })
}

/// The number of an expression in a list that has each once.
fn numbered(list: &mut Vec<Expr>, e: &Expr) -> usize {
    list.iter().position(|known| known == e).unwrap_or_else(|| {
        list.push(e.clone());
        list.len() - 1
    })
}

/// What a stuttering step writes, if these are constants to variables of nobody.
fn rest(flat: &Flat, block: &[Stmt]) -> Option<Vec<(usize, Value)>> {
    let write = |stmt: &Stmt| match stmt {
        Stmt::Assign(place, Expr::Const(value)) if place.agent.is_none() && place.index.is_empty() => {
            Some((flat.layout.global(place.var) as usize, *value))
        }
        _ => None,
    };
    block.iter().map(write).collect()
}
