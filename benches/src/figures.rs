//! Numbers as people read and write them.

/// A whole number with commas.
pub fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Three significant digits, or all of them before the point.
pub fn short(number: f64) -> String {
    match number {
        n if !n.is_finite() => "-".to_string(),
        n if n >= 100.0 => whole(n.round() as u64),
        n if n >= 10.0 => format!("{n:.1}"),
        n if n >= 1.0 => format!("{n:.2}"),
        n => format!("{n:.3}"),
    }
}

/// Bytes as megabytes of a million.
pub fn megabytes(bytes: u64) -> String {
    short(bytes as f64 / 1e6)
}

/// Reads a number, with or without commas.
pub fn read(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(whole(0), "0");
        assert_eq!(whole(999), "999");
        assert_eq!(whole(1_000), "1,000");
        assert_eq!(whole(749_106_279), "749,106,279");
        assert_eq!(
            [0.0004, 0.0123, 1.234, 12.34, 123.4, 12345.6].map(short),
            ["0.000", "0.012", "1.23", "12.3", "123", "12,346"]
        );
        assert_eq!(megabytes(144_000_000), "144");
    }

    #[test]
    fn commas_are_read() {
        assert_eq!(read("1,931"), Some(1931.0));
        assert_eq!(read("0.6"), Some(0.6));
        assert_eq!(read("many"), None);
    }
}
