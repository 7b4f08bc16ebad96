import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { root } from '../support/paths.mjs';

/** Returns the lines of TypeScript code in which a rule reports a problem, once for each problem. */
function linesReported(context: TestContext, rule: string, lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
  context.after(() => {
    rmSync(folder, { recursive: true });
  });
  const config = {
    jsPlugins: [join(root, 'test', 'support', 'lint-rules.mjs')],
    categories: { correctness: 'off' },
    rules: { [rule]: 'error' },
  };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'linted.ts'), lines.join('\n'));
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', 'linted.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(stdout, /^\d+ problems?$/m);
  return [...stdout.matchAll(/^linted\.ts:(\d+):/gm)].map(([, line]) => lines[Number(line) - 1] ?? '');
}

test('reports a vague name at each kind of declaration', (context) => {
  const lines = [
    "import { join as taken } from 'node:path';",
    'export const told = 1;',
    'export const { length: asked } = [];',
    'export const [wanted = 3, ...kept] = [1];',
    'export function find(given: string): void {}',
    'export const shift = (told: number) => told;',
    'export type Listener = (asked: string) => [taken: string];',
    'export interface Site { readonly kept: string; asked(): void }',
    'export class Cell { #wanted = 1; get given(): number { return 1; } }',
    'try { shift(1); } catch (told) {}',
  ];
  const twice = lines.filter((line) => /wanted|Listener|Site/.test(line));
  assert.deepEqual(
    linesReported(context, 'notebook/names', lines).toSorted(),
    [...lines, ...twice].toSorted(),
  );
});

test('reports a vague word within a name', (context) => {
  const lines = [
    'export const keptTexts = [];',
    'export const LOG_KEPT = 1;',
    'export type WantedPages = number[];',
    'export interface AskedWords { terms: string[]; }',
    'export function isAsked(): void {}',
    'export class Cell { #isPlaceTold = false; }',
  ];
  assert.deepEqual(
    linesReported(context, 'notebook/names', [...lines, 'export const makeMadeira = 1;']),
    lines,
  );
});

test('accepts vague keys of stored formats', (context) => {
  const lines = [
    "const stored = { asked: 'Why?', given: 1 };",
    'export const { asked: question } = stored;',
    "export interface Person { 'given': string }",
    'export const person: Person = { given: String(stored.given) };',
    'export const told = 1;',
  ];
  assert.deepEqual(linesReported(context, 'notebook/names', lines), lines.slice(-1));
});
