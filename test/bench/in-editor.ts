import { join } from 'node:path';
import { runInExtensionHost } from '../support/extension-host.ts';
import { packExtension } from '../support/vsix.mjs';
import type { EditorFigures, RereadingFigures } from './in-editor.suite.ts';
import { printTable } from './table.ts';

/** Name that the suite uses, which runs in the extension host and can't be imported here. */
const rereading = 'rereading';

/** Measures everyday use of a notebook in the extension host of a real VS Code with the packed extension. */
export async function measureInEditor(): Promise<void> {
  const { failed, tests, notes } = await runInExtensionHost({
    files: [join(import.meta.dirname, 'in-editor.suite.ts')],
    vsix: await packExtension(),
    timeout: 20 * 60_000,
  });
  if (failed > 0) throw new Error(tests.map(({ error }) => error ?? '').join('\n'));
  const { [rereading]: folder, ...sizes } = notes;
  const rows = Object.entries(sizes).map(([name, noted]) => {
    const figures = noted as EditorFigures;
    return [
      name,
      figures.addedPerSecond.toFixed(0),
      figures.stalls.map((stall) => stall.toFixed(1)).join(' / '),
      figures.idleStalls.map((stall) => stall.toFixed(1)).join(' / '),
      figures.megabytes.toFixed(0),
      figures.firstQuote.map((time) => time.toFixed(0)).join(' / '),
      (figures.snapshotBytes / 2 ** 20).toFixed(1),
      (figures.databaseBytes / 2 ** 20).toFixed(1),
      figures.reopen.toFixed(0),
    ];
  });
  console.log('In the extension host: milliseconds; stalls of its main thread while adding, and while idle');
  printTable(
    [
      'passages',
      'added/s',
      'stall p99 / max',
      'idle p99 / max',
      'MB',
      'question to first quote p50 / p95',
      'snapshot MB',
      'database MB',
      'reopen to first answer',
    ],
    rows,
  );
  const { files, first, changed, again } = folder as RereadingFigures;
  console.log(
    `A folder of ${files.toLocaleString('en')} files: read in ${first.toFixed(0)} ms; again, with ${String(changed)} of them changed, in ${again.toFixed(0)} ms`,
  );
}
