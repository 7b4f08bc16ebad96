import {
  AbstractMessageReader,
  AbstractMessageWriter,
  CancellationTokenSource,
  ConnectionError,
  ConnectionErrors,
  createMessageConnection,
  ProgressType,
  ResponseError,
  type CancellationToken,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc';
import { t } from '@vscode/l10n';
import { reportFailedNotification } from './failed-notifications.ts';
import { NotebookError, type ErrorAction, type ErrorCode } from '../domain/errors.ts';

/** Reports progress. */
export type Report<P> = (progress: P) => void;

/** Procedure of one side: plain data as input, output, and progress. */
type Procedure = (params: never, report: never) => unknown;

/** The procedures of one side, by name. */
export type Api<A> = { readonly [M in keyof A]: Procedure };

/** Parameters of a procedure; an empty object if it has none. */
export type Params<F extends Procedure> =
  Parameters<F> extends readonly [infer P, ...unknown[]] ? P : Record<string, never>;

/** Side without procedures. */
export type NoParameters = Readonly<Record<string, never>>;

/** One end of a message channel: a worker's port or a webview. Both ends pass structured-cloneable data in order. */
export interface Port {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

export interface CallOptions<P> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: P) => void) | undefined;
}

/** Second argument of a handler. */
export interface CallContext<P> {
  readonly signal: AbortSignal;
  readonly report: Report<P>;
}

/** Type of the progress that a procedure reports. */
export type ProgressOf<F extends Procedure> = F extends (params: never, report: infer R) => unknown
  ? R extends Report<infer P>
    ? P
    : never
  : never;

export type Handlers<A extends Api<A>> = {
  readonly [M in keyof A]: (
    params: Params<A[M]>,
    context: CallContext<ProgressOf<A[M]>>,
  ) => PromiseLike<ReturnType<A[M]>> | ReturnType<A[M]>;
};

/** Client for the other side's procedures. */
export interface Client<A extends Api<A>> {
  /**
   * Rejects with the other side's `NotebookError`, with `cancelled` when the signal aborts, and when the other side
   * goes away.
   */
  call<M extends keyof A & string>(
    method: M,
    params: Params<A[M]>,
    options?: CallOptions<ProgressOf<A[M]>>,
  ): Promise<ReturnType<A[M]>>;
  /** Calls a procedure without waiting for its result. */
  notify<M extends keyof A & string>(method: M, params: Params<A[M]>): void;
}

export interface Channel<Remote extends Api<Remote>> {
  readonly remote: Client<Remote>;
  /** Rejects every pending call and stops listening. */
  dispose(): void;
}

interface Envelope<P = unknown> {
  readonly params: P;
  readonly progressToken: number | undefined;
}

/** Wrapped result of a call, since JSON-RPC turns an undefined result into null. */
interface Reply<R> {
  readonly result: R;
}

interface ErrorData {
  readonly code: ErrorCode;
  readonly action: ErrorAction | undefined;
}

class PortReader extends AbstractMessageReader {
  readonly #port: Port;

  constructor(port: Port) {
    super();
    this.#port = port;
  }

  listen(callback: (message: Message) => void): { dispose(): void } {
    let listening = true;
    this.#port.onMessage((message) => {
      if (listening && isMessage(message)) callback(message);
    });
    this.#port.onClose(() => {
      if (listening) this.fireClose();
    });
    return {
      dispose: () => {
        listening = false;
      },
    };
  }
}

class PortWriter extends AbstractMessageWriter {
  readonly #port: Port;

  constructor(port: Port) {
    super();
    this.#port = port;
  }

  write(message: Message): Promise<void> {
    this.#port.postMessage(message);
    return Promise.resolve();
  }

