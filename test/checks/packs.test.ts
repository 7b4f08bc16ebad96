import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../support/paths.mjs';

// An expression in a pack that a bundler can't drop, such as a call or a tagged template, adds them.
test('a bundle with the document words of all languages has no stemmers or stop words', async () => {
  const { metafile } = await build({
    entryPoints: [join(root, 'src/core/language/figures.ts')],
    ...{ bundle: true, write: false, metafile: true, format: 'esm', logLevel: 'error' },
    outdir: root,
  });
  const [output] = Object.values(metafile.outputs);
  const included = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  assert.ok(included.some(([file]) => file.endsWith('packs/de.ts')));
  assert.deepEqual(
    included.map(([file]) => file).filter((file) => /node_modules|english-stems/.test(file)),
    [],
  );
});
