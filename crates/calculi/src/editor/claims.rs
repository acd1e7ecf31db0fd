//! The `check` section of a calculus, read from its tokens: what is a label, and what is a word of the logic.
//!
//! On sections without errors this agrees with [`crate::property`] and [`crate::linear`]: a word is an operator where these two
//! would read one.

use super::{Choices, Tokens};
use crate::linear::begins_operand;
use swarmcheck_ir::linear::words::{BINARY, BinaryOperator, UNARY, UnaryOperator};
use swarmcheck_source::index::Meaning;

/// Words that begin a claim, with what they say.
const CLAIMS: &[(&str, &str)] = &[
    ("always", "every action is one of these"),
    ("never", "no action is one of these"),
    ("eventually", "every maximal execution performs one of these"),
    ("finally", "the same as eventually"),
    ("fairly", "until it is performed, one of these stays reachable"),
    ("fairly_inf", "one of these always stays reachable"),
    ("possibly", "some execution performs one of these"),
    ("ltl", "every maximal execution satisfies a formula"),
];

/// All words of claims and formulas.
pub const WORDS: &[&str] = &[
    "always",
    "never",
    "eventually",
    "finally",
    "fairly",
    "fairly_inf",
    "possibly",
    "ltl",
    "precedes",
    "not",
    "and",
    "or",
    "any",
    "G",
    "globally",
    "F",
    "X",
    "next",
    "U",
    "until",
    "R",
    "V",
    "release",
    "releases",
    "W",
    "unless",
];

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expects {
    /// The name of a property.
    Name,
    /// `=`.
    Equals,
    /// A modality, or a set of actions.
    Claim,
    /// A set of actions, or a formula.
    Operand,
    /// An operator, or the next property.
    Operator,
}

/// Where reading has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub expects: Expects,
    /// In a formula, after `ltl` or `possibly`, there are temporal operators.
    pub formula: bool,
}

/// What a piece of a section is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The name of a property.
    Name,
    /// A word or sign of the logic.
    Logic,
    Label,
}

