import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLinks } from '../../src/answers/places/quotable-units.ts';

test('removes links and images from Markdown, also nested ones', () => {
  assert.equal(withoutLinks('a [b](c) d ![e][f] g'), 'a   d   g');
  assert.equal(withoutLinks('[![badge](x)](y) told'), '  told');
  assert.equal(withoutLinks('[a] (b) [c'), '[a] (b) [c');
  assert.equal(withoutLinks('See [ [a](b) [c](d)'), 'See [    ');
});

test('handles an unclosed bracket in linear time', () => {
  const links = Array.from({ length: 20_000 }, (_, i) => `[p${String(i)}](h)`).join('');
  assert.equal(withoutLinks(`See: [${links}`).trim(), `See: [${' '.repeat(20_000)}`.trim());
});
