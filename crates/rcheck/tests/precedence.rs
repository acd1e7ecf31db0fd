//! Formulas without parentheses: both readings against a literal grouping of their operators, and what is ambiguous.

mod common;

use common::Random;
use swarmcheck_ir::Linear;
use swarmcheck_rcheck::model::{Atom, Expr};
use swarmcheck_rcheck::syntax::ast::Op;
use swarmcheck_rcheck::{Precedence, Specification, check, check_with, codes};

const PRELUDE: &str = "agent A\n local: x : bool\n repeat: go: {x} *! (true)()[x := !x] + hear: {true} *? []\nsystem = A(p, true) || A(q, true) || A(r, true)\n";

/// The formula of a text, in the reading that is chosen.
fn meaning(formula: &str, precedence: Precedence) -> String {
    let text = format!("{PRELUDE}SPEC {formula}");
    let (spec, found) = check_with(&text, Some(precedence));
    let spec = spec.unwrap_or_else(|| panic!("{formula}: {found:?}"));
    assert_eq!(spec.specs.len(), 1, "{formula}");
    words(&spec, 0)
}

/// A formula; observations stand in it, and not their numbers. However `&` and `|` are grouped, it looks the same.
fn words(spec: &Specification, number: usize) -> String {
    fn of(spec: &Specification, formula: &Linear<Atom>) -> Linear<String> {
        let inner = |f: &Linear<Atom>| of(spec, f);
        match formula {
            Linear::Atom(Atom::State(e)) => condition(e),
            Linear::Atom(Atom::Observed(number)) => condition(&spec.observations[*number]),
            Linear::Not(a) => Linear::not(inner(a)),
            Linear::And(parts) => both(parts.iter().map(inner).collect()),
            Linear::Or(parts) => either(parts.iter().map(inner).collect()),
            Linear::Next(a) => Linear::next(inner(a)),
            Linear::Until(a, b) => Linear::until(inner(a), inner(b)),
            Linear::Release(a, b) => Linear::release(inner(a), inner(b)),
        }
    }
    fn condition(e: &Expr) -> Linear<String> {
        match e {
            Expr::Not(inner) => Linear::not(condition(inner)),
            Expr::Binary(Op::And, a, b, _) => both(vec![condition(a), condition(b)]),
            Expr::Binary(Op::Or, a, b, _) => either(vec![condition(a), condition(b)]),
            // Any shape will do, as long as it shows the operator and both operands.
            Expr::Binary(op @ (Op::Implies | Op::Iff), a, b, _) => {
                let name = Linear::Atom(format!("{op:?}"));
                Linear::next(Linear::And(vec![name, Linear::next(condition(a)), Linear::next(condition(b))]))
            }
            e => Linear::Atom(format!("{e:?}")),
        }
    }
    fn both(parts: Vec<Linear<String>>) -> Linear<String> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Linear::And(inner) if !inner.is_empty() => inner,
            part => vec![part],
        });
        Linear::And(flat.collect())
    }
    fn either(parts: Vec<Linear<String>>) -> Linear<String> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Linear::Or(inner) if !inner.is_empty() => inner,
            part => vec![part],
        });
        Linear::Or(flat.collect())
    }
    format!("{:?}", of(spec, &spec.specs[number].formula))
}

/// Prefix operators and an atom; then a connective and the next of these.
struct Flat {
    operands: Vec<(Vec<&'static str>, &'static str)>,
    connectives: Vec<&'static str>,
}

