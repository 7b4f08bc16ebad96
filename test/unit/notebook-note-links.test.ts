import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { noteLinks, noteTags, withLinksTo, withoutNoteLinks } from '../../src/core/domain/note-links.ts';
import { assertLinear } from '../support/growth.ts';

test('finds links by title with heading and label, but not in code', () => {
  const text =
    'See [[Garden]], [[ Garden#Compost | how ]] and `[[code]]`, [[]] [[a|b]].\n```\n[[fenced]]\n```\n[[last]]';
  assert.deepEqual(
    noteLinks(text).map(({ title, heading, label }) => [title, heading, label]),
    [
      ['Garden', undefined, undefined],
      ['Garden', 'Compost ', ' how '],
      ['a', undefined, 'b'],
      ['last', undefined, undefined],
    ],
  );
  assert.equal(withoutNoteLinks('So [[Garden]] and [[Garden#Compost|turning]].'), 'So Garden and turning.');
});

test('finds tags, but no headings, numbers, addresses, or code', () => {
  const text =
    '# Heading\n#garden and (#garden/herbs) but issue #12, a#b, https://x.org/#part, `#code`.\n#écoute-moi- #日本';
  assert.deepEqual(
    noteTags(text).map(({ name }) => name),
    ['garden', 'garden/herbs', 'écoute-moi', '日本'],
  );
});

test('updates links to a changed title, and nothing else in a note', () => {
  const text = 'To [[garden]] and [[Garden#Compost|how]], not [[Gardens]] nor `[[Garden]]`.';
  assert.equal(
    withLinksTo(text, 'Garden', 'The yard'),
    'To [[The yard]] and [[The yard#Compost|how]], not [[Gardens]] nor `[[Garden]]`.',
  );
  const part = fc.constantFrom('[[', ']]', '[', ']', '|', '#', 'a', ' ', '\n', '`', '```');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const any = parts.join('');
      for (const { start, end, titleStart, titleEnd, title } of noteLinks(any)) {
        assert.equal(any.slice(titleStart, titleEnd), title);
        assert.ok(any.slice(start, end).startsWith('[[') && any.slice(start, end).endsWith(']]'));
      }
      for (const { start, end, name } of noteTags(any))
        assert.ok(any.slice(start, end).startsWith(`#${name}`));
      assert.equal(withLinksTo(any, 'a', 'a'), any);
    }),
  );
  for (const part of ['[[a', '[[', '#a', '`', '|', '#'])
    assertLinear((size) => [noteLinks(part.repeat(size)), noteTags(part.repeat(size))], 2_000);
});
