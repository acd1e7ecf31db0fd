//! Operators on values that depend on bits, against the interpreter's arithmetic.

use super::*;
use crate::word::{bits_for, cases};
use swarmcheck_aig::graph::value;

const OPS: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
    BinaryOp::Round,
    BinaryOp::Min,
    BinaryOp::Max,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::And,
    BinaryOp::Or,
];

/// A word that can be any of these values, and the bits that decide which.
fn word(g: &mut Graph, values: &[Value], many: bool) -> (Word, Vec<Lit>) {
    let bits: Vec<Lit> = (0..bits_for(values.len() as u64)).map(|_| g.variable()).collect();
    let cases = cases(g, &bits, values.len() as u64);
    let mut word = Word::few(g, values.iter().copied().zip(cases));
    if many {
        let bits = word.bits(g);
        word.form = Form::Many(bits);
    }
    (word, bits)
}

fn read(values: &[bool], word: &Word) -> Value {
    if value(values, word.undef) {
        return UNDEF;
    }
    match &word.form {
        Form::Few(list) => {
            let found: Vec<Value> =
                list.iter().filter(|(_, lit)| value(values, *lit)).map(|(v, _)| *v).collect();
            assert_eq!(found.len(), 1, "exactly one alternative is the value");
            found[0]
        }
        Form::Many(bits) => {
            let mut out: i128 = 0;
            for k in 0..128 {
                out |= i128::from(value(values, bits.bit(k))) << k;
            }
            out as i64
        }
    }
}

/// Every operator on every pair of some values, in both representations, against the interpreter's arithmetic.
#[test]
fn operators_agree_with_the_interpreter() {
    let sets: [&[Value]; 4] = [
        &[-7, -2, -1, 0, 1, 2, 3, 5, UNDEF],
        &[0, 1],
        &[i64::MAX, i64::MAX - 1, 2, 0, -i64::MAX, UNDEF],
        &[3],
    ];
    for (first, second) in sets.iter().flat_map(|a| sets.iter().map(move |b| (*a, *b))) {
        for (op, form) in OPS.into_iter().flat_map(|op| (0..4).map(move |form| (op, form))) {
            let mut g = Graph::new();
            let (a, a_bits) = word(&mut g, first, form & 1 != 0);
            let (b, b_bits) = word(&mut g, second, form & 2 != 0);
            let (result, overflow) = binary(&mut g, op, &a, &b);
            for (i, j) in (0..first.len()).flat_map(|i| (0..second.len()).map(move |j| (i, j))) {
                let mut values = vec![false; g.nodes().len()];
                a_bits.iter().enumerate().for_each(|(k, l)| values[l.node() as usize] = i >> k & 1 != 0);
                b_bits.iter().enumerate().for_each(|(k, l)| values[l.node() as usize] = j >> k & 1 != 0);
                g.evaluate(&mut values);
                let expected = arith::binary(op, first[i], second[j]);
                let found = (!value(&values, overflow)).then(|| read(&values, &result));
                assert_eq!(found, expected, "{} {op:?} {} in form {form}", first[i], second[j]);
            }
        }
    }
}

#[test]
fn comparing_a_result_is_comparing_what_was_computed() {
    let set: &[Value] = &[-3, -1, 0, 2, 4, 5, UNDEF];
    for (inner, op) in OPS[..8].iter().flat_map(|i| OPS[8..14].iter().map(move |o| (*i, *o))) {
        let mut g = Graph::new();
        let ((a, a_bits), (b, b_bits)) = (word(&mut g, set, false), word(&mut g, set, false));
        let lit = compare_result(&mut g, op, inner, &a, &b, 3).expect("both have few values");
        for (i, j) in (0..set.len()).flat_map(|i| (0..set.len()).map(move |j| (i, j))) {
            let mut values = vec![false; g.nodes().len()];
            a_bits.iter().enumerate().for_each(|(k, l)| values[l.node() as usize] = i >> k & 1 != 0);
            b_bits.iter().enumerate().for_each(|(k, l)| values[l.node() as usize] = j >> k & 1 != 0);
            g.evaluate(&mut values);
            let result = arith::binary(inner, set[i], set[j]).expect("small numbers");
            assert_eq!(
                value(&values, lit),
                holds(op, result, 3),
                "({} {inner:?} {}) {op:?} 3",
                set[i],
                set[j]
            );
        }
    }
}

#[test]
fn unary_operators_agree_with_the_interpreter() {
    let set: &[Value] = &[-3, -1, 0, 1, 4, UNDEF];
    for (op, many) in
        [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Not].into_iter().flat_map(|o| [(o, false), (o, true)])
    {
        let mut g = Graph::new();
        let (a, bits) = word(&mut g, set, many);
        let result = unary(&mut g, op, &a);
        for (i, v) in set.iter().enumerate() {
            let mut values = vec![false; g.nodes().len()];
            bits.iter().enumerate().for_each(|(k, l)| values[l.node() as usize] = i >> k & 1 != 0);
            g.evaluate(&mut values);
            assert_eq!(read(&values, &result), arith::unary(op, *v), "{op:?} {v}");
        }
    }
}
