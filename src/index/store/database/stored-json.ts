import * as v from 'valibot';
import {
  VERDICTS,
  type Answer,
  type AnswerFailure,
  type CheckSignals,
  type Citation,
  type FiguresOffered,
  type Quote,
  type Rating,
  type ReadPassage,
  type Statement,
  type TextAround,
  type ContextSelection,
  type TurnState,
  type UncorrectedAnswer,
} from '../../../core/domain/answer.ts';
import { ERROR_ACTIONS } from '../../../core/domain/errors.ts';
import { pathRule } from '../../../core/domain/included-paths.ts';
import { fitting, maybe } from '../../../core/domain/json-schemas.ts';
import type { Bibliography, CslItem, Person } from '../../../core/domain/bibliography.ts';
import type { Byline, Heading } from '../../../core/domain/document.ts';
import type { Locator } from '../../../core/domain/locator.ts';
import type { Scope } from '../../../core/domain/scope.ts';
import {
  SOURCE_KINDS,
  type SkippedFile,
  type SkipCounts,
  type SourceOrigin,
  type SourceState,
} from '../../../core/domain/source.ts';
import type { PassagePlace, PlaceSignals } from '../../../core/domain/passage.ts';
import type { DocumentVersion } from '../../../core/domain/artifact.ts';
import type { Since, Template } from '../../../core/domain/template.ts';
import type { PartNotes, WritingRequest } from '../../../core/domain/writing.ts';
import type { TokenUsage } from '../../../core/domain/usage.ts';

/*
 * Schemas for the JSON in a notebook's columns. They keep properties that a later version adds to an object, and don't
 * check unimportant ones, so that little of a damaged row is lost.
 */
export type StoredSchema<T> = v.GenericSchema<unknown, T>;

/**
 * Parses a column's JSON; returns `instead` if it doesn't match the schema, for example because a newer version wrote
 * it.
 * @throws SyntaxError if it isn't JSON
 */
export function readJson<T>(schema: StoredSchema<T>, json: unknown, instead: NoInfer<T>): T {
  const read = v.safeParse(schema, JSON.parse(String(json)));
  return read.success ? read.output : instead;
}

/** Parses the JSON of a column that may be null, like `readJson`. */
export function readOptionalJson<T>(schema: StoredSchema<T>, json: unknown): T | undefined {
  return typeof json === 'string' ? readJson<T | undefined>(schema, json, undefined) : undefined;
}

const span = v.looseObject({ start: v.number(), end: v.number() });
const progress = { done: v.number(), total: v.number() };
const position = v.looseObject({ line: v.number(), character: v.number() });
const chapter = v.object({ title: v.string(), from: v.number() });
const recordings = {
  speakers: v.optional(v.record(v.string(), v.string())),
  chapters: v.optional(v.record(v.string(), v.array(chapter))),
};
const place = { uri: v.string(), within: v.optional(v.string()), ...recordings };
const texts = v.array(v.string());
const numbers = v.array(v.number());

export const storedTexts: StoredSchema<string[]> = texts;
/** Schema for page numbers, counted from one. */
export const storedPages: StoredSchema<number[]> = v.array(v.pipe(v.number(), v.integer(), v.minValue(1)));
export const storedNumbers: StoredSchema<number[]> = numbers;
/** Schema for the sources of a generated note. */
export const storedDocumentVersions: StoredSchema<DocumentVersion[]> = v.array(
  v.object({ documentId: v.number(), hash: v.string() }),
);
const storedTemplate: StoredSchema<Template> = v.looseObject({
  name: v.string(),
  title: v.string(),
  description: v.string(),
  notes: v.string(),
  writing: v.string(),
  asksSince: v.boolean(),
  onlySupported: v.optional(v.boolean()),
});
const storedSince: StoredSchema<Since> = v.variant('kind', [
  v.looseObject({ kind: v.literal('note'), title: v.string() }),
  v.looseObject({ kind: v.literal('time'), at: v.number() }),
]);
/** Schema for the settings of a writing. */
export const storedWritingWish: StoredSchema<WritingRequest> = v.looseObject({
  template: storedTemplate,
  since: v.optional(storedSince),
  sourceIds: v.optional(v.array(v.string())),
});
export const storedPlaces: StoredSchema<PassagePlace[]> = v.array(
  v.looseObject({ documentId: v.number(), span }),
);

