//! Views of the examples. What is expected was read from the models.

use super::super::picture;
use super::open;
use swarmcheck_picture::data::{Floor, Shows, View};

macro_rules! example {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../../../examples/", $path)))
    };
}

fn view((name, text): (&str, &str), parameters: &str) -> Option<View> {
    picture(&open(name, text, parameters, false), None, false).expect("a picture").view
}

fn shows(kind: &str, x: &str, y: &str, heading: Option<(&str, &str)>, colour: Option<&str>) -> Shows {
    let some = |name: &str| Some(name.to_string());
    Shows {
        kind: kind.into(),
        x: x.into(),
        y: some(y),
        dx: heading.and_then(|(dx, _)| some(dx)),
        dy: heading.and_then(|(_, dy)| some(dy)),
        colour: colour.and_then(some),
        ..Shows::default()
    }
}

fn grid(size: u32, torus: bool, shows: Vec<Shows>) -> Option<View> {
    Some(View { width: size, height: size, torus, shows, floors: vec![], said: false })
}

/// `Fly = x, y <- (x + dirX) % _grid, (y + dirY) % _grid`; properties mention nothing but these four.
#[test]
fn flock() {
    let heading = Some(("dirX", "dirY"));
    let expected = grid(7, true, vec![shows("Bird", "x", "y", heading, None)]);
    assert_eq!(view(example!("flock/flock.labs"), "birds=3 grid=7 delta=2"), expected);
}

/// As the flock; `OneLeader` is about `leader`. In `ac` and `ac_stay` there are walls.
#[test]
fn boids() {
    let heading = Some(("dirX", "dirY"));
    let bird = |colour| vec![shows("Bird", "x", "y", heading, colour)];
    let check = |example, torus, colour| {
        assert_eq!(view(example, "birds=2 grid=6 delta=1"), grid(6, torus, bird(colour)), "{}", example.0);
    };
    check(example!("boids/boids.labs"), true, Some("leader"));
    check(example!("boids/acw.labs"), true, Some("leader"));
    check(example!("boids/acsw.labs"), true, Some("leader"));
    check(example!("boids/aw.labs"), true, None);
    check(example!("boids/ac.labs"), false, Some("leader"));
    check(example!("boids/ac_stay.labs"), false, Some("leader"));
}

/// Ants are at `ph[x, y]` and never leave the arena; the sun has a row only. `FoodFound` is about `food`.
#[test]
fn ants() {
    let expected = grid(4, false, vec![shows("Ant", "x", "y", None, Some("food"))]);
    let floor = Floor { variable: "ph".into(), by_column: true };
    let expected = expected.map(|view| View { floors: vec![floor], ..view });
    assert_eq!(view(example!("ants/ants.labs"), "ants=2 size=4 scent=2"), expected);
}

/// Robots step over the borders; items are no arrays with a cell for every place.
#[test]
fn foraging() {
    let expected = grid(3, true, vec![shows("Robot", "x", "y", None, None)]);
    assert_eq!(view(example!("foraging/foraging.labs"), "robots=2 grid=3"), expected);
}

/// `pos: 1.._size` on a line that begins with 0.
#[test]
fn formation() {
    let robot = Shows { y: None, ..shows("Robot", "pos", "", None, None) };
    let expected = grid(6, false, vec![robot]).map(|view| View { height: 1, ..view });
    assert_eq!(view(example!("formation/formation.labs"), "n=2 size=6 range=2"), expected);
    assert_eq!(view(example!("formation/formation_id.labs"), "n=2 size=6 range=2"), expected);
}

/// Birds stay between each other, but the hunter roams over the borders.
#[test]
fn predator() {
    let kinds = vec![shows("Bird", "x", "y", None, None), shows("Hunter", "x", "y", None, None)];
    assert_eq!(view(example!("predator/predator.labs"), "birds=2 grid=5 sight=1"), grid(5, true, kinds));
}

