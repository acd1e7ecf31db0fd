//! Actions: the four arrows, compound assignments, blocks, `pick`.

use super::world::{Class, Place, Scope, World};

impl World {
    pub fn action(&mut self, scope: &Scope) -> String {
        if self.random.chance(10) {
            return "Skip".to_string();
        }
        if self.profile.maze {
            return self
                .random
                .pick(&["e0 <-- [0..3]", "e0 <-- 0", "e0 <-- 1", "e0 <-- (e0 + 1) % 3"])
                .to_string();
        }
        if self.random.chance(self.profile.block) {
            return self.block(scope);
        }
        self.assignment(scope).unwrap_or_else(|| "Skip".to_string())
    }

    /// `{ a; b }`, with locals that later assignments may use.
    fn block(&mut self, scope: &Scope) -> String {
        let mut scope = scope.clone();
        let mut parts = vec![];
        for _ in 0..self.random.between(1, 4) {
            let part = match self.random.below(10) {
                0..3 => Some(self.local(&mut scope)),
                3 | 4 => Some(self.pick(&mut scope)),
                _ => self.assignment(&scope),
            };
            parts.extend(part);
        }
        if parts.is_empty() {
            parts.push(self.local(&mut scope));
        }
        format!("{{ {} }}", parts.join("; "))
    }

    /// `v := e`, perhaps of a local that has a value already, perhaps two at once.
    fn local(&mut self, scope: &mut Scope) -> String {
        let value = self.small(&scope.free(), 2).words;
        let known = scope.locals.len();
        if known > 0 && self.random.chance(25) {
            return format!("{} := {value}", scope.locals[self.random.below(known)]);
        }
        let name = format!("v{known}");
        if self.random.chance(20) {
            let (other, second) = (format!("v{}", known + 1), self.small(&scope.free(), 1).words);
            scope.locals.extend([name.clone(), other.clone()]);
            return format!("{name}, {other} := {value}, {second}");
        }
        scope.locals.push(name.clone());
        format!("{name} := {value}")
    }

    /// `p[] := pick k Kind where c`.
    fn pick(&mut self, scope: &mut Scope) -> String {
        // Mostly as many as there are others: otherwise the action cannot be taken.
        let usual = self.random.chance(90);
        let others = |world: &World, kind: usize| {
            let more_kinds = world.kinds.iter().filter(|k| k.count > 0).count() > 1;
            if world.kinds[kind].count > 0 && more_kinds {
                world.kinds[kind].count
            } else {
                world.kinds[kind].count.saturating_sub(1)
            }
        };
        let kind = self.random.chance(50).then(|| self.random.below(self.kinds.len()));
        let kind = kind.filter(|&k| !usual || others(self, k) > 0);
        let most = kind.map_or(self.agents().saturating_sub(1), |k| others(self, k));
        let length = if self.random.chance(65) { 1 } else { 2 };
        let length = if usual { length.min(most.max(1)) } else { length };
        let of = kind.map_or(String::new(), |k| format!(" {}", self.kinds[k].name));
        let filter = if self.random.chance(45) {
            let kinds = kind.map_or((0..self.kinds.len()).collect(), |k| vec![k]);
            let theirs = self.common(&kinds);
            let link = Scope { place: Place::Link, theirs, binders: vec![], ..scope.fixed() };
            format!(" where {}", self.condition(&link, 1).words)
        } else {
            String::new()
        };
        let name = format!("p{}", scope.picked.len());
        scope.picked.push((name.clone(), length));
        format!("{name}[] := pick {length}{of}{filter}")
    }

    /// An assignment to one or two variables of one store; `None` if there is nothing to assign.
    fn assignment(&mut self, scope: &Scope) -> Option<String> {
        let of_class = |world: &World, class: Class| -> Vec<usize> {
            let all = scope.mine.iter().chain(&world.environment);
            all.copied().filter(|v| world.vars[*v].class == class).collect()
        };
        let all: Vec<Class> = [Class::Attribute, Class::Stigmergic, Class::Environment]
            .into_iter()
            .filter(|class| !of_class(self, *class).is_empty())
            .collect();
        let class = self.random.any(&all)?;
        let vars = of_class(self, class);
        let mut targets = vec![];
        for _ in 0..if self.random.chance(25) { 2 } else { 1 } {
            let var = self.random.pick(&vars);
            let target = self.cell(&scope.fixed(), var, "");
            // The checker refuses two targets that read the same, parentheses aside.
            let bare = |text: &str| text.replace(['(', ')', ' '], "").replace("][", ",");
            if targets.iter().all(|known: &String| bare(known) != bare(&target)) {
                targets.push(target);
            }
        }
        let values: Vec<String> = targets.iter().map(|_| self.small(&scope.free(), 2).words).collect();
        Some(format!("{} {} {}", targets.join(", "), class.arrow(), values.join(", ")))
    }
}
