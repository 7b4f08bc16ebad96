import { writeSync } from 'node:fs';

/** What the script was started with. */
export function parametersGiven(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** Tells the test, at once: what was told has left the process even where it is killed right after. */
export function tell(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

/** Ends the process when the test that started it is gone. */
export function endWithParent(): void {
  process.stdin.on('end', () => process.exit(1)).resume();
}
