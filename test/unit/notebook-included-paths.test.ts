import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  isPathIncluded,
  rulesBySource,
  withPath,
  type PathRules,
} from '../../src/core/domain/included-paths.ts';

const files = ['a.md', 'b.md', 'docs/a.md', 'docs/old/a.md', 'docs/old/b.md', 'docs2/a.md'];
const paths = ['', 'docs', 'docs/old', ...files];

function included(rules: PathRules | undefined): string[] {
  return files.filter((file) => isPathIncluded(rules, file));
}

describe('checkboxes of files and folders', () => {
  test('include everything at first', () => {
    assert.deepEqual(included(undefined), files);
  });

  test('apply to everything below them, and to files that are added later', () => {
    const rules = withPath(undefined, 'docs', false);
    assert.deepEqual(included(rules), ['a.md', 'b.md', 'docs2/a.md']);
    assert.equal(isPathIncluded(rules, 'docs/later/new.md'), false);
    const changed = withPath(withPath(rules, '', false), 'docs/old/a.md', true);
    assert.deepEqual(included(changed), ['docs/old/a.md']);
  });

  test('need no rule if the parent folder has the same state', () => {
    const rules = withPath(withPath(undefined, 'docs', false), 'docs/old', true);
    assert.equal(rules.size, 2);
    assert.equal(withPath(rules, 'docs', true).size, 0);
    assert.equal(withPath(undefined, 'docs/a.md', true).size, 0);
  });

  test('follow the last change above each file', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...paths), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(changes, (boxes) => {
        let rules: PathRules | undefined;
        const expected = new Map(files.map((file) => [file, true]));
        for (const [path, isIncluded] of boxes) {
          rules = withPath(rules, path, isIncluded);
          for (const file of files)
            if (path === '' || file === path || file.startsWith(`${path}/`)) expected.set(file, isIncluded);
        }
        assert.deepEqual(
          included(rules),
          files.filter((file) => expected.get(file)),
        );
      }),
    );
  });

  test('are grouped by source', () => {
    const rules = rulesBySource([
      { sourceId: 'x', path: 'docs', isIncluded: false },
      { sourceId: 'y', path: '', isIncluded: false },
    ]);
    assert.deepEqual(included(rules.get('x')), ['a.md', 'b.md', 'docs2/a.md']);
    assert.deepEqual(included(rules.get('y')), []);
  });
});
