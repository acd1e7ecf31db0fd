//! Parts of densities that contain factorials, without the cancellation of large logarithms: C. Loader, "Fast and Accurate
//! Computation of Binomial Probabilities", 2000.
//!
//! With Γ(z) = √(2π/z) (z/e)^z e^{δ(z)}, where δ is [`stirling`], x^a (1−x)^b / B(a, b) is
//! √(ab / 2π(a+b)) · exp(δ(a+b) − δ(a) − δ(b) − D(a, (a+b)x) − D(b, (a+b)(1−x))), where D is [`deviance`]. Each part is
//! small where the whole is not, so its rounding error is small too. The error bounds rely on `ln`, `ln_1p`, `exp` and `sqrt`
//! being right to two units in the last place, which all libraries of today promise.

/// Half a unit in the last place of numbers near 1.
pub(crate) const ROUNDING: f64 = f64::EPSILON / 2.0;

/// A bound of the error of [`stirling`].
pub(crate) const STIRLING_ERROR: f64 = 1e-14;

/// ln Γ(z) − (z − ½) ln z + z − ½ ln 2π for z > 0. From 16 on the asymptotic series is used: the first term that is left out,
/// 691/360360 z⁻¹¹, is below 2e-16 there, and bounds the error.
pub(crate) fn stirling(mut z: f64) -> f64 {
    let mut shift = 0.0;
    // δ(z) = δ(z + 1) + (z + ½) ln(1 + 1/z) − 1, from Γ(z + 1) = z Γ(z).
    while z < 16.0 {
        shift += (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
        z += 1.0;
    }
    let square = 1.0 / (z * z);
    let series = 1.0 / 12.0
        - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)));
    shift + series / z
}

/// D(z, m) = z ln(z/m) + m − z for positive z and m, and a bound of its error if m is right to four roundings.
pub(crate) fn deviance(z: f64, m: f64) -> (f64, f64) {
    let difference = z - m;
    // ∂D/∂m = (m − z)/m, so a relative error of m counts |m − z| times.
    let from_mean = 4.0 * ROUNDING * difference.abs();
    if difference.abs() >= 0.1 * (z + m) {
        let logarithm = z * (z / m).ln();
        let value = logarithm - difference;
        return (value, from_mean + ROUNDING * (8.0 * logarithm.abs() + 4.0 * (z + m)));
    }
    // z ln((1 + v)/(1 − v)) + m − z with v = (z − m)/(z + m), as a series without cancellation.
    let v = difference / (z + m);
    let (mut sum, mut term, mut odd) = (difference * v, 2.0 * z * v, 1.0);
    loop {
        term *= v * v;
        odd += 2.0;
        let next = sum + term / odd;
        if next == sum || odd > 1000.0 {
            return (sum, from_mean + 32.0 * ROUNDING * sum.abs());
        }
        sum = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stirling_is_the_logarithm_of_factorials() {
        // Γ(k) = (k − 1)! by multiplication; Γ(½) = √π.
        let mut factorial = 1.0_f64;
        for k in 1..=20_u32 {
            let z = f64::from(k);
            let direct = factorial.ln() - (z - 0.5) * z.ln() + z - 0.5 * (2.0 * std::f64::consts::PI).ln();
            assert!((stirling(z) - direct).abs() < 2e-14, "{k}");
            factorial *= z;
        }
        let half = 0.5 * std::f64::consts::PI.ln() + 0.5 - 0.5 * (2.0 * std::f64::consts::PI).ln();
        assert!((stirling(0.5) - half).abs() < STIRLING_ERROR);
    }

    #[test]
    fn both_ways_to_the_deviance_agree() {
        for (z, m) in [(10.0, 12.3), (10.0, 8.1), (3.0, 3.0), (1.0, 1.25)] {
            let (z, m): (f64, f64) = (z, m);
            let (value, error) = deviance(z, m);
            assert!((value - (z * (z / m).ln() + m - z)).abs() <= error + 1e-15 * (z + m), "{z} {m}");
        }
    }
}
