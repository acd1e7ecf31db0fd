//! Conditions: guards, link predicates, state predicates.

use super::text::{AND, ATOM, COMPARE, LOOSE, OR, SUM, Text};
use super::world::{Place, Scope, World};

#[derive(Clone, Copy)]
enum Shape {
    Constant,
    Compare,
    Number,
    Not,
    And,
    Or,
    Quantified,
}

impl World {
    /// A condition. Nothing in the scope is random.
    pub fn condition(&mut self, scope: &Scope, depth: usize) -> Text {
        if self.mood.maze {
            let words = self.random.pick(&["e0 = 0", "e0 != 0", "e0 = 1", "e0 != 1", "e0 < 2", "!e0 = 2"]);
            return Text::new(words, COMPARE);
        }
        let deep = usize::from(depth > 0 && !(self.mood.plain && self.random.chance(75)));
        let quantifies = usize::from(scope.place != Place::Link);
        let shape = self.random.weighted(&[
            (4, Shape::Constant),
            (50, Shape::Compare),
            (6, Shape::Number),
            (12 * deep, Shape::Not),
            (10 * deep, Shape::And),
            (12 * deep, Shape::Or),
            (10 * deep * quantifies, Shape::Quantified),
        ]);
        match shape {
            Shape::Constant => {
                let word = self.random.weighted(&[(3, "true"), (1, "false")]);
                Text::new(word, ATOM)
            }
            Shape::Compare => {
                let op =
                    self.random.weighted(&[(2, "="), (5, "!="), (2, "<"), (4, "<="), (2, ">"), (4, ">=")]);
                let (left, right) = (self.number(scope, depth.min(1)), self.number(scope, depth.min(1)));
                Text::new(format!("{} {op} {}", left.at(SUM), right.at(SUM)), COMPARE)
            }
            Shape::Number => self.number(scope, depth.min(1)),
            Shape::Not => {
                let word = self.random.pick(&["!", "not "]);
                Text::new(format!("{word}{}", self.condition(scope, depth - 1).at(COMPARE)), COMPARE)
            }
            Shape::And => self.joined(scope, depth - 1, " and ", AND),
            Shape::Or => self.joined(scope, depth - 1, " or ", OR),
            Shape::Quantified => {
                let word = self.random.pick(&["forall", "exists"]);
                self.quantified(word, scope, depth - 1)
            }
        }
    }

    fn joined(&mut self, scope: &Scope, depth: usize, word: &str, level: u8) -> Text {
        let parts: Vec<String> =
            (0..self.random.between(2, 3)).map(|_| self.condition(scope, depth).at(level + 1)).collect();
        Text::new(parts.join(word), level)
    }

    /// The link predicate of a stigmergy: mostly true or a comparison of the two agents.
    pub fn link(&mut self, stigmergy: usize) -> String {
        let vars = self.common(&self.members(stigmergy));
        let scope = Scope { mine: vars.clone(), theirs: vars, ..Scope::new(Place::Link) };
        match self.random.below(20) {
            0..6 => "true".to_string(),
            6 => "false".to_string(),
            _ => {
                let depth = self.random.between(1, 2);
                self.condition(&scope, depth).words
            }
        }
    }

    /// A state predicate, mostly about all agents of some kind.
    pub fn predicate(&mut self, depth: usize) -> Text {
        let scope = Scope::new(Place::Property);
        match self.random.below(4) {
            0 => self.condition(&scope, depth),
            _ => {
                let word = self.random.pick(&["forall", "exists"]);
                let text = self.quantified(word, &scope, depth);
                Text::new(text.words, LOOSE)
            }
        }
    }
}
