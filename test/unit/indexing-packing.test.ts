import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { PackedText, packText } from '../../src/indexing/store/packing.ts';

test('any part of any text is read as it was packed', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'word '.repeat(7_000),
      '😀'.repeat(16_500),
      '\ud83d',
      'é'.repeat(32_768),
      '漢字\n'.repeat(9_000),
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(150_000), fc.nat(70_000)), { maxLength: 8 }),
      (pieces, spans) => {
        const text = pieces.join('');
        const packed = new PackedText(packText(text));
        assert.equal(packed.length, text.length);
        for (const [start, length] of spans)
          assert.equal(packed.slice(start, start + length), text.slice(start, start + length));
        assert.equal(packed.whole(), text);
        assert.equal(packed.slice(3, 40_000), text.slice(3, 40_000));
      },
    ),
    { numRuns: 60 },
  );
});

test('texts that earlier versions packed are read', () => {
  for (const [mark, encoding] of [
    [8, 'utf8'],
    [16, 'utf16le'],
  ] as const) {
    const text = 'Herons wait in the reeds. 漢字';
    const packed = Buffer.concat([Buffer.of(mark), deflateRawSync(Buffer.from(text, encoding))]);
    const read = new PackedText(packed);
    assert.equal(read.length, text.length);
    assert.equal(read.slice(7, 11), 'wait');
    assert.equal(read.whole(), text);
  }
});

test('a passage is read without what is damaged elsewhere, and damage is no text', () => {
  const packed = packText('Herons wait. '.repeat(20_000));
  packed.fill(255, packed.length - 200);
  const read = new PackedText(packed);
  assert.equal(read.slice(0, 12), 'Herons wait.');
  assert.throws(() => read.whole());
  assert.throws(() => new PackedText(Buffer.of(3, 1, 2)));
  assert.throws(() => new PackedText(Buffer.of(9, 1)));
});
