import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ModelServer } from '../../../answers/models/model-provider.ts';
import { StoredSegments } from '../service/stored-segments.ts';
import { transcribeRecording, type TranscriptionModel } from '../service/transcribe-recording.ts';
import {
  errorMessage,
  isInterrupted,
  isCanceled,
  isDiskFull,
  NotebookError,
} from '../../../core/domain/errors.ts';
import {
  type RecordedSound,
  type RecordingPart,
  type RecordingPlan,
} from '../../../core/domain/recordings.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { ReadRequest } from '../../../parsers/api.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { lastSegment, readContent } from '../../../platform/workspace-files.ts';
import { LockLostError, lockRecording, type LockTimes, type RecordingLock } from './recording-lock.ts';
import { saveTranscript } from './save-transcript.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Maximum time of a server for one part, in milliseconds. */
const TIMEOUT_MS = 20 * 60_000;

/** Name under which the notebook's recordings to transcribe are stored. */
const MEMENTO_KEY = 'transcriptions';

const storedJob = v.object({
  sourceId: v.string(),
  /** Path in the source; '' for the source itself. */
  path: v.string(),
  uri: v.string(),
  /** Length of the recording, and its transcribed part, in seconds. */
  seconds: v.number(),
  done: v.number(),
  isPaused: v.boolean(),
  model: v.object({ name: v.string(), baseUrl: v.string() }),
  /** Reason why it is paused, as a sentence. */
  problem: v.optional(v.string()),
});

/** Recording to transcribe with a model to which the user agreed. */
export type TranscriptionJob = Readonly<v.InferOutput<typeof storedJob>>;

/** Progress of a source or of all sources, in minutes. */
export interface TranscriptionState {
  readonly done: number;
  readonly total: number;
  readonly isPaused: boolean;
  /** `true` while another window transcribes the recording. */
  readonly isElsewhere: boolean;
  /** Reason why it is paused, as a sentence. */
  readonly problem?: string | undefined;
}

type RecordingFile = Pick<ReadRequest, 'content' | 'name'>;

interface Parts {
  readonly notebook: NotebookClient;
  readonly memento: vscode.Memento;
  readonly readers: {
    readonly planRecording: (file: RecordingFile, signal: AbortSignal) => Promise<RecordingPlan>;
    readonly cutRecording: (
      file: RecordingFile,
      part: RecordingPart,
      signal: AbortSignal,
    ) => Promise<RecordedSound>;
  };
  /** Returns the function of a server that transcribes. @throws NotebookError `unsupported` */
  readonly transcription: (address: string) => NonNullable<ModelServer['transcribe']>;
  /** Folder with the transcripts, for all notebooks. */
  readonly folder: string;
  /** Timing of the lock that keeps other windows from transcribing the recording. Default: that of `lockRecording`. */
  readonly lockTimes?: LockTimes;
  /** Reads a recording that has a transcript now. */
  readonly read: (source: Source, path: string) => Promise<void>;
  /** Shows why transcription is paused. */
  readonly showProblem: (error: NotebookError, job: TranscriptionJob) => void;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Transcribes recordings in the background, one after the other. Skips recordings that another window transcribes.
 * Stores the recordings to transcribe, so that the next window resumes, and the transcribed parts, so that nothing is
 * sent twice.
 */
export class Transcription extends Disposable {
  readonly #parts: Parts;
  readonly #segments: StoredSegments;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  #running: Promise<void> | undefined;
  #isLeaving = false;
  #current:
    | { readonly job: TranscriptionJob; readonly stop: AbortController; readonly isElsewhere: boolean }
    | undefined;

