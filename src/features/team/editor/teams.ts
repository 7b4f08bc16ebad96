import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { withoutEscapes } from '../../../core/domain/web-address.ts';
import type { Params, ProgressOf } from '../../../core/rpc/rpc.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { fitting } from '../../../core/domain/json-schemas.ts';
import { notebookName } from '../../../core/domain/notebook.ts';
import type { RemovedSource, TeamApi, TeamEntry, TeamNotebook } from '../service/api.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { ProcessOnDemand } from '../../../platform/process-on-demand.ts';
import { proxyEnvironment } from '../service/proxy.ts';
import { readSecretJson } from '../../../platform/secret-json.ts';
import { onOtherProxy, teamProxy } from './team-proxy.ts';
import { readTeamLink, replicaId, writeTeamLink, type TeamLink } from '../../notebooks/editor/team-links.ts';
import { Disposable } from '../../../platform/disposable.ts';

const SECRET = 'openNotebook.teams';

/** Limits, see `ProcessOnDemand`, of the process for single team operations: sharing copies a whole notebook. */
const PROCESS = { megabytes: 2_048, idleTimeMs: 30_000, timeoutMs: 30 * 60_000 };

/** Connection to a team, which is a secret: the connection string contains a password. */
const team = v.object({ id: v.string(), connection: v.string() });
type Team = v.InferOutput<typeof team>;
const teams = fitting(team);

/** Team notebook that isn't on this machine yet. */
interface OfferedNotebook {
  readonly team: TeamEntry;
  readonly notebook: TeamNotebook;
}

type TeamRequest = Exclude<keyof TeamApi, 'follow'>;

/**
 * Teams that the user is connected to, and their notebooks. Connection strings are stored only in the secret storage.
 */