export const storedOrigin: StoredSchema<SourceOrigin> = v.variant('kind', [
  v.looseObject({ kind: v.literal('file'), ...place }),
  v.looseObject({ kind: v.literal('folder'), ...place }),
  v.looseObject({
    kind: v.literal('selection'),
    uri: v.string(),
    start: v.optional(position),
    languageId: v.optional(v.string()),
  }),
  v.looseObject({ kind: v.literal('page'), url: v.string(), privateHosts: v.exactOptional(texts) }),
  v.looseObject({
    kind: v.literal('site'),
    starts: texts,
    include: texts,
    exclude: texts,
    depth: v.number(),
    limit: v.number(),
    privateHosts: v.optional(texts, []),
  }),
  v.looseObject({ kind: v.literal('text') }),
  v.looseObject({ kind: v.literal('copy'), of: v.picklist(['file', 'folder', 'selection']), ...recordings }),
]);

/** Substitute for a source's lost origin: only the stored text is left. */
export const LOST_ORIGIN: SourceOrigin = { kind: 'copy', of: 'file' };

export const storedSourceState: StoredSchema<SourceState> = v.variant('kind', [
  v.looseObject({ kind: v.picklist(['queued', 'ready']) }),
  v.looseObject({ kind: v.picklist(['reading', 'paused', 'stopped']), ...progress }),
  v.looseObject({ kind: v.literal('failed'), reason: v.string(), code: v.exactOptional(v.string()) }),
]);

export const storedSkips: StoredSchema<SkipCounts> = v.looseObject({
  binary: v.number(),
  tooLarge: v.number(),
  tooShort: v.number(),
  failed: v.number(),
});

export const NOTHING_SKIPPED: SkipCounts = { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 };

export const storedSkippedFiles: StoredSchema<SkippedFile[]> = v.array(
  v.looseObject({
    path: v.string(),
    reason: v.string(),
    kind: v.optional(v.picklist(['binary', 'tooLarge', 'tooShort', 'failed'])),
  }),
);

export const storedHeadings: StoredSchema<Heading[]> = v.array(
  v.looseObject({ offset: v.number(), level: v.number(), title: v.string() }),
);

/** Optional text; invalid values become undefined. */
const optionalWords = v.fallback(
  v.optional(v.string(), () => undefined),
  undefined,
);
export const storedByline: StoredSchema<Byline> = v.looseObject({
  author: optionalWords,
  published: optionalWords,
  canonicalUrl: optionalWords,
  language: optionalWords,
});
const storedPeople: StoredSchema<Person[]> = v.array(
  v.pipe(
    v.looseObject({ family: v.string(), given: v.exactOptional(v.string()) }),
    v.transform(({ given: givenName, ...person }): Person => ({
      ...person,
      ...(givenName !== undefined && { givenName }),
    })),
  ),
);
export const storedCslItem: StoredSchema<CslItem> = v.looseObject({ id: v.string(), type: v.string() });
export const storedBibliography: StoredSchema<Bibliography> = v.looseObject({
  title: v.optional(v.string(), () => undefined),
  authors: storedPeople,
  year: v.optional(v.number(), () => undefined),
  doi: v.optional(v.string(), () => undefined),
  arxiv: v.optional(v.string(), () => undefined),
  item: v.exactOptional(storedCslItem),
});

/** Metadata of a work with the keys that `storedBibliography` reads. */
export interface StoredBibliography extends Omit<Bibliography, 'authors'> {
  readonly authors: readonly object[];
}

