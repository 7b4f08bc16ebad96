// Notebooks of tests in their own folders. After each test they are closed and their folders deleted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentInput } from '../../src/index/store/sources/sources-api.ts';
import { NotebookIndex, type NotebookIndexEvents } from '../../src/index/worker/notebook-index.ts';
import type { ResearchLimits } from '../../src/features/research/model/project.ts';
import { contentHash } from '../../src/parsers/content-hash.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { afterEachTest } from './after-each-test.mjs';

export const passageSettings = { size: 500, overlap: 50 };
export const researchLimits: ResearchLimits = {
  bounds: { requests: 40 },
  options: { approves: true, keepsUnsupported: false, workers: 2, tools: [] },
};
export const origin = { kind: 'folder', uri: 'file:///notes' } as const;
export const silent: NotebookIndexEvents = { indexing: () => undefined, resplitting: () => undefined };

const folders: string[] = [];
const opened = new Set<NotebookIndex>();

afterEachTest(async () => {
  for (const index of opened) await index.close();
  opened.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'notebook-'));
  folders.push(folder);
  return folder;
}

/** Opens a new notebook. */
export async function openNew(): Promise<{ readonly folder: string; readonly index: NotebookIndex }> {
  const folder = makeFolder();
  return { folder, index: await open(folder) };
}

/** Opens the notebook of a folder, with the reports of opening it. */
export async function openWithEvents(
  folder: string,
  events = silent,
  passages = passageSettings,
): ReturnType<typeof NotebookIndex.open> {
  const result = await NotebookIndex.open(folder, passages, events);
  opened.add(result.index);
  return result;
}

export async function open(
  folder: string,
  events = silent,
  passages = passageSettings,
): Promise<NotebookIndex> {
  return (await openWithEvents(folder, events, passages)).index;
}

export async function close(index: NotebookIndex): Promise<void> {
  opened.delete(index);
  await index.close();
}

/** Returns a plain text as input for a notebook, with its key in the folder of notes. */
export function input(text: string, key = ''): DocumentInput {
  return {
    key,
    uri: `file:///notes/${key || 'note.txt'}`,
    hash: contentHash(Buffer.from(text)),
    size: Buffer.byteLength(text),
    modifiedAt: 1,
    document: readPlainText(text, 'text/plain'),
  };
}
