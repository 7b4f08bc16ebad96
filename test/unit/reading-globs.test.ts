import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import ignore from 'ignore';
import { ignoreRule, readGitignore } from '../../src/parsers/gitignore.ts';
import { globMatcher } from '../../src/parsers/globs.ts';
import { rounds } from '../support/test-size.mjs';

const matches = (glob: string, path: string): boolean => globMatcher([glob], 8_000)(path);

describe('a glob', () => {
  const cases = [
    ['*.js', 'a.js .js', 'a.ts a/b.js'],
    ['**/*.js', 'a.js a/b.js a/.b/c.js', 'a.jsx'],
    ['**/out', 'out a/out', 'outer out/a'],
    ['out/**', 'out out/a out/a/b', 'outer a/out'],
    ['a/**/b', 'a/b a/x/b a/x/y/b', 'a/b/c ab'],
    ['**', 'a a/b .a', ''],
    ['a?c', 'abc a.c', 'ac a/c abbc'],
    ['a**c', 'ac abbc', 'ab/bc'],
    ['[a-c]x[!a-c]', 'axd cx-', 'dxd axa'],
    ['[]x]', '] x', 'a'],
    ['{a,b/{c,d}}.ts', 'a.ts b/c.ts b/d.ts', 'b.ts {a,b}.ts'],
    ['{a}', '{a}', 'a'],
    ['{a,b', '{a,b', 'a'],
    ['\\*\\{a,b}', '*{a,b}', 'xa *a'],
    ['a[b', 'a[b', 'ab'],
    ['/docs/*', '/docs/a /docs/a/', '/docs/ /docs/a/b'],
    ['/**/*.html', '/a.html /a/b.html', '/a.htm'],
  ] as const;
  for (const [glob, fitting, others] of cases)
    test(glob, () => {
      for (const path of fitting.split(' ')) assert.ok(matches(glob, path), path);
      for (const path of others.split(' ').filter((one) => one !== '')) assert.ok(!matches(glob, path), path);
    });

  test('is applied up to a maximum number of alternatives', () => {
    const many = globMatcher(['first', 'a'.repeat(90), 'last', 'x'], 10);
    assert.deepEqual(['first', 'a'.repeat(90), 'last', 'x'].map(many), [true, false, true, true]);
    assert.ok(!matches('{a,b}'.repeat(40), 'a'.repeat(40)));
  });
});

/** Yields numbers from 0 to 1, the same in every run. */
function* numbers(): Generator<number, never> {
  for (let seed = 7; ; seed = (seed * 48_271) % 2_147_483_647) yield seed / 2_147_483_647;
}

test('in .gitignore matches as in the library that other tools use', () => {
  const random = numbers();
  const pick = (words: readonly string[]): string =>
    words[Math.floor(random.next().value * words.length)] ?? '';
  const joined = (words: readonly string[], limit: number): string =>
    Array.from({ length: 1 + Math.floor(random.next().value * limit) }, () => pick(words)).join('');
  const parts =
    'a b * ** ? / / [ab] [!a] [^b] [b-a] [[:alpha:]] [[:nothing:]] . ab **/ /** *.a \\a \\* \\  B'.split(' ');
  const lines = (): string =>
    Array.from(
      { length: 3 },
      () => pick(['', '', '', '!', '#', '/']) + joined([...parts, ' ', '\\ '], 5),
    ).join(pick(['\n', '\r\n']));
  const count = { ignored: 0, kept: 0, none: 0 };
  for (let round = 0; round < rounds(5_000, 20_000); round++) {
    const text = lines();
    const path = joined(['a', 'b', 'ab', '/', '.a', 'a.a', '/', 'aa', ' ', '*', 'A'], 6);
    if (/\/\/|^\/|^\s/.test(path)) continue;
    const { ignored, unignored } = ignore().add(text).test(path);
    const expected = ignored ? 'ignored' : unignored ? 'kept' : 'none';
    assert.equal(readGitignore(text)(path), expected, JSON.stringify([text, path]));
    count[expected]++;
  }
  assert.ok(Math.min(...Object.values(count)) > rounds(50, 200), JSON.stringify(count));
});

test('for one path ignores only that path', () => {
  const signs = fc.constantFrom(...'a b * ? [ ] ! # \\ . { } - ^ $ ( ) + ~ \' "'.split(' '), ' ');
  const name = fc.string({ unit: signs, minLength: 1, maxLength: 6 }).filter((one) => !/^\.+$/.test(one));
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(path, path, fc.boolean(), (one, other, isDirectory) => {
      const say = readGitignore(ignoreRule(one, isDirectory));
      const end = isDirectory ? '/' : '';
      assert.equal(say(`${one}${end}`), 'ignored', ignoreRule(one, isDirectory));
      const isBelow = other === one || other.startsWith(`${one}/`);
      if (!isBelow) assert.equal(say(`${other}${end}`), 'none', `${ignoreRule(one, isDirectory)} ${other}`);
      assert.equal(say(`x/${one}${end}`), 'none');
    }),
  );
});