  /** Fires when the progress or the paused state changes. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
    this.#segments = new StoredSegments(join(parts.folder, 'parts'));
    const { notebook } = parts;
    this._register(
      notebook.onDidOpen(({ readOnly }) => {
        if (!readOnly) this.look();
      }),
      notebook.onDidSwitch(() => {
        this.#changed.fire();
      }),
      notebook.onDidChange(
        () =>
          void this.#dropRemoved().catch((error: unknown) =>
            parts.log.trace('Dropping the transcription of removed sources:', errorMessage(error)),
          ),
      ),
    );
  }

  /** Returns the progress of a source, or of all; undefined if nothing is to be transcribed. */
  state(sourceId?: string): TranscriptionState | undefined {
    const jobs = this.#jobs.filter((job) => sourceId === undefined || job.sourceId === sourceId);
    if (jobs.length === 0) return undefined;
    const current = this.#current;
    const sum = (of: (job: TranscriptionJob) => number): number =>
      jobs.reduce((total, job) => total + of(job), 0);
    return {
      done: Math.floor(sum(({ done }) => done) / 60),
      total: Math.ceil(sum(({ seconds }) => seconds) / 60),
      isPaused: jobs.every(({ isPaused }) => isPaused),
      isElsewhere: current?.isElsewhere === true && jobs.some((job) => isSame(job, current.job)),
      problem: jobs.find(({ problem }) => problem !== undefined)?.problem,
    };
  }

  /** Adds recordings, in place of the same ones, and starts. */
  async add(jobs: readonly TranscriptionJob[]): Promise<void> {
    const others = this.#jobs.filter((job) => !jobs.some((changed) => isSame(changed, job)));
    await this.#save([...others, ...jobs]);
    this.look();
  }

  /** Pauses some sources, or all. Transcribed parts stay. */
  async pause(sourceIds?: readonly string[]): Promise<void> {
    await this.#change(sourceIds, (job) => ({ ...job, isPaused: true }));
  }

  /** Resumes some sources, or all. */
  async resume(sourceIds?: readonly string[]): Promise<void> {
    await this.#change(sourceIds, (job) => ({ ...job, isPaused: false, problem: undefined }));
    this.look();
  }

  /** Cancels some sources, or all. Transcribed parts stay for the next time. */
  async cancel(sourceIds?: readonly string[]): Promise<void> {
    await this.#change(sourceIds, () => undefined);
  }

