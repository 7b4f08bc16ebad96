/** Position of letters relative to their line: superscript or subscript. */
export type Raise = 'sub' | 'super';

/** Part of a paragraph with one format. */
export interface TextRun {
  readonly text: string;
  readonly raise?: Raise | undefined;
  readonly isStruck?: boolean | undefined;
}

/** Maximum length of a superscript or subscript, in UTF-16 code units. Longer ones are ordinary text in small letters. */
const MAX_RAISED_LENGTH = 24;
/** Length of the text before a superscript that determines its meaning, in UTF-16 code units. */
const MAX_BASE_LENGTH = 60;

/** Joins the runs of a paragraph. Superscripts, subscripts, and struck text keep their meaning in plain characters. */
export function joinRuns(runs: readonly TextRun[]): string {
  const merged: TextRun[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (run.text === '') continue;
    if (last && last.raise === run.raise && (last.isStruck ?? false) === (run.isStruck ?? false))
      merged[merged.length - 1] = { ...run, text: last.text + run.text };
    else merged.push(run);
  }
  let text = '';
  for (const [index, { text: words, raise, isStruck }] of merged.entries()) {
    const after = merged[index + 1]?.text ?? '';
    const written =
      raise === undefined
        ? words
        : raise === 'super'
          ? markSuper(text, words, after)
          : markSub(text, words, after);
    text += isStruck === true ? strike(written) : written;
  }
  return text;
}

/** Marks words as struck, without the spaces around them. */
function strike(words: string): string {
  return words.replace(/\S(?:[^]*\S)?/, (inner) => `~~${inner}~~`);
}

/**
 * Returns a superscript between the text before and after it: `^6` for an exponent, ` [12]` for the mark of a note or
 * citation, and the plain letters for ordinals such as "1st". Digits never touch those beside them.
 */
function markSuper(before: string, raised: string, after: string): string {
  const mark = raised.trim();
  const base = before.slice(-MAX_BASE_LENGTH);
  if (mark === '' || mark.length > MAX_RAISED_LENGTH || (base.trim() === '' && after.trim() === ''))
    return apart(before, raised, after);
  // The upper part of a fraction, as in 3 1/4.
  if (/^\d{1,3}$/.test(mark) && /^\s?[/⁄∕]/.test(after)) return apart(before, raised, after);
  const [lead, trail] = [
    raised.slice(0, raised.indexOf(mark)),
    raised.slice(raised.indexOf(mark) + mark.length),
  ];
  if (isExponent(base + lead, mark, trail + after))
    return `${lead}^${inBraces(mark)}${trail}${/^\d/.test(trail + after) ? ' ' : ''}`;
  if (/^\d{1,3}[\d\s,;–-]{0,20}$/.test(mark)) {
    const space = base + lead === '' || /[\s([{]$/.test(base + lead) ? '' : ' ';
    const number = /^\d(?:[\d\s,;–-]{0,22}\d)?/.exec(mark)?.[0] ?? mark;
    return `${lead}${space}[${number}]${mark.slice(number.length)}${trail}${/^[\p{L}\p{N}(]/u.test(trail + after) ? ' ' : ''}`;
  }
  return apart(before, raised, after);
}

/** Returns a subscript between the text before and after it: `_2` if its digits would become part of a number. */
function markSub(before: string, lowered: string, after: string): string {
  const mark = lowered.trim();
  if (mark === '' || mark.length > MAX_RAISED_LENGTH || /\s/.test(mark)) return apart(before, lowered, after);
  const isSum = /^[-+−]|[\p{L}\d][-+−,][\p{L}\d]/u.test(mark) && /[\p{L}\p{N})\]]$/u.test(before);
  const joinsNumber = /\d$/.test(before) && /^[\p{L}\d]/u.test(mark);
  const isBeforeDigit = /\d$/.test(mark) && /^\d/.test(after);
  if (!isSum && !joinsNumber && !isBeforeDigit) return lowered;
  return `_${inBraces(mark)}${/^[\p{L}\p{N}]/u.test(after) ? ' ' : ''}`;
}

function inBraces(mark: string): string {
  return /^[-+−]?[\p{L}\d]+$|^\d*[-+−]$/u.test(mark) ? mark : `{${mark}}`;
}

/** Returns text with spaces where its digits would touch others. */
function apart(before: string, text: string, after: string): string {
  const start = /\d$/.test(before) && /^\d/.test(text) ? ' ' : '';
  return `${start}${text}${/\d$/.test(text) && /^\d/.test(after) ? ' ' : ''}`;
}

const UNIT =
  /(?:^|[^\p{L}])(?:[YZEPTGMkhdcmµμnpf]?(?:m|g|s|A|K|L|l|J|W|N|V|Hz|Pa|eV|mol)|da?m|ft|in|yd|mi|ha|min|h|hr|sec|Ω)$/u;

/** Reports whether a superscript is an exponent, a charge, or the mass number of an isotope. */
function isExponent(base: string, mark: string, after: string): boolean {
  if (/^\d{1,3}$/.test(mark) && /(?:^|[\s(,;[])$/.test(base)) return /^[A-Z][a-z]?(?![a-z])/.test(after);
  if (!/[\p{L}\p{N})\]|}]$/u.test(base)) return false;
  if (/^[-+−–]\s?[\p{L}\d]/u.test(mark) || /^\d{0,2}[+−-]$/.test(mark)) return true;
  if (/\p{L}/u.test(mark)) return isVariable(base, mark);
  if (!/^\d{1,3}$/.test(mark)) return false;
  const number = /(?<![\d.,])\d[\d.,]{0,40}$/.exec(base)?.[0];
  if (number !== undefined) return isPowerBase(number, mark) || /^\s?[=×·*]/.test(after);
  if (UNIT.test(base)) return /^[2-4]$/.test(mark);
  if (/(?:^|[^\p{L}]|=\s?\p{L}{1,2})\p{L}$/u.test(base)) return true;
  return /\([^()]{0,30}[-+−*/=×·^][^()]{0,30}\)$|[|\]}]$/.test(base);
}

/** Reports whether a number with a raised one is a power: `10` and `2`, but not the year `2019` or `1,500`. */
function isPowerBase(number: string, mark: string): boolean {
  if (/^\d{1,2}$/.test(number) || /^10+$/.test(number)) return true;
  return /^\d{1,2}[.,]\d{1,2}$/.test(number) && /^[23]$/.test(mark);
}

/** Reports whether a superscript with letters is an exponent such as `n` or `2n+1`, not an ordinal or a word. */
function isVariable(base: string, mark: string): boolean {
  if (/\p{L}{3}/u.test(mark) || /^(?:st|nd|rd|th|er|re|e|o|a|os|as|ers|es|me|TM|SM|R|C|F)$/i.test(mark))
    return false;
  return /\d$|(?:^|[^\p{L}])\p{L}$|[)\]|}]$/u.test(base) && /^[\p{L}\d+−*/().-]+$/u.test(mark);
}
