import { NotebookError, type ErrorCode } from '../../notebook/errors.ts';
import type { PassedOverFile, SkipCounts } from '../../notebook/source.ts';
import { isIn } from './folder-changes.ts';

/** Of a folder of pictures or programs the first are listed by name. */
const MOST_LISTED = 500;

/** What is passed over while a source is read: counted by reason, and listed by name. */
export type Skips = { -readonly [K in keyof SkipCounts]: SkipCounts[K] } & {
  readonly files: PassedOverFile[];
};

/** Nothing passed over yet. */
export function noSkips(): Skips {
  return { binary: 0, tooLarge: 0, tooShort: 0, failed: 0, files: [] };
}

/** What was passed over before and still is where some paths of a folder, and what lies below them, are looked at anew. */
export function skipsBeside(
  paths: ReadonlySet<string>,
  counts: SkipCounts,
  files: readonly PassedOverFile[],
): Skips {
  const skips: Skips = { ...counts, files: files.filter(({ path }) => !isIn(path, paths)) };
  for (const { path, kind } of files)
    if (isIn(path, paths) && kind !== undefined) skips[kind] = Math.max(0, skips[kind] - 1);
  return skips;
}

/** Notes a file that is passed over; `reason` is the sentence that says why. */
export function noteSkip(skips: Skips, path: string, kind: keyof SkipCounts, reason: string): void {
  skips[kind]++;
  if (skips.files.length < MOST_LISTED) skips.files.push({ path, reason, kind });
}

/** What kind of reason an error is to pass a file over. */
export function kindOfSkip(error: unknown): keyof SkipCounts {
  return (error instanceof NotebookError ? KINDS_BY_CODE[error.code] : undefined) ?? 'failed';
}

const KINDS_BY_CODE: Readonly<Partial<Record<ErrorCode, keyof SkipCounts>>> = {
  binary: 'binary',
  unsupported: 'binary',
  'too-large': 'tooLarge',
  empty: 'tooShort',
  'too-short': 'tooShort',
};
