import assert from 'node:assert/strict';
import { similarWords } from '../../src/core/language/words/spelling.ts';
import { test } from 'node:test';
import fc from 'fast-check';
import { PostingLists } from '../../src/index/search/lexical/posting-lists.ts';
import { numberSlot, readCount } from '../../src/index/search/lexical/posting-reader.ts';
import { PassageIndex, type Hit, type IndexedPassage } from '../../src/index/search/lexical/passage-index.ts';
import { SnapshotError } from '../../src/index/search/lexical/snapshot-arrays.ts';
import { Postings } from '../../src/index/search/lexical/postings.ts';
import { WordTokenizer } from '../../src/core/language/words/tokenizer.ts';
import { seededRandom } from '../support/durability-random.ts';
import { rounds } from '../support/test-size.mjs';

const passage = (id: number, terms: string, sourceId = 's'): IndexedPassage => ({ id, sourceId, terms });

async function makeIndex(...passages: IndexedPassage[]): Promise<PassageIndex> {
  const index = PassageIndex.create();
  await index.add(passages);
  return index;
}

const hitIds = (hits: readonly Hit[]): number[] => hits.map(({ id }) => id);

/** Returns scores of textbook BM25 over words that stemming and stop words don't change. */
function reference(passages: readonly IndexedPassage[], question: string): Hit[] {
  const texts = passages.map(({ terms }) => terms.split(' ').filter((term) => term !== ''));
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const hits = passages.map(({ id }, i) => {
    const text = texts[i]!;
    let score = 0;
    for (const term of new Set(question.split(' '))) {
      const count = text.filter((word) => word === term).length;
      const holding = texts.filter((words) => words.includes(term)).length;
      const rarity = Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
      score += (rarity * count * 2.5) / (count + 1.5 * (0.1 + (0.9 * text.length) / average));
    }
    return { id, score };
  });
  return hits.filter(({ score }) => score > 0);
}

function assertSameHits(actual: readonly Hit[], expected: readonly Hit[]): void {
  const scores = new Map(expected.map(({ id, score }) => [id, score]));
  assert.equal(actual.length, expected.length);
  for (const { id, score } of actual) assert.ok(Math.abs(score - (scores.get(id) ?? NaN)) < 1e-9, String(id));
  for (const [i, { score }] of actual.entries()) assert.ok(i === 0 || score <= actual[i - 1]!.score);
}

test('ranks as BM25 after adding, replacing, removing, and reloading', async () => {
  const words = ['fox', 'wolf', 'bear', 'owl', 'constructor', 'heron'];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(' '));
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        id: fc.integer({ min: 1, max: 20 }),
        text,
        source: fc.constantFrom('a', 'b'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 20 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom(...words),
      fc.constantFrom(...words),
      async (steps, one, two) => {
        let index = PassageIndex.create();
        const truth = new Map<number, IndexedPassage>();
        const toRow = (id: number): number => id * 1_000_000_007;
        for (const change of steps) {
          if (change.kind === 'reload') index = PassageIndex.read(index.write(7)).index;
          else if (change.kind === 'remove') {
            truth.delete(toRow(change.id));
            await index.remove([toRow(change.id)]);
          } else {
            const added = passage(toRow(change.id), change.text, change.source);
            truth.set(added.id, added);
            await index.add([added]);
          }
        }
        const question = `${one} ${two}`;
        const all = [...truth.values()];
        const expected = reference(all, question);
        assertSameHits(await index.search(question, { limit: 100 }), expected);
        assertSameHits(
          await index.search(question, { limit: 100, sourceIds: ['b', 'unknown'] }),
          expected.filter(({ id }) => truth.get(id)?.sourceId === 'b'),
        );
        assert.equal(index.size, truth.size);
        assert.deepEqual(new Set(index.ids()), new Set(truth.keys()));
      },
    ),
    { numRuns: rounds(60, 300) },
  );
});

/** Returns a word of consonants for a number, which no stemmer changes. */
const wordFor = (number: number): string =>
  `x${String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!)}x`;

test('removes the gaps of many removed passages and stays usable', async () => {
  const index = await makeIndex(
    ...Array.from({ length: 3_000 }, (_, i) => passage(i + 1, `common ${wordFor(i)}`)),
  );
  await index.remove(Array.from({ length: 1_500 }, (_, i) => i * 2 + 1));
  assert.equal(index.statistics().removed, 0);
  assert.equal(index.size, 1_500);
  assert.deepEqual(hitIds(await index.search(wordFor(1), { limit: 5 })), [2]);
  assert.deepEqual(await index.search(wordFor(0), { limit: 5 }), []);
  await index.add([passage(1, wordFor(0))]);
  assert.deepEqual(hitIds(await index.search(wordFor(0), { limit: 5 })), [1]);
});

