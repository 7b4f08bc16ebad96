import * as vscode from 'vscode';
import { Throttle } from '../../messages/throttle.ts';
import type { Source } from '../../notebook/source.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { TextRecognition } from '../recognition/text-recognition.ts';
import type { ScopeChoice } from './scope-choice.ts';
import { changedRows } from './changed-rows.ts';
import { documentItem, pageItem, sourceItem, type SourcesNode } from './source-items.ts';
import { tooltip, wordsOnWork } from './source-words.ts';
import { rowsOrWhy } from '../view-message.ts';

/** How often "3 min ago" is brought up to date, in milliseconds. */
const CLOCK_INTERVAL = 60_000;

/** What changes again and again is shown once in this time, so that a row is there for as long as a click takes, in milliseconds. */
const REDRAW_INTERVAL = 1_000;

type SourceNode = Extract<SourcesNode, { kind: 'source' }>;

/** How far text recognition has come, and why it waits. */
type Recognition = Pick<TextRecognition, 'left' | 'onDidChange' | 'findProblem'>;

/** The Sources view: every source with its state and counts, folders with their documents. */
export class SourcesView implements vscode.TreeDataProvider<SourcesNode>, vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #scopes: ScopeChoice;
  readonly #recognition: Recognition;
  readonly #changed = new vscode.EventEmitter<SourcesNode[] | undefined>();
  /** What each row shows, in their order, and what the editor knows it by. */
  #shown: ReadonlyMap<string, string> = new Map();
  #nodes: ReadonlyMap<string, SourceNode> = new Map();
  readonly #expanded = new Set<string>();
  readonly #view: vscode.TreeView<SourcesNode>;
  readonly #disposables: readonly { dispose(): unknown }[];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    notebook: NotebookClient,
    scopes: ScopeChoice,
    recognition: Recognition,
    dragAndDropController: vscode.TreeDragAndDropController<SourcesNode>,
  ) {
    this.#notebook = notebook;
    this.#scopes = scopes;
    this.#recognition = recognition;
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
    this.#disposables = [
      this.#view,
      this.#changed,
      redraw,
      notebook.onDidChange(() => {
        redraw.ask();
      }),
      // What the user ticks is ticked at once.
      scopes.onDidChange(() => void this.#redraw()),
      recognition.onDidChange(() => {
        redraw.ask();
      }),
      this.#view.onDidCollapseElement(({ element }) => {
        this.#expanded.delete(element.source.id);
      }),
      this.#view.onDidChangeCheckboxState(
        ({ items }) =>
          void scopes.tick(
            new Map(
              items.map(([{ source }, state]) => [source.id, state === vscode.TreeItemCheckboxState.Checked]),
            ),
          ),
      ),
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

  /** Selects the row of a source, and shows the view if it is hidden; nothing happens if the source is gone. */
  async reveal(sourceId: string): Promise<void> {
    this.#keep(await this.#notebook.call('sources', {}));
    const node = this.#nodes.get(sourceId);
    if (node !== undefined) await this.#view.reveal(node, { select: true, focus: false });
  }

  /** Rows of sources have none above them. */
  getParent(node: SourcesNode): SourcesNode | undefined {
    return node.kind === 'document' ? this.#nodes.get(node.source.id) : undefined;
  }

  async getChildren(parent?: SourcesNode): Promise<SourcesNode[]> {
    if (parent === undefined) return this.#sourceNodes();
    if (parent.kind === 'document') return [];
    this.#expanded.add(parent.source.id);
    const documents = await this.#notebook.call('documents', { sourceId: parent.source.id });
    return documents.map((document) => ({ kind: 'document', source: parent.source, document }));
  }

  async #sourceNodes(): Promise<SourcesNode[]> {
    return this.#keep(await rowsOrWhy(this.#view, () => this.#notebook.call('sources', {})));
  }

  /** The nodes of sources; that of one which was there before is the same, so that the editor knows its row. */
  #keep(sources: readonly Source[]): SourceNode[] {
    const nodes = sources.map((source): SourceNode => {
      const known = this.#nodes.get(source.id);
      return known === undefined ? { kind: 'source', source } : Object.assign(known, { source });
    });
    this.#nodes = new Map(nodes.map((node) => [node.source.id, node]));
    this.#shown = new Map(nodes.map((node) => [node.source.id, shownBy(this.getTreeItem(node))]));
    return nodes;
  }

  /** Draws anew what is to show something else. */
  async #redraw(): Promise<void> {
    let changed: readonly string[] | 'all' = 'all';
    try {
      const before = this.#shown;
      this.#keep(await this.#notebook.call('sources', {}));
      changed = changedRows(before, this.#shown);
    } catch {
      // Asked for all of them, the view says why there are none.
    }
    if (changed === 'all') this.#changed.fire(undefined);
    else {
      // What stands below a source may be another even where its own row shows the same.
      const nodes = new Set([...changed, ...this.#expanded].flatMap((id) => this.#nodes.get(id) ?? []));
      if (nodes.size > 0) this.#changed.fire([...nodes]);
    }
  }

  getTreeItem(node: SourcesNode): vscode.TreeItem {
    if (node.kind === 'source') {
      const { id, unrecognised } = node.source;
      const recognition = {
        left: unrecognised === 0 ? 0 : this.#recognition.left(id),
        isPaused: node.source.isRecognitionPaused || this.#recognition.findProblem(id) !== undefined,
      };
      return sourceItem(node.source, this.#scopes.isTicked(id), recognition);
    }
    return node.source.origin.kind === 'site' ? pageItem(node) : documentItem(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SourcesNode): Promise<vscode.TreeItem> {
    if (node.kind === 'document') {
      const { id, key, warnings } = node.document;
      item.tooltip = [key, ...(await this.#wordsOnWork(id)), ...warnings].join('\n');
      return item;
    }
    const documents = await this.#notebook.call('documents', { sourceId: node.source.id });
    const [first] = documents;
    const problem = node.source.unrecognised > 0 ? this.#recognition.findProblem(node.source.id) : undefined;
    item.tooltip = [
      tooltip(node.source),
      ...(first === undefined ? [] : await this.#wordsOnWork(first.id)),
      ...(problem === undefined ? [] : [problem]),
      ...documents.flatMap(({ warnings }) => warnings),
    ].join('\n');
    return item;
  }

  async #wordsOnWork(documentId: number): Promise<string[]> {
    return wordsOnWork(await this.#notebook.call('bibliography', { documentId }));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** All that a row shows. */
function shownBy(item: vscode.TreeItem): string {
  const { label, description, iconPath, contextValue, checkboxState, collapsibleState } = item;
  return JSON.stringify([label, description, iconPath, contextValue, checkboxState, collapsibleState]);
}
