import { NotebookError, type ErrorCode } from '../../../core/domain/errors.ts';
import type { SkippedFile, SkipCounts } from '../../../core/domain/source.ts';
import { isIn } from './folder-changes.ts';

/** Maximum number of skipped files that are listed, because a folder may contain thousands of images or programs. */
const MAX_LISTED_FILES = 500;

/** Files skipped while reading a source: counted by reason and listed by name. */
export type SkippedFiles = { -readonly [K in keyof SkipCounts]: SkipCounts[K] } & {
  readonly files: SkippedFile[];
};

/** Returns empty counts. */
export function noSkips(): SkippedFiles {
  return { binary: 0, tooLarge: 0, tooShort: 0, failed: 0, files: [] };
}

/** Returns the earlier skipped files that aren't at or below paths of a folder that are read again. */
export function skipsBeside(
  paths: ReadonlySet<string>,
  counts: SkipCounts,
  files: readonly SkippedFile[],
): SkippedFiles {
  const skips: SkippedFiles = { ...counts, files: files.filter(({ path }) => !isIn(path, paths)) };
  for (const { path, kind } of files)
    if (isIn(path, paths) && kind !== undefined) skips[kind] = Math.max(0, skips[kind] - 1);
  return skips;
}

/** Records a skipped file; `reason` is a sentence. */
export function noteSkip(skips: SkippedFiles, path: string, kind: keyof SkipCounts, reason: string): void {
  skips[kind]++;
  if (skips.files.length < MAX_LISTED_FILES) skips.files.push({ path, reason, kind });
}

/** Returns the kind of skip for an error. */
export function kindOfSkip(error: unknown): keyof SkipCounts {
  return (error instanceof NotebookError ? KINDS_BY_CODE[error.code] : undefined) ?? 'failed';
}

const KINDS_BY_CODE: Readonly<Partial<Record<ErrorCode, keyof SkipCounts>>> = {
  binary: 'binary',
  unsupported: 'binary',
  'no-transcript': 'binary',
  'too-large': 'tooLarge',
  empty: 'tooShort',
  'too-short': 'tooShort',
};
