import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Within } from '../../indexing/store/sources/sources-api.ts';
import type { AskedScope } from '../../messages/panel.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { fitting } from '../../notebook/json-schemas.ts';
import type { Turn } from '../../notebook/answer.ts';
import { readMentions, type Scope } from '../../notebook/scope.ts';
import type { Source } from '../../notebook/source.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { openFileUri } from '../open-file.ts';

const KEY = 'scope';

const choice = v.object({
  openFile: v.fallback(v.boolean(), false),
  unticked: v.fallback(fitting(v.string()), []),
});
type Kept = Readonly<v.InferOutput<typeof choice>>;

/** What questions are asked of: the sources that are ticked, all of them at first, or the open file. */
export class ScopeChoice implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  #kept: Kept;

  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#kept = v.parse(v.fallback(choice, { openFile: false, unticked: [] }), memento.get(KEY));
  }

  isTicked(sourceId: string): boolean {
    return !this.#kept.unticked.includes(sourceId);
  }

  /** Ticks sources, or unticks them; the questions that follow are asked of those that are ticked. */
  async tick(ticks: ReadonlyMap<string, boolean>): Promise<void> {
    const unticked = new Set(this.#kept.unticked);
    for (const [sourceId, isTicked] of ticks)
      if (isTicked) unticked.delete(sourceId);
      else unticked.add(sourceId);
    await this.#keep({ openFile: false, unticked: [...unticked] });
  }

  async pickNotebook(): Promise<void> {
    await this.#keep({ openFile: false, unticked: [] });
  }

  async pickTicked(): Promise<void> {
    await this.#keep({ ...this.#kept, openFile: false });
  }

  async pickOpenFile(): Promise<void> {
    await this.#keep({ ...this.#kept, openFile: true });
  }

  /** What a question is asked of now; undefined for the whole notebook. */
  current(sources: readonly Source[]): Scope | undefined {
    const { openFile } = this.#kept;
    if (openFile) {
      const uri = openFileUri();
      return { kind: 'file', uri: uri?.toString() ?? '', title: uri?.path.split('/').at(-1) ?? '' };
    }
    const ticked = sources.filter(({ id }) => this.isTicked(id));
    if (ticked.length === sources.length) return undefined;
    return { kind: 'sources', sourceIds: ticked.map(({ id }) => id), mentioned: false };
  }

  /** What a question is asked of: mentions go before all else; one in another's place is asked of what that one was. */
  scopeFor(question: string, sources: readonly Source[], before: Turn | undefined): Scope | undefined {
    const { sourceIds } = readMentions(question, sources);
    if (sourceIds.length > 0) return { kind: 'sources', sourceIds, mentioned: true };
    const isKept = before !== undefined && !(before.scope?.kind === 'sources' && before.scope.mentioned);
    return isKept ? before.scope : this.current(sources);
  }

  /** The same as the panel shows it; counts are of the sources that can be asked. */
  shown(sources: readonly Source[]): AskedScope {
    if (this.#kept.openFile) return { kind: 'file' };
    const asked = sources.filter(({ passages }) => passages > 0);
    const ticked = asked.filter(({ id }) => this.isTicked(id));
    if (ticked.length === asked.length) return { kind: 'notebook' };
    return { kind: 'sources', ticked: ticked.length, of: asked.length };
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    await this.#memento.update(KEY, kept);
    this.#changed.fire();
  }
}

/** The sources of a notebook. @throws NotebookError `empty` where there are none to ask */
export async function sourcesToAsk(notebook: NotebookClient): Promise<readonly Source[]> {
  const sources = await notebook.call('sources', {});
  if (sources.length > 0) return sources;
  throw new NotebookError(
    'empty',
    vscode.l10n.t('This notebook has no sources yet. Add some, then ask again.'),
    { action: 'addSources' },
  );
}

/**
 * Where the index looks for a question of this scope.
 * @throws NotebookError where there is nothing to look at, with the way to change that.
 */
export async function searchedPart(
  notebook: NotebookClient,
  scope: Scope | undefined,
  sources: readonly Source[],
): Promise<Within | undefined> {
  if (scope === undefined) return undefined;
  if (scope.kind === 'file') return await withinFile(notebook, scope);
  const sourceIds = scope.sourceIds.filter((id) => sources.some((source) => source.id === id));
  if (sourceIds.length > 0) return { kind: 'sources', sourceIds };
  throw scope.sourceIds.length === 0
    ? new NotebookError(
        'empty',
        vscode.l10n.t('No source is ticked. Tick some in Sources, or ask the whole notebook.'),
        { action: 'pickScope' },
      )
    : new NotebookError(
        'not-found',
        vscode.l10n.t(
          'What this was asked of is no longer in the notebook. Choose what to ask, then ask anew.',
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
      vscode.l10n.t('No file is open. Open one and ask again, or choose what to ask.'),
      { action: 'pickScope' },
    );
  const documents = await notebook.call('documentsAt', { uri });
  if (documents.length === 0)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('{0} is not in this notebook. Add it, then try again.', title),
      { action: 'addAskedFile' },
    );
  return { kind: 'documents', documentIds: documents.map(({ id }) => id) };
}
