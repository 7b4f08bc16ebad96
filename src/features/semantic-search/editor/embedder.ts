import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { EmbeddingsApi, QuestionVector } from '../../../index/search/vectors/embeddings-api.ts';
import type { MeaningApi } from '../service/api.ts';
import type { Params } from '../../../core/rpc/rpc.ts';
import { NotebookError, errorMessage, isCanceled, throwIfCanceled } from '../../../core/domain/errors.ts';
import { STATIC_ADDRESS, type EmbeddingModel } from '../../../core/domain/settings.ts';
import type { EmbeddingConsent } from './embedding-consent.ts';
import { Emitter, type Event, type Subscription } from '../../../platform/emitter.ts';
import { embeddingModelFor, type InstalledModel } from './installed-models.ts';
import type { Log } from '../../../platform/log.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Time without changes to the notebook before its new passages are embedded, in milliseconds. */
const EMBED_DELAY_MS = 2_000;
/** Delay before checking again after another window was found embedding, in milliseconds. */
const OTHER_WINDOW_DELAY_MS = 60_000;
/** Delay before checking again for vectors that other members' machines generate, in milliseconds. */
const TEAM_VECTORS_DELAY_MS = 15_000;
/** Maximum time of one request, and maximum time that a question waits for its vector, in milliseconds. */
const REQUEST_TIMEOUT = 180_000;
const QUESTION_TIMEOUT = 8_000;
const RETRIES = 5;
/** Pause after a temporary failure, in milliseconds; doubled each time. */
const FIRST_PAUSE = 60_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** Failures that only the user can fix. */
const LASTING = new Set(['unauthorized', 'forbidden', 'not-found', 'unsupported']);

/** Local embedding model and its location. */
interface OwnModel {
  readonly model: EmbeddingModel;
  readonly folder: string;
}

/** Options of embedding requests: the maximum time of one request in milliseconds, and the number of retries. */
export interface EmbedOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly retries: number;
}

/** Embeddings of a notebook, accessed from another thread. */
type EmbeddingsClient = {
  readonly [M in keyof EmbeddingsApi]: (
    params: Params<EmbeddingsApi[M]>,
    signal?: AbortSignal,
  ) => Promise<ReturnType<EmbeddingsApi[M]>>;
};

/** Notebook whose passages are embedded. */
interface EmbeddedNotebook extends EmbeddingsClient {
  readonly onDidOpen: Event<unknown>;
  readonly onDidChange: Event<void>;
}

/** Returns the interface of a notebook that an embedder uses. */
export function embeddedNotebook(
  notebook: Pick<NotebookClient, 'call' | 'onDidChange' | 'onDidOpen'>,
): EmbeddedNotebook {
  return {
    activeEmbeddings: (params) => notebook.call('activeEmbeddings', params),
    embeddings: (params) => notebook.call('embeddings', params),
    nextEmbeddings: (params, signal) => notebook.call('nextEmbeddings', params, { signal }),
    putEmbeddings: (params) => notebook.call('putEmbeddings', params),
    onDidOpen: notebook.onDidOpen,
    onDidChange: notebook.onDidChange,
  };
}

export interface EmbedderParts {
  readonly notebook: EmbeddedNotebook;
  readonly consent: Pick<EmbeddingConsent, 'ask' | 'give'>;
  readonly settings: {
    /** Returns the endpoint's model; undefined if none is set. */
    readonly embeddingModel: () => EmbeddingModel | undefined;
    /** Returns the local embedding model; '' for none. */
    readonly meaningModel: () => string;
    readonly onDidChange: (keys: 'embeddings' | 'meaning.model', listener: () => void) => Subscription;
  };
  /** Embeds texts with an endpoint's model. @throws NotebookError */
  readonly embedThere: (
    model: EmbeddingModel,
    texts: readonly string[],
    options: EmbedOptions,
  ) => Promise<(Float32Array | null)[]>;
  /** Local embedding models, and the process that runs them. */
  readonly meaning: {
    readonly models: {
      readonly find: (
        name: string,
      ) => Promise<Pick<InstalledModel, 'folder' | 'name' | 'sha256'> | undefined>;
    };
    /** Returns the vectors of texts. @throws NotebookError */
    readonly vectors: (
      params: Params<MeaningApi['vectors']>,
      signal: AbortSignal,
    ) => Promise<Iterable<Float32Array | null>>;
    /** Ends the process that runs the model; the next request starts it again. */
    readonly end: () => Promise<void>;
  };
  readonly log: Log;
}

export type EmbedderState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'embedding'; readonly done: number; readonly total: number }
  | { readonly kind: 'paused'; readonly reason: string };

/**
 * Keeps the passages of the notebook embedded while an embedding model is set up. Asks before it sends many passages,
 * resumes after an interruption, and can be stopped. Questions use the model of the stored vectors.
 */
