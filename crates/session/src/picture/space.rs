//! Where agents are drawn: what the model says (`view { … }`), or what its variables are used for.
//!
//! Positions are attributes. Two of them are a place in the plane if they are indices of the same array of the environment, if a link
//! predicate or a condition of `pick` takes the distance of two agents in both, if they are assigned together modulo the
//! same number, or if they are called `x` and `y` and are bounded. One attribute is a place on a line if such a condition takes
//! the distance in it. Who is shown nowhere has no such attribute.

use super::evidence::{Evidence, evidence};
use crate::open::Prepared;
use swarmcheck_labs::model::{self, AgentKind, Class, KindId, Model, VarId};
use swarmcheck_picture::data::{Floor, Shows, View};

/// Larger spaces are not drawn.
const LARGEST: i64 = 10_000;

/// The view of a model; none if nothing says where agents are.
pub(super) fn view(prepared: &Prepared) -> Option<View> {
    let model = prepared.model.labs()?;
    let found = evidence(model);
    let space = Space { model, found: &found };
    match &model.view {
        Some(view) => Some(space.said(view)),
        None => inferred(&space),
    }
}

struct Space<'a> {
    model: &'a Model,
    found: &'a Evidence,
}

/// Where agents of a kind are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    kind: KindId,
    x: VarId,
    y: Option<VarId>,
    width: i64,
    height: i64,
    /// How much speaks for it.
    score: u32,
}

fn inferred(space: &Space<'_>) -> Option<View> {
    let kinds = (0..).map(KindId).zip(&space.model.kinds).filter(|(_, kind)| kind.count > 0);
    let all: Vec<(KindId, &AgentKind)> = kinds.collect();
    let mut positions: Vec<Position> = all.iter().filter_map(|(id, kind)| space.pair(*id, kind)).collect();
    if positions.is_empty() {
        positions = all.iter().filter_map(|(id, kind)| space.line(*id, kind)).collect();
    }
    let width = positions.iter().map(|p| p.width).max()?;
    let height = positions.iter().map(|p| p.height).max()?;
    let wraps = |var: VarId| space.found.wraps.contains_key(&var);
    let torus = positions.iter().any(|p| wraps(p.x) && p.y.is_none_or(wraps)) && !space.found.walled;
    let floors = space.floors(&positions, width, height);
    Some(View {
        width: u32::try_from(width).ok()?,
        height: u32::try_from(height).ok()?,
        torus,
        shows: positions.iter().map(|position| space.shown(position)).collect(),
        floors,
        said: false,
    })
}

