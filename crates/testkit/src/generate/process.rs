//! Processes and their definitions, within the limits of finite recursion.
//!
//! A recursive call is written only in tail position, outside of parallel compositions, and after something that
//! takes a step. Whatever ends has taken one.

use super::text::{ATOM, CHOICE, LOOSE, PARALLEL, SEQUENCE, Text};
use super::world::{Scope, World};

/// What the body of a definition can see.
pub(super) struct Body<'a> {
    pub scope: &'a Scope,
    /// Definitions that can be called anywhere.
    pub helpers: &'a [String],
    /// Definitions that may be called in tail position only.
    pub loops: Vec<String>,
    /// How many actions it may still have.
    pub left: usize,
}

/// Where a process stands.
#[derive(Clone, Copy)]
struct Spot {
    /// Nothing follows in the definition.
    tail: bool,
    /// Something before it takes a step.
    guarded: bool,
}

#[derive(Clone, Copy)]
enum ProcessShape {
    Leaf,
    Sequence,
    Choice,
    Parallel,
    Guard,
    Conditional,
}

impl World {
    /// The body of a definition.
    pub fn body(&mut self, body: &mut Body, depth: usize) -> Text {
        self.process(body, depth, Spot { tail: true, guarded: false })
    }

    fn process(&mut self, body: &mut Body, depth: usize, spot: Spot) -> Text {
        if depth == 0 || body.left < 2 {
            return self.leaf(body, spot);
        }
        let shape = self.random.weighted(&[
            (25, ProcessShape::Leaf),
            (35, ProcessShape::Sequence),
            (18, ProcessShape::Choice),
            (self.profile.parallel, ProcessShape::Parallel),
            (20, ProcessShape::Guard),
            (self.profile.conditional, ProcessShape::Conditional),
        ]);
        match shape {
            ProcessShape::Leaf => self.leaf(body, spot),
            ProcessShape::Sequence => self.sequence(body, depth - 1, spot),
            ProcessShape::Choice => self.branches(body, depth - 1, spot, "++", CHOICE),
            ProcessShape::Parallel => {
                let op = self.random.pick(&["||", "||", "|"]);
                self.branches(body, depth - 1, Spot { tail: false, ..spot }, op, PARALLEL)
            }
            ProcessShape::Guard => self.guarded(body, depth - 1, spot, "->"),
            ProcessShape::Conditional => self.guarded(body, depth - 1, spot, "=>"),
        }
    }

    fn leaf(&mut self, body: &mut Body, spot: Spot) -> Text {
        if spot.tail
            && spot.guarded
            && self.random.chance(35)
            && let Some(name) = self.random.any(&body.loops)
        {
            return Text::atom(name);
        }
        if self.random.chance(20)
            && let Some(helper) = self.random.any(body.helpers)
        {
            body.left = body.left.saturating_sub(2);
            return Text::atom(helper);
        }
        if self.random.chance(2) {
            return Text::atom("Nil");
        }
        body.left = body.left.saturating_sub(1);
        Text::atom(self.action(body.scope))
    }

    fn sequence(&mut self, body: &mut Body, depth: usize, mut spot: Spot) -> Text {
        let tail = spot.tail;
        let length = self.random.between(2, 3);
        let mut parts = vec![];
        for at in 0..length {
            spot.tail = tail && at + 1 == length;
            let part = self.process(body, depth, spot);
            spot.guarded = true;
            parts.push(if self.random.chance(50) { self.escape(part) } else { part });
        }
        // A guard at the end needs no parentheses, but then the whole is as loose as the guard.
        let bare = parts[length - 1].level == LOOSE && self.random.chance(30);
        let words: Vec<String> = (parts.iter().enumerate())
            .map(|(at, part)| part.at(if bare && at + 1 == length { LOOSE } else { SEQUENCE + 1 }))
            .collect();
        Text::new(words.join("; "), if bare { LOOSE } else { SEQUENCE })
    }

    /// A way past what may be blocked forever: otherwise most of what follows would never be reached.
    fn escape(&mut self, part: Text) -> Text {
        let way = if self.random.chance(70) { "Skip" } else { "{ v0 := id }" };
        Text::new(format!("{} ++ {way}", part.at(CHOICE + 1)), CHOICE)
    }

