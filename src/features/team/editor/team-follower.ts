import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ManagedProcess, type StartContext } from '../../../core/rpc/managed-process.ts';
import type { RunningProcess } from '../../../core/rpc/processes.ts';
import type { NoParameters } from '../../../core/rpc/rpc.ts';
import { isCanceled } from '../../../core/domain/errors.ts';
import type { PassageSettings } from '../../../core/domain/settings.ts';
import type { TeamApi, TeamState } from '../service/api.ts';
import type { Prefetch } from '../../../platform/notebook-client.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { readTeamLink } from '../../notebooks/editor/team-links.ts';
import { embeddingModel, onDidChange, researchLimits } from '../../../platform/settings.ts';
import { proxyEnvironment } from '../service/proxy.ts';
import { teamProxy } from './team-proxy.ts';
import { notConnected, type Teams } from './teams.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Maximum memory, of any kind, of the process that syncs a notebook, in megabytes. */
const MEGABYTES = 2_048;

/** Delay before a process that ended is restarted, and maximum time for one to end by itself, in milliseconds. */
const AGAIN = 5_000;
const FAREWELL = 2_000;

/** Falls back to local results if the team's database doesn't answer within this time, in milliseconds. */
const TIMEOUT_MS = 5_000;

interface Options {
  readonly notebooks: Notebooks;
  readonly teams: Teams;
  readonly path: string;
  readonly passageSettings: () => PassageSettings;
  readonly roots: () => string[];
  readonly log: vscode.LogOutputChannel;
}

/** Syncs the current notebook with its team notebook, in a process, and shows the state in the status bar. */
export class TeamFollower extends Disposable {
  readonly #options: Options;
  readonly #item: vscode.StatusBarItem;
  readonly #process = new ManagedProcess((context) => this.#startProcess(context));
  #stop: (() => Promise<void>) | undefined;
  #again: NodeJS.Timeout | undefined;
  #changing: Promise<void> = Promise.resolve();
  #conflicts: readonly string[] = [];
  /** Key of the synced notebook that has no pending changes, and callers that wait for one. */
  #sent: string | undefined;
  #awaiting: { readonly key: string; readonly tell: (isSent: boolean) => void }[] = [];

  constructor(options: Options) {
    super();
    this.#options = options;
    this.#item = this._register(
      vscode.window.createStatusBarItem('openNotebook.team', vscode.StatusBarAlignment.Left, -2),
    );
    this.#item.name = vscode.l10n.t('Team Notebook');
    this.#item.command = 'openNotebook.showTeam';
    const { notebooks, teams } = options;
    const look = (): void => void this.#change(true);
    notebooks.beforeLeaving(() => this.#change(false));
    this._register(
      notebooks.shown.onDidOpen(look),
      notebooks.shown.onDidSwitch(look),
      teams.onDidChange(look),
      onDidChange('embeddings', look),
      onDidChange('research', look),
    );
  }

  /** Titles of notes that contain both versions of a conflict. */
  get conflicts(): readonly string[] {
    return this.#conflicts;
  }

