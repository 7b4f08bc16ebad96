// Creates a notebook with data in every table, and copies of it with damage that a seed determines.
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Answer, Citation } from '../../src/core/domain/answer.ts';
import { SelfRepairingNotebook } from '../../src/index/worker/self-repairing-notebook.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { seededRandom, wholeBelow } from './durability-random.ts';
import { input, passageSettings, silent } from './opened-notebooks.ts';

const PAGE = 4096;

export const NOTES = 12;
export const CONVERSATIONS = 6;
export const DOCUMENTS = 40;

const citation: Citation = {
  number: 1,
  sourceId: 's',
  sourceKind: 'folder',
  documentId: 1,
  title: '1.txt',
  place: 'L1',
  uri: 'file:///notes/1.txt',
  mediaType: 'text/plain',
  passage: { start: 0, end: 30 },
  span: { start: 0, end: 30 },
  quote: 'Barrel 1 holds apples.',
  locator: { kind: 'lines', start: { line: 0, character: 0 }, end: { line: 0, character: 30 } },
};

function answer(number: number): Answer {
  const text = `It holds apples number ${String(number)}, as is said there. `.repeat(12);
  return {
    kind: 'written',
    model: 'm',
    text,
    statements: [{ start: 0, end: 20, verdict: 'supported', citations: [0] }],
    citations: [citation],
  };
}

/** Creates the notebook in a folder. */
export async function fillNotebook(folder: string): Promise<void> {
  const { index } = await NotebookIndex.open(folder, passageSettings, silent);
  const origin = { kind: 'folder', uri: 'file:///notes' } as const;
  const source = await index.addSource('Barrels', origin, undefined);
  const random = seededRandom(7);
  for (let i = 0; i < DOCUMENTS; i++) {
    // Few long words fill pages of the file and take little time to index.
    const words = Array.from({ length: 120 }, () => randomWord(random, 40)).join(' ');
    await index.putDocument(
      source.id,
      input(`Barrel ${String(i)} holds apples.\n\n${words}`, `${String(i)}.txt`),
    );
  }
  for (let i = 0; i < NOTES; i++) {
    const text = `# Note ${String(i)}\n\n${'What I found out about barrels. '.repeat(40)}[1](citation/0123456789abcde${String(i % 10)})\n`;
    const citations = [{ id: `0123456789abcde${String(i % 10)}`, citation }];
    index.features.notes.add({ title: `Note ${String(i)}`, text, citations });
  }
  for (let i = 0; i < CONVERSATIONS; i++) {
    const id = index.features.conversations.begin();
    for (let n = 0; n < 6; n++)
      index.features.conversations.putTurn(id, {
        id: `${String(i)}-${String(n)}`,
        question: `What does barrel ${String(n)} hold?`,
        askedAt: 1000 * i + n,
        state: { kind: 'done', milliseconds: 5 },
        answer: answer(n),
      });
  }
  index.models.pick({ kind: 'none' } as never, undefined);
  await index.close();
}

function randomWord(random: () => number, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + wholeBelow(random, 26))).join('');
}

