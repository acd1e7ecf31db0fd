//! Numbers as whole multiples of a power of two: no rounding but where it is asked for, and then to a known side.
//!
//! A value is kept in units of 2^-scale, with a scale of at most 70. It stays below 2⁷², so that the sum of values times
//! weights, whose sum is at most 2⁵³, fits into 128 bits. One division by the total then rounds down, or up, by less than a unit.

use crate::answer::Bounds;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

/// The finest scale.
pub(crate) const SCALE: u32 = 70;
/// One, at the finest scale.
pub(crate) const ONE: u128 = 1 << SCALE;
/// Values stay below this.
pub(crate) const LARGEST: u128 = 1 << 72;
/// Constants of rows stay below this.
pub(crate) const LARGEST_CONSTANT: u128 = 1 << 125;

/// The quotient by a power of two, rounded up.
pub(crate) fn shift_up(value: u128, by: u32) -> u128 {
    (value >> by) + u128::from(value & ((1_u128 << by) - 1) != 0)
}

/// The finest scale at which a number of this size can be kept, with room for numbers eight times as large.
pub(crate) fn scale_for(size: f64) -> Option<u32> {
    if !size.is_finite() {
        return None;
    }
    (0..=SCALE).rev().find(|scale| size.max(1.0) * power(*scale) < power(69))
}

/// A power of two, exactly.
pub(crate) fn power(of: u32) -> f64 {
    f64::from_bits(u64::from(1023 + of) << 52)
}

/// The nearest multiple of a unit to a number that is not negative.
pub(crate) fn from_f64(value: f64, scale: u32) -> u128 {
    (value.max(0.0) * power(scale)) as u128
}

/// The greatest floating-point number that is not above.
pub(crate) fn to_f64_down(value: u128, scale: u32) -> f64 {
    let near = value as f64;
    let near = if near as u128 > value { near.next_down() } else { near };
    near / power(scale)
}

/// The least floating-point number that is not below.
pub(crate) fn to_f64_up(value: u128, scale: u32) -> f64 {
    let near = value as f64;
    let near = if (near as u128) < value { near.next_up() } else { near };
    near / power(scale)
}

/// A fraction that is not negative in units, rounded down.
pub(crate) fn floor(value: &BigRational, scale: u32) -> Option<u128> {
    if value.is_negative() {
        return None;
    }
    ((value.numer() << scale) / value.denom()).to_u128()
}

/// The same, rounded up.
pub(crate) fn ceiling(value: &BigRational, scale: u32) -> Option<u128> {
    let down = floor(value, scale)?;
    let exact = BigInt::from(down) * value.denom() == value.numer() << scale;
    Some(down + u128::from(!exact))
}

/// The closest floating-point numbers on both sides of a fraction, as far as the scale tells.
pub(crate) fn enclose(value: &BigRational, scale: u32) -> Option<Bounds> {
    let (down, up) = (floor(value, scale)?, ceiling(value, scale)?);
    Some(Bounds { low: to_f64_down(down, scale), high: to_f64_up(up, scale) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_rounding() {
        for value in [0, 1, (1 << 53) + 1, (1 << 71) - 1, ONE / 3, ONE - 1, ONE, ONE + 1] {
            for scale in [0, 30, 70] {
                let (down, up) = (to_f64_down(value, scale), to_f64_up(value, scale));
                let exact = BigRational::new(BigInt::from(value), BigInt::from(1) << scale);
                let as_fraction = |f: f64| BigRational::from_float(f).expect("finite");
                assert!(as_fraction(down) <= exact && exact <= as_fraction(up));
                assert!(down == up || down.next_up() == up);
            }
        }
        let third = BigRational::new(1.into(), 3.into());
        let Bounds { low, high } = enclose(&third, SCALE).expect("small");
        assert_eq!(low.next_up(), high);
        assert!(BigRational::from_float(low).expect("finite") < third);
        assert!(BigRational::from_float(high).expect("finite") > third);
        assert_eq!(shift_up(5, 1), 3);
        assert_eq!(shift_up(4, 0), 4);
    }
}
