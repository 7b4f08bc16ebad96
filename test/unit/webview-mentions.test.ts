import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MentionableSource } from '../../src/features/chat/protocol.ts';
import { readMentions } from '../../src/core/domain/scope.ts';
import { complete, suggestSources, typedMention, withMentions } from '../../webview/chat/mentions.ts';

const sources: readonly MentionableSource[] = [
  { title: 'Field notes.md', kind: 'file' },
  { title: 'notes.md', kind: 'file' },
  { title: 'footnotes', kind: 'folder' },
];
const titles = (typed: string): string[] => suggestSources(sources, typed).map(({ title }) => title);

test('recognizes a mention if an @ begins a word', () => {
  assert.deepEqual(typedMention('What does @no', 13), { start: 10, typed: 'no' });
  assert.deepEqual(typedMention('What does @no say', 13), { start: 10, typed: 'no' });
  assert.deepEqual(typedMention('@"Field n', 9), { start: 0, typed: 'Field n' });
  assert.equal(typedMention('me@home', 7), undefined);
  assert.equal(typedMention('What @"Field notes.md" says', 27), undefined);
});

test('suggests titles that begin with the entered text, until it is complete', () => {
  assert.deepEqual(titles(''), ['Field notes.md', 'notes.md', 'footnotes']);
  assert.deepEqual(titles('NOTES'), ['notes.md', 'Field notes.md', 'footnotes']);
  assert.deepEqual(titles('notes.md'), []);
  assert.deepEqual(titles('notes.md and'), []);
});

test('reads a completed mention back, and moves the cursor after it', () => {
  const text = 'What does @fie say?';
  const mention = typedMention(text, 14);
  assert.ok(mention);
  const completed = complete(text, 14, mention, 'Field notes.md');
  assert.deepEqual(completed, { text: 'What does @"Field notes.md" say?', cursor: 28 });
  const known = sources.map(({ title }) => ({ id: title, title }));
  assert.deepEqual(readMentions(completed.text, known).sourceIds, ['Field notes.md']);
});

test('inserts mentions of sources at a drop, or instead of pasted text', () => {
  assert.deepEqual(withMentions('', { start: 0, end: 0 }, ['notes.md']), { text: '@notes.md ', cursor: 10 });
  assert.deepEqual(withMentions('What does say?', { start: 9, end: 9 }, ['notes.md', 'Field notes.md']), {
    text: 'What does @notes.md @"Field notes.md" say?',
    cursor: 38,
  });
  const text = 'Sum up https://example.com/a in a line';
  assert.deepEqual(withMentions(text, { start: 7, end: 28 }, ['example.com/a']), {
    text: 'Sum up @example.com/a in a line',
    cursor: 22,
  });
});
