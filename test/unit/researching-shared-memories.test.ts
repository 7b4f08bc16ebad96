import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NOTHING_SPENT, type ResearchMemory } from '../../src/features/research/model/project.ts';
import {
  MAX_MEMORY_FILE_LENGTH,
  memoryText,
  MAX_MEMORY_FILES,
} from '../../src/features/research/service/memory/memory-file.ts';
import { memoriesIn, type MemoryFolder } from '../../src/features/research/service/memory/shared-files.ts';
import { planWith, makeStep } from '../support/made-boards.ts';

function memory(goal: string): ResearchMemory {
  return {
    ...{ id: goal, goal, situation: { sources: [], open: [] }, plan: planWith(makeStep('a', ['sources'])) },
    ...{ products: {}, spent: NOTHING_SPENT, keptAt: 1, isShared: false },
  };
}

/** Returns a folder of this machine that records what is read. */
function makeMemoryFolder(
  files: Readonly<Record<string, string>>,
): MemoryFolder & { readonly opened: string[] } {
  const path = mkdtempSync(join(tmpdir(), 'memories-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const opened: string[] = [];
  return {
    opened,
    names: () => Promise.resolve(readdirSync(path).toSorted()),
    size: async (name) => (await stat(join(path, name))).size,
    read: async (name) => {
      opened.push(name);
      return await readFile(join(path, name));
    },
  };
}

test('reads memories from several folders, the first of each name, and reports invalid ones', async () => {
  const here = makeMemoryFolder({
    'birds.json': memoryText(memory('Compare the birds')),
    'broken.json': '{"version": 1',
    'long.json': ' '.repeat(MAX_MEMORY_FILE_LENGTH + 1),
  });
  const there = makeMemoryFolder({
    'birds.json': memoryText(memory('Compare other birds')),
    'fish.json': memoryText(memory('Compare the fish')),
  });
  const missingFolder: MemoryFolder = {
    names: () => Promise.resolve(['gone.json']),
    size: () => Promise.reject(new Error('gone.json is not there.')),
    read: () => Promise.reject(new Error('It is not to be read.')),
  };
  const problems: string[] = [];
  const read = await memoriesIn([here, missingFolder, there], (problem) => problems.push(problem));
  assert.deepEqual(
    read.map(({ id, goal, isShared }) => [id, goal, isShared]),
    [
      ['shared:birds.json', 'Compare the birds', true],
      ['shared:fish.json', 'Compare the fish', true],
    ],
  );
  assert.deepEqual(here.opened, ['birds.json', 'broken.json'], 'a longer file is not even read');
  assert.equal(problems.length, 3);
  assert.match(problems[0] ?? '', /broken\.json isn’t a valid research memory/);
  assert.match(problems[1] ?? '', /long\.json isn’t a valid research memory/);
  assert.equal(problems[2], 'gone.json is not there.');
});

test('reads no more files than the maximum, however many folders there are', async () => {
  let looked = 0;
  const many: MemoryFolder = {
    names: () =>
      Promise.resolve(Array.from({ length: MAX_MEMORY_FILES - 10 }, (_, i) => `${String(i)}.json`)),
    size: () => Promise.resolve(++looked),
    read: () => Promise.resolve(new Uint8Array()),
  };
  assert.deepEqual(await memoriesIn([many, many, many], () => undefined), []);
  assert.equal(looked, MAX_MEMORY_FILES);
});
