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
    (
        "near.labs",
        "system { environment = x: 0; y: 0  spawn = P: 1, Q: 1 }
agent P { interface = a: 0  Behavior = x <= y -> x <-- x + 1; Behavior }
agent Q { interface = b: 0  Behavior = y <= x -> y <-- y + 1; Behavior }
check {
  Near = always x - y <= 1 and y - x <= 1
  Equal = always x = y
}
",
        &[("Near", true, "the one that is ahead waits"), ("Equal", false, "after one step one is ahead")],
    ),
    (
        "places.labs",
        "system { environment = slot[3]: 0; n: 0; half: 0; last: undef  spawn = W: 1 }
agent W {
  interface = k: 0
  Behavior = { slot[n % 3] <-- n; last, half, n <-- n, (n + 1) / 2, n + 1 }; Behavior
}
check {
  Third = always slot[0] % 3 = 0
  Half = always half = n / 2
  Before = always n = 0 or last = n - 1
  Unwritten = always slot[2] = 0
}
",
        &[
            ("Third", true, "only multiples of 3 are written to the first place"),
            ("Half", true, "half is set to the half of the new n"),
            ("Before", true, "last is the n before the last step"),
            ("Unwritten", false, "the third step writes 2"),
        ],
    ),
    (
        "sequence.rcp",
        "channels: c
message-structure: N : int
agent Sender
  local: n : int
  init: n = 0
  repeat: send: {TRUE} c! (TRUE)(N := n)[n := n + 1]
agent Receiver
  local: last : int, count : int
  init: last = 0 & count = 0
  receive-guard: chan = c
  repeat: get: {TRUE} c? [last := N, count := count + 1]
system = Sender(a, TRUE) || Receiver(b, TRUE)
SPEC Counted: G (b-count = a-n)
SPEC Newest: G (a-n = 0 | b-last + 1 = a-n)
SPEC Few: G (b-last != 4)
",
        &[
            ("Counted", true, "every number sent is received once"),
            ("Newest", true, "the number received last is the one before the next"),
            ("Few", false, "the fifth number is 4"),
        ],
    ),
    (
        "clock.rcp",
        "channels: c
message-structure: T : int
agent Sender
  local: t : int
  init: t = 0
  repeat: send: {TRUE} c! (TRUE)(T := t)[t := t + 1]
agent Receiver
  local: t : int, seen : int
  init: t = 1 & seen = 0
  receive-guard: chan = c
  repeat: (
    late: {T >= t} c? [seen := T, t := T + 1]
    +
    early: {T < t} c? [seen := T, t := t + 1]
    +
    tick: {TRUE} *! (TRUE)()[t := t + 1]
  )
system = Sender(a, TRUE) || Receiver(b, TRUE)
SPEC After: G (b-seen < b-t)
SPEC Ordered: G (b-t >= a-t)
SPEC Together: G (b-t <= a-t + 1)
",
        &[
            ("After", true, "a receiver's clock is ahead of every message that it has seen"),
            (
                "Ordered",
                true,
                "whoever receives t goes to t + 1 at least, which is the new clock of the sender",
            ),
            ("Together", false, "the receiver may tick alone"),
        ],
    ),
];

/// The same, with properties about what must happen.
pub const LASTING: &[(&str, &str, &[Claim])] = &[
    (
        "phases.labs",
        "system { environment = n: 0; phase: 0  spawn = C: 1 }
agent C {
  interface = x: 0
  Behavior = (phase = 0 -> n, phase <-- n + 1, 1; Behavior) ++ (phase = 1 -> n, phase <-- n + 2, 0; Behavior)
}
check {
  Big = eventually n >= 5
  Back = ltl G (phase = 1 -> F phase = 0)
  Often = ltl G F (phase = 0)
}
",
        &[
            ("Big", true, "each step adds at least 1"),
            ("Back", true, "the phases take turns"),
            ("Often", true, "the phases take turns"),
        ],
    ),
    (
        "idle.labs",
        "system { environment = n: 0  spawn = C: 1 }
agent C { interface = x: 0  Behavior = (n <-- n + 1; Behavior) ++ (Skip; Behavior) }
check {
  Moves = eventually n >= 1
  Settles = ltl F G (n >= 1)
  Stays = ltl G (n >= 1 -> G n >= 1)
}
",
        &[
            ("Moves", false, "Skip may be chosen for ever"),
            ("Settles", false, "Skip may be chosen for ever"),
            ("Stays", true, "n only grows"),
        ],
    ),
];