impl Flat {
    fn new(random: &mut Random) -> Flat {
        let atoms = ["p-x", "q-x", "r-x", "p-go", "q-hear", "enabled(r-go)", "p-x = q-x"];
        let prefixes = ["F", "G", "X", "!", "[sender = p]", "<sender = q>"];
        let connectives = ["&", "|", "->", "<->", "U", "R", "W"];
        let length = 1 + random.below(5);
        let operand = |random: &mut Random| {
            let atom = random.one(&atoms);
            let many = [0, 0, 1, 2][random.below(4)];
            let list: Vec<&str> = (0..many).map(|_| random.one(&prefixes)).collect();
            // `!` before a comparison would be an operand of it.
            let tight = atom.contains('=') && list.last() == Some(&"!");
            (if tight { vec![] } else { list }, atom)
        };
        let operands = (0..length).map(|_| operand(random)).collect();
        Flat { operands, connectives: (1..length).map(|_| random.one(&connectives)).collect() }
    }

    fn text(&self) -> String {
        let one = |(prefixes, atom): &(Vec<&str>, &str)| [prefixes.as_slice(), &[atom]].concat().join(" ");
        let mut out = one(&self.operands[0]);
        for (connective, operand) in self.connectives.iter().zip(&self.operands[1..]) {
            out += &format!(" {connective} {}", one(operand));
        }
        out
    }

    /// Conventionally: cut at the loosest connective; of several, at the first if it groups to the right.
    fn conventional(&self, from: usize, to: usize) -> String {
        // NuSMV's manual (section 2.4.3) has until and its kin between the prefix operators and `&`.
        let level = |c: &str| ["&", "|", "->", "<->"].iter().position(|k| *k == c).map_or(0, |at| at + 1);
        let inside = &self.connectives[from..to];
        let Some(loosest) = inside.iter().map(|c| level(c)).max() else {
            let (prefixes, atom) = &self.operands[from];
            return prefixes.iter().rev().fold(format!("({atom})"), |inner, p| format!("({p} {inner})"));
        };
        let right = loosest == 3 || loosest == 0;
        let fits = |at: &usize| level(inside[*at]) == loosest;
        let cut = if right { (0..inside.len()).find(fits) } else { (0..inside.len()).rev().find(fits) };
        let cut = cut.expect("there is one") + from;
        let (left, right) = (self.conventional(from, cut), self.conventional(cut + 1, to));
        format!("({left} {} {right})", self.connectives[cut])
    }

    /// In the editor: from left to right, and a prefix operator takes all that follows it. Only `!` may end at its atom.
    fn editor(&self, from: usize) -> String {
        let (reaching, mut left) = self.operand(from);
        for at in from + 1..self.operands.len() {
            let connective = self.connectives[at - 1];
            let (further, operand) = self.operand(at);
            if !further.is_empty() {
                left = format!("({left} {connective} {})", self.editor(at));
                break;
            }
            left = format!("({left} {connective} {operand})");
        }
        reaching.iter().rev().fold(left, |inner, prefix| format!("({prefix} {inner})"))
    }

