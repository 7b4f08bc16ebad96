// Builds everything that runs into dist/: the extension, its workers and the webviews' pages.
//   node esbuild.mjs [--watch] [--production]
import { Blob } from 'node:buffer';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

const common = {
  bundle: true,
  sourcemap: !production,
  minify: production,
  legalComments: 'none',
  logLevel: 'warning',
};

const host = {
  ...common,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  external: ['vscode', 'node:sqlite', './languages.cjs'],
  // Node 22 supports \p{…}. esbuild would turn such patterns into calls, and couldn't drop unused language packs.
  supported: { 'regexp-unicode-property-escapes': true },
  // Code that needs import.meta would fail when it runs.
  logOverride: { 'empty-import-meta': 'error' },
  plugins: [{ name: 'shared languages', setup: shareLanguages }],
};

const builds = [
  {
    ...host,
    entryPoints: { extension: 'src/extension.ts' },
    chunkNames: 'extension-[hash]',
    plugins: [...host.plugins, { name: 'chunks of CommonJS', setup: splitCommonJs }],
  },
  { ...host, entryPoints: { languages: 'src/core/language/words/languages.ts' } },
  { ...host, entryPoints: { 'index-worker': 'src/index/worker/index-worker.ts' } },
  { ...host, entryPoints: { 'meaning-worker': 'src/features/semantic-search/service/meaning-worker.ts' } },
  {
    ...host,
    entryPoints: { 'team-worker': 'src/features/team/service/team-worker.ts' },
    // pg takes it where it is installed, which it never is.
    external: [...host.external, 'pg-native'],
    plugins: [...host.plugins, { name: 'SQL of teams', setup: includeSql }],
  },
  { ...host, entryPoints: { 'mcp-server': 'src/features/mcp/service/main.ts' } },
  { ...host, entryPoints: { 'export-worker': 'src/features/export/service/export-worker.ts' } },
  {
    ...host,
    entryPoints: { 'tables-worker': 'src/features/research/service/skills/tables/tables-worker.ts' },
  },
  ...[
    { 'reader-worker': 'src/parsers/reader-worker.ts' },
    { 'recogniser-worker': 'src/parsers/scans/recognizer-worker.ts' },
  ].map((entryPoints) => ({
    ...host,
    entryPoints,
    // pdf.js looks for a canvas only to draw, which it never does here.
    external: [...host.external, '@napi-rs/canvas'],
    plugins: [...host.plugins, { name: 'shared pdf worker', setup: sharePdfWorker }],
    // A CommonJS bundle has no import.meta.url, which pdf.js asks for.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  })),
  {
    ...common,
    platform: 'browser',
    target: 'es2023',
    format: 'esm',
    outdir: 'dist/webview',
    // The pages share most of their libraries.
    splitting: true,
    chunkNames: 'shared-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file', '.woff2': 'file' },
    plugins: [{ name: 'modern fonts', setup: leaveOldFontsOut }],
    entryPoints: {
      chat: 'webview/chat/main.tsx',
      research: 'webview/research/main.tsx',
      pdf: 'webview/pdf/main.ts',
      page: 'webview/page/main.tsx',
      player: 'webview/player/main.tsx',
      maps: 'webview/maps/main.tsx',
      flashcards: 'webview/flashcards/main.tsx',
      tables: 'webview/tables/main.tsx',
      note: 'webview/note/preview.css',
    },
  },
  {
    ...common,
    platform: 'browser',
    target: 'es2023',
    // The preview takes scripts, and no modules.
    format: 'iife',
    outdir: 'dist/webview',
    entryPoints: { 'note-links': 'webview/note/main.ts' },
  },
];

/** What of pdf.js's files nothing ever asks for. */
const unneeded = [
  // WebAssembly is everywhere that VS Code is.
  /nowasm_fallback/,
  // No PDF may name these character maps (ISO 32000, table 118), and no other map builds on them.
  /UTF(8|32)-[HV]\.bcmap$/,
  // Drawing takes the system's fonts for these, reading takes pdf.js's own widths.
  /(Liberation|LIBERATION|FoxitFixed|FoxitSerif)[^/\\]*$/,
];

await rm('dist', { recursive: true, force: true });
// VS Code looks for package.json's words beside it alone.
for (const name of await readdir('media/l10n'))
  if (name.startsWith('package.nls')) await cp(`media/l10n/${name}`, name);
await mkdir('dist/pdfjs', { recursive: true });
const pdfjs = 'node_modules/pdfjs-dist';
for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
  await cp(`${pdfjs}/${folder}`, `dist/pdfjs/${folder}`, {
    recursive: true,
    filter: (source) => !unneeded.some((pattern) => pattern.test(source)),
  });
// Beside those that unpack the images of PDFs.
await cp('node_modules/@jsquash/webp/codec/dec/webp_dec.wasm', 'dist/pdfjs/wasm/webp_dec.wasm');
await mkdir('dist/grammars');
const grammars = 'node_modules/@vscode/tree-sitter-wasm';
for (const name of 'c-sharp cpp go java javascript php python ruby rust tsx typescript'.split(' '))
  await pack(
    await readFile(`${grammars}/wasm/tree-sitter-${name}.wasm`),
    `dist/grammars/tree-sitter-${name}.wasm.br`,
  );
await mkdir('dist/recognition');
const english = 'node_modules/@tesseract.js-data/eng';
await cp(`${english}/4.0.0_best_int/eng.traineddata.gz`, 'dist/recognition/eng.traineddata.gz');
await packDiagrams();
await cp(`${grammars}/wasm/tree-sitter.wasm`, 'dist/grammars/tree-sitter.wasm');
const tesseract = 'node_modules/tesseract.js-core';
await pack(
  await readFile(`${tesseract}/tesseract-core-simd-lstm.wasm`),
  'dist/tesseract-core-simd-lstm.wasm.br',
);
await pack(await readFile('node_modules/@embedpdf/pdfium/dist/pdfium.wasm'), 'dist/pdfium.wasm.br');
await cp(`${pdfjs}/legacy/build/pdf.worker.min.mjs`, 'dist/pdfjs/pdf.worker.min.mjs');

const inputs = new Set();
for (const options of builds) {
  const building = await context({ ...options, metafile: true });
  if (watch) await building.watch();
  else {
    const { metafile } = await building.rebuild();
    for (const input of Object.keys(metafile.inputs)) inputs.add(input);
    await building.dispose();
  }
}
if (!watch) await writeLicenses(inputs);

/**
 * What is imported when it is needed stands in files of its own, so that the extension starts without it. esbuild splits
 * only modules: its files are bundled once more, as CommonJS, which all versions of VS Code load. What the start needs
 * becomes one file then, as each further one costs about a millisecond; the others take from it what they share with it.
 */
function splitCommonJs({ initialOptions, onEnd }) {
  const { target, minify, sourcemap, platform, outdir, outExtension, external } = initialOptions;
  const buildOptions = { bundle: true, target, minify, platform, outdir, outExtension, external };
  Object.assign(initialOptions, { format: 'esm', splitting: true, write: false, metafile: true });
  if (sourcemap) initialOptions.sourcemap = 'inline';
  onEnd(async ({ outputFiles = [], metafile }) => {
    if (metafile === undefined) return;
    const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), plainRequires(text)]));
    const [start, ...shared] = neededAtOnce(metafile.outputs);
    await build({
      ...buildOptions,
      format: 'cjs',
      sourcemap: sourcemap && 'inline',
      supported: { 'dynamic-import': false },
      entryPoints: [...texts.keys()].filter((name) => !shared.includes(name)),
      plugins: [{ name: 'files of the first pass', setup: resolveChunks }],
    });

    function resolveChunks({ onResolve, onLoad }) {
      onResolve({ filter: /^(\.\/)?extension/ }, ({ path, kind, namespace }) => {
        const name = basename(path);
        if (kind === 'entry-point') return { path: name, namespace: name === start ? 'start' : 'later' };
        if (!shared.includes(name)) return { path: `./${name}`, external: true };
        return { path: name, namespace: namespace === 'later' ? 'taken from the start' : 'start' };
      });
      const exported = shared.map((name, i) => `export * as shared${i} from './${name}';`).join('\n');
      onLoad({ filter: /./, namespace: 'start' }, ({ path }) => ({
        contents: path === start ? `${texts.get(path)}\n${exported}` : texts.get(path),
      }));
      onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({ contents: texts.get(path) }));
      onLoad({ filter: /./, namespace: 'taken from the start' }, ({ path }) => ({
        contents: `module.exports = require('./${start}').shared${shared.indexOf(path)};`,
      }));
    }
  });
}

