//! Progress on a terminal: a pseudo-terminal of some width is read by an emulator, which knows what a person would see.

use crate::common::{run, swarmcheck};
use crate::schema::check;
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::process::Stdio;

/// Too large to be decided soon.
const LONG: &str = "verify examples/flock/flock.labs birds=4 grid=8 delta=8 --timeout 4";

/// What a person has seen, and what is left.
struct Seen {
    /// The screen after each piece of output.
    screens: Vec<Vec<String>>,
    /// The screen in the end.
    left: Vec<String>,
    /// The row of the cursor in the end, from 0.
    row: u16,
}

/// Both ends of a terminal of this width.
pub fn pseudo_terminal(width: u16) -> (OwnedFd, OwnedFd) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, vec![]).unwrap();
    let slave = open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    tcsetwinsize(&slave, Winsize { ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    (master, slave)
}

fn watch(arguments: &str, width: u16) -> Seen {
    let (master, slave) = pseudo_terminal(width);
    let mut child = swarmcheck(arguments).stdout(Stdio::null()).stderr(Stdio::from(slave)).spawn().unwrap();
    let size = |n: u16| NonZero::new(n).unwrap();
    let mut terminal = vt100::Parser::new(size(24), size(width), 0);
    let rows = |terminal: &vt100::Parser| -> Vec<String> {
        let rows = terminal.screen().rows(0, width).map(|row| row.trim_end().to_string());
        rows.filter(|row| !row.is_empty()).collect()
    };
    let mut screens = vec![];
    let mut bytes = [0; 65536];
    // Reading fails when the last writer is gone.
    while let Ok(n @ 1..) = rustix::io::read(&master, &mut bytes) {
        terminal.process(&bytes[..n]);
        screens.push(rows(&terminal));
    }
    child.wait().unwrap();
    Seen { screens, left: rows(&terminal), row: terminal.screen().cursor_position().0 }
}

#[test]
fn status_lines_fit_any_width_and_leave_nothing_behind() {
    let threads = [40, 60, 200].map(|width| (width, std::thread::spawn(move || watch(LONG, width))));
    for (width, thread) in threads {
        let seen = thread.join().unwrap();
        assert_eq!((seen.left, seen.row), (vec![], 0), "{width} columns");
        // How many are decided, and the two properties that take long.
        let most = seen.screens.iter().map(Vec::len).max().unwrap();
        assert!(
            (2..=3).contains(&most),
            "{width} columns: {:?}",
            seen.screens.iter().find(|s| s.len() == most)
        );
        let said = |words: &str| seen.screens.iter().flatten().any(|row| row.contains(words));
        assert!(said("1 of 3 decided") && said("explicit"), "{width} columns: {:?}", seen.screens);
        assert!(said("/s") || width < 100, "{:?}", seen.screens);
    }
}

#[test]
fn nothing_is_shown_unless_asked() {
    let quiet = watch(&format!("{LONG} --progress none"), 80);
    assert!(quiet.screens.iter().flatten().next().is_none(), "{:?}", quiet.screens);
    // Standard error is no terminal here.
    assert_eq!(String::from_utf8(run(LONG).stderr).unwrap(), "");
    let plain = String::from_utf8(run(&format!("{LONG} --progress plain")).stderr).unwrap();
    assert!(plain.contains("decided") && !plain.contains('\x1b'), "{plain}");
    // It enumerates initial states, and tells nothing meanwhile.
    let silent = "verify examples/flock/flock.labs birds=5 grid=16 delta=16 --timeout 3 --progress plain";
    let silent = String::from_utf8(run(silent).stderr).unwrap();
    assert!(silent.contains("Consensus, "), "{silent}");
    let lines = String::from_utf8(run(&format!("{LONG} --progress json")).stderr).unwrap();
    assert!(lines.lines().count() > 3, "{lines}");
    for line in lines.lines() {
        check("events", &serde_json::from_str(line).unwrap());
    }
}
