//! `view { … }`: names and sizes, and finding a way on after mistakes.

use super::{check, check_with, model, says, unmark};
use crate::model::Label;
use crate::syntax::parse;

/// A system in a space, with this section.
fn arena(view: &str) -> String {
    format!(
        "system {{ environment = scent[3, 4]: 0; line[3]: 0; door: 0
                   spawn = A: 2, B: 1 }}
         stigmergy S {{ link = true
                        dx, dy: 1, 1 }}
         agent A {{ interface = x: 0; y: 0; row[3]: 0
                    stigmergies = S
                    Behavior = {{ x, y <- x + dx, y + dy; row[0] <- row[1]; scent[x, y] <-- scent[0, 0]; line[0] <-- line[1]; door <-- door }} }}
         agent B {{ interface = x: 0
                    Behavior = x <- x + 1 }}
         {view}
         check {{ P = always true }}"
    )
}

#[test]
fn a_view_is_part_of_the_model() {
    let text = arena(
        "view { floor = scent space = 3, 2 * 2 torus; show A at x, y heading dx, dy label id colour x }",
    );
    let view = model(&text).view.expect("a view");
    assert_eq!((view.width, view.height, view.torus), (3, 4, true));
    assert_eq!((view.shows.len(), view.floors.len()), (1, 1));
    let show = &view.shows[0];
    assert_eq!((show.label, show.colour, show.size), (Some(Label::Id), Some(show.x), None));
    assert!(show.y.is_some() && show.dx.is_some() && show.dy.is_some());
    assert!(model(&arena("")).view.is_none());
    let line = model(&arena("view { space = 3 show A at x heading dx show B at x floor = line }")).view;
    assert_eq!(line.map(|view| (view.height, view.shows.len())), Some((1, 2)));
}

#[test]
fn names_must_exist() {
    let view = |items: &str| check(&arena(&format!("view {{ {items} }}")));
    view("space = 3, 4 show «E0103»C at x, y");
    view("space = 3, 4 show A at x, «E0101»z");
    view("space = 3 show B at «E0107»y");
    view("space = 3, 4 show A at x, y colour «E0107»door");
    view("space = 3, 4 show A at x, y label «E0204»row");
    view("space = 3, 4 floor = «E0101»sent");
    says(&arena("view { space = 3, 4 floor = sent }"), "did you mean `scent`?");
    says(&arena("view { space = 3, 4 show A at x, dz }"), "did you mean `dx`?");
    says(&arena("view { space = 3, 4 show A at x, y colour door }"), "`floor` shows arrays");
}

#[test]
fn sizes_must_fit() {
    let view = |items: &str| check(&arena(&format!("view {{ {items} }}")));
    check(&arena("«E0111»view { show A at x, y }"));
    view("«E0111»space = 3, 4, 5");
    view("space = 3, 4 «E0111»show A at x");
    view("space = 3 «E0111»show A at x, y");
    view("space = 3, 4 «E0111»show A at x, y heading dx");
    view("space = 3, 3 floor = «E0111»scent");
    view("space = 3, 4 floor = «E0111»line");
    view("space = 3, 4 floor = «E0111»door");
    view("space = 3, 4 floor = «E0111»dx");
    view("space = «E0207»0, 4");
    view("space = 3, «E0207»10001");
    view("space = 3, «E0205»x");
    check_with(&arena("view { space = 3, «E0105»_n }"), &[]);
}

#[test]
fn everything_is_said_once() {
    let view = |items: &str| check(&arena(&format!("view {{ {items} }}")));
    view("space = 3, 4 «E0106»space = 3, 4");
    view("space = 3, 4 show A at x, y show «E0106»A at y, x");
    view("space = 3, 4 show A at x, y colour x colour «E0106»y");
    check(&arena("view { space = 3, 4 } «E0106»view { space = 3, 4 }"));
}

/// Showing a variable, or using a parameter for the size, is a use of it.
#[test]
fn shown_is_used() {
    let text = "system { extern = _n spawn = A: 1 } agent A { interface = x: 0 Behavior = Skip }
                view { space = _n show A at x }";
    check_with(text, &[("n", "3")]);
}

/// A mistake in the section is one message, and what follows is read.
#[test]
fn parsing_goes_on() {
    for (items, errors) in [
        ("space = show A at x, y", 1),
        ("space 3 show A at x, y", 1),
        ("show A x, y; space = 3, 4", 1),
        ("show A at ; show B at x; space = 3", 1),
        ("show at x, y space = 3", 1),
        ("show A at x heading space = 3", 1),
        ("flor = scent; space = 3", 1),
        // It is no variable, and it is not closed.
        ("floor = [", 2),
        ("show", 1),
        ("", 0),
    ] {
        let (text, _) = unmark(&arena(&format!("view {{ {items} }}")));
        let (file, found) = parse(&text);
        assert_eq!(found.iter().count(), errors, "{items}: {found:#?}");
        assert_eq!((file.properties.len(), file.agents.len()), (1, 2), "{items}");
    }
    let (file, _) = parse(&arena("view { show A at ; show B at x; space = 3 }"));
    assert_eq!((file.views[0].shows.len(), file.views[0].spaces.len()), (1, 1));
}
