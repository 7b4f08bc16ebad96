import * as vscode from 'vscode';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { isPictureName } from '../../../core/domain/media-types.ts';
import {
  listPrivateHosts,
  recordingChanges,
  type DocumentEntry,
  type Source,
} from '../../../core/domain/source.ts';
import type { ReadProgress, ReadRequest, ReadResult, Recognition } from '../../../parsers/api.ts';
import type { FetchedPage } from '../../../parsers/web/fetch-page.ts';
import { repositoryAddress } from '../../../parsers/threads/repository-address.ts';
import type { Original } from './folder-reader.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { minimumLength } from '../../../platform/settings.ts';
import { withPassword, type Passwords } from '../../pdf/editor/with-password.ts';
import { reportReading } from '../../../platform/report-reading.ts';
import type { Threads } from '../../forge/editor/threads.ts';
import { contentBeside, statOriginal } from '../../recordings/editor/captions-beside.ts';
import { readContent, lastSegment } from '../../../platform/workspace-files.ts';

/** Reads single originals, files and web pages, and stores their documents. */
export class OriginalReader {
  readonly #notebook: NotebookClient;
  readonly #readers: ReaderPool;
  readonly #passwords: Passwords;
  readonly #recognition: () => Promise<Recognition | undefined>;
  readonly #threads: Pick<Threads, 'asking' | 'read'>;
  readonly #transcripts: string | undefined;

  constructor(
    notebook: NotebookClient,
    readers: ReaderPool,
    passwords: Passwords,
    recognition: () => Promise<Recognition | undefined>,
    threads: Pick<Threads, 'asking' | 'read'>,
    transcripts: string | undefined,
  ) {
    this.#notebook = notebook;
    this.#readers = readers;
    this.#passwords = passwords;
    this.#recognition = recognition;
    this.#threads = threads;
    this.#transcripts = transcripts;
  }

