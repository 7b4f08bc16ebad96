import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLinks } from '../../src/answering/places/quotable-units.ts';

test('links and images are taken out of Markdown, those within others too', () => {
  assert.equal(withoutLinks('a [b](c) d ![e][f] g'), 'a   d   g');
  assert.equal(withoutLinks('[![badge](x)](y) told'), '  told');
  assert.equal(withoutLinks('[a] (b) [c'), '[a] (b) [c');
  assert.equal(withoutLinks('See [ [a](b) [c](d)'), 'See [    ');
});

test('a bracket that is never closed takes no time beyond the length of the text', () => {
  const links = Array.from({ length: 20_000 }, (_, i) => `[p${String(i)}](h)`).join('');
  assert.equal(withoutLinks(`See: [${links}`).trim(), `See: [${' '.repeat(20_000)}`.trim());
});
