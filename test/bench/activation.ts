import { join } from 'node:path';
import { runInExtensionHost } from '../support/extension-host.ts';
import { packExtension } from '../support/vsix.mjs';
import type { ActivationFigures } from './activation.suite.ts';
import { printTable } from './table.ts';

/** What the extension costs before it is used, in the extension host of a real VS Code with the packed extension. */
export async function measureActivation(): Promise<void> {
  const { failed, tests, notes } = await runInExtensionHost({
    files: [join(import.meta.dirname, 'activation.suite.ts')],
    vsix: await packExtension(),
    timeout: 10 * 60_000,
  });
  if (failed > 0) throw new Error(tests.map(({ error }) => error ?? '').join('\n'));
  const figures = notes.activation as ActivationFigures;
  console.log('Before the first use, in the extension host, in milliseconds: the best of 15 for loading');
  printTable(
    ['loading', 'an empty extension', 'ratio', 'activation', 'of it its own work'],
    [
      [
        figures.loading.toFixed(1),
        figures.loadingEmpty.toFixed(2),
        (figures.loading / figures.loadingEmpty).toFixed(0),
        figures.activating.toFixed(1),
        figures.activatingItself.toFixed(1),
      ],
    ],
  );
  console.log(
    `A notebook of ${figures.passages.toLocaleString('en')} passages: ${figures.listed.toFixed(0)} MB with its sources listed, ${figures.asked.toFixed(0)} MB after its first question`,
  );
}
