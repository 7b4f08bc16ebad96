/** What a text consists of. */
export interface TextCounts {
  /** Words; of scripts without spaces two characters count as one. */
  readonly words: number;
  readonly letters: number;
  readonly digits: number;
  readonly capitals: number;
  readonly commas: number;
  readonly sentenceEnds: number;
}

const letter = /\p{L}/u;
const digit = /\p{N}/u;
const capital = /\p{Lu}/u;
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const other = 0;
const small = 1;
const large = 2;
const number = 3;
const comma = 4;
const end = 5;
const ideograph = 6;

const kinds = new Uint8Array(0x10000).fill(255);

function kindOf(unit: number): number {
  const known = kinds[unit] ?? other;
  if (known !== 255) return known;
  const character = String.fromCharCode(unit);
  const kind = spaceless.test(character)
    ? ideograph
    : capital.test(character)
      ? large
      : letter.test(character) || character === '_' || (unit >= 0xd800 && unit < 0xe000)
        ? small
        : digit.test(character)
          ? number
          : /[,،、，]/.test(character)
            ? comma
            : /[.?!…。？！।؟]/.test(character)
              ? end
              : other;
  kinds[unit] = kind;
  return kind;
}

/** Counts in one pass. */
export function countsOf(text: string): TextCounts {
  let [words, letters, digits, capitals, commas, sentenceEnds, ideographs] = [0, 0, 0, 0, 0, 0, 0];
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind === ideograph) ideographs++;
    else if (kind === comma) commas++;
    else if (kind === end) {
      // A point within a number or a name ends no sentence.
      if (i + 1 === text.length || kindOf(text.charCodeAt(i + 1)) === other) sentenceEnds++;
    }
    const isWord = kind === small || kind === large || kind === number;
    if (isWord && !inWord) words++;
    inWord = isWord;
    if (kind === number) digits++;
    else if (kind === large) {
      capitals++;
      letters++;
    } else if (kind === small) letters++;
  }
  words += Math.ceil(ideographs / 2);
  letters += ideographs;
  return { words, letters, digits, capitals, commas, sentenceEnds };
}
