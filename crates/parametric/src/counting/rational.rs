//! Exact fractions of 128-bit numbers. What does not fit is no result, never a wrong one.

/// A fraction in lowest terms, with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    up: i128,
    down: i128,
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational { up: i128::from(value), down: 1 }
    }
}

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational { up: 0, down: 1 };
    /// 1.
    pub const ONE: Rational = Rational { up: 1, down: 1 };

    fn new(up: i128, down: i128) -> Option<Rational> {
        if up == i128::MIN || down == i128::MIN || down == 0 {
            return None;
        }
        let common = gcd(up.unsigned_abs(), down.unsigned_abs()) as i128;
        let sign = down.signum();
        Some(Rational { up: sign * (up / common), down: sign * (down / common) })
    }

    /// `self + other`.
    pub fn plus(self, other: Rational) -> Option<Rational> {
        if self.down == 1 && other.down == 1 {
            return Some(Rational {
                up: self.up.checked_add(other.up).filter(|up| *up != i128::MIN)?,
                down: 1,
            });
        }
        let up = self.up.checked_mul(other.down)?.checked_add(other.up.checked_mul(self.down)?)?;
        Rational::new(up, self.down.checked_mul(other.down)?)
    }

    /// `self − other`.
    pub fn minus(self, other: Rational) -> Option<Rational> {
        self.plus(other.negated())
    }

    /// `self · other`.
    pub fn times(self, other: Rational) -> Option<Rational> {
        if self.down == 1 && other.down == 1 {
            return Some(Rational {
                up: self.up.checked_mul(other.up).filter(|up| *up != i128::MIN)?,
                down: 1,
            });
        }
        Rational::new(self.up.checked_mul(other.up)?, self.down.checked_mul(other.down)?)
    }

    /// `self / other`; none for a divisor 0.
    pub fn over(self, other: Rational) -> Option<Rational> {
        if other == Rational::ONE {
            return Some(self);
        }
        Rational::new(self.up.checked_mul(other.down)?, self.down.checked_mul(other.up)?)
    }

    /// `−self`: the numerator is never the smallest number.
    pub fn negated(self) -> Rational {
        Rational { up: self.up.saturating_neg(), down: self.down }
    }

    /// −1, 0 or 1.
    pub fn sign(self) -> i32 {
        self.up.signum() as i32
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.up == 0
    }

    /// Whether it is smaller than another.
    pub fn is_less(self, other: Rational) -> Option<bool> {
        Some(self.minus(other)?.sign() < 0)
    }

    /// Numerator and denominator.
    pub fn parts(self) -> (i128, i128) {
        (self.up, self.down)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // Most numbers are small, and division of small numbers is quick.
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            let (mut x, mut y) = (x, y);
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return u128::from(x).max(1);
        }
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Multiplies a vector by the smallest positive number that makes all of it whole.
pub fn whole(vector: &[Rational]) -> Option<Vec<i64>> {
    let mut common: i128 = 1;
    for value in vector {
        let (_, down) = value.parts();
        common = common.checked_mul(down / gcd(common.unsigned_abs(), down.unsigned_abs()) as i128)?;
    }
    let factor = Rational { up: common, down: 1 };
    let scaled: Vec<i128> = vector.iter().map(|v| v.times(factor).map(|v| v.up)).collect::<Option<_>>()?;
    let shared = divisor(&scaled);
    scaled.iter().map(|value| i64::try_from(value / shared as i128).ok()).collect()
}

/// The greatest common divisor.
fn divisor(values: &[i128]) -> u128 {
    let mut common: u128 = 0;
    for value in values {
        let (mut a, mut b) = (common, value.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        common = a;
    }
    common.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let third = Rational::ONE.over(3.into()).expect("small");
        let sum = third.plus(third).and_then(|two| two.plus(third)).expect("small");
        assert_eq!(sum, Rational::ONE);
        assert_eq!(third.negated().sign(), -1);
        assert_eq!(Rational::ONE.over(Rational::ZERO), None);
        let large = Rational::from(i64::MAX).times(i64::MAX.into()).expect("it fits 128 bits");
        assert_eq!(large.times(large), None, "too large is no result");
    }

    #[test]
    fn vectors_become_whole() {
        let half = Rational::ONE.over(2.into()).expect("small");
        assert_eq!(whole(&[half, Rational::ONE, half.negated()]), Some(vec![1, 2, -1]));
        assert_eq!(whole(&[4.into(), 6.into()]), Some(vec![2, 3]));
        assert_eq!(whole(&[Rational::ZERO]), Some(vec![0]));
    }
}
