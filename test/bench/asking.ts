import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PassageFinder } from '../../src/answering/retrieving/passage-finder.ts';
import { NotebookIndex } from '../../src/indexing/worker/notebook-index.ts';
import type { Answer } from '../../src/notebook/answer.ts';
import type { ReadDocument } from '../../src/notebook/document.ts';
import { readMarkdown } from '../../src/reading/markdown.ts';
import { answerInQuotes } from '../support/answer-in-quotes.ts';

/** A document with its title, and the name that its place is known by. */
export interface BenchDocument {
  readonly title: string;
  readonly key: string;
  readonly document: ReadDocument;
}

const SETTINGS = { size: 1_500, overlap: 50 };

/** Does some work with a notebook of texts, which is gone afterwards. */
export async function withNotebook(
  documents: readonly BenchDocument[],
  work: (index: NotebookIndex) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-quotes-'));
  const quiet = { changed: () => undefined, indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(directory, SETTINGS, quiet);
  try {
    for (const document of documents) await addDocument(index, document);
    await work(index);
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

/** A text in Markdown as a document. */
export function markdownDocument(title: string, text: string): BenchDocument {
  return { title, key: title, document: readMarkdown(text) };
}

/** The answer of a notebook without a model. */
export function ask(index: NotebookIndex, question: string): Promise<Answer | undefined> {
  return answerInQuotes(question, finderOver(index));
}

/** What answering asks of a notebook's index. */
export function finderOver(index: NotebookIndex): PassageFinder {
  return {
    find: (words, limit) => index.search(words, limit),
    gather: (searches, tokens) => index.gather({ searches: searches.map((words) => ({ words })), tokens }),
    places: (words) => index.places({ words }),
    overview: (about, limit) => Promise.resolve(index.passageSearch.overview(about, limit)),
    at: (places) => Promise.resolve(index.passageSearch.passagesAt(places)),
    cite: (requests) =>
      Promise.resolve(
        index.cited.cite(
          requests.map(({ number, passage, span }) => ({
            number,
            documentId: passage.documentId,
            passage: { start: passage.start, end: passage.end },
            span,
            quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
          })),
        ),
      ),
  };
}