  /** Starts or resumes. */
  look(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#changed.fire();
    });
  }

  /** Resolves when nothing is left to transcribe, or everything is paused. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Stops, and leaves the rest to the next window that opens the notebook. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#current?.stop.abort();
    await this.#running;
    this.#isLeaving = false;
  }

  override dispose(): void {
    this.#isLeaving = true;
    this.#current?.stop.abort();
    super.dispose();
  }

  get #jobs(): readonly TranscriptionJob[] {
    const parsed = v.safeParse(v.array(storedJob), this.#parts.memento.get(MEMENTO_KEY, []));
    return parsed.success ? parsed.output : [];
  }

  async #save(jobs: readonly TranscriptionJob[]): Promise<void> {
    await this.#parts.memento.update(MEMENTO_KEY, jobs.length === 0 ? undefined : jobs);
    // Stops the current recording if it was paused or removed.
    const current = this.#current;
    const currentJob = current && jobs.find((job) => isSame(job, current.job));
    if (current !== undefined && currentJob?.isPaused !== false) current.stop.abort();
    this.#changed.fire();
  }

  async #change(
    sourceIds: readonly string[] | undefined,
    change: (job: TranscriptionJob) => TranscriptionJob | undefined,
  ): Promise<void> {
    await this.#save(
      this.#jobs.flatMap((job) =>
        sourceIds === undefined || sourceIds.includes(job.sourceId) ? (change(job) ?? []) : [job],
      ),
    );
  }

  async #dropRemoved(): Promise<void> {
    const jobs = this.#jobs;
    if (jobs.length === 0) return;
    const ids = new Set((await this.#parts.notebook.call('sources', {})).map(({ id }) => id));
    const present = jobs.filter(({ sourceId }) => ids.has(sourceId));
    if (present.length < jobs.length) await this.#save(present);
  }

  async #run(): Promise<void> {
    try {
      await this.#dropRemoved();
      while (!this.#isLeaving) {
        const job = this.#jobs.find(({ isPaused }) => !isPaused);
        if (job === undefined) return;
        await this.#work(job);
      }
    } catch (error) {
      if (!isCanceled(error) && !isInterrupted(error)) this.#parts.log.error('Transcription:', error);
    }
  }

  async #work(job: TranscriptionJob): Promise<void> {
    const { notebook, readers, transcription, folder, lockTimes, read, log, showProblem } = this.#parts;
    const stop = new AbortController();
    const { signal } = stop;
    const show = (isElsewhere: boolean): void => {
      this.#current = { job, stop, isElsewhere };
      this.#changed.fire();
    };
    show(false);
    const failedRequests = new Set<unknown>();
    let lock: RecordingLock | undefined;
    try {
      const uri = vscode.Uri.parse(job.uri);
      const file = { content: await readContent(uri), name: lastSegment(uri) };
      const plan = await readers.planRecording(file, signal);
      const recordingLock = await lockRecording(join(folder, 'locks'), plan.hash, signal, {
        times: lockTimes,
        onWait: () => show(true),
      });
      lock = recordingLock;
      show(false);
      const captions = await transcribeRecording(plan, {
        model: job.model,
        segments: this.#segments,
        signal,
        cut: (part) => readers.cutRecording(file, part, signal),
        send: async (part) => {
          await recordingLock.check();
          const wait = async (ms: number): Promise<void> => {
            await sleep(ms, undefined, { signal });
            await recordingLock.check();
          };
          try {
            const options = { signal, timeout: TIMEOUT_MS, wait };
            return await transcription(job.model.baseUrl)(job.model.name, part, options);
          } catch (error) {
            failedRequests.add(error);
            throw error;
          }
        },
        onProgress: (done) => void this.#replace({ ...job, seconds: plan.duration, done }),
      });
      signal.throwIfAborted();
      await saveTranscript(folder, plan, captions);
      this.#current = undefined;
      await this.#save(this.#jobs.filter((queuedJob) => !isSame(queuedJob, job)));
      const source = (await notebook.call('sources', {})).find(({ id }) => id === job.sourceId);
      if (source !== undefined) await read(source, job.path);
    } catch (error) {
      // Waits for the other window in the next round.
      if (signal.aborted || error instanceof LockLostError) return;
      this.#current = undefined;
      if (!(error instanceof NotebookError)) log.error(`Transcribing ${job.uri}:`, error);
      const reported =
        error instanceof NotebookError
          ? error
          : new NotebookError(
              'internal',
              vscode.l10n.t('Open Notebook couldn’t transcribe {0}. See the log for details.', job.path),
              { action: 'showLog' },
            );
      const { message: problem } = reported;
      const isOfAll = failedRequests.has(error) || isDiskFull(error);
      await this.#save(
        this.#jobs.map((queuedJob) => {
          if (isSame(queuedJob, job)) return { ...queuedJob, isPaused: true, problem };
          // The other recordings would meet the same server or disk.
          return isOfAll ? { ...queuedJob, isPaused: true } : queuedJob;
        }),
      );
      showProblem(reported, this.#jobs.find((queuedJob) => isSame(queuedJob, job)) ?? job);
    } finally {
      this.#current = undefined;
      await lock?.release();
    }
  }

  /** Stores the progress of a recording, unless it was removed meanwhile. */
  async #replace(job: TranscriptionJob): Promise<void> {
    await this.#save(
      this.#jobs.map((queuedJob) =>
        isSame(queuedJob, job) ? { ...queuedJob, seconds: job.seconds, done: job.done } : queuedJob,
      ),
    );
  }
}

function isSame(a: TranscriptionJob, b: TranscriptionJob): boolean {
  return a.sourceId === b.sourceId && a.path === b.path;
}

/** Returns a new recording to transcribe. */
export function transcriptionJob(
  place: Pick<TranscriptionJob, 'sourceId' | 'path' | 'uri' | 'seconds'>,
  model: TranscriptionModel,
): TranscriptionJob {
  return { ...place, model, done: 0, isPaused: false };
}
