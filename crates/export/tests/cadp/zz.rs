#[test]
fn show() {
    use swarmcheck_export::*;
    let flat = crate::models::example("leader/leader.labs", "n=3", false);
    let export = Export { program: &flat.program, flat: &flat, property: None, bound: None, origin: "leader.labs" };
    for f in mcl::write(&export).unwrap() { println!("=== {}\n{}", f.name, f.text); }
    for f in lnt::write(&export).unwrap() { println!("=== {}\n{}", f.name, f.text); }
}
