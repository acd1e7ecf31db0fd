//! Pages: nothing in them can become markup, their checksums are right, and they stay small.

use super::*;
use crate::data::{AgentPicture, Arrow, FORMAT, LinkChange, Links, Row, VERSION};
use sha2::{Digest, Sha256};

fn picture(agents: u32) -> Picture {
    let agent = |agent: u32| AgentPicture { agent, kind: "Bird".into(), name: format!("Bird {agent}") };
    Picture {
        format: FORMAT.into(),
        version: VERSION,
        agents: (0..agents).map(agent).collect(),
        view: None,
        links: vec![],
        chart: vec![],
        automata: vec![],
        places: vec![],
        causes: vec![],
        breaks: None,
        story: vec![],
    }
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut three = [0u8; 3];
        three[..chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place)) as usize & 63] as char;
            out.push(if place <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

fn sum(text: &str) -> String {
    base64(&Sha256::digest(text.as_bytes()))
}

/// The text between two others.
fn between<'t>(text: &'t str, open: &str, close: &str) -> &'t str {
    let (_, rest) = text.split_once(open).unwrap_or_else(|| panic!("no {open}"));
    rest.split_once(close).unwrap_or_else(|| panic!("no {close}")).0
}

#[test]
fn the_policy_allows_exactly_what_is_there() {
    let trace = json!({ "format": "swarmcheck-trace", "steps": [] });
    let text = page(&Page { title: "t", trace: &trace, picture: &picture(1), source: "", listing: "" });
    let policy = between(&text, "Content-Security-Policy\" content=\"", "\">").replace("&#39;", "'");
    let script = between(&text, "</script>\n<script>", "</script>");
    let style = between(&text, "<style>", "</style>");
    assert!(policy.contains(&format!("script-src 'sha256-{}';", sum(script))), "{policy}");
    assert!(policy.contains(&format!("style-src 'sha256-{}';", sum(style))), "{policy}");
    assert!(!policy.contains("unsafe"));
    assert_eq!((script, style), (SCRIPT, STYLE));
    // What would end the elements that contain them.
    assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
    assert!(!STYLE.to_lowercase().contains("</style"));
    assert_eq!(text.matches("<script").count(), 2);
}

#[test]
fn nothing_becomes_markup() {
    let nasty = "</script></noscript></title><script>alert(1)</script><!--\u{2028}\u{2029}&\"'";
    let trace = json!({ "format": "swarmcheck-trace", "model": nasty, "steps": [{ "what": nasty }] });
    let mut picture = picture(1);
    picture.agents[0].name = nasty.into();
    let text = page(&Page { title: nasty, trace: &trace, picture: &picture, source: nasty, listing: nasty });
    assert_eq!(text.matches("<script").count(), 2);
    assert!(!text.contains("<!--"));
    assert_eq!(text.matches("</title>").count(), 1);
    assert_eq!(text.matches("</noscript>").count(), 1);
    // And still it is the same text.
    let data = between(&text, "id=\"swarmcheck-data\">", "</script>");
    assert!(!data.contains(['<', '\u{2028}', '\u{2029}']));
    let data: Json = serde_json::from_str(data).expect("JSON");
    for told in [&data["source"], &data["trace"]["model"], &data["picture"]["agents"][0]["name"]] {
        assert_eq!(told.as_str(), Some(nasty));
    }
}

/// As much as there could be: in 1,000 steps of 30 agents, two of three are messages to everybody else, half of the links change with
/// every move, and everybody has something to send all the time.
#[test]
fn a_thousand_steps_of_thirty_agents_fit_two_megabytes() {
    let agents = 30u32;
    let pending: Vec<Json> =
        (0..agents).map(|agent| json!({ "agent": agent, "messages": ["confirm.dirX"] })).collect();
    let mut picture = picture(agents);
    let mut links =
        Links { name: "Alignment".into(), predicate: "close".into(), initial: vec![], changes: vec![] };
    let mut steps = vec![];
    for step in 0..1000u32 {
        let agent = step % agents;
        let change = |name: &str| json!({ "agent": agent, "variable": name, "old": 15, "new": 14 });
        let write =
            |name: &str| json!({ "agent": agent, "variable": name, "value": 14, "timestamp": 1000 + step });
        let message = step % 3 != 0;
        steps.push(json!({
            "agent": agent, "kind": "Bird", "rule": if message { "confirm" } else { "action" },
            "what": if message { "dirX" } else { "x, y <- (x + dirX) % _grid, (y + dirY) % _grid" }, "at": "23:9",
            "writes": [write("x"), write("y")], "pending": pending, "changes": [change("x"), change("y")],
        }));
        let others = (0..agents).filter(|other| *other != agent);
        let arrow = |to: u32| Arrow { from: agent, to, effect: String::new(), idle: true };
        picture.chart.push(Row {
            agent: Some(agent),
            label: "confirm dirX".into(),
            kind: "confirm".into(),
            arrows: others.clone().filter(|_| message).map(arrow).collect(),
        });
        if !message {
            let half: Vec<(u32, u32)> =
                others.step_by(2).flat_map(|other| [(agent, other), (other, agent)]).collect();
            let (made, broken) = if step % 2 == 0 { (half, vec![]) } else { (vec![], half) };
            links.changes.push(LinkChange { step: step + 1, made, broken });
        }
    }
    picture.links.push(links);
    let trace = json!({ "format": "swarmcheck-trace", "steps": steps });
    let listing = "  1. Bird 0, line 23: x, y <- (x + dirX) % _grid, (y + dirY) % _grid\n".repeat(2000);
    let text = page(&Page {
        title: "flock",
        trace: &trace,
        picture: &picture,
        source: &"#".repeat(5000),
        listing: &listing,
    });
    assert!(text.len() < 2_000_000, "{} bytes", text.len());
    assert!(text.len() > 500_000);
    // Small pages keep everything.
    let small = json!({ "steps": [{ "pending": [1] }] });
    let text = page(&Page { title: "", trace: &small, picture: &self::picture(1), source: "", listing: "" });
    assert!(text.contains("\"pending\""));
}
