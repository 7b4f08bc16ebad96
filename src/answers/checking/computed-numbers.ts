/** Maximum number of source numbers: among more, some combine to any other by chance. */
const MAX_NUMBERS = 8;
/** Minimum result: too many numbers combine to a smaller one by chance. */
const MIN_RESULT = 10;

/**
 * Returns the sum, difference, or ratio of others that results in a number, such as `10,000 + 1,000 = 11,000`;
 * undefined if there is none. Numbers are terms: digits with a decimal point or comma.
 */
export function computeFrom(claimed: string, others: readonly string[]): string | undefined {
  const result = parseNumber(claimed);
  const numbers = [...new Set(others)].map(parseNumber).filter((number) => !Number.isNaN(number));
  if (numbers.length < 2 || numbers.length > MAX_NUMBERS || !(result >= MIN_RESULT)) return undefined;
  const decimals = claimed.split(/[.,]/)[1]?.length ?? 0;
  const isResult = (exact: number): boolean => Math.abs(exact - result) <= 0.5 * 10 ** -decimals - 1e-9;
  const isExactly = (exact: number): boolean => Math.abs(exact - result) < 1e-9;
  const formatEquation = (expression: string): string => `${expression} = ${shown(result)}`;
  for (const a of numbers)
    for (const b of numbers) {
      if (a === b) continue;
      if (a > b && isExactly(a + b)) return formatEquation(`${shown(a)} + ${shown(b)}`);
      if (isExactly(a - b)) return formatEquation(`${shown(a)} − ${shown(b)}`);
      if (b !== 0 && isResult((a / b) * 100)) return formatEquation(`${shown(a)} / ${shown(b)} × 100`);
      if (b !== 0 && isResult((Math.abs(a - b) / b) * 100))
        return formatEquation(
          a > b
            ? `(${shown(a)} − ${shown(b)}) / ${shown(b)} × 100`
            : `(${shown(b)} − ${shown(a)}) / ${shown(b)} × 100`,
        );
    }
  const sum = numbers.reduce((total, number) => total + number, 0);
  return numbers.length > 2 && isExactly(sum) ? formatEquation(numbers.map(shown).join(' + ')) : undefined;
}

function parseNumber(term: string): number {
  return Number(term.replace(',', '.'));
}

function shown(number: number): string {
  return number.toLocaleString(undefined, { maximumFractionDigits: 6 });
}
