import * as vscode from 'vscode';
import type { Source } from '../../notebook/source.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { ScopeChoice } from './scope-choice.ts';
import { documentItem, pageItem, sourceItem, type SourcesNode } from './source-items.ts';
import { tooltip } from './source-words.ts';
import { whyNothing } from '../view-message.ts';

/** How often "3 min ago" is brought up to date, in milliseconds. */
const CLOCK_INTERVAL = 60_000;

/** How far text recognition has come. */
interface Recognition {
  readonly onDidChange: vscode.Event<void>;
  left(sourceId: string): number;
  /** Why it waits, as a sentence. */
  problemOf(sourceId: string): string | undefined;
}

/** The Sources view: every source with its state and counts, folders with their documents. */
export class SourcesView implements vscode.TreeDataProvider<SourcesNode>, vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #scopes: ScopeChoice;
  readonly #recognition: Recognition;
  readonly #changed = new vscode.EventEmitter<undefined>();
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
      recognition.onDidChange(() => {
        this.#changed.fire(undefined);
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
    if (node.kind === 'source') {
      const { id, unrecognised } = node.source;
      const recognition = {
        left: unrecognised === 0 ? 0 : this.#recognition.left(id),
        isPaused: node.source.isRecognitionPaused || this.#recognition.problemOf(id) !== undefined,
      };
      return sourceItem(node.source, this.#scopes.isTicked(id), recognition);
    }
    return node.source.origin.kind === 'site' ? pageItem(node) : documentItem(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: SourcesNode): Promise<vscode.TreeItem> {
    const documents = await this.#notebook.call('documents', { sourceId: node.source.id });
    const problem = node.source.unrecognised > 0 ? this.#recognition.problemOf(node.source.id) : undefined;
    item.tooltip = [
      tooltip(node.source),
      ...(problem === undefined ? [] : [problem]),
      ...documents.flatMap(({ warnings }) => warnings),
    ].join('\n');
    return item;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
