import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PassageFinder } from '../../src/answering/passage-finder.ts';
import { NotebookIndex } from '../../src/indexing/notebook-index.ts';
import type { Answer } from '../../src/notebook/answer.ts';
import { readMarkdown } from '../../src/reading/markdown.ts';
import { answerInQuotes } from '../support/answer-in-quotes.ts';

/** A document by its title. */
export interface BenchText {
  readonly title: string;
  readonly text: string;
}

const SETTINGS = { size: 1_500, overlap: 50 };
const PASSAGES = 8;

/** Does some work with a notebook of texts, which is gone afterwards. */
export async function withNotebook(
  texts: readonly BenchText[],
  work: (index: NotebookIndex) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-quotes-'));
  const quiet = { changed: () => undefined, indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(directory, SETTINGS, quiet);
  try {
    for (const { title, text } of texts) await addDocument(index, title, text);
    await work(index);
  } finally {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function addDocument(index: NotebookIndex, title: string, text: string): Promise<void> {
  const uri = `file:///${title}.md`;
  await index.addSource(
    title,
    { kind: 'file', uri },
    { key: '', uri, hash: title, size: text.length, modifiedAt: 1, document: readMarkdown(text) },
  );
}

/** The answer of a notebook without a model. */
export function ask(index: NotebookIndex, question: string): Promise<Answer | undefined> {
  const passages: PassageFinder = {
    find: (words, limit) => index.search(words, limit),
    overview: (about, limit) => Promise.resolve(index.overview(about, limit)),
    at: (places) => Promise.resolve(index.passagesAt(places)),
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
  return answerInQuotes(question, passages, PASSAGES);
}
