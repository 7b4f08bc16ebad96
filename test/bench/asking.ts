import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerQuestion } from '../../src/answers/answer-question.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { QuestionInput } from '../../src/answers/question/question-input.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Span } from '../../src/core/language/span.ts';
import { excerptOf, splitExcerpt } from '../../src/core/domain/excerpt.ts';
import { applyAnswerEvents, quotesAtFirst, type Answer } from '../../src/core/domain/answer.ts';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { finderOver } from '../support/index-finder.ts';
import { isForSearches } from '../support/searches-request.ts';

/** Document with its title and an identifier. */
export interface BenchDocument {
  readonly title: string;
  readonly key: string;
  readonly document: ReadDocument;
}

const SETTINGS = { size: 1_500, overlap: 50 };

/** Runs work with a temporary notebook of texts. */
export async function withNotebook(
  documents: readonly BenchDocument[],
  action: (index: NotebookIndex) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-quotes-'));
  const quiet = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(directory, SETTINGS, quiet);
  try {
    for (const document of documents) await addDocument(index, document);
    await action(index);
  } finally {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function addDocument(index: NotebookIndex, { title, key, document }: BenchDocument): Promise<void> {
  const uri = `file:///${key}`;
  await index.addSource(
    title,
    { kind: 'file', uri },
    { key: '', uri, hash: key, size: document.text.length, modifiedAt: 1, document },
  );
}

/** Converts a Markdown text to a document. */
export function markdownDocument(title: string, text: string): BenchDocument {
  return { title, key: title, document: readMarkdown(text) };
}

/** Reads a file as the editor would. */
export function readFileBytes(name: string, bytes: Uint8Array): Promise<ReadDocument> {
  return readDocument({ bytes, byteLength: bytes.length, name, minimumLength: 1 }, {});
}

/** Returns the answer to a first question in a notebook; excerpts without a model. */
export async function ask(
  index: NotebookIndex,
  question: string,
  how: Partial<QuestionInput> = {},
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  await answerQuestion({
    question,
    history: [],
    titles: index.store.sources().map(({ title }) => title),
    passages: finderOver(index),
    model: undefined,
    writesSearches: false,
    instructions: '',
    signal: new AbortController().signal,
    emit: (event) => {
      answer = applyAnswerEvents(answer, [event]);
    },
    ...how,
  });
  return answer;
}

interface SearchingModel extends LanguageModel {
  /** Requests for an answer. */
  readonly requests: string[];
}

/**
 * Returns a model that replies with these searches to a request for searches, and with no answer to anything else.
 */
export function searchingModel(searches: readonly string[], windowTokens?: number): SearchingModel {
  const requests: string[] = [];
  return {
    name: 'scripted',
    windowTokens,
    requests,
    async *stream(messages) {
      await Promise.resolve();
      if (isForSearches(messages)) {
        yield searches.join('\n');
        return;
      }
      requests.push(messages.at(-1)?.content ?? '');
      yield 'I do not know.';
    },
  };
}

/** Span of a document, by the document's identifier. */
export interface PlaceIn extends Span {
  readonly document: string;
}

/** Returns the identifiers of a notebook's documents. */
export function documentNames(index: NotebookIndex): ReadonlyMap<number, string> {
  return new Map(
    index.store
      .sources()
      .flatMap(({ id }) =>
        index.store.documents
          .ofSource(id)
          .map((entry) => [entry.id, entry.uri.replace(/^file:\/\/\//, '')] as const),
      ),
  );
}

/** Returns the locations that a written answer was based on. */
export function readPlaces(answer: Answer | undefined, names: ReadonlyMap<number, string>): PlaceIn[] {
  if (answer?.kind !== 'written') return [];
  return (answer.read ?? []).map(({ documentId, span }) => placeIn(documentId, span, names));
}

/** Returns the locations that an answer without a model shows first. */
export function shownPlaces(answer: Answer | undefined, names: ReadonlyMap<number, string>): PlaceIn[] {
  if (answer?.kind !== 'quotes') return [];
  return quotesAtFirst(answer).flatMap(({ citation }) => {
    const place = answer.citations[citation];
    return place === undefined ? [] : [placeIn(place.documentId, place.passage, names)];
  });
}

/** Returns the locations of the text that an answer without a model shows unfolded. */
export function unfoldedPlaces(answer: Answer | undefined, names: ReadonlyMap<number, string>): PlaceIn[] {
  if (answer?.kind !== 'quotes') return [];
  return quotesAtFirst(answer).flatMap((quote) => {
    const citation = answer.citations[quote.citation];
    if (citation === undefined) return [];
    const excerpt = excerptOf(quote, citation.quote);
    // The excerpt may begin with a header from elsewhere.
    const from =
      citation.passage.start - (excerpt.text.length - (quote.around?.text ?? citation.quote).length);
    return splitExcerpt(excerpt)
      .flatMap((part): readonly Span[] =>
        part.kind === 'table'
          ? part.rows.filter(({ isShown }) => isShown)
          : part.kind === 'text'
            ? [part]
            : [],
      )
      .map(({ start, end }) => placeIn(citation.documentId, { start: from + start, end: from + end }, names));
  });
}

export function placeIn(
  documentId: number,
  { start, end }: Span,
  names: ReadonlyMap<number, string>,
): PlaceIn {
  return { document: names.get(documentId) ?? '', start, end };
}
