/* Cloze text: text with gaps in Anki's notation, `{{c1::words}}`. */

const GAP = /\{\{c\d{1,2}::([^{}\n]{1,1000})\}\}/g;

/** Part of a cloze: shown text, or a gap. */
interface ClozePart {
  readonly words: string;
  readonly isGap: boolean;
}

/** Splits a cloze into its text and gaps, in order. */
export function clozeParts(front: string): ClozePart[] {
  const parts: ClozePart[] = [];
  let from = 0;
  for (const match of front.matchAll(GAP)) {
    if (match.index > from) parts.push({ words: front.slice(from, match.index), isGap: false });
    parts.push({ words: match[1] ?? '', isGap: true });
    from = match.index + match[0].length;
  }
  if (from < front.length) parts.push({ words: front.slice(from), isGap: false });
  return parts;
}

/** Marks around the text of a gap in rendered Markdown: characters that nothing else uses. */
export const GAP_START = '\uE000';
export const GAP_END = '\uE001';

/** Returns a cloze with its gaps between marks. */
export function markedGaps(front: string): string {
  return clozeParts(front.replaceAll(/[\uE000\uE001]/g, ''))
    .map(({ words, isGap }) => (isGap ? GAP_START + words + GAP_END : words))
    .join('');
}

/** Reports whether a text has a gap. */
export function hasGap(front: string): boolean {
  return clozeParts(front).some(({ isGap }) => isGap);
}

/**
 * Returns a text with a gap for each occurrence of a term as a separate word, in any case: "A {{c1::sail}} is…, which
 * makes the {{c1::sail}} swell". Undefined if the term doesn't occur or can't be written as a gap.
 */
export function withGaps(words: string, term: string): string | undefined {
  const text = words.replaceAll('{{', '{ {').replaceAll('}}', '} }');
  if (/[{}\n]/.test(term)) return undefined;
  const gapped = replaceTerm(text, term, (termText) => `{{c1::${termText}}}`);
  return gapped === text ? undefined : gapped;
}

/** Replaces each occurrence of a term as a separate word, in any case. */
function replaceTerm(words: string, term: string, instead: (termText: string) => string): string {
  const [text, lowercaseTerm] = [words.toLowerCase(), term.toLowerCase()];
  // A few letters are longer in lowercase. Don't change the case of text that contains them.
  const isSame = text.length === words.length && lowercaseTerm.length === term.length;
  const [where, what] = isSame ? [text, lowercaseTerm] : [words, term];
  if (what === '') return words;
  let result = '';
  let from = 0;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
    const end = at + what.length;
    if (isWithinWord(words, at) || isWithinWord(words, end)) continue;
    result += words.slice(from, at) + instead(words.slice(at, end));
    from = end;
  }
  return result + words.slice(from);
}

/** Reports whether letters are on both sides of an offset. In scripts without spaces, each letter counts as a word. */
function isWithinWord(text: string, at: number): boolean {
  const joined = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{N}]$/u;
  return joined.test(text.charAt(at - 1)) && joined.test(text.charAt(at));
}
