import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Within } from '../../../index/store/sources/sources-api.ts';
import type { RequestedScope } from '../../chat/protocol.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import {
  isPathIncluded,
  pathRule,
  rulesBySource,
  withPath,
  type PathRule,
  type PathRules,
} from '../../../core/domain/included-paths.ts';
import { fitting } from '../../../core/domain/json-schemas.ts';
import type { Turn } from '../../../core/domain/answer.ts';
import { readMentions, type Scope } from '../../../core/domain/scope.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { openFileUri } from '../../../platform/open-file.ts';

const KEY = 'scope';

const choice = v.object({
  openFile: v.fallback(v.boolean(), false),
  /** IDs of the sources whose own checkbox is cleared. */
  unticked: v.fallback(fitting(v.string()), []),
  /** Checkboxes below sources. */
  paths: v.fallback(v.optional(fitting(pathRule)), []),
});

/**
 * Sources, files, and folders that questions include: all of them by default, or the open file. Stored per workspace.
 */
export class ScopeChoice implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #notebook: Pick<NotebookClient, 'call'>;
  readonly #changed = new vscode.EventEmitter<void>();
  #openFile: boolean;
  /** Checkboxes below sources, by source; sources without rules are included as a whole. */
  #rules: ReadonlyMap<string, PathRules>;

  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento, notebook: Pick<NotebookClient, 'call'>) {
    this.#memento = memento;
    this.#notebook = notebook;
    const { openFile, unticked, paths } = v.parse(
      v.fallback(choice, { openFile: false, unticked: [], paths: [] }),
      memento.get(KEY),
    );
    this.#openFile = openFile;
    this.#rules = rulesBySource([
      ...unticked.map((sourceId) => ({ sourceId, path: '', isIncluded: false })),
      ...(paths ?? []),
    ]);
  }

  /** Returns whether any part of a source is included. */
  isPartlyIncluded(sourceId: string): boolean {
    const rules = this.#rules.get(sourceId);
    return isPathIncluded(rules, '') || [...(rules?.values() ?? [])].includes(true);
  }

  /** Returns whether a file or folder of a source is included, unless a checkbox below it differs. */
  isIncluded(sourceId: string, path: string): boolean {
    return isPathIncluded(this.#rules.get(sourceId), path);
  }

  /** Returns whether all sources are included as a whole. */
  areAllIncluded(sources: readonly Source[]): boolean {
    return sources.every(({ id }) => !this.#rules.has(id));
  }

  /** Returns the checkboxes below one source, or below all sources that have some, together with the source's own. */
  pathRules(sourceId?: string): PathRule[] {
    return [...this.#rules]
      .filter(([id, rules]) => (sourceId ?? id) === id && hasPaths(rules))
      .flatMap(([id, rules]) => toList(id, rules));
  }

  /** Counts the included files of sources that are included only in part, by the sources' IDs. */
  async countIncluded(): Promise<ReadonlyMap<string, number>> {
    const rules = this.pathRules();
    if (rules.length === 0) return new Map();
    const counted = await this.#notebook.call('includedDocuments', { rules });
    return new Map(counted.map(({ sourceId, documents }) => [sourceId, documents]));
  }

  /** Selects or clears checkboxes, which apply to later questions. */
  async setIncluded(boxes: readonly PathRule[]): Promise<void> {
    const rules = new Map(this.#rules);
    for (const { sourceId, path, isIncluded } of boxes) {
      const changed = withPath(rules.get(sourceId), path, isIncluded);
      if (changed.size === 0) rules.delete(sourceId);
      else rules.set(sourceId, changed);
    }
    await this.#keep(false, rules);
  }

  /** Clears checkboxes. Returns a function that restores the search scope of their sources. */
  async exclude(boxes: readonly Omit<PathRule, 'isIncluded'>[]): Promise<() => Promise<void>> {
    const openFile = this.#openFile;
    const before = new Map(boxes.map(({ sourceId }) => [sourceId, this.#rules.get(sourceId)]));
    await this.setIncluded(boxes.map((box) => ({ ...box, isIncluded: false })));
    return async () => {
      const rules = new Map(this.#rules);
      for (const [sourceId, ofSource] of before)
        if (ofSource === undefined) rules.delete(sourceId);
        else rules.set(sourceId, ofSource);
      await this.#keep(openFile, rules);
    };
  }

  /** Includes only some files, folders, or whole sources of these sources. */
  async includeOnly(
    sources: readonly Source[],
    boxes: readonly Omit<PathRule, 'isIncluded'>[],
  ): Promise<void> {
    await this.setIncluded([
      ...sources.map(({ id }) => ({ sourceId: id, path: '', isIncluded: false })),
      ...boxes.map((box) => ({ ...box, isIncluded: true })),
    ]);
  }

  async pickNotebook(): Promise<void> {
    await this.#keep(false, new Map());
  }

  async pickTicked(): Promise<void> {
    await this.#keep(false, this.#rules);
  }

  async pickOpenFile(): Promise<void> {
    await this.#keep(true, this.#rules);
  }

  /** Returns the current search scope; undefined for the whole notebook. */
  resolveScope(sources: readonly Source[]): Scope | undefined {
    if (this.#openFile) {
      const uri = openFileUri();
      return { kind: 'file', uri: uri?.toString() ?? '', title: uri?.path.split('/').at(-1) ?? '' };
    }
    if (this.areAllIncluded(sources)) return undefined;
    const sourceIds = sources.filter(({ id }) => this.isPartlyIncluded(id)).map(({ id }) => id);
    const paths = sourceIds.flatMap((id) => this.pathRules(id));
    return { kind: 'sources', sourceIds, mentioned: false, ...(paths.length > 0 && { paths }) };
  }

  /**
   * Returns the search scope of a question. Mentions come first; a question that replaces another one uses its scope.
   */
  scopeFor(question: string, sources: readonly Source[], before: Turn | undefined): Scope | undefined {
    const { sourceIds } = readMentions(question, sources);
    if (sourceIds.length > 0) return { kind: 'sources', sourceIds, mentioned: true };
    const isReusable = before !== undefined && !(before.scope?.kind === 'sources' && before.scope.mentioned);
    return isReusable ? before.scope : this.resolveScope(sources);
  }

  /** Returns the current search scope for display. Counts include only sources that can be searched. */
  async describeScope(sources: readonly Source[]): Promise<RequestedScope> {
    if (this.#openFile) return { kind: 'file' };
    const included = await this.countIncluded();
    const searchable = sources.filter(({ passages }) => passages > 0);
    const ticked = searchable.filter(({ id }) => this.isPartlyIncluded(id) && included.get(id) !== 0);
    const count = ticked.reduce((sum, { id, documents }) => sum + (included.get(id) ?? documents), 0);
    const areFiles = !ticked.some(({ origin }) => origin.kind === 'site');
    const of = ticked.reduce((sum, { documents }) => sum + documents, 0);
    const documents = of === ticked.length ? {} : { documents: { count, of, areFiles } };
    if (this.areAllIncluded(searchable)) return { kind: 'notebook', ...documents };
    return { kind: 'sources', ticked: ticked.length, of: searchable.length, ...documents };
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #keep(openFile: boolean, rules: ReadonlyMap<string, PathRules>): Promise<void> {
    this.#openFile = openFile;
    this.#rules = rules;
    const unticked = [...rules].filter(([, ofSource]) => ofSource.get('') === false).map(([id]) => id);
    const paths = [...rules].flatMap(([id, ofSource]) => toList(id, ofSource));
    await this.#memento.update(KEY, { openFile, unticked, paths: paths.filter(({ path }) => path !== '') });
    this.#changed.fire();
  }
}

function hasPaths(rules: PathRules): boolean {
  return rules.size > (rules.has('') ? 1 : 0);
}

function toList(sourceId: string, rules: PathRules): PathRule[] {
  return [...rules].map(([path, isIncluded]) => ({ sourceId, path, isIncluded }));
}

/** Returns the sources of a notebook. @throws NotebookError `empty` if there are none */
export async function sourcesToAsk(notebook: NotebookClient): Promise<readonly Source[]> {
  const sources = await notebook.call('sources', {});
  if (sources.length > 0) return sources;
  throw new NotebookError(
    'empty',
    vscode.l10n.t('This notebook has no sources yet. Add sources, then ask again.'),
    { action: 'addSources' },
  );
}

/**
 * Returns the part of the index to search for a scope.
 * @throws NotebookError if there is nothing to search, with a way to fix it
 */
export async function searchedPart(
  notebook: NotebookClient,
  scope: Scope | undefined,
  sources: readonly Source[],
): Promise<Within | undefined> {
  if (scope === undefined) return undefined;
  if (scope.kind === 'file') return await withinFile(notebook, scope);
  const { paths } = scope;
  const counted = paths === undefined ? [] : await notebook.call('includedDocuments', { rules: paths });
  const empty = new Set(counted.filter(({ documents }) => documents === 0).map(({ sourceId }) => sourceId));
  const existingIds = scope.sourceIds.filter((id) => sources.some((source) => source.id === id));
  const sourceIds = existingIds.filter((id) => !empty.has(id));
  if (sourceIds.length > 0) return { kind: 'sources', sourceIds, ...(paths && { paths }) };
  throw existingIds.length > 0 || scope.sourceIds.length === 0
    ? new NotebookError(
        'empty',
        vscode.l10n.t(
          'No sources are included. Select the checkbox of a source in the Sources view, or ask the whole notebook.',
        ),
        { action: 'pickScope' },
      )
    : new NotebookError(
        'not-found',
        vscode.l10n.t(
          'The sources for this question are no longer in the notebook. Choose another search scope, then ask again.',
        ),
        { action: 'pickScope' },
      );
}

async function withinFile(
  notebook: NotebookClient,
  { uri, title }: Extract<Scope, { kind: 'file' }>,
): Promise<Within> {
  if (uri === '')
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('No file is open. Open a file and ask again, or choose another search scope.'),
      { action: 'pickScope' },
    );
  const documents = await notebook.call('documentsAt', { uri });
  if (documents.length === 0)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('{0} isn’t in this notebook. Add it, then try again.', title),
      { action: 'addAskedFile' },
    );
  return { kind: 'documents', documentIds: documents.map(({ id }) => id) };
}
