import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/r50k_base';
import ranks from 'gpt-tokenizer/bpeRanks/r50k_base';
import { byteCharacters } from '../../src/features/semantic-search/service/byte-characters.ts';
import { makeNormalizer } from '../../src/features/semantic-search/service/normalizers.ts';
import { makePreTokenizer } from '../../src/features/semantic-search/service/pre-tokenizers.ts';
import { readTokenizer } from '../../src/features/semantic-search/service/tokenizer.ts';
import { assertLinear } from '../support/growth.ts';
import { buildCharsmap } from '../support/build-charsmap.ts';
import { wordTokenizer } from '../support/made-model.ts';

/** Splits a text with a tokenizer whose tokens have these numbers. */
function cutPieces(spec: object, pieces: readonly string[], text: string): string[] {
  return readTokenizer(JSON.stringify(spec))
    .tokenize(text, 512)
    .map((id) => pieces[id] ?? '?');
}

describe('WordPiece', () => {
  const words = ['hugging', 'face', '##s', 'un', '##known', '##able', 'é', 'cafe', '中', '国', '!', '.'];
  const pieces = ['[PAD]', '[UNK]', ...words];
  const cut = (text: string): string[] => cutPieces(wordTokenizer(words) as object, pieces, text);

  test('uses the longest tokens from the left, and drops unknown ones', () => {
    assert.deepEqual(cut('Hugging faces!'), ['hugging', 'face', '##s', '!']);
    // A word that can't be split into tokens completely is unknown as a whole.
    assert.deepEqual(cut('unknownable unknownx un.'), ['un', '##known', '##able', 'un', '.']);
  });

  test('reads text as BERT does: without accents and control characters, and by Chinese character', () => {
    assert.deepEqual(cut('CAFÉ\u0000\t中国'), ['cafe', '中', '国']);
    assert.deepEqual(cut('caf\u00ade\u200b'), ['cafe']);
    assert.deepEqual(cut(`${'un'.repeat(60)} face`), ['face']);
  });

  test('keeps the token limit, and recognizes the model’s special tokens in a text', () => {
    const tokenizer = readTokenizer(JSON.stringify(wordTokenizer(words)));
    assert.equal(tokenizer.tokenize('un '.repeat(600), 512).length, 512);
    assert.equal(tokenizer.tokenize('un '.repeat(600), 7).length, 7);
    assert.deepEqual(cut('face[UNK]faces'), ['face', 'face', '##s']);
    assert.deepEqual(cut(''), []);
  });
});

