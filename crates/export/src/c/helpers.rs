//! Functions of C that stand for what C has no operator for: arithmetic with ⊥ and without wrapping, as `ir::arith`
//! defines it. Only those that a program uses are written into it.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Helper {
    Quiet,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Rounded,
    Minimum,
    Maximum,
    Negate,
    Absolute,
    Equal,
    Different,
    Less,
    AtMost,
    Between,
    /// A cell of a local array of this length.
    CellOf(u32),
}

impl Helper {
    pub(super) fn name(self) -> String {
        match self {
            Helper::Quiet => "quiet",
            Helper::Add => "add",
            Helper::Subtract => "subtract",
            Helper::Multiply => "multiply",
            Helper::Divide => "divide",
            Helper::Modulo => "modulo",
            Helper::Rounded => "rounded",
            Helper::Minimum => "minimum",
            Helper::Maximum => "maximum",
            Helper::Negate => "negate",
            Helper::Absolute => "absolute",
            Helper::Equal => "equal",
            Helper::Different => "different",
            Helper::Less => "less",
            Helper::AtMost => "at_most",
            Helper::Between => "between",
            Helper::CellOf(length) => return format!("cell_of_{length}"),
        }
        .to_string()
    }

    /// Whether it can meet an error of the model.
    pub(super) fn may_fail(self) -> bool {
        matches!(self, Helper::Add | Helper::Subtract | Helper::Multiply | Helper::CellOf(_))
    }

    /// Its text. `quiet` is declared together with `fault`.
    pub(super) fn text(self) -> String {
        let (parameters, body) = match self {
            Helper::Quiet => return String::new(),
            Helper::CellOf(length) => return cell_of(length),
            Helper::Add => (
                "value a, value b, int where",
                "  if (a == UNDEF || b == UNDEF) return UNDEF;\n\
                 \x20 if (b > 0 ? a > TOP - b : a < -TOP - b) return fault(OVERFLOW, where);\n\
                 \x20 return a + b;\n",
            ),
            Helper::Subtract => (
                "value a, value b, int where",
                "  if (a == UNDEF || b == UNDEF) return UNDEF;\n\
                 \x20 if (b > 0 ? a < -TOP + b : a > TOP + b) return fault(OVERFLOW, where);\n\
                 \x20 return a - b;\n",
            ),
            Helper::Multiply => (
                "value a, value b, int where",
                "  value most;\n\
                 \x20 if (a == UNDEF || b == UNDEF) return UNDEF;\n\
                 \x20 if (a == 0 || b == 0) return 0;\n\
                 \x20 most = TOP / (b < 0 ? -b : b);\n\
                 \x20 if (a > most || a < -most) return fault(OVERFLOW, where);\n\
                 \x20 return a * b;\n",
            ),
            Helper::Divide => {
                ("value a, value b", "  return a == UNDEF || b == UNDEF || b == 0 ? UNDEF : a / b;\n")
            }
            Helper::Modulo => (
                "value a, value b",
                "  value rest;\n\
                 \x20 if (a == UNDEF || b == UNDEF || b == 0) return UNDEF;\n\
                 \x20 rest = a % b;\n\
                 \x20 return rest < 0 ? rest + (b < 0 ? -b : b) : rest;\n",
            ),
            Helper::Rounded => (
                "value a, value b",
                "  value rest, size;\n\
                 \x20 if (a == UNDEF || b == UNDEF || b == 0) return UNDEF;\n\
                 \x20 rest = a % b < 0 ? -(a % b) : a % b;\n\
                 \x20 size = b < 0 ? -b : b;\n\
                 \x20 if (rest < size - rest) return a / b;\n\
                 \x20 return (a < 0) == (b < 0) ? a / b + 1 : a / b - 1;\n",
            ),
            Helper::Minimum => {
                ("value a, value b", "  return a == UNDEF || b == UNDEF ? UNDEF : a < b ? a : b;\n")
            }
            Helper::Maximum => {
                ("value a, value b", "  return a == UNDEF || b == UNDEF ? UNDEF : a < b ? b : a;\n")
            }
            Helper::Negate => ("value a", "  return a == UNDEF ? UNDEF : -a;\n"),
            Helper::Absolute => ("value a", "  return a == UNDEF ? UNDEF : a < 0 ? -a : a;\n"),
            Helper::Equal => ("value a, value b", "  return a != UNDEF && b != UNDEF && a == b;\n"),
            Helper::Different => ("value a, value b", "  return a != UNDEF && b != UNDEF && a != b;\n"),
            Helper::Less => ("value a, value b", "  return a != UNDEF && b != UNDEF && a < b;\n"),
            Helper::AtMost => ("value a, value b", "  return a != UNDEF && b != UNDEF && a <= b;\n"),
            Helper::Between => (
                "value lo, value hi",
                "  assume(lo != UNDEF && hi != UNDEF && lo < hi);\n\
                 \x20 return (value)((number)lo + choose((number)hi - (number)lo));\n",
            ),
        };
        let kind = match self {
            Helper::Equal | Helper::Different | Helper::Less | Helper::AtMost => "int",
            _ => "value",
        };
        format!("/* {} */\nstatic {kind} {}({parameters})\n{{\n{body}}}\n\n", self.about(), self.name())
    }

    fn about(self) -> &'static str {
        match self {
            Helper::Add | Helper::Subtract | Helper::Multiply => {
                "Exact: undefined operands make it undefined."
            }
            Helper::Divide => "Towards zero; undefined for a zero divisor.",
            Helper::Modulo => "Never negative; undefined for a zero divisor.",
            Helper::Rounded => "To the nearest integer, halves away from zero; undefined for a zero divisor.",
            Helper::Equal | Helper::Different | Helper::Less | Helper::AtMost => {
                "False if an operand is undefined."
            }
            Helper::Between => "Any number from lo on and below hi; without one the step is not possible.",
            _ => "Undefined operands make it undefined.",
        }
    }
}

fn cell_of(length: u32) -> String {
    let parameters: String = (0..length).map(|i| format!("value cell{i}, ")).collect();
    let cases: String = (0..length).map(|i| format!("  if (index == {i}) return cell{i};\n")).collect();
    format!(
        "/* A cell of a local array. */\nstatic value cell_of_{length}(value index, {parameters}int where)\n{{\n  \
         if (index == UNDEF) return UNDEF;\n{cases}  return fault(INDEX, where);\n}}\n\n"
    )
}
