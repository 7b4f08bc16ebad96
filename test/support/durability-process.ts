import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A script of this folder in a separate process that reports its actions as one JSON value per line. */
export interface Running {
  /** Reports in order. They end with the process. */
  readonly messages: AsyncIterableIterator<unknown>;
  readonly say: (line: string) => void;
  readonly kill: () => void;
  /** Exit code, undefined if the process was killed, and its error output. */
  readonly ended: Promise<{ readonly code: number | undefined; readonly complaint: string }>;
}

/** Starts a script, which must end with its input, so that it never outlives the test. */
export function runScript(name: string, parameters: unknown, flags: readonly string[] = []): Running {
  const script = join(import.meta.dirname, name);
  const child = spawn(process.execPath, [...flags, script, JSON.stringify(parameters)], {
    cwd: dirname(script),
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'notebook-compiled'), ...process.env },
  });
  let complaint = '';
  child.stderr.on('data', (bytes: Buffer) => (complaint += bytes.toString()));
  // The process may have been killed before it reads.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<{ code: number | undefined; complaint: string }>((resolve) => {
    child.on('close', (code) => {
      resolve({ code: code ?? undefined, complaint });
    });
  });
  async function* readMessages(): AsyncIterableIterator<unknown> {
    for await (const line of createInterface({ input: child.stdout })) {
      // The last line of a killed process may be truncated.
      if (line.endsWith('}')) yield JSON.parse(line);
    }
  }
  return {
    messages: readMessages(),
    say: (line) => child.stdin.write(`${line}\n`),
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}
