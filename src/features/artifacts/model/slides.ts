import { headingOfLine } from '../../../core/language/markdown-lines.ts';
import { cutUnits } from '../../../core/language/units.ts';
import { specificityOf } from '../../../core/language/words/general-words.ts';
import { partsOfPacks } from '../../../core/language/words/pack-words.ts';
import { ENGLISH } from '../../../core/language/words/word-terms.ts';
import { pointsBack } from '../../../core/language/statement-words.ts';
import { languageOfText, termsIn } from '../../../core/language/words/words.ts';
import { DECK_FRONT_MATTER } from '../../../core/domain/deck.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { findLikelyHeadings } from './likely-headings.ts';
import { making, plainTerm, quoteCell, type SheetPiece } from './sheet.ts';
import { placeIn, type GeneratorDocument } from './generator-document.ts';
import { findSubjectMatter } from './subject-matter.ts';
import { cleanCell } from './table-cells.ts';

/** Sentence of a section, as shown and as cited. */
interface SlidePoint {
  readonly words: string;
  readonly place: DocumentPlace;
}

/** Slide: the heading of a section, and its most informative sentences. */
interface Slide {
  readonly title: string;
  readonly points: readonly SlidePoint[];
}

interface Deck {
  readonly title: string;
  readonly slides: readonly Slide[];
}

const MAX_SLIDES = 60;
const MAX_POINTS = 3;
const MAX_POINT_LENGTH = 240;
const MIN_POINT_LENGTH = 20;
const MIN_POINT_WORDS = 4;
const MIN_LOWER_RATIO = 0.45;
/** Maximum length of a section that is read, in UTF-16 code units. */
const MAX_SECTION_LENGTH = 20_000;

/** Matches openings that depend on the previous sentence. */
const LEADS_ON = new RegExp(
  String.raw`^(?:${partsOfPacks(({ continuations }) => continuations)})(?!\p{L})`,
  'iu',
);
/** Matches captions and remarks on the text. */
const ASIDE = new RegExp(`^(?:${partsOfPacks(({ remarks }) => remarks)})`, 'iu');
/** Patterns from words of packs, for tests. */
export const SLIDE_PATTERNS: readonly RegExp[] = [LEADS_ON, ASIDE];

const PICTURE = /!\[[^\][\n]{0,300}\]\([^()\n]{0,1000}\)/g;
/** Matches the number of a document or page that a converter put before a sentence: "SM590000 A user connects". */
const RUNNING_HEAD = /^(?:\p{Lu}{1,4}\d{3,10}|\d{1,4})\s+\p{Lu}\p{Ll}*\s/u;
/** Matches words that mostly refer to something outside a sentence, and don't make sense on a slide. */
const LEANS_ON =
  /\b(?:he|she|it|they|them|him|his|her|their|its|this|these|those|other|another|everything|such|although|though|additional|also|further)\b/iu;

/** Creates the slides of a document, one for each section with informative sentences. */
function makeSlides(document: GeneratorDocument): Deck {
  const { text, format, headings, title } = document;
  if (format === 'code') return { title, slides: [] };
  const isSubject = findSubjectMatter(document);
  const language = languageOfText(text.slice(0, 20_000));
  const weights = weighTerms(text, language);
  const likely = findLikelyHeadings(headings);
  const slides = likely.flatMap((heading, index): Slide[] => {
    const name = cleanCell(plainTerm(heading.title));
    if (!isSubject(heading.offset) || !/\p{L}/u.test(name)) return [];
    const end = likely[index + 1]?.offset ?? text.length;
    const points = choosePoints(
      document,
      { start: heading.offset, end, title: heading.title },
      weights,
      language,
    );
    return points.length === 0 ? [] : [{ title: name, points }];
  });
  return { title, slides };
}

/** Returns the weight of each word in a document. Frequent and specific words weigh more. */
function weighTerms(text: string, language: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of termsIn(text.slice(0, 400_000), language)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(
    [...counts].map(([term, count]) => [
      term,
      Math.log(1 + count) * (language === ENGLISH ? 0.2 + specificityOf(term) : 1),
    ]),
  );
}

