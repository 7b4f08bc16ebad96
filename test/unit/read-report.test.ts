import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerQuestion } from '../../src/answering/answer-question.ts';
import { listRead, wordsHeld } from '../../src/answering/retrieving/what-was-read.ts';
import type { Answer, ReadPassage } from '../../src/notebook/answer.ts';
import { applyAnswerEvent } from '../../src/notebook/answer.ts';
import { readReport, tellReason } from '../../src/notebook/read-report.ts';
import { notebookOf, passageOf } from './answering-fixtures.ts';

const rain = { id: 1, title: 'rain.txt', text: 'Rain falls in spring.' };
const snow = { id: 2, title: 'snow.txt', text: 'Snow falls in winter.' };

test('what was read is listed with the words that each passage holds', async () => {
  const read = [{ ...passageOf(snow, undefined, 4.5), nearness: 0.75 }, passageOf(rain, undefined, 2)];
  assert.deepEqual(await listRead('When does snow fall?', read, notebookOf([rain, snow])), [
    {
      documentId: 2,
      title: 'snow.txt',
      place: '',
      span: { start: 0, end: 21 },
      begins: 'Snow falls in winter.',
      score: 4.5,
      nearness: 0.75,
      words: ['snow', 'fall'],
    },
    {
      documentId: 1,
      title: 'rain.txt',
      place: '',
      span: { start: 0, end: 21 },
      begins: 'Rain falls in spring.',
      score: 2,
      words: ['fall'],
    },
  ]);
  assert.deepEqual(wordsHeld('snow and ice and snow', 'Snow'), ['snow']);
});

test('an answer keeps what was read for it', async () => {
  let answer: Answer | undefined;
  await answerQuestion({
    question: 'When does snow fall?',
    history: [],
    passages: notebookOf([rain, snow]),
    titles: [],
    model: undefined,
    writesSearches: false,
    instructions: '',
    signal: new AbortController().signal,
    emit: (event) => {
      answer = applyAnswerEvent(answer, event);
    },
  });
  assert.deepEqual(
    answer?.read?.map(({ title }) => title),
    ['snow.txt', 'rain.txt'],
  );
});

test('the report says why each was taken, quotes it, and says where it is gone', () => {
  const passage: ReadPassage = {
    documentId: 2,
    title: 'a_b.ts',
    place: 'L1–2',
    span: { start: 0, end: 9 },
    begins: 'let `a`',
    score: 4.5678,
    words: ['snow'],
  };
  const near = { ...passage, nearness: 0.75 };
  const report = readReport('When?', [
    { passage: near, text: 'let ```a```', format: 'code', languageId: 'typescript' },
    { passage: { ...passage, words: [] }, text: undefined, format: 'prose', languageId: undefined },
  ]);
  assert.match(report, /^# What was read\n\n> When\?\n\n2 passages were read/);
  assert.match(
    report,
    /## 1\. a\\_b\.ts, L1–2\n\nScore 4\.57\. Found by its words \(snow\) and its meaning \(nearness 0\.75\)\./,
  );
  const signals = { words: 2, section: 1.5, headings: 1.0678 };
  const place = readReport('When?', [
    { passage: { ...passage, signals }, text: 'let ```a```', format: 'code', languageId: 'typescript' },
  ]);
  assert.match(place, /Score 4\.57: its own words 2, its section 1\.5, its headings 1\.07\. Found by/);
  assert.match(report, /````typescript\nlet ```a```\n````/);
  assert.match(report, /The source has changed or was removed since\. It began: let \\`a\\`/);
  assert.match(tellReason({ ...passage, words: [] }), /questions before/);
});
