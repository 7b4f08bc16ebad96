import * as vscode from 'vscode';
import { isOpenedAsReading } from '../notebook/media-types.ts';
import type { DocumentEntry, SkipCounts, Source, SourceOrigin } from '../notebook/source.ts';
import type { NotebookClient } from './notebook-client.ts';
import { ago } from './relative-time.ts';
import type { ScopeChoice } from './scope-choice.ts';
import { whyNothing } from './view-message.ts';

/** How often "3 min ago" is brought up to date, in milliseconds. */
const CLOCK_INTERVAL = 60_000;

export type SourcesNode =
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'document'; readonly source: Source; readonly document: DocumentEntry };

/** The Sources view: every source with its state and counts, folders with their documents. */
export class SourcesView implements vscode.TreeDataProvider<SourcesNode>, vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #scopes: ScopeChoice;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<SourcesNode>;
  readonly #disposables: readonly { dispose(): unknown }[];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(notebook: NotebookClient, scopes: ScopeChoice) {
    this.#notebook = notebook;
    this.#scopes = scopes;
    this.#view = vscode.window.createTreeView('openNotebook.sources', {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
      manageCheckboxStateManually: true,
    });
    const clock = setInterval(() => {
      if (this.#view.visible) this.#changed.fire(undefined);
    }, CLOCK_INTERVAL);
    this.#disposables = [
      this.#view,
      this.#changed,
      notebook.onDidChange(() => {
        this.#changed.fire(undefined);
      }),
      scopes.onDidChange(() => {
        this.#changed.fire(undefined);
      }),
      this.#view.onDidChangeCheckboxState(({ items }) => {
        void scopes.tick(
          new Map(
            items.map(([{ source }, state]) => [source.id, state === vscode.TreeItemCheckboxState.Checked]),
          ),
        );
      }),
      {
        dispose: () => {
          clearInterval(clock);
        },
      },
    ];
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  /** The nodes that the user selected in the view. */
  get selection(): readonly SourcesNode[] {
    return this.#view.selection;
  }

  /** The sources of the clicked node and of those selected with it; from the keyboard, the selected ones. */
  chosen(clicked?: SourcesNode, selected?: readonly SourcesNode[]): Source[] {
    const nodes = selected ?? (clicked === undefined ? this.selection : [clicked]);
    return [...new Map(nodes.map(({ source }) => [source.id, source])).values()];
  }

  /** Says beside the title which notebook the sources are of; undefined for the workspace's own. */
  describe(name: string | undefined): void {
    this.#view.description = name ?? '';
  }

  async getChildren(parent?: SourcesNode): Promise<SourcesNode[]> {
    if (parent === undefined) return this.#sourceNodes();
    if (parent.kind === 'document') return [];
    const documents = await this.#notebook.call('documents', { sourceId: parent.source.id });
    return documents.map((document) => ({ kind: 'document', source: parent.source, document }));
  }

  async #sourceNodes(): Promise<SourcesNode[]> {
    try {
      const sources = await this.#notebook.call('sources', {});
      this.#view.message = '';
      return sources.map((source) => ({ kind: 'source', source }));
    } catch (error) {
      // Where sources would stand it says why there are none.
      this.#view.message = whyNothing(error);
      throw error;
    }
  }

  getTreeItem(node: SourcesNode): vscode.TreeItem {
    if (node.kind === 'source') return sourceItem(node.source, this.#scopes.isTicked(node.source.id));
    return node.source.origin.kind === 'site' ? pageItem(node) : documentItem(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SourcesNode): Promise<vscode.TreeItem> {
    const documents = await this.#notebook.call('documents', { sourceId: node.source.id });
    item.tooltip = [tooltip(node.source), ...documents.flatMap(({ warnings }) => warnings)].join('\n');
    return item;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** Whether its documents are listed below it. */
function hasDocuments(origin: SourceOrigin): boolean {
  return (
    origin.kind === 'folder' || origin.kind === 'site' || (origin.kind === 'copy' && origin.of === 'folder')
  );
}

function sourceItem(source: Source, isTicked: boolean): vscode.TreeItem {
  const { origin, state } = source;
  const hasParts = hasDocuments(origin);
  const item = new vscode.TreeItem(
    source.title,
    hasParts && source.documents > 0
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None,
  );
  item.id = source.id;
  item.checkboxState = {
    state: isTicked ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: isTicked ? vscode.l10n.t('Is asked') : vscode.l10n.t('Is not asked'),
    accessibilityInformation: { label: vscode.l10n.t('Ask {0}', source.title) },
  };
  item.description = describe(source);
  // That of a single document also tells what of it could not be read.
  if (hasParts) item.tooltip = tooltip(source);
  item.contextValue = [
    'source',
    ...(state.kind === 'reading' || state.kind === 'queued' ? ['reading'] : []),
    ...(origin.kind === 'selection' ||
    origin.kind === 'text' ||
    origin.kind === 'copy' ||
    state.kind === 'paused'
      ? []
      : ['refreshable']),
    ...(hasParts ? [] : ['openable']),
    ...(origin.kind === 'site' ? ['site'] : []),
    ...(state.kind === 'paused' ? ['paused'] : []),
    ...(origin.kind === 'folder' && passedOverInAll(source.skipped).length > 0 ? ['incomplete'] : []),
  ].join(' ');
  item.accessibilityInformation = { label: `${source.title}, ${item.description}` };
  const icon = iconOf(source);
  if (icon === undefined) {
    if (origin.kind === 'file' || origin.kind === 'folder' || origin.kind === 'selection')
      item.resourceUri = forIcon(origin.uri);
    item.iconPath = origin.kind === 'folder' ? vscode.ThemeIcon.Folder : vscode.ThemeIcon.File;
  } else item.iconPath = icon;
  if (!hasParts && state.kind === 'ready')
    item.command = {
      command: 'openNotebook.openSource',
      title: vscode.l10n.t('Open Source'),
      arguments: [{ kind: 'source', source }],
    };
  return item;
}

function documentItem(node: Extract<SourcesNode, { kind: 'document' }>): vscode.TreeItem {
  const { document } = node;
  const slash = document.key.lastIndexOf('/');
  const item = new vscode.TreeItem(document.key.slice(slash + 1));
  item.id = `document-${String(document.id)}`;
  item.description = [document.key.slice(0, Math.max(0, slash)), passages(document.passages)]
    .filter((part) => part !== '')
    .join(' · ');
  item.tooltip = [document.key, ...document.warnings].join('\n');
  item.resourceUri = forIcon(document.uri === '' ? document.key : document.uri);
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'openable';
  item.command =
    document.uri === '' || isOpenedAsReading(document.mediaType)
      ? { command: 'openNotebook.openSource', title: vscode.l10n.t('Open'), arguments: [node] }
      : { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [vscode.Uri.parse(document.uri)] };
  return item;
}

/** A page or file of a site: its title and path; it opens as the copy that was kept. */
function pageItem(node: Extract<SourcesNode, { kind: 'document' }>): vscode.TreeItem {
  const { document } = node;
  const { pathname, search } = new URL(document.key);
  const path = pathname + search;
  const item = new vscode.TreeItem(document.title || path);
  item.id = `document-${String(document.id)}`;
  item.description = [path, passages(document.passages)].join(' · ');
  item.tooltip = [document.key, ...document.warnings].join('\n');
  if (/^text\/(?:html|markdown)|^application\/xhtml/.test(document.mediaType))
    item.iconPath = new vscode.ThemeIcon('browser');
  else {
    item.resourceUri = forIcon(document.uri);
    item.iconPath = vscode.ThemeIcon.File;
  }
  item.contextValue = 'openable';
  item.command = {
    command: 'openNotebook.openSource',
    title: vscode.l10n.t('Open'),
    arguments: [node],
  };
  return item;
}

/** An address by whose name the icon theme picks an icon, and that other extensions do not decorate. */
function forIcon(uri: string): vscode.Uri {
  return vscode.Uri.from({ scheme: 'open-notebook', path: vscode.Uri.parse(uri).path });
}

/** Undefined where the file icon theme tells best. */
function iconOf({ origin, state }: Source): vscode.ThemeIcon | undefined {
  switch (state.kind) {
    case 'queued':
      return new vscode.ThemeIcon('clock');
    case 'reading':
      return new vscode.ThemeIcon('loading~spin');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'paused':
      return new vscode.ThemeIcon('debug-pause');
    case 'ready':
    case 'stopped':
      break;
  }
  switch (origin.kind) {
    case 'page':
    case 'site':
      return new vscode.ThemeIcon('globe');
    case 'text':
      return new vscode.ThemeIcon('note');
    case 'selection':
      return new vscode.ThemeIcon('list-selection');
    case 'copy':
      return new vscode.ThemeIcon(origin.of === 'folder' ? 'files' : 'file');
    case 'file':
    case 'folder':
      return undefined;
  }
}

function describe(source: Source): string {
  const { state } = source;
  const isSite = source.origin.kind === 'site';
  switch (state.kind) {
    case 'queued':
      return vscode.l10n.t('Waiting');
    case 'reading':
      if (state.total <= 1) return vscode.l10n.t('Reading');
      if (source.origin.kind === 'file')
        return vscode.l10n.t('Reading page {0} of {1}', number(state.done), number(state.total));
      return isSite
        ? vscode.l10n.t('Reading {0} of {1} pages', number(state.done), number(state.total))
        : vscode.l10n.t('Reading {0} of {1} files', number(state.done), number(state.total));
    case 'paused':
      return vscode.l10n.t(
        'Paused at {0} of {1} pages · {2}',
        number(state.done),
        number(state.total),
        passages(source.passages),
      );
    case 'failed':
      // The title stands before it already.
      return state.reason.startsWith(`${source.title} `)
        ? state.reason.slice(source.title.length + 1)
        : state.reason;
    case 'stopped': {
      const counts = [number(state.done), number(state.total), passages(source.passages)] as const;
      return isSite
        ? vscode.l10n.t('Stopped at {0} of {1} pages · {2}', ...counts)
        : vscode.l10n.t('Stopped at {0} of {1} files · {2}', ...counts);
    }
    case 'ready':
      return [
        ...(!isSite && hasDocuments(source.origin) ? [files(source.documents)] : []),
        ...(isSite ? [pages(source.documents)] : []),
        passages(source.passages),
        ...passedOverInAll(source.skipped),
        ...(source.readAt === undefined ? [] : [ago(source.readAt)]),
      ].join(' · ');
  }
}

function tooltip(source: Source): string {
  const { origin, skipped } = source;
  const passedOver = passedOverBy(skipped);
  return [
    source.title,
    ...(origin.kind === 'copy'
      ? [vscode.l10n.t('A copy of its text; the original is on another machine.')]
      : []),
    ...('uri' in origin ? [vscode.Uri.parse(origin.uri).fsPath] : []),
    ...('url' in origin ? [origin.url] : []),
    ...('starts' in origin ? origin.starts : []),
    ...(source.state.kind === 'failed' ? [source.state.reason] : []),
    ...(passedOver.length > 0 ? [vscode.l10n.t('Passed over: {0}', passedOver.join(', '))] : []),
    ...(source.readAt === undefined
      ? []
      : [vscode.l10n.t('Read {0}', new Date(source.readAt).toLocaleString())]),
  ].join('\n');
}

/** What was passed over, by reason, in a few words each. */
function passedOverBy(skipped: SkipCounts): string[] {
  const counted: readonly (readonly [number, string])[] = [
    [skipped.binary, vscode.l10n.t('{0} not text', number(skipped.binary))],
    [skipped.tooLarge, vscode.l10n.t('{0} too large', number(skipped.tooLarge))],
    [skipped.tooShort, vscode.l10n.t('{0} empty', number(skipped.tooShort))],
    [skipped.failed, vscode.l10n.t('{0} unreadable', number(skipped.failed))],
  ];
  return counted.filter(([count]) => count > 0).map(([, words]) => words);
}

function passedOverInAll({ binary, tooLarge, tooShort, failed }: SkipCounts): string[] {
  const count = binary + tooLarge + tooShort + failed;
  return count === 0 ? [] : [vscode.l10n.t('{0} passed over', number(count))];
}

function number(value: number): string {
  return value.toLocaleString(vscode.env.language);
}

function passages(count: number): string {
  return count === 1 ? vscode.l10n.t('1 passage') : vscode.l10n.t('{0} passages', number(count));
}

function files(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', number(count));
}

function pages(count: number): string {
  return count === 1 ? vscode.l10n.t('1 page') : vscode.l10n.t('{0} pages', number(count));
}