/** Returns the most informative sentences of a section, in order. */
function choosePoints(
  document: GeneratorDocument,
  { start, end, title }: { readonly start: number; readonly end: number; readonly title: string },
  weights: ReadonlyMap<string, number>,
  language: number,
): SlidePoint[] {
  const section = document.text.slice(start, Math.min(end, start + MAX_SECTION_LENGTH));
  const ofTitle = new Set(termsIn(title, language));
  const usedTexts = new Set<string>();
  const points = cutUnits(section, document.format, []).flatMap((unit, order) => {
    const raw = section.slice(unit.start, unit.end);
    const marked = document.format === 'markdown' ? headingOfLine(raw) : undefined;
    const isHeading = marked !== undefined || (raw.startsWith(title) && unit.start < title.length + 10);
    const words = cleanCell(raw.replaceAll(PICTURE, '')).replace(/^(?:[-*+•>]|\d{1,3}[.)])\s+/, '');
    if (isHeading || (unit.kind !== 'sentence' && unit.kind !== 'item') || usedTexts.has(words)) return [];
    usedTexts.add(words);
    if (!isTelling(words) || pointsBack(words, language)) return [];
    const terms = [...new Set(termsIn(words, language))];
    const sum = terms.reduce(
      (total, term) => total + (weights.get(term) ?? 0) * (ofTitle.has(term) ? 1.5 : 1),
      0,
    );
    // The first sentences of a section say what it is about, and long sentences don't say more.
    const position = order < 3 ? 1.3 : 1;
    const place = placeIn(document, { start: start + unit.start, end: start + unit.end });
    const weight = (position * sum) / Math.sqrt(Math.max(6, terms.length));
    return [{ words, place, order, weight }];
  });
  return points
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_POINTS)
    .sort((a, b) => a.order - b.order)
    .map(({ words, place }) => ({ words, place }));
}

/** Reports whether words make sense alone: a whole sentence, not a question, caption, or remark on the text. */
function isTelling(words: string): boolean {
  if (words.length < MIN_POINT_LENGTH || words.length > MAX_POINT_LENGTH) return false;
  const wordList = words.match(/\p{L}[\p{L}'’-]*/gu) ?? [];
  const isSpaced = !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(words);
  if (isSpaced && wordList.length < MIN_POINT_WORDS) return false;
  if (!/^["'“„«¿¡#]{0,2}(?:\p{Lu}|\p{N}|\p{Lo})/u.test(words)) return false;
  if (!/[.!…。！।]["'”“»)\]]{0,3}$/u.test(words)) return false;
  // Names, addresses, and titles of works have capitals, too.
  const lower = wordList.filter((word) => /^\p{Ll}/u.test(word)).length;
  if (/\p{Ll}/u.test(words) && isSpaced && lower < MIN_LOWER_RATIO * wordList.length) return false;
  if (LEADS_ON.test(words) || LEANS_ON.test(words) || RUNNING_HEAD.test(words)) return false;
  if (/[:?？]$/.test(words) || /\p{Ll}[:;]\s*$/u.test(words)) return false;
  if (
    ASIDE.test(words) ||
    /\b(?:the following|as follows|shown (?:in|below|above)|please|(?:read|find out|learn) more|for more (?:details|information)|see (?:section|chapter|figure|table|also))\b/iu.test(
      words,
    )
  )
    return false;
  // Code, addresses, and numbers leave few letters.
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  return letters >= 0.65 * words.replaceAll(/\s/g, '').length;
}

/** Slides in Markdown as Marp reads it. */
export const slides = making(makeSlides, (decks) => {
  const allSlides = decks.flatMap((deck) => deck.slides.map((slide) => ({ deck: deck.title, slide })));
  const limited = allSlides.slice(0, MAX_SLIDES);
  const pieces: SheetPiece[] = [DECK_FRONT_MATTER];
  let deck: string | undefined;
  for (const { deck: title, slide } of limited) {
    if (title !== deck) pieces.push(`${deck === undefined ? '' : '\n---\n'}\n# ${quoteCell(title)}\n`);
    deck = title;
    pieces.push(`\n---\n\n## ${quoteCell(slide.title)}\n\n`);
    for (const { words, place } of slide.points)
      pieces.push(`- ${quoteCell(words, MAX_POINT_LENGTH)} `, place, '\n');
  }
  return { pieces, count: limited.length, omitted: allSlides.length - limited.length };
});
