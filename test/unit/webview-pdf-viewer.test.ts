import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectMarks } from '../../src/features/citations/editor/citation-opener.ts';
import { RunDirection } from '../../src/core/domain/document.ts';
import { annotationAt as foundAt, annotationsShown, markedWords } from '../../webview/pdf/annotation-list.ts';
import { annotationAt } from '../support/annotated-pdf.ts';
import { formatMatchCount } from '../../webview/pdf/match-state.ts';
import { keyMeaning } from '../../webview/pdf/key-meanings.ts';
import { NavigationHistory } from '../../webview/pdf/navigation-history.ts';
import { outlineStep, unfoldedAtFirst, visibleRows, type OutlineItem } from '../../webview/pdf/outline.ts';

function at(page: number, y: number) {
  const rectangles = [{ page, x: 10, y, width: 80, height: 12 }];
  return { kind: 'pdf' as const, page, label: undefined, rectangles };
}

describe('cited text in a PDF is marked', () => {
  it('from the first page on, and from the top of each page down', () => {
    const { marks, current } = collectMarks(at(2, 300), [at(3, 100), at(2, 700), at(2, 300), at(1, 50)]);
    assert.deepEqual(
      marks.map(({ page, rectangles: [first] }) => [page, first?.y]),
      [
        [1, 50],
        [2, 700],
        [2, 300],
        [3, 100],
      ],
    );
    assert.equal(current, 2);
  });

  it('alone if nothing else is cited, or in addition to the other citations', () => {
    assert.deepEqual(collectMarks(at(4, 9), []), {
      marks: [{ page: 4, rectangles: at(4, 9).rectangles }],
      current: 0,
    });
    assert.equal(collectMarks(at(1, 5), [at(1, 90)]).current, 1);
  });

  it('in the order of its first page if it spans two', () => {
    const over = { ...at(1, 40), rectangles: [...at(1, 40).rectangles, ...at(2, 700).rectangles] };
    assert.equal(collectMarks(over, [at(1, 300)]).current, 1);
  });
});

describe('outline of a PDF', () => {
  const item = (title: string, items: readonly OutlineItem[] = [], count = items.length): OutlineItem => ({
    title,
    dest: title,
    count,
    items,
  });
  const deep = item('b1', [item('b1a')], -1);
  const outline = [item('a'), item('b', [deep, item('b2')]), item('c')];
  const rows = visibleRows(outline, unfoldedAtFirst(outline));
  const titles = (list: typeof rows): string[] =>
    list.map(({ item: { title }, level }) => `${String(level)} ${title}`);

  it('is expanded as the PDF specifies', () => {
    assert.deepEqual(titles(rows), ['1 a', '1 b', '2 b1', '2 b2', '1 c']);
    assert.deepEqual(titles(visibleRows(outline, new Set())), ['1 a', '1 b', '1 c']);
  });

  it('is navigated, expanded, and collapsed with arrow keys', () => {
    assert.deepEqual(outlineStep('ArrowDown', rows, 0), { kind: 'focus', index: 1 });
    assert.equal(outlineStep('ArrowUp', rows, 0), undefined);
    assert.equal(outlineStep('ArrowDown', rows, 4), undefined);
    assert.deepEqual(outlineStep('ArrowRight', rows, 1), { kind: 'focus', index: 2 });
    assert.deepEqual(outlineStep('ArrowRight', rows, 2), { kind: 'unfold', item: deep });
    assert.equal(outlineStep('ArrowRight', rows, 3), undefined);
    assert.deepEqual(outlineStep('ArrowLeft', rows, 1), { kind: 'fold', item: outline[1] });
    assert.deepEqual(outlineStep('ArrowLeft', rows, 3), { kind: 'focus', index: 1 });
    assert.equal(outlineStep('ArrowLeft', rows, 0), undefined);
    assert.deepEqual(outlineStep('End', rows, 0), { kind: 'focus', index: 4 });
    assert.deepEqual(outlineStep('Enter', rows, 4), { kind: 'goTo', item: outline[2] });
    assert.equal(outlineStep('x', rows, 4), undefined);
  });
});

