//! What the words and signs of LAbS mean, and where that is said. Rules and tables are those of the thesis (L. Di Stefano, 2020);
//! `docs/labs.md` has the rest.

use swarmcheck_source::index::Meaning;

/// Where a word has a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// It opens a section.
    Section,
    /// It opens a part of a section.
    Part,
    /// A list of parameters.
    Parameters,
    /// A list of kinds with their numbers.
    Spawn,
    /// The declaration of a variable.
    Declaration,
    /// A process, outside of the braces of a block.
    Process,
    /// The inside of a block.
    Block,
    /// A link predicate, or the condition of a `pick`.
    Link,
    /// An expression, whatever it belongs to.
    Expression,
    /// The first word of a property.
    Modality,
    /// The words around the events of a scope.
    Scope,
    /// A formula of linear time.
    Formula,
    /// A property or an assumption.
    Property,
    View,
}

/// The meaning of a word at a place.
pub(super) fn lookup(word: &str, place: Where) -> Option<Meaning> {
    let entry = MEANINGS.iter().find(|(known, at, ..)| *known == word && *at == place)?;
    let (.., says, cites) = *entry;
    Some(Meaning { says, cites })
}

const PROPERTIES: &str = "docs/labs.md, Properties";
const FORMULAS: &str = "docs/labs.md, Formulas of linear time";
const VALUES: &str = "docs/labs.md, Values and expressions";
const PICKING: &str = "docs/labs.md, Actions and blocks";
const RATES: &str = "docs/labs.md, Rates";
const VIEW: &str = "docs/labs.md, Where we differ, item 22; docs/pictures.md";

use Where::{
    Block, Declaration, Expression, Formula, Link, Modality, Parameters, Part, Process, Property, Scope,
    Section, Spawn, View,
};

