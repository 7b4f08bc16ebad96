import type {
  Answer,
  Citation,
  Quote,
  Statement,
  TextAround,
  Turn,
  TurnState,
} from '../../notebook/answer.ts';
import type { Position } from '../../notebook/document.ts';
import type { Locator, PageRectangle } from '../../notebook/locator.ts';
import type { KeptCitation } from '../../notebook/note.ts';
import type { Span } from '../../language/span.ts';
import { fieldsOf, listOf, maybe, numberOf, oneOf, textOf } from './fields.ts';
import { placeBelow, webAddress } from './portable-places.ts';

const sourceKinds = ['file', 'folder', 'selection', 'page', 'site', 'text', 'copy'] as const;
const verdicts = ['contradicted', 'none', 'not-found', 'partly', 'supported'] as const;
const formats = ['code', 'markdown', 'prose'] as const;

/** Where an imported notebook's citations stand here. */
export interface Here {
  /** Folders that files are looked for in, as URIs. */
  readonly roots: readonly string[];
  /** The numbers that documents have here, by those that they had. */
  readonly documentIds: ReadonlyMap<number, number>;
}

/** A turn of an exported conversation. @throws Error where it is none */
export function readTurn(json: unknown, here: Here): Turn {
  const { id, question, askedAt, state, answer, rating, scope } = fieldsOf(json);
  return {
    id: textOf(id),
    question: textOf(question),
    askedAt: numberOf(askedAt),
    state: readState(state),
    answer: maybe(answer, (one) => readAnswer(one, here)),
    rating: maybe(rating, (one) => oneOf(one, ['bad', 'good'])),
    scope: maybe(scope, (one) => {
      const { sourceIds, mentioned } = fieldsOf(one);
      return {
        kind: 'sources' as const,
        sourceIds: listOf(sourceIds).map((sourceId) => textOf(sourceId)),
        mentioned: mentioned === true,
      };
    }),
  };
}

/** A citation of an exported note. @throws Error where it is none */
export function readKept(json: unknown, here: Here): KeptCitation {
  const { id, citation } = fieldsOf(json);
  if (!/^[\da-f]{16}$/.test(textOf(id))) throw new Error('That is no citation.');
  return { id: textOf(id), citation: readCitation(citation, here) };
}

function readState(json: unknown): TurnState {
  const { kind, milliseconds } = fieldsOf(json);
  return kind === 'done' ? { kind, milliseconds: numberOf(milliseconds) } : { kind: 'stopped' };
}

function readAnswer(json: unknown, here: Here): Answer {
  const fields = fieldsOf(json);
  const text = textOf(fields['text']);
  const citations = listOf(fields['citations']).map((one) => readCitation(one, here));
  const searched = maybe(fields['searched'], textOf);
  const index = (one: unknown): number => {
    const value = numberOf(one);
    if (citations[value] === undefined) throw new Error('There is no such citation.');
    return value;
  };
  switch (oneOf(fields['kind'], ['written', 'quotes', 'nothing'])) {
    case 'written': {
      const statements = listOf(fields['statements']).map((one) => readStatement(one, text, index));
      return { kind: 'written', model: textOf(fields['model']), text, statements, citations, searched };
    }
    case 'quotes': {
      const quotes = listOf(fields['quotes']).map((one) => readQuote(one, index));
      const pages = maybe(fields['pages'], (json) => listOf(json).map(numberOf));
      return { kind: 'quotes', text, quotes, citations, pages, searched };
    }
    case 'nothing':
      return { kind: 'nothing', text, citations, searched };
  }
}

function readStatement(json: unknown, text: string, index: (one: unknown) => number): Statement {
  const { verdict, citations, missing, moved, checkedBy, ...span } = fieldsOf(json);
  const by = maybe(checkedBy, textOf);
  const words = maybe(missing, listOf)?.map((one) => readSpan(one, text.length));
  return {
    ...readSpan(span, text.length),
    verdict: oneOf(verdict, verdicts),
    citations: listOf(citations).map(index),
    ...(words !== undefined && { missing: words }),
    ...(moved === true && { moved }),
    ...(by !== undefined && { checkedBy: by }),
  };
}

