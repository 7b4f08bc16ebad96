import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import type { OffsetMap } from '../../src/core/domain/document.ts';
import {
  PackedText,
  packMap,
  packText,
  packTextInThreadPool,
  unpackMap,
} from '../../src/index/store/sources/packing.ts';
import { rounds } from '../support/test-size.mjs';

test('reads any part of any packed text unchanged', () => {
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
        assert.equal(packed.readWhole(), text);
        assert.equal(packed.slice(3, 40_000), text.slice(3, 40_000));
      },
    ),
    { numRuns: rounds(20, 60) },
  );
});

test('packs a text in the thread pool as it does at once', async () => {
  for (const text of ['', 'short', 'a', '\ud83d alone', '漢字\n'.repeat(9_000), '😀'.repeat(16_500)])
    assert.deepEqual(await packTextInThreadPool(text), packText(text));
});

const map: OffsetMap = {
  kind: 'pdf',
  pages: [{ width: 595, height: 842, label: undefined, start: 0 }],
  starts: Uint32Array.of(0),
  ends: Uint32Array.of(5),
  pageOf: Uint16Array.of(0),
  boxes: Float32Array.of(72, 700, 50, 12),
  directions: Uint8Array.of(0),
};

test('packs small maps without compression, in the format of all versions', () => {
  const small: OffsetMap = { kind: 'text', origin: { line: 3, character: 0 } };
  const packed = packMap(small);
  assert.equal(packed[0], 1);
  assert.deepEqual(inflateRawSync(packed), serialize(small));
});

test('stores an offset map unchanged, and throws for an invalid one', () => {
  assert.deepEqual(unpackMap(packMap(map)), map);
  const aligned = { starts: map.starts, lengths: map.ends, lines: map.starts, characters: map.starts };
  const others: OffsetMap[] = [
    { kind: 'text', origin: { line: 3, character: 0 } },
    { kind: 'saved', places: undefined },
    { kind: 'saved', places: { starts: map.starts, labels: ['slide 1'] } },
    { kind: 'aligned', ...aligned },
    { kind: 'cells', ...aligned, cells: map.starts },
  ];
  for (const other of others) assert.deepEqual(unpackMap(packMap(other)), other);
  const damaged: unknown[] = [
    { ...map, starts: [0] },
    { ...map, kind: 'drawing' },
    { ...map, pages: 1 },
    'map',
  ];
  for (const other of damaged) assert.throws(() => unpackMap(deflateRawSync(serialize(other))));
  assert.throws(() => unpackMap(packMap(map).subarray(4)));
});

test('reads texts that earlier versions packed', () => {
  for (const [mark, encoding] of [
    [8, 'utf8'],
    [16, 'utf16le'],
  ] as const) {
    const text = 'Herons wait in the reeds. 漢字';
    const packed = Buffer.concat([Buffer.of(mark), deflateRawSync(Buffer.from(text, encoding))]);
    const read = new PackedText(packed);
    assert.equal(read.length, text.length);
    assert.equal(read.slice(7, 11), 'wait');
    assert.equal(read.readWhole(), text);
  }
});

test('reads a passage despite damage elsewhere, and throws for damaged text', () => {
  const packed = packText('Herons wait. '.repeat(20_000));
  packed.fill(255, packed.length - 200);
  const read = new PackedText(packed);
  assert.equal(read.slice(0, 12), 'Herons wait.');
  assert.throws(() => read.readWhole());
  assert.throws(() => new PackedText(Buffer.of(3, 1, 2)));
  assert.throws(() => new PackedText(Buffer.of(9, 1)));
});
