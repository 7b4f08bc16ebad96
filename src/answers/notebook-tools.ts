import { NotebookError } from '../core/domain/errors.ts';
import { roundRobin } from '../core/domain/round-robin.ts';
import type { FoundPassage } from '../core/domain/passage.ts';
import type { Source } from '../core/domain/source.ts';
import { documentName, numberIn, passagesAsResult } from './retrieving/passages-for-programs.ts';
import type { PassageFinder } from './retrieving/passage-finder.ts';
import { mergeNeighbors } from './retrieving/retriever.ts';

/** Default and maximum numbers of passages in a search. */
const USUAL_PASSAGES = 6;
const MAX_PASSAGES = 20;
/** Maximum number of searches in one call. */
const MAX_QUERIES = 4;
/** Default number of characters to read before and after, and maximum number in total. */
const USUAL_AROUND = 2_000;
const MAX_READ_LENGTH = 20_000;

/** Unvalidated input of a tool from a model. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Notebook as the tools of language models read it. */
export interface ReadableNotebook {
  readonly finder: PassageFinder;
  sources(): Promise<readonly Source[]>;
}

/** Tool that takes a model's input and resolves to its result. @throws NotebookError if the input is invalid */
export type NotebookTool = (
  notebook: ReadableNotebook,
  input: ToolInput,
  signal: AbortSignal,
) => Promise<string>;

/** Returns the best passages for all of `queries`, `passages` in total. */
export const searchNotebook: NotebookTool = async ({ finder }, input, signal) => {
  const passages = await findPassages(finder, input, signal);
  return passages.length === 0
    ? 'Nothing in the notebook matches this. Try different words, or list the sources.'
    : await describePassages(passages, finder);
};

/** Finds the best passages, best first. @throws NotebookError if the input is invalid */
export async function findPassages(
  finder: PassageFinder,
  input: ToolInput,
  signal: AbortSignal,
): Promise<readonly FoundPassage[]> {
  const queries = queriesIn(input);
  const limit = wholeNumber(input['passages'], USUAL_PASSAGES, 1, MAX_PASSAGES);
  const lists = await Promise.all(queries.map((query) => finder.find(query, limit, signal)));
  return mergeNeighbors(roundRobin(lists)).slice(0, limit);
}

/** Returns the text of `document` from `start` to `end`, with `around` characters before and after. */
export const readNotebook: NotebookTool = async ({ finder }, input) => {
  const passages = await readPassages(finder, input);
  return passages.length === 0
    ? 'There is no text at this position. The source was removed or is shorter now. Search again.'
    : await describePassages(passages, finder);
};

/** Reads passages. @throws NotebookError if the input is invalid or belongs to another notebook */
export async function readPassages(
  finder: PassageFinder,
  input: ToolInput,
): Promise<readonly FoundPassage[]> {
  const document = toolText(input['document'], 'document');
  const documentId = numberIn(document);
  if (documentId === undefined)
    throw new NotebookError(
      'unsupported',
      'This tool requires "document" exactly as a search returned it: a number, a hyphen, and eight characters.',
    );
  const start = wholeNumber(input['start'], undefined, 0, Number.MAX_SAFE_INTEGER);
  const end = wholeNumber(input['end'], undefined, start + 1, Number.MAX_SAFE_INTEGER);
  const around = wholeNumber(input['around'], USUAL_AROUND, 0, MAX_READ_LENGTH);
  const from = Math.max(0, start - around);
  const to = Math.min(end + around, from + MAX_READ_LENGTH);
  const passages = await finder.at([{ documentId, span: { start: from, end: to } }]);
  if (passages.some((passage) => documentName(passage) !== document))
    throw new NotebookError(
      'not-found',
      'This document isn’t in the current notebook, or its file was renamed. Search again.',
    );
  return passages;
}

/** Returns the sources with their titles, kinds, and sizes. */
export const listSources: NotebookTool = async (notebook) => {
  const sources = await notebook.sources();
  return sources.length === 0
    ? 'The notebook has no sources yet.'
    : JSON.stringify(sources.map(describeSource), undefined, 1);
};

/** Returns a model's searches, from a list or a single text. @throws NotebookError if there are none */
function queriesIn(input: ToolInput): readonly string[] {
  const rawQueries = input['queries'];
  const queries = (Array.isArray(rawQueries) ? rawQueries : [rawQueries]).filter(
    (query): query is string => typeof query === 'string' && query.trim() !== '',
  );
  if (queries.length > 0) return queries.slice(0, MAX_QUERIES);
  throw new NotebookError('unsupported', 'This tool requires "queries", a list of non-empty texts.');
}

/** @throws NotebookError if a model left out a required value */
export function toolText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new NotebookError('unsupported', `This tool requires "${name}", a non-empty text.`);
}

/** @throws NotebookError if a model's value isn't a whole number and there is no default */
function wholeNumber(value: unknown, usual: number | undefined, minimum: number, limit: number): number {
  const number = value ?? usual;
  if (typeof number === 'number' && Number.isSafeInteger(number))
    return Math.min(limit, Math.max(minimum, number));
  throw new NotebookError('unsupported', 'This tool requires whole numbers, as a search returns them.');
}

async function describePassages(passages: readonly FoundPassage[], finder: PassageFinder): Promise<string> {
  const citations = await finder.cite(
    passages.map((passage, i) => ({
      number: i + 1,
      passage,
      span: { start: passage.start, end: passage.end },
    })),
  );
  return passagesAsResult(
    passages.flatMap((passage, i) => {
      const citation = citations[i];
      return citation === undefined ? [] : [{ passage, citation }];
    }),
  );
}

function describeSource({ title, origin, state, documents, passages }: Source): object {
  return { title, kind: origin.kind, state: state.kind, documents, passages };
}
