import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  storedAnswer,
  storedCitation,
  storedOrigin,
  LOST_ORIGIN,
  readJson,
  readOptionalJson,
} from '../../src/indexing/store/stored-json.ts';

const span = { start: 0, end: 4 };
const citation = {
  ...{ number: 1, sourceId: 's', sourceKind: 'file', documentId: 1, title: 'a.md', place: 'L1' },
  ...{ uri: 'file:///a.md', mediaType: 'text/markdown', passage: span, span, quote: 'Beans' },
  locator: { kind: 'pdf', page: 1, rectangles: [] },
};

test('what a column holds is read as it was kept, with what a newer version added to it', () => {
  const origin = { kind: 'folder', uri: 'file:///a', within: 'file:///', since: 'a newer version' };
  assert.deepEqual(readJson(storedOrigin, JSON.stringify(origin), LOST_ORIGIN), origin);
  const answer = { kind: 'nothing', text: 'No.', citations: [citation], isNewer: true };
  const read = readOptionalJson(storedAnswer, JSON.stringify(answer));
  assert.deepEqual(JSON.parse(JSON.stringify(read)), answer);
});

test('a kind that only a newer version knows, and what is none, is replaced and never taken for something else', () => {
  assert.deepEqual(readJson(storedOrigin, '{"kind":"mailbox","uri":"imap://a"}', LOST_ORIGIN), LOST_ORIGIN);
  assert.deepEqual(readJson(storedOrigin, '{"kind":"file","uri":7}', LOST_ORIGIN), LOST_ORIGIN);
  assert.equal(readOptionalJson(storedAnswer, '{"kind":"drawn","text":"","citations":[]}'), undefined);
  const elsewhere = { ...citation, locator: { kind: 'cell', cell: 'first' } };
  assert.equal(readOptionalJson(storedCitation, JSON.stringify(elsewhere)), undefined);
  assert.equal(readOptionalJson(storedCitation, null), undefined);
});

test('what is no JSON is an error, by which damage is noticed', () => {
  assert.throws(() => readJson(storedOrigin, '{"kind":', LOST_ORIGIN), SyntaxError);
});
