/** Counts of the words and characters in a text. */
export interface TextCounts {
  /** Number of words; in scripts without spaces, two characters count as one. */
  readonly words: number;
  readonly letters: number;
  readonly digits: number;
  readonly capitals: number;
  readonly commas: number;
  readonly sentenceEnds: number;
}

const LETTER = /\p{L}/u;
const DIGIT = /\p{N}/u;
const CAPITAL = /\p{Lu}/u;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const OTHER = 0;
const SMALL = 1;
const LARGE = 2;
const NUMBER = 3;
const COMMA = 4;
const END = 5;
const IDEOGRAPH = 6;

const kinds = new Uint8Array(0x10000).fill(255);

function findKind(unit: number): number {
  const known = kinds[unit] ?? OTHER;
  if (known !== 255) return known;
  const character = String.fromCharCode(unit);
  const kind = SPACELESS.test(character)
    ? IDEOGRAPH
    : CAPITAL.test(character)
      ? LARGE
      : LETTER.test(character) || character === '_' || (unit >= 0xd800 && unit < 0xe000)
        ? SMALL
        : DIGIT.test(character)
          ? NUMBER
          : /[,،、，]/.test(character)
            ? COMMA
            : /[.?!…。？！।؟]/.test(character)
              ? END
              : OTHER;
  kinds[unit] = kind;
  return kind;
}

/** Counts words and characters in one pass. The model's weights depend on it: fit them again after a change. */
export function countText(text: string): TextCounts {
  let [words, letters, digits, capitals, commas, sentenceEnds, ideographs] = [0, 0, 0, 0, 0, 0, 0];
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const kind = findKind(text.charCodeAt(i));
    if (kind === IDEOGRAPH) ideographs++;
    else if (kind === COMMA) commas++;
    else if (kind === END) {
      // A period inside a number or a name doesn't end a sentence.
      if (i + 1 === text.length || findKind(text.charCodeAt(i + 1)) === OTHER) sentenceEnds++;
    }
    const isWord = kind === SMALL || kind === LARGE || kind === NUMBER;
    if (isWord && !inWord) words++;
    inWord = isWord;
    if (kind === NUMBER) digits++;
    else if (kind === LARGE) {
      capitals++;
      letters++;
    } else if (kind === SMALL) letters++;
  }
  words += Math.ceil(ideographs / 2);
  letters += ideographs;
  return { words, letters, digits, capitals, commas, sentenceEnds };
}
