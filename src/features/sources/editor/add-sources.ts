import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { DocumentInput } from '../../../index/store/sources/sources-api.ts';
import type { OffsetMap, ReadDocument } from '../../../core/domain/document.ts';
import type { SiteRules } from '../../../core/domain/site.ts';
import { isInOwnFolder } from '../../../core/domain/excluded-folders.ts';
import {
  listPrivateHosts,
  originPlace,
  type Source,
  type SourceOrigin,
} from '../../../core/domain/source.ts';
import type { PdfSelection } from '../../pdf/protocol.ts';
import { PDF_TYPE } from '../../../core/domain/media-types.ts';
import { notAFile } from '../../../core/domain/regular-file.ts';
import { mapOfRuns } from '../../../core/domain/pdf-map.ts';
import { titleOfText } from '../model/text-title.ts';
import { toWebAddress } from '../../../core/domain/web-address.ts';
import { readPlainText } from '../../../parsers/plain-text.ts';
import { documentOfText } from '../../../parsers/text-file.ts';
import { hostAndPort } from '../../../parsers/web/private-addresses.ts';
import type { ContextItem } from './context-item.ts';
import { isIgnored } from './folder-files.ts';
import { HostBatch, PrivateHosts, type HostAnswers } from './private-hosts.ts';
import { findWhole, placeKey, realUri, type KnownPlace } from './same-places.ts';
import { isPathTitle, titlesApart } from './moved-uris.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SourceReader } from './source-reader.ts';
import { minimumLength } from '../../../platform/settings.ts';
import { lastSegment, statFile } from '../../../platform/workspace-files.ts';
import { sha256 } from '../../../platform/sha256.ts';
import { offerActionOnWarning } from '../../../platform/dialogs.ts';

/** Maximum number of reasons in one message. */
const MAX_REASONS = 3;

/** PDF that contains a selection: its file or URL and, for a web PDF, the hash of the version that was read. */
export interface PdfOriginal {
  readonly uri: string;
  readonly hash?: string | undefined;
}

/** Text to add, with a file name such as `changes.diff`, whose extension shows its type; Markdown without a name. */
export interface TextToAdd {
  readonly title: string;
  readonly text: string;
  readonly name?: string;
}

/** Items to add at once: files and folders, web pages, texts. */
export interface ToAdd {
  /** Files and folders; the user is asked about those that ignore files exclude. */
  readonly uris?: readonly vscode.Uri[];
  /**
   * `true` if the user named each of `uris` and `pages`. Open Notebook then doesn't ask about ignored files, nor about
   * private hosts that the user agreed to for other sources of the notebook.
   */
  readonly isNamed?: boolean;
  /** Replaces `isNamed` for `pages`; the same by default. */
  readonly isPageNamed?: boolean;
  /** The user's answers about private hosts, if more is added with `pages`. */
  readonly hosts?: HostBatch;
  /** Files of the extension itself. Ignore files above them, as in a home folder under Git, don't apply. */
  readonly own?: readonly vscode.Uri[];
  /** Folder that must contain the files at every reading, if somebody other than the user named them. */
  readonly within?: vscode.Uri | undefined;
  readonly pages?: readonly string[];
  readonly texts?: readonly TextToAdd[];
}

/** Result of adding several items at once. */
export interface Added {
  /** New sources. */
  readonly added: readonly Source[];
  /** Existing sources, which are read again. */
  readonly again: readonly Source[];
  /** Existing sources that already contain an added file, folder, or page. */
  readonly whole: readonly KnownPlace[];
  /** `true` if the user named the source and wants to see it in the list. */
  readonly isNamed?: boolean;
}

/** State of adding several items at once. */
interface Adding {
  readonly sources: Source[];
  /** Known sources by their `placeKey`. */
  readonly places: Map<string, Source>;
  readonly added: Source[];
  readonly again: Source[];
  readonly whole: KnownPlace[];
  /** Reasons why some items can't be added. */
  readonly problems: NotebookError[];
}

interface AddOptions {
  /** Items that ignore files apply to. */
  readonly ignorable: 'all' | 'folders' | 'nothing';
  readonly within?: vscode.Uri | undefined;
}

/**
 * Adds sources to the notebook and reports them. A source is saved before it is read, so that it can't get lost; an
 * existing source is read again.
 */
