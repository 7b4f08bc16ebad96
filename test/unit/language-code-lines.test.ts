import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeBlocks } from '../../src/answering/places/code-blocks.ts';
import { BreakRank, findBreaks } from '../../src/indexing/documents/splitter-breaks.ts';
import { closesBlock, continuesStatement, isComment, leadsIn } from '../../src/language/code-lines.ts';
import { indentedOutline } from '../../src/reading/code/indented.ts';

test('recognizes comments, attributes, and block ends in many programming languages', () => {
  for (const line of [
    '// a',
    '  /* a',
    ' * a',
    '# if it rains',
    '-- a',
    ';; a',
    '% a',
    '"""a',
    "'''",
    '<!-- a',
  ])
    assert.ok(isComment(line) && leadsIn(line), line);
  for (const line of ['@test', '  [Fact]', '[[nodiscard]]', '#[derive(Debug)]'])
    assert.ok(leadsIn(line), line);
  for (const line of ['#include <a>', '#ifdef A', '#endif', 'a // b', '[1, 2]', 'a'])
    assert.ok(!leadsIn(line), line);
  for (const line of ['}', '  )', ']);', '>', 'end', 'fi', 'esac'])
    assert.ok(closesBlock(line) && continuesStatement(line), line);
  for (const line of ['else:', '  except A:', 'catch (e) {'])
    assert.ok(!closesBlock(line) && continuesStatement(line), line);
  for (const line of ['ending()', 'final()', 'elsewhere = 1', '(a)'])
    assert.ok(!continuesStatement(line), line);
});

test('uses the same lines to outline, quote, and split code', () => {
  const text = '-- Opens it.\nfunction open()\n  a()\nend\n\n-- Closes it.\nfunction close()\n  b()\nend\n';
  assert.deepEqual(
    indentedOutline(text, 'lua', 9).map(({ offset, title }) => [text.slice(offset, offset + 9), title]),
    [
      ['-- Opens ', 'open'],
      ['-- Closes', 'close'],
    ],
  );
  assert.deepEqual(
    codeBlocks(text).map(({ start, end }) => text.slice(start, end)),
    text.trim().split('\n\n'),
  );
  const { offsets, ranks } = findBreaks(text, 'code');
  assert.equal(ranks[offsets.indexOf(text.indexOf('-- Closes'))], BreakRank.block);
});
