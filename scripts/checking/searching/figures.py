"""Exact figures: never through binary floating point."""

import decimal
import math
from decimal import Decimal
from fractions import Fraction

# Sums of amounts are exact.
decimal.getcontext().prec = 200


def rounded(value, decimals):
    """A fraction, rounded half up to so many decimals."""
    scaled = math.floor(value * 10**decimals + Fraction(1, 2))
    return Decimal(scaled).scaleb(-decimals)


def share(part, whole):
    """The percentage of a whole, or None of nothing."""
    return rounded(Fraction(part) / Fraction(whole) * 100, 1) if whole else None


def variation(prices, mean):
    """The coefficient of variation in percent (n - 1), to two decimals, or None of one price."""
    if len(prices) < 2:
        return None
    variance = sum((price - mean) ** 2 for price in prices) / (len(prices) - 1)
    # (2 * 100 * 100 * deviation / mean)²: twice the hundredths of a percent, so that its whole
    # part says which way to round.
    square = variance / mean**2 * 400_000_000
    doubled = math.isqrt(square.numerator // square.denominator)
    return Decimal((doubled + 1) // 2).scaleb(-2)


def unit(okei, name, prices):
    """The figures of a unit of measure."""
    prices = sorted(prices)
    count = len(prices)
    quartiles = [prices[math.ceil(Fraction(count * part, 4)) - 1] for part in (1, 2, 3)]
    fractions = [Fraction(price) for price in prices]
    mean = sum(fractions) / count
    return {
        "okei": okei or None, "okeiName": name or None, "count": count, "min": prices[0],
        "quartile1": quartiles[0], "median": quartiles[1], "quartile3": quartiles[2],
        "max": prices[-1], "mean": rounded(mean, 2), "variation": variation(fractions, mean),
    }