export class Embedder extends Disposable {
  readonly #parts: EmbedderParts;
  readonly #notebook: EmbedderParts['notebook'];
  readonly #owner = randomUUID();
  readonly #changed = this._register(new Emitter<EmbedderState>());
  #running: { readonly controller: AbortController; readonly ended: Promise<undefined> } | undefined;
  #isAwaitingConsent = false;
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE;
  #stopped = false;

  readonly onDidChangeState = this.#changed.event;

  constructor(parts: EmbedderParts) {
    super();
    this.#parts = parts;
    const { notebook, settings, meaning } = parts;
    this.#notebook = notebook;
    const soon = (): void => {
      if (!this.#stopped) this.#schedule(EMBED_DELAY_MS);
    };
    const restart = (): void => {
      this.stop();
      this.#stopped = false;
      this.#schedule(0);
    };
    this._register(
      notebook.onDidOpen(soon),
      notebook.onDidChange(soon),
      settings.onDidChange('embeddings', restart),
      settings.onDidChange('meaning.model', () => {
        void meaning.end();
        restart();
      }),
    );
  }

  /** Embeds passages without a vector, at the user's request. */
  async start(): Promise<void> {
    this.#stopped = false;
    // A request for consent may be hidden and never answered, and the user has given it by this call.
    if (this.#isAwaitingConsent) this.#running?.controller.abort();
    while (this.#running?.controller.signal.aborted === true) await this.#running.ended;
    await this.#run(true);
  }

  /** Stops until the user starts it again or changes the settings. Finished embeddings stay. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#running?.controller.abort();
    this.#set({ kind: 'idle' });
  }

  /**
   * Generates missing embeddings, and resolves when each passage has an embedding from the current model. Progress is
   * in passages.
   * @throws NotebookError `cancelled` if the signal is aborted or the embedder is stopped, and the failure of a run
   */
  async embedAll(signal: AbortSignal, onProgress: (done: number, total: number) => void): Promise<void> {
    throwIfCanceled(signal);
    const { promise: finished, resolve, reject } = Promise.withResolvers<undefined>();
    const check = async (): Promise<void> => {
      if (await this.#isComplete()) resolve(undefined);
      // Changed settings stop a run, too, but begin another one.
      else if (this.#stopped) reject(new NotebookError('cancelled', t('Stopped.')));
    };
    const following = this.onDidChangeState((state) => {
      if (state.kind === 'embedding') onProgress(state.done, state.total);
      if (state.kind === 'paused') reject(new NotebookError('internal', state.reason));
      if (state.kind === 'idle') check().catch(reject);
    });
    const abort = (): void => this.stop();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.all([finished, this.start()]);
    } finally {
      signal.removeEventListener('abort', abort);
      following.dispose();
    }
  }

  /** Ends the work in progress before another notebook is opened. */
  async leave(): Promise<void> {
    this.stop();
    this.#stopped = false;
    await this.#running?.ended;
  }

  /** Returns the vector of a question, or undefined if semantic search isn't available. */
  async embedQuestion(question: string, signal: AbortSignal): Promise<QuestionVector | undefined> {
    const own = await this.#ownModel();
    const endpoint = this.#parts.settings.embeddingModel();
    if (endpoint === undefined && own === undefined) return undefined;
    const active = await this.#notebook.activeEmbeddings({});
    if (active === undefined) return undefined;
    // Vectors of a removed endpoint are useless, because questions are no longer sent to that endpoint.
    if (
      !isSame(active.model, own?.model) &&
      (endpoint === undefined || active.model.baseUrl === STATIC_ADDRESS)
    )
      return undefined;
    try {
      const [values] = await this.#embed(active.model, [question], {
        signal,
        timeout: QUESTION_TIMEOUT,
        retries: 0,
      });
      return values ? { setId: active.setId, values } : undefined;
    } catch (error) {
      if (isCanceled(error)) throw error;
      this.#parts.log.warn('Embedding a question; it is answered by its words alone:', errorMessage(error));
      return undefined;
    }
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }

  /** Reports whether nothing is left to embed here. Other members' machines may embed the rest. */
  async #isComplete(): Promise<boolean> {
    const model = this.#parts.settings.embeddingModel() ?? (await this.#ownModel())?.model;
    if (model === undefined) return false;
    const { active, missing } = await this.#notebook.embeddings({ model });
    if (missing.total === 0) return true;
    const isActive = active !== undefined && isSame(active.model, model);
    return missing.passages === 0 && (isActive || missing.awaitedUntil !== undefined);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(false), delay);
  }