  /** @throws NotebookError if the file can't be read. */
  async readFile(
    { source, key, uri, stamp, stat: knownStat, formerly, isQuiet = false }: Original,
    signal: AbortSignal,
  ): Promise<void> {
    const stat = knownStat ?? (await statOriginal(uri));
    if (stat === undefined)
      throw new NotebookError(
        'not-found',
        t('Can’t find {0}. Restore the file and refresh, or remove this source.', lastSegment(uri)),
      );
    if (stamp?.size === stat.size && stamp.modifiedAt === stat.mtime) return;
    const name = lastSegment(uri);
    const { speakers, chapters: generatedChapters } = recordingChanges(source.origin);
    const isPdf = name.toLowerCase().endsWith('.pdf');
    const request: ReadRequest = {
      content: await readContent(uri, stat.size),
      name,
      knownHash: stamp?.hash,
      minimumLength: isPdf ? minimumLength() : 1,
      recognition: isPdf || isPictureName(name) ? await this.#recognition() : undefined,
      storedAnnotations: isPdf
        ? await this.#notebook.call('sharedAnnotations', { uri: uri.toString() })
        : undefined,
      ...(await contentBeside(uri)),
      transcripts: this.#transcripts,
      speakers,
      generatedChapters,
    };
    // A folder may contain many encrypted files, and an input box for each would disturb the user.
    const isItself = source.origin.kind === 'file' && !isQuiet;
    const read = (onProgress?: (progress: ReadProgress) => void): Promise<ReadResult> =>
      withPassword(this.#passwords, { file: uri.toString(), mayAsk: isItself, signal }, (password) =>
        this.#readers.read({ ...request, password }, { signal, onProgress }),
      );
    const progress = { done: 0, total: 1 };
    const result = await (isItself
      ? reportReading(this.#notebook, source.id, progress, (changed) =>
          read((pages) => {
            Object.assign(progress, pages);
            changed();
          }),
        )
      : read());
    if (result.kind === 'unchanged') {
      if (stamp !== undefined)
        await this.#notebook.call('touchDocument', {
          documentId: stamp.id,
          size: stat.size,
          modifiedAt: stat.mtime,
        });
      return;
    }
    throwIfCanceled(signal);
    const former = formerly?.(result.hash);
    if (former !== undefined) {
      await this.#notebook.call('moveDocument', {
        documentId: former.id,
        key,
        uri: uri.toString(),
        size: stat.size,
        modifiedAt: stat.mtime,
      });
      return;
    }
    await this.#notebook.call('putDocument', {
      sourceId: source.id,
      input: {
        key,
        uri: uri.toString(),
        hash: result.hash,
        size: stat.size,
        modifiedAt: stat.mtime,
        document: result.document,
      },
    });
  }

  /**
   * Reads a PDF again because its highlights in the notebook changed. `pdf` contains its bytes, or those of a copy if
   * it is from the web. If the bytes changed, reading is left to the code that watches the file.
   * @throws NotebookError
   */
  async readMarked(
    { id, sourceId, key, uri }: DocumentEntry,
    pdf: vscode.Uri,
    signal: AbortSignal,
  ): Promise<void> {
    const stamps = await this.#notebook.call('stamps', { sourceId });
    const stamp = stamps.find((candidate) => candidate.id === id);
    if (stamp === undefined) return;
    const request: ReadRequest = {
      content: await readContent(pdf),
      name: lastSegment(pdf),
      mediaType: 'application/pdf',
      minimumLength: 1,
      recognition: await this.#recognition(),
      storedAnnotations: await this.#notebook.call('sharedAnnotations', { uri }),
    };
    const result = await withPassword(
      this.#passwords,
      { file: pdf.toString(), mayAsk: false, signal },
      (password) => this.#readers.read({ ...request, password }, { signal }),
    );
    throwIfCanceled(signal);
    if (result.kind === 'unchanged' || result.hash !== stamp.hash) return;
    const { hash, size, modifiedAt } = stamp;
    await this.#notebook.call('putDocument', {
      sourceId,
      input: { key, uri, hash, size, modifiedAt, document: result.document },
    });
  }

  /**
   * Downloads a web page and stores it; with `isForced`, even if it is unchanged. A source without a title of its own gets
   * the page's title.
   * @throws NotebookError
   */
  async readPage(source: Source, url: string, signal: AbortSignal, isForced = false): Promise<void> {
    const repository = repositoryAddress(url);
    if (repository !== undefined) {
      const { readRepository } = await import('../../forge/editor/repository-reader.ts');
      const parts = { notebook: this.#notebook, readers: this.#readers, threads: this.#threads };
      await readRepository(parts, { source, url, address: repository, isForced }, signal);
      return;
    }
    const [stamp] = isForced ? [] : await this.#notebook.call('stamps', { sourceId: source.id });
    const thread = await this.#threads.read(source, url, signal);
    const hosts = await this.#privateHosts(source);
    const page = thread ?? (await fetchAllowedPage(url, hosts, signal));
    const { readPageVideo } = await import('./page-video.ts');
    const video =
      thread === undefined
        ? await readPageVideo(
            page,
            this.#readers,
            (address) => fetchAllowedPage(address, hosts, signal),
            signal,
          )
        : {};
    const result = await this.#readers.read(
      {
        content: { kind: 'bytes', bytes: page.bytes },
        name: thread === undefined ? (new URL(page.url).pathname.split('/').at(-1) ?? '') : 'thread.md',
        mediaType: page.mediaType,
        pageUrl: page.url,
        knownHash: stamp?.hash,
        minimumLength: thread === undefined ? minimumLength() : 1,
        recognition: await this.#recognition(),
        storedAnnotations: await this.#notebook.call('sharedAnnotations', { uri: page.url }),
        video: video.text,
      },
      { signal },
    );
    if (result.kind === 'unchanged') return;
    await this.#notebook.call('putDocument', {
      sourceId: source.id,
      input: {
        key: '',
        uri: page.url,
        hash: result.hash,
        size: page.bytes.length,
        modifiedAt: Date.now(),
        document: {
          ...result.document,
          warnings: [
            ...result.document.warnings,
            ...(thread?.warnings ?? []),
            ...(video.warning === undefined ? [] : [video.warning]),
          ],
        },
      },
    });
    const { title } = result.document;
    if (title !== undefined && source.title === url)
      await this.#notebook.call('renameSource', { sourceId: source.id, title });
  }

  /**
   * Returns the private hosts that a page may be read from. A page on a private host may redirect to others that the
   * notebook allows.
   */
  async #privateHosts({ origin }: Source): Promise<readonly string[]> {
    const own = listPrivateHosts(origin);
    if (own.length === 0) return own;
    const sources = await this.#notebook.call('sources', {});
    return [...own, ...sources.flatMap((source) => listPrivateHosts(source.origin))];
  }
}

/** Returns the content of a document, by its URI or URL. @throws NotebookError if a page can't be downloaded */
export async function originalContent(
  source: Source,
  uri: string,
  signal: AbortSignal,
): Promise<ReadRequest['content']> {
  if (source.origin.kind !== 'page') return readContent(vscode.Uri.parse(uri));
  const { bytes } = await fetchAllowedPage(source.origin.url, listPrivateHosts(source.origin), signal);
  return { kind: 'bytes', bytes };
}

async function fetchAllowedPage(
  url: string,
  privateHosts: readonly string[],
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { fetchPage } = await import('../../../parsers/web/fetch-page.ts');
  const { guardedFetch } = await import('../../../parsers/web/guarded-fetch.ts');
  return fetchPage(url, { fetch: guardedFetch(privateHosts), signal });
}
