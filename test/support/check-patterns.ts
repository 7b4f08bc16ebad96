import assert from 'node:assert/strict';
import { root } from './paths.mjs';
import { generatePatterns } from './generate-patterns.ts';
import { patternExceptions } from './pattern-exceptions.ts';
import { findPatterns, type Pattern } from './patterns.ts';
import { findUnknown, slowPatterns } from './slow-patterns.ts';

/** Returns every pattern of the shipped code, and examples of those that `new RegExp` creates at run time. */
export function shippedPatterns(): readonly Pattern[] {
  const { patterns, generated } = findPatterns(root, ['src', 'webview']);
  const examples = generated.flatMap(({ file, line, written }) => {
    const listed = generatePatterns[file]?.find(([start]) => written.startsWith(start));
    assert.ok(
      listed,
      `${file}:${String(line)}: what ${written.slice(0, 80)} makes is not known; list it in test/support/generate-patterns.ts`,
    );
    const [, ...regexes] = listed;
    return regexes.map(({ source, flags }) => ({ file, line, source, flags }));
  });
  return [...patterns, ...examples];
}

/** Fails if no search for attacks on a pattern is saved. A search takes up to half a minute. */
export function checkSearches(patterns: readonly Pattern[]): void {
  assert.deepEqual(
    findUnknown(patterns).map(({ file, line, source }) => `${file}:${String(line)} /${source}/`),
    [],
    'new patterns; search for attacks on them with: node test/support/write-known-attacks.ts',
  );
}

/** Fails if a pattern needs more than linear time and isn't an exception, or if an exception isn't needed. */
export async function checkPatterns(patterns: readonly Pattern[]): Promise<void> {
  for (const { file, words } of patternExceptions) {
    const count = patterns.filter(
      (pattern) => pattern.file === file && pattern.source.includes(words),
    ).length;
    assert.equal(count, 1, `${file} has ${String(count)} patterns with ${words}, and one is an exception`);
  }
  const isException = ({ file, source }: Pattern): boolean =>
    patternExceptions.some((exception) => exception.file === file && source.includes(exception.words));
  const slow = await slowPatterns(patterns.filter((pattern) => !isException(pattern)));
  const slowLines = slow.map(
    ({ file, line, part, attack }) => `${file}:${String(line)} /${part}/ by ${attack}`,
  );
  assert.deepEqual(slowLines, [], 'patterns that take more than linear time');
}
