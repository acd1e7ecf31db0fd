//! Processes, assignments, blocks, guards.

use super::*;

#[test]
fn operators_and_their_precedence() {
    check_process("Skip", "Skip");
    check_process("Nil", "Nil");
    check_process("Move", "Move");
    check_process("A; B", "(; A B)");
    check_process("A; B ++ C; D || E", "(|| (++ (; A B) (; C D)) E)");
    check_process("A | B | C", "(|| A B C)");
    check_process("A || B ++ C", "(|| A (++ B C))");
    check_process("A ++ B || C ++ D", "(|| (++ A B) (++ C D))");
    check_process("(A ++ B); C", "(; (++ A B) C)");
    check_process("((A))", "A");
    check_process("Behaviour", "Behavior");
    check_process("(A; B); C", "(; (; A B) C)");
}

#[test]
fn trailing_semicolons() {
    check_process("A; B;", "(; A B)");
    check_process("(A;) ++ B", "(++ A B)");
    check_process("{ x <- 1; }", "{x <- 1}");
    let (f, d) = parse("agent A { Move = Skip; Behavior = Move; interface = x: 0 }");
    assert!(d.is_empty(), "{d:?}");
    assert_eq!(f.agents[0].processes.len(), 2);
    assert_eq!(f.agents[0].interface.len(), 1);
}

#[test]
fn assignments() {
    check_process("x <- 1", "(x <- 1)");
    check_process("x <-1", "(x <- 1)");
    check_process("x <~1", "(x <~ 1)");
    check_process("x <-- -1", "(x <-- (- 1))");
    check_process("x <--1", "(x <-- 1)");
    check_process("x, y <- y, x", "(x,y <- y,x)");
    check_process("x[1], y[2][3] <-- 1, 2", "(x[1],y[2,3] <-- 1,2)");
    check_process("x[y[1], 2] <- 1", "(x[y[1],2] <- 1)");
    check_process("x := 1", "(x := 1)");
    check_process("x <- 1, 2", "(x <- 1,2)");
    check_process("count <~ count + 1", "(count <~ (+ count 1))");
    check_process("from, until <- check, after", "(from,until <- check,after)");
}

#[test]
fn blocks() {
    check_process("{ x := 1; y, z <- x, 2 }", "{x := 1; y,z <- x,2}");
    check_process("{ p[] := pick 1 }", "{p[] := (pick 1)}");
    check_process("{ p[] := pick _k Bird }", "{p[] := (pick _k Bird)}");
    check_process(
        "{ p[] := pick (_k + 1) where x of 1 = x of 2 }",
        "{p[] := (pick (+ _k 1) where (= x@1 x@2))}",
    );
    check_process(
        "{ p[] := pick 2 Bird where true; x <- p[0] }",
        "{p[] := (pick 2 Bird where true); x <- p[0]}",
    );
    check_process("{ f := forall B b, x of b = 1; y <- f }", "{f := (forall B b (= x@b 1)); y <- f}");
    check_process("{ c, d := count B b, x of b = 1, 2 }", "{c,d := (count B b (= x@b 1)),2}");
    check_process("{ d := [0..3] }", "{d := [0..3]}");
    check_process("{ x <- (x + y) : 2 }", "{x <- (: (+ x y) 2)}");
}

#[test]
fn a_pick_ends_before_the_next_definition() {
    let (f, d) = parse("agent A { Behavior = p[] := pick 1 Move = Skip }");
    assert!(d.is_empty(), "{d:?}");
    assert_eq!(process(&f.agents[0].processes[0].body), "(p[] := (pick 1))");
    assert_eq!(f.agents[0].processes[1].name.text, "Move");
}

