import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DroppedFile } from '../../chat/protocol.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import { webAddressesIn } from '../../../core/domain/web-address.ts';
import type { SourceAdder } from './add-sources.ts';
import { COPY_NAME, keepCopy } from '../../../platform/copy-files.ts';
import type { StoredCopies } from './stored-copies.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SourceReader } from './source-reader.ts';
import { sha256 } from '../../../platform/sha256.ts';

/** Maximum time to wait for the title of a page, in milliseconds. */
const READING_TIMEOUT_MS = 10_000;

/** Maximum length of an address in a message, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 100;

/** Dropped or pasted content: addresses, files with only a name and bytes, and a text. */
export interface DroppedItems {
  readonly uris?: readonly string[];
  readonly files?: readonly DroppedFile[];
  readonly text?: string | undefined;
  /** `true` if VS Code itself reports that the user dropped the files, which are then added despite ignore files. */
  readonly isNamed?: boolean;
}

interface DroppedSourcesParts {
  readonly adder: SourceAdder;
  readonly notebook: NotebookClient;
  readonly reader: SourceReader;
  /** Folder of the copies. */
  readonly copies: Pick<StoredCopies, 'dropped' | 'findOriginals'>;
}

/** Adds dropped or pasted content. Files without an address on this machine are stored as copies in a folder. */
export class DroppedSources {
  readonly #parts: DroppedSourcesParts;

  constructor(parts: DroppedSourcesParts) {
    this.#parts = parts;
  }

  /**
   * Resolves to the sources when they are listed, before they are read.
   * @throws NotebookError `unsupported` for an address that isn't a file, folder, or web page, and errors of adding
   */
  async add({ uris = [], files = [], text, isNamed = false }: DroppedItems): Promise<readonly Source[]> {
    const local = uris.filter((uri) => !isOfWeb(uri)).map(toFileUri);
    const { uris: originals, pages: copied } = await this.#parts.copies.findOriginals(local);
    const pages = [...uris.filter(isOfWeb), ...copied];
    // Several files may have the same name, but folders that are dropped together have the same parent.
    const filesByFolder = Map.groupBy(files, (file) =>
      file.path.includes('/') ? topFolder(file.path) : file,
    );
    const storedUris: vscode.Uri[] = [];
    for (const together of filesByFolder.values()) storedUris.push(await this.#keepCopies(together));
    const added = { uris: originals, isNamed, isPageNamed: true, own: storedUris };
    if (text === undefined) return this.#parts.adder.addAll({ ...added, pages });
    const linked = webAddressesIn(text);
    return this.#parts.adder.addAll({
      ...added,
      pages: [...pages, ...linked],
      texts: linked.length > 0 ? [] : [{ title: '', text }],
    });
  }

  /** Adds content and resolves to the sources with their titles, for which web pages must be read first. */
  async addToMention(dropped: DroppedItems): Promise<readonly Source[]> {
    const { notebook, reader } = this.#parts;
    const sources = await this.add(dropped);
    const pages = sources.filter(({ origin }) => origin.kind === 'page');
    if (pages.length === 0) return sources;
    const read = Promise.all(pages.map(({ id }) => reader.waitUntilIdle(id)));
    await Promise.race([read, sleep(READING_TIMEOUT_MS, undefined, { ref: false })]);
    const named = new Map((await notebook.call('sources', {})).map((source) => [source.id, source]));
    return sources.map((source) => named.get(source.id) ?? source);
  }

  /** Returns the copy of a file, or of a folder by its files; the same one for the same names and bytes. */
  async #keepCopies(files: readonly DroppedFile[]): Promise<vscode.Uri> {
    const hash = await sha256(
      ...files.flatMap(({ path, bytes }) => [Buffer.from(path.slice(topFolder(path).length)), bytes]),
    );
    const { dropped } = this.#parts.copies;
    const copies = files.map(({ path, bytes }) => ({ names: path.split('/').map(asFileName), bytes }));
    for (const { names, bytes } of copies) await keepCopy(dropped.fsPath, { hash, names, bytes });
    return vscode.Uri.joinPath(dropped, hash.slice(0, COPY_NAME), copies[0]?.names[0] ?? '');
  }
}

/** Returns the dropped folder from the path of a file in it. */
function topFolder(path: string): string {
  return path.split('/', 1)[0] ?? path;
}

/** Returns a name that every file system accepts and that can't lead to another folder. */
function asFileName(name: string): string {
  return name.replaceAll(/[/\\:*?"<>|\p{Cc}]|^\.*$/gu, '-');
}

/** Returns the addresses of a `text/uri-list`, one per line, each once. Lines with `#` are comments. */
export function urisInList(list: string): string[] {
  const lines = list.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))];
}

function isOfWeb(uri: string): boolean {
  return /^https?:\/\//i.test(uri);
}

/** @throws NotebookError `unsupported` if VS Code can't access files of this scheme */
function toFileUri(address: string): vscode.Uri {
  const uri = URL.canParse(address) ? vscode.Uri.parse(address) : undefined;
  const hasFiles =
    uri?.scheme === 'untitled' ||
    (uri !== undefined && vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined);
  if (uri === undefined || !hasFiles)
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t(
        'Can’t add {0} because it isn’t a file or a web page. Drop files, folders, or links to web pages.',
        address.slice(0, MAX_SHOWN_LENGTH),
      ),
    );
  return uri;
}
