//! Symmetries of the data on packed states, alone and together with rotations of agents, against all images.

#[path = "../../passes/tests/stale_dead_monitor_symmetry/models.rs"]
mod models;

use models::{example, read};
use std::collections::{BTreeSet, HashSet};
use swarmcheck_explicit::codec::Codec;
use swarmcheck_explicit::data_symmetry::{DataCanon, least};
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::{Program, Value};
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::data_symmetry::{DataSymmetries, data_symmetries};
use swarmcheck_passes::ranges;
use swarmcheck_passes::stale::stale;
use swarmcheck_passes::symmetry::{Canon, symmetry};

/// All that is needed to store states of a program.
struct Setting {
    ground: Ground,
    codec: Codec,
    found: DataSymmetries,
    data_canon: Option<DataCanon>,
    canon: Option<Canon>,
}

impl Setting {
    fn new(program: &Program, agents: bool) -> Setting {
        let ground = Ground::new(program);
        let mut codec = Codec::new(program, &ground.layout);
        let properties: Vec<usize> = (0..program.properties.len()).collect();
        let found = data_symmetries(program, &properties, &[]).expect("there are some");
        // Where ranges are not known, the first width may be too small for what values are mirrored to.
        let data_canon = loop {
            match DataCanon::new(&ground.layout, &codec, &found) {
                Ok(data_canon) => break Some(data_canon),
                Err(_) => codec = codec.wider(program, &ground.layout).expect("64 bits are enough"),
            }
        };
        let symmetry = symmetry(program, &properties).filter(|_| agents);
        let canon = symmetry.map(|s| Canon::new(program, &ground.layout, &s));
        assert_eq!(canon.is_some(), agents);
        Setting { ground, codec, found, data_canon, canon }
    }

    fn packed(&self, state: &[Value]) -> Vec<u64> {
        let mut words = vec![0; self.codec.words()];
        self.codec.pack(state, &mut words).expect("it fits");
        words
    }

    /// The state that is stored for a state.
    fn stored(&mut self, state: &[Value]) -> Vec<Value> {
        let mut state = state.to_vec();
        if let Some(canon) = &mut self.canon {
            canon.canonical(&mut state);
        }
        let mut words = self.packed(&state);
        least(&mut self.data_canon, &mut self.canon, &self.codec, &mut words);
        self.codec.unpack(&words, &mut state);
        state
    }

    /// How many states are visited if each is replaced by the one stored for it. Without renaming, checks the first ones
    /// against all their images.
    fn visited(&mut self) -> usize {
        let ground = self.ground.clone();
        let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
        let mut state = vec![0; ground.width()];
        let mut seen = HashSet::new();
        let mut todo = vec![];
        let mut found = vec![];
        loop {
            if runner.initialise(&ground, &mut state, &mut choices) == Outcome::Done {
                found.push(state.clone());
            }
            if !choices.advance() {
                break;
            }
        }
        loop {
            for state in found.drain(..) {
                let stored = self.stored(&state);
                if self.canon.is_none() && seen.len() < 10_000 {
                    assert_eq!(self.packed(&stored), self.least_image(&state), "{state:?}");
                }
                if seen.insert(stored.clone()) {
                    todo.push(stored);
                }
            }
            let Some(mut state) = todo.pop() else { return seen.len() };
            for routine in ground.instances() {
                choices.reset();
                loop {
                    if runner.step(routine, &mut state, &mut choices) == Outcome::Done {
                        found.push(state.clone());
                        runner.undo(&mut state);
                    }
                    if !choices.advance() {
                        break;
                    }
                }
            }
        }
    }

    fn least_image(&self, state: &[Value]) -> Vec<u64> {
        let image = |symmetry: &swarmcheck_passes::data_symmetry::DataSymmetry| {
            let mut out = vec![0; state.len()];
            symmetry.apply(&self.ground.layout, state, &mut out);
            self.packed(&out)
        };
        let all: BTreeSet<Vec<u64>> =
            self.found.symmetries.iter().map(image).chain([self.packed(state)]).collect();
        all.into_iter().next().expect("at least the state itself")
    }
}

fn flock(parameters: &str) -> Program {
    example("flock/flock.labs", parameters, Options { fair: true, ..Options::default() })
}

/// A program for this model alone, which takes the least of 8 images, or of 8 for each rotation of the birds, found the
/// same numbers.
#[test]
fn a_flock() {
    for (parameters, square, both) in
        [("birds=2 grid=3 delta=3", 1_962, 1_602), ("birds=2 grid=4 delta=1", 5_518, 5_085)]
    {
        let wide = flock(parameters);
        let narrow = ranges::narrow(&wide).program;
        assert_eq!(Setting::new(&narrow, false).visited(), square);
        assert_eq!(Setting::new(&wide, false).visited(), square);
        assert_eq!(Setting::new(&narrow, true).visited(), both);
    }
}

/// Independent enumerators found these numbers: the eight symmetries of the square alone leave at least an eighth of the
/// 20,722,488 states, or of the 12,682,520 without stale messages; with rotations of the birds there are fewer.
#[test]
#[ignore = "takes minutes"]
fn three_birds() {
    let program = ranges::narrow(&flock("birds=3 grid=5 delta=5")).program;
    let without = ranges::narrow(&stale(&program).program).program;
    assert_eq!(Setting::new(&without, true).visited(), 1_574_284);
    assert_eq!(Setting::new(&without, false).visited(), 1_590_735);
    assert_eq!(Setting::new(&program, true).visited(), 2_286_650);
    assert_eq!(Setting::new(&program, false).visited(), 2_602_376);
}

/// States of one word, of two and of more, with fields as wide as a word; values below and above zero.
#[test]
fn fields_of_all_sorts() {
    let mut words = BTreeSet::new();
    for (low, high) in [(0, 4), (-7, 2), (120, 131), (-1_000, -990), (4_000_000_000_i64, 4_000_000_003)] {
        let text = format!(
            "system {{ spawn = A: 2 }}
            agent A {{
              interface = n: 0; x: {low}..{high}; y: {low}..{high}
              Behavior = n = 0 -> n, x, y <- 1, {sum} - x, {sum} - y
            }}
            check {{ P = always forall A a, forall A b, x of a + y of a != x of b + y of b + 1000 }}",
            sum = low + high - 1
        );
        let wide = read(&text, "", Options::default());
        let narrow = ranges::narrow(&wide).program;
        let [wide, narrow] = [wide, narrow].map(|program| {
            let mut setting = Setting::new(&program, false);
            words.insert(setting.codec.words().min(3));
            setting.visited()
        });
        // n is 0 or 1 for each agent, the places can be anything: as many orbits as there are for four numbers.
        let n = (high - low) as usize;
        assert_eq!(wide, 4 * orbits_of_two_points(n), "{low}..{high}");
        assert_eq!(narrow, wide, "{low}..{high}");
    }
    assert_eq!(words, BTreeSet::from([1, 2, 3]));
}

/// How many pairs of points of a square with sides of `n` points differ by more than a symmetry of the square: by
/// Burnside's lemma, a symmetry that fixes `f` points fixes `f²` pairs.
fn orbits_of_two_points(n: usize) -> usize {
    let middle = n % 2;
    // The identity; half a turn; two quarter turns; two mirrors through sides; two through corners.
    let fixed = [n * n, middle, middle, middle, n * middle, n * middle, n, n];
    fixed.iter().map(|f| f * f).sum::<usize>() / 8
}
