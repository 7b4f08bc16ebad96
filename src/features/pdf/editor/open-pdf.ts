import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AnnotationEdit } from '../../../core/domain/annotation.ts';
import type { FieldEdit } from '../../../core/domain/form-states.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type {
  PdfAnnotations,
  PdfHostApi,
  PdfMarks,
  PdfPosition,
  PdfSelection,
  PdfViewerApi,
  ViewerCommand,
} from '../protocol.ts';
import type { PdfView } from '../../../core/rpc/figure.ts';
import type { Channel } from '../../../core/rpc/rpc.ts';
import { PasswordOfOne } from './pdf-passwords.ts';
import { connectToPage } from '../../../platform/webview-channel.ts';
import { webviewHtml, webviewOptions } from '../../../platform/webview-page.ts';
import { escapeGlob, lastSegment, statFile } from '../../../platform/workspace-files.ts';
import { isPictureName } from '../../../core/domain/media-types.ts';
import type { PdfDocument } from './pdf-document.ts';
import { FIRST_BYTES, MAX_BATCH_BYTES, openBytes, pdfView, wholeBytes, type PdfBytes } from './pdf-bytes.ts';
import type { PdfParts } from './pdf-parts.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** VS Code commands that carry out commands of the viewer. */
const COMMANDS: Readonly<Record<ViewerCommand, string>> = {
  addSelection: 'openNotebook.addSelection',
  askAboutSelection: 'openNotebook.askAboutSelection',
  togglePresentation: 'workbench.action.toggleZenMode',
  undo: 'undo',
  redo: 'redo',
  save: 'workbench.action.files.save',
  print: 'openNotebook.printPdf',
};

/** Storage key of the setting to show pages in dark colors in dark themes. */
const INVERTED_KEY = 'openNotebook.pdfInverted';

/** Delay before the reading position is saved, in milliseconds. */
const SAVE_DELAY_MS = 1_000;

/** Maximum time to wait for a page to report its last edits, in milliseconds. */
const FLUSH_TIMEOUT_MS = 2_000;

/** Time without changes to a file before it is loaded again, in milliseconds. */
const SETTLES_AFTER = 400;

