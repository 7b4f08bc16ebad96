import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  languages,
  placeholders,
  readList,
  readWords,
  wordsOfCode,
  wordsOfManifest,
} from '../support/l10n.mjs';
import { root } from '../support/paths.mjs';

const update =
  'Run `node test/support/l10n.mjs`, then translate what it names in media/l10n/*.zh-cn.json (CONTRIBUTING.md: Languages).';

describe('Strings of the code', () => {
  const { words, problems } = wordsOfCode();

  test('are literals with a placeholder for each value', () => {
    assert.deepEqual(problems, []);
  });

  test('are in media/l10n/bundle.l10n.json', () => {
    assert.deepEqual(readList('bundle.l10n.json'), words, update);
  });

  for (const language of languages)
    test(`are translated to ${language} with the same placeholders`, () => {
      const translated = readList(`bundle.l10n.${language}.json`);
      assert.deepEqual(Object.keys(translated), Object.keys(words), update);
      for (const [english, other] of Object.entries(translated)) {
        assert.notEqual(other.trim(), '', english);
        assert.deepEqual(placeholders(other), placeholders(english), english);
      }
    });
});

describe('Strings of package.json', () => {
  const shown = wordsOfManifest();
  const english = readList('package.nls.json');

  test('are in media/l10n/package.nls.json', () => {
    const bare = shown.filter(([, words]) => !/^%[\w.]+%$/.test(words));
    assert.deepEqual(bare, [], 'Write %keys% here and the strings in media/l10n/package.nls.json.');
    const keys = new Set(shown.map(([, words]) => words.slice(1, -1)));
    assert.deepEqual(
      [...keys].filter((key) => english[key] === undefined),
      [],
      'These keys have no string.',
    );
    assert.deepEqual(
      Object.keys(english).filter((key) => !keys.has(key)),
      [],
      update,
    );
  });

  for (const language of languages)
    test(`are translated to ${language} with the same links and code`, () => {
      const translated = readList(`package.nls.${language}.json`);
      assert.deepEqual(Object.keys(translated), Object.keys(english), update);
      for (const [key, words] of Object.entries(english))
        assert.deepEqual(fixedParts(translated[key] ?? ''), fixedParts(words), key);
    });

  test('package.json names the folder of the translations', () => {
    const { l10n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { l10n: unknown };
    assert.equal(l10n, './media/l10n');
  });
});

test('reports calls that can’t be translated', () => {
  const strings = new Set<string>();
  const code = `
    const early = t('Too early');
    function say(count: number, name: string) {
      t(count === 1 ? 'one' : 'many');
      t('{0} of {1}', count);
      return t('{0} by {1}', count, name) + vscode.l10n.t('Plain');
    }`;
  const problems = readWords('some.ts', code, strings);
  assert.deepEqual([...strings].sort(), ['Plain', '{0} by {1}']);
  assert.deepEqual(
    problems.map((problem) => problem.replace(/: .*/, '')),
    ['some.ts:2', 'some.ts:4', 'some.ts:5'],
  );
});

/** Links to commands, names of settings and code, which no language changes. */
function fixedParts(words: string): string[] {
  return [...words.matchAll(/\(command:[^)]+\)|`[^`]+`|#[\w.]+#|\$\([\w-]+\)/g)].map(([part]) => part).sort();
}
