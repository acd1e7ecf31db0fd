//! Abstract arithmetic against the executor's, one by one.

use super::arith;
use super::value::Value;
use swarmcheck_ir::{BinaryOp, Interval, UNDEF, UnaryOp};

const OPERATORS: [BinaryOp; 14] = [
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
];

/// Small and large sets and intervals around the interesting points, with and without ⊥.
fn samples() -> Vec<(Value, Vec<i64>)> {
    let mut out: Vec<(Value, Vec<i64>)> = vec![];
    let ends = [-40, -17, -2, -1, 0, 1, 2, 17, 40];
    for (i, lo) in ends.iter().enumerate() {
        for hi in &ends[i..] {
            out.push((Value::between((*lo).into(), (*hi).into()), (*lo..=*hi).collect()));
        }
    }
    for few in [vec![-1, 1], vec![-7, 0, 3], vec![2, 5], vec![]] {
        out.push((Value::of(few.clone()), few));
    }
    for large in [i64::MAX, -i64::MAX, i64::MAX - 3] {
        let all: Vec<i64> = (0..40).map(|d| if large > 0 { large - d } else { large + d }).collect();
        out.push((Value::of(all.clone()), all));
    }
    let with_undef = out.iter().map(|(v, all)| {
        let cells = all.iter().copied().chain([UNDEF]).collect();
        (v.clone().with_undef(true), cells)
    });
    let with_undef: Vec<_> = with_undef.collect();
    out.extend(with_undef);
    out
}

