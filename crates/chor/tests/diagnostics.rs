//! What is said about files that are wrong, and that nothing is ever worse than a diagnostic.

use swarmcheck_chor::{check, lower};

fn codes(text: &str) -> Vec<(&'static str, &str)> {
    let (spec, found) = check(text, None);
    assert_eq!(spec.is_none(), found.has_errors(), "{text}");
    found.into_sorted().iter().map(|d| (d.code, text.get(d.primary.span.range()).unwrap_or(""))).collect()
}

#[test]
fn mistakes_and_their_places() {
    for (text, expected) in [
        ("choreography C = a@p", vec![]),
        ("choreography C = a @ p ; m[p , q]", vec![]),
        ("", vec![("E1001", "")]),
        ("choreography C = a", vec![("E1001", "")]),
        ("choreography C = a@p; ; b@p", vec![("E1001", ";")]),
        ("choreography C = m[p,p]", vec![("E1104", "m[p,p]")]),
        ("choreography C = skip", vec![("E1004", "C")]),
        ("choreography C = a@p choreography D = b@p", vec![("E1001", "choreography")]),
        ("choreography C = a@p check { N = always a@q }", vec![("E1103", "a@q")]),
        ("choreography C = a@p $", vec![("E1002", "$")]),
    ] {
        assert_eq!(codes(text), expected, "{text}");
    }
    assert!(check("choreography C = a@p", Some("nobody")).0.is_none());
}

#[test]
fn extremes_are_refused_or_done() {
    for open in ["(", "*"] {
        let deep = format!("choreography C = {}a@p{}", open.repeat(50_000), ")".repeat(50_000));
        assert!(codes(&deep).iter().any(|(code, _)| *code == "E1003"));
    }
    for sign in [";", "+", "||"] {
        let wide = format!("choreography C = a@p{}", format!("{sign} m[p,q]").repeat(3_000));
        let (spec, _) = check(&wide, None);
        let _ = lower::lower(&spec.unwrap(), true);
    }
}

/// Every text that is cut off, or lacks a character, is refused or accepted, but never more than that.
#[test]
fn nothing_panics() {
    let text = "choreography C = (a@p + *(m[p,q]; skip)) || b@q # so\ncheck { N = always not (a@p or tau) }";
    for at in 0..text.len() {
        let _ = codes(&text[..at]);
        let mut without = text.to_string();
        without.remove(at);
        let _ = codes(&without);
        for sign in ['(', ']', ';', '*', '|', '@', '}'] {
            let mut with = text.to_string();
            with.insert(at, sign);
            let _ = codes(&with);
        }
    }
}
