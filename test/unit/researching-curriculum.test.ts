import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  CoverageCounts,
  DocumentCount,
  PastQuestion,
  SectionCount,
} from '../../src/features/research/model/coverage.ts';
import type { ResearchEntry } from '../../src/features/research/model/project.ts';
import { coverageTree } from '../../src/features/research/service/memory/coverage.ts';
import { nextToLookAt } from '../../src/features/research/service/memory/curriculum.ts';

function makeDocument(
  documentId: number,
  title: string,
  passages: number,
  cited: number,
  sourceId = 'a',
): DocumentCount {
  return { documentId, sourceId, sourceTitle: `Source ${sourceId}`, key: '', title, passages, cited };
}

function makeSection(
  documentId: number,
  headings: readonly string[],
  more: Partial<SectionCount> = {},
): SectionCount {
  return { documentId, headings, start: 0, length: 1000, passages: 2, cited: 0, ...more };
}

function makeQuestion(question: string, outcome: PastQuestion['outcome'], askedAt = 1): PastQuestion {
  return { conversationId: 'c', turnId: `t${String(askedAt)}`, question, askedAt, outcome };
}

function makeResearch(
  goal: string,
  state: ResearchEntry['state'],
  more: Partial<ResearchEntry> = {},
): ResearchEntry {
  return {
    id: goal,
    goal,
    state,
    reason: undefined,
    planVersion: 1,
    createdAt: 1,
    changedAt: 1,
    steps: 4,
    done: 2,
    failed: 0,
    elsewhere: [],
    ...more,
  };
}

const counts: CoverageCounts = {
  documents: [
    makeDocument(1, 'Manual', 9, 3),
    makeDocument(2, 'Appendix', 4, 0, 'b'),
    makeDocument(3, 'notes.txt', 1, 0, 'b'),
  ],
  sections: [
    makeSection(1, [], { passages: 1 }),
    makeSection(1, ['Setup'], { start: 10, cited: 1 }),
    makeSection(1, ['Setup', 'Keys and certificates'], { start: 20, cited: 2 }),
    makeSection(1, ['Setup', 'Proxy servers'], { start: 30 }),
    makeSection(1, ['Pricing', 'Discounts for schools'], { start: 40, length: 9000 }),
    makeSection(2, ['Formula of the weights'], { start: 50, passages: 4, length: 4000 }),
    makeSection(3, [], { passages: 1 }),
  ],
  omitted: 0,
};

test('builds a coverage tree of sources, documents, and headings', () => {
  const [a, b] = coverageTree(counts);
  assert.deepEqual([a?.title, a?.passages, a?.cited], ['Source a', 9, 3]);
  assert.deepEqual([b?.passages, b?.cited, b?.children.length], [5, 0, 2]);
  const manual = a?.children[0];
  assert.deepEqual(
    manual?.children.map(({ title, passages, cited, start, children }) => [
      title,
      passages,
      cited,
      start,
      children.length,
    ]),
    [
      ['Setup', 6, 3, 10, 2],
      ['Pricing', 2, 0, 40, 1],
    ],
  );
  assert.deepEqual(
    manual.children[0]?.children.map(({ title }) => title),
    ['Keys and certificates', 'Proxy servers'],
  );
});

test('suggests uncited sections, the ones next to cited ones first', () => {
  const looks = nextToLookAt({ counts, questions: [], researches: [] });
  assert.deepEqual(
    looks.map(({ goal, place }) => [goal, place?.documentId, place?.start]),
    [
      ['What does Manual say about Proxy servers?', 1, 30],
      ['What does Manual say about Discounts for schools?', 1, 40],
      ['What does notes.txt say?', 3, 0],
      ['What does Appendix say about Formula of the weights?', 2, 50],
    ],
  );
  assert.match(looks[0]?.why ?? '', /cite neighboring sections.*2 passages/);
  for (const { effort } of looks) assert.ok(effort >= 0 && effort <= 1);
});

test('ranks topics of the user’s questions and goals higher', () => {
  const wanted = nextToLookAt({
    counts,
    questions: [],
    researches: [makeResearch('How are the weights of the formula chosen?', 'done')],
  });
  assert.ok(wanted.findIndex(({ goal }) => goal.includes('Formula')) < 2);
});

test('suggests failed questions again up to a maximum, but no answered ones', () => {
  const looks = nextToLookAt({
    counts,
    questions: [
      makeQuestion('what does Manual say about proxy servers', 'answered', 9),
      makeQuestion('Who wrote it?', 'nothing', 8),
      makeQuestion('When was it written?', 'answered', 7),
      makeQuestion('When was it written?', 'nothing', 6),
      makeQuestion('Why?', 'bad', 5),
      ...[1, 2, 3, 4].map((at) => makeQuestion('What is the meaning of life?', 'nothing', at)),
      makeQuestion('How long is it?', 'failed', 3),
    ],
    researches: [],
  });
  const questions = looks.filter(({ kind }) => kind === 'question');
  assert.deepEqual(
    questions.map(({ goal }) => goal),
    ['How long is it?', 'Why?', 'Who wrote it?'],
  );
  assert.ok(!looks.some(({ goal }) => goal.includes('Proxy servers')));
});

test('suggests unfinished goals again with a reason', () => {
  const looks = nextToLookAt({
    counts: { documents: [], sections: [], omitted: 0 },
    questions: [],
    researches: [
      makeResearch('Compare them', 'failed', { reason: 'The server failed.' }),
      makeResearch('Write a guide', 'paused'),
      makeResearch('Done', 'done'),
      makeResearch('Retried', 'failed'),
      makeResearch('retried', 'done', { changedAt: 5 }),
    ],
  });
  assert.deepEqual(
    looks.map(({ kind, goal, why }) => [kind, goal, why]),
    [
      ['goal', 'Write a guide', 'This research project is paused. Steps done: 2 of 4.'],
      ['goal', 'Compare them', 'This research project failed. The server failed.'],
    ],
  );
});

test('limits the suggestions from one document, and includes questions and goals', () => {
  const many: CoverageCounts = {
    documents: [makeDocument(1, 'Manual', 900, 0), makeDocument(2, 'Guide', 900, 0)],
    sections: [1, 2].flatMap((id) =>
      Array.from({ length: 2000 }, (_, i) =>
        makeSection(id, [`Chapter on subject ${String(i)}`], { start: i }),
      ),
    ),
    omitted: 0,
  };
  const questions = Array.from({ length: 20 }, (_, i) =>
    makeQuestion(`Question number ${String(i)}?`, 'nothing', i),
  );
  const looks = nextToLookAt({ counts: many, questions, researches: [] }, 8);
  assert.equal(looks.length, 8);
  assert.equal(looks.filter(({ kind }) => kind === 'section').length, 4);
});

test('suggests a whole document if its only heading is its title', () => {
  const [look] = nextToLookAt({
    counts: {
      documents: [makeDocument(1, 'Lakes', 1, 0)],
      sections: [makeSection(1, ['Lakes'])],
      omitted: 0,
    },
    questions: [],
    researches: [],
  });
  assert.equal(look?.goal, 'What does Lakes say?');
});

test('doesn’t suggest a section again that was researched already', () => {
  const goals = nextToLookAt({ counts, questions: [], researches: [] }).map(({ goal }) => goal);
  const [first = ''] = goals;
  const again = nextToLookAt({ counts, questions: [], researches: [makeResearch(first, 'done')] });
  assert.ok(again.every(({ goal }) => goal !== first));
});
