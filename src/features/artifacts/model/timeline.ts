import { t } from '@vscode/l10n';
import { findDates, type FoundDate } from '../../../core/language/dates.ts';
import { saysWhatHappened } from '../../../core/language/events.ts';
import { cutUnits, type Unit } from '../../../core/language/units.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { generateInSlices, quoteCell, type SheetPiece } from './sheet.ts';
import { sliceDocument, type Slice } from './slices.ts';
import { placeIn, type GeneratorDocument } from './generator-document.ts';
import { findSubjectMatter } from './subject-matter.ts';
import { cleanCell } from './table-cells.ts';

/** A sentence that says what happened at a date. */
interface DatedSentence extends Pick<FoundDate, 'from' | 'to'> {
  readonly words: string;
  readonly place: DocumentPlace;
}

/** Maximum number of events, because nobody reads more. */
const MAX_EVENTS = 100;
const MAX_EVENTS_PER_DATE = 3;
/**
 * Maximum length of a shown sentence, in UTF-16 code units. From a longer one, only the words around the date are
 * shown.
 */
const MAX_SENTENCE_LENGTH = 300;

/** Yields the events of a document, in order, slice by slice. */
function* datedSentences(document: GeneratorDocument): Generator<DatedSentence[]> {
  if (document.format === 'code') return;
  const isSubject = findSubjectMatter(document);
  for (const slice of sliceDocument(document)) yield datedIn(document, slice, isSubject);
}

function datedIn(
  document: GeneratorDocument,
  { text, from, beginning }: Slice,
  isSubject: (offset: number) => boolean,
): DatedSentence[] {
  const { format } = document;
  const dates = findDates(text, beginning);
  const events: DatedSentence[] = [];
  let next = 0;
  for (const unit of dates.length === 0 ? [] : cutUnits(text, format, [])) {
    const { start, end } = unit;
    while ((dates[next]?.start ?? Infinity) < start) next++;
    // A sentence is one event, at its first date.
    const [date] = dates.slice(next, next + 1).filter((candidate) => candidate.end <= end);
    while ((dates[next]?.end ?? Infinity) <= end) next++;
    if (date === undefined || !isSubject(from + start) || !isEvent(text, unit, date, beginning)) continue;
    const shown = around(text, { start, end }, date);
    const place = placeIn(document, { start: from + shown.start, end: from + shown.end });
    const words = cleanCell(document.text.slice(place.start, place.end));
    events.push({ from: date.from, to: date.to, words, place });
  }
  return events;
}

function isEvent(text: string, { start, end, kind }: Unit, date: FoundDate, beginning: string): boolean {
  if (kind !== 'sentence' && kind !== 'item') return false;
  return saysWhatHappened(
    {
      words: text.slice(start, end),
      before: text.slice(start, date.start),
      behind: text.slice(date.end, end),
    },
    beginning,
  );
}

/** Returns a sentence, or the words around the date of a long one, cut between words. */
function around(
  text: string,
  sentence: { start: number; end: number },
  date: FoundDate,
): { start: number; end: number } {
  if (sentence.end - sentence.start <= MAX_SENTENCE_LENGTH) return sentence;
  let start = Math.max(sentence.start, date.start - MAX_SENTENCE_LENGTH / 2);
  let end = Math.min(sentence.end, date.end + MAX_SENTENCE_LENGTH / 2);
  while (start > sentence.start && start < date.start && !/\s/.test(text.charAt(start - 1))) start++;
  while (end < sentence.end && end > date.end && !/\s/.test(text.charAt(end))) end--;
  return { start, end };
}

/** Returns the events of all documents by time. If there are too many, keeps those at the most mentioned dates. */
export const timeline = generateInSlices(datedSentences, (parts) => {
  const usedSentences = new Set<string>();
  const dated = parts.flat().filter(({ words }) => !usedSentences.has(words) && usedSentences.add(words));
  const byDate = new Map<string, DatedSentence[]>();
  for (const event of dated) {
    const date = `${event.from} ${event.to ?? ''}`;
    const known = byDate.get(date);
    if (known === undefined) byDate.set(date, [event]);
    else known.push(event);
  }
  const chosen = [...byDate.values()]
    .sort((a, b) => b.length - a.length || exactness(b[0]) - exactness(a[0]))
    .flatMap((events) => events.slice(0, MAX_EVENTS_PER_DATE))
    .slice(0, MAX_EVENTS)
    .sort((a, b) => dateNumber(a.from) - dateNumber(b.from));
  const pieces = chosen.flatMap(({ from, to, words, place }): SheetPiece[] => [
    `- **${to === undefined ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`}** ${quoteCell(words)} `,
    place,
    '\n',
  ]);
  return { pieces, count: chosen.length, omitted: dated.length - chosen.length };
});

/** Returns the precision of an event's date: a day is more precise than a year, and a year more than a decade. */
function exactness(event: DatedSentence | undefined): number {
  return event === undefined || event.to !== undefined ? 0 : event.from.length;
}

/** Converts a date to a number that grows with it: years, and days as fractions. */
function dateNumber(date: string): number {
  const [, sign, year = '0', month = '0', day = '0'] = /^(-?)(\d+)(?:-(\d+))?(?:-(\d+))?$/.exec(date) ?? [];
  return sign === '-' ? -Number(year) : Number(year) + Number(month) / 100 + Number(day) / 10_000;
}

function formatDate(date: string): string {
  return date.startsWith('-') ? t('{0} BC', Number(date.slice(1))) : date.replace(/^0+/, '');
}
