import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitText, type Commit } from '../../src/features/sources/editor/commit-text.ts';
import { MAX_CONTEXT_ITEM_LENGTH } from '../../src/features/sources/editor/context-item.ts';

const commit = (message: string): Commit => ({
  hash: '0123456789abcdef0123456789abcdef01234567',
  message,
  parents: [],
  authorName: 'Ada',
  authorDate: new Date('2026-03-04T05:06:07Z'),
});

const fileDiff = (name: string, lines: number): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${'+another line\n'.repeat(lines)}`;

test('shows commits and their changes under headings, with their text escaped', () => {
  const { text, warnings } = commitText(
    [commit('Fill it higher\n\n# No heading\nSigned-off-by: Ada')],
    fileDiff('src/a.md', 1) + fileDiff('with space.ts', 1),
  );
  assert.equal(
    text,
    `## Fill it higher

0123456789abcdef0123456789abcdef01234567 · Ada · 2026-03-04 05:06

\`\`\`text
# No heading
Signed-off-by: Ada
\`\`\`

## src/a.md

\`\`\`diff
diff --git a/src/a.md b/src/a.md
--- a/src/a.md
+++ b/src/a.md
+another line
\`\`\`

## with space.ts

\`\`\`diff
diff --git a/with space.ts b/with space.ts
--- a/with space.ts
+++ b/with space.ts
+another line
\`\`\`
`,
  );
  assert.deepEqual(warnings, []);
});

test('names the files and counts the omitted commits of a large change', () => {
  const { text, warnings } = commitText(
    Array.from({ length: 300 }, (_, n) => commit(`Change ${String(n)}`)),
    fileDiff('a.ts', 10) + fileDiff('b.ts', 30_000) + fileDiff('c.ts', 1),
  );
  assert.ok(text.length < MAX_CONTEXT_ITEM_LENGTH + 2_000);
  assert.match(text, /## a\.ts\n[^]*## b\.ts\n[^]*## Omitted or truncated files\n\n- b\.ts\n- c\.ts\n$/);
  assert.deepEqual(warnings, [
    'Commits in this range that aren’t listed individually: 100.',
    'The changes are too large to include in full. Files omitted or truncated: 2.',
  ]);
});
