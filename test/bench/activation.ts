import { join } from 'node:path';
import { runInExtensionHost } from '../support/extension-host.ts';
import { packExtension } from '../support/vsix.mjs';
import type { ActivationFigures } from './activation.suite.ts';
import type { MemoryFigures } from './memory.suite.ts';
import { printTable } from './table.ts';

const windows = 5;

/**
 * Measures the extension's cost before it is used, in the extension host of a real VS Code with the packed extension.
 */
export async function measureActivation(): Promise<void> {
  const vsix = await packExtension();
  const activations: ActivationFigures[] = [];
  for (let i = 0; i < windows; i++)
    activations.push((await noted('activation.suite.ts', vsix)).activation as ActivationFigures);
  const best = (figure: keyof ActivationFigures): number =>
    Math.min(...activations.map((figures) => figures[figure]));
  const memory = (await noted('memory.suite.ts', vsix)).memory as MemoryFigures;

  console.log(
    `Before the first use, in the extension host, in milliseconds: the best of ${String(windows)} windows`,
  );
  printTable(
    ['loading', 'an empty extension', 'ratio', 'activation', 'of it its own work', 'bytes loaded', 'files'],
    [
      [
        best('loading').toFixed(1),
        best('loadingEmpty').toFixed(2),
        (best('loading') / best('loadingEmpty')).toFixed(0),
        best('activating').toFixed(1),
        best('activatingItself').toFixed(1),
        best('bytesLoaded').toLocaleString('en'),
        String(best('filesLoaded')),
      ],
    ],
  );
  console.log(
    `A notebook of ${memory.passages.toLocaleString('en')} passages: ${memory.listed.toFixed(0)} MB with its sources listed, ${memory.asked.toFixed(0)} MB after its first question`,
  );
}

async function noted(suite: string, vsix: string): Promise<Readonly<Record<string, unknown>>> {
  const { failed, tests, notes } = await runInExtensionHost({
    files: [join(import.meta.dirname, suite)],
    vsix,
  });
  if (failed > 0) throw new Error(tests.map(({ error }) => error ?? '').join('\n'));
  return notes;
}