#[test]
fn every_result_is_in_the_abstract_result() {
    let samples = samples();
    for op in OPERATORS {
        for (a, xs) in &samples {
            for (b, ys) in &samples {
                let (value, overflow) = arith::binary(op, a, b);
                for x in xs {
                    for y in ys {
                        match swarmcheck_ir::arith::binary(op, *x, *y) {
                            Some(z) => {
                                assert!(value.contains_cell(z), "{x} {op:?} {y} = {z} not in {value:?}")
                            }
                            None => assert!(overflow, "{x} {op:?} {y} overflows"),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn an_expression_with_itself() {
    for op in OPERATORS {
        for (a, xs) in samples() {
            let Some((value, overflow)) = arith::with_itself(op, &a) else { continue };
            for x in xs {
                match swarmcheck_ir::arith::binary(op, x, x) {
                    Some(z) => assert!(value.contains_cell(z), "{x} {op:?} {x} = {z} not in {value:?}"),
                    None => assert!(overflow),
                }
            }
        }
    }
    assert_eq!(
        arith::with_itself(BinaryOp::Mul, &Value::between(-9, 9)),
        Some((Value::between(0, 81), false))
    );
}

#[test]
fn unary_operators_and_signs() {
    for (a, xs) in samples() {
        for x in xs {
            for op in [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Not] {
                let z = swarmcheck_ir::arith::unary(op, x);
                assert!(arith::unary(op, &a).contains_cell(z), "{op:?} {x} = {z}, {a:?}");
            }
            let size = swarmcheck_ir::arith::unary(UnaryOp::Abs, x);
            for (p, q) in [(x, size), (size, x)] {
                let z = swarmcheck_ir::arith::binary(BinaryOp::Div, p, q);
                assert!(z.is_some_and(|z| arith::sign(&a).contains_cell(z)), "{p} / {q}");
            }
        }
    }
}

#[test]
fn intervals_are_tight() {
    let check = |op, a: (i128, i128), b: (i128, i128), expected: (i128, i128)| {
        let (value, _) = arith::binary(op, &Value::between(a.0, a.1), &Value::between(b.0, b.1));
        assert_eq!(value.with_undef(false), Value::between(expected.0, expected.1), "{op:?} {a:?} {b:?}");
    };
    check(BinaryOp::Mod, (-1, 30), (30, 30), (0, 29));
    check(BinaryOp::Mod, (0, 20), (30, 30), (0, 20));
    check(BinaryOp::Mod, (31, 50), (30, 30), (1, 20));
    check(BinaryOp::Div, (-30, 30), (-2, 2), (-30, 30));
    check(BinaryOp::Div, (10, 40), (2, 5), (2, 20));
    check(BinaryOp::Round, (-30, 30), (4, 4), (-8, 8));
    check(BinaryOp::Min, (-30, 30), (4, 4), (-30, 4));
    check(BinaryOp::Max, (-30, 30), (4, 4), (4, 30));
    check(BinaryOp::Lt, (0, 30), (31, 90), (1, 1));
    check(BinaryOp::Ge, (0, 30), (31, 90), (0, 0));
}

#[test]
fn sets_of_values() {
    let direction = Value::of([1, -1]);
    assert!(!direction.contains(0) && direction.contains(-1));
    assert_eq!(direction.join(&Value::only(0)), Value::between(-1, 1));
    assert_eq!(Value::between(0, 100).meet(&direction), Value::only(1));
    assert_eq!(Value::between(0, 100).without(0), Value::between(1, 100));
    assert_eq!(Value::between(3, 2), Value::NONE);
    let grown = Value::between(0, 20).widened(&Value::between(0, 19), &[0, 50]);
    assert_eq!(grown, Value::between(0, 50));
    assert_eq!(Value::between(0, 51).widened(&grown, &[0, 50]).bounds(), Some((0, i64::MAX)));
}

/// Sets of integers near each other and far apart, few and many, against sets of integers: what is in one of them or in both,
/// and the integers one by one.
#[test]
fn sets_are_sets() {
    use std::collections::BTreeSet;
    let mut random = fastrand::Rng::with_seed(5);
    let mut below = |n: u64| random.u64(..n);
    let mut set = || {
        // From all in a row to hardly any two near each other; at both ends of what there is, too.
        let (count, spread) = (below(40), [1, 3, 40, 1 << 30][below(4) as usize]);
        let first = [0, -5, 60, i64::MAX - 5, -i64::MAX][below(5) as usize];
        let one = |_| first.saturating_add((below(count + 1) * spread) as i64);
        (0..count).map(one).collect::<BTreeSet<i64>>()
    };
    let few = |set: &BTreeSet<i64>| set.len() <= super::value::FEW;
    let (mut exact, mut wide) = (0, 0);
    for _ in 0..3000 {
        let (a, b) = (set(), set());
        let (x, y) = (Value::of(a.iter().copied()), Value::of(b.iter().copied()));
        assert_eq!(x.bounds(), a.first().copied().zip(a.last().copied()), "{a:?}");
        assert_eq!(x.few().map(|f| f.to_vec()), few(&a).then(|| a.iter().copied().collect()), "{a:?}");
        for value in a.union(&b) {
            assert_eq!(x.contains(*value) || !few(&a), a.contains(value) || !few(&a), "{value} in {a:?}");
            assert!(x.join(&y).contains(*value), "{value} in {a:?} or {b:?}");
        }
        if !(few(&a) && few(&b)) {
            wide += 1;
            continue;
        }
        exact += 1;
        let both: BTreeSet<i64> = a.intersection(&b).copied().collect();
        assert_eq!(x.meet(&y), Value::of(both), "{a:?} and {b:?}");
        let either: BTreeSet<i64> = a.union(&b).copied().collect();
        assert_eq!(x.join(&y), Value::of(either), "{a:?} or {b:?}");
        if let Some(first) = b.first() {
            let rest: BTreeSet<i64> = a.iter().copied().filter(|v| v != first).collect();
            assert_eq!(x.without(*first), Value::of(rest), "{a:?} without {first}");
        }
    }
    assert!(exact > 500 && wide > 200, "{exact} exact, {wide} wide");
}

/// Sets with numbers of theirs; those without an end contain numbers of more than 64 bits too.
fn endless() -> Vec<(Value, Vec<i128>)> {
    let most = i128::from(i64::MAX);
    let large = [most - 1, most, most + 1, 2 * most, most * 1000];
    let small = large.map(|v| -v);
    let with = |some: &[i128], more: &[i128]| some.iter().chain(more).copied().collect::<Vec<_>>();
    vec![
        (Value::between(0, most), with(&[0, 1, 7], &large)),
        (Value::between(3, most), with(&[3, 4], &large)),
        (Value::between(most - 3, most), large[1..].to_vec()),
        (Value::between(-most, 5), with(&[5, 0, -1], &small)),
        (Value::between(-most, 1 - most), small[1..].to_vec()),
        (Value::INTEGER, with(&with(&[0, 1, -1, 12], &large), &small)),
        (Value::only(i64::MAX), vec![most]),
        (Value::only(-i64::MAX), vec![-most]),
        (Value::of([1, 4_000_000_000]), vec![1, 4_000_000_000]),
        (Value::of([-4_000_000_000, 2]), vec![-4_000_000_000, 2]),
        (Value::between(-9, 30), (-9..=30).collect()),
        (Value::only(1), vec![1]),
        (Value::only(-1), vec![-1]),
        (Value::of([0, 2]), vec![0, 2]),
    ]
}

fn reaches(value: &Value, number: i128) -> bool {
    match (value.few(), value.reach()) {
        (Some(few), _) => few.iter().any(|v| i128::from(*v) == number),
        // What is further away than everything that is compared with it is no further away than the end.
        (None, Some(Interval { lo, hi })) => lo <= number.max(-(1 << 100)) && number.min(1 << 100) <= hi,
        (None, None) => false,
    }
}

/// What integers of any size would give is in the result: slicing may leave out the step that leaves 64 bits.
#[test]
fn results_beyond_64_bits_count() {
    let exact = |op, x: i128, y: i128| {
        Some(match op {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x.saturating_mul(y),
            BinaryOp::Min => x.min(y),
            BinaryOp::Max => x.max(y),
            BinaryOp::Lt => (x < y).into(),
            BinaryOp::Le => (x <= y).into(),
            BinaryOp::Gt => (x > y).into(),
            BinaryOp::Ge => (x >= y).into(),
            BinaryOp::Eq => (x == y).into(),
            BinaryOp::Ne => (x != y).into(),
            BinaryOp::Div if y != 0 => x / y,
            BinaryOp::Mod if y != 0 => x.rem_euclid(y),
            _ => return None,
        })
    };
    let mut compared = 0;
    for op in OPERATORS {
        for (a, xs) in endless() {
            for (b, ys) in endless() {
                let value = arith::binary(op, &a, &b).0;
                for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                    let Some(z) = exact(op, x, y) else { continue };
                    assert!(reaches(&value, z), "{x} {op:?} {y} = {z} not in {value:?}, {a:?}, {b:?}");
                    compared += 1;
                }
            }
            let Some((value, _)) = arith::with_itself(op, &a) else { continue };
            for x in &xs {
                let Some(z) = exact(op, *x, *x) else { continue };
                assert!(reaches(&value, z), "{x} {op:?} itself = {z} not in {value:?}");
            }
        }
    }
    for (a, xs) in endless() {
        for x in xs {
            assert!(
                reaches(&arith::unary(UnaryOp::Neg, &a), -x)
                    && reaches(&arith::unary(UnaryOp::Abs, &a), x.abs())
            );
            assert!(
                reaches(&a, x)
                    && reaches(&a.join(&Value::only(3)), x)
                    && reaches(&a.meet(&Value::INTEGER), x)
            );
            let other = i64::MAX;
            assert!(x == i128::from(other) || reaches(&a.without(other), x), "{x} in {a:?}");
        }
    }
    assert!(compared > 50_000, "{compared}");
}