    /// The prefix operators of an operand that reach further, and the rest of it.
    fn operand(&self, at: usize) -> (&[&'static str], String) {
        let (prefixes, atom) = &self.operands[at];
        let tight = prefixes.iter().rev().take_while(|p| **p == "!").count();
        let (reaching, tight) = prefixes.split_at(prefixes.len() - tight);
        (reaching, tight.iter().fold(format!("({atom})"), |inner, _| format!("(!{inner})")))
    }
}

#[test]
fn random_formulas_are_grouped_as_both_grammars_say() {
    let mut two = 0;
    let number = 3000;
    for seed in 0..number {
        let flat = Flat::new(&mut Random::new(seed));
        let text = flat.text();
        let conventional = flat.conventional(0, flat.operands.len() - 1);
        let editor = flat.editor(0);
        let ours = meaning(&conventional, Precedence::Conventional);
        let theirs = meaning(&editor, Precedence::Rcheck);
        assert_eq!(meaning(&text, Precedence::Conventional), ours, "{text} as {conventional}");
        assert_eq!(meaning(&text, Precedence::Rcheck), theirs, "{text} as {editor}");
        // Parentheses leave nothing to choose.
        for (precedence, long) in [(Precedence::Rcheck, &conventional), (Precedence::Conventional, &editor)] {
            let other = if precedence == Precedence::Rcheck { &ours } else { &theirs };
            assert_eq!(&meaning(long, precedence), other, "{long}");
        }
        // Without a choice there are two formulas exactly where they differ.
        let spec = check(&format!("{PRELUDE}SPEC {text}")).0.expect("a specification");
        let formulas: Vec<String> = (0..spec.specs.len()).map(|number| words(&spec, number)).collect();
        if formulas.len() == 2 {
            two += 1;
            let texts: Vec<&str> =
                spec.specs.iter().filter_map(|s| Some(s.reading.as_ref()?.text.as_str())).collect();
            // What is shown means what is decided, however it is read.
            for precedence in Precedence::ALL {
                assert_eq!(meaning(texts[0], precedence), formulas[0], "{}", texts[0]);
                assert_eq!(meaning(texts[1], precedence), formulas[1], "{}", texts[1]);
            }
            // They may still mean the same: `a -> b | c` does.
            assert_ne!(texts[0], texts[1], "{text}");
        }
    }
    assert!(two > number / 4 && two < number, "{two} of {number} formulas have two readings");
}

/// The readings of a specification, with all their parentheses.
fn readings(formula: &str) -> Vec<String> {
    let text = format!("{PRELUDE}SPEC {formula}");
    let (spec, found) = check(&text);
    let spec = spec.unwrap_or_else(|| panic!("{formula}: {found:?}"));
    spec.specs.iter().filter_map(|s| Some(s.reading.as_ref()?.text.clone())).collect()
}

#[test]
fn what_has_two_readings() {
    let two = |formula: &str, conventional: &str, editor: &str| {
        assert_eq!(readings(formula), [conventional, editor], "{formula}");
    };
    two("G p-x -> q-x", "(G p-x) -> q-x", "G (p-x -> q-x)");
    two("p-x | q-x & r-x", "p-x | (q-x & r-x)", "(p-x | q-x) & r-x");
    two("p-x -> q-x -> r-x", "p-x -> (q-x -> r-x)", "(p-x -> q-x) -> r-x");
    two("!F p-x & q-x", "!(F p-x) & q-x", "!(F (p-x & q-x))");
    two("<sender = p> p-x | q-x", "(<sender = p> p-x) | q-x", "<sender = p> (p-x | q-x)");
    two(
        "forall k : A . G k-x -> F q-x",
        "forall k : A . ((G k-x) -> (F q-x))",
        "forall k : A . (G (k-x -> (F q-x)))",
    );
    // An observation may have two readings, too.
    two(
        "G <sender = p | sender = q & chan = *> true",
        "G (<sender = p | (sender = q & chan = *)> true)",
        "G (<(sender = p | sender = q) & chan = *> true)",
    );
    for one in [
        "G (p-x -> q-x)",
        "(G p-x) -> q-x",
        "p-x & q-x | r-x",
        "p-x & q-x & r-x",
        "!p-x & q-x",
        "p-x & G q-x",
        "G F p-x",
        "p-x | q-x | F r-x",
    ] {
        assert_eq!(readings(one), Vec::<String>::new(), "{one}");
    }
}

/// Guards belong to the system: it has one reading, with a warning that shows the other.
#[test]
fn guards_have_one_reading_and_a_warning() {
    let text = "agent A\n local: x : bool, y : bool, z : bool\n repeat: go: {x | y & z} *! (true)()[]\nsystem = A(p, true)\n";
    let (spec, found) = check(text);
    let list = found.into_sorted();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].code, codes::PRECEDENCE);
    let said = format!("{:?} {:?}", list[0].primary, list[0].help);
    assert!(said.contains("x | (y & z)") && said.contains("(x | y) & z"), "{said}");
    let guard = |precedence| {
        format!("{:?}", check_with(text, precedence).0.expect("fine").agents[0].commands[0].guard)
    };
    assert_eq!(
        format!("{:?}", spec.expect("fine").agents[0].commands[0].guard),
        guard(Some(Precedence::Conventional))
    );
    assert_ne!(guard(Some(Precedence::Rcheck)), guard(None));
    assert!(check_with(text, Some(Precedence::Rcheck)).1.is_empty());
}

