import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerQuestion } from '../../src/answering/answer-question.ts';
import { listRead, wordsHeld } from '../../src/answering/retrieving/provenance.ts';
import { checkSentence } from '../../src/answering/checking/checker.ts';
import { prepareEvidence } from '../../src/answering/checking/evidence.ts';
import {
  applyAnswerEvents,
  type Answer,
  type OppositionParts,
  type ReadPassage,
  type SignalParts,
  type Statement,
  type WeighedSignals,
} from '../../src/notebook/answer.ts';
import { readReport, tellReason, type ReportedPassage } from '../../src/notebook/read-report.ts';
import { makeNotebook, makePassage } from './answering-fixtures.ts';

const rain = { id: 1, title: 'rain.txt', text: 'Rain falls in spring.' };
const snow = { id: 2, title: 'snow.txt', text: 'Snow falls in winter.' };

test('what was read is listed with the words that each passage holds', async () => {
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
  assert.deepEqual(wordsHeld('snow and ice and snow', 'Snow'), ['snow']);
});

test('an answer keeps what was read for it', async () => {
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
  const nothing: Answer = { kind: 'nothing', text: '', citations: [] };
  const passages: ReportedPassage[] = [
    { passage: near, text: 'let ```a```', format: 'code', languageId: 'typescript' },
    { passage: { ...passage, words: [] }, text: undefined, format: 'prose', languageId: undefined },
  ];
  const report = readReport('When?', passages, nothing);
  assert.match(report, /^# What was read\n\n> When\?\n\n2 passages were read/);
  assert.match(
    report,
    /## 1\. a\\_b\.ts, L1–2\n\nScore 4\.57\. Found by its words \(snow\) and its meaning \(nearness 0\.75\)\./,
  );
  const signals = { words: 2, section: 1.5, headings: 1.0678 };
  const ofPlace: ReportedPassage = {
    passage: { ...passage, signals },
    text: 'let ```a```',
    format: 'code',
    languageId: 'typescript',
  };
  const place = readReport('When?', [ofPlace], nothing);
  assert.match(place, /Score 4\.57: its own words 2, its section 1\.5, its headings 1\.07\. Found by/);
  const fused = { words: 2, table: 0.5, meaning: 1.25, begins: 1, quoted: true } as const;
  const told = readReport('When?', [{ ...ofPlace, passage: { ...near, signals: fused } }], nothing);
  assert.match(
    told,
    /: its own words 2, a row of its table 0\.5, its meaning 1\.25, beginning with what is asked 1\. It holds what is quoted/,
  );
  const all = readReport('When?', [{ ...ofPlace, passage: { ...passage, score: 0 } }], nothing);
  assert.match(all, /L1–2\n\nRead in its order, without a ranking\.\n/);
  assert.match(report, /````typescript\nlet ```a```\n````/);
  assert.match(report, /The source has changed or was removed since\. It began: let \\`a\\`/);
  assert.match(tellReason({ ...passage, words: [] }), /questions before/);
});

test('the report tells what each verdict rests on, of a model its deciding words', () => {
  const signals = { likelihood: 0.064, words: 1.234, place: 0.5, numbers: -3.9, names: 0, extent: -0.5 };
  const text = 'Snow falls in winter. It falls on 300 days.';
  const weighed: Statement = { start: 22, end: 43, verdict: 'partly', citations: [], signals };
  const answer: Answer = {
    kind: 'written',
    model: 'm',
    text,
    statements: [
      { start: 0, end: 21, verdict: 'supported', citations: [] },
      weighed,
      { ...weighed, checkedBy: 'another', deciding: 'on *160* days' },
    ],
    citations: [],
  };
  const report = readReport('When?', [], answer);
  assert.match(
    report,
    /> It falls on 300 days\.\n\nPartly supported; 6% likely to be borne out: its words 1\.23, their place 0\.5, its numbers -3\.9,/,
  );
  assert.equal(report.match(/likely/g)?.length, 1);
  assert.match(report, /Partly supported, says another\. Deciding words: “on \\\*160\\\* days”/);
  const opposed = { likelihood: 0.123, by: ['turned', 'otherNumber'] } as const;
  const against = readReport('When?', [], {
    ...answer,
    statements: [{ ...weighed, signals: { ...signals, opposed } }],
  });
  assert.match(against, /Likelihood of a contradiction: 12%, because of another direction, another number\./);
  assert.doesNotMatch(report, /Snow falls/);
});

test('a sentence with another number is told so by what its verdict was made from', () => {
  const evidence = prepareEvidence([
    makePassage({ ...snow, text: 'Heavy snow falls in Tromsø on 160 days.' }),
  ]);
  const { verdict, signals } = checkSentence('In Tromsø the snow falls on 300 days.', [0], evidence);
  assert.notEqual(verdict, 'supported');
  assert.ok(signals && 'likelihood' in signals);
  const { likelihood, opposed, found = 0, flaw, chosen, foundBy, ...parts } = signals;
  assert.ok(found > 0 && found < 1);
  assert.equal(flaw, undefined);
  assert.ok(parts.words > 0 && parts.numbers < -1);
  assertMadeOf(likelihood, parts);
  assert.deepEqual(opposed?.by, ['otherNumber']);
  assert.equal(foundBy, undefined);
  const { likelihood: likely, ...partsOfChoice } = chosen ?? assert.fail();
  assertMadeOf(likely, partsOfChoice);
  const denied = checkSentence('In Tromsø no heavy snow falls on 160 days.', [0], evidence);
  assert.equal(denied.verdict, 'contradicted');
  assert.ok(denied.signals && 'likelihood' in denied.signals);
  assert.ok((denied.signals.opposed?.likelihood ?? 0) > 0.36);
  assert.deepEqual(denied.signals.opposed?.by, ['denied']);
});

/** A likelihood is made of nothing but its parts, in log odds. */
function assertMadeOf(likelihood: number, parts: OppositionParts | SignalParts): void {
  const sum = Object.values<number>({ ...parts }).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(likelihood - 1 / (1 + Math.exp(-sum))) < 1e-9);
}

