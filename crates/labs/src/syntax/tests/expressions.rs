//! Expressions.

use super::*;

#[test]
fn precedence() {
    check_expr("a or b", "(or a b)");
    check_expr("a and b or c", "(or (and a b) c)");
    check_expr("a and b and c", "(and (and a b) c)");
    check_expr("!x = 1", "(! (= x 1))");
    check_expr("not x = 1 and y", "(and (! (= x 1)) y)");
    check_expr("!(x) = 1", "(! (= x 1))");
    check_expr("a + b * c - d", "(- (+ a (* b c)) d)");
    check_expr("a - b - c", "(- (- a b) c)");
    check_expr("a * b / c % d : e", "(: (% (/ (* a b) c) d) e)");
    check_expr("-a * b", "(* (- a) b)");
    check_expr("- - a", "(- (- a))");
    check_expr("a + 1 <= b * 2", "(<= (+ a 1) (* b 2))");
    check_expr("(a or b) and c", "(and (or a b) c)");
    check_expr("a or (b and c)", "(or a (and b c))");
    check_expr("((a))", "a");
}

#[test]
fn comparisons() {
    for op in ["=", "!=", "<", "<=", ">", ">="] {
        check_expr(&format!("x {op} 1"), &format!("({op} x 1)"));
        check_expr(&format!("x{op}1"), &format!("({op} x 1)"));
    }
    check_expr("x < -1", "(< x (- 1))");
    check_expr("x=-1", "(= x (- 1))");
}

#[test]
fn operands() {
    check_expr("0", "0");
    check_expr("9223372036854775807", "9223372036854775807");
    check_expr("true", "true");
    check_expr("false", "false");
    check_expr("undef", "undef");
    check_expr("_size", "_size");
    check_expr("id", "id");
    check_expr("x_1Y", "x_1Y");
    check_expr("ph[x, y+1]", "ph[x,(+ y 1)]");
    check_expr("ph[x][y]", "ph[x,y]");
    check_expr("fork[(id+1) % _n]", "fork[(% (+ id 1) _n)]");
    check_expr("abs(x - 1)", "(abs (- x 1))");
    check_expr("min(a, max(b, c))", "(min a (max b c))");
    check_expr("[1.._m+1]", "[1..(+ _m 1)]");
    check_expr("[-_m.._m]", "[(- _m).._m]");
}

#[test]
fn owners() {
    check_expr("x of 1 - x of 2", "(- x@1 x@2)");
    check_expr("x of c1 < y of c2", "(< x@c1 y@c2)");
    check_expr("x[0] of e[1]", "x[0]@e[1]");
    check_expr("id of a = id of b", "(= id@a id@b)");
    check_expr("x of id", "x@id");
    check_expr("x of _n", "x@_n");
    check_expr("x of (a + 1) * 2", "(* x@(+ a 1) 2)");
}

#[test]
fn conditionals() {
    check_expr("if x = 1 then 2 else 3 + 4", "(if (= x 1) 2 (+ 3 4))");
    check_expr("a * if b then 1 else 2", "(* a (if b 1 2))");
    check_expr("if a then if b then 1 else 2 else if c then 3 else 4", "(if a (if b 1 2) (if c 3 4))");
}

#[test]
fn quantifiers() {
    check_expr("forall A a, x of a = 1 and y", "(forall A a (and (= x@a 1) y))");
    check_expr("forall A a, exists B b, p", "(forall A a (exists B b p))");
    check_expr("p and exists A a, q or r", "(and p (exists A a (or q r)))");
    check_expr("count A a, (x of a) = 0", "(count A a (= x@a 0))");
    check_expr("(count A a, x of a) > 2", "(> (count A a x@a) 2)");
    check_expr("forall A check, x of check", "(forall A check x@check)");
}

#[test]
fn words_that_are_keywords_elsewhere() {
    check_expr("count + 1", "(+ count 1)");
    check_expr("count of 1 >= count of 2", "(>= count@1 count@2)");
    for word in ["check", "assume", "from", "until", "between", "after", "pick", "where", "precedes"] {
        check_expr(&format!("{word} = {word}[0]"), &format!("(= {word} {word}[0])"));
    }
}