test('returns as many matches as requested, up to 256', async () => {
  const index = await makeIndex(
    ...Array.from({ length: 1_000 }, (_, i) => passage(i + 1, `fox ${'owl '.repeat(i % 7)}`)),
  );
  assert.equal((await index.search('fox', { limit: 3 })).length, 3);
  assert.equal((await index.search('fox', { limit: 1_000 })).length, 256);
  const best = await index.search('fox owl', { limit: 256 });
  assert.ok(best.every(({ id }) => (id - 1) % 7 > 0));
});

test('uses the declared language for a passage that is too short to detect one', async () => {
  const ask = async (language: string | undefined, terms: string, question: string): Promise<number> => {
    const index = await makeIndex({ ...passage(1, terms), language });
    return (await index.search(question, { limit: 5 })).length;
  };
  const short = 'Öffnungszeiten: Laternen und Glocken';
  for (const question of ['Wann läutet die Glocke?', 'Laterne'])
    assert.equal(await ask('de-AT', short, question), 1, question);
  const hasStem = async (language: string | undefined): Promise<boolean> =>
    (await makeIndex({ ...passage(1, short), language })).weighTerms('Laterne').has('latern');
  assert.deepEqual([await hasStem(undefined), await hasStem('de-AT')], [false, true]);
  assert.equal(await ask('tr', 'Kitaplar: rafta', 'kitap'), 1);
  // An unknown language is ignored.
  assert.equal(await ask('tlh', 'The lanterns are green', 'lantern'), 1);
  // A few English words in code, or a plain English text, are English even on a page in another language.
  assert.equal(await ask('de', 'for (const lanterns of this.all) if (lanterns.lit) return', 'lantern'), 1);
  const english = 'The lanterns of the harbour are lit at nine, and they are put out when it is light again.';
  assert.equal(await ask('de', english, 'lantern harbours'), 1);
});

test('replaces a passage with the same ID', async () => {
  const index = await makeIndex(passage(5, 'fox'), passage(5, 'owl'));
  assert.equal(index.size, 1);
  assert.deepEqual(await index.search('fox', { limit: 5 }), []);
  assert.deepEqual(hitIds(await index.search('owl', { limit: 5 })), [5]);
});

test('has room for new terms after compaction', () => {
  const lists = new PostingLists();
  lists.add(
    1,
    Uint32Array.from({ length: 3_100 }, (_, term) => term),
  );
  const isKept = lists.compact(Uint32Array.of(0, 1));
  assert.ok(isKept(0) && isKept(3_099));
  lists.add(2, Uint32Array.of(3_500, 5, 3_600, 3_500));
  const postingsOf = (term: number): number[][] => {
    const postings = lists.of(term);
    return Array.from({ length: postings.length }, (_, i) => {
      const posting = postings.at(i);
      return [numberSlot(posting), readCount(posting)];
    });
  };
  assert.deepEqual([5, 3_099, 3_500, 3_600].map(postingsOf), [
    [
      [1, 1],
      [2, 1],
    ],
    [[1, 1]],
    [[2, 2]],
    [[2, 1]],
  ]);
});

test('removes passages from searches, IDs, and snapshots', async () => {
  const index = await makeIndex(passage(1, 'fox'), passage(2, 'owl'));
  await index.remove([1, 99]);
  assert.ok(!index.has(1));
  assert.deepEqual(await index.search('fox', { limit: 5 }), []);
  const bytes = Buffer.from(index.write(1));
  assert.ok(bytes.includes('owl', 0, 'utf16le'));
  assert.ok(!bytes.includes('fox', 0, 'utf16le'));
});

test('treats names of object properties as ordinary words', async () => {
  const index = await makeIndex(passage(1, 'constructor'), passage(2, '__proto__ toString'));
  assert.deepEqual(hitIds(await index.search('constructor', { limit: 5 })), [1]);
  assert.deepEqual(hitIds(await index.search('__proto__', { limit: 5 })), [2]);
  assert.deepEqual(await index.search('hasOwnProperty', { limit: 5 }), []);
});

test('finds nothing for an empty question or in an empty index', async () => {
  assert.deepEqual(await PassageIndex.create().search('fox', { limit: 5 }), []);
  assert.deepEqual(await (await makeIndex(passage(1, 'fox'), passage(2, ''))).search('', { limit: 5 }), []);
  assert.deepEqual(PassageIndex.read(PassageIndex.create().write(0)).index.ids(), []);
});

