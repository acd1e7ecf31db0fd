//! Scratch.
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::{Progress, Snapshot};
use swarmcheck_engine::{Budget, Control, Engine, Task};
struct P(std::time::Instant);
impl Progress for P {
    fn report(&self, _: Snapshot) {}
    fn seconds(&self) -> f64 { self.0.elapsed().as_secs_f64() }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let parameters: Vec<(String, i64)> = args[3..].iter().filter(|a| a.contains('=')).map(|a| { let (n, v) = a.split_once('=').unwrap(); (n.to_string(), v.parse().unwrap()) }).collect();
    let fair = args.iter().any(|a| a == "--fair");
    let program = if args[1].ends_with(".ccs") {
        let (spec, _) = swarmcheck_ccs::check(&text, None);
        swarmcheck_ccs::lower::lower(&spec.unwrap(), true).unwrap().program
    } else {
        let (ast, _) = swarmcheck_labs::syntax::parse(&text);
        let ps: Vec<(String, String)> = parameters.iter().map(|(n, v)| (n.clone(), v.to_string())).collect();
        let (model, d) = swarmcheck_labs::check::check(&ast, swarmcheck_source::Span::default(), &ps);
        let model = model.unwrap_or_else(|| panic!("{d:?}"));
        let options = swarmcheck_labs::lower::Options { fair, ..Default::default() };
        swarmcheck_labs::lower::lower(&model, &text, options).unwrap().program
    };
    let flat = swarmcheck_ir::flat::Flat::new(program);
    let number = flat.program.properties.iter().position(|p| p.name == args[2]);
    let task = match number { Some(n) => Task { properties: vec![n], ..Task::new(&flat) }, None => Task { properties: vec![], deadlock: true, ..Task::new(&flat) } };
    let stop = AtomicBool::new(false);
    let p = P(std::time::Instant::now());
    let control = Control { stop: &stop, budget: Budget::default(), progress: &p };
    let order = if args.iter().any(|a| a == "--given") { swarmcheck_compose::Order::Given } else { swarmcheck_compose::Order::Smart };
    for f in (swarmcheck_compose::Compose { order }).run(&task, &control) {
        println!("{:?}", match &f.verdict { swarmcheck_engine::Verdict::Holds(e) => format!("{e:?}"), swarmcheck_engine::Verdict::Violated(t, w) => format!("violated {w:?} {}", t.steps.len()), swarmcheck_engine::Verdict::Unknown(r) => format!("unknown {r}"), _ => "invalid".into() });
    }
    println!("{:.2} s", p.seconds());
}
