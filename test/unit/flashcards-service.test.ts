import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { normalizeQuestion, isSameQuestion } from '../../src/core/language/same-question.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { checkedDeck, checkedQuiz } from '../../src/features/flashcards/editor/checked-questions.ts';
import { quizOfChoices, quizOfDefinitions, wrongCards } from '../../src/features/flashcards/service/quiz.ts';
import { schedules } from '../../src/features/flashcards/service/schedule.ts';
import { clozeParts, withGaps } from '../../src/core/language/cloze.ts';
import {
  NEW_CARD,
  type Card,
  type CardGrade,
  type CardSchedule,
} from '../../src/features/flashcards/model.ts';
import type { GeneratedQuestion } from '../../src/features/questions/service/make-questions.ts';

const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 5, 9);

/** Reviews a card whenever it is due, and returns its schedules. */
function reviewed(grades: readonly CardGrade[], id = 'card'): readonly CardSchedule[] {
  let now = BEGIN;
  let schedule = NEW_CARD;
  return grades.map((grade) => {
    schedule = schedules(id, schedule, now)[grade];
    now = schedule.due;
    return schedule;
  });
}

test('schedules a known card later each time, and a forgotten one soon', () => {
  const good = reviewed([3, 3, 3, 3, 3]);
  assert.deepEqual(
    good.map(({ state }) => state),
    [1, 2, 2, 2, 2],
  );
  const spans = good.map(({ due, reviewedAt = 0 }) => due - reviewedAt);
  for (const [index, span] of spans.entries())
    assert.ok(index === 0 || span > (spans[index - 1] ?? 0), String(spans));
  const forgotten = reviewed([3, 3, 3, 1]).at(-1);
  assert.equal(forgotten?.state, 3);
  assert.equal(forgotten.lapses, 1);
  assert.ok(forgotten.due - (forgotten.reviewedAt ?? 0) < DAY / 24);
});

test('previews the schedule of each rating, with the longest interval for easy', () => {
  const schedule = reviewed([3, 3, 3])[2] ?? NEW_CARD;
  const now = schedule.due + 1_000;
  const first = schedules('card', schedule, now);
  assert.deepEqual(first, schedules('card', schedule, now));
  assert.ok(first[1].due < first[2].due && first[2].due <= first[3].due && first[3].due < first[4].due);
});

test('spreads out cards that were learned together', () => {
  const dues = new Set(
    Array.from({ length: 30 }, (_, n) => reviewed([3, 3, 3, 3, 3], `card ${String(n)}`).at(-1)?.due),
  );
  assert.ok(dues.size > 3, String(dues.size));
});

test('handles a clock that was set back', () => {
  const schedule = reviewed([3, 3, 3])[2] ?? NEW_CARD;
  const after = schedules('card', schedule, BEGIN - 30 * DAY)[3];
  assert.ok(Number.isFinite(after.due) && after.stability > 0);
});

test('creates a cloze of a term only if it is a separate word', () => {
  const front = withGaps('A sail is a cloth; the Sail drives, the sailor sails.', 'sail');
  assert.equal(front, 'A {{c1::sail}} is a cloth; the {{c1::Sail}} drives, the sailor sails.');
  assert.deepEqual(
    clozeParts(front)
      .filter(({ isGap }) => isGap)
      .map(({ words }) => words),
    ['sail', 'Sail'],
  );
  assert.equal(withGaps('Nothing here.', 'sail'), undefined);
  assert.equal(withGaps('词典是一种书', '词典'), '{{c1::词典}}是一种书');
});

const citation = { title: 'Harbour', place: 'Ships' } as Citation;
const definitions = Array.from({ length: 400 }, (_, n) => ({
  term: `term${String(n)} of ${'abcdefgh'.charAt(n % 8)}`,
  front: `A {{c1::term${String(n)} of ${'abcdefgh'.charAt(n % 8)}}} is the thing number ${String(n)}.`,
  citation,
}));