/** The names of the file that is loaded first and of all that it needs at once, itself first. */
function neededAtOnce(outputs) {
  const start = Object.keys(outputs).find((path) => outputs[path].entryPoint === 'src/extension.ts');
  const found = new Set([start]);
  for (const path of found)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) found.add(next);
  return [...found].map((path) => basename(path));
}

/**
 * Takes the modules of Node and VS Code as they are, once. A namespace import would become a copy of all that they
 * export, made anew for each of the some 80 source files that import VS Code's API.
 */
function plainRequires(text) {
  const names = new Map();
  return text.replace(/import\s*\*\s*as\s+([\w$]+)\s+from\s*"([^".][^"]*)";/g, (_, name, module) => {
    const first = names.get(module);
    if (first === undefined) names.set(module, name);
    return `var ${name}=${first ?? `require("${module}")`};`;
  });
}

/** The stemmers and stop words of all languages are in one file, which whatever works on words takes. */
function shareLanguages(build) {
  const shared = resolve('src/core/language/words/languages.ts');
  build.onResolve({ filter: /\/languages\.ts$/ }, ({ kind, path, resolveDir }) =>
    kind === 'entry-point' || resolve(resolveDir, path) !== shared
      ? undefined
      : { path: './languages.cjs', external: true },
  );
}

