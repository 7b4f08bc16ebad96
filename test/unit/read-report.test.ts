import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerQuestion } from '../../src/answers/answer-question.ts';
import { listRead, wordFinder } from '../../src/answers/retrieving/provenance.ts';
import {
  applyAnswerEvents,
  type Answer,
  type ReadPassage,
  type Statement,
} from '../../src/core/domain/answer.ts';
import { readReport, describeReason, type ReportedPassage } from '../../src/core/domain/read-report.ts';
import { makeNotebook, makePassage } from './answering-fixtures.ts';

const rain = { id: 1, title: 'rain.txt', text: 'Rain falls in spring.' };
const snow = { id: 2, title: 'snow.txt', text: 'Snow falls in winter.' };

test('lists retrieved passages with the matching words of each', async () => {
  const read = [{ ...makePassage(snow, undefined, 4.5), nearness: 0.75 }, makePassage(rain, undefined, 2)];
  assert.deepEqual(await listRead('When does snow fall?', read, makeNotebook([rain, snow])), [
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
  assert.deepEqual(wordFinder('snow and ice and snow')('Snow'), ['snow']);
});

test('keeps the retrieval report of an answer', async () => {
  let answer: Answer | undefined;
  await answerQuestion({
    question: 'When does snow fall?',
    history: [],
    passages: makeNotebook([rain, snow]),
    titles: [],
    model: undefined,
    writesSearches: false,
    instructions: '',
    signal: new AbortController().signal,
    emit: (event) => {
      answer = applyAnswerEvents(answer, [event]);
    },
  });
  assert.deepEqual(
    answer?.read?.map(({ title }) => title),
    ['snow.txt', 'rain.txt'],
  );
});

test('reports why each passage was retrieved, quotes it, and marks missing ones', () => {
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
  const nothing: Answer = { kind: 'nothing', text: '', citations: [] };
  const passages: ReportedPassage[] = [
    { passage: near, text: 'let ```a```', format: 'code', languageId: 'typescript' },
    { passage: { ...passage, words: [] }, text: undefined, format: 'prose', languageId: undefined },
  ];
  const report = readReport('When?', passages, nothing);
  assert.match(report, /^# Retrieval Report\n\n> When\?\n\n2 passages were retrieved/);
  assert.match(
    report,
    /## 1\. a\\_b\.ts, L1–2\n\nScore 4\.57\. Matched by words \(snow\) and meaning \(similarity 0\.75\)\./,
  );
  const signals = { words: 2, section: 1.5, headings: 1.0678 };
  const ofPlace: ReportedPassage = {
    passage: { ...passage, signals },
    text: 'let ```a```',
    format: 'code',
    languageId: 'typescript',
  };
  const place = readReport('When?', [ofPlace], nothing);
  assert.match(place, /Score 4\.57: passage text 2, section 1\.5, headings 1\.07\. Matched by/);
  const fused = { words: 2, table: 0.5, meaning: 1.25, begins: 1, quoted: true } as const;
  const reportText = readReport('When?', [{ ...ofPlace, passage: { ...near, signals: fused } }], nothing);
  assert.match(
    reportText,
    /: passage text 2, table row 0\.5, similarity 1\.25, starts with the topic 1\. It contains the quoted text/,
  );
  const all = readReport('When?', [{ ...ofPlace, passage: { ...passage, score: 0 } }], nothing);
  assert.match(all, /L1–2\n\nRead in document order, without ranking\.\n/);
  assert.match(report, /retrieved for the answer\. The best match is first\. A score shows/);
  assert.doesNotMatch(all, /best match|A score shows/);
  assert.match(report, /````typescript\nlet ```a```\n````/);
  assert.match(report, /The source has changed or was removed\. The passage began: let \\`a\\`/);
  assert.match(describeReason({ ...passage, words: [] }), /words from earlier questions/);
});

test('reports the evidence of each verdict, and a model’s deciding words', () => {
  const text = 'Snow falls in winter. It falls on 300 days.';
  const statement: Statement = { start: 22, end: 43, verdict: 'partly', citations: [] };
  const answer: Answer = {
    kind: 'written',
    model: 'm',
    text,
    statements: [
      { start: 0, end: 21, verdict: 'unchecked', citations: [] },
      { ...statement, verdict: 'contradicted', signals: { isVerbatim: true } },
      { ...statement, checkedBy: 'another', deciding: 'on *160* days' },
    ],
    citations: [],
  };
  const report = readReport('When?', [], answer);
  assert.match(report, /> It falls on 300 days\.\n\nContradicted: The source has a different number/);
  assert.match(report, /Partly supported, according to another\. Evidence: “on \\\*160\\\* days”/);
  assert.doesNotMatch(report, /Snow falls/);
});
