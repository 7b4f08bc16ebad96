import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCitedText } from '../../src/index/library/read-citations.ts';
import { shownVerdict, type Statement } from '../../src/core/domain/answer.ts';

const here = { documentIds: new Map<number, number>(), fileAt: () => '' };
const span = { start: 0, end: 5 };

test('imports the shown verdicts of statements', () => {
  const statements: Statement[] = [
    { ...span, verdict: 'supported', citations: [], signals: { isVerbatim: true } },
    { ...span, verdict: 'supported', citations: [], computed: '305 * 2 = 610' },
    { ...span, verdict: 'contradicted', citations: [], checkedBy: 'judge-1', deciding: 'Rain falls' },
    { ...span, verdict: 'supported', citations: [] },
  ];
  const read = readCitedText({ text: 'Beans', statements, citations: [] }, here);
  assert.deepEqual(read.statements, statements);
  assert.deepEqual(
    read.statements.map((statement) => shownVerdict(statement)),
    ['supported', 'supported', 'contradicted', 'unchecked'],
  );
});

test('imports statements with what earlier versions had weighed', () => {
  const statement = { ...span, verdict: 'supported', citations: [], signals: { likelihood: 0.9, words: 1 } };
  const { statements } = readCitedText({ text: 'Beans', statements: [statement], citations: [] }, here);
  assert.deepEqual(
    statements.map((each) => shownVerdict(each)),
    ['unchecked'],
  );
});