test('why a sentence was highlighted, not found or contradicted is told where that decided', () => {
  const evidence = prepareEvidence([
    makePassage({ ...snow, text: 'Rain falls in spring. Heavy snow falls in Tromsø on 160 days.' }),
  ]);
  const tell = (sentence: string): { signals: WeighedSignals; report: string } => {
    const { verdict, signals } = checkSentence(sentence, [0], evidence);
    assert.ok(signals && 'likelihood' in signals);
    const report = readReport('When?', [], {
      kind: 'written',
      model: 'm',
      text: sentence,
      statements: [{ start: 0, end: sentence.length, verdict, citations: [], signals }],
      citations: [],
    });
    return { signals, report };
  };

  const borneOut = tell('On 160 days there is heavy snow in Tromsø.');
  const { likelihood, ...parts } = borneOut.signals.chosen ?? assert.fail();
  assertMadeOf(likelihood, parts);
  assert.match(
    borneOut.report,
    /^Supported; .*The words that are highlighted first are \d+% likely to bear it out: what they have of it [\d.]+, their place/m,
  );
  assert.match(borneOut.report, /% likely to be found at all\. /);

  const lacking = tell('The harbour master of Tromsø keeps four old lighthouses in good repair.');
  const foundBy = lacking.signals.foundBy ?? assert.fail();
  assertMadeOf(lacking.signals.found ?? 1, foundBy);
  assert.equal(lacking.signals.chosen, undefined);
  assert.match(
    lacking.report,
    /^Not found in the sources; .*% likely to be found at all: its words -?[\d.]+, their place/m,
  );

  const denied = tell('In Tromsø no heavy snow falls on 160 days.');
  const opposed = denied.signals.opposed ?? assert.fail();
  assertMadeOf(opposed.likelihood, opposed.parts ?? assert.fail());
  assert.ok(denied.signals.chosen !== undefined && denied.signals.foundBy === undefined);
  assert.match(
    denied.report,
    /^The source says the opposite; .*% likely to be contradicted, by a negation: its words [\d.]+, their order/m,
  );
});

test('what decided a verdict against the weights is told', () => {
  const sold = 'Birch Mill sold 57 carts of flour to the bakers of the town in the spring of 1871.';
  const evidence = prepareEvidence([makePassage({ ...snow, text: sold })]);
  const report = (sentence: string): string => {
    const { verdict, signals = assert.fail() } = checkSentence(sentence, [0], evidence);
    const statement = { start: 0, end: sentence.length, verdict, citations: [], signals };
    return readReport('Who?', [], {
      kind: 'written',
      model: 'm',
      text: sentence,
      statements: [statement],
      citations: [],
    });
  };
  assert.match(report(sold), /Supported: The source contains the statement word for word\./);
  assert.match(
    report(sold.replace('Birch', 'Willow')),
    /Partly supported; .*However likely it is, another name stands in a name’s place\./,
  );
  assert.match(
    report(sold.replace('flour to the bakers', '“flour to bakers”')),
    /Partly supported; .*% likely to be found at all\. However likely it is, words in quotation marks are not there\./,
  );
});
