// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { keepCopy } from '../../src/platform/copy-files.ts';
import { removeUnusedCopies } from '../../src/index/library/unused-copies.ts';
import { runScript } from '../support/durability-process.ts';
import { importOptions, exported } from '../support/exported-notebooks.ts';
import type { Work } from '../support/library-work.ts';
import { close, input, makeFolder, open, passageSettings, openNew } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';
import { TIMEOUT_MS } from '../support/until.ts';

const DOCUMENTS = rounds(150, 400);
const COPIES = rounds(80, 200);
const KILLS = rounds(2, 4);

/** Runs work and kills it at its first progress report. */
async function killed(work: Work): Promise<void> {
  const running = runScript('library-work.ts', work);
  let came = false;
  for await (const message of running.messages)
    if (typeof message === 'object' && message !== null && 'done' in message) {
      came = true;
      break;
    }
  running.kill();
  const { complaint } = await running.ended;
  assert.ok(came, `the work was over before it could be ended ${complaint}`);
}

/** Does some work within a time limit, and resolves to its duration, both in milliseconds. */
async function doneWithin(work: Work, milliseconds: number): Promise<number> {
  const running = runScript('library-work.ts', work);
  await running.messages.next();
  const begun = performance.now();
  const timer = setTimeout(running.kill, milliseconds);
  const { code, complaint } = await running.ended;
  clearTimeout(timer);
  assert.ok(code === undefined || code === 0, complaint);
  return performance.now() - begun;
}

async function bigNotebook(): Promise<{ directory: string; sourceId: string }> {
  const { folder: directory, index } = await openNew();
  const source = await index.addSource('notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (let number = 0; number < DOCUMENTS; number++) {
    const text = `Paragraph ${String(number)} of the manual. `.repeat(20);
    index.store.documents.putDocument(
      source.id,
      input(text, `${String(number)}.txt`),
      () => [],
      passageSettings,
    );
  }
  await close(index);
  return { directory, sourceId: source.id };
}

test('keeps sources whole in one place when a move is killed', async () => {
  const { directory: from, sourceId } = await bigNotebook();
  const to = makeFolder();
  await close(await open(to));
  await killed({ method: 'copySources', params: { from, to, sourceIds: [sourceId], move: true } });
  const [here, there] = [await open(from), await open(to)];
  const counts = [here, there].map((index) => index.store.counts().documents);
  for (const count of counts) assert.ok(count === 0 || count === DOCUMENTS, String(count));
  assert.ok(counts.includes(DOCUMENTS));
  await close(here);
  await close(there);
});

test('leaves no exported file when an export is killed, and succeeds the next time', async () => {
  const { directory: from } = await bigNotebook();
  const folder = makeFolder();
  const path = join(folder, 'a.opennotebook');
  await killed({ method: 'exportNotebook', params: { from, path, name: 'A', roots: [] } });
  assert.equal(existsSync(path), false);
  const to = join(folder, 'Markdown');
  await killed({ method: 'exportMarkdown', params: { from, to, verdictMarks: 'inline' } });
  assert.equal(existsSync(to), false);
  for (const work of [
    { method: 'exportNotebook', params: { from, path, name: 'A', roots: [] } },
    { method: 'exportMarkdown', params: { from, to, verdictMarks: 'inline' } },
  ] as const)
    await doneWithin(work, TIMEOUT_MS);
  assert.deepEqual(readdirSync(folder).toSorted(), ['Markdown', 'a.opennotebook']);
  assert.equal(readdirSync(join(to, 'Sources', 'notes')).length, DOCUMENTS);
});

test('leaves a notebook unchanged when an import into it is killed, and imports all the next time', async () => {
  const { directory } = await bigNotebook();
  const path = await exported(directory);
  const { folder: before, index } = await openNew();
  await index.addSource('Own', { kind: 'text' }, input('Cellars stay cool in summer.'));
  await close(index);
  const merging = (to: string): Work => ({
    method: 'mergeNotebook',
    params: { ...importOptions, path, by: makeFolder(), to },
  });
  const targets = Array.from({ length: rounds(3, 6) }, () => {
    const target = makeFolder();
    cpSync(before, target, { recursive: true });
    return target;
  });
  const [first = '', ...others] = targets;
  const whole = await doneWithin(merging(first), TIMEOUT_MS);
  for (const [number, target] of others.entries())
    await doneWithin(merging(target), (whole * (number + 1)) / targets.length);
  for (const target of targets) {
    const reopened = await open(target);
    const { documents } = reopened.store.counts();
    assert.ok(documents === 1 || documents === DOCUMENTS + 1, String(documents));
    await close(reopened);
    await doneWithin(merging(target), TIMEOUT_MS);
    const after = await open(target);
    assert.deepEqual(after.store.counts().documents, DOCUMENTS + 1);
    await close(after);
  }
});

test('keeps all used copies when a search for unused ones is killed', async () => {
  const root = makeFolder();
  const [notebooks, dropped] = [join(root, 'notebooks'), join(root, 'dropped')];
  const index = await open(join(notebooks, 'one'));
  const used: string[] = [];
  const make = async (): Promise<void> => {
    for (let number = 0; number < COPIES; number++) {
      const hash = number.toString(16).padStart(64, '0');
      // The folder name is the first half of the hash.
      const path = await keepCopy(dropped, {
        hash: hash.slice(32) + hash.slice(32),
        names: ['a.md'],
        bytes: Buffer.from('Words.'),
      });
      utimesSync(join(path, '..'), 0, 0);
      if (number % 2 === 0) used.push(path);
    }
  };
  await make();
  for (const path of used) {
    const { href: uri } = pathToFileURL(path);
    await index.addSource('a.md', { kind: 'file', uri }, { ...input('Words.'), uri });
  }
  await close(index);
  const work: Work = { method: 'removeUnusedCopies', params: { notebooks, copies: [dropped] } };
  const whole = await doneWithin(work, TIMEOUT_MS);
  for (let round = 1; round <= KILLS; round++) {
    await make();
    await doneWithin(work, (whole * round) / (KILLS + 1));
    await removeUnusedCopies({ notebooks, copies: [dropped] });
    for (const path of used) assert.ok(existsSync(path), path);
    // The remains of a killed deletion don't count as copies.
    assert.equal(readdirSync(dropped).filter((name) => !name.endsWith('.removed')).length, COPIES / 2);
  }
});