describe('keys in the PDF viewer', () => {
  const press = (key: string, more: object = {}): string | undefined =>
    keyMeaning({
      ...{ key, withCommand: false, withShift: false, withAlt: false, isTyping: false, isPresenting: false },
      ...more,
    });

  it('act on the pages, except for letters in a text field', () => {
    assert.equal(press('n'), 'nextMark');
    assert.equal(press('n', { isTyping: true }), undefined);
    assert.equal(press('n', { withCommand: true }), undefined);
    assert.equal(press('c', { withCommand: true }), undefined);
    assert.equal(press('+'), 'zoomIn');
    assert.equal(press('0', { withCommand: true }), 'fit');
    assert.equal(press('0'), 'fit');
  });

  it('turn whole pages in a presentation, and scroll elsewhere', () => {
    assert.equal(press(' ', { isPresenting: true }), 'nextPage');
    assert.equal(press('PageUp', { isPresenting: true }), 'previousPage');
    assert.equal(press('End', { isPresenting: true }), 'lastPage');
    assert.equal(press('n', { isPresenting: true }), 'nextMark');
    assert.equal(press(' '), undefined);
    assert.equal(press(' ', { isPresenting: true, isTyping: true }), undefined);
  });

  it('open the search wherever the focus is', () => {
    assert.equal(press('f', { withCommand: true, isTyping: true }), 'find');
    assert.equal(press('F3', { isTyping: true }), 'findNext');
    assert.equal(press('F3', { withShift: true }), 'findPrevious');
    assert.equal(press('Escape', { isTyping: true }), 'closeFind');
  });
});

it('counts the matches of a search', () => {
  assert.equal(formatMatchCount('', { isSearching: false, current: 0, total: 0 }), '');
  assert.equal(formatMatchCount('x', { isSearching: true, current: 0, total: 0 }), 'Searching…');
  assert.equal(formatMatchCount('x', { isSearching: true, current: 1, total: 1200 }), '1 of 1,200');
  assert.equal(formatMatchCount('x', { isSearching: false, current: 0, total: 0 }), 'No results');
});

describe('locations before a jump', () => {
  it('can be returned to, and forward again until the next jump', () => {
    const trail = new NavigationHistory<number>();
    assert.equal(trail.step('back', 1), undefined);
    trail.leave(1);
    trail.leave(5);
    assert.equal(trail.step('back', 9), 5);
    assert.equal(trail.step('back', 5), 1);
    assert.deepEqual([trail.hasBack, trail.hasForward], [false, true]);
    assert.equal(trail.step('forward', 1), 5);
    trail.leave(5);
    assert.deepEqual([trail.hasBack, trail.hasForward], [true, false]);
  });
});

describe('annotations on the pages', () => {
  const inFile = { ref: '5R', annotation: annotationAt(1, [10, 10, 60, 20]) };
  const keys = ({ shown }: ReturnType<typeof annotationsShown>) =>
    shown.map(({ key, isDrawn }) => [key, isDrawn]);

  it('are those of the file until they are changed or deleted', () => {
    assert.deepEqual(keys(annotationsShown([inFile], [], {})), [['5R', true]]);
    const changed = annotationsShown([inFile], [['5R', { ...inFile.annotation, colour: '#ffffff' }]], {});
    assert.deepEqual([keys(changed), [...changed.hidden]], [[['5R', false]], ['5R']]);
    const deleted = annotationsShown([inFile], [['5R', null]], {});
    assert.deepEqual([keys(deleted), [...deleted.hidden]], [[], ['5R']]);
  });

  it('are recognized after another program renamed them', () => {
    const same = annotationsShown([inFile], [['made here', inFile.annotation]], { 'made here': '9R' });
    assert.deepEqual(keys(same), [['made here', true]]);
  });

  it('are in page order, and the smallest one is found at a point', () => {
    const large = annotationAt(1, [0, 0, 200, 200], { kind: 'box' });
    const all = annotationsShown(
      [inFile],
      [
        ['box', large],
        ['other', annotationAt(2, [0, 0, 9, 9])],
      ],
      {},
    );
    assert.deepEqual(
      all.shown.map(({ key }) => key),
      ['box', '5R', 'other'],
    );
    assert.equal(foundAt(all.shown, 1, 15, 15)?.key, '5R');
    assert.equal(foundAt(all.shown, 1, 150, 150)?.key, 'box');
    assert.equal(foundAt(all.shown, 2, 150, 150), undefined);
  });

  it('highlight a selection line by line on each page, also in rotated text', () => {
    const run = (
      start: number,
      page: number,
      x: number,
      y: number,
      direction: number = RunDirection.leftToRight,
    ) => ({
      start,
      end: start + 4,
      rectangle: { page, x, y, width: 40, height: 10 },
      direction,
    });
    const marked = markedWords('one  two  tri  four', [
      run(0, 1, 10, 100),
      run(5, 1, 55, 101),
      run(10, 1, 10, 80),
      run(15, 2, 10, 700, RunDirection.bottomToTop),
    ]);
    assert.deepEqual(
      marked.map(({ page, words, quads }) => [page, words, quads.length]),
      [
        [1, 'one two tri', 2],
        [2, 'four', 1],
      ],
    );
    assert.deepEqual(marked[1]?.quads[0], [10, 700, 10, 710, 50, 700, 50, 710]);
  });
});