test('asks three hundred different questions from definitions, each with one correct choice', () => {
  const questions = quizOfDefinitions(definitions, 300, seeded());
  assert.equal(questions.length, 300);
  assert.equal(new Set(questions.map(({ question }) => question)).size, 300);
  for (const { choices, right, question, reason } of questions) {
    assert.equal(new Set(choices).size, 4);
    const term = choices[right] ?? '';
    assert.ok(reason.includes(term) && !question.includes(term), question);
    for (const [index, choice] of choices.entries()) if (index !== right) assert.ok(!reason.includes(choice));
  }
  const places = [0, 1, 2, 3].map((place) => questions.filter(({ right }) => right === place).length);
  assert.ok(Math.min(...places) > 40, String(places));
});

test('generates no quiz from too few terms, and makes cards only of wrong answers', () => {
  assert.deepEqual(quizOfDefinitions(definitions.slice(0, 3), 10, seeded()), []);
  const questions = quizOfDefinitions(definitions, 3, seeded());
  const [first] = questions;
  assert.ok(first);
  const cards = wrongCards(questions, [(first.right + 1) % 4, questions[1]?.right ?? 0, null]);
  assert.deepEqual(
    cards.map(({ front, back, maker }) => ({ front, back, maker })),
    [
      {
        front: first.question,
        back: `**${first.choices[first.right] ?? ''}**\n\n${first.reason}`,
        maker: 'quiz',
      },
    ],
  );
});

test('distinguishes repeated questions in other words from different ones', () => {
  const path = join(import.meta.dirname, '../fixtures/questions/repeats.txt');
  const [, measured = ''] = readFileSync(path, 'utf8').split('## measured on');
  const pairs = measured
    .trim()
    .split('\n')
    .map((line) => line.split(' | '));
  const isSame = ([, question = '', answer = '', other = '', told = '']: readonly string[]): boolean =>
    isSameQuestion(normalizeQuestion(question, answer), normalizeQuestion(other, told));
  const results = pairs.filter(([kind]) => kind === 'same').map(isSame);
  const wrongly = pairs.filter((pair) => pair[0] === 'other' && isSame(pair));
  assert.deepEqual(wrongly, []);
  assert.equal(results.length, 18);
  assert.ok(results.filter(Boolean).length >= 15, String(results.filter(Boolean).length));
});

/** Returns numbers from 0 to 1, the same each time. */
function seeded(): () => number {
  let state = 7;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const uncheckedCitation = { ...citation, isUnchecked: true } as Citation;

/** Returns a question that a model wrote. */
function written(question: string, answer: string): GeneratedQuestion {
  const pair = { question, answer, choices: [answer, 'another'] } as unknown as GeneratedQuestion['pair'];
  return { pair, citation, statement: 'Because.', isChecked: true };
}

test('removes unsupported cards after a fact check, and marks supported ones as checked', () => {
  const card = (id: string, parts: Partial<Card> = {}): Card =>
    ({
      ...{ id, kind: 'question', front: `${id}?`, back: id, citation: uncheckedCitation, isEdited: false },
      ...parts,
    }) as Card;
  const cards = [card('yes'), card('no'), card('edited', { isEdited: true }), card('known', { citation })];
  const changes = checkedDeck('deck', cards, {
    supported: [written('yes?', 'yes'), written('deleted?', 'deleted')],
    unsupported: ['no', 'edited', 'known'].map((id) => written(`${id}?`, id)),
  });
  assert.deepEqual(changes.unchangedCards, [{ cardId: 'yes', citation }]);
  assert.deepEqual(
    changes.outdated.map(({ cardId }) => cardId),
    ['no'],
  );
  assert.deepEqual([changes.origin, changes.added, changes.reworded], [undefined, [], []]);
});

test('removes unsupported questions of a quiz after a fact check', () => {
  const [yes, no, open] = ['yes', 'no', 'open'].map((id) => written(`${id}?`, id));
  assert.ok(yes && no && open);
  const [first, second, third] = quizOfChoices([yes, no, open]).map((question) => ({
    ...question,
    citation: uncheckedCitation,
  }));
  assert.ok(first && second && third);
  const checkedBefore = { ...second, citation };
  assert.deepEqual(
    checkedQuiz([first, second, third, checkedBefore], { supported: [yes], unsupported: [no] }),
    [{ ...first, citation }, third, checkedBefore],
  );
});