/** Copies a notebook's folder. */
export function copyNotebook(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

/** Damages a database file: overwrites bytes, empties or swaps pages, or cuts off its end. */
export function damage(path: string, seed: number): string {
  const random = seededRandom(seed);
  const bytes = readFileSync(path);
  const pages = bytes.length / PAGE;
  const kind = wholeBelow(random, 10);
  let said: string;
  if (kind === 0) {
    const page = wholeBelow(random, pages);
    bytes.fill(0, page * PAGE, (page + 1) * PAGE);
    said = `page ${String(page + 1)} emptied`;
  } else if (kind === 1) {
    const [one, other] = [wholeBelow(random, pages), wholeBelow(random, pages)];
    const originalPage = Buffer.from(bytes.subarray(one * PAGE, (one + 1) * PAGE));
    bytes.copyWithin(one * PAGE, other * PAGE, (other + 1) * PAGE);
    bytes.set(originalPage, other * PAGE);
    said = `pages ${String(one + 1)} and ${String(other + 1)} swapped`;
  } else if (kind === 2) {
    const size = 1 + wholeBelow(random, bytes.length - 1);
    writeFileSync(path, bytes.subarray(0, size));
    return `cut off at ${String(size)}`;
  } else {
    const times = 1 + wholeBelow(random, 12);
    // A third of the damage is at the beginning of the file, which is read the most.
    const length = kind < 5 ? Math.min(bytes.length, 8 * PAGE) : bytes.length;
    const places: number[] = [];
    for (let i = 0; i < times; i++) {
      const place = wholeBelow(random, length);
      places.push(place);
      const end = Math.min(bytes.length, place + 1 + wholeBelow(random, 64));
      for (let at = place; at < end; at++) bytes[at] = wholeBelow(random, 256);
    }
    said = `bytes at ${places.join(', ')}`;
  }
  writeFileSync(path, bytes);
  return said;
}

/** Observed state of a notebook: its counts, its notices, and errors without a message for the user. */
export interface Seen {
  readonly notes: number;
  readonly turns: number;
  readonly documents: number;
  readonly notices: readonly string[];
  readonly raw: readonly string[];
}

/** Opens a notebook and sends the requests of an editor. */
export async function use(folder: string): Promise<Seen> {
  const notices: string[] = [];
  const raw: string[] = [];
  const heard = ({ notice }: { readonly notice: string | undefined }): void => {
    if (notice !== undefined) notices.push(notice);
  };
  let seen = { notes: 0, turns: 0, documents: 0 };
  const unopened = (error: unknown): Seen => ({
    ...seen,
    notices,
    raw: error instanceof NotebookError ? [] : [reportError(error)],
  });
  const opened = await SelfRepairingNotebook.open([folder, passageSettings, silent], heard).catch(unopened);
  if (!('notebook' in opened)) return opened;
  const { notebook, result } = opened;
  heard(result);
  const ask = async <T>(action: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await notebook.run(action);
    } catch (error) {
      if (!(error instanceof NotebookError)) raw.push(reportError(error));
      return undefined;
    }
  };
  const it = (): SelfRepairingNotebook['index'] => notebook.index;
  const look = async (): Promise<typeof seen> => {
    const sources = (await ask(() => it().store.sources())) ?? [];
    let documents = 0;
    for (const { id } of sources) {
      for (const entry of (await ask(() => it().store.documents.ofSource(id))) ?? []) {
        const text = await ask(() => it().cited.document(entry.id).text);
        if (text?.startsWith('Barrel')) documents++;
      }
      await ask(() => it().store.documents.stamps(id));
      await ask(() => it().store.skippedFiles(id));
      await ask(() => it().features.sitePages.record(id));
    }
    let turns = 0;
    for (const { id } of (await ask(() => it().features.conversations.list(''))) ?? [])
      turns += (await ask(() => it().features.conversations.allTurns(id)))?.length ?? 0;
    await ask(() => it().features.conversations.openNewest());
    let notes = 0;
    for (const { title } of (await ask(() => it().features.notes.list())) ?? []) {
      const note = await ask(() => it().features.notes.open(title));
      if (note?.text.includes('barrels') === true) notes++;
    }
    await ask(() => it().features.notes.citations(['0123456789abcde1']));
    await ask(() => it().passageSearch.search('Which barrel holds apples?', 5));
    await ask(() => it().cited.outlines());
    await ask(() => it().models.readSelected('none'));
    await ask(() => it().models.usage());
    await ask(() => it().statistics());
    return { notes, turns, documents };
  };
  seen = await look();
  const source = await ask(() => it().addSource('More', { kind: 'text' }, input('More barrels.')));
  if (source !== undefined)
    await ask(() =>
      it().change(() => {
        it().store.removeSources([source.id]);
      }),
    );
  await ask(() => {
    it().features.notes.write('Mine', 'of no account', { create: true, overwrite: true });
  });
  if (notices.length > 0) seen = await look();
  await notebook.close().catch((error: unknown) => {
    if (!(error instanceof NotebookError)) raw.push(reportError(error));
  });
  return { ...seen, notices, raw };
}

/** Empties the root page of a table. */
export function emptyTable(path: string, table: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage;
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(PAGE), 0, PAGE, (Number(root) - 1) * PAGE);
  closeSync(file);
}

function reportError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
