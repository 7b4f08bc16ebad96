// Exports notebooks of tests to a file and imports them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { followablePlaces } from '../../src/features/sharing/commands/followable-places.ts';
import type { FollowedPlace, LibraryProgress } from '../../src/index/library/library-api.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { CallContext } from '../../src/core/rpc/rpc.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { NotebookError, type ErrorCode } from '../../src/core/domain/errors.ts';
import { makeFolder, open, passageSettings, researchLimits } from './opened-notebooks.ts';

export const context: CallContext<LibraryProgress> = {
  signal: new AbortController().signal,
  report: () => undefined,
};

/** Options of an import or a merge without sources that are read again. */
export const importOptions = { roots: [], followed: [], passages: passageSettings, limits: researchLimits };

export async function exported(from: string, roots: readonly string[] = []): Promise<string> {
  const path = join(makeFolder(), 'a.opennotebook');
  await libraryHandlers.exportNotebook({ from, path, name: 'Garden', roots }, context);
  return path;
}

/** Imports into an empty notebook. Sources in `followed` are read from `roots`. */
export async function imported(
  path: string,
  roots: readonly string[] = [],
  followed: readonly FollowedPlace[] = [],
): Promise<NotebookIndex> {
  const to = makeFolder();
  await libraryHandlers.importNotebook({ ...importOptions, path, to, roots, followed }, context);
  return open(to);
}

export function citationIn(index: NotebookIndex, documentId: number, start: number, end: number): Citation {
  const span = { start, end };
  const quote = index.cited.document(documentId).text.slice(start, end);
  const [citation] = index.cited.cite([{ number: 1, documentId, passage: span, span, quote }]);
  assert.ok(citation);
  return citation;
}

/** Returns the path of an exported notebook after a change to its lines. */
export function changed(path: string, change: (lines: Record<string, unknown>[]) => void): string {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  const json = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  change(json);
  const other = join(makeFolder(), 'b.opennotebook');
  writeFileSync(other, gzipSync(json.map((line) => `${JSON.stringify(line)}\n`).join('')));
  return other;
}

/** Returns a check for a notebook error with a code. */
export function fails(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof NotebookError && error.code === code;
}

/** Returns the places in an exported notebook that can be followed and that no ignore file excludes. */
export async function followable(
  path: string,
  roots: readonly string[],
  leavesOut: (uri: string, isFolder: boolean) => Promise<boolean> = () => Promise.resolve(false),
): Promise<FollowedPlace[]> {
  return followablePlaces(await libraryHandlers.exportedPlaces({ path }, context), roots, leavesOut);
}