/** Returns the metadata of a work as it's stored, exported, and sent to a team. */
export function toStoredBibliography({ authors, ...work }: Bibliography): StoredBibliography {
  const people = authors.map(({ givenName, ...person }) => ({
    ...person,
    ...(givenName !== undefined && { given: givenName }),
  }));
  return { ...work, authors: people };
}

export const storedUsage: StoredSchema<TokenUsage> = v.looseObject({
  input: v.number(),
  output: v.number(),
  estimated: v.number(),
  cost: maybe(v.number()),
});

const optionalPlace = v.optional(v.string());
const locator: StoredSchema<Locator> = v.variant('kind', [
  v.looseObject({ kind: v.literal('lines'), start: position, end: position, place: optionalPlace }),
  v.looseObject({
    kind: v.literal('cell'),
    cell: v.number(),
    output: v.optional(v.number()),
    start: position,
    end: position,
  }),
  v.looseObject({
    kind: v.literal('pdf'),
    page: v.number(),
    label: v.optional(v.string(), () => undefined),
    rectangles: fitting(
      v.looseObject({
        page: v.number(),
        x: v.number(),
        y: v.number(),
        width: v.number(),
        height: v.number(),
      }),
    ),
  }),
  v.looseObject({
    kind: v.literal('saved'),
    span,
    place: optionalPlace,
    time: v.optional(v.looseObject({ from: v.number(), to: v.number() })),
  }),
]);

/** Schema for a document's text format; unknown formats from newer versions become prose. */
export const storedFormat = v.fallback(v.picklist(['code', 'markdown', 'prose']), 'prose');

export const storedCitation: StoredSchema<Citation> = v.looseObject({
  number: v.number(),
  sourceId: v.string(),
  sourceKind: v.fallback(v.picklist(SOURCE_KINDS), LOST_ORIGIN.kind),
  documentId: v.number(),
  title: v.string(),
  place: v.string(),
  uri: v.string(),
  mediaType: v.string(),
  passage: span,
  span,
  quote: v.string(),
  context: maybe(
    v.looseObject({
      before: v.string(),
      after: v.string(),
      format: storedFormat,
      languageId: v.optional(v.string()),
    }),
  ),
  locator,
  isUnchecked: v.exactOptional(v.boolean()),
  evidence: v.exactOptional(v.array(v.looseObject({ statement: v.string(), deciding: v.string() }))),
  figure: v.exactOptional(v.looseObject({ name: v.string(), words: v.string(), start: v.number() })),
  picture: v.exactOptional(
    v.looseObject({
      mediaType: v.picklist(['image/jpeg', 'image/png']),
      data: v.string(),
      width: v.number(),
      height: v.number(),
    }),
  ),
});

/** Earlier versions saved more signals, which are no longer shown. */
const storedSignals: StoredSchema<CheckSignals> = v.looseObject({ isVerbatim: v.literal(true) });
const storedPlaceSignals: StoredSchema<PlaceSignals> = v.looseObject({
  words: v.number(),
  section: v.exactOptional(v.number()),
  headings: v.exactOptional(v.number()),
  table: v.exactOptional(v.number()),
  meaning: v.exactOptional(v.number()),
  begins: v.exactOptional(v.number()),
  quoted: v.exactOptional(v.literal(true)),
});

export const storedStatement: StoredSchema<Statement> = v.looseObject({
  start: v.number(),
  end: v.number(),
  verdict: v.fallback(v.picklist(VERDICTS), 'none'),
  citations: numbers,
  missing: v.exactOptional(v.array(span)),
  signals: maybe(storedSignals),
  moved: v.exactOptional(v.literal(true)),
  deciding: v.exactOptional(v.string()),
  checkedBy: v.exactOptional(v.string()),
  computed: v.exactOptional(v.string()),
});

const textAround: StoredSchema<TextAround> = v.looseObject({
  text: v.string(),
  headings: texts,
  marks: v.array(span),
  citations: numbers,
  goesOn: v.boolean(),
});