#[test]
fn guards_reach_far_right() {
    check_process("x = 1 -> A", "(-> (= x 1) A)");
    check_process("x -> A; B", "(-> x (; A B))");
    check_process("x => A", "(=> x A)");
    check_process("x = 1 -> y = 2 -> A", "(-> (= x 1) (-> (= y 2) A))");
    check_process("A; x -> B; y -> C; D", "(; A (-> x (; B (-> y (; C D)))))");
    check_process("(x -> A) ++ (y -> B)", "(++ (-> x A) (-> y B))");
    check_process("(x -> (A ++ B))", "(-> x (++ A B))");
    check_process("x -> (A ++ B); C", "(-> x (; (++ A B) C))");
    check_process("{ a <- 1 }; b -> { c <- 2 }", "(; {a <- 1} (-> b {c <- 2}))");
    check_process("A ++ x -> B; C", "(++ A (-> x (; B C)))");
    check_process_with("x -> A ++ B || C; D", "(-> x (|| (++ A B) (; C D)))", &["W0501"]);
}

#[test]
fn guards_start_with_any_expression() {
    check_process("(x = 1) -> A", "(-> (= x 1) A)");
    check_process("((x = 1)) -> A", "(-> (= x 1) A)");
    check_process("(x) + 1 = 2 -> A", "(-> (= (+ x 1) 2) A)");
    check_process("(x = 1) and (y = 2) -> A", "(-> (and (= x 1) (= y 2)) A)");
    check_process("((x + 1) % _n = y -> A)", "(-> (= (% (+ x 1) _n) y) A)");
    check_process("((x = 1) -> A)", "(-> (= x 1) A)");
    check_process("!x -> A", "(-> (! x) A)");
    check_process("-1 < x -> A", "(-> (< (- 1) x) A)");
    check_process("true -> A", "(-> true A)");
    check_process("id = 0 -> A", "(-> (= id 0) A)");
    check_process("_n > 1 -> A", "(-> (> _n 1) A)");
    check_process("abs(x) > 1 -> A", "(-> (> (abs x) 1) A)");
    check_process("x[1] = 1 -> A", "(-> (= x[1] 1) A)");
    check_process("exists K k, x of k = 1 -> A", "(-> (exists K k (= x@k 1)) A)");
    check_process("(if a then b else c) -> A", "(-> (if a b c) A)");
}

fn warnings(input: &str) -> Vec<Diagnostic> {
    let found = parse(&in_agent(input)).1.into_sorted();
    assert!(found.iter().all(|d| d.code == "W0501"), "{input} {found:?}");
    found
}

#[test]
fn guards_with_two_readings() {
    for input in ["x -> A ++ B", "x -> A || B", "x -> A | B", "x => A; B", "x => A ++ B", "A; x -> B ++ C"] {
        assert_eq!(warnings(input).len(), 1, "{input}");
    }
    for input in ["x -> A; B", "(x -> A) ++ B", "A ++ x -> B", "A; x => B", "x => (A; B)", "x -> A;"] {
        assert_eq!(warnings(input).len(), 0, "{input}");
    }
    assert_eq!(warnings("x -> y -> A ++ B").len(), 1, "the inner guard speaks for both");
    assert_eq!(warnings("x -> A ++ y -> B ++ C").len(), 2, "each has a `++` of its own");
    assert_eq!(warnings("x => y -> A; B").len(), 1, "`;` matters to `=>` only");
    assert_eq!(warnings("x -> (y -> A ++ B) ++ C").len(), 2);
}

#[test]
fn the_warning_shows_both_readings() {
    let text = in_agent("x = 1 -> A; B ++ C");
    let found = parse(&text).1.into_sorted();
    assert_eq!(&text[found[0].primary.span.range()], "->");
    assert_eq!(&text[found[0].secondary[0].span.range()], "++");
    let help =
        "put parentheses: `x = 1 -> (A; B ++ C)` for this reading, `(x = 1 -> A; B) ++ C` for the other";
    assert_eq!(found[0].help, [help]);
}

#[test]
fn spans_of_processes() {
    let text = in_agent("(x = 1 -> A); y <- 2");
    let (f, _) = parse(&text);
    let body = &f.agents[0].processes[0].body;
    let ProcessNode::Seq(parts) = &body.node else { panic!("{body:?}") };
    assert_eq!(&text[body.span.range()], "(x = 1 -> A); y <- 2");
    assert_eq!(&text[parts[0].span.range()], "(x = 1 -> A)");
    let ProcessNode::Assign(a) = &parts[1].node else { panic!("{parts:?}") };
    assert_eq!((&text[a.span.range()], &text[a.op_span.range()]), ("y <- 2", "<-"));
}
