import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordsInFrame } from '../../src/parsers/pdf/frame.ts';
import { letterWidth } from '../../src/parsers/pdf/letters.ts';

const frame = { origin: [10, 20], advance: [300, 0], up: [0, 12] } as const;

describe('words of a run', () => {
  for (const text of ['The WIDE  words, “quoted”', '东京 and 서울', 'e\u0301te\u0301 \u{1D400}\u{1D401} x'])
    it(`are where the widths of their letters put them: ${text}`, () => {
      const total = letterWidth(text, false);
      for (const { text: word, box } of wordsInFrame(text, frame, false, false)) {
        const from = letterWidth(text.slice(0, text.indexOf(word)), false) / total;
        const to = from + letterWidth(word, false) / total;
        const [left, right] = [10 + from * 300, 10 + to * 300];
        assert.deepEqual(box, [left, 20, right - left, 12]);
      }
    });

  it('are measured without looking up a letter twice', (t) => {
    const text = 'many words of the same few letters '.repeat(200);
    wordsInFrame(text, frame, false, false);
    const lookups = t.mock.method(RegExp.prototype, 'test').mock;
    assert.equal(wordsInFrame(text, frame, false, false).length, 1_400);
    assert.equal(lookups.callCount(), 0);
  });
});
