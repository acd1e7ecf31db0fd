//! Models with numbers that grow without bound, and properties with their verdicts and why.

/// A property, whether it holds, and why.
type Claim = (&'static str, bool, &'static str);

/// Name, text and claims of a model.
pub const MODELS: &[(&str, &str, &[Claim])] = &[
    (
        "twins.labs",
        "system { spawn = C: 1 }
agent C { interface = n: 0; m: 0; d: 0  Behavior = n, m, d <- n + 1, m + 2, d - 1; Behavior }
check {
  Double = always forall C c, m of c = n of c + n of c
  Positive = always forall C c, n of c >= 0
  Opposite = always forall C c, n of c + d of c = 0
  Even = always forall C c, (m of c) % 2 = 0
  Third = always forall C c, (m of c) % 3 = 0
  Small = always forall C c, n of c < 7
}
",
        &[
            ("Double", true, "both sides grow by 2 in each step"),
            ("Positive", true, "n only grows"),
            ("Opposite", true, "one grows by what the other loses"),
            ("Even", true, "m grows by 2 from 0"),
            ("Third", false, "m is 2 after one step"),
            ("Small", false, "n is 7 after seven steps"),
        ],
    ),
    (
        "queue.labs",
        "system { environment = put: 0; got: 0  spawn = P: 1, Q: 1 }
agent P { interface = x: 0  Behavior = put - got < 3 -> put <-- put + 1; Behavior }
agent Q { interface = y: 0  Behavior = got < put -> got <-- got + 1; Behavior }
check {
  Capacity = always put - got <= 3
  Order = always got <= put
  Tight = always put - got <= 2
}
",
        &[
            ("Capacity", true, "put grows only where the difference is at most 2"),
            ("Order", true, "got grows only where it is smaller"),
            ("Tight", false, "three are put before one is got"),
        ],
    ),
    (
        "ticket.labs",
        "system { environment = ticket[2]: 0; free: 0; serving: 0  spawn = A: 2 }
agent A {
  interface = critical: 0
  Behavior =
    ticket[id], free <-- free, free + 1;
    serving = ticket[id] -> critical <- 1;
    critical <- 0;
    serving <-- serving + 1;
    Behavior
}
check {
  Mutex = always forall A a, forall A b, a = b or critical of a + critical of b < 2
  Ahead = always serving <= free
  Behind = always free - serving <= 1
}
",
        &[
            ("Mutex", true, "tickets differ, and serving is at most one of them until its holder leaves"),
            ("Ahead", true, "whoever serves has drawn a ticket"),
            ("Behind", false, "both draw before one is served"),
        ],
    ),
    (
        "sequence.labs",
        "system { environment = sent: 0; got: 0  spawn = S: 1, R: 1 }
agent S { interface = last: 0  Behavior = sent = got -> sent <-- sent + 1; last <- sent; Behavior }
agent R { interface = seen: 0  Behavior = got < sent -> got <-- sent; seen <- seen + 1; Behavior }
check {
  Window = always 0 <= sent - got and sent - got <= 1
  Counted = always forall R r, seen of r <= got and got <= seen of r + 1
  Newest = always forall S s, last of s <= sent
  Late = always forall S s, last of s = sent
}
",
        &[
            ("Window", true, "the sender waits for the receiver"),
            ("Counted", true, "each number received is counted once, one step later"),
            ("Newest", true, "last is a number that was sent"),
            ("Late", false, "a number is sent before it is noted"),
        ],
    ),
];