#[test]
fn what_has_no_space_has_no_view() {
    let all = [
        (example!("approx/approx.labs"), "yes=1 no=2"),
        (example!("leader/leader.labs"), "n=3"),
        (example!("majority/majority.labs"), "yes=2 no=1"),
        (example!("philosophers/philosophers.labs"), "n=3"),
        (example!("scopes/crossing.labs"), "trains=2"),
        (example!("twophase/twophase.labs"), "workers=2"),
        (example!("unanimity/unanimity.labs"), "voters=2 options=2"),
        (example!("voter/voter.labs"), "voters=2 options=2"),
        (example!("waiting/waiting.labs"), "hasty=1 careful=1"),
        (example!("rcheck-resources/resources.rcp"), ""),
        (example!("rcheck-buffer/buffer.rcp"), ""),
        (example!("alternating-bit/abp.ccs"), ""),
        (example!("stock/stock.chor"), ""),
    ];
    for (example, parameters) in all {
        assert_eq!(view(example, parameters), None, "{}", example.0);
    }
}

/// Which index of the array is the column is told by the variable in it, and which variable is by its name.
#[test]
fn rows_and_columns() {
    let text = "system { extern = _w, _h environment = map[_h, _w]: 0 spawn = Ant: 1 }
agent Ant {
  interface = y: 0.._h; x: 0.._w
  Behavior = map[y, x] <-- 1; Behavior
}
check { Marked = finally exists Ant a, map[0, 0] = 1 }
";
    let found = view(("map.labs", text), "w=4 h=2");
    let expected = View {
        width: 4,
        height: 2,
        torus: false,
        shows: vec![shows("Ant", "x", "y", None, None)],
        floors: vec![Floor { variable: "map".into(), by_column: false }],
        said: false,
    };
    assert_eq!(found, Some(expected));
}

/// Everything can be said, also with variables that are called like the words of the section.
#[test]
fn a_model_can_say_it() {
    let text = "system { extern = _w, _h environment = view[_h, _w]: 0; space[_w, _h]: 0 spawn = Bird: 2 }
stigmergy S { link = true  heading, show: 0, 0 }
agent Bird {
  interface = at: 0; floor: 0; torus: 0; colour: 0; label: 0; size: 0
  stigmergies = S
  Behavior = at, floor <- floor, at; view[0, 0] <-- space[0, 0]; show <~ heading; colour <- torus; Behavior
}
view {
  space = _w, _h + 1 torus
  show Bird at at, floor heading heading, show color colour size size label label
}
check { Fine = always true }
";
    let name = |name: &str| Some(name.to_string());
    let bird = Shows {
        kind: "Bird".into(),
        x: "at".into(),
        y: name("floor"),
        dx: name("heading"),
        dy: name("show"),
        colour: name("colour"),
        label: name("label"),
        size: name("size"),
    };
    let said = View { width: 4, height: 3, torus: true, shows: vec![bird], floors: vec![], said: true };
    assert_eq!(view(("said.labs", text), "w=4 h=2"), Some(said.clone()));
    let text = text.replace("_h + 1 torus", "_h").replace("label label", "label id; floor = view, space");
    let shows = vec![Shows { label: name("id"), ..said.shows[0].clone() }];
    let floor = |variable: &str, by_column| Floor { variable: variable.into(), by_column };
    let floors = vec![floor("view", false), floor("space", true)];
    let said = View { height: 2, torus: false, shows, floors, ..said };
    assert_eq!(view(("said.labs", &text), "w=4 h=2"), Some(said));
}

/// A view changes nothing but the view.
#[test]
fn a_view_has_no_effect_on_the_program() {
    let (name, text) = example!("flock/flock.labs");
    let with = text.replace("check {", "view { space = 9, 9 show Bird at y, x }\ncheck {");
    let (plain, said) = (
        open(name, text, "birds=2 grid=3 delta=1", false),
        open(name, &with, "birds=2 grid=3 delta=1", false),
    );
    let shown = |prepared: &crate::Prepared| swarmcheck_ir::print::print(&prepared.flat.program);
    assert_eq!(shown(&plain), shown(&said));
    let view = picture(&said, None, false).expect("a picture").view.expect("a view");
    assert_eq!((view.width, view.said, view.shows[0].x.as_str()), (9, true, "y"));
}
