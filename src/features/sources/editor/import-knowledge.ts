import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { SourceOrigin } from '../../../core/domain/source.ts';
import { isCanceled, NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { importReport, type ImportOutcome } from '../../../parsers/import-report.ts';
import type { KnowledgeEntry, KnowledgeReading } from '../../../parsers/knowledge-base.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { minimumLength } from '../../../platform/settings.ts';
import { showInformation, showWarning, withNotification } from '../../../platform/dialogs.ts';
import { readContent, lastSegment, statFile } from '../../../platform/workspace-files.ts';

const SCHEME = 'open-notebook-import';

type Outcome = {
  -readonly [K in keyof ImportOutcome]: ImportOutcome[K] extends boolean ? boolean : string[];
};

interface KnowledgeFiles {
  readonly json: readonly vscode.Uri[];
  /** Names of files without text. */
  readonly others: readonly string[];
}

/** Imports the knowledge base of the Streamlit app and reports the result. */
export class KnowledgeImporter implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #readers: ReaderPool;
  readonly #reports = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor(notebook: NotebookClient, readers: ReaderPool) {
    this.#notebook = notebook;
    this.#readers = readers;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** Asks for the folder, imports it with progress, and reports the result. */
  async run(): Promise<void> {
    const [folder] =
      (await vscode.window.showOpenDialog({
        canSelectFiles: false,
        canSelectFolders: true,
        title: vscode.l10n.t('Select knowledge_base Folder'),
        openLabel: vscode.l10n.t('Import'),
      })) ?? [];
    if (folder === undefined) return;
    const title = vscode.l10n.t('Importing {0}', lastSegment(folder));
    const outcome = await withNotification(title, (signal, report) => this.#import(folder, report, signal));
    await this.#showOutcome(folder, outcome);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#reports.get(uri.query) ??
      vscode.l10n.t('This report is no longer available. Import the folder again to create a new report.')
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }

  /** @throws NotebookError `not-found` if there is no knowledge base. */
  async #import(
    folder: vscode.Uri,
    report: (name: string, percent: number) => void,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { json, others } = await knowledgeFilesIn(folder);
    const outcome: Outcome = { added: [], existing: [], problems: [], skipped: [...others], stopped: false };
    try {
      const known = await this.#knownTexts();
      for (const [index, file] of json.entries()) {
        throwIfCanceled(signal);
        report(lastSegment(file), (100 * (index + 1)) / json.length);
        const { entries, problems } = await this.#read(file, signal);
        outcome.problems.push(...problems);
        for (const entry of entries) {
          throwIfCanceled(signal);
          const name = entry.url ?? entry.hash;
          if (known.has(name)) outcome.existing.push(entry.title);
          else {
            known.add(name);
            await this.#add(entry);
            outcome.added.push(entry.title);
          }
        }
      }
    } catch (error) {
      if (!isCanceled(error)) throw error;
      outcome.stopped = true;
    }
    return outcome;
  }

  async #read(file: vscode.Uri, signal: AbortSignal): Promise<KnowledgeReading> {
    try {
      return await this.#readers.readKnowledge(
        { content: await readContent(file), name: lastSegment(file), minimumLength: minimumLength() },
        signal,
      );
    } catch (error) {
      if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
      return { entries: [], problems: [error.message] };
    }
  }

  /** Returns the URLs of pages and the content hashes of texts in the notebook. */
  async #knownTexts(): Promise<Set<string>> {
    const known = new Set<string>();
    for (const { id, origin } of await this.#notebook.call('sources', {}))
      if (origin.kind === 'page') known.add(origin.url);
      else if (origin.kind === 'text')
        for (const { hash } of await this.#notebook.call('stamps', { sourceId: id })) known.add(hash);
    return known;
  }

  async #add({ title, url, document, hash, size }: KnowledgeEntry): Promise<void> {
    const origin: SourceOrigin = url === undefined ? { kind: 'text' } : { kind: 'page', url };
    await this.#notebook.call('addSource', {
      title,
      origin,
      document: { key: '', uri: url ?? '', hash, size, modifiedAt: Date.now(), document },
    });
  }

  async #showOutcome(folder: vscode.Uri, outcome: Outcome): Promise<void> {
    const { added, existing, problems, stopped } = outcome;
    const message = [
      added.length === 1
        ? vscode.l10n.t('Imported 1 source')
        : vscode.l10n.t('Imported {0} sources', added.length),
      ...(existing.length === 0 ? [] : [vscode.l10n.t('{0} already in the notebook', existing.length)]),
      ...(problems.length === 0 ? [] : [vscode.l10n.t('{0} couldn’t be read', problems.length)]),
      ...(stopped ? [vscode.l10n.t('the rest wasn’t imported because you canceled')] : []),
    ].join(', ');
    const details = vscode.l10n.t('Show Details');
    const show = problems.length === 0 ? showInformation : showWarning;
    if ((await show(`${message}.`, [details])) !== details) return;
    const id = randomUUID();
    this.#reports.set(id, importReport(lastSegment(folder), outcome));
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${vscode.l10n.t('Import report')}.md`, query: id });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }
}

/**
 * Returns the files of a knowledge base, in the folder itself or, if it is the app's folder, in its `knowledge_base`.
 */
async function knowledgeFilesIn(folder: vscode.Uri): Promise<KnowledgeFiles> {
  for (const base of [folder, vscode.Uri.joinPath(folder, 'knowledge_base')]) {
    const jsonFolder = vscode.Uri.joinPath(base, 'json');
    const stat = await statFile(jsonFolder);
    if (stat === undefined || (stat.type & vscode.FileType.Directory) === 0) continue;
    const files = await filesIn(jsonFolder);
    const json = files.filter((name) => /\.json$/i.test(name));
    if (json.length === 0) continue;
    const besides = await vscode.workspace.fs.readDirectory(base);
    return {
      json: json.map((name) => vscode.Uri.joinPath(jsonFolder, name)),
      others: [
        ...files.filter((name) => !/\.json$/i.test(name)).map((name) => `json/${name}`),
        ...besides
          .filter(([name]) => name !== 'json')
          .map(([name, type]) => ((type & vscode.FileType.Directory) === 0 ? name : `${name}/`)),
      ].toSorted(),
    };
  }
  throw new NotebookError(
    'not-found',
    vscode.l10n.t(
      '{0} doesn’t contain a json folder with JSON files. Select the knowledge_base folder.',
      lastSegment(folder),
    ),
  );
}

async function filesIn(folder: vscode.Uri): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  return entries
    .filter(([, type]) => (type & vscode.FileType.Directory) === 0)
    .map(([name]) => name)
    .toSorted();
}
