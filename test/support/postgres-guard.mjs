// Ends a PostgreSQL server and removes its folder after the process that started the server has ended in any way.
//   node postgres-guard.mjs FOLDER
// Each line of the standard input is the number of the server's process, or 0 if the server has stopped. The input closes
// when the process that started the server ends.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder = ''] = process.argv.slice(2);
let pid = 0;
for await (const line of createInterface(process.stdin)) pid = Number(line);
if (pid > 0) {
  // Ends the sessions, too.
  signal('SIGINT');
  while (signal(0)) await sleep(50);
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/**
 * Sends a signal to the server, and reports whether the server runs.
 * @param {NodeJS.Signals | 0} name
 */
function signal(name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
