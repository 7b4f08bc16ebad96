import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import { Disposable } from '../../../platform/disposable.ts';
import type { Research } from '../model/project.ts';
import type { SkillEntry } from '../protocol.ts';
import type { BoardClient } from '../service/board-client.ts';
import { mayBeLeft, nextResumeTime } from '../service/work/resume.ts';

/** Interval within which changes are handled together, in milliseconds. */
const CHANGE_INTERVAL_MS = 250;

/** Maximum interval of checks for projects that resume by themselves, while there may be some, in milliseconds. */
const RESUME_CHECK_INTERVAL_MS = 15_000;

/** Inputs and reports of a project's run. */
export interface Run {
  /** ID of the window. */
  readonly window: string;
  readonly signal: AbortSignal;
  readonly onStatus: (status: string) => void;
  readonly onChange: () => void;
}

/** Functions that run a project with language models. */
export interface ResearchRunner {
  /** Returns the skills for steps, including the editor's tools that the user turned on. */
  skills(ticked: readonly string[]): Promise<readonly SkillEntry[]>;
  /** Runs a project from its current state as far as possible. */
  run(research: Research, run: Run): Promise<void>;
}

/** Run that isn't over, as the page shows it. */
interface ActiveRun {
  readonly controller: AbortController;
  /** `true` if it continues the run of a closed window. */
  readonly isTakenOver: boolean;
  status: string;
  readonly ended: Promise<void>;
}

interface ResearchRunsParts {
  readonly board: BoardClient;
  readonly researcher: ResearchRunner;
  /** ID of this window. */
  readonly window: string;
  readonly hasModel: () => Promise<boolean>;
  readonly log: vscode.LogOutputChannel;
}

/** Runs of research projects in this window: starts and stops them, and resumes those of closed windows. */
export class ResearchRuns extends Disposable {
  readonly #parts: ResearchRunsParts;
  readonly #active = new Map<string, ActiveRun>();
  /** Revision of each project when its run last ended here, so that a fruitless run doesn't restart by itself. */
  readonly #revisionsAtEnd = new Map<string, number>();
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly #reported = this._register(
    new vscode.EventEmitter<{ readonly researchId: string; readonly title: string }>(),
  );
  #nextCheck: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;

  /** Fires when a run started, ended, or changed its project or status. */
  readonly onDidChange = this.#changed.event;
  /** Fires when a run has written a report, with the title of its note. */
  readonly onDidWriteReport = this.#reported.event;

  constructor(parts: ResearchRunsParts) {
    super();
    this.#parts = parts;
  }

  /** Returns the status of a project's run; undefined if the project isn't running in this window. */
  activity(researchId: string): { readonly status: string; readonly isTakenOver: boolean } | undefined {
    const active = this.#active.get(researchId);
    return active && { status: active.status, isTakenOver: active.isTakenOver };
  }

  /** Starts a project's run unless it's running in this window. The board stores its errors. */
  start(researchId: string, isTakenOver = false): void {
    if (this.#active.has(researchId)) return;
    const controller = new AbortController();
    const notifyChanged = (): void => this.#changed.fire();
    const run: Run = {
      window: this.#parts.window,
      signal: controller.signal,
      onStatus: (status) => {
        active.status = status;
        notifyChanged();
      },
      onChange: notifyChanged,
    };
    const active: ActiveRun = {
      controller,
      isTakenOver,
      status: '',
      ended: this.#runToItsEnd(researchId, run),
    };
    this.#active.set(researchId, active);
    notifyChanged();
  }

  /** Stops a project's run in this window. */
  async stop(researchId: string): Promise<void> {
    const active = this.#active.get(researchId);
    active?.controller.abort();
    await active?.ended;
  }

  /** Stops all runs in this window. */
  async stopAll(): Promise<void> {
    for (const researchId of [...this.#active.keys()]) await this.stop(researchId);
  }

  override dispose(): void {
    clearTimeout(this.#nextCheck?.timer);
    for (const { controller } of this.#active.values()) controller.abort();
    super.dispose();
  }

  /** Schedules a check for projects to resume, after this time in milliseconds or earlier. */
  checkIn(milliseconds: number): void {
    const at = Date.now() + Math.max(milliseconds, CHANGE_INTERVAL_MS);
    if (this.#nextCheck !== undefined && this.#nextCheck.at <= at) return;
    clearTimeout(this.#nextCheck?.timer);
    const check = (): void => {
      this.#nextCheck = undefined;
      this.#resume().catch((error: unknown) => {
        if (!(error instanceof NotebookError)) this.#parts.log.error('Research:', String(error));
      });
    };
    this.#nextCheck = { at, timer: setTimeout(check, at - Date.now()) };
  }

  /** Resumes projects that were running in a closed window, unless the user stopped them. */
  async #resume(): Promise<void> {
    const { board, researcher, hasModel } = this.#parts;
    if (!vscode.workspace.isTrusted) return;
    const entries = await board.call('researches', {});
    const abandoned = entries.filter((entry) => mayBeLeft(entry) && !this.#active.has(entry.id));
    if (abandoned.length === 0 || !(await hasModel())) return;
    let next = RESUME_CHECK_INTERVAL_MS;
    for (const { id } of abandoned) {
      const research = await board.call('research', { researchId: id });
      if (research === undefined || this.#revisionsAtEnd.get(id) === research.revision) continue;
      const skills = await researcher.skills(research.options.tools);
      const forUser = new Set(skills.flatMap((skill) => (skill.isForUser ? [skill.name] : [])));
      const at = nextResumeTime(research, forUser);
      if (at === undefined) continue;
      const wait = at - Date.now();
      if (wait > 0) next = Math.min(next, wait);
      else this.start(id, true);
    }
    this.checkIn(next);
  }

  async #runToItsEnd(researchId: string, run: Run): Promise<void> {
    const before = await this.#tryRead(researchId);
    try {
      await this.#run(researchId, run);
    } finally {
      const { revision, report } = (await this.#tryRead(researchId)) ?? {};
      if (report !== undefined && before !== undefined && before.report !== report)
        this.#reported.fire({ researchId, title: report });
      if (revision !== undefined) this.#revisionsAtEnd.set(researchId, revision);
      this.#active.delete(researchId);
      this.#changed.fire();
    }
  }

  /** Returns a project; undefined if it was deleted or can't be read. */
  async #tryRead(researchId: string): Promise<Research | undefined> {
    return this.#parts.board.call('research', { researchId }).catch((error: unknown) => {
      this.#parts.log.debug('Reading a research project:', String(error));
      return undefined;
    });
  }

  async #run(researchId: string, run: Run): Promise<void> {
    const { board, researcher, log } = this.#parts;
    try {
      await researcher.run(await readResearch(board, researchId), run);
    } catch (error) {
      if (isCanceled(error) || run.signal.aborted) return;
      if (!(error instanceof NotebookError)) log.error('Research:', String(error));
      const reason =
        error instanceof NotebookError
          ? error.message
          : vscode.l10n.t('The operation failed. See the log for details.');
      await board
        .call('changeResearch', { researchId, state: 'paused', reason })
        .catch((failure: unknown) =>
          log.error(`Saving why a research project paused (${reason}):`, String(failure)),
        );
    }
  }
}

/** Returns a project. @throws NotebookError `not-found` */
export async function readResearch(board: BoardClient, researchId: string): Promise<Research> {
  const research = await board.call('research', { researchId });
  if (research === undefined)
    throw new NotebookError('not-found', vscode.l10n.t('This research project was deleted.'));
  return research;
}
