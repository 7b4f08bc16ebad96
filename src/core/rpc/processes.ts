import { fork } from 'node:child_process';
import { t } from '@vscode/l10n';
import { NotebookError } from '../domain/errors.ts';
import { portOfProcess } from './node-port.ts';
import { MEMORY_SIGN } from './memory-watch.ts';
import { connect, type Api, type Handlers } from './rpc.ts';
import { translationForWorker } from './translation.ts';
import type { RunningWorker } from './workers.ts';

export interface RunningProcess<Remote extends Api<Remote>> extends RunningWorker<Remote> {
  /** Resolves when the process listens; rejects with a NotebookError `broken-off` if it ends before that. */
  readonly ready: Promise<void>;
  /** `true` if it ended because it exceeded its memory limit or the available memory. */
  readonly ranOutOfMemory: boolean;
}

/** Maximum length of a process's last output for the log, in characters. */
const LAST_WORDS = 4_000;

/** Environment variables that would let a debugger or a loader of the parent stop or slow down the process. */
const DROPPED_VARIABLES = ['NODE_OPTIONS', 'NODE_INSPECT_RESUME_ON_START', 'VSCODE_INSPECTOR_OPTIONS'];

/**
 * Starts a process of this program that runs a file, and connects to it. Unlike a thread, it can be ended at any time,
 * and running out of memory affects only itself. When it ends, pending calls are rejected and `onExit` is called, with
 * an error if nobody ended it on purpose. `megabytes` limits its memory of any kind.
 */
export function startProcess<Local extends Api<Local>, Remote extends Api<Remote>>(
  path: string,
  handlers: Handlers<Local>,
  options: {
    readonly megabytes: number;
    /** Variables in addition to the parent's environment. */
    readonly env?: Readonly<Record<string, string>>;
    readonly onExit: (error: unknown) => void;
  },
): RunningProcess<Remote> {
  const env = { ...process.env, ...options.env, ELECTRON_RUN_AS_NODE: '1' };
  for (const name of DROPPED_VARIABLES) Reflect.deleteProperty(env, name);
  const child = fork(path, [String(options.megabytes)], {
    env,
    execPath: process.execPath,
    execArgv: [`--max-old-space-size=${String(options.megabytes)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    lastWords = (lastWords + words).slice(-LAST_WORDS);
  });
  let ranOutOfMemory = false;
  let isEnding = false;
  let failure: unknown;
  child.on('error', (error) => {
    failure = error;
  });
  const ready = Promise.withResolvers<undefined>();
  // Some callers don't await this promise, so its failure must not count as unhandled.
  ready.promise.catch(() => undefined);
  child.once('message', () => ready.resolve(undefined));
  const ended = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      // The system also kills a process if no memory is left.
      ranOutOfMemory =
        !isEnding &&
        (signal === 'SIGKILL' || lastWords.includes(MEMORY_SIGN) || /out of memory/i.test(lastWords));
      if (!isEnding && failure === undefined)
        failure = new Error(`It ended with ${String(signal ?? code)}. ${lastWords}`.trim());
      channel.dispose();
      options.onExit(failure);
      ready.reject(
        new NotebookError('broken-off', t('The operation stopped unexpectedly. Try again.'), {
          action: 'tryAgain',
          cause: failure,
        }),
      );
      resolve();
    });
  });
  portOfProcess(child).postMessage(translationForWorker());
  const channel = connect<Local, Remote>(portOfProcess(child), handlers);
  return {
    client: channel.remote,
    ready: ready.promise,
    get ranOutOfMemory() {
      return ranOutOfMemory;
    },
    terminate: async () => {
      isEnding = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}
