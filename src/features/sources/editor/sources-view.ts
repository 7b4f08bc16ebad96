import * as vscode from 'vscode';
import { Throttle } from '../../../core/rpc/throttle.ts';
import type { DocumentEntry, Source } from '../../../core/domain/source.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { TextRecognition } from '../../ocr/editor/text-recognition.ts';
import type { Transcription } from '../../recordings/editor/transcription.ts';
import type { ScopeChoice } from './scope-choice.ts';
import { changedRows } from './changed-rows.ts';
import { documentItem, folderItem, pageItem, pathOf, sourceItem, type SourcesNode } from './source-items.ts';
import { includedInWords, tooltip, wordsOnWork } from './source-words.ts';
import type { EditorPlace } from '../../../platform/open-file.ts';
import { rowsOrWhy } from '../../../platform/view-message.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Interval at which "3 min ago" is updated, in milliseconds. */
const CLOCK_INTERVAL = 60_000;

/** Interval within which repeated changes are drawn once, in milliseconds, so that rows stay in place for a click. */
const REDRAW_INTERVAL = 1_000;

/** Maximum time between the clicks of a double click, in milliseconds. */
const DOUBLE_CLICK_MS = 500;

/** Maximum time for VS Code to open the row on which Enter was pressed, in milliseconds. */
const ENTER_TIMEOUT_MS = 1_000;

type SourceNode = Extract<SourcesNode, { kind: 'source' }>;

/** Progress of text recognition, and the reason why it waits. */
type Recognition = Pick<TextRecognition, 'left' | 'onDidChange' | 'findProblem'>;

/** Progress of transcription. */
type Transcribing = Pick<Transcription, 'onDidChange' | 'state'>;

