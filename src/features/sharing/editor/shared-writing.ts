import { createHash } from 'node:crypto';
import { SHARED_FILE, SHARED_FOLDER, sharedText, type SharedNotebook } from '../model/shared-notebook.ts';
import type { SharedStore } from './shared-store.ts';

/** Maximum size of a shared text, in bytes. */
export const MAX_TEXT_SIZE = 10_000_000;

/** Text to write next to `notebook.json`. */
export interface SharedText {
  /** Path below `.notebook`. */
  readonly path: string;
  readonly text: string;
}

/** Asks whether to overwrite files that somebody else wrote or changed; undefined to write nothing at all. */
export type MayOverwrite = (paths: readonly string[]) => Promise<boolean | undefined>;

/**
 * Writes shared items: first the texts, then the list, which names them and records their content. Deletes texts that
 * are no longer listed. A text that differs from the one recorded in `before` is overwritten only if the user agrees,
 * and never deleted. Resolves to the paths that were left unchanged; undefined if nothing was written.
 * @throws NotebookError `unsupported` if a link leads outside
 */
export async function writeShared(
  store: SharedStore,
  { shared, texts, before }: SharedWriting,
  mayOverwrite: MayOverwrite,
): Promise<readonly string[] | undefined> {
  const known = before?.written ?? {};
  const current = new Map<string, string | undefined>();
  const hashAt = async (path: string): Promise<string | undefined> => {
    const bytes = await store.read(`${SHARED_FOLDER}/${path}`, MAX_TEXT_SIZE);
    return bytes && computeHash(new TextDecoder().decode(bytes));
  };
  for (const { path } of texts) current.set(path, await hashAt(path));
  const foreign = texts.filter(({ path, text }) => {
    const hash = current.get(path);
    return hash !== undefined && hash !== computeHash(text) && hash !== known[path];
  });
  const overwrites = foreign.length === 0 || (await mayOverwrite(foreign.map(({ path }) => path)));
  if (overwrites === undefined) return undefined;

  const skippedPaths = overwrites ? [] : foreign.map(({ path }) => path);
  const written: Record<string, string> = {};
  for (const { path, text } of texts) {
    if (skippedPaths.includes(path)) continue;
    written[path] = computeHash(text);
    if (current.get(path) !== written[path]) await store.write(`${SHARED_FOLDER}/${path}`, Buffer.from(text));
  }
  const list = Buffer.from(sharedText({ ...shared, written }));
  await store.write(`${SHARED_FOLDER}/${SHARED_FILE}`, list);
  const writtenPaths = new Set(texts.map(({ path }) => path));
  for (const path of sharedTexts(before)) {
    if (writtenPaths.has(path)) continue;
    // A text that points to another location also differs from the written one.
    const hash = await hashAt(path).catch(() => '');
    if (hash === undefined) continue;
    if (hash === known[path]) await store.remove(`${SHARED_FOLDER}/${path}`);
    else skippedPaths.push(path);
  }
  return skippedPaths;
}

/** Files to write: the list and the texts that it names. Includes the previous list. */
interface SharedWriting {
  readonly shared: SharedNotebook;
  readonly texts: readonly SharedText[];
  readonly before: SharedNotebook | undefined;
}

/** Returns the hash of a text without line endings, which Git may change. */
function computeHash(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

function sharedTexts(shared: SharedNotebook | undefined): string[] {
  if (shared === undefined) return [];
  const { notes, sources } = shared;
  return [...notes, ...sources.flatMap((source) => (source.kind === 'text' ? [source.path] : []))];
}