export class Teams extends Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #notebooks: Notebooks;
  readonly #process: ProcessOnDemand<TeamApi>;
  readonly #changed = this._register(new vscode.EventEmitter<void>());

  /** Fires when a team was connected or disconnected, or when a connection string or the proxy changed. */
  readonly onDidChange = this.#changed.event;

  constructor(
    secrets: vscode.SecretStorage,
    notebooks: Notebooks,
    { path, log }: { readonly path: string; readonly log: vscode.LogOutputChannel },
  ) {
    super();
    this.#secrets = secrets;
    this.#notebooks = notebooks;
    this.#process = this._register(
      new ProcessOnDemand({
        path,
        name: 'The process that talks to teams',
        log,
        env: () => proxyEnvironment(teamProxy()),
        ...PROCESS,
      }),
    );
    this._register(
      secrets.onDidChange(({ key }) => {
        if (key !== SECRET) return;
        void this.#updateContextKeys();
        this.#changed.fire();
      }),
      onOtherProxy(() => {
        // The next process starts with the new proxy.
        void this.#process.end();
        this.#changed.fire();
      }),
    );
    void this.#updateContextKeys();
  }

  /** Calls the process; see `TeamApi`. @throws NotebookError */
  ask<M extends TeamRequest>(
    method: M,
    params: Params<TeamApi[M]>,
    signal = new AbortController().signal,
    onProgress?: (progress: ProgressOf<TeamApi[M]>) => void,
  ): Promise<ReturnType<TeamApi[M]>> {
    return this.#process.call(method, params, signal, onProgress);
  }

  /** Stores the connection to a team, in place of an earlier one. */
  async keep(id: string, connection: string): Promise<void> {
    const others = (await this.#readTeams()).filter((team) => team.id !== id);
    await this.#secrets.store(SECRET, JSON.stringify([...others, { id, connection }]));
  }

  async forget(id: string): Promise<void> {
    const others = (await this.#readTeams()).filter((team) => team.id !== id);
    await this.#secrets.store(SECRET, JSON.stringify(others));
  }

  async findConnection(teamId: string): Promise<string | undefined> {
    return (await this.#teams()).find(({ id }) => id === teamId)?.connection;
  }

  /** Returns the locations of all connected teams, without secrets. Doesn't contact them. */
  async listKnown(): Promise<{ readonly id: string; readonly place: string }[]> {
    return (await this.#teams()).map(({ id, connection }) => ({ id, place: withoutSecret(connection) }));
  }

  /** Returns the teams that answer; for the others, `onFailed` gets the error. */
  async list(onFailed: (error: unknown) => void = () => undefined): Promise<TeamEntry[]> {
    const teams = await this.#teams();
    const entries = await Promise.all(
      teams.map(({ connection }) =>
        this.ask('team', { connection }).catch((error: unknown) => {
          onFailed(error);
          return undefined;
        }),
      ),
    );
    return entries.filter((entry) => entry !== undefined);
  }

  /** Returns the notebooks of the user's teams that aren't on this machine yet. */
  async listOffered(): Promise<OfferedNotebook[]> {
    const teams = await this.list();
    return teams.flatMap((team) =>
      team.notebooks
        .filter(({ id }) => !this.#notebooks.folders.has(replicaId(id)))
        .map((notebook) => ({ team, notebook })),
    );
  }

  /**
   * Creates a local notebook that syncs with a team notebook, unless it exists; returns its ID.
   * @throws NotebookError, and then nothing of it remains
   */
  async join(teamId: string, { id: notebookId, name }: TeamNotebook): Promise<string> {
    const { folders } = this.#notebooks;
    const id = replicaId(notebookId);
    if (folders.has(id)) return id;
    const unfinished = await folders.begin(id);
    try {
      await this.ask('join', { teamId, notebookId, to: unfinished.directory });
      await writeTeamLink(unfinished.directory, { teamId, notebookId, name });
    } catch (error) {
      await unfinished.discard();
      throw error;
    }
    await unfinished.keep(await this.#freeName(name));
    return id;
  }

  /**
   * Creates a team notebook from a local one; returns the ID of the synced local notebook.
   * @throws NotebookError if the team can't be reached
   */
  async share(
    team: TeamEntry,
    from: string,
    { name, everybody }: { readonly name: string; readonly everybody: 'reader' | 'author' | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const connection = await this.findConnection(team.id);
    if (connection === undefined) throw notConnected();
    const notebookId = randomUUID();
    const id = replicaId(notebookId);
    const unfinished = await this.#notebooks.folders.begin(id);
    try {
      await writeTeamLink(unfinished.directory, { teamId: team.id, notebookId, name });
      await this.ask(
        'share',
        { connection, from, to: unfinished.directory, name, notebookId, everybody },
        signal,
      );
    } catch (error) {
      await unfinished.discard();
      throw error;
    }
    await unfinished.keep(await this.#freeName(name));
    return id;
  }

  /**
   * Applies the team's name for a notebook, unless the user renamed it here. Nothing happens if the team's name is
   * unchanged.
   */
  async takeName(id: string, reportedName: string): Promise<void> {
    const { folders } = this.#notebooks;
    const directory = folders.directoryFor(id);
    const link = await readTeamLink(directory);
    const name = notebookName(reportedName);
    if (link === undefined || name === '' || link.name === name) return;
    const currentName = (await folders.entry(id))?.name;
    // The name ends with a number if another notebook here had the same name.
    const isTeams = [currentName, currentName?.replace(/ \d+$/, '')].includes(link.name);
    if (link.name !== undefined && isTeams && currentName !== name)
      await this.#notebooks.rename(id, await this.#freeName(name));
    await writeTeamLink(directory, { ...link, name });
  }

  /** Returns the team notebook of the current notebook, and its connection. @throws NotebookError if there is none */
  async linkOfShown(): Promise<TeamLink & { readonly connection: string }> {
    const link = await readTeamLink(this.#notebooks.shown.directory);
    if (link === undefined)
      throw new NotebookError(
        'empty',
        vscode.l10n.t('The current notebook isn’t a team notebook. Switch to a team notebook first.'),
      );
    const connection = await this.findConnection(link.teamId);
    if (connection === undefined) throw notConnected();
    return { ...link, connection };
  }

  /**
   * Claims a step of a research project in the current notebook for the whole team, or extends the claim. Returns
   * `alone` if the notebook isn't a team notebook.
   * @throws NotebookError if the team's database can't be reached
   */
  async claimStep(
    {
      token,
      researchId,
      stepId,
      hold,
    }: {
      /** UUID of the claim. */
      readonly token: string;
      readonly researchId: string;
      readonly stepId: string;
      /** Duration in milliseconds. */
      readonly hold: number;
    },
    signal?: AbortSignal,
  ): Promise<
    | { readonly kind: 'alone' }
    | { readonly kind: 'elsewhere'; readonly member: string }
    | { readonly kind: 'taken' }
  > {
    if ((await readTeamLink(this.#notebooks.shown.directory)) === undefined) return { kind: 'alone' };
    const { connection, notebookId } = await this.linkOfShown();
    const seconds = Math.ceil(hold / 1_000);
    const member = await this.ask(
      'claimStep',
      {
        connection,
        notebookId,
        researchId,
        stepId,
        token,
        seconds,
      },
      signal,
    );
    return member === undefined ? { kind: 'taken' } : { kind: 'elsewhere', member };
  }

  async releaseStep(token: string): Promise<void> {
    const { connection, notebookId } = await this.linkOfShown();
    await this.ask('releaseStep', { connection, notebookId, token });
  }

  /** Makes the sync connect at once, after a change that it would notice only later. */
  lookAgain(): void {
    this.#changed.fire();
  }

  async removedSources(): Promise<readonly RemovedSource[]> {
    const { connection, notebookId } = await this.linkOfShown();
    return this.ask('removedSources', { connection, notebookId });
  }

  /**
   * Returns a unique name with a number if necessary, because notebooks on this machine are identified by their names.
   */
  async #freeName(name: string): Promise<string> {
    const usedNames = new Set((await this.#notebooks.folders.list()).map((notebook) => notebook.name));
    let free = name;
    for (let count = 2; usedNames.has(free); count++) free = `${name} ${String(count)}`;
    return free;
  }

  async #teams(): Promise<readonly Team[]> {
    try {
      return await this.#readTeams();
    } catch {
      // Notebooks of a team work without a connection.
      return [];
    }
  }

  /** Returns the stored teams. Rejects if the secret storage can't be read. */
  async #readTeams(): Promise<readonly Team[]> {
    return (await readSecretJson(this.#secrets, SECRET, teams)) ?? [];
  }

  async #updateContextKeys(): Promise<void> {
    const hasTeams = (await this.#teams()).length > 0;
    await vscode.commands.executeCommand('setContext', 'openNotebook.hasTeams', hasTeams);
  }
}

/** Returns a connection string without its secret. It was validated when it was stored. */
function withoutSecret(connection: string): string {
  const url = URL.parse(connection.trim());
  return url === null ? '' : `${withoutEscapes(url.username)}@${url.hostname}${url.pathname}`;
}

/** Returns the error for a team whose connection string is no longer stored. */
export function notConnected(): NotebookError {
  return new NotebookError(
    'unauthorized',
    vscode.l10n.t('This window isn’t connected to the team. Use “Connect to Team…” first.'),
  );
}
