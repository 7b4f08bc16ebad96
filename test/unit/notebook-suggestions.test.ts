import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  followUpQuestions,
  questionOfHeading,
  suggestedQuestions,
  type Outline,
} from '../../src/core/domain/suggestions.ts';

function outline(documentId: number, title: string, ...headings: string[]): Outline {
  return {
    documentId,
    title,
    headings: headings.map((heading, i) => ({ offset: 100 * i, level: i === 0 ? 1 : 2, title: heading })),
  };
}

const bees = outline(
  1,
  'bees.md',
  'Bees',
  'Introduction',
  'How do bees find flowers?',
  'Feeding',
  'Removing a wax moth',
  'Types of hives',
);
const herons = outline(2, 'Herons', 'Herons', 'Where do herons nest in spring?', 'Next Steps');

describe('questions from headings', () => {
  it('are questions in headings, or ask about their topic', () => {
    assert.deepEqual(suggestedQuestions([bees, outline(3, 'plain.txt'), herons]), [
      'How do bees find flowers?',
      'Where do herons nest in spring?',
    ]);
    assert.equal(
      questionOfHeading('Removing a wax moth'),
      'What do the sources say about removing a wax moth?',
    );
    assert.equal(questionOfHeading('How to clean a hive'), 'How to clean a hive?');
    assert.equal(questionOfHeading('Was kostet ein Bienenstock?'), 'Was kostet ein Bienenstock?');
    assert.equal(questionOfHeading('蜜蜂如何找到花朵？'), '蜜蜂如何找到花朵？');
  });

  it('are at most two', () => {
    const more = outline(4, 'c.md', 'C', 'How do ducks swim in winter?');
    assert.equal(suggestedQuestions([bees, herons, more]).length, 2);
  });

  it('exclude headings that would sound unnatural', () => {
    for (const heading of [
      'What Is The Ultimate Best Non-Slip Yoga Mat? Here Are My Top 3 Picks',
      'RECITALS',
      'Next Steps',
      'Feeding',
      'Why Bother?',
      'Want early access?',
      'Choosing Your Path',
      'Introducing our new mats',
      'v2.0.5',
      '',
    ])
      assert.equal(questionOfHeading(heading), undefined, heading);
  });

  it('exclude a section without text', () => {
    const cover = { ...bees, headings: bees.headings.map((heading, i) => ({ ...heading, offset: 20 * i })) };
    assert.deepEqual(suggestedQuestions([{ ...cover, headings: cover.headings.slice(0, 5) }]), [
      'What do the sources say about removing a wax moth?',
    ]);
  });

  it('sound natural in 9 of 10 cases, measured on labeled headings of real documents', () => {
    const path = new URL('../fixtures/suggestions/headings.txt', import.meta.url);
    const labeled = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'));
    assert.ok(labeled.length >= 400);
    const picked = labeled.filter(([, heading = '']) => questionOfHeading(heading) !== undefined);
    const good = picked.filter(([label]) => label === 'good');
    assert.ok(picked.length >= 100, `${String(picked.length)} headings make a question`);
    assert.ok(good.length / picked.length >= 0.9, `${String(good.length)} of ${String(picked.length)}`);
  });

  it('ask about what an answer didn’t cite, nearest first, and are never repeated', () => {
    const citations = [{ documentId: 1, span: { start: 510, end: 520 } }];
    const [near, far] = ['What do the sources say about removing a wax moth?', 'How do bees find flowers?'];
    assert.deepEqual(followUpQuestions([bees], citations, []), [near, far]);
    assert.deepEqual(followUpQuestions([bees], citations, [near.toUpperCase()]), [far]);
    const both = [...citations, { documentId: 2, span: { start: 0, end: 5 } }];
    assert.deepEqual(followUpQuestions([bees, herons], both, []), [near, 'Where do herons nest in spring?']);
  });
});
