//! What is nondeterministic in an action: the numbers of its ranges and the agents of its picks.
//!
//! The rules say what an action *can* do. Here an action is performed for one way to make its choices, and the ways are
//! gone through one after the other, the last choice changing fastest. So an action that draws one of very many
//! numbers is not a list of very many states.

use crate::error::ModelError;
use crate::value::Value;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use swarmcheck_labs::model::VarId;

/// Why evaluation ends before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It runs into an error of the model.
    Error(ModelError),
    /// There is no outcome: nothing to choose from, or a ⊥ where the rules need a value.
    Nothing,
}

impl From<ModelError> for Stop {
    fn from(error: ModelError) -> Stop {
        Stop::Error(error)
    }
}

/// What an action is to leave behind: the values of the cells of a variable, in the acting agent's copy.
pub type Wanted<'a> = &'a dyn Fn(VarId) -> Vec<Value>;

/// Whoever is shown the steps of an agent says which of the others matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// All of them may matter.
    More,
    /// Those of other actions: further ways to make the choices of this one do not matter.
    Others,
    /// None does: what was looked for is found.
    Nothing,
}

/// One way to make the choices of an action.
#[derive(Default)]
pub struct Choices<'w> {
    /// Which of how many was chosen, choice by choice.
    made: RefCell<Vec<(u64, u64)>>,
    /// The next choice.
    at: Cell<usize>,
    /// Outcomes that leave other values behind may be left out.
    pub wanted: Option<Wanted<'w>>,
}

