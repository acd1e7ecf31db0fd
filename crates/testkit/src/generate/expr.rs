//! Arithmetic expressions, all operators and operands of the language.

use super::text::{ATOM, LOOSE, PRODUCT, SUM, Text, UNARY};
use super::world::{Place, Scope, World};

#[derive(Clone, Copy)]
enum Atom {
    Small,
    Huge,
    Parameter,
    Id,
    Mine,
    Theirs,
    Environment,
    Bound,
    Foreign,
    Local,
    Picked,
}

#[derive(Clone, Copy)]
enum NumberShape {
    Atom,
    Sum,
    Product,
    Divide,
    Function,
    Negative,
    If,
    Count,
    Truth,
    Range,
}

impl World {
    /// A number, whatever its size.
    pub fn number(&mut self, scope: &Scope, depth: usize) -> Text {
        if depth == 0 || self.profile.plain && self.random.chance(75) {
            return self.operand(scope);
        }
        let quantifies = usize::from(scope.place != Place::Link);
        let shape = self.random.weighted(&[
            (40, NumberShape::Atom),
            (20, NumberShape::Sum),
            (6, NumberShape::Product),
            (10, NumberShape::Divide),
            (8, NumberShape::Function),
            (3, NumberShape::Negative),
            (7, NumberShape::If),
            (4 * quantifies, NumberShape::Count),
            (4 * quantifies, NumberShape::Truth),
            (if scope.random { self.profile.choice } else { 0 }, NumberShape::Range),
        ]);
        let depth = depth - 1;
        match shape {
            NumberShape::Atom => self.operand(scope),
            NumberShape::Sum => {
                let op = self.random.pick(&["+", "-"]);
                self.infix(scope, depth, op, SUM)
            }
            NumberShape::Product => self.infix(scope, depth, "*", PRODUCT),
            NumberShape::Divide => self.division(scope, depth),
            NumberShape::Function => self.function(scope, depth),
            NumberShape::Negative => Text::new(format!("-{}", self.number(scope, depth).at(UNARY)), UNARY),
            NumberShape::If => {
                let test = self.condition(&scope.fixed(), depth).words;
                let (yes, no) = (self.number(scope, depth).words, self.number(scope, depth).words);
                Text::new(format!("if {test} then {yes} else {no}"), LOOSE)
            }
            NumberShape::Count => self.quantified("count", scope, depth),
            NumberShape::Truth => {
                let word = self.random.pick(&["forall", "exists"]);
                self.quantified(word, scope, depth)
            }
            NumberShape::Range => self.range(scope, depth),
        }
    }

    /// A number that is kept small, unless the profile is otherwise.
    pub fn small(&mut self, scope: &Scope, depth: usize) -> Text {
        if self.random.chance(self.profile.large) {
            return self.number(scope, depth);
        }
        match self.random.below(10) {
            0..3 => Text::atom(self.random.below(4).to_string()),
            3 => self.operand(scope),
            4 if scope.random && self.profile.choice > 0 => self.range(scope, depth),
            _ => {
                let n = self.random.between(2, 4);
                Text::new(format!("{} % {n}", self.number(scope, depth).at(PRODUCT)), PRODUCT)
            }
        }
    }

    fn infix(&mut self, scope: &Scope, depth: usize, op: &str, level: u8) -> Text {
        let (left, right) = (self.number(scope, depth), self.number(scope, depth));
        Text::new(format!("{} {op} {}", left.at(level), right.at(level + 1)), level)
    }

    /// `/`, `%` and `:`, by a number that is not 0, unless the profile is otherwise.
    fn division(&mut self, scope: &Scope, depth: usize) -> Text {
        let op = self.random.pick(&["/", "%", ":", "%"]);
        let left = self.number(scope, depth).at(PRODUCT);
        let right = if self.random.chance(self.profile.zero) {
            match self.random.below(4) {
                0 => Text::atom("0"),
                _ => self.number(scope, depth),
            }
        } else {
            match self.random.below(5) {
                0 => Text::new("-2", UNARY),
                _ => Text::atom(self.random.between(1, 4).to_string()),
            }
        };
        Text::new(format!("{left} {op} {}", right.at(UNARY)), PRODUCT)
    }

