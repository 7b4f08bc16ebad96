import * as vscode from 'vscode';
import { workCitations } from '../../../core/domain/cite-keys.ts';
import type { ExportApi, ExportedFigure, ExportFormat, TableFormat } from '../../export/service/api.ts';
import type { DrawnFigure, FigureLimits } from '../../../core/rpc/figure.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import type { PlainTable } from '../../../core/domain/plain-table.ts';
import { isInterrupted, isCanceled, NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { fileName, type StoredCitation } from '../../../core/domain/note.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Params } from '../../../core/rpc/rpc.ts';
import { ProcessOnDemand } from '../../../platform/process-on-demand.ts';
import { readCitationStyle } from './citation-style.ts';
import { withNotification, askWhereToWrite, showMarkdown, offer } from '../../../platform/dialogs.ts';
import { writeAt } from '../../../platform/write-file.ts';
import { lastSegment, openFile } from '../../../platform/workspace-files.ts';

/** Limits, see `ProcessOnDemand`: 5,000 paragraphs need some seconds. Writing a file can't be stopped any other way. */
const PROCESS = { megabytes: 1_024, idleTimeMs: 30_000, timeoutMs: 120_000, stopTimeoutMs: 0 };

/** Maximum number of figures in a file, and the maximum size of each. */
const MAX_FIGURES = 40;
const LIMITS: FigureLimits = { longestSide: 1_600, bytes: 2 * 2 ** 20 };

/** Exported content: a note, or an answer or a conversation as a note. */
interface Exported {
  readonly title: string;
  /** Markdown with citations as links. */
  readonly text: string;
  readonly citations: readonly StoredCitation[];
  /** Returns the content as Markdown that other programs can read. */
  readonly asMarkdown: () => string;
}

/** Maximum number of references in a .bib file. */
const MAX_REFERENCES = 100_000;

/** Draws the figure of a citation; undefined if it can't be drawn. */
export type DrawFigure = (
  citation: Citation,
  limits: FigureLimits,
  signal: AbortSignal,
) => Promise<DrawnFigure | undefined>;

/** Exports notes to files of other programs. */
export class NoteExporter implements vscode.Disposable {
  readonly #process: ProcessOnDemand<ExportApi>;
  readonly #draw: DrawFigure;
  readonly #log: vscode.LogOutputChannel;

  /** `draw` draws the figure of a citation, if possible. */
  constructor(path: string, draw: DrawFigure, log: vscode.LogOutputChannel) {
    this.#process = new ProcessOnDemand({ path, name: 'The process that exports', log, ...PROCESS });
    this.#draw = draw;
    this.#log = log;
  }

  /**
   * Asks for the format and the location. Markdown opens as a document that the user can save.
   * @throws NotebookError
   */
  async export(exported: Exported): Promise<void> {
    const format = await askForFormat(exported.title);
    if (format === undefined) return;
    if (format === 'md') {
      await showMarkdown(exported.asMarkdown());
      return;
    }
    const file = { kind: labels()[format].label, name: fileName(exported.title, 'Note'), ending: format };
    const uri = await askWhereToWrite(vscode.l10n.t('Export “{0}”', exported.title), file);
    if (uri === undefined) return;
    await withNotification(vscode.l10n.t('Exporting “{0}”', exported.title), async (signal) =>
      writeAt(uri, await this.#bytes(exported, format, signal)),
    );
    showWritten(uri, exported.title);
  }

  /**
   * Returns a note's text with its references by key written out, in the citation style of the settings.
   * @throws NotebookError
   */
  async formatCitations(text: string, notebook: NotebookClient): Promise<string> {
    const keys = workCitations(text).flatMap(({ works }) => works.map(({ key }) => key));
    if (keys.length === 0) return text;
    const items = (await notebook.call('references', { keys })).map(({ item }) => item);
    const style = await readCitationStyle();
    const request = { text, items, style, language: vscode.env.language };
    return this.#process.call('citeWorks', request, new AbortController().signal);
  }

  /** Asks for a file and writes all references of a notebook to it. @throws NotebookError */
  async exportBibliography(notebook: NotebookClient): Promise<void> {
    const references = await notebook.call('findReferences', { words: '', limit: MAX_REFERENCES });
    if (references.length === 0)
      throw new NotebookError(
        'empty',
        vscode.l10n.t('This notebook has no references to export. Add a paper or a .bib file.'),
      );
    const file = { kind: 'BibLaTeX', name: 'bibliography', ending: 'bib' };
    const uri = await askWhereToWrite(vscode.l10n.t('Export Bibliography'), file);
    if (uri === undefined) return;
    const items = references.map(({ item }) => item);
    const written = await this.#process.call('writeBibtex', { items }, new AbortController().signal);
    await writeAt(uri, Buffer.from(written));
    showWritten(uri, vscode.l10n.t('Bibliography'));
  }

  /** Returns a deck as a file for another program. @throws NotebookError */
  async deck(request: Params<ExportApi['writeDeck']>, signal: AbortSignal): Promise<Uint8Array> {
    return this.#process.call('writeDeck', request, signal);
  }

  /** Writes tables to a file for spreadsheets. @throws NotebookError */
  async exportTable(
    uri: vscode.Uri,
    format: TableFormat,
    tables: readonly PlainTable[],
    title: string,
  ): Promise<void> {
    await withNotification(vscode.l10n.t('Exporting “{0}”', title), async (signal) =>
      writeAt(uri, await this.#process.call('writeTables', { format, tables }, signal)),
    );
    showWritten(uri, title);
  }

  async #bytes(
    { title, text, citations }: Exported,
    format: ExportFormat,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const figures = await this.#drawFigures(citations, signal);
    throwIfCanceled(signal);
    const withFigures = citations.filter(
      ({ citation: { figure, picture } }) => figure !== undefined || picture !== undefined,
    );
    const missingFigures = withFigures.length - figures.length;
    const whole = missingFigures === 0 ? text : `${text.trimEnd()}\n\n_${leftOutInWords(missingFigures)}_\n`;
    try {
      const request = { format, title, text: whole, citations, figures };
      return await this.#process.call('write', request, signal);
    } catch (error) {
      if (!isInterrupted(error)) throw error;
      throw new NotebookError(
        'too-large',
        vscode.l10n.t('“{0}” is too long for this format. Export it as Markdown instead.', title),
        { cause: error },
      );
    }
  }

  /** Returns the figures that can be drawn; the others are omitted, and the file states it. */
  async #drawFigures(citations: readonly StoredCitation[], signal: AbortSignal): Promise<ExportedFigure[]> {
    const figures: ExportedFigure[] = [];
    for (const { id, citation } of citations) {
      const { figure, picture, title, place } = citation;
      if (figure === undefined && picture === undefined) continue;
      if (figures.length === MAX_FIGURES) break;
      const where = [title, place].filter((part) => part !== '').join(', ');
      const caption = [figure?.words, figure?.name].find((words = '') => words !== '') ?? where;
      if (picture !== undefined) {
        const { data, ...size } = picture;
        figures.push({ id, caption, ...size, bytes: Uint8Array.from(Buffer.from(data, 'base64')) });
        continue;
      }
      throwIfCanceled(signal);
      try {
        const drawn = await this.#draw(citation, LIMITS, signal);
        if (drawn === undefined) break;
        figures.push({ id, caption, ...drawn });
      } catch (error) {
        if (isCanceled(error)) throw error;
        this.#log.warn(`A figure of ${citation.title} was not exported:`, error);
      }
    }
    return figures;
  }

  dispose(): void {
    this.#process.dispose();
  }
}

function leftOutInWords(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 cited figure isn’t in this file because it couldn’t be drawn.')
    : vscode.l10n.t('{0} cited figures aren’t in this file because they couldn’t be drawn.', count);
}

function labels(): Readonly<
  Record<ExportFormat | 'md', { readonly label: string; readonly detail: string }>
> {
  return {
    md: { label: 'Markdown', detail: vscode.l10n.t('Document with sources as footnotes') },
    html: {
      label: 'HTML',
      detail: vscode.l10n.t('Single file for any browser, with light and dark themes. Works offline.'),
    },
    docx: { label: 'Word', detail: vscode.l10n.t('.docx file with real footnotes') },
  };
}

async function askForFormat(title: string): Promise<ExportFormat | 'md' | undefined> {
  const formats = ['md', 'html', 'docx'] as const;
  const items = formats.map((format) => ({ format, ...labels()[format] }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Export “{0}”', title),
    placeHolder: vscode.l10n.t('Select a format'),
  });
  return chosen?.format;
}

/** Reports the location of an export and offers to open it. */
export function showWritten(uri: vscode.Uri, title: string): void {
  const message = vscode.l10n.t('Exported “{0}” to {1}.', title, lastSegment(uri));
  void offer(message, vscode.l10n.t('Open'), () => openFile(uri));
}
