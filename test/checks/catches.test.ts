import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../support/paths.mjs';

const CATCH_BLOCK = /\bcatch \{/;
const EMPTY_HANDLER = /\.catch\(\(\) => (?:undefined|\{\})\)/;
const COMMENT = /^\s*\/\/ /;
const LOG = /\blog\.\w+\(/;

describe('Errors that code ignores', () => {
  test('finds a block without a comment', () => {
    const code = ['try {', '  work();', '} catch {', '  return;', '}'];
    assert.deepEqual(findUnexplained(code), [3]);
  });

  test('accepts a block with a comment, or one that logs', () => {
    assert.deepEqual(findUnexplained(['} catch {', '  // The file may be gone.', '}']), []);
    assert.deepEqual(findUnexplained(['} catch {', "  log.trace('Reading the file failed.');", '}']), []);
  });

  test('accepts a comment above the line or the statement of a call', () => {
    const call = ['await work({', '  signal,', '}).catch(() => undefined);'];
    assert.deepEqual(findUnexplained(call), [3]);
    assert.deepEqual(findUnexplained(['// The next call tries again.', ...call]), []);
    const line = 'work().catch(() => undefined);';
    assert.deepEqual(findUnexplained([line]), [1]);
    assert.deepEqual(findUnexplained(['// The next call tries again.', line]), []);
  });

  test('are explained by a comment, or logged', () => {
    const files = globSync('{src,webview}/**/*.{ts,tsx}', { cwd: root });
    const unexplained = files.flatMap((file) =>
      findUnexplained(readFileSync(join(root, file), 'utf8').split('\n')).map(
        (line) => `${file}:${String(line)}`,
      ),
    );
    assert.deepEqual(unexplained, []);
  });
});

/** Returns the numbers of the lines that ignore an error without a comment and without logging it. */
function findUnexplained(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => {
    const isExplained =
      COMMENT.test(line) ||
      (CATCH_BLOCK.test(line)
        ? readBlock(lines, index).some((inner) => COMMENT.test(inner) || LOG.test(inner))
        : !EMPTY_HANDLER.test(line) || hasCommentAbove(lines, index));
    return isExplained ? [] : [index + 1];
  });
}

/** Returns the lines of the block that starts at the end of a line. */
function readBlock(lines: readonly string[], start: number): readonly string[] {
  const indent = indentAt(lines, start);
  const length = lines
    .slice(start + 1)
    .findIndex((_, offset) => indentAt(lines, start + 1 + offset) <= indent);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

/** Reports whether a comment is above a line or, for the end of a statement, above its first line. */
function hasCommentAbove(lines: readonly string[], index: number): boolean {
  if (COMMENT.test(lines[index - 1] ?? '')) return true;
  if (!/^\s*\}/.test(lines[index] ?? '')) return false;
  const indent = indentAt(lines, index);
  const start = lines.slice(0, index).findLastIndex((_, at) => indentAt(lines, at) === indent);
  return COMMENT.test(lines[start - 1] ?? '');
}

function indentAt(lines: readonly string[], index: number): number {
  const line = lines[index] ?? '';
  return line.trim() === '' ? Infinity : line.search(/\S/);
}
