import { DatabaseSync } from 'node:sqlite';
import { create, insert, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { Postings } from '../../src/index/search/lexical/postings.ts';
import { splitDocument } from '../../src/index/documents/splitter.ts';
import { WordTokenizer } from '../../src/core/language/words/tokenizer.ts';

export interface BenchDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Document by its position in the indexed list. */
interface Ranked {
  readonly document: number;
  readonly score: number;
}

interface DocumentEngine {
  readonly name: string;
  /** Resolves to the search for the best documents, best first. */
  readonly build: (
    documents: readonly BenchDocument[],
  ) => Promise<(question: string, limit: number) => Promise<Ranked[]>>;
}

/** Default settings of the extension. */
const SETTINGS = { size: 1_500, overlap: 50 };
/** Maximum number of hits that the index returns. */
const MAX_HITS = 256;

const ours: DocumentEngine = {
  name: 'Open Notebook',
  build: async (documents) => {
    const index = PassageIndex.create();
    const owners: number[] = [];
    for (const [document, { title, text }] of documents.entries()) {
      const passages = splitDocument({ text, format: 'prose', headings: [] }, SETTINGS).map(
        ({ start, end }) => ({
          id: owners.push(document),
          sourceId: 's',
          terms: `${title}\n${text.slice(start, end)}`,
        }),
      );
      await index.add(passages);
    }
    return async (question, limit) => {
      const best = new Map<number, number>();
      for (const { id, score } of await index.search(question, { limit: MAX_HITS })) {
        const document = owners[id - 1];
        if (document !== undefined && !best.has(document)) best.set(document, score);
      }
      return [...best].slice(0, limit).map(([document, score]) => ({ document, score }));
    };
  },
};

const plainBm25: DocumentEngine = {
  name: 'BM25, same tokens',
  build: (documents) => {
    const tokenizer = new WordTokenizer();
    const postings = new Postings();
    for (const [i, { title, text }] of documents.entries())
      postings.add(i + 1, tokenizer.numbersOfPassage(`${title}\n${text}`, postings.vocabulary));
    return Promise.resolve((question, limit) =>
      Promise.resolve(
        postings
          .search(tokenizer.termsOfQuestion(question), { k: 1.5, b: 0.75 })
          .slice(0, limit)
          .map(([slot, score]) => ({ document: slot - 1, score })),
      ),
    );
  },
};

const sqlite: DocumentEngine = {
  name: 'SQLite FTS5',
  build: (documents) => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE VIRTUAL TABLE documents USING fts5(title, text)');
    const insertion = database.prepare('INSERT INTO documents(rowid, title, text) VALUES (?, ?, ?)');
    database.exec('BEGIN');
    for (const [i, { title, text }] of documents.entries()) insertion.run(i + 1, title, text);
    database.exec('COMMIT');
    const best = database.prepare(
      'SELECT rowid, bm25(documents) AS score FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT ?',
    );
    return Promise.resolve((question, limit) => {
      const words = anyWord(question);
      const rows = words === '' ? [] : best.all(words, limit);
      return Promise.resolve(
        rows.map(({ rowid, score }) => ({ document: Number(rowid) - 1, score: -Number(score) })),
      );
    });
  },
};

const miniSearch: DocumentEngine = {
  name: 'MiniSearch',
  build: (documents) => {
    const index = new MiniSearch<{ id: number; title: string; text: string }>({ fields: ['title', 'text'] });
    index.addAll(documents.map(({ title, text }, id) => ({ id, title, text })));
    return Promise.resolve((question, limit) =>
      Promise.resolve(
        index
          .search(question)
          .slice(0, limit)
          .map(({ id, score }) => ({ document: id as number, score })),
      ),
    );
  },
};

const orama: DocumentEngine = {
  name: 'Orama as it comes',
  build: async (documents) => {
    const database = create({ schema: { title: 'string', text: 'string' } as const });
    for (const [i, { title, text }] of documents.entries())
      await insert(database, { id: String(i), title, text });
    return async (question, limit) => {
      const { hits } = await search(database, { term: question, limit });
      return hits.map(({ id, score }) => ({ document: Number(id), score }));
    };
  },
};

/** Engines, starting with ours. */
export const documentEngines: readonly DocumentEngine[] = [ours, plainBm25, sqlite, miniSearch, orama];

/** Returns a query of FTS5 for documents with any word of a question. */
export function anyWord(question: string): string {
  return (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');
}
