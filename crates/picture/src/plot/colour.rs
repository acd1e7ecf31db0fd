//! Colours that people with any kind of colour vision tell apart.
//!
//! Lines: the palette of M. Okabe and K. Ito (Color Universal Design, 2008) without its yellow, which does not show on white. Scales: viridis (S. van
//! der Walt and N. Smith, 2015), whose lightness grows evenly, so it is also read in print and without colours.

use super::data::PhaseVerdict;

/// Colours of lines. They have a contrast of at least 2.2 to 1 with white and with the dark background of the page.
pub(super) const LINES: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a7a7a"];

/// Eleven colours at equal distances on viridis.
const VIRIDIS: [[u8; 3]; 11] = [
    [68, 1, 84],
    [72, 36, 117],
    [65, 68, 135],
    [53, 95, 141],
    [42, 120, 142],
    [33, 145, 140],
    [34, 168, 132],
    [68, 191, 112],
    [122, 209, 81],
    [189, 223, 38],
    [253, 231, 37],
];

/// The colour of a share between 0 and 1.
pub(super) fn heat(share: f64) -> [u8; 3] {
    let place = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * (VIRIDIS.len() - 1) as f64;
    let below = (place.floor() as usize).min(VIRIDIS.len() - 2);
    let rest = place - below as f64;
    let mix = |at: usize| {
        let (a, b) = (f64::from(VIRIDIS[below][at]), f64::from(VIRIDIS[below + 1][at]));
        (a + (b - a) * rest).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// As SVG writes it.
pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The colour of text on another colour: whichever of black and white has more contrast (WCAG 2.2, relative luminance).
pub(super) fn ink_on(colour: [u8; 3]) -> &'static str {
    let part = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = 0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2]);
    // Equal contrast with both: (1.05)/(L + 0.05) = (L + 0.05)/0.05.
    if luminance > 0.179 { "#000000" } else { "#ffffff" }
}

/// The colour of a verdict.
pub(super) fn verdict(verdict: PhaseVerdict) -> [u8; 3] {
    match verdict {
        PhaseVerdict::Holds => [0, 125, 94],
        PhaseVerdict::Violated => [213, 94, 0],
        PhaseVerdict::Unknown => [176, 182, 190],
        PhaseVerdict::Failed => [74, 48, 110],
        PhaseVerdict::Mixed => [240, 200, 80],
    }
}
