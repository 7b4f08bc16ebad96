import * as vscode from 'vscode';
import { Throttle } from '../../../core/rpc/throttle.ts';
import type {
  BoardStep,
  Holder,
  Research,
  ResearchEntry,
  ResearchState,
  StepState,
} from '../model/project.ts';
import { isRecorded } from '../model/replayed.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { ago } from '../../../platform/relative-time.ts';
import { rowsOrWhy } from '../../../platform/view-message.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Item of the view: a research project or one of its steps. */
export type ResearchNode =
  | { readonly kind: 'research'; readonly entry: ResearchEntry }
  | { readonly kind: 'step'; readonly research: Research; readonly step: BoardStep };

/** Interval within which changes are shown together, in milliseconds. */
const REFRESH_INTERVAL = 150;

/** Order of steps by state. Steps with the same state keep the plan's order. */
const ORDER: readonly StepState[] = ['in-progress', 'ready', 'blocked', 'failed', 'done'];

/** Research view: every project with its steps, most recently changed first. */
export class ResearchView extends Disposable implements vscode.TreeDataProvider<ResearchNode> {
  readonly #notebook: NotebookClient;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<ResearchNode>;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(notebook: NotebookClient) {
    super();
    this.#notebook = notebook;
    this.#view = vscode.window.createTreeView('openNotebook.research', { treeDataProvider: this });
    const changed = new Throttle(() => this.#changed.fire(undefined), REFRESH_INTERVAL);
    const refresh = (): void => changed.gather();
    this._register(
      changed,
      this.#view,
      this.#changed,
      notebook.onDidOpen(refresh),
      notebook.onDidSwitch(refresh),
      notebook.onDidChangeResearch(refresh),
    );
  }

  /** Selected item of the view. */
  get selected(): ResearchNode | undefined {
    return this.#view.selection[0];
  }

  async getChildren(parent?: ResearchNode): Promise<ResearchNode[]> {
    if (parent === undefined) return await this.#roots();
    if (parent.kind === 'step') return [];
    const research = await this.#notebook.call('research', { researchId: parent.entry.id });
    if (research === undefined) return [];
    return ORDER.flatMap((state) =>
      research.steps
        .filter((step) => step.state === state)
        .map((step) => ({ kind: 'step' as const, research, step })),
    );
  }

  getTreeItem(node: ResearchNode): vscode.TreeItem {
    return node.kind === 'research' ? researchItem(node) : stepItem(node);
  }

  async #roots(): Promise<ResearchNode[]> {
    const entries = await rowsOrWhy(this.#view, () => this.#notebook.call('researches', {}));
    return entries.map((entry) => ({ kind: 'research', entry }));
  }
}

const RESEARCH_ICONS: Readonly<Record<ResearchState, string>> = {
  done: 'pass',
  failed: 'error',
  paused: 'debug-pause',
  planned: 'checklist',
  planning: 'loading~spin',
  running: 'sync',
};

const STEP_ICONS: Readonly<Record<StepState, string>> = {
  blocked: 'circle-slash',
  done: 'pass',
  failed: 'error',
  'in-progress': 'sync',
  ready: 'circle-large-outline',
};

function researchItem({ entry }: Extract<ResearchNode, { kind: 'research' }>): vscode.TreeItem {
  const { id, goal, state, elsewhere, reason, steps, done, failed, changedAt } = entry;
  const isOpen = state !== 'done' && state !== 'failed';
  const item = new vscode.TreeItem(
    goal.replaceAll(/\s+/g, ' '),
    isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = id;
  const isGoingOn = state === 'paused' && elsewhere.length > 0;
  item.iconPath = new vscode.ThemeIcon(RESEARCH_ICONS[isGoingOn ? 'running' : state]);
  const stateText = isGoingOn ? membersInWords(elsewhere) : stateInWords(state);
  item.description = steps === 0 ? stateText : vscode.l10n.t('{0} · {1} of {2}', stateText, done, steps);
  item.tooltip = [
    goal,
    ...(elsewhere.length === 0 || isGoingOn ? [] : [membersInWords(elsewhere)]),
    ...(failed === 0 ? [] : [vscode.l10n.t('Failed steps: {0}', failed)]),
    ...(reason === undefined || reason === '' ? [] : [reason]),
    vscode.l10n.t('Changed {0}', ago(changedAt)),
  ].join('\n');
  item.accessibilityInformation = { label: `${goal}, ${item.description}` };
  item.contextValue = `research ${state}`;
  item.command = {
    command: 'openNotebook.showResearch',
    title: vscode.l10n.t('Open'),
    arguments: [id],
  };
  return item;
}

function stepItem({ research, step }: Extract<ResearchNode, { kind: 'step' }>): vscode.TreeItem {
  const number = (id: string): number => research.steps.findIndex((boardStep) => boardStep.id === id) + 1;
  const item = new vscode.TreeItem(`${String(number(step.id))} ${step.target}`);
  item.id = `${research.id} ${step.id}`;
  item.iconPath = new vscode.ThemeIcon(
    STEP_ICONS[step.state],
    step.state === 'failed' ? new vscode.ThemeColor('errorForeground') : undefined,
  );
  const waits = step.waitsFor.map(number).filter((stepNumber) => stepNumber > 0);
  item.description = [
    stepStateInWords(step.state),
    ...(step.state === 'in-progress' && step.holder !== undefined ? [holderName(step.holder)] : []),
    ...(step.state === 'blocked' && waits.length > 0
      ? [vscode.l10n.t('waiting for {0}', waits.join(', '))]
      : []),
  ].join(' · ');
  item.tooltip = [step.target, ...(step.reason === undefined ? [] : [step.reason])].join('\n');
  item.accessibilityInformation = { label: `${step.target}, ${item.description}` };
  item.contextValue = `step ${step.state}${isRecorded(step) ? ' recorded' : ''}`;
  item.command = {
    command: 'openNotebook.showResearch',
    title: vscode.l10n.t('Open'),
    arguments: [research.id, step.id],
  };
  return item;
}

function holderName({ kind, name }: Holder): string {
  if (kind === 'model') return vscode.l10n.t('Model {0}', name);
  // The holder is a member of the notebook's team.
  return name === '' ? vscode.l10n.t('You') : name;
}

function membersInWords(members: readonly string[]): string {
  const names = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(members);
  return members.length === 1
    ? vscode.l10n.t('{0} is working on it', names)
    : vscode.l10n.t('{0} are working on it', names);
}

function stateInWords(state: ResearchState): string {
  switch (state) {
    case 'done':
      return vscode.l10n.t('Done');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'paused':
      return vscode.l10n.t('Paused');
    case 'planned':
      return vscode.l10n.t('Plan awaiting approval');
    case 'planning':
      return vscode.l10n.t('Planning…');
    case 'running':
      return vscode.l10n.t('Running');
  }
}

function stepStateInWords(state: StepState): string {
  switch (state) {
    case 'blocked':
      return vscode.l10n.t('Blocked');
    case 'done':
      return vscode.l10n.t('Done');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'in-progress':
      return vscode.l10n.t('In progress');
    case 'ready':
      return vscode.l10n.t('Ready');
  }
}