test('saves revision, languages, sources, and large IDs in a snapshot', async () => {
  const german =
    'Die Verbindungen werden von dem Server nicht mehr angenommen, und die Sitzung ist damit beendet.';
  const before = await makeIndex(passage(2 ** 52, german, 'quelle'), passage(3, '日本語 naïve', 'q2'));
  const { index, revision } = PassageIndex.read(before.write(2 ** 40 + 1));
  assert.equal(revision, 2 ** 40 + 1);
  assert.deepEqual(hitIds(await index.search('Verbindung', { limit: 5, sourceIds: ['quelle'] })), [2 ** 52]);
  assert.deepEqual(hitIds(await index.search('日本', { limit: 5 })), [3]);
  await index.add([passage(4, 'naive', 'q2')]);
  assert.deepEqual(hitIds(await index.search('naïve', { limit: 5 })).sort(), [3, 4]);
});

test('uses the memory of its snapshot, with few bytes a posting', async () => {
  const random = seededRandom(9);
  const texts = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 60 }, () => wordFor(Math.floor(500 ** random()))),
  );
  const postings = texts.reduce((sum, words) => sum + new Set(words).size, 0);
  const index = await makeIndex(...texts.map((words, i) => passage(i + 1, words.join(' '))));
  const bytes = index.write(1);
  const ofPostings = bytes.length - 50 * texts.length;
  assert.ok(ofPostings < 2.5 * postings, `${String(ofPostings / postings)} bytes a posting`);
  const allocatedByReading = (snapshot: Uint8Array): number => {
    const before = process.memoryUsage().arrayBuffers;
    PassageIndex.read(snapshot);
    return process.memoryUsage().arrayBuffers - before;
  };
  const allocated = allocatedByReading(bytes) - allocatedByReading(PassageIndex.create().write(1));
  assert.ok(allocated < 0.2 * bytes.length, `${String(allocated)} of ${String(bytes.length)} bytes`);
});

test('rejects a snapshot that is damaged, truncated, or too long', async () => {
  const bytes = (await makeIndex(passage(1, 'fox and owl', 'a'), passage(2, 'the boar', 'b'))).write(3);
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of [1, 128]) {
      const damaged = bytes.slice();
      damaged[at]! ^= bit;
      assert.throws(() => PassageIndex.read(damaged), SnapshotError, String(at));
    }
    assert.throws(() => PassageIndex.read(bytes.slice(0, at)), SnapshotError);
  }
  assert.throws(() => PassageIndex.read(Buffer.concat([bytes, Buffer.of(0)])), SnapshotError);
});

test('finds a misspelled word if no passage contains it as entered', async () => {
  const index = await makeIndex(passage(1, 'the kangaroo hops'), passage(2, 'a walrus and error 23457'));
  for (const question of ['kangoroo', 'kangarooo', 'kangaro', 'knagaroo', 'what is a kangoroo?']) {
    assert.deepEqual(hitIds(await index.search(question, { limit: 5 })), [1], question);
    assert.ok(
      [...index.weighTerms(question).keys()].some((term) => term.startsWith('kangaroo')),
      question,
    );
  }
  assert.deepEqual(hitIds(await index.search('kangoroo walrus', { limit: 5 })).sort(), [1, 2]);
  assert.deepEqual(
    hitIds(await index.search('hips walrus', { limit: 5 })),
    [2],
    'a short word beside another',
  );
  for (const question of ['kongoroo', '23458', 'wal', 'hps'])
    assert.deepEqual(await index.search(question, { limit: 5 }), [], question);
  assert.deepEqual(await index.search('kangoroo', { limit: 5, sourceIds: ['other'] }), []);
});

test('weighs the replacement of a lacking word less than another word', async () => {
  const index = await makeIndex(passage(1, 'the getter is new'), passage(2, 'the walrus is old'));
  assert.deepEqual(hitIds(await index.search('letter walrus', { limit: 5 })), [2, 1]);
});

const germanPlan =
  'Die Gates sind nicht mehr offen. Der Hafenplan hängt nicht mehr am Haus, sondern er ist nun am Hafen.';

test('weighs the stems of a word in several languages as one', async () => {
  const english = 'The gates of the harbour are shown on the map, and they are open from today.';
  const index = await makeIndex(
    ...Array.from({ length: 9 }, (_, i) => passage(i + 1, english)),
    passage(10, germanPlan),
  );
  const weights = index.weighTerms('gates');
  assert.deepEqual([...weights.keys()], ['gate', 'gat']);
  assert.equal(weights.get('gat'), weights.get('gate'));
});

