// A team database in memory that stores a member's rows, and returns rows that a test changes.
import type { Client } from '../../src/features/team/service/connect.ts';
import { checkRows } from '../../src/features/team/service/checked-rows.ts';

type Row = Record<string, unknown>;

/** Tables by name. Each result is a part of one. */
type Tables = Record<
  | 'claims'
  | 'contents'
  | 'documents'
  | 'members'
  | 'notebooks'
  | 'notes'
  | 'passages'
  | 'postings'
  | 'searchable'
  | 'sources'
  | 'things'
  | 'vectors'
  | 'windows',
  Row[]
>;

type Table = keyof Tables;

const DEEDS = { added_by: 'ada', added_at: new Date(1), changed_by: 'ada', changed_at: new Date(1) };

/** Table of a query's result, by the first pattern that matches. */
const READS: readonly (readonly [RegExp, Table])[] = [
  [/read_notebook\(/, 'notebooks'],
  [/read_(?:members|rights)\(/, 'members'],
  [/read_sources\(/, 'sources'],
  [/read_documents\(/, 'documents'],
  [/read_contents\(/, 'contents'],
  [/read_notes\(/, 'notes'],
  [/read_things\(/, 'things'],
  [/read_claims\(/, 'claims'],
  [/find_vectors\(|read_vectors\(|last_vectors\(/, 'vectors'],
  [/read_searchable\(/, 'searchable'],
  [/find_terms\(|read_lists\(|read_blocks\(/, 'postings'],
  [/read_words\(/, 'windows'],
  [/find_passages\(/, 'passages'],
];

/** Stores sent rows, and answers queries in the form that the code expects. */
export class FakeTeam {
  readonly tables: Tables = {
    ...{ claims: [], contents: [], documents: [], notes: [], passages: [], postings: [], searchable: [] },
    ...{ sources: [], things: [], vectors: [], windows: [] },
    members: [{ name: 'ada', role: 'author', own_role: null, is_self: true }],
    notebooks: [
      {
        revision: '1',
        name: 'Garden',
        level: 2,
        channel: `open_notebook_${'0'.repeat(40)}`,
        salt: '0'.repeat(40),
        everybody: null,
      },
    ],
  };
  /** Changes the rows of a result. */
  change: (table: Table, rows: readonly Row[]) => readonly Row[] = (_, rows) => rows;
  /** Offset that is added to each revision, so that every row is new. */
  later = 0;
  #revision = 1;

  /** Returns the team as a connection. */
  get client(): Client {
    const query = async (query: string | { text: string; values?: unknown[] }, parameters?: unknown[]) => {
      await Promise.resolve();
      const { text, values = parameters ?? [] } = typeof query === 'string' ? { text: query } : query;
      const rows = this.#answer(text.trim(), values);
      checkRows(rows);
      return { rows, rowCount: rows.length };
    };
    return { query } as unknown as Client;
  }

  #answer(text: string, values: readonly unknown[]): readonly Row[] {
    const put = /^SELECT open_notebook\.(put_\w+)/.exec(text)?.[1];
    if (put !== undefined) return this.#put(put, values);
    if (text.includes('read_news('))
      return [{ sources: true, notes: true, things: true, count: String(this.tables.documents.length) }];
    const table = READS.find(([statement]) => statement.test(text))?.[1];
    if (table === undefined) return [];
    const rows = this.tables[table].map((row) =>
      'revision' in row ? { ...row, revision: String(Number(row.revision) + this.later) } : row,
    );
    return this.change(table, rows);
  }

  #put(name: string, values: readonly unknown[]): readonly Row[] {
    const next = (): string => {
      const revision = String(++this.#revision);
      Object.assign(this.tables.notebooks[0] ?? {}, { revision });
      return revision;
    };
    const { sources, documents, contents, notes, things } = this.tables;
    const columns = values.slice(1) as unknown[][];
    const rows = Array.isArray(values[1]) ? values[1].length : 1;
    switch (name) {
      case 'put_source':
        sources.push({ ...DEEDS, id: values[1], revision: next(), value: values[2] });
        return [];
      case 'put_document':
        for (let row = 0; row < rows; row++) {
          const [source_id, key, head, content, bytes] = columns.map((column) => column[row]);
          const size = String((bytes as Buffer).length);
          documents.push({ source_id, key, revision: next(), head, content, bytes: size });
          contents.push({ hash: content, bytes });
        }
        return [];
      case 'put_note': {
        const revision = next();
        notes.push({ ...DEEDS, id: values[1], revision, title: values[3], value: values[4] });
        return [{ revision }];
      }
      case 'put_thing':
        return Array.from({ length: rows }, (_, row) => {
          const [kind, id, within, , value] = columns.map((column) => column[row]);
          const revision = next();
          const deeds = { added_by: 'ada', changed_by: 'ada', is_own: false };
          things.push({ ...deeds, kind, id, within, revision, value });
          return { revision };
        });
      default:
        return [];
    }
  }
}
