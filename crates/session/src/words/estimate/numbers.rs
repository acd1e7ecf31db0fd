//! Numbers of estimates: as many digits as mean something, and ends of intervals rounded outward.

/// A number with the digits that its interval gives a meaning to; at least four digits, or as short as it is.
pub(super) fn number(value: f64, low: Option<f64>, high: Option<f64>) -> String {
    let width = low.zip(high).map(|(low, high)| high - low);
    rounded(value, decimals(value, width), Toward::Nearest)
}

/// `[low, high]`, each rounded outward.
pub(super) fn bounds(low: Option<f64>, high: Option<f64>) -> String {
    let width = low.zip(high).map(|(low, high)| high - low);
    let end = |value: Option<f64>, toward: Toward, none: &str| match value {
        Some(value) => rounded(value, decimals(value, width), toward),
        None => none.to_string(),
    };
    format!("[{}, {}]", end(low, Toward::Low, "–∞"), end(high, Toward::High, "∞"))
}

/// `95 %`.
pub(super) fn percent(share: f64) -> String {
    // 0.95 times 100 is not 95 exactly.
    let text = format!("{:.10}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[derive(Clone, Copy)]
enum Toward {
    Nearest,
    Low,
    High,
}

/// Digits behind the point: two of the width are shown, and no fewer than four digits of the value.
fn decimals(value: f64, width: Option<f64>) -> i32 {
    let magnitude = |x: f64| if x > 0.0 && x.is_finite() { x.log10().floor() as i32 } else { 0 };
    let of_value = 3 - magnitude(value.abs()).max(-1);
    let of_width = width.filter(|w| *w > 0.0).map_or(0, |w| 1 - magnitude(w));
    of_value.max(of_width).clamp(0, 12)
}

fn rounded(value: f64, decimals: i32, toward: Toward) -> String {
    if !value.is_finite() {
        return if value > 0.0 { "∞".to_string() } else { "–∞".to_string() };
    }
    // Very small and very large numbers in scientific notation; three digits, which is a rounding of its own.
    if value != 0.0 && (value.abs() < 1e-4 && decimals >= 12 || value.abs() < 1e-6 || value.abs() >= 1e12) {
        let exponent = value.abs().log10().floor() as i32;
        let scale = 10_f64.powi(exponent);
        let digits = whole(value / scale * 1000.0, toward) / 1000.0;
        return format!("{digits:.3}e{exponent}");
    }
    if value == value.trunc() && value.abs() >= 1.0 && value.abs() < 1e12 && matches!(toward, Toward::Nearest)
    {
        return format!("{value:.0}");
    }
    let scale = 10_f64.powi(decimals);
    let places = usize::try_from(decimals).unwrap_or(0);
    let shown = format!("{:.places$}", whole(value * scale, toward) / scale);
    if shown.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        format!("{:.places$}", 0.0)
    } else {
        shown
    }
}

fn whole(scaled: f64, toward: Toward) -> f64 {
    match toward {
        Toward::Nearest => scaled.round(),
        Toward::Low => scaled.floor(),
        Toward::High => scaled.ceil(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_rounded_outward() {
        assert_eq!(bounds(Some(0.816_849), Some(0.863_151)), "[0.8168, 0.8632]");
        assert_eq!(number(0.841, Some(0.8168), Some(0.8632)), "0.8410");
        assert_eq!(bounds(Some(0.0), Some(0.003_682_08)), "[0.0000, 0.0037]");
        assert_eq!(bounds(Some(12.345_67), Some(12.365_67)), "[12.345, 12.366]");
        assert_eq!(bounds(Some(1234.5), None), "[1234, ∞]");
        assert_eq!(number(17.0, None, None), "17");
        assert_eq!(number(1.0 / 3.0, Some(0.333_333_333_0), Some(0.333_333_333_5)), "0.33333333333");
        assert_eq!(number(3.21e-9, None, None), "3.210e-9");
    }

    #[test]
    fn shares_as_percentages() {
        assert_eq!(
            (percent(0.95).as_str(), percent(0.999).as_str(), percent(0.5).as_str()),
            ("95 %", "99.9 %", "50 %")
        );
    }
}
