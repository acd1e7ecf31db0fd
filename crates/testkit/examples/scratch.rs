use swarmcheck_testkit::{generate, read};
use swarmcheck_labs::lower;
fn main() {
    let arg = std::env::args().nth(1).unwrap();
    let text = match arg.parse() { Ok(seed) => generate::system(seed), Err(_) => std::fs::read_to_string(arg).unwrap() };
    let m = read(&text).unwrap();
    eprintln!("read");
    for s in lower::structures(&m).unwrap() {
        println!("{}", swarmcheck_triples::print(&s, |a| text[m.action(*a).span.range()].to_string(), |g| format!("{}{}", if g.negated {"!"} else {""}, &text[g.cond.span.range()])));
    }
    eprintln!("triples");
    let i = swarmcheck_reference::Interpreter::new(&m, Default::default());
    for s in i.initial_states().unwrap() { eprintln!("{}", i.successors(&s).len()); }
}
