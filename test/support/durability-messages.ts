import { writeSync } from 'node:fs';

/** Returns the parameters of the script. */
export function parametersGiven(): unknown {
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