impl Choices<'_> {
    /// Which of so many is chosen. Where there is nothing to choose from there is no outcome.
    pub fn choose(&self, options: u64) -> Result<u64, Stop> {
        let at = self.at.replace(self.at.get() + 1);
        let mut made = self.made.borrow_mut();
        if at == made.len() {
            made.push((0, options));
        }
        let (chosen, of) = made[at];
        assert_eq!(of, options, "the same choices lead to the same options");
        if chosen < of { Ok(chosen) } else { Err(Stop::Nothing) }
    }

    /// One of the numbers `lo..hi`, `hi` excluded; none if a bound is ⊥.
    pub fn number(&self, lo: Value, hi: Value) -> Result<Value, Stop> {
        let (Some(lo), Some(hi)) = (lo, hi) else { return Err(Stop::Nothing) };
        let count = if lo < hi { hi.abs_diff(lo) } else { 0 };
        Ok(lo.checked_add_unsigned(self.choose(count)?))
    }

    /// One of these numbers if it is in `lo..hi`.
    pub fn number_among(&self, lo: Value, hi: Value, mut numbers: Vec<Value>) -> Result<Value, Stop> {
        let (Some(lo), Some(hi)) = (lo, hi) else { return Err(Stop::Nothing) };
        numbers.retain(|number| number.is_some_and(|number| (lo..hi).contains(&number)));
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers[self.choose(numbers.len() as u64)? as usize])
    }

    /// Goes on to the next way; `false` if this was the last.
    fn advance(&mut self) -> bool {
        self.at.set(0);
        let made = self.made.get_mut();
        while let Some((chosen, of)) = made.pop() {
            if of.saturating_sub(chosen) > 1 {
                made.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// Why no more outcomes are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Nobody wants to see more of this action.
    Enough,
    /// Nobody wants to see more.
    Seen,
    /// There are more ways to choose than may be tried.
    TooMany,
}

/// In how many more ways actions may be performed.
#[derive(Debug)]
pub struct Budget {
    pub left: Cell<u64>,
    /// What a way costs: each copies a state.
    pub price: u64,
}

/// Performs something in every way to make its choices, and shows what comes out. The first way is free.
pub fn each_way<T>(
    budget: &Budget,
    wanted: Option<Wanted<'_>>,
    perform: impl Fn(&Choices<'_>) -> Result<T, Stop>,
    show: &mut dyn FnMut(Result<T, ModelError>) -> ControlFlow<Ended>,
) -> ControlFlow<Ended> {
    let mut choices = Choices { wanted, ..Choices::default() };
    loop {
        match perform(&choices) {
            Ok(outcome) => show(Ok(outcome))?,
            Err(Stop::Error(error)) => show(Err(error))?,
            Err(Stop::Nothing) => {}
        }
        if !choices.advance() {
            return ControlFlow::Continue(());
        }
        match budget.left.get().checked_sub(budget.price) {
            Some(fewer) => budget.left.set(fewer),
            None => return ControlFlow::Break(Ended::TooMany),
        }
    }
}

#[cfg(test)]
impl Budget {
    pub fn of(left: u64) -> Budget {
        Budget { left: Cell::new(left), price: 1 }
    }
}

/// All outcomes as a list.
#[cfg(test)]
pub fn outcomes<T>(perform: impl Fn(&Choices<'_>) -> Result<T, Stop>) -> Vec<Result<T, ModelError>> {
    let mut all = vec![];
    let end = each_way(&Budget::of(u64::MAX), None, perform, &mut |outcome| {
        all.push(outcome);
        ControlFlow::Continue(())
    });
    assert_eq!(end, ControlFlow::Continue(()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use swarmcheck_source::Span;

    #[test]
    fn the_last_choice_changes_fastest_and_may_depend_on_the_first() {
        let pairs = outcomes(|c| {
            let first = c.choose(3)?;
            Ok((first, c.choose(first)?))
        });
        assert_eq!(pairs, [Ok((1, 0)), Ok((2, 0)), Ok((2, 1))], "with 0 there is nothing to choose from");
        assert_eq!(outcomes(|_| Ok(7)), [Ok(7)], "nothing to choose is one way");
        assert_eq!(outcomes(|c| c.choose(0)), []);
    }

    #[test]
    fn an_error_ends_the_way_and_not_the_others() {
        let error = ModelError::new(ErrorKind::Index, Span::default());
        let found = outcomes(|c| match c.choose(3)? {
            1 => Err(Stop::Error(error)),
            chosen => Ok((chosen, c.choose(1)?)),
        });
        assert_eq!(found, [Ok((0, 0)), Err(error), Ok((2, 0))]);
    }

    #[test]
    fn numbers_are_drawn_from_the_whole_range_of_64_bits() {
        let draw = |lo, hi| {
            let left = Budget::of(2);
            let mut found = vec![];
            let end = each_way(&left, None, |c| c.number(lo, hi), &mut |number: Result<Value, _>| {
                found.push(number.unwrap().unwrap());
                ControlFlow::Continue(())
            });
            (found, end)
        };
        let (min, max) = (i64::MIN, i64::MAX);
        let too_many = ControlFlow::Break(Ended::TooMany);
        assert_eq!(draw(Some(min), Some(max)), (vec![min, min + 1, min + 2], too_many));
        assert_eq!(draw(Some(max - 2), Some(max)), (vec![max - 2, max - 1], ControlFlow::Continue(())));
        assert_eq!(draw(Some(max), Some(min)), (vec![], ControlFlow::Continue(())));
        assert_eq!(draw(None, Some(3)).0, []);
        assert_eq!(draw(Some(3), None).0, []);
    }

    #[test]
    fn of_the_numbers_that_are_wanted_those_in_the_range_are_drawn_once() {
        let numbers = vec![Some(9), None, Some(2), Some(5), Some(2), Some(1)];
        let draw = |lo, hi| outcomes(|c| c.number_among(lo, hi, numbers.clone()));
        assert_eq!(draw(Some(2), Some(9)), [Ok(Some(2)), Ok(Some(5))]);
        assert_eq!(draw(Some(3), Some(5)), []);
        assert_eq!(draw(None, Some(5)), []);
    }

    #[test]
    fn whoever_has_seen_enough_is_shown_no_more() {
        let mut seen = 0;
        let end = each_way(&Budget::of(u64::MAX), None, |c| c.choose(u64::MAX), &mut |_| {
            seen += 1;
            if seen == 3 { ControlFlow::Break(Ended::Seen) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((seen, end), (3, ControlFlow::Break(Ended::Seen)));
    }
}
