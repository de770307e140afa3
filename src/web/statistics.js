// Exact statistics of prices. Prices and results are decimal strings and all arithmetic uses
// integers, so no figure shown or saved is affected by floating point.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

const placesOf = (text) => DECIMAL.exec(text)?.[3]?.length ?? 0;

/**
 * Converts a decimal to an integer in units of its `places`-th decimal place. The decimal must not
 * have more places.
 */
function units(text, places) {
  const [, sign = "", whole = "0", fraction = ""] = DECIMAL.exec(text) ?? [];
  return BigInt(sign + whole + fraction.padEnd(places, "0"));
}

/** The inverse of `units`. */
function decimalOf(number, places) {
  const digits = String(number < 0n ? -number : number).padStart(places + 1, "0");
  const fraction = digits.slice(digits.length - places);
  return (number < 0n ? "-" : "") + digits.slice(0, digits.length - places) + (places ? `.${fraction}` : "");
}

/** Divides two integers. The result has `places` decimal places, rounded half away from zero. */
function ratio(dividend, divisor, places) {
  const isNegative = dividend < 0n;
  const twice = 2n * (isNegative ? -dividend : dividend) * 10n ** BigInt(places);
  const rounded = (twice + divisor) / (2n * divisor);
  return decimalOf(isNegative ? -rounded : rounded, places);
}

/** The integer square root of a non-negative number, rounded down. */
function root(number) {
  if (number < 2n) return number;
  let guess = 1n << BigInt(Math.ceil(number.toString(2).length / 2));
  for (;;) {
    const next = (guess + number / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Returns the square root of a ratio with `places` decimal places, rounded half up. */
function rootOfRatio(dividend, divisor, places) {
  const twice = root((4n * dividend * 100n ** BigInt(places)) / divisor);
  return decimalOf((twice + 1n) / 2n, places);
}

/**
 * Returns the statistics of one or more prices above zero. `sum` is exact; the others are rounded
 * half up to two places: `mean`; `squares`, the sum of squared differences from the unrounded mean;
 * `deviation`, the sample standard deviation (n − 1); `variation`, the coefficient of variation in
 * percent. The last two are "" for a single price.
 */
export function statisticsOf(prices) {
  const count = BigInt(prices.length);
  const places = Math.max(...prices.map(placesOf));
  /** @type {bigint[]} */
  const all = prices.map((price) => units(price, places));
  const sum = all.reduce((total, one) => total + one, 0n);
  const square = all.reduce((total, one) => total + one * one, 0n);
  const unit = 10n ** BigInt(places);
  // `count` times the sum of squared differences, in squared units.
  const spread = count * square - sum * sum;
  const isSingle = count === 1n;
  return {
    count: prices.length,
    sum: decimalOf(sum, places),
    mean: ratio(sum, count * unit, 2),
    squares: ratio(spread, count * unit * unit, 2),
    deviation: isSingle ? "" : rootOfRatio(spread, count * (count - 1n) * unit * unit, 2),
    variation: isSingle ? "" : rootOfRatio(10_000n * count * spread, (count - 1n) * sum * sum, 2),
  };
}

/** Multiplies two decimals, rounded half up to two places. */
export function times(price, quantity) {
  const [left, right] = [placesOf(price), placesOf(quantity)];
  return ratio(units(price, left) * units(quantity, right), 10n ** BigInt(left + right), 2);
}

/**
 * Rounds a decimal half up to two places. A decimal that would become zero keeps all its places.
 */
export function toKopecks(text) {
  const places = placesOf(text);
  if (places <= 2) return text;
  const rounded = ratio(units(text, places), 10n ** BigInt(places), 2);
  return /[1-9]/.test(rounded) ? rounded : text;
}

/**
 * Returns by how many percent a price is above another one, as a whole number; negative if it is
 * below.
 */
export function percentAbove(price, other) {
  const places = Math.max(placesOf(price), placesOf(other));
  const [one, base] = [units(price, places), units(other, places)];
  return ratio((one - base) * 100n, base, 0);
}

/** Compares two decimals, as required by `sort`. */
export function compare(one, other) {
  const places = Math.max(placesOf(one), placesOf(other));
  const difference = units(one, places) - units(other, places);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Returns whether a price is above the upper quartile by more than 1.5 times the interquartile range. */
export function isOutOfLine(price, { quartile1, quartile3 }) {
  const places = Math.max(...[price, quartile1, quartile3].map(placesOf));
  const [one, low, high] = [price, quartile1, quartile3].map((text) => units(text, places));
  return 2n * one > 5n * high - 3n * low;
}

/** Upper bound, in percent, on the coefficient of variation of homogeneous prices. */
export const MOST_VARIATION = "33";

/** Classifies prices by their coefficient of variation: `single`, `homogeneous` or `heterogeneous`. */
export function homogeneity(variation) {
  if (!variation) return "single";
  return compare(variation, MOST_VARIATION) > 0 ? "heterogeneous" : "homogeneous";
}

/**
 * Returns about `most` axis marks that cover the range from `low` to `high`. The step is 1, 2 or 5
 * times a power of ten.
 */
export function marksBetween(low, high, most) {
  const places = Math.max(placesOf(low), placesOf(high)) + 2;
  const [from, to] = [units(low, places), units(high, places)];
  const above = (step) => (to + step - 1n) / step;
  let step = 1n;
  for (let at = 1; above(step) - from / step > BigInt(most); at += 1) {
    step = [1n, 2n, 5n][at % 3] * 10n ** BigInt(Math.floor(at / 3));
  }
  const marks = [];
  for (let at = from / step; at <= above(step); at += 1n)
    marks.push(decimalOf(at * step, places).replace(/\.?0+$/, ""));
  return marks;
}

/** Returns the position of a decimal between `low` (0) and `high` (1), for drawing. */
export function position(text, low, high) {
  const places = Math.max(...[text, low, high].map(placesOf));
  const [at, from, to] = [text, low, high].map((one) => units(one, places));
  return Number(((at - from) * 1_000_000n) / (to - from)) / 1_000_000;
}
