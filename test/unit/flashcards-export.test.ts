// Runs in a process of its own: it changes the environment.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { writeAnki } from '../../src/features/flashcards/service/anki.ts';
import type { DeckExport } from '../../src/features/flashcards/service/export-api.ts';
import { cardHtml } from '../../src/features/flashcards/service/card-html.ts';
import { writeCardTable } from '../../src/features/flashcards/service/export.ts';
import { schedules } from '../../src/features/flashcards/service/schedule.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { NEW_CARD, type Card, type CardReview } from '../../src/features/flashcards/model.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { readCsv } from '../../src/parsers/separated-values.ts';
import { smallDisk } from '../support/small-disk.ts';
import { newFolder } from '../support/opened-databases.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const DAY = 86_400_000;
function card(id: string, text: Partial<Card>): Card {
  const citation = { title: 'harbour.md', place: 'Ships', uri: 'file:///x', quote: 'Words.' } as Citation;
  return {
    ...{ id, deckId: 'deck', kind: 'question', front: 'Front', back: 'Back', maker: 'hand', citation },
    ...{ schedule: NEW_CARD, isSuspended: false, isEdited: false, source: 'same' },
    ...text,
  };
}

function deck(cards: readonly Card[], reviews: readonly CardReview[] = []): DeckExport {
  return { deck: { id: 'deck', title: 'Harbour' }, cards, reviews, now: NOW };
}

/** Opens the collection of a package with SQLite. */
async function collection(exported: DeckExport): Promise<DatabaseSync> {
  const parts = openContainer(await writeAnki(exported), 'deck.apkg');
  assert.deepEqual([...parts.names], ['collection.anki2', 'media']);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(parts.part('media'))), {});
  const path = join(newFolder(), 'collection.anki2');
  writeFileSync(path, parts.part('collection.anki2') ?? '');
  return new DatabaseSync(path, { readOnly: true });
}

