import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  previewedSource,
  previewLink,
  targetOfPreviewLink,
  type PreviewTarget,
} from '../../src/features/notes/model/preview-links.ts';

test('reads the target of a preview link back, whatever its title contains', () => {
  const targets: readonly PreviewTarget[] = [
    { kind: 'title', title: 'src/main.ts — 100 % “käse” 🧀 #1?', heading: undefined },
    { kind: 'title', title: 'Garden', heading: 'Compost' },
    { kind: 'work', key: 'wang2023:a/b' },
  ];
  for (const target of targets) {
    const link = previewLink(target);
    assert.match(link, /^link\/[\da-f]+$/);
    assert.deepEqual(targetOfPreviewLink(`/${link}`), target);
  }
  for (const path of [
    '/link/',
    '/link/7b',
    '/link/zz',
    '/citation/00',
    '/link/5b5d',
    '/link/5b2261222c2262225d',
  ])
    assert.equal(targetOfPreviewLink(path), undefined, path);
});

test('finds the source of a preview in its settings, and ignores invalid ones', () => {
  assert.equal(previewedSource('{"source":"open-notebook-note:/a.md","line":3}'), 'open-notebook-note:/a.md');
  for (const settings of ['', '{', 'null', '5', '[]', '{}', '{"source":5}', '{"source":null}'])
    assert.equal(previewedSource(settings), undefined, settings);
});
