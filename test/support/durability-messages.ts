import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';

/** Returns the parameters of the script, and saves its compiled modules, because a killed process saves none. */
export function parametersGiven(): unknown {
  flushCompileCache();
  return JSON.parse(process.argv[2] ?? 'null');
}

/** Sends a message to the test synchronously, so that it arrives even if the process is killed right after. */
export function sendMessage(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

/** Ends the process when the test that started it has ended. */
export function endWithParent(): void {
  process.stdin.on('end', () => process.exit(1)).resume();
}
