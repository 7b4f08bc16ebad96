// Gives the channel its timers and streams of Node.
import 'vscode-jsonrpc/node';
import type { ChildProcess } from 'node:child_process';
import { parentPort, type Worker } from 'node:worker_threads';
import type { Port } from './rpc.ts';

/** The port on which a worker hears the thread that started it. @throws Error outside a worker. */
export function portOfParent(): Port {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker.');
  return {
    postMessage: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
  };
}

/** The port on which a worker is heard by the thread that started it; it closes when the worker ends, for whatever reason. */
export function portOfWorker(worker: Worker): Port {
  return {
    postMessage: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    onClose: (listener) => worker.on('exit', listener),
  };
}

/** The port on which a process hears the one that forked it. @throws Error in any other process. */
export function portOfParentProcess(): Port {
  if (process.send === undefined) throw new Error('This file runs as a process of its own.');
  return {
    postMessage: (message) => process.send?.(message, undefined, undefined, goneAlready),
    onMessage: (listener) => {
      process.on('message', listener);
      // The first message says that this process listens.
      process.send?.({ ready: true }, undefined, undefined, goneAlready);
    },
    onClose: (listener) => process.on('disconnect', listener),
  };
}

/** The port on which a forked process is heard; it closes when the process has ended and all it said is known. */
export function portOfProcess(child: ChildProcess): Port {
  return {
    postMessage: (message) => child.send(message as object, goneAlready),
    onMessage: (listener) => child.on('message', listener),
    onClose: (listener) => child.on('close', listener),
  };
}

/** That the other side is gone is told by its end. */
function goneAlready(): void {
  // Without it the failure would be thrown.
}