/** Sources view: every source with its state and counts, and the files of folders as a tree. */
export class SourcesView extends Disposable implements vscode.TreeDataProvider<SourcesNode> {
  readonly #notebook: NotebookClient;
  readonly #scopes: ScopeChoice;
  readonly #recognition: Recognition;
  readonly #transcription: Transcribing | undefined;
  readonly #changed = new vscode.EventEmitter<SourcesNode[] | undefined>();
  /** Content of each row by VS Code's ID of the row, in their order. */
  #shown: ReadonlyMap<string, string> = new Map();
  #nodes: ReadonlyMap<string, SourceNode> = new Map();
  /** State that the rows below expanded sources depend on, by the sources' IDs. */
  readonly #expanded = new Map<string, string>();
  /** Number of included documents of sources that are included only in part. */
  #included: ReadonlyMap<string, number> = new Map();
  /** Last clicked row, and the time of the click in milliseconds. */
  #clicked: { readonly id: string; readonly at: number } | undefined;
  /** Time when Enter was pressed in the view, in milliseconds. */
  #enteredAt = -Infinity;
  readonly #parents = new WeakMap<SourcesNode, SourcesNode>();
  readonly #view: vscode.TreeView<SourcesNode>;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    notebook: NotebookClient,
    scopes: ScopeChoice,
    recognition: Recognition,
    dragAndDropController: vscode.TreeDragAndDropController<SourcesNode>,
    transcription?: Transcribing,
  ) {
    super();
    this.#notebook = notebook;
    this.#scopes = scopes;
    this.#recognition = recognition;
    this.#transcription = transcription;
    this.#view = vscode.window.createTreeView('openNotebook.sources', {
      treeDataProvider: this,
      dragAndDropController,
      showCollapseAll: true,
      canSelectMany: true,
      manageCheckboxStateManually: true,
    });
    const redraw = new Throttle(() => void this.#redraw(), REDRAW_INTERVAL);
    const clock = setInterval(() => {
      if (this.#view.visible) redraw.ask();
    }, CLOCK_INTERVAL);
    this._register(
      this.#view,
      this.#changed,
      redraw,
      notebook.onDidChange(() => {
        redraw.ask();
      }),
      // A checkbox changes at once when the user selects it.
      scopes.onDidChange(() => void this.#redraw()),
      recognition.onDidChange(() => {
        redraw.ask();
      }),
      ...(transcription === undefined
        ? []
        : [
            transcription.onDidChange(() => {
              redraw.ask();
            }),
          ]),
      this.#view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'source') this.#expanded.delete(element.source.id);
      }),
      this.#view.onDidChangeCheckboxState(
        ({ items }) =>
          void scopes.setIncluded(
            items.map(([node, state]) => ({
              sourceId: node.source.id,
              path: pathOf(node),
              isIncluded: state === vscode.TreeItemCheckboxState.Checked,
            })),
          ),
      ),
      {
        dispose: () => {
          clearInterval(clock);
        },
      },
    );
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  /** Selected rows of the view. */
  get selection(): readonly SourcesNode[] {
    return this.#view.selection;
  }

  /** Returns the clicked row and those selected with it; for a keyboard command, the selected ones. */
  chosenNodes(clicked?: SourcesNode, selected?: readonly SourcesNode[]): readonly SourcesNode[] {
    return selected ?? (clicked === undefined ? this.selection : [clicked]);
  }

  /**
   * Returns the rows that a key pressed in the view applies to: the selected ones if they include the focused row, else
   * the focused row. VS Code shows extensions only the selection, so the focused row is selected for a moment.
   */
  async rowsOfKey(): Promise<readonly SourcesNode[]> {
    const before = this.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const focused = this.selection.find((node) => !before.includes(node));
    await vscode.commands.executeCommand('list.toggleSelection');
    return focused === undefined ? before : [focused];
  }

  /** Selects the checkboxes of rows, or clears them if all are selected. */
  async toggleBoxes(rows: readonly SourcesNode[]): Promise<void> {
    const isIncluded = rows.some((node) => !this.#isChecked(node));
    await this.#scopes.setIncluded(
      rows.map((node) => ({ sourceId: node.source.id, path: pathOf(node), isIncluded })),
    );
  }

  #isChecked(node: SourcesNode): boolean {
    const { id } = node.source;
    if (node.kind === 'source') return this.#scopes.isPartlyIncluded(id) && this.#included.get(id) !== 0;
    if (node.kind === 'folder') return node.folder.included > 0;
    return this.#scopes.isIncluded(id, node.document.key);
  }

  /** Returns the selected sources; if only files and folders are selected, the sources that contain them. */
  listSelected(clicked?: SourcesNode, selected?: readonly SourcesNode[]): Source[] {
    const nodes = this.chosenNodes(clicked, selected);
    const whole = nodes.filter(({ kind }) => kind === 'source');
    const sources = (whole.length > 0 ? whole : nodes).map(({ source }) => source);
    return [...new Map(sources.map((source) => [source.id, source])).values()];
  }

  /**
   * Returns the column and focus for opening a row: Enter and a double click give the document the focus, a click
   * doesn't.
   */
  placeOfClick(node: SourcesNode): EditorPlace {
    const now = performance.now();
    const id = node.kind === 'document' ? String(node.document.id) : node.source.id;
    const isDouble = this.#clicked?.id === id && now - this.#clicked.at < DOUBLE_CLICK_MS;
    const isByEnter = now - this.#enteredAt < ENTER_TIMEOUT_MS;
    this.#clicked = isDouble ? undefined : { id, at: now };
    this.#enteredAt = -Infinity;
    const { Active: viewColumn } = vscode.ViewColumn;
    return { viewColumn, preserveFocus: !isDouble && !isByEnter, preview: !isDouble };
  }

  /** Opens the focused row, as Enter does in VS Code's lists: a document gets the focus, a folder expands. */
  async openFocused(): Promise<void> {
    this.#enteredAt = performance.now();
    await vscode.commands.executeCommand('list.select');
  }

  /** Shows the name of the notebook beside the title. */
  describe(name: string): void {
    this.#view.description = name;
  }

  /**
   * Selects the row of a source, or of a file or folder in it by its path, and shows the view if it is hidden. Does
   * nothing if the source doesn't exist.
   */
  async reveal(sourceId: string, path = ''): Promise<void> {
    this.#keep(await this.#readSources());
    let node: SourcesNode | undefined = this.#nodes.get(sourceId);
    if (node === undefined) return;
    // A hidden view loads its rows only after it is shown.
    await this.#view.reveal(node, { select: true, focus: false, expand: path !== '' });
    while (path !== pathOf(node)) {
      const children: readonly SourcesNode[] = await this.getChildren(node);
      const below = children.find((child) => `${path}/`.startsWith(`${pathOf(child)}/`));
      // Files that aren't read yet have no row.
      if (below === undefined) break;
      node = below;
    }
    if (path !== '') await this.#view.reveal(node, { select: true, focus: false });
  }

  async getChildren(parent?: SourcesNode): Promise<SourcesNode[]> {
    if (parent === undefined) return this.#sourceNodes();
    if (parent.kind === 'document') return [];
    const { source } = parent;
    if (parent.kind === 'source') this.#expanded.set(source.id, this.#contentOf(source));
    const children = await this.#below(parent);
    for (const child of children) this.#parents.set(child, parent);
    return children;
  }

  getParent(node: SourcesNode): SourcesNode | undefined {
    return this.#parents.get(node);
  }

  async #below(parent: SourcesNode): Promise<SourcesNode[]> {
    const { source } = parent;
    const toNode = (document: DocumentEntry): SourcesNode => ({ kind: 'document', source, document });
    if (source.origin.kind === 'site')
      return (await this.#notebook.call('documents', { sourceId: source.id })).map(toNode);
    const { folders, documents } = await this.#notebook.call('folderEntries', {
      sourceId: source.id,
      path: pathOf(parent),
      rules: this.#scopes.pathRules(source.id),
    });
    return [
      ...folders.map((folder): SourcesNode => ({ kind: 'folder', source, folder })),
      ...documents.map(toNode),
    ];
  }

  /** Returns the state that the rows below a source depend on. */
  #contentOf(source: Source): string {
    return JSON.stringify([
      source,
      this.#scopes.isIncluded(source.id, ''),
      this.#scopes.pathRules(source.id),
    ]);
  }

  async #sourceNodes(): Promise<SourcesNode[]> {
    return this.#keep(await rowsOrWhy(this.#view, () => this.#readSources()));
  }

  async #readSources(): Promise<readonly Source[]> {
    const [sources, included] = await Promise.all([
      this.#notebook.call('sources', {}),
      this.#scopes.countIncluded(),
    ]);
    this.#included = included;
    return sources;
  }

  /** Returns the nodes of sources. Existing nodes are reused, so that VS Code recognizes their rows. */
  #keep(sources: readonly Source[]): SourceNode[] {
    const nodes = sources.map((source): SourceNode => {
      const known = this.#nodes.get(source.id);
      return known === undefined ? { kind: 'source', source } : Object.assign(known, { source });
    });
    this.#nodes = new Map(nodes.map((node) => [node.source.id, node]));
    this.#shown = new Map(nodes.map((node) => [node.source.id, shownBy(this.getTreeItem(node))]));
    return nodes;
  }

  /** Redraws the rows that changed. */
  async #redraw(): Promise<void> {
    let changed: readonly string[] | 'all' = 'all';
    try {
      const before = this.#shown;
      this.#keep(await this.#readSources());
      changed = changedRows(before, this.#shown);
    } catch {
      // Redrawing all rows makes the view show why there are none.
    }
    if (changed === 'all') this.#changed.fire(undefined);
    else {
      const below = [...this.#nodes.values()].filter(({ source }) => {
        const [before, now] = [this.#expanded.get(source.id), this.#contentOf(source)];
        if (before === undefined || before === now) return false;
        this.#expanded.set(source.id, now);
        return true;
      });
      const nodes = new Set([...changed.flatMap((id) => this.#nodes.get(id) ?? []), ...below]);
      if (nodes.size > 0) this.#changed.fire([...nodes]);
    }
  }

  getTreeItem(node: SourcesNode): vscode.TreeItem {
    const { id, origin, unrecognised, isRecognitionPaused } = node.source;
    switch (node.kind) {
      case 'source': {
        const recognition = {
          left: unrecognised === 0 ? 0 : this.#recognition.left(id),
          isPaused: isRecognitionPaused || this.#recognition.findProblem(id) !== undefined,
          transcription: this.#transcription?.state(id),
        };
        return sourceItem(node.source, this.#isChecked(node), recognition, this.#included.get(id));
      }
      case 'folder':
        return folderItem(node);
      case 'document': {
        const isIncluded = this.#isChecked(node);
        return origin.kind === 'site' ? pageItem(node, isIncluded) : documentItem(node, isIncluded);
      }
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SourcesNode): Promise<vscode.TreeItem> {
    if (node.kind === 'folder') {
      const { path, included, documents } = node.folder;
      item.tooltip = [path, includedInWords(included, documents)].join('\n');
      return item;
    }
    if (node.kind === 'document') {
      const { id, key, warnings } = node.document;
      item.tooltip = [key, ...(await this.#wordsOnWork(id)), ...warnings].join('\n');
      return item;
    }
    const documents = await this.#notebook.call('documents', { sourceId: node.source.id });
    const [first] = documents;
    const problem = node.source.unrecognised > 0 ? this.#recognition.findProblem(node.source.id) : undefined;
    const transcriptionProblem = this.#transcription?.state(node.source.id)?.problem;
    item.tooltip = [
      tooltip(node.source),
      ...(transcriptionProblem === undefined ? [] : [transcriptionProblem]),
      ...(first === undefined ? [] : await this.#wordsOnWork(first.id)),
      ...(problem === undefined ? [] : [problem]),
      ...documents.flatMap(({ warnings }) => warnings),
    ].join('\n');
    return item;
  }

  async #wordsOnWork(documentId: number): Promise<string[]> {
    return wordsOnWork(await this.#notebook.call('bibliography', { documentId }));
  }
}

/** Returns everything that a row shows. */
function shownBy(item: vscode.TreeItem): string {
  const { label, description, iconPath, contextValue, checkboxState, collapsibleState } = item;
  return JSON.stringify([label, description, iconPath, contextValue, checkboxState, collapsibleState]);
}