    fn function(&mut self, scope: &Scope, depth: usize) -> Text {
        let first = self.number(scope, depth).words;
        let word = self.random.pick(&["abs", "min", "max"]);
        Text::atom(match word {
            "abs" => format!("abs({first})"),
            _ => format!("{word}({first}, {})", self.number(scope, depth).words),
        })
    }

    /// `count K b, c`, `forall K b, c` or `exists K b, c`.
    pub fn quantified(&mut self, word: &str, scope: &Scope, depth: usize) -> Text {
        let kind = self.random.below(self.kinds.len());
        let mut inner = scope.fixed();
        let binder = format!("b{}", inner.binders.len());
        inner.binders.push((binder.clone(), kind));
        let body = self.condition(&inner, depth).words;
        Text::new(format!("{word} {} {binder}, {body}", self.kinds[kind].name), LOOSE)
    }

    /// `[a..b]`. Both ends are small; if they are constants, the range is not empty.
    fn range(&mut self, scope: &Scope, depth: usize) -> Text {
        let low = self.random.below(2);
        let constant = low + self.random.between(1, 3);
        let (from, to) = match self.random.below(6) {
            0 => (low.to_string(), self.bound(scope, depth)),
            1 => (self.bound(scope, depth), constant.to_string()),
            2 => (self.bound(scope, depth), self.bound(scope, depth)),
            3 => (low.to_string(), format!("[{constant}..{}]", constant + 2)),
            _ => (low.to_string(), constant.to_string()),
        };
        Text::atom(format!("[{from}..{to}]"))
    }

    /// The end of a range: small, and never a constant.
    fn bound(&mut self, scope: &Scope, depth: usize) -> String {
        let variable = self.variable_operand(scope);
        let rest = self.number(scope, depth.min(1)).at(PRODUCT);
        format!("({variable} + {rest}) % {}", self.random.between(2, 4))
    }

    /// An operand that the checker does not take for a constant.
    fn variable_operand(&mut self, scope: &Scope) -> String {
        let var = self.random.any(&scope.mine).filter(|_| scope.place == Place::Process);
        match (var, scope.locals.first(), scope.binders.first()) {
            (_, Some(local), _) if self.random.chance(50) => local.clone(),
            (Some(var), ..) => self.cell(scope, var, ""),
            (_, _, Some((binder, _))) => binder.clone(),
            _ => "id".to_string(),
        }
    }

    fn operand(&mut self, scope: &Scope) -> Text {
        let process = usize::from(scope.place == Place::Process);
        let link = usize::from(scope.place == Place::Link);
        let some = |present: bool, weight: usize| if present { weight } else { 0 };
        let private = !self.private().is_empty();
        let atom = self.random.weighted(&[
            (18, Atom::Small),
            (self.profile.huge, Atom::Huge),
            (some(!self.parameters.is_empty(), 3), Atom::Parameter),
            (10 * (process | link), Atom::Id),
            (some(!scope.mine.is_empty(), 40 * (process | link)), Atom::Mine),
            (some(!scope.theirs.is_empty(), 40 * link), Atom::Theirs),
            (some(!self.environment.is_empty(), 15), Atom::Environment),
            (some(!scope.binders.is_empty(), 45), Atom::Bound),
            (some(private && link == 0, self.profile.foreign), Atom::Foreign),
            (some(!scope.locals.is_empty(), 25), Atom::Local),
            (some(!scope.picked.is_empty(), 15), Atom::Picked),
        ]);
        let words = match atom {
            Atom::Small => self.random.below(4).to_string(),
            Atom::Huge => {
                self.random.pick(&["9223372036854775807", "4611686018427387904", "3037000500"]).to_string()
            }
            Atom::Parameter => {
                let at = self.random.below(self.parameters.len());
                format!("_{}", self.parameters[at].0)
            }
            Atom::Id if link == 1 => format!("id of {}", self.random.pick(&["1", "2", "c1", "c2"])),
            Atom::Id => "id".to_string(),
            Atom::Mine => {
                let var = self.random.pick(&scope.mine);
                let owner = if link == 1 { self.random.pick(&["1", "1", "c1"]) } else { "" };
                self.cell(scope, var, owner)
            }
            Atom::Theirs => {
                let var = self.random.pick(&scope.theirs);
                let owner = self.random.pick(&["2", "2", "c2"]);
                self.cell(scope, var, owner)
            }
            Atom::Environment => {
                let at = self.random.below(self.environment.len());
                self.cell(scope, self.environment[at], "")
            }
            Atom::Bound => self.bound_agent(scope),
            Atom::Foreign => self.foreign(scope),
            Atom::Local => self.random.any(&scope.locals).unwrap_or_default(),
            Atom::Picked => self.picked_agent(scope),
        };
        Text::new(words, ATOM)
    }