export class SourceAdder {
  readonly #notebook: NotebookClient;
  readonly #reader: SourceReader;
  readonly #onAdded: (added: Added) => void;
  readonly #hosts: PrivateHosts;

  constructor(
    notebook: NotebookClient,
    reader: SourceReader,
    onAdded: (added: Added) => void,
    hosts = new PrivateHosts(notebook),
  ) {
    this.#notebook = notebook;
    this.#reader = reader;
    this.#onAdded = onAdded;
    this.#hosts = hosts;
  }

  /**
   * Adds files, folders, web pages, and texts. Pages of private hosts are added only if the user agrees. Resolves to
   * their sources when they are listed, before they are read.
   * @throws NotebookError `not-found`, `unsupported` for a path that isn't a file or folder and for a URL that isn't a
   * web URL, `too-short` for a text
   */
  addAll({
    uris = [],
    isNamed = false,
    isPageNamed = isNamed,
    hosts = new HostBatch(),
    own = [],
    within,
    pages = [],
    texts = [],
  }: ToAdd): Promise<readonly Source[]> {
    const total = uris.length + own.length + pages.length + texts.length;
    return this.#inOneGo(async (adding) => {
      const ignored: vscode.Uri[] = [];
      const ignorable = isNamed ? 'folders' : 'all';
      // An item that can't be added doesn't prevent the others.
      const attempt = async (add: () => Promise<void>): Promise<void> => {
        try {
          await add();
        } catch (error) {
          if (!(error instanceof NotebookError) || isCanceled(error)) throw error;
          adding.problems.push(error);
        }
      };
      for (const uri of outermostFirst(uris))
        await attempt(async () => {
          if ((await this.#addUri(adding, uri, { ignorable, within })) === 'ignored') ignored.push(uri);
        });
      for (const uri of own)
        await attempt(async () => {
          await this.#addUri(adding, uri, { ignorable: 'nothing' });
        });
      const answers = await this.#askAboutPages(adding, pages, isPageNamed, hosts);
      for (const page of pages) await attempt(() => this.#addPage(adding, page, answers));
      for (const text of texts) await attempt(() => this.#addLongText(adding, text));
      if (ignored.length > 0) void this.#offerIgnored(ignored, within);
      throwProblems(adding.problems, total);
    }, isNamed || isPageNamed);
  }

  /** @throws NotebookError `unsupported` if it isn't a web URL. */
  async addPage(address: string): Promise<void> {
    await this.addAll({ pages: [address] });
  }

  /** @throws NotebookError `too-short` */
  async addText(title: string, text: string): Promise<void> {
    await this.addAll({ texts: [{ title, text }] });
  }

  /** Adds a text of any length. */
  async addWholeText(text: TextToAdd): Promise<void> {
    await this.#inOneGo((adding) => this.#addText(adding, text));
  }

  async #addUri(
    adding: Adding,
    uri: vscode.Uri,
    { ignorable, within }: AddOptions,
  ): Promise<'added' | 'ignored'> {
    if (uri.scheme === 'untitled') {
      const document = await vscode.workspace.openTextDocument(uri);
      await this.#addLongText(adding, { title: lastSegment(uri), text: document.getText() });
      return 'added';
    }
    const stat = await statFile(uri);
    if (stat === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('Can’t find {0}. It may have been moved or deleted.', lastSegment(uri)),
      );
    if (isNoFile(uri, stat)) throw await notAFileError(uri, stat);
    if (isInOwnFolder(vscode.workspace.asRelativePath(uri, false))) throw ownFolderError(uri);
    const origin = makeOrigin(uri, stat, within);
    const isNew = !adding.places.has(await placeKey(origin));
    const isFolder = origin.kind === 'folder';
    const mayBeIgnored = ignorable === 'all' || (ignorable === 'folders' && isFolder);
    if (isNew && mayBeIgnored && (await isIgnored(uri, isFolder))) return 'ignored';
    await this.#addOnce(adding, makeTitle(uri), origin);
    return 'added';
  }

  /** Offers to add ignored files, which may contain secrets or be generated. */
  async #offerIgnored(uris: readonly vscode.Uri[], within: vscode.Uri | undefined): Promise<void> {
    const [first] = uris;
    if (first === undefined) return;
    const question =
      uris.length === 1
        ? vscode.l10n.t('An ignore file such as .gitignore excludes {0}. Add it anyway?', lastSegment(first))
        : vscode.l10n.t(
            'Ignore files such as .gitignore exclude {0} of these items. Add them anyway?',
            uris.length,
          );
    if (!(await offerActionOnWarning(question, vscode.l10n.t('Add Anyway')))) return;
    await this.#inOneGo(async (adding) => {
      for (const uri of uris) {
        const stat = await statFile(uri);
        if (stat !== undefined) await this.#addOnce(adding, makeTitle(uri), makeOrigin(uri, stat, within));
      }
    });
  }

  /** Asks once about each private host of pages that isn't allowed yet. */
  async #askAboutPages(
    { sources }: Adding,
    pages: readonly string[],
    isNamed: boolean,
    hosts: HostBatch,
  ): Promise<HostAnswers> {
    const allowed = new Set(
      sources.flatMap(({ origin }) =>
        origin.kind === 'page' && listPrivateHosts(origin).length > 0 ? [origin.url] : [],
      ),
    );
    const addresses = pages.flatMap((page) => {
      const url = toWebAddress(page);
      return url === undefined || allowed.has(url) ? [] : [url];
    });
    const answers = await hosts.ask(addresses, isNamed ? await this.#hosts.listHosts() : []);
    this.#hosts.remember(answers.agreed);
    return answers;
  }

  async #addPage(adding: Adding, address: string, { agreed, refused }: HostAnswers): Promise<void> {
    const url = toWebAddress(address);
    if (url === undefined)
      throw new NotebookError(
        'unsupported',
        vscode.l10n.t('{0} isn’t a valid URL. Enter a URL that starts with https://.', address),
      );
    const host = hostAndPort(new URL(url));
    if (refused.has(host)) return;
    await this.#addOnce(adding, url, {
      kind: 'page',
      url,
      ...(agreed.has(host) && { privateHosts: [host] }),
    });
  }

  /** Adds a site, which is crawled with these settings. */
  async addSite(rules: SiteRules): Promise<void> {
    await this.#inOneGo((adding) =>
      this.#addOnce(adding, titleOfSite(rules.starts), { kind: 'site', ...rules }),
    );
  }

  async #addLongText(adding: Adding, { title, text, name }: TextToAdd): Promise<void> {
    const least = minimumLength();
    if (text.trim().length < least)
      throw new NotebookError(
        'too-short',
        vscode.l10n.t(
          'This text is too short. It has {0} characters, but a source needs at least {1}.',
          text.trim().length,
          least,
        ),
      );
    const sourceTitle = title.trim() || titleOfText(text);
    await this.#addText(adding, { title: sourceTitle, text, ...(name !== undefined && { name }) });
  }

  /** Adds a selection in a PDF, of any length, as a source that knows its locations on the pages. */
  async addPdfSelection(
    title: string,
    { text, runs, labels }: PdfSelection,
    original: PdfOriginal,
  ): Promise<void> {
    const read = { ...readPlainText(text, PDF_TYPE), title, map: mapOfRuns(runs, labels) };
    const { uri, hash } = original;
    await this.#addRead(
      title,
      { kind: 'selection', uri },
      {
        ...(await toInput(read, uri)),
        ...(hash !== undefined && { hash }),
      },
    );
  }

  async #addText(adding: Adding, { title, text, name = 'text.md' }: TextToAdd): Promise<void> {
    const document: ReadDocument = { ...documentOfText(text, name), title, map: { kind: 'saved' } };
    adding.added.push(
      await this.#notebook.call('addSource', {
        title,
        origin: { kind: 'text' },
        document: await toInput(document, ''),
      }),
    );
  }

  /** Adds an editor's selected text as a source that knows its file and lines. */
  async addSelection(editor: vscode.TextEditor): Promise<void> {
    const { document, selection } = editor;
    const text = document.getText(selection);
    const lines =
      selection.start.line === selection.end.line
        ? String(selection.start.line + 1)
        : `${String(selection.start.line + 1)}–${String(selection.end.line + 1)}`;
    const name = lastSegment(document.uri);
    const title = `${name} L${lines}`;
    if (document.uri.scheme === 'untitled') {
      await this.addText(title, text);
      return;
    }
    const uri = document.uri.toString();
    const start = { line: selection.start.line, character: selection.start.character };
    const map: OffsetMap = { kind: 'text', origin: start };
    const read: ReadDocument = { ...documentOfText(text, name), title, map };
    const origin: SourceOrigin = { kind: 'selection', uri, start, languageId: document.languageId };
    await this.#addRead(title, origin, await toInput(read, uri));
  }

  /**
   * Adds a context item, or updates the text of the source if the item was added before. An item with the name of
   * another one gets a number.
   */
  async addContextItem({ title, origin, document, uri }: ContextItem): Promise<Source> {
    const sources = await this.#notebook.call('sources', {});
    const place = originPlace(origin);
    let named = title;
    for (let number = 2; ; number++) {
      const namesake = sources.find((knownSource) => knownSource.title === named);
      if (namesake === undefined) break;
      if (originPlace(namesake.origin) === place) {
        const input = await toInput({ ...document, title: named }, uri);
        const [stamp] = await this.#notebook.call('stamps', { sourceId: namesake.id });
        if (stamp?.hash !== input.hash)
          await this.#notebook.call('putDocument', { sourceId: namesake.id, input });
        return namesake;
      }
      named = `${title} (${String(number)})`;
    }
    const input = await toInput({ ...document, title: named }, uri);
    const added = await this.#notebook.call('addSource', { title: named, origin, document: input });
    this.#onAdded({ added: [added], again: [], whole: [] });
    return added;
  }

  /** Adds a source whose only document has been read. */
  async #addRead(title: string, origin: SourceOrigin, document: DocumentInput): Promise<void> {
    await this.#inOneGo(async ({ added }) => {
      added.push(await this.#notebook.call('addSource', { title, origin, document }));
    });
  }

  /** Adds items that belong together, and reports them in one sentence, even if an error interrupts it. */
  async #inOneGo(add: (adding: Adding) => Promise<void>, isNamed = false): Promise<readonly Source[]> {
    const sources = [...(await this.#notebook.call('sources', {}))];
    const keys = await Promise.all(sources.map(({ origin }) => placeKey(origin)));
    const places = new Map(sources.map((source, index) => [keys[index] ?? '', source]));
    const adding: Adding = { sources, places, added: [], again: [], whole: [], problems: [] };
    try {
      await add(adding);
    } finally {
      this.#onAdded({ ...adding, isNamed });
    }
    const { added, again, whole } = adding;
    return [...new Set([...added, ...again, ...whole.map(({ source }) => source)])];
  }

  /**
   * Adds a source, or reads a known one again. A new source becomes a known one. Parts of a known source aren't added.
   */
  async #addOnce(adding: Adding, title: string, origin: SourceOrigin): Promise<void> {
    const { sources, places, added, again } = adding;
    const place = await placeKey(origin);
    let source = places.get(place);
    if (source !== undefined) source = await this.#allowHosts(sources, source, listPrivateHosts(origin));
    if (source === undefined) {
      const whole = await findWhole(this.#notebook, sources, origin);
      if (whole !== undefined) {
        adding.whole.push(whole);
        return;
      }
      const apart = await this.#titleApart(sources, title, origin);
      source = await this.#notebook.call('addSource', { title: apart, origin });
      sources.push(source);
      added.push(source);
      // The folder that contains it reads again, to skip it from now on.
      if ('uri' in origin) void this.#reader.readAround(origin.uri, sources);
    } else if (!added.includes(source) && !again.includes(source)) again.push(source);
    places.set(place, source);
    void this.#reader.read(source);
  }

  /** Allows a known source to read from private hosts that the user agreed to now. */
  async #allowHosts(known: Source[], source: Source, hosts: readonly string[]): Promise<Source> {
    const before = listPrivateHosts(source.origin);
    if (hosts.every((host) => before.includes(host))) return source;
    await this.#notebook.call('allowPrivateHosts', { sourceId: source.id, hosts });
    const allowed = (await this.#notebook.call('sources', {})).find(({ id }) => id === source.id) ?? source;
    known.splice(known.indexOf(source), 1, allowed);
    return allowed;
  }

  /** Returns the title of a new source. If others have the same name, all of their titles get parent folders. */
  async #titleApart(known: readonly Source[], title: string, origin: SourceOrigin): Promise<string> {
    const path = originPath(origin);
    if (path === undefined) return title;
    const namesakes = known.flatMap((source) => {
      const other = originPath(source.origin);
      const isNamesake = other?.endsWith(`/${title}`) === true && isPathTitle(source.title, other);
      return isNamesake ? [{ source, path: other }] : [];
    });
    const [own = title, ...titles] = titlesApart([path, ...namesakes.map((namesake) => namesake.path)]);
    for (const [index, { source }] of namesakes.entries()) {
      const apart = titles[index] ?? source.title;
      if (apart !== source.title)
        await this.#notebook.call('renameSource', { sourceId: source.id, title: apart });
    }
    return own;
  }
}

