import { listFiles, PackageManager } from '@vscode/vsce';
import { statSync } from 'node:fs';
import { root } from '../support/paths.mjs';
import { packExtension } from '../support/vsix.mjs';
import { expect, test } from './fixtures.ts';

const megabyte = 1_000_000;

// eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern even where nothing is needed.
test('the package holds only what runs, and is under 5 MB', async ({}, info) => {
  const vsix = await packExtension();
  const { size } = statSync(vsix);
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  console.log(`The package has ${(size / megabyte).toFixed(2)} MB and ${String(files.length)} files.`);
  info.annotations.push({ type: 'size', description: `${(size / megabyte).toFixed(2)} MB` });
  expect(size).toBeLessThan(5 * megabyte);
  const allowed = [
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/i,
    /^media\/[\w-]+\.(svg|png)$/,
    /^dist\/(extension|index-worker|reader-worker)\.cjs$/,
    /^dist\/third-party-licences\.txt$/,
    /^dist\/webview\/[\w-]+\.(js|css|ttf)$/,
    /^dist\/pdfjs\/(cmaps|standard_fonts|wasm)\/[\w.-]+$/,
    /^dist\/grammars\/tree-sitter(\.wasm|-[\w-]+\.wasm\.br)$/,
    /^dist\/pdfjs\/pdf\.worker\.min\.mjs$/,
  ];
  expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
});
