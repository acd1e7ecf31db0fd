//! Conditions: guards, link predicates, state predicates.

use super::text::{AND, ATOM, COMPARE, LOOSE, OR, SUM, Text};
use super::world::{Place, Scope, World};

#[derive(Clone, Copy)]
enum CondShape {
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
        if self.profile.maze {
            let words = self.random.pick(&["e0 = 0", "e0 != 0", "e0 = 1", "e0 != 1", "e0 < 2", "!e0 = 2"]);
            return Text::new(words, COMPARE);
        }
        let deep = usize::from(depth > 0 && !(self.profile.plain && self.random.chance(75)));
        let quantifies = usize::from(scope.place != Place::Link);
        let shape = self.random.weighted(&[
            (4, CondShape::Constant),
            (50, CondShape::Compare),
            (6, CondShape::Number),
            (12 * deep, CondShape::Not),
            (10 * deep, CondShape::And),
            (12 * deep, CondShape::Or),
            (10 * deep * quantifies, CondShape::Quantified),
        ]);
        match shape {
            CondShape::Constant => {
                let word = self.random.weighted(&[(3, "true"), (1, "false")]);
                Text::new(word, ATOM)
            }
            CondShape::Compare => {
                let op =
                    self.random.weighted(&[(2, "="), (5, "!="), (2, "<"), (4, "<="), (2, ">"), (4, ">=")]);
                let (left, right) = (self.number(scope, depth.min(1)), self.number(scope, depth.min(1)));
                Text::new(format!("{} {op} {}", left.at(SUM), right.at(SUM)), COMPARE)
            }
            CondShape::Number => self.number(scope, depth.min(1)),
            CondShape::Not => {
                let word = self.random.pick(&["!", "not "]);
                Text::new(format!("{word}{}", self.condition(scope, depth - 1).at(COMPARE)), COMPARE)
            }
            CondShape::And => self.joined(scope, depth - 1, " and ", AND),
            CondShape::Or => self.joined(scope, depth - 1, " or ", OR),
            CondShape::Quantified => {
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
