//! What the formatter makes of small texts.

use crate::{Language, NotFormatted, format, format_edits, format_range};

#[track_caller]
fn check(language: Language, text: &str, expected: &str) {
    assert_eq!(format(language, text).as_deref(), Ok(expected));
    assert_eq!(format(language, expected).as_deref(), Ok(expected));
}

#[test]
fn labs_sections_and_definitions() {
    check(
        Language::Labs,
        "system{extern=_n,_m spawn=A:_n}\n\n\n\nagent A {\n\n interface = x:0..5;y : -1\nBehavior=\nx<0 ->\nx<-x-1;\ny <- -x\n++\n\
         (y>x->{x<-min( x,y );\ny<-a[ x+1 ]})\n\n}\n",
        "system { extern = _n, _m spawn = A: _n }\n\nagent A {\n  interface = x: 0..5; y: -1\n  Behavior =\n    x < 0 ->\n      \
         x <- x - 1;\n      y <- -x\n    ++\n    (y > x -> { x <- min(x, y);\n      y <- a[x + 1] })\n\n}\n"
            .replace("\n\n}\n", "\n}\n")
            .as_str(),
    );
}

#[test]
fn labs_lines_that_go_on() {
    let formatted = "stigmergy S {\n  link =\n    x of 1\n      <= 2\n    and y of 1 = 0\n  a, b: 1, 2\n  c[3]: 0\n}\n\ncheck {\n  \
                     P =\n    always forall A a,\n      x of a = 1\n  Q =\n    from (true) until (false),\n    always x = 1\n}\n";
    let flat: String = formatted.lines().map(|line| format!("\t{}  \n", line.trim())).collect();
    check(Language::Labs, &flat, formatted);
}

#[test]
fn labs_conditional_values() {
    let formatted = "agent A {\n  P = {\n    go := if x = 1 then 0\n          else if y = 2 then 1\n          else 2;\n    x <-\n      \
                     if a then b\n      else c;\n    y <- 1\n  }; P\n}\n";
    let flat: String = formatted.lines().map(|line| format!("{}\n", line.trim())).collect();
    check(Language::Labs, &flat, formatted);
}

#[test]
fn labs_signs() {
    for (text, expected) in [
        ("P = x<-1@2.5++Q", "P = x <- 1 @ 2.5 ++ Q\n"),
        ("P = ltl[](a-><>b)", "P = ltl[] (a -> <> b)\n"),
        ("P = ltl [ ] (a)", "P = ltl [ ] (a)\n"),
        ("P = !(a=-1) and not b", "P = !(a = -1) and not b\n"),
        ("x <- a - - 1", "x <- a - -1\n"),
        ("x <- (a+b):2", "x <- (a + b) : 2\n"),
        ("system { environment : a : { 0,1 }", "system { environment: a: {0, 1}\n"),
        (
            "system { extern = _n : 3,_m:_n:2 spawn=A : _n }",
            "system { extern = _n: 3, _m: _n: 2 spawn = A: _n }\n",
        ),
        ("x // note", "x  // note\n"),
        ("x <- $f( 1 )", "x <- $f(1)\n"),
        ("o[] := pick 1 A where x of 2=1", "o[] := pick 1 A where x of 2 = 1\n"),
    ] {
        check(Language::Labs, text, expected);
    }
}

#[test]
fn ccs() {
    check(
        Language::Ccs,
        "proc P=a . 'b.( Q+tau.0 )\\{a ,b}[ c / d ]\nproc Q = a.0\n   |b.0\nset S={a}\nsystem = P|[a,b]|Q|R[x/y]|0\ncheck{\nX=always not a\n\
         Y = ltl[](a-><>b)\n}",
        "proc P = a.'b.(Q + tau.0) \\ {a, b}[c/d]\nproc Q = a.0\n  | b.0\nset S = {a}\nsystem = P |[a, b]| Q | R[x/y] | 0\ncheck {\n  \
         X = always not a\n  Y = ltl [](a -> <> b)\n}\n"
            .replace("ltl [](a", "ltl [] (a")
            .as_str(),
    );
}

#[test]
fn chor() {
    check(
        Language::Chor,
        "choreography C =\n( a @ p;bid[ bk , mk ] )||* ( b@q+skip );\nc@p\ncheck { P = a@p precedes bid[bk, mk] }\n",
        "choreography C =\n  (a@p; bid[bk,mk]) || *(b@q + skip);\n  c@p\ncheck { P = a@p precedes bid[bk,mk] }\n",
    );
}

