//! Programs for verifiers, linked with nondeterminism that repeats what it is told.

use crate::build::compile;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Everything that was asked for was given, and the program wants more.
pub const MORE: i32 = 10;
/// The program has given up: an assumption does not hold.
pub const IMPOSSIBLE: i32 = 20;
/// An assertion does not hold.
pub const VIOLATED: i32 = 30;
/// The program goes on forever.
pub const ENDLESS: i32 = 40;

/// What the header of a verifier would declare.
const DECLARED: &str = "void __CPROVER_assume(int);\nvoid __CPROVER_assert(int, const char *);\n\
                        void __ESBMC_assume(int);\nvoid __ESBMC_assert(int, const char *);\n";

/// The other half of the program.
const HARNESS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void endless(int signal) { (void)signal; _exit(40); }
static NUMBER next(void)
{
  unsigned long long it;
  signal(SIGALRM, endless);
  alarm(2);
  if (scanf("%llu", &it) != 1) _exit(10);
  return (NUMBER)it;
}
NUMBER nondet_number(void);
NUMBER nondet_number(void) { return next(); }
NUMBER nondet_uint(void);
NUMBER nondet_uint(void) { return next(); }
NUMBER nondet_ulonglong(void);
NUMBER nondet_ulonglong(void) { return next(); }
int __VERIFIER_nondet_int(void);
int __VERIFIER_nondet_int(void) { return (int)next(); }
long long __VERIFIER_nondet_longlong(void);
long long __VERIFIER_nondet_longlong(void) { return (long long)next(); }
void __CPROVER_assume(int condition);
void __CPROVER_assume(int condition) { if (!condition) _exit(20); }
void __CPROVER_assert(int condition, const char *name);
void __CPROVER_assert(int condition, const char *name) { (void)name; if (!condition) _exit(30); }
void __ESBMC_assume(int condition);
void __ESBMC_assume(int condition) { if (!condition) _exit(20); }
void __ESBMC_assert(int condition, const char *name);
void __ESBMC_assert(int condition, const char *name) { (void)name; if (!condition) _exit(30); }
void abort(void);
void abort(void) { _exit(20); }
void __assert_fail(const char *a, const char *b, unsigned int c, const char *d);
void __assert_fail(const char *a, const char *b, unsigned int c, const char *d)
{
  (void)a; (void)b; (void)c; (void)d;
  _exit(30);
}
"#;

/// Compiles a program for a verifier, without a warning.
pub fn build(name: &str, text: &str) -> PathBuf {
    let wide = text.contains("typedef unsigned long long number;");
    let number = if wide { "unsigned long long" } else { "unsigned int" };
    compile(name, &format!("{DECLARED}{text}"), Some(&HARNESS.replace("NUMBER", number)))
}

/// How the program ends if its choices are these.
pub fn replay(program: &Path, choices: &[u64]) -> i32 {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program runs");
    let words: Vec<String> = choices.iter().map(u64::to_string).collect();
    let mut input = child.stdin.take().expect("its input");
    // A program that ends early does not read everything.
    let _ = input.write_all(words.join(" ").as_bytes());
    drop(input);
    child.wait().expect("it ends").code().expect("by itself")
}
