import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  storedAnswer,
  storedCitation,
  storedFailure,
  storedOrigin,
  LOST_ORIGIN,
  readJson,
  readOptionalJson,
} from '../../src/index/store/database/stored-json.ts';

const span = { start: 0, end: 4 };
const citation = {
  ...{ number: 1, sourceId: 's', sourceKind: 'file', documentId: 1, title: 'a.md', place: 'L1' },
  ...{ uri: 'file:///a.md', mediaType: 'text/markdown', passage: span, span, quote: 'Beans' },
  locator: { kind: 'pdf', page: 1, rectangles: [] },
};

function throughJson(answer: object): unknown {
  const read = readOptionalJson(storedAnswer, JSON.stringify(answer));
  return read && (JSON.parse(JSON.stringify(read)) as unknown);
}

test('reads a saved column unchanged, with additions of a newer version', () => {
  const origin = { kind: 'folder', uri: 'file:///a', within: 'file:///', since: 'a newer version' };
  assert.deepEqual(readJson(storedOrigin, JSON.stringify(origin), LOST_ORIGIN), origin);
  const answer = { kind: 'nothing', text: 'No.', citations: [citation], isNewer: true };
  const read = readOptionalJson(storedAnswer, JSON.stringify(answer));
  assert.deepEqual(JSON.parse(JSON.stringify(read)), answer);
});

test('replaces kinds that are invalid, or that only a newer version knows', () => {
  assert.deepEqual(readJson(storedOrigin, '{"kind":"mailbox","uri":"imap://a"}', LOST_ORIGIN), LOST_ORIGIN);
  assert.deepEqual(readJson(storedOrigin, '{"kind":"file","uri":7}', LOST_ORIGIN), LOST_ORIGIN);
  assert.equal(readOptionalJson(storedAnswer, '{"kind":"drawn","text":"","citations":[]}'), undefined);
  const elsewhere = { ...citation, locator: { kind: 'cell', cell: 'first' } };
  assert.equal(readOptionalJson(storedCitation, JSON.stringify(elsewhere)), undefined);
  assert.equal(readOptionalJson(storedCitation, null), undefined);
});

test('reads saved details of an answer unchanged, and drops only damaged ones', () => {
  const statement = {
    ...span,
    verdict: 'supported',
    citations: [0],
    signals: { isVerbatim: true, added: 1 },
  };
  const read = {
    ...{ documentId: 1, title: 'a.md', place: 'L1', span, begins: 'Beans', score: 2, nearness: 0.7 },
    ...{ signals: { words: 1, section: 0.5, headings: 0.5, added: 1 }, words: ['beans'] },
  };
  const answer = {
    ...{ kind: 'written', model: 'm', text: 'Beans', statements: [statement], citations: [citation] },
    ...{ read: [read], like: { documentId: 1, span, quote: 'Beans' } },
  };
  assert.deepEqual(throughJson(answer), answer);

  const damaged = {
    ...answer,
    statements: [
      // Format of earlier versions.
      { ...statement, signals: { likelihood: 0.9, words: 1 } },
      { ...statement, verdict: 'perhaps' },
    ],
    read: [
      read,
      { ...read, span: 'all of it' },
      { ...read, nearness: 'near' },
      { ...read, signals: { words: 1 } },
    ],
    like: { documentId: 1, span },
  };
  const { like: _like, ...left } = answer;
  assert.deepEqual(throughJson(damaged), {
    ...left,
    statements: [
      { ...span, verdict: 'supported', citations: [0] },
      { ...statement, verdict: 'none' },
    ],
    read: [read, { ...read, signals: { words: 1 } }],
  });
});

test('keeps the text of quotes if their context is damaged', () => {
  const around = { text: 'Beans grow.', headings: ['A'], marks: [span], citations: [0], goesOn: false };
  const quote = { citation: 0, format: 'markdown', languageId: 'markdown', header: '| a |', around };
  const answer = { kind: 'quotes', text: 'Here:', quotes: [quote], citations: [citation] };
  assert.deepEqual(throughJson(answer), answer);
  const damaged = { citation: 0, format: 'poem', languageId: 3, header: 7, around: { ...around, marks: 1 } };
  assert.deepEqual(throughJson({ ...answer, quotes: [damaged] }), {
    ...answer,
    quotes: [{ citation: 0, format: 'prose' }],
  });
  assert.equal(throughJson({ ...answer, quotes: [{ ...quote, citation: 'first' }] }), undefined);
});

test('keeps the sentence of an error without its unknown action', () => {
  const failure = { message: 'No model.', action: 'pickModel' };
  assert.deepEqual(readOptionalJson(storedFailure, JSON.stringify(failure)), failure);
  assert.deepEqual(readOptionalJson(storedFailure, '{"message":"No model.","action":"dance"}'), {
    ...failure,
    action: undefined,
  });
  assert.equal(readOptionalJson(storedFailure, '{"action":"pickModel"}'), undefined);
});

test('drops an invalid rectangle of a citation, and replaces an unknown kind', () => {
  const rectangle = { page: 1, x: 0, y: 0, width: 10, height: 10 };
  const locator = { kind: 'pdf', page: 1, rectangles: [rectangle, { ...rectangle, x: null }] };
  const read = readOptionalJson(
    storedCitation,
    JSON.stringify({ ...citation, sourceKind: 'mailbox', locator }),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(read)), {
    ...citation,
    sourceKind: 'copy',
    locator: { ...locator, rectangles: [rectangle] },
  });
});

test('throws for invalid JSON, which reveals damage', () => {
  assert.throws(() => readJson(storedOrigin, '{"kind":', LOST_ORIGIN), SyntaxError);
});