/** Returns files and folders in an order in which each folder comes before its contents. */
function outermostFirst(uris: readonly vscode.Uri[]): vscode.Uri[] {
  const isInner = (uri: vscode.Uri): boolean => uris.some(({ path }) => uri.path.startsWith(`${path}/`));
  return [...uris.filter((uri) => !isInner(uri)), ...uris.filter(isInner)];
}

/** @throws NotebookError with the reasons why some of several items can't be added */
function throwProblems(problems: readonly NotebookError[], total: number): void {
  const [first] = problems;
  if (first === undefined) return;
  if (total === 1) throw first;
  const reasons = problems.slice(0, MAX_REASONS).map(({ message }) => message);
  throw new NotebookError(
    first.code,
    vscode.l10n.t('Can’t add {0} of {1} items. {2}', problems.length, total, reasons.join(' ')),
  );
}

/** Returns the path of a file or folder. */
function originPath(origin: SourceOrigin): string | undefined {
  return origin.kind === 'file' || origin.kind === 'folder' ? vscode.Uri.parse(origin.uri).path : undefined;
}

/** Reports whether a path is a pipe, a socket, or a device. */
function isNoFile({ scheme }: vscode.Uri, { type }: vscode.FileStat): boolean {
  return scheme === 'file' && (type & (vscode.FileType.Directory | vscode.FileType.File)) === 0;
}

