import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  citePassage,
  MAX_SELECTED_PASSAGES,
  readDraft,
  withoutPassage,
  writeDraft,
  type Draft,
  type SelectedPassage,
} from '../../src/features/research/model/draft.ts';

function passage(documentId: number, label = `file-${String(documentId)}.md, L3`): SelectedPassage {
  return { documentId, span: { start: documentId * 10, end: documentId * 10 + 9 }, label };
}

test('reads a draft of a step back with its cited passages', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200 }).map((text) => text.trimEnd()),
      fc.uniqueArray(fc.nat(1_000_000), { maxLength: 12 }),
      (text, ids) => {
        const draft: Draft = { text, picked: ids.map((id) => passage(id)) };
        fc.pre(readDraft(text).picked.length === 0);
        assert.deepEqual(readDraft(writeDraft(draft)), draft);
      },
    ),
  );
});

test('keeps quotes and line breaks of a label within its line', () => {
  const draft = { text: 'A [1].', picked: [passage(1, 'The "long"\nreport')] };
  assert.equal(readDraft(writeDraft(draft)).picked[0]?.label, 'The long report');
});

test('keeps lines that only look like passages as text', () => {
  for (const text of ['[1]: https://example.com', '[2]: passage:1/2-3 "x"\nmore', 'passage:1/2-3'])
    assert.deepEqual(readDraft(text), { text, picked: [] });
});

test('cites a passage at the cursor, always with the same number', () => {
  const first = citePassage({ text: 'Rain is water. More.', picked: [] }, passage(1), 13);
  assert.equal(first.text, 'Rain is water [1]. More.');
  assert.equal(first.text.slice(0, first.at), 'Rain is water [1]');
  const again = citePassage(first, passage(1), first.text.length);
  assert.equal(again.text, 'Rain is water [1]. More. [1]');
  assert.equal(again.picked.length, 1);
  const second = citePassage(again, passage(2), 0);
  assert.equal(second.text, '[2]Rain is water [1]. More. [1]');
});

test('cites no more passages than a draft can list', () => {
  const picked = Array.from({ length: MAX_SELECTED_PASSAGES }, (_, index) => passage(index + 1));
  const draft = { text: 'A', picked };
  assert.deepEqual(citePassage(draft, passage(1000), 1), { ...draft, at: 1 });
});

test('removes the marks of a deleted passage, renumbers later ones, and keeps links', () => {
  const draft = {
    text: 'One [1]. Two [2], [3]. A [2](https://example.com) link.',
    picked: [passage(1), passage(2), passage(3)],
  };
  assert.deepEqual(withoutPassage(draft, 1), {
    text: 'One [1]. Two, [2]. A [2](https://example.com) link.',
    picked: [passage(1), passage(3)],
  });
});
