import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { IndexApi } from '../../src/indexing/worker/api.ts';
import { cardMakingHandlers } from '../../src/indexing/documents/card-making.ts';
import { duplicateNotebook } from '../../src/indexing/library/duplicate.ts';
import { libraryHandlers } from '../../src/indexing/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/indexing/worker/notebook-index.ts';
import { schedules } from '../../src/making/cards/schedule.ts';
import type { Card, CardGrade } from '../../src/notebook/cards.ts';
import { readMarkdown } from '../../src/reading/markdown.ts';
import { changed, context, exported, fails, imported } from '../support/exported-notebooks.ts';
import { close, input, makeFolder, open, origin, passageSettings } from '../support/opened-notebooks.ts';

const harbour = [
  '# Harbour',
  '',
  'A **tide table** is a list of the times at which the water is highest.',
  '',
  'Ballast refers to heavy material that keeps a ship upright.',
  '',
  '- **Draught** – the depth of the ship below the water.',
].join('\n');

const asking = { signal: new AbortController().signal, report: () => undefined };
const clock = { now: Date.UTC(2026, 5, 1, 12), dayStart: Date.UTC(2026, 5, 1) };

async function put(index: NotebookIndex, text: string): Promise<void> {
  const [source] = index.store.sources();
  const hash = createHash('sha256').update(text).digest('hex');
  const document = { ...input(text, 'harbour.md'), hash, document: readMarkdown(text) };
  if (source === undefined) await index.addSource('harbour.md', origin, document);
  else await index.putDocument(source.id, document);
}

const made = (index: NotebookIndex): ReturnType<typeof cardMakingHandlers> => cardMakingHandlers(() => index);

async function deckOf(index: NotebookIndex): Promise<string> {
  const { deckId } = await made(index).makeCards({ title: 'Harbour' }, asking);
  return deckId;
}

function review(index: NotebookIndex, card: Card, grade: CardGrade, at = clock.now): void {
  const after = schedules(card.id, card.schedule, at)[grade];
  index.cards.review({ cardId: card.id, grade, at, before: card.schedule, after });
}

const next = (
  index: NotebookIndex,
  deckId: string,
  now = clock.now,
): ReturnType<NotebookIndex['cards']['next']> => index.cards.next({ deckId, goesOn: false, ...clock, now });

test('definitions become cards with their citation, and are not made twice', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await deckOf(index);
  const { cards } = index.cards.whole(deckId);
  assert.deepEqual(
    cards.map(({ front }) => front),
    [
      'A **{{c1::tide table}}** is a list of the times at which the water is highest.',
      '{{c1::Ballast}} refers to heavy material that keeps a ship upright.',
      '**{{c1::Draught}}** – the depth of the ship below the water.',
    ],
  );
  assert.equal(cards[1]?.citation?.quote, 'Ballast refers to heavy material that keeps a ship upright.');
  const again = await made(index).makeCards({ title: 'Harbour' }, asking);
  assert.deepEqual(again, { deckId, added: 0, known: 3 });
});

test('a review is kept with what it was before, undone as the last thing that was done, and refused twice', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await deckOf(index);
  const first = next(index, deckId).card;
  assert.ok(first);
  review(index, first, 3);
  assert.throws(
    () => {
      review(index, first, 1);
    },
    { code: 'conflict' },
  );
  const second = next(index, deckId).card;
  assert.notEqual(second?.id, first.id);
  assert.deepEqual(index.cards.decks(clock)[0]?.fresh, 2);
  // What is learnt comes before what is new, once it is due.
  assert.equal(next(index, deckId, clock.now + 11 * 60_000).card?.id, first.id);
  assert.equal(index.cards.undo(deckId), first.id);
  assert.deepEqual(index.cards.card(first.id), first);
  assert.equal(index.cards.undo(deckId), undefined);
});

test('what was edited, left out and deleted comes back', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await deckOf(index);
  const before = index.cards.whole(deckId).cards;
  const [one, two, three] = before.map(({ id }) => id);
  assert.ok(one && two && three);
  index.cards.edit(one, { front: 'Mine {{c1::now}}', back: 'Too' });
  index.cards.suspend([two], true);
  index.cards.remove([three]);
  assert.deepEqual(
    index.cards.whole(deckId).cards.map(({ front, isSuspended }) => [front.slice(0, 4), isSuspended]),
    [
      ['Mine', false],
      ['{{c1', true],
    ],
  );
  // What was deleted is not made again.
  assert.equal((await made(index).makeCards({ title: 'Harbour' }, asking)).added, 0);
  assert.equal(next(index, deckId).card?.id, one);
  assert.deepEqual(
    [index.cards.undo(deckId), index.cards.undo(deckId), index.cards.undo(deckId)],
    [three, two, one],
  );
  assert.deepEqual(index.cards.whole(deckId).cards, before);
});

test('bringing a deck up to date keeps what was learnt of cards that did not change', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await deckOf(index);
  for (const card of index.cards.whole(deckId).cards) review(index, card, 4);
  const before = index.cards.whole(deckId).cards;
  await put(
    index,
    `${harbour.replace('heavy material that', 'stones that').replace(/\n- \*\*Draught.*$/m, '')}\n\nA quay is a wall that ships are tied to.`,
  );
  assert.equal(index.cards.decks(clock)[0]?.changed, 3);
  assert.deepEqual(await made(index).refreshCards({ deckId }, asking), {
    same: 1,
    changed: 1,
    stale: 1,
    added: 1,
  });
  const after = index.cards.whole(deckId).cards;
  assert.deepEqual(
    after.map(({ front, source }) => [front.includes('stones') ? 'stones' : front.slice(0, 12), source]),
    [
      ['A **{{c1::ti', 'same'],
      ['stones', 'same'],
      ['**{{c1::Drau', 'changed'],
      ['A {{c1::quay', 'same'],
    ],
  );
  assert.deepEqual(after[0]?.schedule, before[0]?.schedule);
  assert.deepEqual(after[2]?.schedule, before[2]?.schedule);
  assert.equal(after[1]?.schedule.stability, before[1]?.schedule.stability);
  assert.equal(index.cards.decks(clock)[0]?.changed, 0);
});

