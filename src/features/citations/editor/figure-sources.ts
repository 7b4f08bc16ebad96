import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { withoutEscapes } from '../../../core/domain/web-address.ts';
import type { CitedWords } from '../../../index/documents/citing-api.ts';
import type { FigureBytes, FigureSource } from '../../../core/rpc/figure.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { PlacedFigure } from '../../../core/domain/figure.ts';
import { resolveInsideRoot } from '../../../core/domain/resolve-inside-root.ts';
import { storedPdf } from '../../../platform/copy-files.ts';
import type { InnerPicture } from '../../../parsers/file-pictures.ts';
import { shownPictureType } from '../../../core/domain/media-types.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { FIRST_BYTES, MAX_BATCH_BYTES, openBytes, pdfView } from '../../pdf/editor/pdf-bytes.ts';
import type { Passwords } from '../../pdf/editor/with-password.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { lastSegment, readContent, readSmallFile, statFile } from '../../../platform/workspace-files.ts';

/** Maximum number of PDFs whose bytes a page can still request. */
const MAX_FILES = 32;

/** Maximum size of an image that is shown, in bytes. */
const MAX_IMAGE_SIZE = 20 * 2 ** 20;

interface FigureParts {
  readonly extensionUri: vscode.Uri;
  readonly notebook: Pick<NotebookClient, 'call'>;
  readonly passwords: Pick<Passwords, 'findPassword'>;
  readonly readers: Pick<ReaderPool, 'readPicture'>;
  /** Folder of the copies of web PDFs. */
  readonly pdfCopies: string;
}

/** Cited text and its document. */
type FigureCitation = CitedWords & Pick<Citation, 'title'>;

/** Citation with the current location of its document. */
type LocatedCitation = FigureCitation & Pick<Citation, 'uri'>;

/**
 * Files from which the figures of citations are drawn. Only files on this machine: nothing is downloaded for a figure.
 */
export class FigureSources {
  readonly #parts: FigureParts;
  readonly #files = new Map<string, vscode.Uri>();

  constructor(parts: FigureParts) {
    this.#parts = parts;
  }

