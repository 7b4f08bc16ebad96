import { cutUnits } from '../language/units.ts';
import { isNumber, languageOfText, splitWords, type Word } from '../language/words/words.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { sliceDocument } from './slices.ts';
import { placeIn, type StudioDocument } from './studio-document.ts';

/** Where a term stands: the sentence, and the number of its section in the document. */
interface TermPlace {
  readonly section: number;
  /** Of the sentence among those of the document. */
  readonly sentence: number;
}

/** A term of a document, by how it is written most often. */
interface DocumentTerm {
  /** How often each way to write it comes up. */
  readonly written: Map<string, number>;
  readonly places: TermPlace[];
}

/** What a document's terms are told from. */
interface DocumentTerms {
  readonly sections: number;
  readonly sentences: readonly DocumentPlace[];
  /** By their stems. */
  readonly terms: ReadonlyMap<string, DocumentTerm>;
}

/** A term of several documents, with the sentences that it stands in. */
export interface Term {
  readonly title: string;
  readonly weight: number;
  /** By the place of the document among the parts. */
  readonly places: readonly (TermPlace & { readonly part: number })[];
}

/** How long a term is, in UTF-16 code units: "DNA" is one, "of" is not, and neither is a path or an address. */
const SHORTEST_TERM = 3;
const LONGEST_TERM = 40;
/** What comes up less often in a document is no term of it. */
const FEWEST = 2;
/** So many sentences of a document are looked at, and so many places of a term in it are kept. */
const MOST_SENTENCES = 20_000;
const MOST_PLACES = 200;
/** A word says something beside a pair that it is in where it stands so many times as often: "tide" 15 times, "spring tide" 10. */
const SHARE_ALONE = 1.4;
/** Terms of two words tell more than their words do. */
const PAIR_WEIGHT = 2;

/**
 * The words and pairs of words that come up again in a document, but for stop words and numbers. Slice by slice nothing is
 * told, and in the end all at once: only then it is known what comes up again.
 */
export function* termsOfDocument(document: StudioDocument): Generator<DocumentTerms[]> {
  const { format, headings } = document;
  const sentences: DocumentPlace[] = [];
  const terms = new Map<string, DocumentTerm>();
  let section = 0;
  for (const { text, from, beginning } of format === 'code' ? [] : sliceDocument(document)) {
    if (sentences.length >= MOST_SENTENCES) break;
    const language = languageOfText(beginning);
    for (const { start, end, kind } of cutUnits(text, format, [])) {
      if (kind === 'fence' || sentences.length >= MOST_SENTENCES) continue;
      while ((headings[section]?.offset ?? Infinity) <= from + start) section++;
      const place = { section, sentence: sentences.length };
      sentences.push(placeIn(document, { start: from + start, end: from + end }));
      addTerms(terms, splitWords(text.slice(start, end), language), place);
    }
    yield [];
  }
  for (const [stem, { places }] of terms) if (places.length < FEWEST) terms.delete(stem);
  yield [{ sections: format === 'code' ? 0 : section + 1, sentences, terms }];
}

/** Adds the words of a sentence, and the pairs of them. */
function addTerms(terms: Map<string, DocumentTerm>, words: readonly Word[], place: TermPlace): void {
  for (const [index, word] of words.entries()) {
    if (!isTermWord(word)) continue;
    add(terms, word.terms[0] ?? '', word.raw, place);
    const next = words[index + 1];
    // What stands between the two is a blank alone.
    if (next !== undefined && isTermWord(next) && next.start === word.end + 1)
      add(terms, `${word.terms[0] ?? ''} ${next.terms[0] ?? ''}`, `${word.raw} ${next.raw}`, place);
  }
}

function isTermWord({ raw, terms }: Word): boolean {
  const [stem] = terms;
  if (stem === undefined || isNumber(stem) || raw.length > LONGEST_TERM) return false;
  const letters = raw.match(/\p{L}/gu)?.length ?? 0;
  // Signs of Chinese say as much as words.
  return letters >= SHORTEST_TERM || (letters >= 2 && /\p{sc=Han}|\p{sc=Hangul}/u.test(raw));
}

function add(terms: Map<string, DocumentTerm>, stem: string, raw: string, place: TermPlace): void {
  let term = terms.get(stem);
  if (term === undefined) terms.set(stem, (term = { written: new Map(), places: [] }));
  const written = raw.replaceAll('\u00ad', '');
  term.written.set(written, (term.written.get(written) ?? 0) + 1);
  const last = term.places.at(-1);
  if (term.places.length < MOST_PLACES && last?.sentence !== place.sentence) term.places.push(place);
}

/**
 * The terms that tell most of some documents, the weightiest first: often used, yet not everywhere; and how many there are
 * beside them.
 */
export function keyTerms(
  parts: readonly DocumentTerms[],
  most: number,
): { readonly terms: readonly Term[]; readonly omitted: number } {
  const all = new Map<string, { written: Map<string, number>; places: (TermPlace & { part: number })[] }>();
  let sections = 0;
  for (const [part, { terms, sections: own }] of parts.entries()) {
    sections += own;
    for (const [stem, { written, places }] of terms) {
      let known = all.get(stem);
      if (known === undefined) all.set(stem, (known = { written: new Map(), places: [] }));
      for (const [raw, times] of written) known.written.set(raw, (known.written.get(raw) ?? 0) + times);
      for (const place of places) known.places.push({ ...place, part });
    }
  }
  const weighed = [...all].map(([stem, { written, places }]) => {
    const isPair = stem.includes(' ');
    const within = new Set(places.map(({ part, section }) => `${String(part)} ${String(section)}`)).size;
    const rarity = Math.log(1 + sections / within);
    return { stem, written, places, weight: places.length * rarity * (isPair ? PAIR_WEIGHT : 1) };
  });
  weighed.sort((a, b) => b.weight - a.weight || (a.stem < b.stem ? -1 : 1));
  const taken = new Map<string, number>();
  const terms: Term[] = [];
  let omitted = 0;
  for (const { stem, written, places, weight } of weighed) {
    // A word that mostly stands in a pair that is there already, or such a pair of a word, says nothing more.
    if (places.length <= SHARE_ALONE * (taken.get(stem) ?? 0)) continue;
    for (const word of stem.includes(' ') ? stem.split(' ') : [])
      taken.set(word, Math.max(taken.get(word) ?? 0, places.length));
    if (terms.length < most) terms.push({ title: usualForm(written), weight, places });
    else omitted++;
  }
  return { terms, omitted };
}

/** How a term is written most often; in small letters where it is written so at all. */
function usualForm(written: ReadonlyMap<string, number>): string {
  const [first] = [...written].sort(([a, times], [b, others]) => others - times || (a < b ? 1 : -1));
  const form = first?.[0] ?? '';
  return written.has(form.toLowerCase()) ? form.toLowerCase() : form;
}
