import { t } from '@vscode/l10n';
import { isInterrupted, NotebookError } from '../domain/errors.ts';

/** After this many starts that failed in a row, nothing is started until `START_PAUSE_MS` have passed. */
const MAX_FAILED_STARTS = 3;
const START_PAUSE_MS = 60_000;

/** A process or a worker thread that can be ended. */
interface Endable {
  /** Ends it; resolves when it has ended. */
  terminate(): Promise<void>;
}

/** The parameters of a start. */
export interface StartContext {
  /** Aborts if the process is no longer wanted, even if it isn't ready yet. */
  readonly signal: AbortSignal;
  /** Must be called when the process has ended, for whatever reason. */
  readonly onExit: () => void;
}

interface Started<Running> {
  readonly running: Promise<Running>;
  readonly controller: AbortController;
}

/**
 * A process or worker thread that starts when it is needed, and again after it ended or crashed. There are never two:
 * the next one starts after the one before has ended.
 */
export class ManagedProcess<Running extends Endable> {
  readonly #start: (context: StartContext) => Promise<Running>;
  #current: Started<Running> | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #failedStarts = 0;
  #pause: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** `start` resolves once the process is ready, and rejects with `broken-off` if it ends before that. */
  constructor(start: (context: StartContext) => Promise<Running>) {
    this.#start = start;
  }

  /** True if it runs or is being started. */
  get isStarted(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Returns the running process; starts it if there is none.
   * @throws NotebookError `internal` after several starts that failed, `cancelled` after `dispose`; what the start
   * throws
   */
  run(): Promise<Running> {
    this.#current ??= this.#begin();
    return this.#current.running;
  }

  /**
   * Ends the process and resolves when it has ended; `run` starts another one. With `only`, a result of `run`, ends
   * nothing if that process has been replaced.
   */
  async end(only?: Promise<Running>): Promise<void> {
    const current = this.#current;
    if (current !== undefined && (only === undefined || only === current.running)) {
      this.#current = undefined;
      current.controller.abort();
      // A failed start has already ended, and a failed end must not block the next start.
      this.#ending = current.running.then((running) => running.terminate()).catch(() => undefined);
    }
    await this.#ending;
  }

  /** Ends the process for good. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#pause);
    void this.end();
  }

  #begin(): Started<Running> {
    const controller = new AbortController();
    const started = { controller, running: this.#run(controller.signal, () => forget()) };
    const forget = (): void => {
      if (this.#current === started) this.#current = undefined;
    };
    started.running.catch(forget);
    return started;
  }

  async #run(signal: AbortSignal, onExit: () => void): Promise<Running> {
    if (this.#isDisposed) throw new NotebookError('cancelled', t('Stopped.'));
    if (this.#failedStarts >= MAX_FAILED_STARTS) throw failsToStart();
    await this.#ending;
    throwIfEnded(signal);
    try {
      const running = await this.#start({ signal, onExit });
      this.#failedStarts = 0;
      return running;
    } catch (error) {
      if (isInterrupted(error) && !signal.aborted) this.#countFailure();
      throw error;
    }
  }

  #countFailure(): void {
    this.#failedStarts++;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#failedStarts = 0;
    }, START_PAUSE_MS).unref();
  }
}

function throwIfEnded(signal: AbortSignal): void {
  if (signal.aborted)
    throw new NotebookError('broken-off', t('The operation stopped unexpectedly. Try again.'));
}

function failsToStart(): NotebookError {
  return new NotebookError(
    'internal',
    t('A background process of Open Notebook can’t start. Reload the window, or see the log for details.'),
    { action: 'showLog' },
  );
}