/** Includes the SQL files of team databases in the bundle. */
function includeSql(build) {
  build.onLoad({ filter: /[\\/]sql[\\/]read-sql\.ts$/ }, async ({ path }) => {
    const names = (await readdir(dirname(path))).filter((name) => name.endsWith('.sql')).sort();
    const files = names.map(async (name) => [name, await readFile(join(dirname(path), name), 'utf8')]);
    const contents = `export const readSql = () => ${JSON.stringify(await Promise.all(files))};`;
    return { contents, watchFiles: names.map((name) => join(dirname(path), name)) };
  });
}

/** The reader takes the viewer's copy of the largest part of pdf.js. */
function sharePdfWorker(build) {
  build.onResolve({ filter: /\/pdf\.worker\.mjs$/ }, () => ({
    path: './pdfjs/pdf.worker.min.mjs',
    external: true,
  }));
}

/** KaTeX names every font in three formats; all that VS Code runs on takes the smallest. */
function leaveOldFontsOut(build) {
  build.onLoad({ filter: /katex(\.min)?\.css$/ }, async ({ path }) => {
    const css = await readFile(path, 'utf8');
    return { contents: css.replace(/,url\([^)]*\) format\("(woff|truetype)"\)/g, ''), loader: 'css' };
  });
}

/** Packs the program that draws diagrams: a library that is a script as it stands, and what uses it. */
async function packDiagrams() {
  const { outputFiles } = await build({
    ...common,
    sourcemap: false,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    entryPoints: ['webview/diagram/main.ts'],
    write: false,
  });
  const library = await readFile('node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js');
  const bytes = new Blob([library, ...outputFiles.map(({ contents }) => contents)]);
  await pack(await bytes.bytes(), 'dist/diagrams.js.br');
}

/** Compresses better than the package does itself: a quarter less for grammars. */
async function pack(bytes, to) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
  await writeFile(to, await promisify(brotliCompress)(bytes, { params }));
}

/**
 * Writes the licenses of all packages in the bundles to one file, because they require it. `media/licenses` has the texts
 * that a package doesn't ship: its own, and those of code inside it.
 */
async function writeLicenses(files) {
  const folders = new Set([pdfjs, grammars, tesseract, english, 'node_modules/@mermaid-js/tiny']);
  for (const file of files) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const existing = await readdir('media/licenses');
  const texts = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    const own = (await readdir(folder)).filter((entry) => /^licen[cs]e/i.test(entry));
    const more = existing.filter((entry) => entry === `${name.replace('/', '+')}.txt`);
    const licenseFiles = [
      ...own.map((file) => `${folder}/${file}`),
      ...more.map((file) => `media/licenses/${file}`),
    ];
    if (licenseFiles.length === 0)
      throw new Error(
        `${name} ships no license text. Copy it from the package's repository to media/licenses.`,
      );
    const read = await Promise.all(licenseFiles.map((file) => readFile(file, 'utf8')));
    texts.push(`${name} ${version} (${license})\n\n${read.map((text) => text.trim()).join('\n\n')}\n`);
  }
  await writeFile('dist/third-party-licenses.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}
