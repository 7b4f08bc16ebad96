/** `1,250.00` and `12,500,000`. */
const ENGLISH_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
/** `1.250,00` and `12.500.000`; `1.250` alone can also be a decimal number. */
const DOTTED_GROUPS = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
/** `12,50,000.00`. */
const INDIAN_GROUPS = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/;
const DECIMAL_COMMA = /^\d+,\d{1,2}$/;
const DOTTED_DATE = /^(?:(\d{1,2})\.(\d{1,2})\.([12]\d{3})|([12]\d{3})\.(\d{1,2})\.(\d{1,2}))$/;
/** Phone numbers such as `01.23.45.67.89` and `555.123.4567`. */
const DOTTED_PHONE = /^(?:0\d{1,4}(?:\.\d{2,4}){3,4}|\d{3}\.\d{3}\.\d{4})$/;

/** A version in a word, such as `v`, `1.2.3`, and `rc1`. */
interface VersionParts {
  readonly letters?: string;
  readonly number?: string;
  readonly rest?: string;
}

/**
 * Returns the terms of a number: as written or without thousands separators, its value if that is written differently,
 * and its parts. `1,250.00` and `1.250,00` have `1250`.
 */
export function numberTerms(raw: string): string[] {
  const value = ENGLISH_GROUPS.test(raw) ? raw.replaceAll(',', '') : undefined;
  const parts = raw.split(/[.,]/);
  const written = value === undefined ? [raw, ...(parts.length < 2 ? [] : parts)] : [value];
  if (parts.length < 2) return raw.length < 8 ? written : [...written, ...longNumberTerms(raw)];
  const [, day, month, year, firstYear, secondMonth, lastDay] = DOTTED_DATE.exec(raw) ?? [];
  const others = [
    ...valueTerms(raw),
    ...dayTerms(calendarDay(year ?? firstYear, month ?? secondMonth, day ?? lastDay)),
  ];
  if (DOTTED_PHONE.test(raw)) others.push(...phoneTerms(raw.replaceAll('.', ''), false));
  return others.length === 0 ? written : [...new Set([...written, ...others])];
}

/** Returns other forms of a number in eight or more digits: a day such as `20240303`, a phone number, or an ISBN. */
function longNumberTerms(digits: string): string[] {
  const [, year, month, day] = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(digits) ?? [];
  const date = calendarDay(year, month, day);
  if (date !== undefined) return dayTerms(date);
  const phone = /^0[1-9]\d{6,13}$/.test(digits) ? [digits.slice(1)] : [];
  return [...phone, ...isbnTerms(digits)];
}

/** Returns the other form of an ISBN of 10 or 13 digits; none for other numbers, which have another check digit. */
export function isbnTerms(digits: string): string[] {
  if (digits.length === 13 && digits.startsWith('978')) {
    const own = digits.slice(3, 12);
    return digits.endsWith(checkDigit13(digits)) ? [own + checkDigit10(own)] : [];
  }
  const own = digits.slice(0, 9);
  return digits.length === 10 && digits.toUpperCase().endsWith(checkDigit10(own))
    ? [`978${own}${checkDigit13(`978${own}`)}`]
    : [];
}

/** Returns the check digit of an ISBN of 13 digits by its first 12. */
function checkDigit13(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the check digit of an ISBN of 10 digits by its first 9, in lower case. */
function checkDigit10(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += Number(digits[i]) * (10 - i);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'x' : String(check);
}

/** Returns the value of an amount without separators, and its whole part: `1.475,50` has `1475.5` and `1475`. */
export function valueTerms(amount: string): string[] {
  let plain = amount;
  if (ENGLISH_GROUPS.test(amount) || INDIAN_GROUPS.test(amount)) plain = amount.replaceAll(',', '');
  else if (DOTTED_GROUPS.test(amount)) plain = amount.replaceAll('.', '').replace(',', '.');
  else if (DECIMAL_COMMA.test(amount)) plain = amount.replace(',', '.');
  else if (!/^\d+\.\d{0,10}0$/.test(amount)) return [];
  const [whole = '', decimals = ''] = plain.split('.');
  const rest = decimals.replace(/0{1,20}$/, '');
  return rest === '' ? [whole] : [`${whole}.${rest}`, whole];
}

/**
 * Returns the search terms of a version. "python3.11" has the terms of "3.11" and of its parts, "python", and
 * "python3". If `isCompared` is `true`, returns only the terms that must match: the word and the number.
 */
export function versionTerms(
  { letters = '', number = '', rest = '' }: VersionParts,
  termsOf: (part: string) => readonly string[],
  isCompared: boolean,
): string[] {
  const word = letters.length > 1 ? termsOf(letters) : [];
  const after = rest === '' ? [] : termsOf(rest);
  if (isCompared) return [...word, number, ...after];
  const [first = ''] = number.split('.');
  const whole = (letters + first).toLowerCase();
  return [...new Set([...termsOf(letters + first), whole, ...word, ...numberTerms(number), ...after])];
}

/** Country codes of one and two digits; all others have three. */
const SHORT_COUNTRY_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * Returns the terms of a phone number, with and without its country code and the zero before an area code. `digits` has
 * no separators.
 */
export function phoneTerms(digits: string, hasPlus: boolean): string[] {
  const isInternational = hasPlus || digits.startsWith('00');
  const full = digits.replace(/^00/, '');
  const code = SHORT_COUNTRY_CODE.exec(full)?.[0] ?? full.slice(0, 3);
  if (isInternational) return [full, full.slice(code.length).replace(/^0/, '')];
  if (full.startsWith('0')) return [full, full.slice(1)];
  return full.length === 11 && full.startsWith('1') ? [full, full.slice(1)] : [full];
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the terms of a day: itself, and without its year, as in ISO 8601: `2024-03-03` and `--03-03`. */
export function dayTerms(date: string | undefined): string[] {
  return date === undefined ? [] : [date, dayOfYear(date)];
}

/** Returns a day without its year: `--03-03` for `2024-03-03`. */
export function dayOfYear(date: string): string {
  return `-${date.slice(4)}`;
}

/** Reports whether a term is a day without a year. */
export function isDayOfYear(term: string): boolean {
  return term.startsWith('--');
}

/** Returns a day as `2024-03-03`; undefined if it isn't in the calendar. Two digits are a year from 1950 to 2049. */
export function calendarDay(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const short = Number(year) < 50 ? 2000 : 1900;
  const fullYear = year.length === 2 ? short + Number(year) : Number(year);
  const [numericMonth, numericDay] = [Number(month), Number(day)];
  const isLeap = fullYear % 4 === 0 && (fullYear % 100 !== 0 || fullYear % 400 === 0);
  const days = numericMonth === 2 && isLeap ? 29 : (MONTH_LENGTHS[numericMonth - 1] ?? 0);
  if (!(numericDay >= 1 && numericDay <= days)) return undefined;
  const padded = (value: number): string => String(value).padStart(2, '0');
  return `${String(fullYear)}-${padded(numericMonth)}-${padded(numericDay)}`;
}
