// Gives the channel its timers and streams of Node.
import 'vscode-jsonrpc/node';
import type { Worker } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import type { Port } from './rpc.ts';

/** The port on which a worker hears the thread that started it. @throws Error outside a worker. */
export function portOfParent(): Port {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker.');
  return {
    postMessage: (message) => {
      port.postMessage(message);
    },
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
  };
}

/** The port on which a worker is heard by the thread that started it; it closes when the worker ends, for whatever reason. */
export function portOfWorker(worker: Worker): Port {
  return {
    postMessage: (message) => {
      worker.postMessage(message);
    },
    onMessage: (listener) => worker.on('message', listener),
    onClose: (listener) => worker.on('exit', listener),
  };
}