    fn branches(&mut self, body: &mut Body, depth: usize, spot: Spot, op: &str, level: u8) -> Text {
        let parts = (0..self.random.between(2, 3)).map(|_| self.process(body, depth, spot));
        let words: Vec<String> = parts.map(|part| part.at(level + 1)).collect();
        Text::new(words.join(&format!(" {op} ")), level)
    }

    fn guarded(&mut self, body: &mut Body, depth: usize, spot: Spot, arrow: &str) -> Text {
        let condition = self.condition(&body.scope.fixed(), 2).words;
        let inner = self.process(body, depth, spot);
        let level = if self.random.chance(50) { ATOM } else { LOOSE };
        Text::new(format!("{condition} {arrow} {}", inner.at(level)), LOOSE)
    }

    /// A helper definition, perhaps one that calls itself.
    pub fn helper(&mut self, name: &str, scope: &Scope, helpers: &[String]) -> String {
        let loops = if self.random.chance(35) { vec![name.to_string()] } else { vec![] };
        let mut body = Body { scope, helpers, loops, left: 4 };
        format!("{name} = {}", self.body(&mut body, 2).words)
    }

    /// `Behavior`, which may loop, end, or take turns with another definition.
    pub fn behavior(&mut self, scope: &Scope, helpers: &[String]) -> Vec<String> {
        let name = self.random.weighted(&[(3, "Behavior"), (1, "Behaviour")]);
        let partner = self.random.chance(20);
        let mut loops = vec![self.random.weighted(&[(3, "Behavior"), (1, "Behaviour")]).to_string()];
        if partner {
            loops.push("Next".to_string());
        }
        let again = if partner { "Next" } else { loops[0].as_str() }.to_string();
        let mut out = vec![];
        let (left, depth) = match (self.profile.maze, self.profile.plain) {
            (true, _) => (14, 4),
            (false, true) => (12, 3),
            (false, false) => (7, 2),
        };
        let mut body = Body { scope, helpers, loops: loops.clone(), left };
        let spot = Spot { tail: true, guarded: false };
        let written = match self.random.below(4) {
            0 => self.body(&mut body, depth + 1),
            1 => self.branches(&mut body, depth, spot, "++", CHOICE),
            _ => self.sequence(&mut body, depth, spot),
        };
        let first = self.prologue(scope);
        out.push(format!("{name} = {first}{}", self.looped(written, &again, !partner)));
        if partner {
            let mut body = Body { scope, helpers, loops: loops.clone(), left: 4 };
            let written = self.body(&mut body, 2);
            out.push(format!("Next = {}", self.looped(written, &loops[0], false)));
        }
        out
    }

    /// First of all, values for what is undefined: otherwise few actions could ever be taken.
    fn prologue(&mut self, scope: &Scope) -> String {
        let mut out = String::new();
        for var in self.undefined.clone() {
            let here = scope.mine.contains(&var) || self.environment.contains(&var);
            if here && self.random.chance(60) {
                let (target, arrow) = (self.cell(&scope.fixed(), var, ""), self.vars[var].class.arrow());
                out += &format!("{target} {arrow} {}; ", self.random.below(3));
            }
        }
        out
    }

    /// A body, perhaps followed by a call; and perhaps by something never reached, if it calls itself.
    fn looped(&mut self, body: Text, again: &str, direct: bool) -> String {
        match self.random.below(20) {
            0..16 => {
                // A tail call that is followed by a call would not be a tail call any more.
                let rest = if direct && self.random.chance(6) { "; Skip" } else { "" };
                match calls(&body.words) {
                    true => body.at(SEQUENCE),
                    false => format!("{}; {again}{rest}", body.at(SEQUENCE)),
                }
            }
            _ => body.at(SEQUENCE),
        }
    }
}

/// Whether the text calls a looping definition.
fn calls(text: &str) -> bool {
    ["Behavior", "Behaviour", "Next"].iter().any(|name| text.contains(name))
}
