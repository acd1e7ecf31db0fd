//! The words in which verifiers say what they have found: one table for all of them.
//!
//! A word is one part of an answer. Whether the rest of the answer agrees with it, and what is evidence, is for the reader of
//! each verifier to find out; a word that is not listed is never taken for a verdict.

use crate::reading::{Unreadable, unreadable};

/// What a word says about the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    Holds,
    Violated,
    /// It has given up.
    Open,
    /// It could not begin.
    Failed,
}

/// What a text must be like.
#[derive(Clone, Copy, Debug)]
enum Is {
    Exactly(&'static str),
    /// It begins and ends like this, with anything in between.
    Between(&'static str, &'static str),
}

/// The verdicts of one verifier: how the line with the verdict begins, and what may follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) begin: &'static str,
    rows: &'static [(Is, Said)],
}

use Is::{Between, Exactly};

/// Errors that the verifier `pan` reports, each with a trail.
pub(crate) const SPIN: Words = Words {
    begin: "pan:1: ",
    rows: &[
        (Between("assertion violated", ""), Said::Violated),
        (Between("acceptance cycle", ""), Said::Violated),
        (Between("invalid end state", ""), Said::Violated),
    ],
};

/// One line for each specification.
pub(crate) const SMV: Words = Words {
    begin: "-- ",
    rows: &[
        (Between("invariant ", " is true"), Said::Holds),
        (Between("invariant ", " is false"), Said::Violated),
        (Between("specification ", " is true"), Said::Holds),
        (Between("specification ", " is false"), Said::Violated),
    ],
};

pub(crate) const CADP: Words =
    Words { begin: "", rows: &[(Exactly("TRUE"), Said::Holds), (Exactly("FALSE"), Said::Violated)] };

/// The messages of CBMC, and the lines of ESBMC, which has the third.
pub(crate) const BMC: Words = Words {
    begin: "VERIFICATION ",
    rows: &[
        (Exactly("SUCCESSFUL"), Said::Holds),
        (Exactly("FAILED"), Said::Violated),
        (Exactly("UNKNOWN"), Said::Open),
    ],
};

/// What follows the name of the file, up to the next comma.
pub(crate) const CSEQ: Words = Words {
    begin: "emulation.c, ",
    rows: &[
        (Exactly("SAFE"), Said::Holds),
        (Exactly("UNSAFE"), Said::Violated),
        (Exactly("UNKNOWN"), Said::Open),
        (Exactly("TIMEOUT"), Said::Open),
        (Exactly("BACKENDREJECT"), Said::Failed),
    ],
};

pub(crate) const CPACHECKER: Words = Words {
    begin: "Verification result: ",
    rows: &[
        (Exactly("TRUE. No property violation found by chosen configuration."), Said::Holds),
        (Exactly("FALSE. Property violation found by chosen configuration."), Said::Violated),
        (Between("FALSE. Property violation ", " found by chosen configuration."), Said::Violated),
        (Between("UNKNOWN, ", ""), Said::Open),
    ],
};

impl Words {
    /// What a verdict says that stands without the beginning of its line; `None` if it is not known.
    pub(crate) fn say(&self, verdict: &str) -> Option<Said> {
        let fits = |is: &Is| match is {
            Exactly(text) => verdict == *text,
            Between(begin, end) => verdict.strip_prefix(begin).is_some_and(|rest| rest.ends_with(end)),
        };
        self.rows.iter().find(|(is, _)| fits(is)).map(|(_, said)| *said)
    }

    /// A line's verdict, without the beginning of the line, if the line is one with a verdict.
    pub(crate) fn verdict<'a>(&self, line: &'a str) -> Option<&'a str> {
        line.trim().strip_prefix(self.begin).map(str::trim)
    }

    /// The only line with a verdict, without its beginning; `Ok(None)` if there is none, and two are refused.
    pub(crate) fn only<'a>(&self, text: &'a str) -> Result<Option<&'a str>, Unreadable> {
        let mut found = text.lines().filter_map(|line| self.verdict(line));
        match (found.next(), found.next()) {
            (first, None) => Ok(first),
            (_, Some(_)) => unreadable(format!("two verdicts, or one repeated: {}", self.begin)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words are those of the documents that the readers cite; half of one is none.
    #[test]
    fn whole_words_only() {
        let end = "found by chosen configuration.";
        assert_eq!(
            CPACHECKER.say(&format!("FALSE. Property violation (unreach-call) {end}")),
            Some(Said::Violated)
        );
        assert_eq!(CPACHECKER.say(&format!("FALSE. Property violation {end}")), Some(Said::Violated));
        assert_eq!(CPACHECKER.say(&format!("TRUE. No property violation {end}")), Some(Said::Holds));
        assert_eq!(CPACHECKER.say("TRUE"), None);
        assert_eq!(BMC.say("SUCCESS"), None);
        assert_eq!(BMC.only("VERIFICATION FAILED\nVERIFICATION FAILED\n").ok(), None);
        assert_eq!(BMC.only("  VERIFICATION  FAILED \n"), Ok(Some("FAILED")));
        assert_eq!(SMV.say("invariant x is true or not"), None);
    }
}
