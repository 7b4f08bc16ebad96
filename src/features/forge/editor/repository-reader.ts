import type { ReadDocument } from '../../../core/domain/document.ts';
import { NotebookError, type ErrorCode } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { ForgeOptions } from '../../../parsers/threads/forge-client.ts';
import {
  listRepository,
  readRepositoryFile,
  type RepositoryFile,
} from '../../../parsers/threads/read-repository.ts';
import type { RepositoryAddress } from '../../../parsers/threads/repository-address.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { reportReading } from '../../../platform/report-reading.ts';
import { inParallel } from '../../../platform/in-parallel.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import type { Threads } from './threads.ts';

/** Number of documents that are downloaded at once. */
const FILES_AT_ONCE = 4;

/** Errors for which a single file is skipped: it no longer exists, or contains no text. */
const PASSED_OVER: ReadonlySet<ErrorCode> = new Set([
  ...(['binary', 'empty', 'not-found', 'too-large', 'too-short', 'unauthorized', 'unsupported'] as const),
]);

interface RepositoryParts {
  readonly notebook: NotebookClient;
  readonly readers: Pick<ReaderPool, 'read'>;
  readonly threads: Pick<Threads, 'asking'>;
}

interface RequestedRepository {
  readonly source: Source;
  /** URL as it was added. */
  readonly url: string;
  readonly address: RepositoryAddress;
  /** `true` to read unchanged files, too. */
  readonly isForced: boolean;
}

/** Reads the changed documents of a repository, and removes those that no longer exist. @throws NotebookError */
export async function readRepository(
  { notebook, readers, threads }: RepositoryParts,
  { source, url, address, isForced }: RequestedRepository,
  signal: AbortSignal,
): Promise<void> {
  const stamps = await notebook.call('stamps', { sourceId: source.id });
  await threads.asking(source, address, signal, async (options) => {
    const { title, files, warnings } = await listRepository(address, options);
    const known = new Map(isForced ? [] : stamps.map(({ key, hash }) => [key, hash]));
    const changed = files.filter(({ path, hash }) => known.get(path) !== hash);
    const existingPaths = new Set(files.map(({ path }) => path));
    const progress = { done: files.length - changed.length, total: files.length };
    await reportReading(notebook, source.id, progress, (reportProgress) =>
      inParallel(changed, FILES_AT_ONCE, signal, async (file, going) => {
        const read = await readFile(readers, address, file, { ...options, signal: going });
        if (read === undefined) existingPaths.delete(file.path);
        else {
          const { size, document } = read;
          const isFirst = file.path === files[0]?.path;
          const newWarnings = isFirst ? [...document.warnings, ...warnings] : document.warnings;
          const { path: key, page: uri, hash } = file;
          const input = { key, uri, hash, size, modifiedAt: Date.now() };
          await notebook.call('putDocument', {
            sourceId: source.id,
            input: { ...input, document: { ...document, warnings: newWarnings } },
          });
        }
        progress.done++;
        reportProgress();
      }),
    );
    const deletedIds = stamps.filter(({ key }) => !existingPaths.has(key)).map(({ id }) => id);
    if (deletedIds.length > 0) await notebook.call('removeDocuments', { documentIds: deletedIds });
    if (source.title === url) await notebook.call('renameSource', { sourceId: source.id, title });
  });
}

/** Reads a file; returns undefined if it is skipped. @throws NotebookError */
async function readFile(
  readers: Pick<ReaderPool, 'read'>,
  address: RepositoryAddress,
  file: RepositoryFile,
  options: ForgeOptions,
): Promise<{ readonly size: number; readonly document: ReadDocument } | undefined> {
  try {
    const bytes = await readRepositoryFile(address, file, options);
    const result = await readers.read(
      {
        content: { kind: 'bytes', bytes },
        name: file.path.split('/').at(-1) ?? file.path,
        mediaType: /\.(?:markdown|mdx?)$/i.test(file.path) ? 'text/markdown' : 'text/plain',
        pageUrl: file.page,
        minimumLength: 1,
      },
      { signal: options.signal },
    );
    return result.kind === 'unchanged' ? undefined : { size: bytes.length, document: result.document };
  } catch (error) {
    if (error instanceof NotebookError && PASSED_OVER.has(error.code)) return undefined;
    throw error;
  }
}
