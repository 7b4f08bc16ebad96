import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import type { Cited } from './citations.ts';
import { isLabel } from './labels.ts';
import { titleIn } from './quote-sections.ts';
import type { Unit, UnitKind } from './units.ts';
import { unitsOf } from './units.ts';

/** What such a sentence speaks of stands in the one before it. */
export const LEANS_BACK =
  /^(?:\*\*|[-*+•]\s)?(?:It|This|These|Those|They|That|Such|Its|Their|He|She|However|Therefore|Thus|Hence|Instead|Otherwise|So|But|And)\b/;
const INTRODUCES = /[:：][*_]*$/;
const LONGEST_TABLE = 600;
const LONGEST_LIST = 900;
const LONGEST_FENCE = 1500;
const LONGEST_INTRODUCTION = 300;
const SENTENCES_BEFORE_CODE = 6;

/** A unit of a passage, or a whole list or table. */
export interface Quotable extends Span {
  readonly kind: UnitKind | 'list';
}

export interface QuoteNeeds {
  /** The terms of the question that a text holds. */
  readonly askedIn: (text: string) => readonly string[];
  /** Whether the code that follows a sentence belongs to the answer. */
  readonly withCode: boolean;
  /** Whether a sentence tells what the one before it lacks. */
  readonly goesOn: (before: string, sentence: string) => boolean;
}

/**
 * What is quoted for a unit of a passage so that it can be read by itself: a sentence with the one that it leans on or
 * the list, code or table that it introduces; code and lists with the line that introduces them; a short table whole.
 * The span is in the document.
 */
export function quoteOf(passage: FoundPassage, unit: Quotable, needs: QuoteNeeds): Cited {
  const { start, end } = spanOf(passage, unit, needs);
  return { passage, span: { start: passage.start + start, end: passage.start + end } };
}

function spanOf(passage: FoundPassage, { start, end, kind }: Quotable, needs: QuoteNeeds): Span {
  if (passage.format === 'code') return { start, end };
  const units = unitsOf(passage.text, passage.format);
  const span = kind === 'list' ? { start, end } : extended(passage, units, { start, end, kind }, needs);
  return withHeading(passage.text, units, span, needs);
}

/** A span with the heading right above it, where that says what is asked and the span does not. */
function withHeading(text: string, units: readonly Unit[], span: Span, { askedIn }: QuoteNeeds): Span {
  const heading = units.findLast(({ end }) => end <= span.start);
  if (heading?.kind !== 'heading') return span;
  const said = askedIn(text.slice(span.start, span.end));
  const isNew = askedIn(titleIn(text.slice(heading.start, heading.end))).some((term) => !said.includes(term));
  return isNew ? { start: heading.start, end: span.end } : span;
}

function extended(
  { text, format }: FoundPassage,
  units: readonly Unit[],
  unit: Unit,
  { askedIn, withCode, goesOn }: QuoteNeeds,
): Span {
  const at = units.findIndex(({ start }) => start === unit.start);
  const before = units[at - 1];
  const words = text.slice(unit.start, unit.end);
  switch (unit.kind) {
    case 'sentence': {
      if (INTRODUCES.test(words)) return { start: unit.start, end: introducedEnd(text, units, at) };
      const leans = LEANS_BACK.test(words) && before?.kind === 'sentence' && !isParted(text, before, unit);
      const end = withCode ? codeAfter(units, at) : (following(text, units, at, goesOn) ?? unit).end;
      const isNamed = before !== undefined && isLabel(text, before, format);
      return { start: leans || isNamed ? before.start : unit.start, end };
    }
    case 'fence':
      return { start: introduction(text, units, at)?.start ?? unit.start, end: unit.end };
    case 'row':
      return tableAround(text, units, unit);
    case 'item': {
      const first = units.findLastIndex(({ kind }, i) => i < at && kind !== 'item') + 1;
      const introducing = introduction(text, units, first);
      if (introducing === undefined) return unit;
      // An item that tells more of what is asked than the line above the list is told alone.
      const asked = askedIn(text.slice(introducing.start, introducing.end));
      if (asked.length === 0 || askedIn(words).some((term) => !asked.includes(term))) return unit;
      const last = runEnd(text, units, first, LONGEST_LIST);
      return last >= unit.end ? { start: introducing.start, end: last } : unit;
    }
    default:
      return unit;
  }
}