impl Space<'_> {
    fn name(&self, var: VarId) -> &str {
        &self.model.variable(var).name
    }

    /// What the model says. Which index of an array is the column is told by its sizes, or by the variables in it.
    fn said(&self, view: &model::View) -> View {
        let name = |var: VarId| self.name(var).to_string();
        let show = |show: &model::Show| Shows {
            kind: self.model.kind(show.kind).name.clone(),
            x: name(show.x),
            y: show.y.map(name),
            dx: show.dx.map(name),
            dy: show.dy.map(name),
            colour: show.colour.map(name),
            label: show.label.map(|label| match label {
                model::Label::Id => "id".to_string(),
                model::Label::Variable(var) => name(var),
            }),
            size: show.size.map(name),
        };
        let floor = |var: &VarId| {
            let first = self.model.variable(*var).dimensions.first();
            let by_column = match view.width == view.height {
                true => view.shows.iter().any(|show| self.has_in_index(*var, 0, show.x)),
                false => first == Some(&view.width),
            };
            Floor { variable: name(*var), by_column: by_column && view.height > 1 }
        };
        View {
            width: view.width,
            height: view.height,
            torus: view.torus,
            shows: view.shows.iter().map(show).collect(),
            floors: view.floors.iter().map(floor).collect(),
            said: true,
        }
    }

    /// Whether an array is used with a variable in one of its indices.
    fn has_in_index(&self, array: VarId, at: usize, var: VarId) -> bool {
        let own = self.found.indices.iter().filter(|(known, _)| *known == array);
        own.filter_map(|(_, index)| index.get(at)).any(|vars| vars.contains(&var))
    }

    /// The size of the space in the direction of a variable.
    fn size(&self, var: VarId) -> Option<i64> {
        let found = self.found;
        let of_array = || self.index_of(var).next().map(|(_, _, size)| size);
        let size = found.wraps.get(&var).copied().or_else(of_array);
        let size = size.or_else(|| found.ranges.get(&var).copied());
        let size = size.or_else(|| found.clamps.get(&var).copied());
        let size = size.or_else(|| found.below.get(&var).copied());
        size.filter(|size| (1..=LARGEST).contains(size))
    }

    /// The arrays of two dimensions that have this variable in an index: array, which index, its size.
    fn index_of(&self, var: VarId) -> impl Iterator<Item = (VarId, usize, i64)> + '_ {
        self.found.indices.iter().flat_map(move |(array, index)| {
            let sizes = &self.model.variable(*array).dimensions;
            let flat = sizes.len() == 2;
            let places = index.iter().zip(sizes).enumerate();
            places
                .filter(move |(_, (vars, _))| flat && vars.contains(&var))
                .map(|(at, (_, size))| (*array, at, i64::from(*size)))
        })
    }

    /// Whether two variables are the two indices of one array.
    fn indexes_together(&self, x: VarId, y: VarId) -> bool {
        self.index_of(x).any(|(array, at, _)| {
            self.index_of(y).any(|(other, other_at, _)| array == other && at != other_at)
        })
    }

    fn pair(&self, kind: KindId, of: &AgentKind) -> Option<Position> {
        let scalars: Vec<VarId> = of
            .attributes
            .iter()
            .map(|(v, _)| *v)
            .filter(|v| self.model.variable(*v).dimensions.is_empty())
            .collect();
        let mut best: Option<Position> = None;
        for (at, &one) in scalars.iter().enumerate() {
            for &other in &scalars[at + 1..] {
                let Some(position) = self.position(kind, one, other) else { continue };
                if best.is_none_or(|known| position.score > known.score) {
                    best = Some(position);
                }
            }
        }
        best
    }

    fn position(&self, kind: KindId, one: VarId, other: VarId) -> Option<Position> {
        let found = self.found;
        let (one_size, other_size) = (self.size(one)?, self.size(other)?);
        let both = |set: &dyn Fn(VarId) -> bool| set(one) && set(other);
        let together = found.together.contains(&(one, other));
        let indexed = self.indexes_together(one, other);
        let near = both(&|v| found.distances.contains(&v));
        let wraps = both(&|v| found.wraps.contains_key(&v)) && together && one_size == other_size;
        let named = coordinates(self.name(one), self.name(other));
        if !(indexed || near || wraps || named.is_some()) {
            return None;
        }
        let moved = both(&|v| found.assigned.contains(&v));
        let points = [(indexed, 8), (near, 6), (wraps, 6), (named.is_some(), 4), (together, 2), (moved, 1)];
        let score = points.iter().filter(|(is, _)| *is).map(|(_, points)| points).sum();
        let swapped = named == Some(true);
        let (x, y) = if swapped { (other, one) } else { (one, other) };
        let (width, height) = if swapped { (other_size, one_size) } else { (one_size, other_size) };
        Some(Position { kind, x, y: Some(y), width, height, score })
    }

    fn line(&self, kind: KindId, of: &AgentKind) -> Option<Position> {
        let near = of.attributes.iter().map(|(v, _)| *v).find(|v| self.found.distances.contains(v))?;
        Some(Position { kind, x: near, y: None, width: self.size(near)?, height: 1, score: 1 })
    }

    fn shown(&self, position: &Position) -> Shows {
        let Position { kind, x, y, .. } = *position;
        let mut shows =
            Shows { kind: self.model.kind(kind).name.clone(), x: self.name(x).into(), ..Shows::default() };
        shows.y = y.map(|y| self.name(y).to_string());
        let added = |to: VarId| {
            let mut all = self.found.added.iter().filter(|(v, _)| *v == to).map(|(_, w)| *w);
            all.find(|w| *w != x && Some(*w) != y && self.model.has_variable(kind, *w))
        };
        let heading = (added(x), y.and_then(added));
        let used = match heading {
            (Some(dx), Some(dy)) if dx != dy => {
                shows.dx = Some(self.name(dx).to_string());
                shows.dy = Some(self.name(dy).to_string());
                vec![x, dx, dy]
            }
            (Some(dx), None) if y.is_none() => {
                shows.dx = Some(self.name(dx).to_string());
                vec![x, dx]
            }
            _ => vec![x],
        };
        // What properties are about is worth a colour.
        let plain = |var: &VarId| {
            self.model.has_variable(kind, *var)
                && self.model.variable(*var).dimensions.is_empty()
                && !used.contains(var)
                && Some(*var) != y
        };
        shows.colour = self.found.mentioned.iter().find(|v| plain(v)).map(|v| self.name(*v).to_string());
        shows
    }

    fn floors(&self, positions: &[Position], width: i64, height: i64) -> Vec<Floor> {
        let mut out = vec![];
        for (number, variable) in (0..).map(VarId).zip(&self.model.variables) {
            if variable.class != Class::Environment {
                continue;
            }
            // A line is covered by what it is an index of; in the plane, the size tells enough.
            let sizes: Vec<i64> = variable.dimensions.iter().map(|size| i64::from(*size)).collect();
            let by_column = positions.iter().any(|p| self.has_in_index(number, 0, p.x));
            let covers = match sizes[..] {
                [cells] => height == 1 && cells == width && by_column,
                [first, second] if by_column => height > 1 && (first, second) == (width, height),
                [first, second] => height > 1 && (first, second) == (height, width),
                _ => false,
            };
            if covers {
                out.push(Floor { variable: variable.name.clone(), by_column: by_column && height > 1 });
            }
        }
        out
    }
}

/// Whether two names are those of coordinates, and if so, whether the vertical one comes first.
fn coordinates(one: &str, other: &str) -> Option<bool> {
    let ends = |name: &str, small: char| {
        let large = small.to_ascii_uppercase();
        let rest = name
            .strip_suffix(large)
            .or_else(|| name.strip_suffix(small).filter(|rest| rest.is_empty() || rest.ends_with('_')));
        rest.map(str::to_string)
    };
    if let (Some(a), Some(b)) = (ends(one, 'x'), ends(other, 'y'))
        && a == b
    {
        return Some(false);
    }
    if let (Some(a), Some(b)) = (ends(one, 'y'), ends(other, 'x'))
        && a == b
    {
        return Some(true);
    }
    let column = |name: &str| matches!(name, "column" | "col");
    match (one, other) {
        ("row", other) if column(other) => Some(true),
        (one, "row") if column(one) => Some(false),
        _ => None,
    }
}
