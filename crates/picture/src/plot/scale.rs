//! From numbers to places, round numbers for ticks, and numbers as text.
//!
//! Ticks are 1, 2 or 5 times a power of ten, as close to the wanted number as that allows (P. Heckbert, Nice Numbers for Graph
//! Labels, Graphics Gems I, 1990). On a logarithmic axis they are powers of ten, or also twice and five times these where the
//! axis spans less than three of them.

use super::data::Axis;

/// From a range of numbers to a range of places.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub log: bool,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale for these values. A range without extent becomes one with some; not a number and infinity do not count, nor does
    /// what is not positive on a logarithmic axis.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Scale {
        let fits = |value: &f64| value.is_finite() && value.abs() < 1e300 && (!axis.log || *value > 1e-300);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.chain(axis.low).chain(axis.high).filter(fits) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = if axis.log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if high - low <= high.abs().max(low.abs()) * 1e-12 {
            (low, high) = match axis.log {
                true => (low / 2.0, high * 2.0),
                false if low == 0.0 => (0.0, 1.0),
                false => (low - low.abs() * 0.5, high + high.abs() * 0.5),
            };
        }
        Scale { low, high, log: axis.log, from, to }
    }

    /// Widens the range to ticks, except where the axis says where it ends.
    pub fn rounded(mut self, axis: &Axis, wanted: usize) -> Scale {
        if self.log {
            let (bottom, top) = (self.low.log10().floor(), self.high.log10().ceil());
            // A decade for a small rest would be empty.
            if self.high / self.low > 100.0 {
                (self.low, self.high) = (10_f64.powf(bottom), 10_f64.powf(top));
            }
            return self;
        }
        let step = step((self.high - self.low) / wanted.max(1) as f64);
        if axis.low.is_none_or(|low| low > self.low) {
            self.low = (self.low / step + 1e-9).floor() * step;
        }
        if axis.high.is_none_or(|high| high < self.high) {
            self.high = (self.high / step - 1e-9).ceil() * step;
        }
        self
    }

    /// Leaves some room on both sides, so that points are not on the frame.
    pub fn padded(mut self, share: f64) -> Scale {
        if self.log {
            let by = (self.high / self.low).powf(share);
            (self.low, self.high) = (self.low / by, self.high * by);
        } else {
            let by = (self.high - self.low) * share;
            (self.low, self.high) = (self.low - by, self.high + by);
        }
        self
    }

    /// Whether a number has a place at all.
    pub fn has(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    /// The place of a number; what is outside of the range is at its end.
    pub fn at(&self, value: f64) -> f64 {
        let share = match self.log {
            true => (value.max(1e-300) / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self.from + share * (self.to - self.from)
    }

    /// Where ticks are, and what stands there.
    pub fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        if !self.log {
            return self.linear(wanted);
        }
        let (bottom, top) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = ((top - bottom) / wanted.max(1) as i32).max(1);
        let parts: &[f64] = if top - bottom > 2 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let mut ticks = vec![];
        let is_far = parts.len() == 1 && (bottom < -4 || top > 5);
        for power in (bottom..=top).filter(|power| (power - bottom) % every == 0) {
            for part in parts {
                let value = part * 10_f64.powi(power);
                if value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9) {
                    ticks.push((value, if is_far { power_of_ten(power) } else { shown(value) }));
                }
            }
        }
        // Less than a decade may be between two round numbers.
        if ticks.len() < 3 {
            self.linear(wanted).into_iter().filter(|(value, _)| *value > 0.0).collect()
        } else {
            ticks
        }
    }

    /// Ticks at equal distances.
    fn linear(&self, wanted: usize) -> Vec<(f64, String)> {
        let step = step((self.high - self.low) / wanted.max(1) as f64);
        let first = (self.low / step - 1e-9).ceil();
        let count = ((self.high / step + 1e-9).floor() - first).clamp(0.0, 100.0) as usize;
        let values = (0..=count).map(|i| (first + i as f64) * step);
        values.map(|value| (value, plain(value, step))).collect()
    }
}

/// The round number next to a distance between ticks.
fn step(rough: f64) -> f64 {
    if !rough.is_finite() || rough <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(rough.log10().floor());
    let part = rough / power;
    power
        * if part <= 1.0 + 1e-9 {
            1.0
        } else if part <= 2.0 + 1e-9 {
            2.0
        } else if part <= 5.0 + 1e-9 {
            5.0
        } else {
            10.0
        }
}

/// A tick with as many digits after the point as the distance to the next one has.
fn plain(value: f64, step: f64) -> String {
    let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
    if value != 0.0 && (value.abs() >= 1e7 || step < 1e-5) {
        return shown(value);
    }
    let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    signed(&format!("{value:.digits$}"))
}

/// A number with at most five significant digits.
pub(super) fn shown(value: f64) -> String {
    if value.is_nan() {
        return "no number".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_string();
    }
    if value == 0.0 {
        return "0".to_string();
    }
    let power = value.abs().log10().floor();
    if !(-5.0..7.0).contains(&power) {
        let text = format!("{value:.4e}");
        let (part, power) = text.split_once('e').unwrap_or((&text, "0"));
        return signed(&format!("{}e{power}", trimmed(part)));
    }
    let digits = (4.0 - power).max(0.0) as usize;
    signed(trimmed(&format!("{value:.digits$}")))
}

/// `10⁻⁶`.
fn power_of_ten(power: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    format!("10{}", power.to_string().chars().map(raised).collect::<String>())
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// With a minus instead of a hyphen.
fn signed(text: &str) -> String {
    text.replace('-', "−")
}

/// A place in the drawing, with at most one digit after the point.
pub(super) fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_string(),
        Some(whole) => whole.to_string(),
        None => text,
    }
}