/** The sentence right before a unit that introduces it. */
function introduction(text: string, units: readonly Unit[], at: number): Unit | undefined {
  const [before, unit] = [units[at - 1], units[at]];
  if (before?.kind !== 'sentence' || unit === undefined) return undefined;
  const words = text.slice(before.start, before.end);
  const belongs = INTRODUCES.test(words) && words.length <= LONGEST_INTRODUCTION;
  return belongs && text.slice(before.end, unit.start).trim() === '' ? before : undefined;
}

/** Where the list, code or table that a sentence introduces ends; the sentence's own end where nothing follows. */
function introducedEnd(text: string, units: readonly Unit[], at: number): number {
  const [unit, next] = [units[at], units[at + 1]];
  if (unit === undefined) return 0;
  if (next === undefined || text.slice(unit.end, next.start).trim() !== '') return unit.end;
  switch (next.kind) {
    case 'fence':
      return next.end - next.start <= LONGEST_FENCE ? next.end : unit.end;
    case 'item':
      return runEnd(text, units, at + 1, LONGEST_LIST);
    case 'row':
      return tableAround(text, units, next).end;
    default:
      return unit.end;
  }
}

/** The next sentence of the paragraph, where that tells what this one lacks. */
function following(
  text: string,
  units: readonly Unit[],
  at: number,
  goesOn: QuoteNeeds['goesOn'],
): Unit | undefined {
  const [unit, next] = [units[at], units[at + 1]];
  if (unit === undefined || next?.kind !== 'sentence' || isParted(text, unit, next)) return undefined;
  return goesOn(text.slice(unit.start, unit.end), text.slice(next.start, next.end)) ? next : undefined;
}

/** Where the code ends that follows a sentence at once or after a few more under the same heading; else the sentence's end. */
function codeAfter(units: readonly Unit[], at: number): number {
  const start = units[at]?.start ?? 0;
  const end = units[at]?.end ?? 0;
  for (const unit of units.slice(at + 1, at + 2 + SENTENCES_BEFORE_CODE)) {
    if (unit.kind === 'fence') return unit.end - start <= LONGEST_FENCE ? unit.end : end;
    if (unit.kind !== 'sentence') break;
  }
  return end;
}

/** Where the run of units of one kind ends, cut to a length in characters but never to nothing. */
function runEnd(text: string, units: readonly Unit[], first: number, longest: number): number {
  const begin = units[first];
  let end = begin?.end ?? 0;
  for (const unit of units.slice(first + 1)) {
    if (
      unit.kind !== begin?.kind ||
      text.slice(end, unit.start).trim() !== '' ||
      unit.end - begin.start > longest
    )
      break;
    ({ end } = unit);
  }
  return end;
}

/** The table of a row from its header to its last row, or the row alone where the table is long. */
function tableAround(text: string, units: readonly Unit[], row: Span): Span {
  const rows = units.filter(({ kind }) => kind === 'row');
  const belongs = (between: string): boolean => /^[\s|:-]*$/.test(between) && !/\n[ \t]*\r?\n/.test(between);
  let { start, end } = row;
  for (const other of rows.toReversed())
    if (other.end <= start && belongs(text.slice(other.end, start))) ({ start } = other);
  for (const other of rows)
    if (other.start >= end && belongs(text.slice(end, other.start))) ({ end } = other);
  return end - start <= LONGEST_TABLE ? { start, end } : { start: row.start, end: row.end };
}

function isParted(text: string, before: Span, after: Span): boolean {
  return text.slice(before.end, after.start).includes('\n\n');
}

/** Joins quotes that overlap or follow each other in one passage; the joined quote stands where the better one stood. */
export function joinAdjacent(quotes: readonly Cited[]): Cited[] {
  const joined: Cited[] = [];
  for (const quote of quotes) {
    let grown = quote;
    let place = joined.length;
    // A grown quote may touch another that it did not touch before.
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
  return /^[ \t]*\r?\n?[ \t]*$/.test(text.slice(first.end - start, second.start - start));
}

/** Quotes of one document one after the other, documents in the order of their best. */
export function byDocument(quotes: readonly Cited[]): Cited[] {
  const groups = new Map<number, Cited[]>();
  for (const quote of quotes) {
    const { documentId } = quote.passage;
    groups.set(documentId, [...(groups.get(documentId) ?? []), quote]);
  }
  return [...groups.values()].flat();
}
