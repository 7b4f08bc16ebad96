// Generates src/index/search/vectors/kernel-bytes.ts from kernel.wat: node test/support/make-kernel.mjs
import { Buffer } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { assemble } from './assemble.mjs';

const folder = fileURLToPath(new URL('../../src/index/search/vectors/', import.meta.url));
const bytes = await assemble(await readFile(`${folder}kernel.wat`, 'utf8'));
await writeFile(
  `${folder}kernel-bytes.ts`,
  `/** What kernel.wat assembles to, in base64; made by test/support/make-kernel.mjs. */
export const KERNEL =
  '${Buffer.from(bytes).toString('base64')}';
`,
);
