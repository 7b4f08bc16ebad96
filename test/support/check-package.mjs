// Checks the packed extension, which OPEN_NOTEBOOK_VSIX names: its files, its size, and the licenses of its contents.
import { listFiles, PackageManager } from '@vscode/vsce';
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { packExtension } from './vsix.mjs';

const MEGABYTE = 1_000_000;
const MAX_PACKAGE_BYTES = 14.1 * MEGABYTE;

const ALLOWED_FILES = [
  /^(package(\.nls(\.zh-cn)?)?\.json|README\.md|CHANGELOG\.md|LICENSE)$/i,
  /^media\/(walkthrough\/)?[\w-]+\.(svg|png)$/,
  /^media\/sample\/[\w ]+\.(md|pdf)$/,
  /^media\/guide\/[\w-]+\.md$/,
  /^media\/skills\/[\w-]+\.md$/,
  /^media\/templates\/[\w-]+\.md$/,
  /^media\/shared-notebook\.schema\.json$/,
  /^media\/l10n\/bundle\.l10n\.zh-cn\.json$/,
  /^dist\/(extension(-[A-Z\d]{8})?|index-worker|languages|meaning-worker|mcp-server|reader-worker|recogniser-worker|tables-worker|team-worker|export-worker)\.cjs$/,
  /^dist\/diagrams\.js\.br$/,
  /^dist\/third-party-licenses\.txt$/,
  /^dist\/webview\/[\w-]+\.(js|css|ttf|woff2)$/,
  /^dist\/pdfjs\/(cmaps|standard_fonts|wasm)\/[\w.-]+$/,
  /^dist\/grammars\/tree-sitter(\.wasm|-[\w-]+\.wasm\.br)$/,
  /^dist\/recognition\/eng\.traineddata\.gz$/,
  /^dist\/(pdfium|tesseract-core-simd-lstm)\.wasm\.br$/,
  /^dist\/pdfjs\/pdf\.worker\.min\.mjs$/,
];

const HORIZONTAL_AND_VERTICAL_MAPS =
  `GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 B5pc HKscs-B5 ETen-B5 ETenms-B5
  CNS-EUC UniCNS-UCS2 UniCNS-UTF16 90ms-RKSJ 90msp-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16
  UniJIS2004-UTF16 KSC-EUC KSCms-UHC KSCms-UHC-HW UniKS-UCS2 UniKS-UTF16`.split(/\s+/);

/** Character maps that a PDF can name (ISO 32000, table 118), and those to Unicode. */
const CHARACTER_MAPS = [
  ...HORIZONTAL_AND_VERTICAL_MAPS.flatMap((name) => [`${name}-H`, `${name}-V`]),
  ...['H', 'V', '83pv-RKSJ-H', '90pv-RKSJ-H', 'KSCpc-EUC-H'],
  ...['Adobe-CNS1-UCS2', 'Adobe-GB1-UCS2', 'Adobe-Japan1-UCS2', 'Adobe-Korea1-UCS2'],
];

/** Authors of the grammars, of the programs that draw diagrams and pages, and of the English model of text recognition. */
const AUTHORS = [
  ...['Max Brunsfeld', 'Ayman Nadeem', 'Rob Rix', 'Maxim Sokolov', 'Josh Vera'],
  ...['Mike Bostock', 'TypeFox', 'Balearica', 'Marti Maria Saguer'],
];

const { size } = statSync(await packExtension());
const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
console.log(`The package has ${(size / MEGABYTE).toFixed(2)} MB and ${String(files.length)} files.`);
assert.ok(size < MAX_PACKAGE_BYTES, 'The package is too large.');
const activation = readFileSync(join(root, 'dist', 'extension.cjs'), 'utf8');
assert.doesNotMatch(
  activation,
  /require\("\.\/languages\.cjs"\)/,
  'Activation loads the words of all languages. Import what needs them dynamically.',
);
assert.doesNotMatch(
  activation,
  /yourselves/,
  'The bundle for activation has stop words. Remove code that runs on import from the language packs.',
);
assert.deepEqual(
  files.filter((file) => !ALLOWED_FILES.some((pattern) => pattern.test(file))),
  [],
  'The package has files that the extension does not need.',
);
assert.deepEqual(
  CHARACTER_MAPS.map((name) => `dist/pdfjs/cmaps/${name}.bcmap`).filter((map) => !files.includes(map)),
  [],
  'The package lacks character maps.',
);

const licenses = readFileSync(join(root, 'dist', 'third-party-licenses.txt'), 'utf8');
for (const license of licenses.split(/\n-{80}\n\n/))
  assert.match(license, /copyright|public domain|apache license/i, license.slice(0, 80));
for (const author of AUTHORS) assert.ok(licenses.includes(author), `No license names ${author}.`);
