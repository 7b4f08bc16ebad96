import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { create, insert, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { anyWord } from './document-peers.ts';

/** Engine under measurement. Passages are identified by number, and alternate between ten sources. */
export interface Running {
  readonly add: (texts: readonly string[], first: number) => unknown;
  /** Returns the best passages, 10 by default. */
  readonly search: (question: string, limit?: number) => unknown;
  /** Removes passages. */
  readonly remove?: (numbers: readonly number[]) => unknown;
  /** Removes one of ten sources. */
  readonly removeSource?: (total: number) => unknown;
  /** Saves the index in a file, then opens it and asks a question. Measures both in milliseconds. */
  readonly snapshot?: (question: string, measure: Measure) => Promise<Snapshot>;
}

export interface Engine {
  readonly name: string;
  /** Maximum number of passages that the engine accepts in a reasonable time, and that fit into memory as objects. */
  readonly limit: number;
  readonly start: () => Running;
}

/** Returns the time of an action in milliseconds. */
type Measure = (action: () => unknown) => Promise<number>;

/** Size of a snapshot in bytes, and the times to write it, and to read it up to the first answer, in milliseconds. */
export interface Snapshot {
  readonly bytes: number;
  readonly write: number;
  readonly read: number;
}

const SOURCES = 10;

function numbersOfSource(total: number): number[] {
  return Array.from({ length: Math.ceil(total / SOURCES) }, (_, i) => i * SOURCES);
}

/** Returns the result of an action with the path of a file in a temporary folder. */
async function withFile<T>(action: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'speed-'));
  try {
    return await action(join(folder, 'snapshot'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ours: Engine = {
  name: 'Open Notebook',
  limit: Infinity,
  start: () => {
    const index = PassageIndex.create();
    return {
      add: (texts, first) =>
        index.add(
          texts.map((terms, i) => ({ id: first + i + 1, sourceId: String((first + i) % SOURCES), terms })),
        ),
      search: (question, limit = 10) => index.search(question, { limit }),
      remove: (numbers) => index.remove(numbers.map((number) => number + 1)),
      removeSource: (total) => index.remove(numbersOfSource(total).map((number) => number + 1)),
      snapshot: (question, measure) =>
        withFile(async (file) => {
          const write = await measure(() => {
            writeFileSync(file, index.write(1));
          });
          const read = await measure(() =>
            PassageIndex.read(readFileSync(file)).index.search(question, { limit: 10 }),
          );
          return { bytes: statSync(file).size, write, read };
        }),
    };
  },
};

const BEST = 'SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?';

const sqlite: Engine = {
  name: 'SQLite FTS5',
  limit: 1_000_000,
  start: () => {
    // As it comes: a table that keeps its texts, in a file, committed after each batch.
    const folder = mkdtempSync(join(tmpdir(), 'speed-'));
    process.on('exit', () => {
      rmSync(folder, { recursive: true, force: true });
    });
    const database = new DatabaseSync(join(folder, 'fts5.sqlite'));
    database.exec('CREATE VIRTUAL TABLE passages USING fts5(text)');
    const insertion = database.prepare('INSERT INTO passages(rowid, text) VALUES (?, ?)');
    const deletion = database.prepare('DELETE FROM passages WHERE rowid = ?');
    const best = database.prepare(BEST);
    const inTransaction = (action: () => void): void => {
      database.exec('BEGIN');
      action();
      database.exec('COMMIT');
    };
    const remove = (numbers: readonly number[]): void => {
      inTransaction(() => {
        for (const number of numbers) deletion.run(number + 1);
      });
    };
    return {
      add: (texts, first) => {
        inTransaction(() => {
          for (const [i, text] of texts.entries()) insertion.run(first + i + 1, text);
        });
      },
      search: (question, limit = 10) => best.all(anyWord(question), limit),
      remove,
      removeSource: (total) => {
        remove(numbersOfSource(total));
      },
      snapshot: (question, measure) =>
        withFile(async (file) => {
          const write = await measure(() => {
            database.prepare('VACUUM INTO ?').run(file);
          });
          const read = await measure(() => {
            const copy = new DatabaseSync(file);
            copy.prepare(BEST).all(anyWord(question), 10);
            copy.close();
          });
          return { bytes: statSync(file).size, write, read };
        }),
    };
  },
};

const miniSearch: Engine = {
  name: 'MiniSearch',
  limit: 100_000,
  start: () => {
    const index = new MiniSearch({ fields: ['text'] });
    return {
      add: (texts, first) => {
        index.addAll(texts.map((text, i) => ({ id: first + i, text })));
      },
      search: (question, limit = 10) => index.search(question).slice(0, limit),
      remove: (numbers) => {
        index.discardAll(numbers);
      },
      removeSource: (total) => {
        index.discardAll(numbersOfSource(total));
      },
      snapshot: (question, measure) =>
        withFile(async (file) => {
          const write = await measure(() => {
            writeFileSync(file, JSON.stringify(index));
          });
          const read = await measure(() =>
            MiniSearch.loadJSON(readFileSync(file, 'utf8'), { fields: ['text'] }).search(question),
          );
          return { bytes: statSync(file).size, write, read };
        }),
    };
  },
};

const orama: Engine = {
  name: 'Orama as it comes',
  limit: 100_000,
  start: () => {
    const database = create({ schema: { text: 'string' } as const });
    return {
      add: async (texts, first) => {
        for (const [i, text] of texts.entries()) await insert(database, { id: String(first + i), text });
      },
      search: (question, limit = 10) => search(database, { term: question, limit }),
    };
  },
};

/** Engines, starting with ours. */
export const engines: readonly Engine[] = [ours, sqlite, miniSearch, orama];
