/** Letters and punctuation of Chinese, Japanese, and Korean, which are as wide as they are high. */
const WIDE = '\\u1100-\\u11ff\\u2e80-\\ud7ff\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff01-\\uff60';
/** Letters of `WIDE` except Korean. Chinese and Japanese have no spaces between words, not even at line ends. */
const UNSPACED = '\\u2e80-\\u312f\\u3190-\\u9fff\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff01-\\uff60';

const WIDE_LETTER = new RegExp(`[${WIDE}]`);
const WIDE_LETTERS = new RegExp(`[${WIDE}]`, 'g');
const UNSPACED_LETTERS = new RegExp(`[${UNSPACED}]`, 'g');
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`);
/** First code of `WIDE`, and first code of `UNSPACED`. */
const FIRST_WIDE = 0x1100;
const FIRST_UNSPACED = 0x2e80;
const UNSPACED_PAIR = new RegExp(`(?<=[${UNSPACED}]) ?(?=[${UNSPACED}])`, 'g');

/** Returns the number of wide letters in a text. */
export function countWide(text: string): number {
  return text.match(WIDE_LETTERS)?.length ?? 0;
}

/** Reports whether both neighbors belong to scripts without spaces. */
export function areUnspaced(ending: string, beginning: string): boolean {
  return endsUnspaced(ending) && beginsUnspaced(beginning);
}

function endsUnspaced(text: string): boolean {
  return isUnspaced(text.charCodeAt(text.length - 1));
}

function beginsUnspaced(text: string): boolean {
  return isUnspaced(text.charCodeAt(0));
}

function isUnspaced(code: number): boolean {
  return code >= FIRST_UNSPACED && UNSPACED_LETTER.test(String.fromCharCode(code));
}

/**
 * Reports whether a line break between two words replaces no space: both belong to scripts without spaces, or one of
 * them is a foreign word or number in a text of such a script.
 */
export function joinOverLines(ending: string, beginning: string, text: () => string): boolean {
  if (areUnspaced(ending, beginning)) return true;
  if (!endsUnspaced(ending) && !beginsUnspaced(beginning)) return false;
  const around = text();
  return (around.match(UNSPACED_LETTERS)?.length ?? 0) > around.length / 2;
}

interface FoundWord {
  readonly text: string;
  readonly index: number;
  readonly before: '' | ' ';
}

/**
 * Returns the words of a text. Wide letters form words of their own, so that the letters of each word have similar
 * widths.
 */
export function wordsIn(text: string): FoundWord[] {
  const words: FoundWord[] = [];
  let end = 0;
  for (let at = 0; at < text.length;) {
    const kind = findKind(text.charCodeAt(at));
    const index = at;
    do at++;
    while (at < text.length && findKind(text.charCodeAt(at)) === kind);
    if (kind === 'space') continue;
    words.push({ text: text.slice(index, at), index, before: index === end ? '' : ' ' });
    end = at;
  }
  return words;
}

function findKind(code: number): 'space' | 'wide' | 'other' {
  if (code < FIRST_WIDE)
    return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 ? 'space' : 'other';
  const letter = String.fromCharCode(code);
  return WIDE_LETTER.test(letter) ? 'wide' : /\s/.test(letter) ? 'space' : 'other';
}

/** Approximate widths of letters in Helvetica and Times, in font sizes: "i", "W", "N", "灯", a separate accent, "n". */
const LETTER_WIDTHS: readonly (readonly [letters: RegExp, width: number])[] = [
  [/[ \u00a0.,:;'’‘!|ijlI()[\]/ft-]/, 0.3],
  [/[mwMW@%—]/, 0.85],
  [/[\p{Lu}&]/u, 0.68],
  [WIDE_LETTER, 1],
  [/\p{M}/u, 0],
];
const USUAL_LETTER = 0.52;

const WIDTHS = [...LETTER_WIDTHS.map(([, width]) => width), USUAL_LETTER];
/** Indexes of the widths of letters by code point, as far as they are in the table, plus one; 0 before the first use. */
const widthIndexes = new Uint8Array(2 ** 16);

/** Estimates the width of a text in a common font, in font sizes: pdf.js provides only the width of a whole run. */
export function letterWidth(text: string, monospaced: boolean): number {
  return letterWidthFrom(0, text, monospaced);
}

/** Returns the width of a text that follows another with the given width; see `letterWidth`. */
export function letterWidthFrom(before: number, text: string, monospaced: boolean): number {
  if (monospaced) return before + text.length;
  let width = before;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    width += widthOf(code);
  }
  return width;
}

/** Returns the width of a letter, in font sizes. */
function widthOf(code: number): number {
  let index = widthIndexes[code] ?? 0;
  if (index === 0) {
    const letter = String.fromCodePoint(code);
    const at = LETTER_WIDTHS.findIndex(([letters]) => letters.test(letter));
    index = at < 0 ? WIDTHS.length : at + 1;
    // Writing beyond the table has no effect.
    widthIndexes[code] = index;
  }
  return WIDTHS[index - 1] ?? USUAL_LETTER;
}

/** Characters that represent another one or several. */
const COMPATIBLE =
  /[\u00a0\u00b5\u2000-\u200a\u202f\u2126\u2e80-\u2fdf\ufb00-\ufb17\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe4f\ufe70-\ufefc]/g;
/** Punctuation in its forms for vertical writing. */
const VERTICAL_FORM = /[\ufe10-\ufe19\ufe30-\ufe4f]/;
/** Radicals, each before the ideograph that it looks like: a font with one shape for both can name either. */
const radicals = new Map(
  (
    '⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺫目⺬示⺭礻⺯糹⺰纟⺱罓⺲罒⺳㓁⺴冗⺶羊⺹耂⺺肀' +
    '⺻聿⺼肉⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻈讠⻉贝⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟'
  )
    .match(/../g)
    ?.map(([radical = '', ideograph = '']) => [radical, ideograph]),
);

/**
 * Returns the letters of a text in reading order, with ligatures, radicals, and vertical forms resolved. If pdf.js
 * resolved ligatures first, it would reverse the parts of right-to-left ones. It always reverses those that a file
 * itself spells out, so this function corrects orders that no Arabic word has.
 */
export function plainLetters(text: string): string {
  const plain = text
    .replace(COMPATIBLE, plainLetter)
    .replace(/\u0627([\u0622\u0623\u0625])\u0644/g, '\u0627\u0644$1');
  return plain.includes(' ') ? withoutSpacing(plain) : plain;
}

function plainLetter(letter: string): string {
  const plain = radicals.get(letter) ?? letter.normalize('NFKC');
  if (!VERTICAL_FORM.test(letter)) return plain;
  if (/^\.+$/.test(plain)) return plain.length > 2 ? '…' : '‥';
  return /^[!-~]$/.test(plain) ? String.fromCharCode(plain.charCodeAt(0) + 0xfee0) : plain;
}

/** Removes spaces in scripts without spaces: pdf.js reads spaced letters as words. */
function withoutSpacing(text: string): string {
  const pairs = text.match(UNSPACED_PAIR) ?? [];
  const apart = pairs.filter((space) => space !== '').length;
  return 2 * apart > pairs.length ? text.replace(UNSPACED_PAIR, '') : text;
}
