import { clockTimes, MINUTES_PER_DAY } from '../../core/language/stated-durations.ts';
import { isSameValue, statedNumbers } from '../../core/language/stated-numbers.ts';

/** Maximum number of source numbers: among more, some combine to any other by chance. */
const MAX_NUMBERS = 8;
/** Minimum result, except the share of one of two numbers: too many numbers combine to a smaller one by chance. */
export const MIN_RESULT = 10;
/** Minimum number of decimals of a smaller result: prices rarely combine to one by chance. */
const MIN_DECIMALS = 2;

/**
 * Returns the sum, difference, or ratio of the numbers in one of the groups that results in a number, such as
 * `10,000 + 1,000 = 11,000`; undefined if there is none. Numbers are in any written form: `61.420` is also read as
 * sixty-one thousand. Only a share in percent can be a ratio.
 */
export function computeFrom(
  claimed: string,
  groups: readonly (readonly string[])[],
  isShare = true,
): string | undefined {
  const decimals = /[.,](\d+)$/.exec(claimed)?.[1]?.length ?? 0;
  for (const others of groups)
    for (const place of [0, -1]) {
      const read = (number: string): number => statedNumbers(number)[0]?.values.at(place) ?? NaN;
      const result = read(claimed);
      const numbers = [...new Set(others.map(read))].filter((number) => !Number.isNaN(number));
      const computation = compute(result, numbers, Number.isInteger(result) ? 0 : decimals, isShare);
      if (computation !== undefined) return computation;
    }
  return undefined;
}

/**
 * Returns the difference between two successive times of the day in one of the texts that results in a duration, such as
 * `10:15 − 9:45 = 0:30`; undefined if there is none.
 */
export function computeDuration(minutes: readonly number[], texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const times = clockTimes(text);
    for (const [i, from] of times.entries()) {
      const to = times[i + 1];
      if (to === undefined) continue;
      const difference = (to.minutes - from.minutes + MINUTES_PER_DAY) % MINUTES_PER_DAY;
      if (difference > 0 && minutes.some((each) => isSameValue(each, difference)))
        return `${formatTime(to.minutes)} − ${formatTime(from.minutes)} = ${formatTime(difference)}`;
    }
  }
  return undefined;
}

function formatTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60))}:${String(minutes % 60).padStart(2, '0')}`;
}

function compute(
  result: number,
  numbers: readonly number[],
  decimals: number,
  isShare: boolean,
): string | undefined {
  const isSmall = !(result >= MIN_RESULT) && decimals < MIN_DECIMALS;
  const isTooSmall = isSmall && !(isShare && numbers.length === 2);
  if (numbers.length < 2 || numbers.length > MAX_NUMBERS || isTooSmall) return undefined;
  const isResult = (exact: number): boolean => Math.abs(exact - result) <= 0.5 * 10 ** -decimals - 1e-9;
  const isExactly = (exact: number): boolean => Math.abs(exact - result) < 1e-9;
  const formatEquation = (expression: string): string => `${expression} = ${formatNumber(result)}`;
  for (const a of numbers)
    for (const b of numbers) {
      if (a === b) continue;
      if (!isSmall && a > b && isExactly(a + b))
        return formatEquation(`${formatNumber(a)} + ${formatNumber(b)}`);
      if (!isSmall && isExactly(a - b)) return formatEquation(`${formatNumber(a)} − ${formatNumber(b)}`);
      if (b === 0 || !isShare) continue;
      if (isResult((a / b) * 100)) return formatEquation(`${formatNumber(a)} / ${formatNumber(b)} × 100`);
      if (isResult((Math.abs(a - b) / b) * 100))
        return formatEquation(
          a > b
            ? `(${formatNumber(a)} − ${formatNumber(b)}) / ${formatNumber(b)} × 100`
            : `(${formatNumber(b)} − ${formatNumber(a)}) / ${formatNumber(b)} × 100`,
        );
    }
  const sum = numbers.reduce((total, number) => total + number, 0);
  return numbers.length > 2 && isExactly(sum)
    ? formatEquation(numbers.map(formatNumber).join(' + '))
    : undefined;
}

function formatNumber(number: number): string {
  return number.toLocaleString(undefined, { maximumFractionDigits: 6 });
}