#[test]
fn and_after_or_has_two_readings() {
    let warned = |input: &str| codes(parse_expression(input).1);
    assert_eq!(warned("a or b and c"), ["W0502"]);
    assert_eq!(warned("a or b and c or d"), ["W0502"]);
    assert_eq!(warned("a or !b and c"), ["W0502"]);
    assert_eq!(warned("(a or b and c) = 1"), ["W0502"]);
    assert!(warned("a and b or c").is_empty());
    assert!(warned("a or (b and c)").is_empty());
    assert!(warned("(a or b) and c").is_empty());
    assert!(warned("a or forall K x, b and c").is_empty());
    let d = parse_expression("a or b and c").1.into_sorted();
    assert_eq!(
        d[0].help,
        ["put parentheses: `a or (b and c)` for this reading, `(a or b) and c` for the other"]
    );
}

#[test]
fn spans_cover_the_text() {
    let text = " abs( x of 1 - y[2] ) + (3) ";
    let (e, _) = parse_expression(text);
    assert_eq!(&text[e.span.range()], text.trim());
    let ExprNode::Binary(_, left, right) = &e.node else { panic!("{e:?}") };
    assert_eq!(&text[left.span.range()], "abs( x of 1 - y[2] )");
    assert_eq!(&text[right.span.range()], "(3)");
    let ExprNode::Unary(_, inner) = &left.node else { panic!("{left:?}") };
    assert_eq!(&text[inner.span.range()], "x of 1 - y[2]");
}

fn fails(input: &str, code: &str, message: &str, help: &str) {
    let found = parse_expression(input).1.into_sorted();
    assert_eq!(found.len(), 1, "{input} {found:?}");
    let all = format!("{} {} {}", found[0].message, found[0].primary.message, found[0].help.join(" "));
    assert!(found[0].code == code && all.contains(message) && all.contains(help), "{input} {found:?}");
}

#[test]
fn mistakes() {
    fails("", "E0001", "expected an expression, found the end of the file", "");
    fails("1 +", "E0001", "expected an expression, found the end of the file", "");
    fails("1 2", "E0001", "found `2`", "");
    fails("a < b < c", "E0001", "chained", "`a < b and b < c`");
    fails("(x <-1)", "E0001", "`<-` is an assignment", "put a space: `< -1`");
    fails("if x <-1 then 2 else 3", "E0001", "`<-` is an assignment", "put a space");
    fails("if x then 2", "E0001", "expected `else`", "always has an `else`");
    fails("(a || b)", "E0001", "expected `)`, found `||`", "write `or`");
    fails("abs(1, 2)", "E0001", "`abs` takes one argument", "");
    fails("max(1)", "E0001", "`max` takes two arguments", "");
    fails("min(1, 2, 3)", "E0001", "`min` takes two arguments", "");
    fails("max + 1", "E0007", "`max` is a reserved word", "");
    fails("1 + pick 2", "E0001", "`pick` is not part of an expression", "");
    fails("x of -1", "E0001", "expected an agent after `of`", "");
    fails("forall a, x", "E0001", "expected a kind of agents, found `a`", "`forall Bird b");
    fails("Foo + 1", "E0001", "expected an expression, found `Foo`", "lowercase");
    fails("[1, 2]", "E0001", "expected `..`", "[0..n]");
    fails("(1 + ) * 2", "E0001", "expected an expression, found `)`", "");
    fails("99999999999999999999", "E0003", "64 bits", "");
    fails("0.5 + 1", "E0001", "integers only", "");
    fails("3x + 1", "E0001", "`3x` is not a number", "");
    fails("_X", "E0001", "lowercase", "");
    fails("_", "E0001", "`_` is not a name", "");
    fails("a == b", "E0008", "`==`", "LAbS writes `=`");
    fails("a && b", "E0008", "`&&`", "LAbS writes `and`");
    fails("a & b", "E0008", "`&`", "LAbS writes `and`");
    fails("a <> b", "E0008", "`<>`", "LAbS writes `!=`");
    fails("a ≠ b", "E0008", "`≠`", "LAbS writes `!=`");
    fails("a $@ b", "E0002", "`$@`", "");
    fails("b.x", "E0002", "`.`", "`x of a`");
    fails("größe + 1", "E0002", "`öß`", "letters");
    fails("(1 + 2", "E0009", "this `(` is never closed", "");
    fails("x[1", "E0009", "this `[` is never closed", "");
    fails("1 + 2)", "E0001", "this `)` closes nothing", "");
}

#[test]
fn operators_of_other_languages_keep_their_meaning() {
    assert_eq!(expr(&parse_expression("a == b && c ≠ d").0), "(and (= a b) (!= c d))");
    assert_eq!(expr(&parse_expression("a ≤ −1 ∨ ¬b").0), "(or (<= a (- 1)) (! b))");
    assert_eq!(expr(&parse_expression("(1 + ) * 2").0), "(* ERROR 2)");
}
