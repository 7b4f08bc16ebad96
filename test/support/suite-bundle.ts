import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Bundles test files with Mocha into one CommonJS file whose `run` the extension host calls. */
export async function bundleSuite(files: readonly string[], outfile: string): Promise<void> {
  const runner = join(root, 'test', 'support', 'suite-run.ts');
  const imports = files.map((file) => `  await import(${JSON.stringify(file)});`);
  const entry = [
    `import { runSuite } from ${JSON.stringify(runner)};`,
    'export const run = () => runSuite(async () => {',
    ...imports,
    '});',
  ];
  await build({
    stdin: { contents: entry.join('\n'), resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'node:sqlite'],
    sourcemap: 'inline',
    logLevel: 'error',
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
}
