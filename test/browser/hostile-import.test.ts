import { gzipSync } from 'node:zlib';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { answered, readySource } from './notebook.ts';

const words = (about: string): string =>
  `# Guide\n\nThe ${about} is painted green every spring before the boats come.\n`;

/** A notebook as one that means harm would write it: harmless titles and texts, for paths that are none of its business. */
function crafted(paths: readonly string[]): Uint8Array {
  const sources = paths.flatMap((path, number) => {
    const text = words(`harmless gate ${String(number)}`);
    const id = `source-${String(number)}`;
    const at = Date.now();
    return [
      {
        type: 'source',
        id,
        title: `Guide ${String(number)}`,
        addedAt: at,
        readAt: at,
        origin: { kind: 'file', path },
        skipped: { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 },
      },
      {
        type: 'document',
        id: number + 1,
        key: '',
        title: 'Guide',
        url: '',
        mediaType: 'text/markdown',
        readAt: at,
        warnings: [],
        format: 'markdown',
        hash: 'x',
        size: 1,
        modifiedAt: 1,
        headings: [],
        text,
        map: { kind: 'saved' },
      },
    ];
  });
  const head = { type: 'head', format: 'open-notebook', version: 1, name: 'Guides', exportedAt: 1 };
  const lines = [head, ...sources];
  const end = { type: 'end', count: lines.length };
  return gzipSync([...lines, end].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const paths = ['docs/harbour.md', '.env', '.git/config', 'docs/out.md', 'docs/quay.md', '../outside.md'];

test.use({
  files: {
    '.gitignore': '.env\n',
    '.env': words('secret swordfish'),
    'docs/harbour.md': words('real harbour'),
    'docs/quay.md': words('real quay'),
    'guides.opennotebook': crafted(paths),
  },
});

test('an import lists what it would read from the workspace, and reads nothing that was not ticked', async ({
  workbench,
  workspace,
}) => {
  workspace.write('.git/config', words('hidden swordfish'));
  writeFileSync(join(workspace.folder, '..', 'outside.md'), words('outer swordfish'));
  symlinkSync('../../outside.md', workspace.path('docs/out.md'));
  await workbench.explorerMenu('guides.opennotebook', 'Import Notebook…');
  await workbench.pick('New Notebook…');
  await expect(workbench.quickInput).toContainText('Every window can open a notebook by its name');
  await workbench.fill('Guides');
  const rows = workbench.quickInput.locator('.monaco-list-row');
  await expect(workbench.quickInput.getByPlaceholder('Tick what to read')).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('docs/harbour.md');
  await expect(rows.first()).toContainText('Guide 0');
  await expect(workbench.quickInput.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await workbench.screenshot('import-question');
  await workbench.pickSeveral(['docs/quay.md']);
  await expect(workbench.statusBarItem('Guides')).toBeVisible();
  for (const number of paths.keys()) await readySource(workbench, `Guide ${String(number)}`);
  const real = await answered(workbench, 'What is painted: the real quay?');
  await expect(real.locator('figure').first()).toContainText('real quay');
  const asked = await answered(workbench, 'Is the swordfish painted green, or the real harbour?');
  await expect(asked).not.toContainText(/swordfish is|real harbour is/);
});
