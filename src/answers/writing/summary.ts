import { t } from '@vscode/l10n';
import { throwIfCanceled } from '../../core/domain/errors.ts';
import { cutPassage, type FoundPassage } from '../../core/domain/passage.ts';
import type { Span } from '../../core/language/span.ts';
import type { QuestionInput } from '../question/question-input.ts';
import { describeProvenance, readingStatus, type Provenance } from '../retrieving/provenance.ts';
import type { Cited } from '../retrieving/cite.ts';
import { codeBlocks } from '../places/code-blocks.ts';
import { quotableUnits } from '../places/quotable-units.ts';
import { answerInQuotes } from '../places/quote-answer.ts';
import { tokensToRead } from '../retrieving/reading-budget.ts';
import type { SummaryRequest } from '../../core/language/summary-requests.ts';
import type { Unit } from '../../core/language/units.ts';
import { writeAnswer } from './write-answer.ts';

/** Maximum numbers of quoted passages without a model, and of passages that a model reads. */
const MAX_QUOTED_PASSAGES = 8;
const MAX_READ_PASSAGES = 60;
/** Approximate number of tokens of a passage in a model's context window. */
const TOKENS_OF_ONE = 400;
/** Maximum length to read of one passage, in UTF-16 code units, so that others also fit. */
const MAX_READ_LENGTH = 1500;
/** A quote ends with the sentence that reaches this many UTF-16 code units. */
const LONG_ENOUGH = 250;

/**
 * Summarizes the search scope: by a model from passages spread over its documents, or with excerpts of their beginnings
 * and sections. Resolves to `false` if nothing has the subject's name, so that a search is needed.
 */
export async function summarize({ subject }: SummaryRequest, input: QuestionInput): Promise<boolean> {
  const { question, words: typed = question, passages: finder, model, signal, emit } = input;
  const limit =
    model === undefined ? MAX_QUOTED_PASSAGES : passagesFor(tokensToRead(model.windowTokens, input.tokens));
  const read = await finder.overview(subject, limit);
  throwIfCanceled(signal);
  if (read.length === 0) return false;
  const background = (of: readonly FoundPassage[]): Promise<Provenance> =>
    describeProvenance({ searches: [typed], typed, finder }, of);
  if (model !== undefined) {
    const writing = { read: read.map(shortenPassage), backgroundFor: background, mayLookAgain: false };
    await writeAnswer(model, writing, input);
    return true;
  }
  emit(readingStatus(read));
  const each = Math.max(1, Math.floor(MAX_QUOTED_PASSAGES / read.length));
  const quotes = byDocument(joinAdjacent(read.flatMap((passage) => quoteBeginnings(passage, each))));
  const answer = await answerInQuotes(quotes, introduction, finder);
  throwIfCanceled(signal);
  emit({ kind: 'started', answer: { ...answer, ...(await background(read)) } });
  return true;
}

function introduction(sources: number): string {
  return sources === 1
    ? t('Excerpts from the beginning and the sections of your source:')
    : t('Excerpts from the beginnings and the sections of {0} sources:', sources.toLocaleString());
}

function passagesFor(tokens: number): number {
  return Math.min(MAX_READ_PASSAGES, Math.max(1, Math.floor(tokens / TOKENS_OF_ONE)));
}

/** Shortens a passage to its first whole units. */
function shortenPassage(passage: FoundPassage): FoundPassage {
  const { start, text } = passage;
  if (text.length <= MAX_READ_LENGTH) return passage;
  const end = cutPassage(passage).findLast((unit) => unit.end <= MAX_READ_LENGTH)?.end;
  return end === undefined ? passage : { ...passage, end: start + end, text: text.slice(0, end) };
}

/**
 * Returns the first sentences of a passage and of its sections, each with its heading, at most `limit`; for code, the
 * first block.
 */
function quoteBeginnings(passage: FoundPassage, limit: number): Cited[] {
  const { start, text, format } = passage;
  const beginnings =
    format === 'code'
      ? codeBlocks(text).slice(0, 1)
      : sectionsIn(quotableUnits(passage)).map(sectionBeginning);
  return beginnings
    .slice(0, limit)
    .map((span) => ({ passage, span: { start: start + span.start, end: start + span.end } }));
}

/** Groups units into sections, each from a heading with text below it to the next one. */
function sectionsIn(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const sections: Unit[][] = [];
  for (const [i, unit] of units.entries()) {
    const begins = unit.kind === 'heading' && units[i - 1]?.kind !== 'heading';
    const open = sections.at(-1);
    if (begins || open === undefined) sections.push([unit]);
    else open.push(unit);
  }
  return sections.filter((section) => section.some(({ kind }) => kind !== 'heading'));
}

/** Returns the start of a section from its heading to the sentence that makes it long enough. */
function sectionBeginning(section: readonly Unit[]): Span {
  const at = section.findIndex(({ kind }) => kind !== 'heading');
  const from = section[at - 1]?.start ?? section[at]?.start ?? 0;
  const rest = section.slice(at);
  const last = rest.find(({ end }) => end - (rest[0]?.start ?? 0) >= LONG_ENOUGH) ?? rest.at(-1);
  return { start: from, end: last?.end ?? from };
}

/** Joins quotes that overlap or touch in one passage. The result has the position of the better one. */
function joinAdjacent(quotes: readonly Cited[]): Cited[] {
  const joined: Cited[] = [];
  for (const quote of quotes) {
    let grown = quote;
    let place = joined.length;
    // A joined quote may touch another one that its parts didn't touch.
    for (;;) {
      const index = joined.findIndex((other) => other.passage === grown.passage && touches(other, grown));
      const [other] = index < 0 ? [] : joined.splice(index, 1);
      if (other === undefined) break;
      place = Math.min(place, index);
      const span = {
        start: Math.min(other.span.start, grown.span.start),
        end: Math.max(other.span.end, grown.span.end),
      };
      grown = { passage: quote.passage, span };
    }
    joined.splice(place, 0, grown);
  }
  return joined;
}

function touches(a: Cited, b: Cited): boolean {
  const [first, second] = a.span.start <= b.span.start ? [a.span, b.span] : [b.span, a.span];
  if (second.start <= first.end) return true;
  const { text, start } = a.passage;
  return /^[ \t]*(?:(?:\r\n?|\n)[ \t]*)?$/.test(text.slice(first.end - start, second.start - start));
}

/** Groups quotes by document, in the order of each document's best quote. */
function byDocument(quotes: readonly Cited[]): Cited[] {
  const groups = new Map<number, Cited[]>();
  for (const quote of quotes) {
    const { documentId } = quote.passage;
    groups.set(documentId, [...(groups.get(documentId) ?? []), quote]);
  }
  return [...groups.values()].flat();
}