  async #run(isRequested: boolean): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#running !== undefined) {
      // The running pass may have missed passages that were added meanwhile.
      this.#schedule(EMBED_DELAY_MS);
      return;
    }
    const controller = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    this.#running = { controller, ended };
    try {
      const model = this.#parts.settings.embeddingModel() ?? (await this.#ownModel())?.model;
      if (model === undefined) return;
      await this.#embedMissing(model, isRequested, controller.signal);
      this.#pause = FIRST_PAUSE;
      this.#set({ kind: 'idle' });
    } catch (error) {
      if (!controller.signal.aborted && !isCanceled(error)) this.#handleFailure(error);
    } finally {
      this.#running = undefined;
      end(undefined);
    }
  }

  async #embedMissing(model: EmbeddingModel, isRequested: boolean, signal: AbortSignal): Promise<void> {
    const { active, missing } = await this.#notebook.embeddings({ model });
    throwIfCanceled(signal);
    const isActive = active !== undefined && isSame(active.model, model);
    const { awaitedUntil } = missing;
    if (missing.total === 0 || (missing.passages === 0 && (isActive || awaitedUntil !== undefined))) {
      this.#await(awaitedUntil);
      return;
    }
    // Local models need no consent, because the text stays on this machine.
    if (model.baseUrl !== STATIC_ADDRESS) {
      if (isRequested) await this.#parts.consent.give(model, missing);
      else if (
        !(await this.#askForConsent(() => this.#parts.consent.ask(model, missing, isActive), signal))
      ) {
        if (!signal.aborted) this.#stopped = true;
        return;
      }
    }
    let done = missing.total - missing.passages;
    for (;;) {
      // A progress report after the stop would never disappear.
      throwIfCanceled(signal);
      this.#set({ kind: 'embedding', done: Math.min(done, missing.total), total: missing.total });
      const batch = await this.#notebook.nextEmbeddings({ model, owner: this.#owner }, signal);
      throwIfCanceled(signal);
      if (batch.kind === 'elsewhere') this.#schedule(OTHER_WINDOW_DELAY_MS);
      if (batch.kind === 'done') this.#await(awaitedUntil);
      if (batch.kind !== 'texts') return;
      const texts = batch.texts.map(({ text }) => text);
      const vectors = await this.#embed(model, texts, { signal, timeout: REQUEST_TIMEOUT, retries: RETRIES });
      const byHash = new Map(batch.texts.map(({ hash }, index) => [hash, vectors[index] ?? null]));
      throwIfCanceled(signal);
      await this.#notebook.putEmbeddings({ setId: batch.setId, vectors: byHash });
      done += batch.passages;
    }
  }

  async #askForConsent(ask: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    this.#isAwaitingConsent = true;
    try {
      return (await unlessAborted(ask(), signal)) ?? false;
    } finally {
      this.#isAwaitingConsent = false;
    }
  }

  /** Checks repeatedly for embeddings from other machines, until a time in milliseconds since 1970. */
  #await(until: number | undefined): void {
    if (until !== undefined) this.#schedule(Math.min(Math.max(0, until - Date.now()), TEAM_VECTORS_DELAY_MS));
  }

  async #embed(
    { baseUrl, name }: EmbeddingModel,
    texts: readonly string[],
    options: EmbedOptions,
  ): Promise<(Float32Array | null)[]> {
    if (baseUrl === STATIC_ADDRESS) return await this.#embedHere(name, texts, options.signal);
    return await this.#parts.embedThere({ baseUrl, name }, texts, options);
  }

  /** Returns the local embedding model that the settings name, if it is installed. */
  async #ownModel(): Promise<OwnModel | undefined> {
    const name = this.#parts.settings.meaningModel();
    const installed = name === '' ? undefined : await this.#parts.meaning.models.find(name);
    return installed && { model: embeddingModelFor(installed), folder: installed.folder };
  }

  async #embedHere(
    name: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> {
    const own = await this.#ownModel();
    if (own?.model.name !== name)
      throw new NotebookError(
        'cancelled',
        t('The local embedding model is no longer available. Download it again, or choose another model.'),
      );
    return [...(await this.#parts.meaning.vectors({ folder: own.folder, texts }, signal))];
  }

  #handleFailure(error: unknown): void {
    this.#parts.log.error('Embedding:', errorMessage(error));
    this.#set({ kind: 'paused', reason: errorMessage(error) });
    if (error instanceof NotebookError && LASTING.has(error.code)) {
      this.#stopped = true;
      return;
    }
    this.#schedule(this.#pause);
    this.#pause = Math.min(2 * this.#pause, MAX_PAUSE_MS);
  }

  #set(state: EmbedderState): void {
    this.#changed.fire(state);
  }
}

/** Returns the result of a promise, or undefined if the signal is aborted first. A question may never be answered. */
async function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => aborted.resolve(undefined), { once: true });
  return await Promise.race([pending, aborted.promise]);
}

function isSame(model: EmbeddingModel, other: EmbeddingModel | undefined): boolean {
  return model.baseUrl === other?.baseUrl && model.name === other.name;
}