test('does not search for names in code as compounds of a word', async () => {
  const code = 'const busPlan = this.readPlan(bus)';
  const index = await makeIndex(passage(1, germanPlan), passage(2, code));
  assert.deepEqual([...index.weighTerms('plan').keys()], ['plan', 'hafenplan']);
});

test('compares misspelled words with a limited number of others', () => {
  let looked = 0;
  const vocabulary = function* (): Generator<string> {
    for (; looked < 5_000_000; looked++) yield `none${String(looked)}`;
  };
  const queries = Array.from({ length: 200 }, (_, i) => `q${wordFor(i)}qq`);
  assert.deepEqual(similarWords(queries, vocabulary()), []);
  assert.ok(looked <= 500_000, String(looked));
});

test('finds a misspelled word among a hundred thousand others', async () => {
  const words = Array.from({ length: 100_000 }, (_, i) => wordFor(i));
  const index = await makeIndex(passage(1, words.join(' ')), passage(2, 'kangaroo'));
  assert.deepEqual(hitIds(await index.search('kangoroo', { limit: 5 })), [2]);
  assert.ok(index.weighTerms('kangoroo').has('kangaroo'));
  await index.add([passage(3, 'kangoroo')]);
  assert.deepEqual(hitIds(await index.search('kangoroo', { limit: 5 })), [3]);
});

/** Returns empty postings, and a function that adds a passage. */
function makePostings(): { postings: Postings; tokenizer: WordTokenizer; add: (text: string) => void } {
  const postings = new Postings();
  const tokenizer = new WordTokenizer();
  const add = (text: string): void => {
    postings.add(postings.slots + 1, tokenizer.numbersOfPassage(text, postings.vocabulary));
  };
  return { postings, tokenizer, add };
}

test('reads few postings to find compounds of a frequent word', () => {
  const { postings, tokenizer, add } = makePostings();
  // A text in a language with compounds.
  add('Die Verbindungen werden von dem Server nicht mehr angenommen, und die Sitzung ist damit beendet.');
  for (let i = 0; i < 5_000; i++) add('lantern');
  for (const part of ['hook', 'post', 'band']) add(`lantern${part} ${part}`);
  for (const part of ['room', 'rack']) add(`lantern lantern${part} ${part}`);
  const terms = postings.foundTerms(tokenizer.questionWords('lantern'), tokenizer);
  assert.deepEqual([...terms.keys()].filter((term) => term.startsWith('lantern')).sort(), [
    'lantern',
    'lanternband',
    'lanternhook',
    'lanternpost',
  ]);
  const { lookups, postings: read } = postings.work;
  assert.ok(lookups + read < 6_000, `${String(lookups)} passages looked up, ${String(read)} postings read`);
});

test('looks at no more compounds of a word than it searches for', () => {
  const { postings, tokenizer, add } = makePostings();
  add('Die Verbindungen werden von dem Server nicht mehr angenommen, und die Sitzung ist damit beendet.');
  for (let i = 0; i < 2_000; i++) {
    const part = `ho${wordFor(1_000 + i)}`;
    add(`lantern${part} ${part}`);
  }
  add('lantern');
  postings.foundTerms(tokenizer.questionWords('lantern'), tokenizer);
  const { lookups, postings: read } = postings.work;
  assert.ok(lookups + read < 100, `${String(lookups)} passages looked up, ${String(read)} postings read`);
});

test('compares a limited number of compounds that passages have only with their word', () => {
  const { postings, tokenizer, add } = makePostings();
  add('Die Verbindungen werden von dem Server nicht mehr angenommen, und die Sitzung ist damit beendet.');
  for (let i = 0; i < 2_000; i++) {
    const part = `ho${wordFor(1_000 + i)}`;
    add(`lantern lantern${part} ${part}`);
  }
  postings.foundTerms(tokenizer.questionWords('lantern'), tokenizer);
  const { lookups, postings: read } = postings.work;
  // A table of the word's passages, and the passages of 64 compounds.
  assert.ok(lookups + read < 2_200, `${String(lookups)} passages looked up, ${String(read)} postings read`);
});

test('searches a question of many common words by the rarest', async () => {
  const common = Array.from({ length: 800 }, (_, i) => wordFor(i)).join(' ');
  const index = await makeIndex(
    ...Array.from({ length: 2_500 }, (_, i) => passage(i + 1, i === 1_700 ? `${common} kangaroo` : common)),
  );
  const [best] = await index.search(`${common} kangaroo`, { limit: 1 });
  assert.equal(best?.id, 1_701);
});