/// `rep A + B` and `rep A; B` are different systems.
#[test]
fn loops_that_can_be_read_in_two_ways_are_refused() {
    let script =
        |process: &str| format!("agent A\n local: x : bool\n repeat: {process}\nsystem = A(p, true)\n");
    let (a, b) = ("a: {x} *! (true)()[]", "b: {!x} *! (true)()[]");
    for sign in ["+", ";"] {
        let text = script(&format!("rep {a} {sign} {b}"));
        let (spec, found) = check(&text);
        assert!(spec.is_none());
        let list = found.into_sorted();
        let codes_of: Vec<&str> = list.iter().map(|d| d.code).collect();
        assert_eq!(codes_of, [codes::AMBIGUOUS], "{list:?}");
        let help = format!("{:?}", list[0].help);
        let between = if sign == ";" { "; " } else { " + " };
        assert!(
            help.contains(&format!("(rep {a}){between}{b}"))
                && help.contains(&format!("rep ({a}{between}{b})")),
            "{help}"
        );
        let shape = |text: &str, precedence| {
            let spec = check_with(text, precedence).0.unwrap_or_else(|| panic!("{text}"));
            swarmcheck_rcheck::automaton::automaton(&spec.agents[0])
        };
        let (loose, tight) =
            (script(&format!("rep ({a} {sign} {b})")), script(&format!("(rep {a}) {sign} {b}")));
        assert_eq!(shape(&text, Some(Precedence::Rcheck)), shape(&loose, None));
        assert_eq!(shape(&text, Some(Precedence::Conventional)), shape(&tight, None));
        // For a choice at the beginning of an agent both loops are at the same state.
        assert_eq!(sign == ";", shape(&loose, None) != shape(&tight, None));
    }
    for fine in
        [format!("rep {a}"), format!("{b} + rep {a}"), format!("(rep {a}) + {b}"), format!("rep ({a} + {b})")]
    {
        assert!(check(&script(&fine)).0.is_some(), "{fine}");
    }
}

/// Until binds tighter than an implication, as everywhere; the authors' editor reads from left to right.
#[test]
fn until_after_an_implication_has_two_readings() {
    let script = |formula: &str| {
        format!(
            "agent A\n local: x : bool, y : bool, z : bool\n repeat: go: {{true}} *! (true)()[]\nsystem = A(a, true)\n\
             SPEC S: {formula}\n"
        )
    };
    let texts = |formula: &str| {
        let (spec, _) = swarmcheck_rcheck::check(&script(formula));
        let specs = spec.expect("no errors").specs;
        specs.into_iter().filter_map(|s| s.reading).map(|r| r.text).collect::<Vec<String>>()
    };
    assert_eq!(texts("G (a-x -> a-y U a-z)"), ["G (a-x -> (a-y U a-z))", "G ((a-x -> a-y) U a-z)"]);
    assert_eq!(texts("a-x U a-y U a-z"), ["a-x U (a-y U a-z)", "(a-x U a-y) U a-z"]);
    assert_eq!(texts("a-x U a-y & a-z"), Vec::<String>::new());
}

/// Looking ahead from each loop into those after it would take longer than anybody waits.
#[test]
fn many_loops_are_read_at_once() {
    let loops = vec!["rep {true} *! (true)()[]"; 60].join("; ");
    let script = format!("agent A\n repeat: {loops}\nsystem = A(a, true)\n");
    let (spec, found) = swarmcheck_rcheck::check(&script);
    assert!(spec.is_none());
    let ambiguous = found.iter().filter(|d| d.code == swarmcheck_rcheck::codes::AMBIGUOUS).count();
    assert_eq!(ambiguous, 59, "all but the last");
}