#[test]
fn rcheck() {
    let formatted = "channels: c, d\nenum e {on, off}\nguard g(n : 1..3) := @p == n & n - 1 < 2;\n\nagent A\n  local: x : 0..2, y : bool\n  \
                     relabel:\n    p <- x\n    q <- y\n  receive-guard: chan == c\n  repeat: (\n    l: <x > 0> *! (g(x))(M := x)[x := x - 1]\n    \
                     +\n    {x == -1} c? []\n    +\n    get: {y} GET@(p)()\n      [x := 1];\n    rep (l2: <TRUE> d! (TRUE)()[])\n  )\n\n\
                     system = A(a, TRUE)\n      || A(b, x = 1)\n\n/* one\n     two */\nSPEC S: G ([sender = a] F <M = 1> a-x != b-x)\n\
                     SPEC\n  !(exists k : A . k-y) U exists(@p = 1)\n";
    check(Language::Rcheck, formatted, formatted);
    // The inside of a comment is not touched, and some white space means something.
    let flat: String = formatted
        .split_inclusive('\n')
        .map(|line| {
            if line.contains("two */") {
                line.to_string()
            } else {
                line.trim_start_matches(' ').replace(" = ", "=")
            }
        })
        .collect();
    check(Language::Rcheck, &flat, formatted);
    for kept in [
        "SPEC next(x)\n",
        "SPEC next (x)\n",
        "SPEC a-b - 1 > a - b\n",
        "SPEC k.x\n",
        "SPEC [[a]] b\n",
        // The second sign of `\\/` begins a comment.
        "SPEC a \\ /* or */ b\n",
    ] {
        assert_eq!(
            format(Language::Rcheck, kept).map(|made| made.contains(kept.trim_end())),
            Ok(true),
            "{kept}"
        );
    }
}

#[test]
fn comments() {
    check(
        Language::Labs,
        "   # top\nsystem { # behind\n\n# before\n extern = _n # one\n   spawn = A: _n      #two   \n\n  # last\n\n}\n# end\n",
        "# top\nsystem {  # behind\n  # before\n  extern = _n    # one\n  spawn = A: _n  #two\n\n  # last\n}\n# end\n",
    );
}

#[test]
fn comments_in_one_column() {
    check(
        Language::Labs,
        "agent A { # opens\nx # 1\nlonger # 2\n\ny # 3\n}",
        "agent A {  # opens\n  x       # 1\n  longer  # 2\n\n  y  # 3\n}\n",
    );
}

#[test]
fn beginnings_and_ends_of_files() {
    for (text, expected) in [
        ("", ""),
        ("  \n\n", ""),
        ("\u{feff}", "\u{feff}"),
        ("\u{feff}\n x", "\u{feff}x\n"),
        ("\n\nx\n\n\n\ny\n\n", "x\n\ny\n"),
        ("x   \r\ny", "x\r\ny\r\n"),
        // Line ends of both kinds become those of one.
        ("x\r\ny\n", "x\ny\n"),
    ] {
        check(Language::Labs, text, expected);
    }
}

#[test]
fn brackets_that_do_not_fit() {
    // A section begins at the margin, whatever was forgotten before it.
    let text = "agent A {\n  P = (\n    {\n      (\n        x\n\nagent B {\n  Q = x)]; y\n}\n";
    check(Language::Labs, text, text);
    let text = "agent A\n  repeat: ((\n    l: {x} c? []\n\nagent B\n  init: x)\n";
    check(Language::Rcheck, text, text);
}

#[test]
fn edits_are_small() {
    let text = "system {\n   spawn = A: 1\n}\n";
    let edits = format_edits(Language::Labs, text);
    let edits: Vec<_> = edits.into_iter().flatten().map(|edit| (edit.span.range(), edit.text)).collect();
    // One space too many, in the second line.
    assert_eq!(edits, [(11..12, String::new())]);
    assert_eq!(format_range(Language::Labs, text, 0..1), Ok(vec![]));
    assert_eq!(format_range(Language::Labs, text, 1..2).map(|edits| edits.len()), Ok(1));
}

#[test]
fn what_is_wrong_says_where() {
    assert!(NotFormatted { at: 7 }.to_string().contains("byte 7"));
}

/// Many empty lines become one or none, also if only some of them are asked about.
#[test]
fn many_empty_lines() {
    let text = format!("proc P = a.P\n{}system = P\n{}", "\n".repeat(100), " \n".repeat(100));
    assert_eq!(format(Language::Ccs, &text).unwrap(), "proc P = a.P\n\nsystem = P\n");
    let edits = format_edits(Language::Ccs, &text).unwrap();
    assert!(edits.len() < 30, "{}", edits.len());
    let removed = |edits: &[swarmcheck_source::fix::Edit]| -> u32 {
        edits.iter().map(|edit| edit.span.end - edit.span.start).sum()
    };
    assert_eq!(removed(&edits), 99 + 200);
    for (lines, bytes) in
        [(0..1, 0), (1..2, 0), (2..3, 1), (50..53, 3), (95..102, 6), (150..153, 6), (200..300, 4)]
    {
        let edits = format_range(Language::Ccs, &text, lines.clone()).unwrap();
        assert_eq!(removed(&edits), bytes, "{lines:?}");
    }
}

/// A number with a dot takes the dots and words behind it along, so white space that ends it stays.
#[test]
fn what_ends_a_decimal_number_stays() {
    for text in ["2.5 ..\n", "0.1.. a\n", "0.1a .b\n"] {
        check(Language::Labs, text, text);
    }
}