  /** Returns the figure that cited text contains or names. @throws NotebookError `not-found` */
  async placeFigure({ documentId, sourceId, span, quote }: FigureCitation): Promise<PlacedFigure> {
    const figure = await this.#parts.notebook.call('figure', {
      documentId,
      ...(sourceId !== undefined && { sourceId }),
      span,
      quote,
    });
    if (figure === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('Can’t show this figure because its source has changed or was removed.'),
      );
    return figure;
  }

  /** Returns the data from which a webview draws the figure of a citation. @throws NotebookError */
  async open(citation: FigureCitation, webview: vscode.Webview): Promise<FigureSource> {
    const { picture, uri, mediaType } = await this.placeFigure(citation);
    const cited = { ...citation, uri };
    switch (picture.kind) {
      case 'page': {
        const { page, rectangles } = picture.caption;
        const caption = rectangles.filter((rectangle) => rectangle.page === page);
        return { kind: 'page', ...(await this.#openPdf(cited, webview)), page, caption };
      }
      case 'address':
        return this.#image(picture.address, cited);
      case 'caption':
      case 'cell':
        return this.#inner({ picture, uri, mediaType, title: citation.title });
    }
  }

  /** @throws NotebookError */
  async bytes({ file, begin, end }: FigureBytes): Promise<Uint8Array> {
    const uri = this.#files.get(file);
    if (uri === undefined)
      throw new NotebookError(
        'broken-off',
        vscode.l10n.t('The file that contains this figure is closed. Open the figure again.'),
      );
    const bytes = await openBytes(uri);
    try {
      return await bytes.read(begin, end);
    } finally {
      await bytes.close();
    }
  }

  async #openPdf(
    citation: LocatedCitation,
    webview: vscode.Webview,
  ): Promise<Pick<Extract<FigureSource, { kind: 'page' }>, 'file' | 'password' | 'pdf'>> {
    const uri = await this.#findPdf(citation);
    const bytes = await openBytes(uri);
    try {
      const { length } = bytes;
      const start = await bytes.read(0, length <= MAX_BATCH_BYTES ? length : FIRST_BYTES);
      const stat = await statFile(uri);
      const state = `${uri.toString()} ${String(length)} ${String(stat?.mtime)}`;
      const file = createHash('sha256').update(state).digest('hex').slice(0, 32);
      this.#keep(file, uri);
      const { extensionUri, passwords } = this.#parts;
      const pdf = pdfView({ webview, extensionUri, uri, length, start });
      return { file, pdf, password: await passwords.findPassword(uri.toString()) };
    } finally {
      await bytes.close();
    }
  }

  /** Returns the file of a PDF; for a web PDF, the copy that was made when it was opened. */
  async #findPdf({ uri, documentId, sourceId, title }: LocatedCitation): Promise<vscode.Uri> {
    if (!/^https?:/i.test(uri)) return vscode.Uri.parse(uri);
    const { notebook, pdfCopies } = this.#parts;
    const stamps = sourceId === undefined ? [] : await notebook.call('stamps', { sourceId });
    const hash = stamps.find(({ id }) => id === documentId)?.hash;
    const copy = hash === undefined ? undefined : await storedPdf(pdfCopies, hash);
    if (copy !== undefined) return vscode.Uri.file(copy);
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('{0} is from the web and hasn’t been downloaded. Open it to see its figures.', title),
    );
  }

  /** Returns an image that a process extracts from its file. */
  async #inner({
    picture,
    uri: address,
    mediaType,
    title,
  }: Pick<PlacedFigure, 'mediaType' | 'uri'> & {
    readonly picture: InnerPicture;
    readonly title: string;
  }): Promise<FigureSource> {
    const uri = vscode.Uri.parse(address);
    if (/^https?$/i.test(uri.scheme)) throw missingPicture(title);
    const filePicture = await this.#parts.readers.readPicture({
      content: await readContent(uri),
      name: lastSegment(uri),
      mediaType,
      picture,
    });
    if (filePicture === undefined) throw missingPicture(title);
    if (filePicture.bytes.length > MAX_IMAGE_SIZE) throw tooLarge(title);
    return { kind: 'image', mediaType: filePicture.mediaType, bytes: Uint8Array.from(filePicture.bytes) };
  }

  #keep(file: string, uri: vscode.Uri): void {
    this.#files.delete(file);
    this.#files.set(file, uri);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MAX_FILES) break;
      this.#files.delete(oldest);
    }
  }

  async #image(address: string, { uri, title }: LocatedCitation): Promise<FigureSource> {
    const data = /^data:(image\/[\w.+-]{1,40})((?:;[\w=.+-]{1,60}){0,4}),/i.exec(address.slice(0, 400));
    if (data !== null) {
      const [head, mediaType = '', options = ''] = data;
      if (address.length > 1.4 * MAX_IMAGE_SIZE) throw tooLarge(title);
      const rest = address.slice(head.length);
      const isBase64 = /;base64$/i.test(options);
      const bytes = isBase64 ? Buffer.from(rest, 'base64') : Buffer.from(withoutEscapes(rest), 'utf8');
      return { kind: 'image', mediaType: mediaType.toLowerCase(), bytes: Uint8Array.from(bytes) };
    }
    const place = await imagePlace(vscode.Uri.parse(uri), withoutEscapes(address.replace(/[?#].*$/s, '')));
    const mediaType = shownPictureType(place?.path ?? '');
    if (place === undefined || mediaType === undefined) throw missingImage(title);
    const stat = await statFile(place);
    if ((stat?.size ?? 0) > MAX_IMAGE_SIZE) throw tooLarge(title);
    return { kind: 'image', mediaType, bytes: Uint8Array.from(await readSmallFile(place, MAX_IMAGE_SIZE)) };
  }
}

/**
 * Returns the file of an image that a document names, in the document's workspace folder or else below its own folder.
 */
async function imagePlace(document: vscode.Uri, path: string): Promise<vscode.Uri | undefined> {
  const workspace = vscode.workspace.getWorkspaceFolder(document)?.uri;
  const folder = vscode.Uri.joinPath(document, '..');
  const root = workspace ?? folder;
  const named = path.startsWith('/') ? vscode.Uri.joinPath(root, path) : vscode.Uri.joinPath(folder, path);
  if (!named.path.startsWith(`${root.path.replace(/\/$/, '')}/`)) return undefined;
  if (document.scheme !== 'file') return (await statFile(named)) && named;
  const below = named.path.slice(root.path.replace(/\/$/, '').length + 1);
  const real = await resolveInsideRoot(root.fsPath, below);
  return real?.kind === 'file' ? vscode.Uri.file(real.path) : undefined;
}

function missingImage(title: string): NotebookError {
  return new NotebookError('not-found', vscode.l10n.t('Can’t find the image that {0} refers to.', title));
}

function missingPicture(title: string): NotebookError {
  return new NotebookError('not-found', vscode.l10n.t('This image is no longer in {0}.', title));
}

function tooLarge(title: string): NotebookError {
  return new NotebookError('too-large', vscode.l10n.t('This image in {0} is too large to show.', title));
}
