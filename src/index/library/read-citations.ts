import * as v from 'valibot';
import { VERDICTS, type Answer, type Citation, type Statement } from '../../core/domain/answer.ts';
import { MAX_IMAGE_LENGTH } from '../../core/domain/note-pictures.ts';
import { SOURCE_KINDS } from '../../core/domain/source.ts';
import { finite, optional } from './exported-values.ts';
import { webAddress } from './portable-places.ts';

/** Local numbers and locations for the citations of an imported notebook. */
export interface ImportedPlaces {
  /** Map from original document numbers to local ones. */
  readonly documentIds: ReadonlyMap<number, number>;
  /** Returns the URI of a document's file by its local number and the path in the citation; '' if it has none. */
  readonly fileAt: (documentId: number, path: string) => string;
}

const span = v.pipe(
  v.object({ start: v.pipe(finite, v.minValue(0)), end: finite }),
  v.check(({ start, end }) => start <= end),
);

export const position = v.object({ line: finite, character: finite });

const locator = v.variant('kind', [
  v.object({ kind: v.literal('lines'), start: position, end: position, place: optional(v.string()) }),
  v.object({
    kind: v.literal('cell'),
    cell: finite,
    output: optional(finite),
    start: position,
    end: position,
  }),
  v.object({
    kind: v.literal('pdf'),
    page: finite,
    label: optional(v.string()),
    rectangles: v.array(v.object({ page: finite, x: finite, y: finite, width: finite, height: finite })),
  }),
  v.object({
    kind: v.literal('saved'),
    span,
    place: optional(v.string()),
    time: optional(v.object({ from: finite, to: finite })),
  }),
]);

const textFormat = v.picklist(['code', 'markdown', 'prose']);

/** Citation with its file's path in a workspace, or its page's address. */
const exportedCitation = v.object({
  number: finite,
  sourceId: v.string(),
  sourceKind: v.picklist(SOURCE_KINDS),
  documentId: finite,
  title: v.string(),
  place: v.string(),
  path: optional(v.string()),
  url: optional(v.string()),
  mediaType: v.string(),
  passage: span,
  span,
  quote: v.string(),
  context: optional(
    v.object({
      before: v.string(),
      after: v.string(),
      format: textFormat,
      languageId: optional(v.string()),
    }),
  ),
  locator,
  isUnchecked: v.exactOptional(v.boolean()),
  evidence: v.exactOptional(v.array(v.object({ statement: v.string(), deciding: v.string() }))),
  picture: v.exactOptional(
    v.object({
      mediaType: v.picklist(['image/jpeg', 'image/png']),
      data: v.pipe(v.string(), v.base64(), v.maxLength(MAX_IMAGE_LENGTH)),
      width: v.pipe(v.number(), v.integer(), v.minValue(1)),
      height: v.pipe(v.number(), v.integer(), v.minValue(1)),
    }),
  ),
});

const indexes = v.array(v.pipe(v.number(), v.integer(), v.minValue(0)));

const statement = v.object({
  start: v.pipe(finite, v.minValue(0)),
  end: finite,
  verdict: v.picklist(VERDICTS),
  citations: indexes,
  missing: v.exactOptional(v.array(span)),
  moved: v.exactOptional(v.literal(true)),
  deciding: v.exactOptional(v.string()),
  checkedBy: v.exactOptional(v.string()),
  computed: v.exactOptional(v.string()),
  // Earlier versions exported more signals, which are no longer shown.
  signals: v.exactOptional(v.fallback(v.optional(v.object({ isVerbatim: v.literal(true) })), undefined)),
});

const around = v.pipe(
  v.object({
    text: v.string(),
    headings: v.array(v.string()),
    marks: v.array(span),
    citations: indexes,
    goesOn: v.boolean(),
  }),
  v.check(({ text, marks }) => marks.every(({ end }) => end <= text.length)),
  v.transform((shown) => {
    // Marks are shown in sequence, so they must be in order.
    const ascend = shown.marks.every(({ start }, i) => start >= (shown.marks[i - 1]?.end ?? 0));
    return ascend ? shown : { ...shown, marks: [] };
  }),
);

const quote = v.object({
  citation: v.pipe(v.number(), v.integer(), v.minValue(0)),
  format: textFormat,
  languageId: optional(v.string()),
  header: v.exactOptional(v.string()),
  around: v.exactOptional(around),
});

const fields = {
  text: v.string(),
  citations: v.array(exportedCitation),
  searches: v.exactOptional(v.array(v.string())),
  searched: v.exactOptional(v.string()),
};

const answer = v.pipe(
  v.variant('kind', [
    v.object({
      kind: v.literal('written'),
      model: v.string(),
      isCut: v.exactOptional(v.boolean()),
      statements: v.array(statement),
      ...fields,
    }),
    v.object({
      kind: v.literal('quotes'),
      quotes: v.array(quote),
      pages: optional(v.array(finite)),
      ...fields,
    }),
    v.object({ kind: v.literal('nothing'), ...fields }),
  ]),
  v.check((candidate) => {
    const cited: number[] = [];
    if (candidate.kind === 'written') {
      for (const { start, end, citations, missing = [] } of candidate.statements) {
        if (
          start > end ||
          [end, ...missing.map((words) => words.end)].some((at) => at > candidate.text.length)
        )
          return false;
        for (const index of citations) cited.push(index);
      }
    } else if (candidate.kind === 'quotes')
      for (const { citation, around: shown } of candidate.quotes)
        for (const index of [citation, ...(shown?.citations ?? [])]) cited.push(index);
    return cited.every((index) => index < candidate.citations.length);
  }),
);

const citedText = v.pipe(
  v.object({ text: v.string(), statements: v.array(statement), citations: v.array(exportedCitation) }),
  v.check(({ text, statements, citations }) =>
    statements.every(
      (candidate) =>
        candidate.start <= candidate.end &&
        [candidate.end, ...(candidate.missing ?? []).map(({ end }) => end)].every(
          (at) => at <= text.length,
        ) &&
        candidate.citations.every((index) => index < citations.length),
    ),
  ),
);

/** Parses an exported answer. @throws ValiError if it isn't valid */
export function readAnswer(json: unknown, places: ImportedPlaces): Answer {
  return importedCitation(v.parse(answer, json), places);
}

/** Parses an exported citation. @throws ValiError if it isn't valid */
export function readCitation(json: unknown, places: ImportedPlaces): Citation {
  return standingHere(v.parse(exportedCitation, json), places);
}

/**
 * Parses a text of an exported research project with its statements and citations.
 * @throws ValiError if it isn't valid
 */
export function readCitedText(
  json: unknown,
  places: ImportedPlaces,
): { readonly text: string; readonly statements: Statement[]; readonly citations: Citation[] } {
  const { text, statements, citations } = v.parse(citedText, json);
  return { text, statements, citations: citations.map((citation) => standingHere(citation, places)) };
}

function importedCitation(read: v.InferOutput<typeof answer>, places: ImportedPlaces): Answer {
  return { ...read, citations: read.citations.map((citation) => standingHere(citation, places)) };
}

function standingHere(
  { path, url = '', ...citation }: v.InferOutput<typeof exportedCitation>,
  { documentIds, fileAt }: ImportedPlaces,
): Citation {
  // A document that wasn't imported has no number here.
  const documentId = documentIds.get(citation.documentId) ?? 0;
  return {
    ...citation,
    documentId,
    uri: path === undefined ? webAddress(url) : fileAt(documentId, path),
  };
}
