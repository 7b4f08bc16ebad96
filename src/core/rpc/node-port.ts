// Provides Node's timers and streams for the channel.
import 'vscode-jsonrpc/node';
import type { ChildProcess } from 'node:child_process';
import { parentPort, type Worker } from 'node:worker_threads';
import type { Port } from './rpc.ts';

/** Returns a worker's port to the thread that started it. @throws Error outside a worker. */
export function portOfParent(): Port {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker.');
  return {
    postMessage: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
  };
}

/** Returns the port to a worker; it closes when the worker ends, for whatever reason. */
export function portOfWorker(worker: Worker): Port {
  return {
    postMessage: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    onClose: (listener) => worker.on('exit', listener),
  };
}

/** Returns a process's port to the process that forked it. @throws Error in any other process. */
export function portOfParentProcess(): Port {
  if (process.send === undefined) throw new Error('This file runs as a process of its own.');
  return {
    postMessage: (message) => process.send?.(message, undefined, undefined, goneAlready),
    onMessage: (listener) => {
      process.on('message', listener);
      // The first message tells the parent process that this process is ready.
      process.send?.({ ready: true }, undefined, undefined, goneAlready);
    },
    onClose: (listener) => process.on('disconnect', listener),
  };
}

/** Returns the port to a forked process; it closes after the process has ended and all its messages have arrived. */
export function portOfProcess(child: ChildProcess): Port {
  return {
    postMessage: (message) => child.send(message as object, goneAlready),
    onMessage: (listener) => child.on('message', listener),
    onClose: (listener) => child.on('close', listener),
  };
}

/** Ignores a failure to send, since the other side's end is reported separately. */
function goneAlready(): void {
  // Without this callback, the failure would be thrown.
}