function readQuote(json: unknown, index: (one: unknown) => number): Quote {
  const { citation, format, languageId, header, around } = fieldsOf(json);
  const place = maybe(around, (one) => readAround(one, index));
  const above = maybe(header, textOf);
  return {
    citation: index(citation),
    format: oneOf(format, formats),
    languageId: maybe(languageId, textOf),
    ...(above !== undefined && { header: above }),
    ...(place !== undefined && { around: place }),
  };
}

function readAround(json: unknown, index: (one: unknown) => number): TextAround {
  const fields = fieldsOf(json);
  const text = textOf(fields['text']);
  const marks = listOf(fields['marks']).map((mark) => readSpan(mark, text.length));
  // They are shown one after the other.
  const ascend = marks.every(({ start }, i) => start >= (marks[i - 1]?.end ?? 0));
  return {
    text,
    headings: listOf(fields['headings']).map(textOf),
    marks: ascend ? marks : [],
    citations: listOf(fields['citations']).map(index),
    goesOn: fields['goesOn'] === true,
  };
}

function readCitation(json: unknown, { roots, documentIds }: Here): Citation {
  const fields = fieldsOf(json);
  const path = maybe(fields['path'], textOf);
  return {
    number: numberOf(fields['number']),
    sourceId: textOf(fields['sourceId']),
    sourceKind: oneOf(fields['sourceKind'], sourceKinds),
    // A document that did not come along has no number here.
    documentId: documentIds.get(numberOf(fields['documentId'])) ?? 0,
    title: textOf(fields['title']),
    place: textOf(fields['place']),
    uri:
      path === undefined ? webAddress(maybe(fields['url'], textOf) ?? '') : (placeBelow(path, roots) ?? ''),
    mediaType: textOf(fields['mediaType']),
    passage: readSpan(fields['passage']),
    span: readSpan(fields['span']),
    quote: textOf(fields['quote']),
    locator: readLocator(fields['locator']),
  };
}

function readLocator(json: unknown): Locator {
  const fields = fieldsOf(json);
  const lines = (): { start: Position; end: Position } => ({
    start: readPosition(fields['start']),
    end: readPosition(fields['end']),
  });
  switch (oneOf(fields['kind'], ['lines', 'cell', 'pdf', 'saved'])) {
    case 'lines':
      return { kind: 'lines', ...lines(), place: maybe(fields['place'], textOf) };
    case 'cell':
      return {
        kind: 'cell',
        cell: numberOf(fields['cell']),
        output: maybe(fields['output'], numberOf),
        ...lines(),
      };
    case 'pdf':
      return {
        kind: 'pdf',
        page: numberOf(fields['page']),
        label: maybe(fields['label'], textOf),
        rectangles: listOf(fields['rectangles']).map(readRectangle),
      };
    case 'saved':
      return { kind: 'saved', span: readSpan(fields['span']), place: maybe(fields['place'], textOf) };
  }
}

function readRectangle(json: unknown): PageRectangle {
  const { page, x, y, width, height } = fieldsOf(json);
  return {
    page: numberOf(page),
    x: numberOf(x),
    y: numberOf(y),
    width: numberOf(width),
    height: numberOf(height),
  };
}

/** @throws Error where it is none */
export function readPosition(json: unknown): Position {
  const { line, character } = fieldsOf(json);
  return { line: numberOf(line), character: numberOf(character) };
}

function readSpan(json: unknown, length = Infinity): Span {
  const fields = fieldsOf(json);
  const [start, end] = [numberOf(fields['start']), numberOf(fields['end'])];
  if (start < 0 || end < start || end > length) throw new Error('That is no span.');
  return { start, end };
}
