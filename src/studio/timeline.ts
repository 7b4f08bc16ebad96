import { t } from '@vscode/l10n';
import { findDates, type FoundDate } from '../language/dates.ts';
import { cutUnits } from '../language/units.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { makingInPieces, quoted, type Piece } from './sheet.ts';
import { sliceDocument, type Slice } from './slices.ts';
import { placeIn, type StudioDocument } from './studio-document.ts';

/** What a sentence says of a date. */
interface DatedSentence extends Pick<FoundDate, 'from' | 'to'> {
  readonly words: string;
  readonly place: DocumentPlace;
}

const MOST_DATES = 1_000;
/** Behind a longer sentence only what stands around the date is shown, in UTF-16 code units. */
const LONGEST_SENTENCE = 300;

/** The dates of a document with their sentences, in its order, slice by slice. */
function* datedSentences(document: StudioDocument): Generator<DatedSentence[]> {
  if (document.format === 'code') return;
  for (const slice of sliceDocument(document)) yield datedIn(document, slice);
}

function datedIn(document: StudioDocument, { text, from, beginning }: Slice): DatedSentence[] {
  const { format } = document;
  const dates = findDates(text, beginning);
  const told: DatedSentence[] = [];
  let next = 0;
  for (const { start, end, kind } of dates.length === 0 ? [] : cutUnits(text, format, [])) {
    while ((dates[next]?.start ?? Infinity) < start) next++;
    for (let date = dates[next]; date !== undefined && date.end <= end; date = dates[++next]) {
      if (kind === 'fence') continue;
      const shown = around(text, { start, end }, date);
      const place = placeIn(document, { start: from + shown.start, end: from + shown.end });
      const words = document.text.slice(place.start, place.end);
      told.push({ from: date.from, to: date.to, words, place });
    }
  }
  return told;
}

/** A sentence, or of a long one what stands around the date, cut between words. */
function around(
  text: string,
  sentence: { start: number; end: number },
  date: FoundDate,
): { start: number; end: number } {
  if (sentence.end - sentence.start <= LONGEST_SENTENCE) return sentence;
  let start = Math.max(sentence.start, date.start - LONGEST_SENTENCE / 2);
  let end = Math.min(sentence.end, date.end + LONGEST_SENTENCE / 2);
  while (start > sentence.start && start < date.start && !/\s/.test(text.charAt(start - 1))) start++;
  while (end < sentence.end && end > date.end && !/\s/.test(text.charAt(end))) end--;
  return { start, end };
}

/** What happened when, in the order of time. */
export const timeline = makingInPieces(datedSentences, (parts) => {
  const seen = new Set<string>();
  const all = parts.flat().filter(({ from, to, words }) => {
    const key = [from, to, words].join('\n');
    return !seen.has(key) && seen.add(key);
  });
  const sorted = all.slice(0, MOST_DATES).sort((a, b) => dateNumber(a.from) - dateNumber(b.from));
  const pieces = sorted.flatMap(({ from, to, words, place }): Piece[] => [
    `- **${to === undefined ? tellDate(from) : `${tellDate(from)} – ${tellDate(to)}`}** ${quoted(words)} `,
    place,
    '\n',
  ]);
  return { pieces, count: sorted.length, omitted: all.length - sorted.length };
});

/** A number that grows with the date: years, and days as parts of them. */
function dateNumber(date: string): number {
  const [, sign, year = '0', month = '0', day = '0'] = /^(-?)(\d+)(?:-(\d+))?(?:-(\d+))?$/.exec(date) ?? [];
  return sign === '-' ? -Number(year) : Number(year) + Number(month) / 100 + Number(day) / 10_000;
}

function tellDate(date: string): string {
  return date.startsWith('-') ? t('{0} BC', Number(date.slice(1))) : date.replace(/^0+/, '');
}