  end(): void {
    // The port's owner closes it.
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

/**
 * Connects two sides that can each call the other, by JSON-RPC 2.0 over a message port. The caller must have loaded
 * `vscode-jsonrpc/node` or `vscode-jsonrpc/browser` before.
 */
export function connect<Local extends Api<Local>, Remote extends Api<Remote>>(
  port: Port,
  handlers: Handlers<Local>,
): Channel<Remote> {
  const connection = createMessageConnection(new PortReader(port), new PortWriter(port));
  for (const method in handlers) {
    const handler = handlers[method];
    connection.onRequest(
      method,
      async (envelope: Envelope<Params<Local[typeof method]>>, token: CancellationToken) => {
        // A token canceled before the request started doesn't fire its event.
        if (token.isCancellationRequested) throw toResponseError(stoppedError());
        const controller = new AbortController();
        token.onCancellationRequested(() => {
          controller.abort();
        });
        const report = (progress: unknown): void => {
          if (envelope.progressToken === undefined || controller.signal.aborted) return;
          void connection.sendProgress(new ProgressType<unknown>(), envelope.progressToken, progress);
        };
        try {
          const result = await handler(envelope.params, { signal: controller.signal, report });
          return { result } satisfies Reply<unknown>;
        } catch (error) {
          throw toResponseError(error);
        }
      },
    );
    connection.onNotification(method, (envelope: Envelope<Params<Local[typeof method]>>) => {
      const context = { signal: new AbortController().signal, report: () => undefined };
      Promise.resolve()
        .then(() => handler(envelope.params, context))
        .catch((error: unknown) => {
          reportFailedNotification(method, error);
        });
    });
  }
  connection.onClose(() => {
    connection.dispose();
  });
  connection.listen();
  return {
    remote: createClient<Remote>(connection),
    dispose: () => connection.dispose(),
  };
}

function stoppedError(): NotebookError {
  return new NotebookError('cancelled', t('Stopped.'));
}

function createClient<A extends Api<A>>(connection: MessageConnection): Client<A> {
  let nextToken = 1;
  return {
    async call(method, params, options) {
      if (options?.signal?.aborted) throw stoppedError();
      const source = new CancellationTokenSource();
      const abort = (): void => source.cancel();
      options?.signal?.addEventListener('abort', abort, { once: true });
      const { onProgress } = options ?? {};
      const progressToken = onProgress === undefined ? undefined : nextToken++;
      const progress =
        onProgress === undefined || progressToken === undefined
          ? undefined
          : connection.onProgress(
              new ProgressType<Parameters<typeof onProgress>[0]>(),
              progressToken,
              onProgress,
            );
      const envelope: Envelope = { params, progressToken };
      try {
        const { result } = await connection.sendRequest<Reply<ReturnType<A[typeof method]>>>(
          method,
          envelope,
          source.token,
        );
        return result;
      } catch (error) {
        throw fromResponseError(error);
      } finally {
        progress?.dispose();
        options?.signal?.removeEventListener('abort', abort);
        source.dispose();
      }
    },
    notify(method, params) {
      const envelope: Envelope = { params, progressToken: undefined };
      connection.sendNotification(method, envelope).catch(() => {
        // The other side is gone, so the message has no recipient.
      });
    },
  };
}

function toResponseError(error: unknown): ResponseError<ErrorData> {
  if (error instanceof NotebookError) {
    return new ResponseError(0, error.message, { code: error.code, action: error.action });
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new ResponseError(0, t('Stopped.'), { code: 'cancelled', action: undefined });
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new ResponseError(0, message, { code: 'internal', action: 'showLog' });
}

function fromResponseError(error: unknown): unknown {
  if (error instanceof ResponseError && isErrorData(error.data)) {
    return new NotebookError(error.data.code, error.message, {
      ...(error.data.action && { action: error.data.action }),
      cause: error,
    });
  }
  const closed =
    (error instanceof ConnectionError &&
      (error.code === ConnectionErrors.Closed || error.code === ConnectionErrors.Disposed)) ||
    (error instanceof ResponseError && /disposed|closed/i.test(error.message));
  if (closed)
    return new NotebookError('broken-off', t('The operation stopped unexpectedly. Try again.'), {
      action: 'tryAgain',
      cause: error,
    });
  return error;
}

function isErrorData(data: unknown): data is ErrorData {
  return typeof data === 'object' && data !== null && 'code' in data;
}
