import { basename, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { t } from '@vscode/l10n';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import { isDiskFull, NotebookError } from '../../core/domain/errors.ts';
import { openRegularFile } from '../../core/domain/regular-file.ts';
import { replaceFile } from '../../core/domain/write-file.ts';

/**
 * Format of an exported notebook: gzipped lines, each a JSON object with a `type`. The first line is the head. The last
 * one has the number of lines before it, so that a truncated file is noticed.
 */
export const FORMAT = 'open-notebook';
/** Older versions can still read files without embeddings. */
export const Version = { plain: 1, withVectors: 2 } as const;

/**
 * Maximum length of a line and of all lines in UTF-16 code units, so that a small file can't fill the memory or disk.
 */
const MAX_LINE_LENGTH = 200 * 2 ** 20;
/** The largest lists in a line, such as a document's headings or pages, have some ten thousand values. */
const BOUNDS_OF_LINE = { depth: 50, values: 1_000_000 };
const MAX_TOTAL_BYTES = 4 * 2 ** 30;
/** A file that expands to more than this size, and to more than this multiple of its own size, is rejected. */
const UNSUSPECTED = 64 * 2 ** 20;
const MAX_COMPRESSION_RATIO = 200;

/**
 * Returns the path of the temporary file for `path`. The next run deletes a file that a kill left there, so don't use
 * the name for anything else.
 */
export function unfinishedAt(path: string): string {
  return join(dirname(path), `.${basename(path)}.open-notebook-unfinished`);
}

/**
 * Writes lines to a file, which gets its final name once it's complete. Awaits `afterEach` line.
 * @throws NotebookError `disk-full`
 */
export async function writeNotebookFile(
  path: string,
  lines: Iterable<object>,
  afterEach: () => Promise<void>,
): Promise<void> {
  const gzip = createGzip();
  // The reader of the compressed bytes gets the errors of these streams.
  const packing = pipeline(countedLines(lines, afterEach), gzip).catch(() => undefined);
  try {
    await replaceFile(path, gzip, { unfinished: unfinishedAt(path) });
  } catch (error) {
    throw exportError(error);
  } finally {
    gzip.destroy();
    await packing;
  }
}

async function* countedLines(
  lines: Iterable<object>,
  afterEach: () => Promise<void>,
): AsyncGenerator<string> {
  let count = 0;
  for (const line of lines) {
    yield `${JSON.stringify(line)}\n`;
    count++;
    await afterEach();
  }
  yield `${JSON.stringify({ type: 'end', count })}\n`;
}

/** Returns the error of a failed export, with a message of its own if the disk is full. */
export function exportError(error: unknown): unknown {
  if (!isDiskFull(error)) return error;
  return new NotebookError(
    'disk-full',
    t('Can’t export because the disk is full. Free up some space, or choose another location.'),
    { cause: error },
  );
}

/** Yields the lines of a file except the last one. @throws NotebookError `unsupported`, `damaged`, `too-large` */
export async function* readNotebookFile(path: string): AsyncGenerator {
  let count = 0;
  let ended = false;
  for await (const line of textLines(path)) {
    const json = parseLine(line);
    if (count === 0) checkHead(json);
    if (ended) throw damagedNotebook();
    if (isEnd(json)) {
      if (json.count !== count) throw damagedNotebook();
      ended = true;
    } else {
      count++;
      yield json;
    }
  }
  if (!ended) throw count === 0 ? notOurs() : damagedNotebook();
}

/** Returns the error for a damaged exported notebook. */
export function damagedNotebook(cause?: unknown): NotebookError {
  return new NotebookError(
    'damaged',
    t('Can’t import this notebook because the file is damaged. Export the notebook again.'),
    { cause },
  );
}

async function* textLines(path: string): AsyncGenerator<string> {
  const opened = await openRegularFile(path);
  const { size } = await opened.stat();
  const decoder = new StringDecoder('utf8');
  const file = opened.createReadStream();
  const chunks = file.pipe(createGunzip());
  file.on('error', (error) => chunks.destroy(error));
  let parts: string[] = [];
  let length = 0;
  let readBytes = 0;
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      readBytes += chunk.length;
      if (
        readBytes > MAX_TOTAL_BYTES ||
        (readBytes > UNSUSPECTED && readBytes > MAX_COMPRESSION_RATIO * size)
      )
        throw tooLarge();
      const pieces = decoder.write(chunk).split('\n');
      for (const [index, piece] of pieces.entries()) {
        parts.push(piece);
        length += piece.length;
        if (length > MAX_LINE_LENGTH) throw tooLarge();
        if (index === pieces.length - 1) break;
        yield parts.join('');
        parts = [];
        length = 0;
      }
    }
  } catch (error) {
    if (error instanceof NotebookError) throw error;
    // A file that isn't gzip at all fails at its first bytes.
    throw readBytes === 0 ? notOurs(error) : damagedNotebook(error);
  } finally {
    file.destroy();
  }
  if (length > 0) throw damagedNotebook();
}

function checkHead(json: unknown): void {
  const isHead = typeof json === 'object' && json !== null && 'format' in json && json.format === FORMAT;
  if (!isHead || !('version' in json)) throw notOurs();
  if (json.version !== Version.plain && json.version !== Version.withVectors)
    throw new NotebookError(
      'unsupported',
      t('A newer version of Open Notebook exported this notebook. Update the extension to import it.'),
    );
}

function isEnd(json: unknown): json is { readonly count: unknown } {
  return (
    typeof json === 'object' && json !== null && 'type' in json && json.type === 'end' && 'count' in json
  );
}

function parseLine(line: string): unknown {
  try {
    return parseBounded(line, BOUNDS_OF_LINE);
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : damagedNotebook(error);
  }
}

function notOurs(cause?: unknown): NotebookError {
  return new NotebookError('unsupported', t('This file isn’t an exported notebook. Choose another file.'), {
    cause,
  });
}

/** Returns the error for a file that expands to more than a notebook can hold. */
export function tooLarge(): NotebookError {
  return new NotebookError(
    'too-large',
    t('Can’t import this file because it’s too large for an exported notebook.'),
  );
}
