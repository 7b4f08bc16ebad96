import { Worker } from 'node:worker_threads';
import { portOfWorker } from './node-port.ts';
import { connect, type Api, type Client, type Handlers } from './rpc.ts';
import { translationForWorker } from './translation.ts';

export interface RunningWorker<Remote extends Api<Remote>> {
  readonly client: Client<Remote>;
  terminate(): Promise<void>;
}

/**
 * Starts a worker and connects to it. When it ends, pending calls are rejected and `onExit` is called, with the error
 * if it crashed.
 */
export function startWorker<Local extends Api<Local>, Remote extends Api<Remote>>(
  path: string,
  handlers: Handlers<Local>,
  options: { readonly heapMegabytes: number; readonly onExit: (error: unknown) => void },
): RunningWorker<Remote> {
  const worker = new Worker(path, {
    resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes },
    workerData: translationForWorker(),
  });
  const channel = connect<Local, Remote>(portOfWorker(worker), handlers);
  let failure: unknown;
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    channel.dispose();
    options.onExit(failure);
  });
  return {
    client: channel.remote,
    terminate: async () => {
      await worker.terminate();
    },
  };
}