/** Returns the error for a path that is neither a file nor a folder. */
async function notAFileError(uri: vscode.Uri, { type }: vscode.FileStat): Promise<NotebookError> {
  const name = lastSegment(uri);
  const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
  if (!isLink || (await realUri(uri)).toString() !== uri.toString()) return notAFile(name);
  return new NotebookError(
    'not-found',
    vscode.l10n.t(
      '{0} is a symbolic link to a file that doesn’t exist. Remove the link, or add another file.',
      name,
    ),
  );
}

/** Returns the error for a file or folder in the directory that Open Notebook itself writes. */
function ownFolderError(uri: vscode.Uri): NotebookError {
  return new NotebookError(
    'unsupported',
    vscode.l10n.t(
      'Can’t add {0} because the .notebook folder contains shared notebook data. Use “Add Shared Sources from Repository…” instead.',
      lastSegment(uri),
    ),
  );
}

function makeTitle(uri: vscode.Uri): string {
  return lastSegment(uri) || uri.toString();
}

function makeOrigin(
  uri: vscode.Uri,
  { type }: vscode.FileStat,
  within: vscode.Uri | undefined,
): SourceOrigin {
  const kind = (type & vscode.FileType.Directory) === 0 ? 'file' : 'folder';
  return { kind, uri: uri.toString(), ...(within !== undefined && { within: within.toString() }) };
}

async function toInput(document: ReadDocument, uri: string): Promise<DocumentInput> {
  const bytes = Buffer.from(document.text);
  return {
    key: '',
    uri,
    hash: await sha256(bytes),
    size: bytes.length,
    modifiedAt: Date.now(),
    document,
  };
}

/** Returns the title of a site: its first URL without the protocol and the name of an index page. */
function titleOfSite([first = '', ...others]: readonly string[]): string {
  const { host, pathname } = new URL(first);
  const name = (host + pathname).replace(/\/(?:index\.\w+)?$/, '');
  if (others.length === 0) return name;
  return others.length === 1
    ? vscode.l10n.t('{0} and 1 more', name)
    : vscode.l10n.t('{0} and {1} more', name, others.length);
}