/// How a language writes labels: the number of the token after the label that begins with one.
pub type LabelEnd<'f> = &'f dyn Fn(&Tokens<'_>, usize) -> usize;

/// Goes through the tokens of a section, braces left out, and calls `found` with every piece and its tokens.
pub fn walk(
    tokens: &Tokens<'_>,
    first: usize,
    end: usize,
    label_end: LabelEnd<'_>,
    found: &mut dyn FnMut(Piece, usize, usize),
) -> State {
    let mut state = State { expects: Expects::Name, formula: false };
    let mut at = first;
    while at < end {
        let next = step(tokens, at, label_end, &mut state, found);
        at = next.max(at + 1);
    }
    state
}

/// Reads one piece; the number of the token after it.
fn step(
    tokens: &Tokens<'_>,
    at: usize,
    label_end: LabelEnd<'_>,
    state: &mut State,
    found: &mut dyn FnMut(Piece, usize, usize),
) -> usize {
    let mut logic = |last: usize, expects: Expects| {
        found(Piece::Logic, at, last);
        (last, expects)
    };
    let operand = |places: usize| {
        begins_operand(|place| tokens.get(at + place), |token| tokens.text_of(token.span), places)
    };
    let word = tokens.word(at);
    // A word before an equals sign is the name of the next property, wherever it stands.
    if tokens.is_word(at) && tokens.is_sign(at + 1, '=') {
        found(Piece::Name, at, at + 1);
        *state = State { expects: Expects::Equals, formula: false };
        return at + 1;
    }
    let (next, expects) = match (state.expects, tokens.sign(at)) {
        (Expects::Name, None) => {
            found(Piece::Name, at, at + 1);
            (at + 1, Expects::Equals)
        }
        (Expects::Name, Some(_)) => (at + 1, Expects::Name),
        (Expects::Equals, Some('=')) => (at + 1, Expects::Claim),
        (Expects::Equals, _) => (at + 1, Expects::Equals),
        (Expects::Claim, None) if CLAIMS.iter().any(|(known, _)| *known == word) => {
            state.formula = matches!(word, "ltl" | "possibly");
            logic(at + 1, Expects::Operand)
        }
        (Expects::Claim | Expects::Operand, None) => match word {
            "not" => logic(at + 1, Expects::Operand),
            "any" => logic(at + 1, Expects::Operator),
            _ if state.formula && UnaryOperator::named(word).is_some() && operand(1) => {
                logic(at + 1, Expects::Operand)
            }
            _ => label(tokens, at, label_end, found),
        },
        (Expects::Claim | Expects::Operand, Some('(' | ')')) => (at + 1, Expects::Operand),
        (Expects::Claim | Expects::Operand, Some('!')) if state.formula => logic(at + 1, Expects::Operand),
        (Expects::Claim | Expects::Operand, Some('[' | '<'))
            if state.formula && (tokens.sees(at, "[]") || tokens.sees(at, "<>")) =>
        {
            logic(at + 2, Expects::Operand)
        }
        (Expects::Claim | Expects::Operand, Some('\'')) => label(tokens, at, label_end, found),
        (Expects::Claim | Expects::Operand, Some(_)) => (at + 1, Expects::Operand),
        (Expects::Operator, None) => {
            let binary = state.formula && BinaryOperator::named(word).is_some();
            match word {
                "and" | "or" | "precedes" => logic(at + 1, Expects::Operand),
                _ if binary => logic(at + 1, Expects::Operand),
                _ => label(tokens, at, label_end, found),
            }
        }
        (Expects::Operator, Some('-')) if tokens.is_sign(at + 1, '>') => logic(at + 2, Expects::Operand),
        (Expects::Operator, Some('\'')) => label(tokens, at, label_end, found),
        (Expects::Operator, Some(_)) => (at + 1, Expects::Operator),
    };
    state.expects = expects;
    next
}

fn label(
    tokens: &Tokens<'_>,
    at: usize,
    label_end: LabelEnd<'_>,
    found: &mut dyn FnMut(Piece, usize, usize),
) -> (usize, Expects) {
    let end = label_end(tokens, at).max(at + 1);
    found(Piece::Label, at, end);
    (end, Expects::Operator)
}

/// What may be written in a section, apart from labels.
pub fn candidates(state: State, choices: &mut Choices) {
    match state.expects {
        Expects::Name | Expects::Equals => {}
        Expects::Claim => {
            choices.words(CLAIMS);
            choices.words(&[("not", "all other actions"), ("any", "all actions")]);
        }
        Expects::Operand if state.formula => choices.words(&[
            ("[]", "always"),
            ("<>", "eventually"),
            ("next", "after the next action"),
            ("not", "negation"),
            ("any", "there is a next action"),
            ("globally", "the same as []"),
            ("G", "the same as []"),
            ("F", "the same as <>"),
            ("X", "the same as next"),
        ]),
        Expects::Operand => choices.words(&[("not", "all other actions"), ("any", "all actions")]),
        Expects::Operator => {
            choices.words(&[("or", "either"), ("and", "both")]);
            match state.formula {
                true => choices.words(&[
                    ("->", "implies"),
                    ("until", "until the right side holds, which it will"),
                    ("unless", "until the right side holds, or for ever"),
                    ("release", "up to and including the first time that the left side holds, or for ever"),
                ]),
                false => choices.words(&[("precedes", "the right side only after the left side")]),
            }
        }
    }
}

/// What a word or sign of the logic means. That it is one is known.
pub fn meaning(word: &str, formula: bool) -> Option<Meaning> {
    let claims = |says| Some(Meaning { says, cites: "docs/ccs.md, section Properties" });
    let logic = |says| Some(Meaning { says, cites: "TOSEM, definition 2.5 and table 3" });
    let abbreviation = |says| Some(Meaning { says, cites: "TOSEM, section 2.2" });
    if formula && let Some((_, operator)) = UNARY.iter().find(|(known, _)| *known == word) {
        return match operator {
            UnaryOperator::Globally => abbreviation("What follows holds at every step."),
            UnaryOperator::Finally => abbreviation("What follows holds at some step, now or later."),
            UnaryOperator::Next => logic("What follows holds from the next step on."),
        };
    }
    if formula && let Some((_, operator)) = BINARY.iter().find(|(known, _)| *known == word) {
        return match operator {
            BinaryOperator::Until => {
                logic("The right side holds at some step, and the left side holds at all steps before it.")
            }
            BinaryOperator::Unless => claims("The left side holds until the right side does, or for ever."),
            BinaryOperator::Release => claims(
                "The right side holds up to and including the first step where the left side does, or for ever.",
            ),
        };
    }
    match word {
        "always" => claims("Every action that is ever performed is in the set."),
        "never" => claims("No action in the set is ever performed."),
        "eventually" | "finally" => claims("Every maximal execution performs an action of the set."),
        "fairly" => claims("As long as no action of the set was performed, one stays reachable."),
        "fairly_inf" => {
            claims("An action of the set always stays reachable. A system that can stop violates this.")
        }
        "precedes" => claims("No action of the right set is performed before one of the left set."),
        "possibly" => claims("Some execution performs an action of the set; a trace shows one."),
        "ltl" => claims("Every maximal execution satisfies the formula of linear temporal logic."),
        "any" if formula => claims("There is a next action."),
        "any" => claims("The set of all actions."),
        "not" | "!" if formula => logic("What follows does not hold."),
        "not" => claims("All actions that are not in the set that follows."),
        "and" if formula => logic("Both sides hold."),
        "and" => claims("The actions that are in both sets."),
        "or" if formula => abbreviation("At least one side holds."),
        "or" => claims("The actions that are in at least one of the sets."),
        "->" => abbreviation("If the left side holds, the right side does."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names and labels of a section, names with an equals sign behind them.
    fn check(section: &str, expected: &str) {
        let tokens = Tokens::new(section, "'()<>[]-!=;,");
        let mut out = vec![];
        let label_end = |tokens: &Tokens<'_>, at: usize| at + 1 + usize::from(tokens.is_sign(at, '\''));
        walk(&tokens, 0, tokens.count(), &label_end, &mut |piece, first, end| match piece {
            Piece::Name => out.push(format!("{}=", tokens.text(first))),
            Piece::Label => out.push((first..end).map(|at| tokens.text(at)).collect()),
            Piece::Logic => {}
        });
        assert_eq!(out.join(" "), expected, "{section}");
    }

    #[test]
    fn words_are_operators_where_an_operand_follows() {
        // The manual's examples: docs/ccs.md says which of these words are labels.
        check("A = ltl <> next", "A= next");
        check("A = ltl F F B = ltl U U a", "A= F B= U a");
        check("A = ltl (next) until a", "A= next a");
        check("A = ltl not ok unless agree C = always not nok", "A= ok agree C= nok");
        check("A = 'vote precedes ok or nok; B = possibly any and x", "A= 'vote ok nok B= x");
        check("A = ltl [] (vote -> <> (ok or nok)) B = fairly_inf tau", "A= vote ok nok B= tau");
        // Outside formulas there are no temporal operators.
        check("A = always F or next", "A= F next");
    }

    #[test]
    fn sections_that_are_not_finished_say_what_comes_next() {
        let expects = |section: &str| {
            let tokens = Tokens::new(section, "'()<>[]-!=;,");
            walk(&tokens, 0, tokens.count(), &|_, at| at + 1, &mut |_, _, _| {})
        };
        assert_eq!(expects("A ="), State { expects: Expects::Claim, formula: false });
        assert_eq!(expects("A = ltl"), State { expects: Expects::Operand, formula: true });
        assert_eq!(expects("A = ltl a"), State { expects: Expects::Operator, formula: true });
        assert_eq!(expects("A = ltl a B"), State { expects: Expects::Operator, formula: true });
        assert_eq!(expects("A = ltl a B = never"), State { expects: Expects::Operand, formula: false });
    }

    #[test]
    fn every_word_of_the_logic_has_a_meaning() {
        assert!(WORDS.iter().all(|word| meaning(word, true).is_some()));
        assert_eq!(meaning("next", false), None);
    }
}