/** PDF in its editor. It is loaded again when its file changes. */
export class OpenPdf extends Disposable {
  readonly uri: vscode.Uri;
  readonly #document: PdfDocument;
  readonly #onEdit: (edit: AnnotationEdit) => void;
  readonly #onFillIn: (edit: FieldEdit) => void;
  readonly #panel: vscode.WebviewPanel;
  readonly #parts: PdfParts;
  readonly #watcher: vscode.FileSystemWatcher;
  readonly #closed = new AbortController();
  readonly #passwords: PasswordOfOne;
  #channel: Channel<PdfViewerApi> | undefined;
  #bytes: PdfBytes | undefined;
  /** State of the file when it was opened. */
  #fileStat: vscode.FileStat | undefined;
  #marks: PdfMarks | undefined;
  #isReady = false;
  #position: PdfPosition | undefined;
  #keeping: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(
    document: PdfDocument,
    panel: vscode.WebviewPanel,
    parts: PdfParts,
    onEdit: (edit: AnnotationEdit) => void,
    onFillIn: (edit: FieldEdit) => void,
  ) {
    super();
    const { uri } = document;
    this.uri = uri;
    this.#document = document;
    this.#onEdit = onEdit;
    this.#onFillIn = onFillIn;
    this._register(
      document.onChanged(() => {
        if (!this.#isReady) return;
        this.#channel?.remote.notify('annotations', this.#annotations);
        this.#channel?.remote.notify('filled', document.form.current);
      }),
      document.onWritten(() => void this.#openAgain()),
    );
    this.#panel = panel;
    this.#parts = parts;
    this.#passwords = new PasswordOfOne(parts.passwords, uri.toString(), this.#closed.signal);
    document.flush = async () => {
      if (!this.#isReady || !panel.visible || this.#channel === undefined) return;
      // A page that is closed or hangs can't report more edits.
      const flushed = this.#channel.remote.call('flush', {}).catch(() => undefined);
      await Promise.race([flushed, setTimeoutPromise(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    };
    panel.webview.options = webviewOptions(parts.extensionUri);
    const folder = vscode.Uri.joinPath(uri, '..');
    this.#watcher = this._register(
      vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folder, escapeGlob(lastSegment(uri))),
      ),
    );
    const settle = (): void => {
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => void this.#loadAgain(), SETTLES_AFTER);
    };
    this.#watcher.onDidChange(settle);
    this.#watcher.onDidCreate(settle);
  }

  get document(): PdfDocument {
    return this.#document;
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Shows the editor and reveals the marks if they are given. */
  show(marks: PdfMarks | undefined, preserveFocus?: boolean): void {
    this.#panel.reveal(this.#panel.viewColumn, preserveFocus);
    if (marks === undefined) return;
    this.#marks = marks;
    if (this.#isReady) this.#channel?.remote.notify('reveal', marks);
  }

  get #annotations(): PdfAnnotations {
    const { current, refs } = this.#document.states;
    return { current, refs };
  }

  /** Resolves to the selection once the viewer has loaded. */
  async selection(): Promise<PdfSelection> {
    const remote = this.#isReady ? this.#channel?.remote : undefined;
    return (await remote?.call('selection', {})) ?? { text: '', pages: '', runs: [], labels: {} };
  }

  /** Adds the selected items of its list of highlights to a note. */
  addListed(): void {
    if (this.#isReady) this.#channel?.remote.notify('addListed', {});
  }

  /** Loads the viewer, at the marks if they are given. */
  load(marks: PdfMarks | undefined): void {
    this.#marks = marks;
    this.#isReady = false;
    this.#channel?.dispose();
    const { webview } = this.#panel;
    this.#channel = connectToPage<PdfHostApi, PdfViewerApi>(this.#panel, {
      ready: async () => {
        const view = await this.#open();
        this.#isReady = true;
        return {
          view,
          // The pages are shown even without recognized text.
          recognised: await this.#parts.notebook
            .call('recognizedPages', { uri: this.uri.toString() })
            .catch(() => []),
          marks: this.#marks,
          inverted: this.#parts.memory.get<boolean>(INVERTED_KEY, false),
          annotations: this.#annotations,
          filled: this.#document.form.current,
          position: this.#parts.positions.of(this.uri.toString()),
        };
      },
      edit: async (edit) => {
        await this.#document.saved;
        this.#onEdit(edit);
      },
      fillIn: async (edit) => {
        await this.#document.saved;
        this.#onFillIn(edit);
      },
      formProblem: () => this.#document.formProblem(),
      bytes: ({ begin, end }) => this.#read(begin, end),
      recognizedWords: ({ page }) =>
        this.#parts.notebook.call('recognizedWords', { uri: this.uri.toString(), page }),
      keepPosition: (position) => {
        this.#position = position;
        this.#keeping ??= setTimeout(() => void this.#keepPosition(), SAVE_DELAY_MS);
      },
      addMarked: ({ marked }) => this.#parts.saveMarked(this.uri, marked),
      setInverted: ({ inverted }) => this.#parts.memory.update(INVERTED_KEY, inverted),
      run: async ({ command }) => {
        await vscode.commands.executeCommand(COMMANDS[command]);
      },
      password: async ({ wasWrong }) => (await this.#passwords.next(wasWrong)) ?? null,
      opened: () => this.#passwords.markOpened(),
    });
    webview.html = webviewHtml(webview, this.#parts.extensionUri, 'pdf');
  }

  override dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#settling);
    clearTimeout(this.#keeping);
    this.#document.flush = () => Promise.resolve();
    void this.#keepPosition();
    this.#channel?.dispose();
    void this.#bytes?.close();
    super.dispose();
  }

  /** Opens the file again, because it may have been replaced. */
  async #open(): Promise<PdfView> {
    await this.#bytes?.close();
    this.#bytes = undefined;
    this.#fileStat = await statFile(this.uri);
    const bytes = isPictureName(this.uri.path)
      ? wholeBytes(await this.#parts.pdfOfPicture(this.uri))
      : await openBytes(this.uri);
    if (this.#closed.signal.aborted) await bytes.close();
    else this.#bytes = bytes;
    const start = await this.#read(0, bytes.length <= MAX_BATCH_BYTES ? bytes.length : FIRST_BYTES);
    const { webview } = this.#panel;
    return pdfView({
      webview,
      extensionUri: this.#parts.extensionUri,
      uri: this.uri,
      length: bytes.length,
      start,
    });
  }

  async #read(begin: number, end: number): Promise<Uint8Array> {
    if (this.#bytes === undefined)
      throw new NotebookError(
        'broken-off',
        vscode.l10n.t('{0} is closed. Open it again.', lastSegment(this.uri)),
      );
    return this.#bytes.read(begin, end);
  }

  async #keepPosition(): Promise<void> {
    this.#keeping = undefined;
    if (this.#position !== undefined) await this.#parts.positions.keep(this.uri.toString(), this.#position);
  }

  /**
   * Loads the file again if it has changed, without the earlier marks, whose locations were in the previous version.
   */
  async #loadAgain(): Promise<void> {
    const stats = await statFile(this.uri);
    const shown = this.#fileStat;
    if (stats === undefined || this.#closed.signal.aborted) return;
    if (stats.size === shown?.size && stats.mtime === shown.mtime) return;
    this.#document.fileChanged();
    this.load(undefined);
  }

  /** Opens the file again after bytes were appended to it. The shown pages stay and are read from the new file. */
  async #openAgain(): Promise<void> {
    this.#fileStat = await statFile(this.uri);
    const [before, bytes] = [this.#bytes, await openBytes(this.uri)];
    if (this.#closed.signal.aborted) await bytes.close();
    else this.#bytes = bytes;
    await before?.close();
  }
}
