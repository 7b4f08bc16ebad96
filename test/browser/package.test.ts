import { listFiles, PackageManager } from '@vscode/vsce';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';
import { packExtension } from '../support/vsix.mjs';
import { expect, test } from './fixtures.ts';

const megabyte = 1_000_000;

const bothDirections =
  `GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 B5pc HKscs-B5 ETen-B5 ETenms-B5
  CNS-EUC UniCNS-UCS2 UniCNS-UTF16 90ms-RKSJ 90msp-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16
  UniJIS2004-UTF16 KSC-EUC KSCms-UHC KSCms-UHC-HW UniKS-UCS2 UniKS-UTF16`.split(/\s+/);

/** The character maps that a PDF may name (ISO 32000, table 118), and those from characters to Unicode. */
const characterMaps = [
  ...bothDirections.flatMap((name) => [`${name}-H`, `${name}-V`]),
  ...['H', 'V', '83pv-RKSJ-H', '90pv-RKSJ-H', 'KSCpc-EUC-H'],
  ...['Adobe-CNS1-UCS2', 'Adobe-GB1-UCS2', 'Adobe-Japan1-UCS2', 'Adobe-Korea1-UCS2'],
];

// oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern even where nothing is needed.
test('the package holds only what runs, and is under 12 MB', async ({}, info) => {
  const vsix = await packExtension();
  const { size } = statSync(vsix);
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  console.log(`The package has ${(size / megabyte).toFixed(2)} MB and ${String(files.length)} files.`);
  info.annotations.push({ type: 'size', description: `${(size / megabyte).toFixed(2)} MB` });
  expect(size).toBeLessThan(12 * megabyte);
  const allowed = [
    /^(package(\.nls(\.zh-cn)?)?\.json|README\.md|CHANGELOG\.md|LICENSE)$/i,
    /^media\/(walkthrough\/)?[\w-]+\.(svg|png)$/,
    /^media\/sample\/[\w ]+\.(md|pdf)$/,
    /^media\/skills\/[\w-]+\.md$/,
    /^media\/templates\/[\w-]+\.md$/,
    /^media\/shared-notebook\.schema\.json$/,
    /^media\/l10n\/bundle\.l10n\.zh-cn\.json$/,
    /^dist\/(extension(-[A-Z\d]{8})?|index-worker|languages|meaning-worker|mcp-server|reader-worker|recogniser-worker|tables-worker|team-worker|export-worker)\.cjs$/,
    /^dist\/diagrams\.js\.br$/,
    /^dist\/third-party-licences\.txt$/,
    /^dist\/webview\/[\w-]+\.(js|css|ttf|woff2)$/,
    /^dist\/pdfjs\/(cmaps|standard_fonts|wasm)\/[\w.-]+$/,
    /^dist\/grammars\/tree-sitter(\.wasm|-[\w-]+\.wasm\.br)$/,
    /^dist\/recognition\/eng\.traineddata\.gz$/,
    /^dist\/tesseract-core-simd-lstm\.wasm\.br$/,
    /^dist\/pdfjs\/pdf\.worker\.min\.mjs$/,
  ];
  expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
  const maps = characterMaps.map((name) => `dist/pdfjs/cmaps/${name}.bcmap`);
  expect(maps.filter((map) => !files.includes(map))).toEqual([]);
});

test('the licences of all that is in the package are passed on, with their authors', () => {
  const licences = readFileSync(join(root, 'dist/third-party-licences.txt'), 'utf8').split(/\n-{80}\n\n/);
  for (const licence of licences)
    expect(licence, licence.slice(0, 80)).toMatch(/copyright|public domain|apache license/i);
  const all = licences.join('\n');
  // Of Tree-sitter's grammars, and of what draws diagrams and knows English letters.
  for (const author of [
    'Max Brunsfeld',
    'Ayman Nadeem',
    'Rob Rix',
    'Maxim Sokolov',
    'Josh Vera',
    'Mike Bostock',
    'TypeFox',
    'Balearica',
  ])
    expect(all).toContain(author);
});