  /**
   * Waits until the team has everything from the current notebook, by its key. Resolves to `false` if the window leaves
   * the notebook before.
   */
  whenSent(key: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#awaiting.push({ key, tell: resolve });
      this.#tellSent();
    });
  }

  override dispose(): void {
    for (const { tell: settle } of this.#awaiting.splice(0)) settle(false);
    void this.#change(false);
    super.dispose();
  }

  #change(isOn: boolean): Promise<void> {
    this.#changing = this.#changing.then(async () => {
      clearTimeout(this.#again);
      const stop = this.#stop;
      this.#stop = undefined;
      this.#sent = undefined;
      await stop?.();
      if (isOn) await this.#start();
      else this.#item.hide();
    });
    return this.#changing;
  }

  async #start(): Promise<void> {
    const { notebooks, teams, passageSettings, roots, log } = this.#options;
    const { shown } = notebooks;
    const { directory } = shown;
    const link = await readTeamLink(directory);
    await vscode.commands.executeCommand('setContext', 'openNotebook.isTeam', link !== undefined);
    this.#conflicts = [];
    this.#tellSent();
    const { key } = shown;
    if (link === undefined || !shown.isOpen) {
      this.#item.hide();
      return;
    }
    const connection = await teams.findConnection(link.teamId);
    if (connection === undefined) {
      this.#show({ kind: 'refused', reason: notConnected().message, waiting: 0 });
      return;
    }
    let { name } = link;
    this.#show({ kind: 'connecting' });
    const running = this.#process.run();
    const controller = new AbortController();
    const settings = { roots: roots(), passages: passageSettings() };
    const prefetch: Prefetch = async (searches, signal) => {
      const patience = AbortSignal.any([signal, controller.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const params = { connection, directory, searches, ...settings };
      const { client } = await running;
      return (await client.call('prefetch', params, { signal: patience })) > 0;
    };
    const following = running
      .then(({ client }) =>
        client.call(
          'follow',
          { connection, directory, ...settings, embeddings: embeddingModel(), limits: researchLimits() },
          {
            signal: controller.signal,
            onProgress: (state) => {
              if (controller.signal.aborted) return;
              this.#show(state);
              if (state.kind !== 'up-to-date') return;
              shown.setPrefetcher(state.holdsAll ? undefined : prefetch);
              if (state.name === undefined || state.name === name) return;
              name = state.name;
              teams
                .takeName(key, name)
                .catch((error: unknown) => log.error('The name that the team has for a notebook:', error));
            },
          },
        ),
      )
      .catch((error: unknown) => {
        if (controller.signal.aborted || isCanceled(error)) return;
        log.error('Following a team:', error instanceof Error ? error.message : String(error));
        this.#show({
          kind: 'offline',
          reason: vscode.l10n.t('Team sync stopped. Open Notebook is restarting it.'),
          waiting: 0,
        });
        this.#again = setTimeout(() => void this.#change(true), AGAIN);
      });
    this.#stop = async () => {
      controller.abort();
      shown.setPrefetcher(undefined);
      // The process can be terminated at any time.
      await Promise.race([following, sleep(FAREWELL)]);
      await this.#process.end();
    };
  }

  async #startProcess({ signal, onExit }: StartContext): Promise<RunningProcess<TeamApi>> {
    const { path, log } = this.#options;
    const { startProcess } = await import('../../../core/rpc/processes.ts');
    const running = startProcess<NoParameters, TeamApi>(
      path,
      {},
      {
        megabytes: MEGABYTES,
        env: proxyEnvironment(teamProxy()),
        onExit: (error) => {
          onExit();
          if (error !== undefined) log.error('The process that follows a team ended:', error);
        },
      },
    );
    signal.addEventListener('abort', () => void running.terminate(), { once: true });
    await running.ready;
    return running;
  }

  #tellSent(): void {
    const shown = this.#options.notebooks.shown.key;
    const settled = this.#awaiting.filter(({ key }) => key !== shown || key === this.#sent);
    this.#awaiting = this.#awaiting.filter((waiter) => !settled.includes(waiter));
    for (const { key, tell: settle } of settled) settle(key === this.#sent);
  }

  #show(state: TeamState): void {
    if (state.kind === 'up-to-date') {
      this.#conflicts = state.conflicts;
      this.#sent = state.waiting === 0 ? this.#options.notebooks.shown.key : undefined;
      this.#tellSent();
    }
    const { icon, words, tooltip } = describeState(state);
    this.#item.text = words === '' ? icon : `${icon} ${words}`;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: tooltip };
    this.#item.show();
  }
}

function describeState(state: TeamState): {
  readonly icon: string;
  readonly words: string;
  readonly tooltip: string;
} {
  const waiting = 'waiting' in state ? state.waiting : 0;
  const wait = waiting === 0 ? '' : ` ${vscode.l10n.t('Pending changes: {0}.', waiting)}`;
  switch (state.kind) {
    case 'connecting':
      return {
        icon: '$(sync~spin)',
        words: vscode.l10n.t('Team'),
        tooltip: vscode.l10n.t('Connecting to the team…'),
      };
    case 'taking-in':
      return {
        icon: '$(sync~spin)',
        words: vscode.l10n.t('Team: {0} of {1}', state.done, state.total),
        tooltip: vscode.l10n.t('Syncing team changes. Documents: {0} of {1}.', state.done, state.total),
      };
    case 'up-to-date':
      if (state.conflicts.length > 0)
        return {
          icon: '$(git-merge)',
          words: vscode.l10n.t('Team: conflict'),
          tooltip:
            vscode.l10n.t(
              'Both versions of a conflicting change are side by side in {0}. Select to resolve the conflict.',
              state.conflicts.map((title) => `“${title}”`).join(', '),
            ) + wait,
        };
      return {
        icon: '$(organization)',
        words: vscode.l10n.t('Team'),
        tooltip: vscode.l10n.t('This notebook is in sync with the team.') + wait,
      };
    case 'offline':
      return {
        icon: '$(debug-disconnect)',
        words: vscode.l10n.t('Team: offline'),
        tooltip: state.reason + wait,
      };
    case 'refused':
      return {
        icon: '$(warning)',
        words: vscode.l10n.t('Team: action needed'),
        tooltip: state.reason + wait,
      };
  }
}