test('no definitions is said so', async () => {
  const index = await open(makeFolder());
  await put(index, '# Nothing\n\nWords alone.');
  await assert.rejects(deckOf(index), { code: 'empty', message: /define no terms/ });
  assert.deepEqual(index.cards.decks(clock), []);
});

test('words that were selected are cited whatever blanks and hyphens stand between them', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const api: Pick<IndexApi, 'citeWords'> = {
    citeWords: (params) => made(index).citeWords(params, asking) as never,
  };
  const citation = api.citeWords({
    uri: 'file:///notes/harbour.md',
    words: 'heavy mate-\nrial  that keeps',
    near: 0,
  });
  assert.equal(citation?.quote, 'heavy material that keeps');
});

test('cards go along with an exported notebook, learnt as far as they are, and are added to another one once', async () => {
  const from = makeFolder();
  const index = await open(from);
  await put(index, harbour);
  const deckId = await deckOf(index);
  const [first, second] = index.cards.whole(deckId).cards;
  assert.ok(first && second);
  review(index, first, 4);
  index.cards.suspend([second.id], true);
  const before = index.cards.whole(deckId).cards;
  await close(index);
  const path = await exported(from);
  const there = await imported(path);
  const [deck] = there.cards.decks(clock);
  assert.equal(deck?.title, 'Harbour');
  const after = there.cards.whole(deck.id).cards;
  const shown = ({ front, schedule, isSuspended, source, citation }: Card): unknown[] => [
    ...[front, schedule, isSuspended, source, citation?.quote],
  ];
  assert.deepEqual(after.map(shown), before.map(shown));
  // It is brought up to date there, too.
  assert.deepEqual(await made(there).refreshCards({ deckId: deck.id }, asking), {
    same: 3,
    changed: 0,
    stale: 0,
    added: 0,
  });

  const [to, by] = [makeFolder(), makeFolder()];
  const other = await open(to);
  const own = other.cards.add({
    title: 'Harbour',
    cards: [{ key: 'own', kind: 'question', maker: 'hand', front: 'A', back: 'B' }],
  });
  const how = { path, by, to, roots: [], followed: [], passages: passageSettings };
  const added = await libraryHandlers.mergeNotebook(how, context);
  assert.equal(added.cards.length, 3);
  // After those that the deck has, in their own order.
  assert.deepEqual(
    other.cards.whole(own.deckId).cards.map(({ front }) => front),
    ['A', ...before.map(({ front }) => front)],
  );
  assert.equal((await libraryHandlers.mergeNotebook({ ...how, by: makeFolder() }, context)).cards.length, 0);
  // What was learnt since stays when the others are taken back.
  const [, learnt] = other.cards.whole(own.deckId).cards;
  assert.ok(learnt);
  review(other, learnt, 3);
  await libraryHandlers.unmergeNotebook({ from: to, added }, context);
  assert.equal(other.cards.whole(own.deckId).cards.length, 2);
});

test('decks keep the order of their cards in a copy, and in an export of more parts than one', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const index = await open(from);
  const cards = Array.from({ length: 1_203 }, (_, n) => ({
    ...{ key: String((n * 7) % 1_203), kind: 'question' as const, maker: 'hand' as const },
    ...{ front: `Question ${String(n)}`, back: 'Answer' },
  }));
  const { deckId } = index.cards.add({ title: 'Long', cards });
  const [, learnt, gone] = index.cards.whole(deckId).cards;
  assert.ok(learnt && gone);
  review(index, learnt, 3);
  index.cards.remove([gone.id]);
  index.cards.quizzes.add('Quiz', [
    { question: 'Which?', choices: ['A', 'B'], right: 0, reason: '', citation: undefined },
  ]);
  const kept = cards.map(({ front }) => front).toSpliced(2, 1);
  await duplicateNotebook(from, to);
  const copied = await open(to);
  const whole = copied.cards.whole(deckId);
  assert.deepEqual(
    whole.cards.map(({ front }) => front),
    kept,
  );
  assert.deepEqual([whole.reviews.length, copied.cards.quizzes.list().length], [1, 1]);
  // What is undone in the copy stays done here.
  copied.cards.undo(deckId);
  assert.equal(copied.cards.list(deckId).length, 1_203);
  assert.equal(index.cards.list(deckId).length, 1_202);
  await close(copied);
  await close(index);
  const there = await imported(await exported(from));
  const [deck] = there.cards.decks(clock);
  assert.ok(deck);
  assert.deepEqual(
    there.cards.whole(deck.id).cards.map(({ front }) => front),
    kept,
  );
});

test('what is no card in an exported notebook ends the import', async () => {
  const from = makeFolder();
  const index = await open(from);
  await put(index, harbour);
  await deckOf(index);
  await close(index);
  const path = await exported(from);
  for (const [was, now] of [
    ['"cloze"', '"picture"'],
    ['"state":0', '"state":9'],
    ['"title":"Harbour"', '"title":""'],
  ] as const) {
    const hostile = changed(path, ([head]) => {
      if (head !== undefined) head.decks = (head.decks as string[]).map((deck) => deck.replace(was, now));
    });
    await assert.rejects(imported(hostile), fails('damaged'), was);
  }
});