describe('Unigram', () => {
  const spec = (vocab: readonly (readonly [string, number])[], more: object = {}): object => ({
    added_tokens: [],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        {
          type: 'Precompiled',
          precompiled_charsmap: buildCharsmap({ ﬁ: 'fi', '\u00a0': ' ', ﬀ: 'ff', 'e\u0301': 'é' }),
        },
        { type: 'Replace', pattern: { String: '.' }, content: ' . ' },
        { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
        { type: 'Strip', strip_left: true, strip_right: true },
      ],
    },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
    model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0], ...vocab], ...more },
  });
  const known = [
    ['▁', -3],
    ['▁fi', -4],
    ['▁fish', -5],
    ['sh', -3],
    ['▁.', -2],
    ['▁New', -5],
    ['▁New▁York', -6],
    ['▁York', -6],
    ['é', -4],
    ['x', -6],
  ] as const;
  const pieces = ['<unk>', ...known.map(([piece]) => piece)];
  const cut = (text: string, more?: object): string[] => cutPieces(spec(known, more), pieces, text);

  test('splits into the likeliest tokens, also across a space', () => {
    assert.deepEqual(cut('fish'), ['▁fish']);
    assert.deepEqual(cut('ﬁsh.\u00a0 fi'), ['▁fish', '▁.', '▁fi']);
    assert.deepEqual(cut('New York fish'), ['▁New▁York', '▁fish']);
    assert.deepEqual(cut('New fish York'), ['▁New', '▁fish', '▁York']);
  });

  test('drops characters without a token, or writes them in bytes', () => {
    assert.deepEqual(cut('fiéz𝒳sh'), ['▁fi', 'é', 'sh']);
    // Contains an accent after its letter, and a separate one.
    assert.deepEqual(cut('fie\u0301'), ['▁fi', 'é']);
    assert.deepEqual(cut('fi\u0301x'), ['▁fi', 'x']);
    const bytes = Array.from({ length: 256 }, (_, byte) => {
      return [`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, -9] as const;
    });
    const all = [...known, ...bytes];
    const pieces = cutPieces(
      spec(all, { byte_fallback: true }),
      ['<unk>', ...all.map(([piece]) => piece)],
      'fiz𝒳',
    );
    assert.deepEqual(pieces, ['▁fi', '<0x7A>', '<0xF0>', '<0x9D>', '<0x92>', '<0xB3>']);
  });

  test('finds the same as an exhaustive search', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '▁', '中'), minLength: 1, maxLength: 4 });
    const vocabulary = fc.uniqueArray(fc.tuple(letters, fc.integer({ min: -90, max: -10 })), {
      selector: ([piece]) => piece,
      minLength: 1,
      maxLength: 12,
    });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '中'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(vocabulary, text, (vocab, text) => {
        const plain = {
          pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'never', split: false },
          model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', -50], ...vocab] },
        };
        const scores = new Map(vocab);
        const least = Math.min(0, -50, ...scores.values()) - 10;
        const score = readTokenizer(JSON.stringify(plain))
          .tokenize(text, 512)
          .reduce((sum, id) => sum + (vocab[id - 1]?.[1] ?? 0), 0);
        const best = bestScore(text.replaceAll(' ', '▁'), scores, least);
        assert.equal(score, best);
      }),
    );
  });
});

/** Returns the best total score of all ways to split a text into known tokens. */
function bestScore(text: string, scores: ReadonlyMap<string, number>, unknown: number): number {
  const best: { total: number; known: number }[] = [{ total: 0, known: 0 }];
  for (let end = 1; end <= text.length; end++) {
    let bestSoFar = { total: -Infinity, known: 0 };
    for (let start = 0; start < end; start++) {
      const piece = text.slice(start, end);
      const score = scores.get(piece);
      const before = best[start] ?? { total: -Infinity, known: 0 };
      const total = before.total + (score ?? (piece.length === 1 ? unknown : -Infinity));
      if (total > bestSoFar.total) bestSoFar = { total, known: before.known + (score ?? 0) };
    }
    best.push(bestSoFar);
  }
  return best.at(-1)?.known ?? 0;
}

describe('byte pairs', () => {
  test('are merged as in GPT-2, in any language', () => {
    const tokens = ranks.map((token) =>
      typeof token === 'string' ? byteCharacters(token) : bytesInCharacters(token),
    );
    const spec = {
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
      model: {
        type: 'BPE',
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: listMerges(tokens),
      },
    };
    const { tokenize: toTokens } = readTokenizer(JSON.stringify(spec));
    const texts = [
      "The quick brown fox doesn't jump; it's been 1234 days!",
      'git rebase --interactive HEAD~3   # three spaces\n\n\tdef f(x):\n        return x**2',
      'Größere Öfen, naïve façade, señor, Ελληνικά, русский язык',
      '搜索模型的意义。日本語のテキスト、한국어 문장',
      '🎉👩‍👩‍👧 emoji 𝒳 zero\u200bwidth',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.repeat(20),
    ];
    for (const text of texts) assert.deepEqual(toTokens(text, 5_000), encode(text), text.slice(0, 40));
  });

  test('of a long word take almost linear time', () => {
    const vocab = Object.fromEntries(['a', 'aa', 'aaaa', 'aaaaaaaa'].map((piece, id) => [piece, id]));
    const spec = { model: { type: 'BPE', vocab, merges: ['a a', ['aa', 'aa'], 'aaaa aaaa'] } };
    const { tokenize: toTokens } = readTokenizer(JSON.stringify(spec));
    assertLinear((length) => {
      assert.equal(toTokens('a'.repeat(2 * length), length).length, length / 4);
    }, 4_000);
  });

  test('fall back to bytes, or drop unknown ones', () => {
    const bytes = Array.from(
      { length: 256 },
      (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    );
    const pieces = [...bytes, '<unk>', '▁', 'a', '▁a'];
    const spec = {
      normalizer: {
        type: 'Sequence',
        normalizers: [
          { type: 'Prepend', prepend: '▁' },
          { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
        ],
      },
      model: {
        type: 'BPE',
        unk_token: '<unk>',
        byte_fallback: true,
        vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
        merges: ['▁ a'],
      },
    };
    assert.deepEqual(cutPieces(spec, pieces, 'a é'), ['▁a', '▁', '<0xC3>', '<0xA9>']);
    const plain = { ...spec, model: { ...spec.model, byte_fallback: false } };
    assert.deepEqual(cutPieces(plain, pieces, 'a éa'), ['▁a', '▁', 'a']);
  });
});

/** Returns the merges of GPT-2: each token except single bytes joins two earlier ones. */
function listMerges(tokens: readonly string[]): [string, string][] {
  const ranked = new Map(tokens.map((token, rank) => [token, rank]));
  return tokens.flatMap((token, rank): [string, string][] => {
    let parts = Array.from(token);
    while (parts.length > 2) {
      let [first, least] = [-1, rank];
      for (let at = 0; at + 1 < parts.length; at++) {
        const of = ranked.get(`${parts[at]!}${parts[at + 1]!}`) ?? rank;
        if (of < least) [first, least] = [at, of];
      }
      if (first < 0) return [];
      parts = parts.toSpliced(first, 2, `${parts[first]!}${parts[first + 1]!}`);
    }
    return parts.length === 2 ? [[parts[0]!, parts[1]!]] : [];
  });
}

function bytesInCharacters(bytes: readonly number[]): string {
  // Contains each byte in GPT-2's notation, whether or not the bytes are valid UTF-8.
  const table = byteTable();
  return bytes.map((byte) => table[byte]!).join('');
}

function byteTable(): string[] {
  const printable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
}

describe('preprocessing steps', () => {
  test('replace, strip, and normalize as configured', () => {
    const normalize = (spec: object, text: string): string => makeNormalizer(spec)(text);
    assert.equal(normalize({ type: 'NFKC' }, '①ﬁ'), '1fi');
    assert.equal(normalize({ type: 'Lowercase' }, 'ÄB'), 'äb');
    assert.equal(normalize({ type: 'Strip', strip_left: false, strip_right: true }, ' a '), ' a');
    const signs = ['!', '-', '^', ']'].map((sign) => ({
      type: 'Replace',
      pattern: { String: sign },
      content: ` ${sign} `,
    }));
    assert.equal(normalize({ type: 'Sequence', normalizers: signs }, 'a-b!^]'), 'a - b !  ^  ] ');
    // Each rule produces the input of the next one.
    const chain = [
      { type: 'Replace', pattern: { String: 'a' }, content: 'b' },
      { type: 'Replace', pattern: { String: 'b' }, content: 'c' },
    ];
    assert.equal(normalize({ type: 'Sequence', normalizers: chain }, 'ab'), 'cc');
  });

  test('convert to lowercase if a charsmap does', () => {
    const precompiled_charsmap = buildCharsmap({ A: 'a', B: 'b', Ä: 'ä', '\n': ' ' });
    assert.equal(makeNormalizer({ type: 'Precompiled', precompiled_charsmap })('CAB\nÄ中A'), 'Cab ä中a');
  });

  test('split as configured', () => {
    const cut = (spec: object, text: string): readonly string[] => makePreTokenizer(spec)([text]);
    assert.deepEqual(cut({ type: 'Whitespace' }, "it's 3.5€ "), ['it', "'", 's', '3', '.', '5', '€']);
    assert.deepEqual(cut({ type: 'WhitespaceSplit' }, ' a  b,c '), ['a', 'b,c']);
    assert.deepEqual(cut({ type: 'Metaspace', replacement: '▁' }, 'a b'), ['▁a', '▁b']);
    assert.deepEqual(cut({ type: 'Punctuation' }, 'a,b'), ['a', ',', 'b']);
    assert.deepEqual(cut({ type: 'Digits', individual_digits: true }, 'a12'), ['a', '1', '2']);
    const split = (behavior: string): readonly string[] =>
      cut({ type: 'Split', pattern: { String: '-' }, behavior }, 'a-b--c');
    assert.deepEqual(split('Removed'), ['a', 'b', 'c']);
    assert.deepEqual(split('Isolated'), ['a', '-', 'b', '-', '-', 'c']);
    assert.deepEqual(split('MergedWithPrevious'), ['a-', 'b-', '-', 'c']);
    assert.deepEqual(split('MergedWithNext'), ['a', '-b', '-', '-c']);
    assert.deepEqual(split('Contiguous'), ['a', '-', 'b', '--', 'c']);
  });

  test('are named if they are unknown', () => {
    const model = { type: 'WordPiece', vocab: { a: 0 } };
    for (const spec of [
      { model: { type: 'WordLevel', vocab: { a: 0 } } },
      { model, normalizer: { type: 'Wordlevel' } },
      { model, pre_tokenizer: { type: 'WordLevel' } },
    ])
      assert.throws(() => readTokenizer(JSON.stringify(spec)), {
        code: 'unsupported',
        message: /“Wordlevel”/i,
      });
    for (const precompiled_charsmap of ['AAAA', '/////w==', 'AwAAAA=='])
      assert.throws(() => makeNormalizer({ type: 'Precompiled', precompiled_charsmap }), { code: 'damaged' });
    for (const json of [
      '',
      '[]',
      '{"model":{"type":"Unigram","vocab":[["a"]]}}',
      '{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}',
      '{"model":{"type":"BPE","vocab":{"a":"first"},"merges":[]}}',
      '{"model":{"type":"WordPiece","vocab":{"a":"first"}}}',
      '{"model":{"type":"WordPiece","vocab":{"a":0.5}}}',
      '{"model":{"type":"WordPiece","vocab":["a"]}}',
    ])
      assert.throws(
        () => readTokenizer(json),
        { code: 'damaged', message: /isn’t part of a Model2Vec model/ },
        json,
      );
  });
});