    /// A bound agent, or a variable of it.
    fn bound_agent(&mut self, scope: &Scope) -> String {
        let at = self.random.below(scope.binders.len());
        let (binder, kind) = &scope.binders[at];
        let vars = self.owned(*kind);
        match self.random.below(10) {
            0 => binder.clone(),
            1 => format!("id of {binder}"),
            _ if vars.is_empty() => format!("id of {binder}"),
            _ => {
                let var = self.random.pick(&vars);
                self.cell(scope, var, binder)
            }
        }
    }

    fn picked_agent(&mut self, scope: &Scope) -> String {
        let at = self.random.below(scope.picked.len());
        let (name, length) = &scope.picked[at];
        format!("{name}[{}]", self.index(scope, *length))
    }

    /// A variable of an agent that is computed: there may be no such agent, or it may not have the variable.
    fn foreign(&mut self, scope: &Scope) -> String {
        let vars = self.private();
        let var = self.random.pick(&vars);
        // Now and then one more than there are.
        let agents = self.agents() as usize + usize::from(self.random.chance(10));
        let owner = match self.random.below(6) {
            0 | 1 if !scope.picked.is_empty() => self.picked_agent(scope),
            2 if scope.place == Place::Process => "id".to_string(),
            3 if !scope.locals.is_empty() => scope.locals[0].clone(),
            4 if self.nesting < 2 => {
                self.nesting += 1;
                let any = self.number(scope, 1).at(PRODUCT);
                self.nesting -= 1;
                format!("({any} % {agents})")
            }
            _ => self.random.below(agents).to_string(),
        };
        self.cell(scope, var, &owner)
    }

    /// A variable with its indices and its owner.
    pub fn cell(&mut self, scope: &Scope, var: usize, owner: &str) -> String {
        let sizes = self.vars[var].sizes.clone();
        let indices: Vec<String> = sizes.iter().map(|size| self.index(scope, *size)).collect();
        let name = &self.vars[var].name;
        let indices = match indices.as_slice() {
            [] => String::new(),
            all if self.random.chance(70) => format!("[{}]", all.join(", ")),
            all => all.iter().map(|i| format!("[{i}]")).collect(),
        };
        let owner = if owner.is_empty() { String::new() } else { format!(" of {owner}") };
        format!("{name}{indices}{owner}")
    }

    /// An index, inside unless the profile is otherwise.
    pub fn index(&mut self, scope: &Scope, size: u32) -> String {
        if self.nesting > 1 || self.random.chance(40) {
            return self.random.below(size as usize).to_string();
        }
        self.nesting += 1;
        let words = match self.random.chance(self.profile.outside) {
            true if self.random.chance(30) => size.to_string(),
            true => self.number(scope, 1).words,
            false => format!("{} % {size}", self.number(scope, 1).at(PRODUCT)),
        };
        self.nesting -= 1;
        words
    }
}
