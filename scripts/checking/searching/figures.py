"""Exact statistics, computed without binary floating point."""

import decimal
import math
from decimal import Decimal
from fractions import Fraction

# Enough digits for sums of amounts to be exact.
decimal.getcontext().prec = 200


def rounded(value, decimals):
    """Rounds a fraction half up to a number of decimals."""
    scaled = math.floor(value * 10**decimals + Fraction(1, 2))
    return Decimal(scaled).scaleb(-decimals)


def share(part, whole):
    """Returns a percentage with one decimal, or `None` if `whole` is 0."""
    return rounded(Fraction(part) / Fraction(whole) * 100, 1) if whole else None


def variation(prices, mean):
    """Returns the coefficient of variation in percent, with two decimals, from the sample variance
    (n - 1), or `None` for a single price."""
    if len(prices) < 2:
        return None
    variance = sum((price - mean) ** 2 for price in prices) / (len(prices) - 1)
    # (2 * 100 * 100 * deviation / mean)². Its integer square root is the result in half hundredths
    # of a percent, which can be rounded exactly.
    square = variance / mean**2 * 400_000_000
    doubled = math.isqrt(square.numerator // square.denominator)
    return Decimal((doubled + 1) // 2).scaleb(-2)


def unit(okei, name, prices):
    """Returns the statistics of prices in one unit of measure."""
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
