import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { create, insert, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { PassageIndex } from '../../src/indexing/search/lexical/passage-index.ts';
import { anyWord } from './document-peers.ts';

/** Engine under measurement. Passages are identified by number, and alternate between ten sources. */
interface Running {
  readonly add: (texts: readonly string[], first: number) => unknown;
  readonly search: (question: string) => unknown;
  /** Removes one of ten sources. */
  readonly removeSource?: (total: number) => unknown;
  readonly snapshot?: () => Snapshot;
}

export interface Engine {
  readonly name: string;
  /** Maximum number of passages that the engine accepts in a reasonable time. */
  readonly limit: number;
  readonly start: () => Running;
}

/** Size of a snapshot in bytes, and the times to write and read it in milliseconds. */
export interface Snapshot {
  readonly bytes: number;
  readonly write: number;
  readonly read: number;
}

const SOURCES = 10;

function numbersOfSource(total: number): number[] {
  return Array.from({ length: Math.ceil(total / SOURCES) }, (_, i) => i * SOURCES);
}

function timed<T>(action: () => T): [T, number] {
  const start = performance.now();
  const result = action();
  return [result, performance.now() - start];
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
      search: (question) => index.search(question, { limit: 10 }),
      removeSource: (total) => index.remove(numbersOfSource(total).map((number) => number + 1)),
      snapshot: () => {
        const [bytes, write] = timed(() => index.write(1));
        return { bytes: bytes.length, write, read: timed(() => PassageIndex.read(bytes))[1] };
      },
    };
  },
};

const sqlite: Engine = {
  name: 'SQLite FTS5',
  limit: 100_000,
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
    const best = database.prepare('SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10');
    const inTransaction = (action: () => void): void => {
      database.exec('BEGIN');
      action();
      database.exec('COMMIT');
    };
    return {
      add: (texts, first) => {
        inTransaction(() => {
          for (const [i, text] of texts.entries()) insertion.run(first + i + 1, text);
        });
      },
      search: (question) => best.all(anyWord(question)),
      removeSource: (total) => {
        inTransaction(() => {
          for (const number of numbersOfSource(total)) deletion.run(number + 1);
        });
      },
      snapshot: () => {
        const directory = mkdtempSync(join(tmpdir(), 'speed-'));
        const file = join(directory, 'passages.sqlite');
        const write = timed(() => {
          database.prepare('VACUUM INTO ?').run(file);
        })[1];
        const read = timed(() => {
          const copy = new DatabaseSync(file);
          copy.prepare('SELECT rowid FROM passages LIMIT 1').all();
          copy.close();
        })[1];
        const { size: bytes } = statSync(file);
        rmSync(directory, { recursive: true, force: true });
        return { bytes, write, read };
      },
    };
  },
};

const miniSearch: Engine = {
  name: 'MiniSearch',
  limit: 50_000,
  start: () => {
    const index = new MiniSearch({ fields: ['text'] });
    return {
      add: (texts, first) => {
        index.addAll(texts.map((text, i) => ({ id: first + i, text })));
      },
      search: (question) => index.search(question).slice(0, 10),
      removeSource: (total) => {
        index.discardAll(numbersOfSource(total));
      },
      snapshot: () => {
        const [json, write] = timed(() => JSON.stringify(index));
        const read = timed(() => MiniSearch.loadJSON(json, { fields: ['text'] }))[1];
        return { bytes: Buffer.byteLength(json), write, read };
      },
    };
  },
};

const orama: Engine = {
  name: 'Orama as it comes',
  limit: 50_000,
  start: () => {
    const database = create({ schema: { text: 'string' } as const });
    return {
      add: async (texts, first) => {
        for (const [i, text] of texts.entries()) await insert(database, { id: String(first + i), text });
      },
      search: (question) => search(database, { term: question, limit: 10 }),
    };
  },
};

/** Engines, starting with ours. */
export const engines: readonly Engine[] = [ours, sqlite, miniSearch, orama];
