//! Random CCS terms that are networks: several constants that call themselves, side by side.

use crate::terms::Random;

/// The body of a constant: a choice between chains of actions that end in one of the constants or not at all. It is never
/// inside a composition, so it may call.
fn body(random: &mut Random, constants: u64) -> String {
    let branch = |random: &mut Random| {
        let length = 1 + random.below(3);
        let actions: String = (0..length).map(|_| format!("{}.", random.action())).collect();
        match random.below(5) {
            0 => format!("{actions}0"),
            _ => format!("{actions}P{}", random.below(constants)),
        }
    };
    let branches: Vec<String> = (0..=random.below(3)).map(|_| branch(random)).collect();
    branches.join(" + ")
}

/// Two to four processes, each with constants of its own kind.
pub fn specification(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xCC5);
    let constants = 2 + random.below(3);
    let mut out = String::new();
    for number in 0..constants {
        out += &format!("proc P{number} = {}\n", body(&mut random, constants));
    }
    let members: Vec<String> =
        (0..2 + random.below(3)).map(|_| format!("P{}", random.below(constants))).collect();
    let mut system = members[0].clone();
    for member in &members[1..] {
        let between = match random.below(4) {
            0 => format!("|[{}]|", random.pick(&["a", "b, 'b", "a, b, c", "'a", "c"])),
            _ => "|".to_string(),
        };
        system = match random.below(4) {
            0 => format!("({system} {between} {member}) \\ {}", random.pick(&["a", "{b, c}", "{a, b}"])),
            _ => format!("({system} {between} {member})"),
        };
    }
    match random.below(4) {
        0 => format!("{out}system = ({system})[{}]", random.pick(&["b/a", "c/b"])),
        1 => format!("{out}system = ({system}) \\ {{a, b}}"),
        _ => format!("{out}system = {system}"),
    }
}