/// Word, place, what it means, and where that is said.
pub(super) const MEANINGS: &[(&str, Where, &str, &str)] = &[
    (
        "system",
        Section,
        "The global section: parameters, environment variables, how many agents of each kind there are, and processes that all kinds may use.",
        "thesis, table 3.15b",
    ),
    (
        "stigmergy",
        Section,
        "A virtual stigmergy: a link predicate and tuples of variables. Every agent that takes part has a copy of them, with timestamps.",
        "thesis, table 3.15c and section 3.1",
    ),
    (
        "agent",
        Section,
        "A kind of agents: its attributes, the stigmergies it takes part in, and its processes. It starts with `Behavior`.",
        "thesis, table 3.16a",
    ),
    (
        "assume",
        Section,
        "Conditions on initial states. Only initial states that satisfy all of them count.",
        "docs/labs.md, Initial states",
    ),
    (
        "check",
        Section,
        "The properties of the system: each is a modality and a predicate.",
        "thesis, table 3.16b",
    ),
    ("view", Section, "How the system is drawn. It has no effect on behaviour.", VIEW),
    (
        "extern",
        Part,
        "External parameters: constants whose values are given on the command line, or defaults.",
        "thesis, table 3.15b; docs/labs.md, The parts of a file",
    ),
    (
        "environment",
        Part,
        "Variables that all agents share. There is one copy of each.",
        "thesis, section 3.3 and table 3.15b",
    ),
    (
        "spawn",
        Part,
        "How many agents of each kind there are. Agents are numbered from 0 in this order, and the number of an agent is its `id`.",
        "thesis, table 3.15b; docs/labs.md, The parts of a file",
    ),
    (
        "interface",
        Part,
        "The attributes of the agents of this kind. Each agent has its own copy.",
        "thesis, table 3.16a",
    ),
    ("stigmergies", Part, "The stigmergies that agents of this kind take part in.", "thesis, table 3.16a"),
    (
        "link",
        Part,
        "The link predicate: a message reaches an agent only if it is satisfied with the sender as 1 and the receiver as 2.",
        "thesis, section 3.2.2 and table 3.15c",
    ),
    (
        "rate",
        Part,
        "How often each action of this kind, or each message of this stigmergy, happens on average in a unit of time. It has no effect on what is possible.",
        RATES,
    ),
    ("space", Part, "How large the drawing is: width and height, or the length of a line.", VIEW),
    ("show", Part, "Where agents of a kind are drawn.", VIEW),
    ("floor", Part, "Arrays of the environment with one cell for each place of the space.", VIEW),
    ("torus", View, "Who leaves the space at one side comes in at the other.", VIEW),
    ("at", View, "The variables that are the place of an agent.", VIEW),
    ("heading", View, "The variables that are the direction of an agent.", VIEW),
    ("colour", View, "The variable that gives the colour of an agent.", VIEW),
    ("color", View, "The variable that gives the colour of an agent.", VIEW),
    ("label", View, "The variable that is written beside an agent, or its `id`.", VIEW),
    ("size", View, "The variable that gives the size of an agent.", VIEW),
    ("id", View, "The number of the agent.", VIEW),
    (
        ":",
        Parameters,
        "The value that the parameter has if the command line gives none.",
        "docs/labs.md, The parts of a file",
    ),
    (":", Spawn, "The number of agents of this kind, a constant.", "thesis, table 3.15b"),
    (":", Declaration, "The possible initial values of the variable.", "thesis, table 3.14b"),
    (
        "..",
        Declaration,
        "Any number from the first up to, but not including, the second.",
        "thesis, section 3.5.1 and table 3.14b",
    ),
    (
        "undef",
        Declaration,
        "The variable has no value at first: it is undefined (⊥).",
        "thesis, section 3.5.1 and table 3.14b",
    ),
    (
        "<-",
        Process,
        "Assigns attributes of the acting agent. All values are those of the state before; stigmergic variables that they read will be confirmed.",
        "thesis, table 3.10, rule ATTR, and table 3.11, rule EVAL_I",
    ),
    (
        "<~",
        Process,
        "Assigns stigmergic variables. The value gets a new timestamp and will be propagated to the neighbours.",
        "thesis, table 3.10, rule LSTIG, and table 3.11, rule EVAL_L",
    ),
    (
        "<--",
        Process,
        "Assigns environment variables, which all agents share.",
        "thesis, table 3.10, rule ENV, and table 3.11, rule EVAL_E",
    ),
    (
        ":=",
        Process,
        "Assigns a variable that lives until the end of its block and is not part of the state.",
        "docs/labs.md, Actions and blocks",
    ),
    (
        "->",
        Process,
        "A guard: the first action of the process needs the condition, in the same step. A guard reaches as far right as it can.",
        "thesis, tables 3.7 and 3.11, rule AWAIT; docs/labs.md, Where we differ, item 1",
    ),
    (
        "=>",
        Process,
        "A conditional process: it runs if the condition is satisfied. Otherwise a step that changes nothing passes it.",
        "docs/labs.md, Processes; Where we differ, item 10",
    ),
    (
        "++",
        Process,
        "A choice: the process that takes the first step goes on, and the other is dropped.",
        "thesis, table 3.3, rules CHOICE-L and CHOICE-R",
    ),
    (
        "||",
        Process,
        "Both processes in parallel, interleaved. It has ended when both have.",
        "thesis, table 3.3, rules PAR1, PAR2 and PAR_COMM",
    ),
    (
        "|",
        Process,
        "Both processes in parallel, interleaved. It has ended when both have.",
        "thesis, table 3.3, rules PAR1, PAR2 and PAR_COMM",
    ),
    (
        ";",
        Process,
        "The first process, and when it has ended, the second.",
        "thesis, table 3.3, rules SEQ1 and SEQ2",
    ),
    (
        ";",
        Block,
        "The next assignment of the same step. It sees the effect of those before it.",
        "docs/labs.md, Actions and blocks; Where we differ, item 11",
    ),
    (
        "{",
        Process,
        "A block: several assignments in one atomic step. If one of them is not possible, the block is not.",
        "docs/labs.md, Actions and blocks; Where we differ, item 11",
    ),
    (
        "Skip",
        Process,
        "One step that changes nothing.",
        "thesis, table 3.3, rule TICK, and table 3.7, rule SKIP",
    ),
    (
        "Nil",
        Process,
        "The idle process: it has no step and does not end.",
        "thesis, section 3.2.1 (the process 0); docs/labs.md, Processes",
    ),
    ("@", Process, "The rate of this action. It counts more than that of the kind.", RATES),
    (
        "pick",
        Process,
        "Fills a local array with different agents, other than the acting one, in any order. If there are not enough, the block cannot be taken.",
        PICKING,
    ),
    ("where", Process, "The condition of a `pick`: 1 is the acting agent, 2 the candidate.", PICKING),
    (
        "of",
        Link,
        "Whose copy is meant: `of 1` that of the sender or of the agent that picks, `of 2` that of the receiver or of the candidate.",
        "thesis, section 3.5.2 and table 3.15c",
    ),
    (
        "of",
        Process,
        "The copy of the agent with this number. Reading it causes no message.",
        "docs/labs.md, Values and expressions; Steps and messages",
    ),
    (
        "of",
        Property,
        "The copy of this agent: a bound one, or one given by its number.",
        "thesis, table 3.16b; docs/labs.md, Values and expressions",
    ),
    (
        "id",
        Expression,
        "The number of the agent. Agents are numbered from 0 in the order of `spawn`.",
        "thesis, section 3.4; docs/labs.md, The parts of a file",
    ),
    (
        "forall",
        Expression,
        "All agents of the kind satisfy the condition.",
        "thesis, table 3.16b; docs/labs.md, Values and expressions",
    ),
    (
        "exists",
        Expression,
        "Some agent of the kind satisfies the condition.",
        "thesis, table 3.16b; docs/labs.md, Values and expressions",
    ),
    ("count", Expression, "The number of agents of the kind that satisfy the condition.", VALUES),
    (
        "if",
        Expression,
        "A conditional value. It is undefined if neither the condition nor its negation is satisfied.",
        VALUES,
    ),
    ("then", Expression, "The value if the condition is satisfied.", VALUES),
    ("else", Expression, "The value if the negation of the condition is satisfied.", VALUES),
    ("min", Expression, "The smaller of two numbers.", "thesis, section 3.5.1 and table 3.14a"),
    ("max", Expression, "The greater of two numbers.", "thesis, section 3.5.1 and table 3.14a"),
    ("abs", Expression, "The absolute value of a number.", "thesis, section 3.5.1 and table 3.14a"),
    ("true", Expression, "The condition that is always satisfied.", "thesis, table 3.5"),
    ("false", Expression, "The condition that is never satisfied.", "thesis, table 3.14a"),
    (
        "and",
        Expression,
        "Both conditions are satisfied. It binds tighter than `or`.",
        "thesis, table 3.5; docs/labs.md, Where we differ, item 2",
    ),
    (
        "or",
        Expression,
        "One of the conditions is satisfied; the other may be undefined.",
        "thesis, table 3.5 and section 3.2.1",
    ),
    (
        "not",
        Expression,
        "The condition is well-defined and not satisfied. It applies to a whole comparison.",
        "thesis, tables 3.5 and 3.6",
    ),
    (
        "!",
        Expression,
        "The condition is well-defined and not satisfied. It applies to a whole comparison.",
        "thesis, tables 3.5 and 3.6",
    ),
    (
        "undef",
        Expression,
        "The undefined value ⊥. It can only be the whole initial value of a variable.",
        "thesis, section 3.5.1; docs/labs.md, The undefined value",
    ),
    (
        "/",
        Expression,
        "Division that truncates toward zero. It is undefined if the divisor is 0.",
        "thesis, table 3.14a; docs/labs.md, Where we differ, item 5",
    ),
    (
        "%",
        Expression,
        "The remainder, which is never negative. It is undefined if the divisor is 0.",
        "thesis, table 3.14a; docs/labs.md, Where we differ, item 5",
    ),
    (
        ":",
        Expression,
        "Division that rounds to the nearest number, halves away from zero. It is undefined if the divisor is 0.",
        "docs/labs.md, Values and expressions; Where we differ, item 5",
    ),
    (
        "..",
        Expression,
        "Any number from the first up to, but not including, the second, chosen when the action is taken.",
        VALUES,
    ),
    (
        "=",
        Expression,
        "Both sides are defined and equal.",
        "thesis, table 3.5; docs/labs.md, Where we differ, item 6",
    ),
    (
        "!=",
        Expression,
        "Both sides are defined and different.",
        "thesis, table 3.5; docs/labs.md, Where we differ, item 6",
    ),
    (
        "always",
        Modality,
        "The predicate holds in every reachable state.",
        "thesis, section 3.4 and table 3.16b; docs/labs.md, Properties",
    ),
    (
        "eventually",
        Modality,
        "Every maximal execution reaches a state with the predicate. One that stops before is a counterexample.",
        "thesis, section 3.4; docs/labs.md, Where we differ, item 17",
    ),
    (
        "finally",
        Modality,
        "Every maximal execution reaches a state with the predicate. With a bound on steps it is about the last state only.",
        "thesis, table 3.16b; docs/labs.md, Where we differ, items 17 and 18",
    ),
    (
        "fairly",
        Modality,
        "From every state that is reached without the predicate, a state with it can be reached.",
        PROPERTIES,
    ),
    (
        "fairly_inf",
        Modality,
        "From every reachable state, a state with the predicate can be reached.",
        PROPERTIES,
    ),
    (
        "after",
        Modality,
        "The predicate holds in every state that is reached in exactly this many steps.",
        PROPERTIES,
    ),
    (
        "between",
        Modality,
        "A property of scopes that close: from a state with the first event up to the next state with the second.",
        PROPERTIES,
    ),
    (
        "from",
        Modality,
        "A property of scopes, closed or not: from a state with the first event up to the next state with the second.",
        PROPERTIES,
    ),
    (
        "ltl",
        Modality,
        "A formula of linear time: every maximal execution satisfies it.",
        "docs/labs.md, Formulas of linear time; Where we differ, item 23",
    ),
    ("and", Scope, "The event that closes the scope follows.", PROPERTIES),
    ("until", Scope, "The event that closes the scope follows.", PROPERTIES),
    ("always", Scope, "The predicate holds in every state of each scope.", PROPERTIES),
    ("thereIs", Scope, "The predicate holds in some state of each scope.", PROPERTIES),
    (
        "precedes",
        Scope,
        "In each scope, what follows does not hold before what stands here has held.",
        PROPERTIES,
    ),
    ("G", Formula, "Here and at all later points.", FORMULAS),
    ("[]", Formula, "Here and at all later points: another spelling of `G`.", FORMULAS),
    ("globally", Formula, "Here and at all later points: another spelling of `G`.", FORMULAS),
    ("F", Formula, "Here or at a later point.", FORMULAS),
    ("<>", Formula, "Here or at a later point: another spelling of `F`.", FORMULAS),
    ("X", Formula, "At the next point.", FORMULAS),
    ("next", Formula, "At the next point: another spelling of `X`.", FORMULAS),
    (
        "U",
        Formula,
        "Until: the right side holds here or later, and the left side at all points before.",
        FORMULAS,
    ),
    (
        "until",
        Formula,
        "The right side holds here or later, and the left side at all points before: another spelling of `U`.",
        FORMULAS,
    ),
    (
        "R",
        Formula,
        "Release: the right side holds up to the first point with the left side, that one included; for ever if there is none.",
        FORMULAS,
    ),
    ("V", Formula, "Release: another spelling of `R`.", FORMULAS),
    (
        "release",
        Formula,
        "The right side holds up to the first point with the left side, that one included: another spelling of `R`.",
        FORMULAS,
    ),
    (
        "releases",
        Formula,
        "The right side holds up to the first point with the left side, that one included: another spelling of `R`.",
        FORMULAS,
    ),
    (
        "W",
        Formula,
        "Unless: the left side holds up to a point with the right side, which need not come.",
        FORMULAS,
    ),
    (
        "unless",
        Formula,
        "The left side holds up to a point with the right side, which need not come: another spelling of `W`.",
        FORMULAS,
    ),
    ("->", Formula, "The left side does not hold, or the right side does.", FORMULAS),
    ("acts", Formula, "The next step is an action of this agent.", FORMULAS),
    (
        "sends",
        Formula,
        "The next step delivers a pending message of this agent, a propagation or a confirmation.",
        FORMULAS,
    ),
    (
        "can",
        Formula,
        "`can act`: an action of this agent is possible. `can send`: a pending message of it can be delivered.",
        FORMULAS,
    ),
    ("act", Formula, "An action of this agent is possible in this state.", FORMULAS),
    ("send", Formula, "A pending message of this agent can be delivered in this state.", FORMULAS),
    ("delivered", Formula, "The next step delivers a message, whoever's.", FORMULAS),
    ("agent", Formula, "The agent with this number.", FORMULAS),
];
