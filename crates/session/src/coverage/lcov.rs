//! Coverage in the tracefile format of LCOV (`man geninfo`, section FILES), which editors and coverage services read.
//!
//! Every line with a point is a `DA` line ([`Coverage::lines`]). The two outcomes of a condition are two branches of a block, `BRDA`: branch 0 is true and branch 1 is false, and both are `-` if the
//! condition was never looked at.

use super::{Counts, Coverage};
use std::collections::BTreeMap;

/// One record, for the model's file.
pub fn record(coverage: &Coverage) -> String {
    let mut out = format!("TN:\nSF:{}\n", coverage.file);
    let mut blocks: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut branches, mut taken) = (0, 0);
    for point in &coverage.points {
        let Counts::Outcomes { yes, no } = point.counts else { continue };
        let block = blocks.entry(point.line).or_default();
        for (number, times) in [yes, no].into_iter().enumerate() {
            let shown = match point.counts.total() {
                0 => "-".to_string(),
                _ => times.to_string(),
            };
            out += &format!("BRDA:{},{block},{number},{shown}\n", point.line);
            branches += 1;
            taken += usize::from(times > 0);
        }
        *block += 1;
    }
    out += &format!("BRF:{branches}\nBRH:{taken}\n");
    let lines = coverage.lines();
    for (line, count) in &lines {
        out += &format!("DA:{line},{count}\n");
    }
    let hit = lines.values().filter(|count| **count > 0).count();
    out + &format!("LF:{}\nLH:{hit}\nend_of_record\n", lines.len())
}
