//! Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request:
//! `::error file=…,line=…,col=…::message`. In messages `%` and ends of lines are escaped, in values `:` and `,` as well, as
//! GitHub's toolkit does (`actions/toolkit`, `packages/core/src/command.ts`).

use super::finding::{Finding, Level};

/// One line per finding.
pub fn github(findings: &[Finding]) -> String {
    findings.iter().map(line).collect()
}

fn line(finding: &Finding) -> String {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let mut values =
        vec![format!("file={}", value(finding.file.strip_prefix("./").unwrap_or(&finding.file)))];
    if let Some(place) = &finding.place {
        values.push(format!("line={},col={}", place.line, place.column));
        let later = place.end_line > place.line;
        if later {
            values.push(format!("endLine={}", place.end_line));
        } else if place.end_column > place.column {
            // GitHub's last column is part of the place.
            values.push(format!("endColumn={}", place.end_column - 1));
        }
    }
    let title = match &finding.property {
        Some(property) => format!("swarmcheck: {property}"),
        None => format!("swarmcheck: {}", finding.rule),
    };
    values.push(format!("title={}", value(&title)));
    format!("::{level} {}::{}\n", values.join(","), message(&finding.message))
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn value(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::finding::point;

    #[test]
    fn what_would_end_a_value_is_escaped() {
        let finding = Finding {
            rule: "violated".to_string(),
            level: Level::Error,
            message: "100 %: no,\nnever".to_string(),
            file: "a,b:c.labs".to_string(),
            place: Some(point(3, 5)),
            related: vec![],
            fixes: vec![],
            property: Some("P".to_string()),
            trace: None,
        };
        let expected =
            "::error file=a%2Cb%3Ac.labs,line=3,col=5,title=swarmcheck%3A P::100 %25: no,%0Anever\n";
        assert_eq!(github(&[finding]), expected);
    }
}