const quote: StoredSchema<Quote> = v.looseObject({
  citation: v.number(),
  format: storedFormat,
  languageId: optionalWords,
  header: maybe(v.string()),
  around: maybe(textAround),
});

const readPassage: StoredSchema<ReadPassage> = v.looseObject({
  documentId: v.number(),
  title: v.string(),
  place: v.string(),
  span,
  begins: v.string(),
  score: v.number(),
  nearness: v.exactOptional(v.number()),
  signals: maybe(storedPlaceSignals),
  words: texts,
});

const requestedFigure = { name: v.string(), title: v.string(), place: v.string() };
const storedFiguresOffered: StoredSchema<FiguresOffered> = v.variant('kind', [
  v.looseObject({
    kind: v.picklist(['refused', 'sent']),
    figures: v.array(
      v.looseObject({ ...requestedFigure, width: v.number(), height: v.number(), bytes: v.number() }),
    ),
  }),
  v.looseObject({
    kind: v.literal('offered'),
    figures: v.array(v.looseObject(requestedFigure)),
    to: v.string(),
  }),
  v.looseObject({
    kind: v.literal('undrawn'),
    figures: v.array(v.looseObject(requestedFigure)),
    reason: v.string(),
  }),
]);

const written = {
  model: v.string(),
  isCut: v.exactOptional(v.boolean()),
  statements: v.array(storedStatement),
};

/** Schema for a written text before its correction. */
export const storedUncorrected: StoredSchema<UncorrectedAnswer> = v.looseObject({
  ...written,
  text: v.string(),
  citations: v.array(storedCitation),
});

const fields = {
  text: v.string(),
  citations: v.array(storedCitation),
  read: maybe(fitting(readPassage)),
  figures: maybe(storedFiguresOffered),
  searches: v.optional(texts),
  searched: v.optional(v.string()),
  like: maybe(v.looseObject({ documentId: v.number(), span, quote: v.string() })),
  isIncomplete: v.exactOptional(v.boolean()),
  beforeCorrection: maybe(storedUncorrected),
};

/** Schema for a model's notes on a part of the sources. */
export const storedPartNotes: StoredSchema<PartNotes> = v.looseObject({
  text: v.string(),
  statements: v.array(storedStatement),
  citations: v.array(storedCitation),
});

export const storedAnswer: StoredSchema<Answer> = v.variant('kind', [
  v.looseObject({
    kind: v.literal('written'),
    ...written,
    ...fields,
  }),
  v.looseObject({
    kind: v.literal('quotes'),
    quotes: v.array(quote),
    pages: v.optional(numbers),
    ...fields,
  }),
  v.looseObject({ kind: v.literal('nothing'), ...fields }),
]);

export const storedFailure: StoredSchema<AnswerFailure> = v.looseObject({
  message: v.string(),
  action: v.fallback(
    v.optional(v.picklist(ERROR_ACTIONS), () => undefined),
    undefined,
  ),
});

export const storedTurnState: StoredSchema<TurnState> = v.variant('kind', [
  v.looseObject({ kind: v.picklist(['answering', 'stopped', 'interrupted']) }),
  v.looseObject({ kind: v.literal('done'), milliseconds: v.optional(v.number(), 0) }),
  v.looseObject({
    kind: v.literal('failed'),
    failure: storedFailure,
  }),
]);

export const storedScope: StoredSchema<Scope> = v.variant('kind', [
  v.looseObject({ kind: v.literal('file'), uri: v.string(), title: v.string() }),
  v.looseObject({
    kind: v.literal('sources'),
    sourceIds: texts,
    mentioned: v.optional(v.boolean(), false),
    paths: v.exactOptional(v.array(pathRule)),
  }),
]);

export const storedSelection: StoredSchema<ContextSelection> = v.looseObject({
  uri: v.string(),
  title: v.string(),
  locator,
});

export const storedRating = v.picklist(['bad', 'good'] satisfies Rating[]);
