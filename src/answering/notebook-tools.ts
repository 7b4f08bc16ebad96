import { NotebookError } from '../notebook/errors.ts';
import { roundRobin } from '../notebook/round-robin.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { Source } from '../notebook/source.ts';
import { documentName, numberIn, tellPassages } from './retrieving/passages-for-programs.ts';
import type { PassageFinder } from './retrieving/passage-finder.ts';
import { joinNeighbours } from './retrieving/retriever.ts';

/** Passages that a search gives where it is not said how many, and at most. */
const USUAL_PASSAGES = 6;
const MOST_PASSAGES = 20;
/** Searches of one call that are done. */
const MOST_QUERIES = 4;
/** Characters that a reading gives before and after, where it is not said how many, and in all at most. */
const USUAL_AROUND = 2_000;
const MOST_READ = 20_000;

/** What a model gave a tool: nothing of it can be relied on. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The notebook as tools for language models read it. */
export interface ReadableNotebook {
  readonly finder: PassageFinder;
  sources(): Promise<readonly Source[]>;
}

/** Each takes what a model gave and resolves to what it is told. @throws NotebookError where it gave what can't be used. */
export type NotebookTool = (
  notebook: ReadableNotebook,
  input: ToolInput,
  signal: AbortSignal,
) => Promise<string>;

/** The best passages for all of `queries`, `passages` of them together. */
export const searchNotebook: NotebookTool = async ({ finder }, input, signal) => {
  const found = await findPassages(finder, input, signal);
  return found.length === 0
    ? 'Nothing in the notebook matches this. Try other words, or list the sources.'
    : await tellFound(found, finder);
};

/** The same as passages, best first. @throws NotebookError where it gave what can't be used. */
export async function findPassages(
  finder: PassageFinder,
  input: ToolInput,
  signal: AbortSignal,
): Promise<readonly FoundPassage[]> {
  const queries = queriesIn(input);
  const limit = wholeNumber(input['passages'], USUAL_PASSAGES, 1, MOST_PASSAGES);
  const lists = await Promise.all(queries.map((query) => finder.find(query, limit, signal)));
  return joinNeighbours(roundRobin(lists)).slice(0, limit);
}

/** What stands in `document` from `start` to `end`, with `around` characters before and after. */
export const readNotebook: NotebookTool = async ({ finder }, input) => {
  const found = await readPassages(finder, input);
  return found.length === 0
    ? 'Nothing stands there: the source was removed, or is shorter by now. Search again.'
    : await tellFound(found, finder);
};

/** The same as passages. @throws NotebookError where it gave what can't be used, or what is of another notebook. */
export async function readPassages(
  finder: PassageFinder,
  input: ToolInput,
): Promise<readonly FoundPassage[]> {
  const document = toolText(input['document'], 'document');
  const documentId = numberIn(document);
  if (documentId === undefined)
    throw new NotebookError(
      'unsupported',
      'This tool needs "document" whole, as a search gave it: a number, a hyphen and eight signs.',
    );
  const start = wholeNumber(input['start'], undefined, 0, Number.MAX_SAFE_INTEGER);
  const end = wholeNumber(input['end'], undefined, start + 1, Number.MAX_SAFE_INTEGER);
  const around = wholeNumber(input['around'], USUAL_AROUND, 0, MOST_READ);
  const from = Math.max(0, start - around);
  const to = Math.min(end + around, from + MOST_READ);
  const found = await finder.at([{ documentId, span: { start: from, end: to } }]);
  if (found.some((passage) => documentName(passage) !== document))
    throw new NotebookError(
      'not-found',
      'This document is not of the notebook that is shown now, or its file was renamed. Search again.',
    );
  return found;
}

/** The sources with their titles, kinds and sizes. */
export const listSources: NotebookTool = async (notebook) => {
  const sources = await notebook.sources();
  return sources.length === 0
    ? 'The notebook has no sources yet.'
    : JSON.stringify(sources.map(describeSource), undefined, 1);
};

/** What a model asks a search for; one text for a list of one. @throws NotebookError where it asks for nothing. */
function queriesIn(input: ToolInput): readonly string[] {
  const given = input['queries'];
  const queries = (Array.isArray(given) ? given : [given]).filter(
    (query): query is string => typeof query === 'string' && query.trim() !== '',
  );
  if (queries.length > 0) return queries.slice(0, MOST_QUERIES);
  throw new NotebookError('unsupported', 'This tool needs "queries", a list of texts that are not empty.');
}

/** @throws NotebookError where a model left out what it has to give. */
export function toolText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new NotebookError('unsupported', `This tool needs "${name}", a text that is not empty.`);
}

/** @throws NotebookError where a model gave no whole number and there is no usual one. */
function wholeNumber(value: unknown, usual: number | undefined, least: number, most: number): number {
  const given = value ?? usual;
  if (typeof given === 'number' && Number.isSafeInteger(given)) return Math.min(most, Math.max(least, given));
  throw new NotebookError('unsupported', 'This tool needs whole numbers, as a search gives them.');
}

async function tellFound(found: readonly FoundPassage[], finder: PassageFinder): Promise<string> {
  const citations = await finder.cite(
    found.map((passage, i) => ({ number: i + 1, passage, span: { start: passage.start, end: passage.end } })),
  );
  return tellPassages(
    found.flatMap((passage, i) => {
      const citation = citations[i];
      return citation === undefined ? [] : [{ passage, citation }];
    }),
  );
}

function describeSource({ title, origin, state, documents, passages }: Source): object {
  return { title, kind: origin.kind, state: state.kind, documents, passages };
}