test('writes Anki’s tables with cards in order, and models and decks that notes refer to', async () => {
  const database = await collection(
    deck([
      card('a', { kind: 'cloze', front: 'A {{c1::keel}} has $\\frac{{a}}{b}$ and `x::y`.', back: '' }),
      card('b', { front: 'What is $e^2$?', back: '$$\\int x$$\n\n```js\nlet a = 1;\n```' }),
      card('c', { front: 'Long', back: '<b>&</b>', isSuspended: true }),
    ]),
  );
  const all = (sql: string): Record<string, unknown>[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  assert.deepEqual(all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  assert.deepEqual(
    all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map(({ name }) => name),
    ['cards', 'col', 'graves', 'notes', 'revlog'],
  );
  const [col] = all('SELECT * FROM col');
  assert.equal(col?.ver, 11);
  const models = JSON.parse(String(col.models)) as Record<
    string,
    { id: number; type: number; flds: { name: string }[] }
  >;
  const decks = JSON.parse(String(col.decks)) as Record<string, { name: string }>;
  for (const name of ['conf', 'dconf', 'tags']) JSON.parse(String(col[name]));
  const notes = all('SELECT * FROM notes ORDER BY id');
  assert.equal(new Set(notes.map(({ guid }) => guid)).size, 3);
  for (const note of notes) {
    const model = models[String(note.mid)];
    assert.ok(model);
    const fields = String(note.flds).split('\u001F');
    assert.equal(fields.length, model.flds.length);
    const sum = createHash('sha1').update(String(note.sfld)).digest('hex').slice(0, 8);
    assert.equal(note.csum, Number.parseInt(sum, 16));
    assert.equal(fields[2], 'harbour.md, Ships');
  }
  assert.deepEqual(
    notes.map(({ flds }) => String(flds).split('\u001F').slice(0, 2)),
    [
      ['A {{c1::keel}} has \\(\\frac{&#123;a}&#125;{b}\\) and <code>x::y</code>.', ''],
      ['What is \\(e^2\\)?', '\\[\\int x\\]\n<pre><code>let a = 1;\n</code></pre>'],
      ['Long', '&lt;b&gt;&amp;&lt;/b&gt;'],
    ],
  );
  const cards = all('SELECT * FROM cards ORDER BY due');
  assert.deepEqual(
    cards.map(({ nid, ord, type, queue, due }) => [Number(nid) - NOW, ord, type, queue, due]),
    [
      [0, 0, 0, 0, 1],
      [1, 0, 0, 0, 2],
      [2, 0, 0, -1, 3],
    ],
  );
  for (const { did } of cards) assert.equal(decks[String(did)]?.name, 'Harbour');
  database.close();
});

test('exports due dates, intervals, and reviews, each at its own time', async () => {
  const first = schedules('a', NEW_CARD, NOW - 9 * DAY)[4];
  const second = schedules('a', first, first.due)[3];
  const reviews: CardReview[] = [
    { cardId: 'a', at: NOW - 9 * DAY, grade: 4, before: NEW_CARD },
    { cardId: 'a', at: NOW - 9 * DAY, grade: 3, before: first },
  ];
  const database = await collection(deck([card('a', { schedule: second })], reviews));
  const row = database.prepare('SELECT * FROM cards').get();
  assert.deepEqual([row?.type, row?.queue, row?.ivl, row?.reps], [2, 2, second.scheduledDays, 2]);
  const crt = Number(database.prepare('SELECT crt FROM col').get()?.crt);
  assert.equal(Math.floor((second.due - crt * 1000) / DAY), row?.due);
  assert.deepEqual(Object.keys(JSON.parse(String(row?.data)) as object), ['s', 'd']);
  assert.deepEqual(
    database
      .prepare('SELECT id, ease, ivl, lastIvl, type FROM revlog ORDER BY id')
      .all()
      .map((one) => Object.values(one)),
    [
      [NOW - 9 * DAY, 4, first.scheduledDays, 0, 0],
      [NOW - 9 * DAY + 1, 3, second.scheduledDays, first.scheduledDays, 1],
    ],
  );
  database.close();
});

test('keeps the ID of a card exported twice, and escapes clozes and formulas', async () => {
  const guids = await Promise.all(
    [1, 2].map(async () => {
      const database = await collection(deck([card('a', {})]));
      const guid = database.prepare('SELECT guid FROM notes').get()?.guid;
      database.close();
      return guid;
    }),
  );
  assert.equal(guids[0], guids[1]);
  assert.equal(cardHtml('{{c1::a::b}} and {{x}}', true), '{{c1::a:&#58;b}} and {&#123;x}&#125;');
  assert.equal(cardHtml('The pattern \\\\(a\\\\) here', false), 'The pattern \\\u2060(a\\\u2060) here');
});

test('writes ten thousand cards', async () => {
  const cards = Array.from({ length: 10_000 }, (_, n) => card(String(n), { front: `What is ${String(n)}?` }));
  const database = await collection(deck(cards));
  assert.deepEqual(
    { ...database.prepare('SELECT count(*) AS n, max(due) AS due FROM cards').get() },
    { n: 10_000, due: 10_000 },
  );
  database.close();
});

test('reports a full disk and deletes the partial export', async (context) => {
  const disk = smallDisk(context);
  if (disk === undefined) return;
  const before = process.env.TMPDIR;
  try {
    process.env.TMPDIR = disk;
    writeFileSync(join(disk, 'full'), new Uint8Array(7 * 2 ** 20));
    const cards = Array.from({ length: 8_000 }, (_, n) =>
      card(String(n), { front: 'What is it? '.repeat(20) }),
    );
    await assert.rejects(writeAnki(deck(cards)), { code: 'disk-full', message: /because the disk is full/ });
    assert.deepEqual(readdirSync(disk), ['full']);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test('writes separated values without formulas that can be read back', () => {
  const hostile = [
    ...['=1+1', '+cmd', '-2+3', '@SUM(A1)', '|cmd', '%1', '\t=1', ' =1', '\0=1', '\u00ad=1', '＝1'],
    'plain, "quoted"\nline',
  ];
  const bytes = writeCardTable(deck(hostile.map((front, n) => card(String(n), { front, back: front }))));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  assert.ok(text.startsWith('\uFEFF'));
  const [, ...lines] = text.split('\r\n').slice(0, hostile.length);
  for (const line of lines) for (const cell of line.split(',').slice(0, 2)) assert.match(cell, /^"?'/, line);
  assert.match(readCsv(bytes).text, /'=1\+1/);
  const cloze = new TextDecoder().decode(
    writeCardTable(deck([card('a', { kind: 'cloze', front: 'A {{c1::keel}} is', back: '' })])),
  );
  assert.match(cloze, /^A \[…\] is,keel,harbour\.md,Ships,Words\.\r$/m);
});
