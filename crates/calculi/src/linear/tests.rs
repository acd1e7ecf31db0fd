//! Which words are operators, and which are labels.

use super::*;

/// Reads a formula over single words, as CCS has them, and tells it with all its parentheses, with `G`, `F`, `X`, `U`, `R`
/// and `W` for operators, and labels in quotes.
fn read_as(text: &str) -> Option<String> {
    let mut cursor = Cursor::new(text, "'.+|\\{}[](),;=/<>-!");
    let label = |cursor: &mut Cursor<'_>| {
        let token = cursor.name("an action")?;
        Some(cursor.text(token).to_string())
    };
    let formula = read(&mut cursor, &label, Executions::All)?;
    (!cursor.diagnostics.has_errors()).then(|| told(&formula.written))
}

fn told(part: &Part) -> String {
    let one = |sign: &str, a: &Part| format!("{sign} {}", told(a));
    let two = |sign: &str, a: &Part, b: &Part| format!("({} {sign} {})", told(a), told(b));
    match &part.node {
        WrittenNode::Seen(Linear::Atom(Proposition::Label(label))) => format!("'{label}'"),
        WrittenNode::Seen(_) => "any".to_string(),
        WrittenNode::Not(a) => one("!", a),
        WrittenNode::Globally(a) => one("G", a),
        WrittenNode::Finally(a) => one("F", a),
        WrittenNode::Next(a) => one("X", a),
        WrittenNode::And(a, b) => two("and", a, b),
        WrittenNode::Or(a, b) => two("or", a, b),
        WrittenNode::Implies(a, b) => two("->", a, b),
        WrittenNode::Until(a, b) => two("U", a, b),
        WrittenNode::Release(a, b) => two("R", a, b),
        WrittenNode::WeakUntil(a, b) => two("W", a, b),
        _ => "?".to_string(),
    }
}

fn check(text: &str, expected: &str) {
    assert_eq!(read_as(text).as_deref(), Some(expected), "{text}");
}

#[test]
fn all_spellings_mean_the_same() {
    for globally in ["G", "[]", "globally"] {
        for finally in ["F", "<>"] {
            check(&format!("{globally} (a -> {finally} b)"), "G ('a' -> F 'b')");
        }
    }
    for next in ["X", "next"] {
        for not in ["!", "not"] {
            check(&format!("{next} {not} a"), "X ! 'a'");
        }
    }
    let binary = [("U", "U until"), ("R", "R V release releases"), ("W", "W unless")];
    for (sign, words) in binary {
        for word in words.split(' ') {
            check(&format!("a {word} b"), &format!("('a' {sign} 'b')"));
            check(&format!("G a {word} X b and c"), &format!("((G 'a' {sign} X 'b') and 'c')"));
            check(&format!("a {word} b {word} c"), &format!("('a' {sign} ('b' {sign} 'c'))"));
        }
    }
}

#[test]
fn a_word_is_an_operator_where_an_operand_follows() {
    check("F", "'F'");
    check("F F", "F 'F'");
    check("G F F", "G F 'F'");
    check("next", "'next'");
    check("[] next", "G 'next'");
    check("[] (next -> next next)", "G ('next' -> X 'next')");
    check("F (F)", "F 'F'");
    check("F and G", "('F' and 'G')");
    check("F U", "F 'U'");
    check("F U a", "('F' U 'a')");
    check("U U U", "('U' U 'U')");
    check("U U a", "('U' U 'a')");
    check("X (U) U X U", "(X 'U' U X 'U')");
    check("not until until any", "(! 'until' U any)");
    check("(W) W (R) or V", "(('W' W 'R') or 'V')");
}

#[test]
fn the_name_of_the_next_property_is_no_part() {
    check("[] next B = ltl a", "G 'next'");
    check("a U = ltl b", "'a'");
    check("F W = ltl b", "'F'");
    assert_eq!(read_as("a U"), None);
    assert_eq!(read_as("[]"), None);
}

/// As `docs/ccs.md` says.
#[test]
fn precedence() {
    check("a or b and c -> d or e -> f", "(('a' or ('b' and 'c')) -> (('d' or 'e') -> 'f'))");
    check("not a until b and c", "((! 'a' U 'b') and 'c')");
    check("a until b until c", "('a' U ('b' U 'c'))");
    check("a unless b release c", "('a' W ('b' R 'c'))");
    check("[] a -> b", "(G 'a' -> 'b')");
}

/// Neither long lists nor nested `unless`, which writes its right side twice, take the program down.
#[test]
fn large_formulas() {
    let long = vec!["a"; 3000].join(" or ");
    assert!(read_as(&long).is_some());
    let row = vec!["U"; 3000].join(" ");
    let _ = read_as(&row);
    let nested = |depth: usize| format!("{}a{}", "a W (".repeat(depth), ")".repeat(depth));
    assert!(read_as(&nested(5)).is_some());
    assert_eq!(read_as(&nested(150)), None);
}
