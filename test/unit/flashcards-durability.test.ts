// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Cards } from '../../src/features/flashcards/store/cards.ts';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { schedules } from '../../src/features/flashcards/service/schedule.ts';
import type { Card, CardGrade, NewCard } from '../../src/features/flashcards/model.ts';
import { checkIntegrity } from '../support/durability-checks.ts';
import type { LearnerParameters, ReviewedMessage } from '../support/flashcards-durability.ts';
import { runScript } from '../support/durability-process.ts';
import { makeFolder } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

const NOW = Date.UTC(2026, 5, 1, 12);
const clock = { now: NOW, dayStart: NOW - 43_200_000 };

function newCards(count: number): NewCard[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ key: String(n), kind: 'question', maker: 'hand', front: `Front ${String(n)}`, back: 'Back' },
  }));
}

async function openCards(folder: string): Promise<{ cards: Cards; sql: Statements }> {
  const { database } = await openDatabase(folder);
  const sql = new Statements(database);
  return { sql, cards: new Cards(sql) };
}

/** Action on the card at a position of the deck, in one of two windows. */
type Deed =
  | { readonly kind: 'edit' | 'remove' | 'suspend'; readonly at: number; readonly by: 0 | 1 }
  | { readonly kind: 'review'; readonly at: number; readonly by: 0 | 1; readonly grade: CardGrade }
  | { readonly kind: 'reopen' | 'undo'; readonly by: 0 | 1 };

const by = fc.constantFrom(0 as const, 1 as const);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('edit' as const, 'remove' as const, 'suspend' as const),
    at: fc.nat(5),
    by,
  }),
  fc.record({
    kind: fc.constant('review' as const),
    at: fc.nat(5),
    by,
    grade: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
  }),
  fc.record({ kind: fc.constant('review' as const), at: fc.nat(5), by, grade: fc.constantFrom(3 as const) }),
  fc.record({ kind: fc.constantFrom('reopen' as const, 'undo' as const, 'undo' as const), by }),
);

test('keeps the deck in the expected state whatever two windows edit and undo', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
      const folder = makeFolder();
      const windows = [await openCards(folder), await openCards(folder)];
      try {
        const { deckId } = windows[0]!.cards.add({ title: 'Deck', cards: newCards(6) });
        /** Decks before each action that can be undone. */
        const before: (readonly Card[])[] = [];
        let deck = windows[0]!.cards.readWholeDeck(deckId).cards;
        let reviews = 0;
        for (const [turn, one] of deeds.entries()) {
          const { cards } = windows[one.by]!;
          if (!('at' in one)) {
            if (one.kind === 'undo') {
              const undone = cards.undo(deckId);
              const last = before.pop();
              assert.equal(undone === undefined, last === undefined);
              deck = last ?? deck;
            } else {
              // Finishes nothing, as after a kill.
              windows[one.by]!.sql.abandon();
              windows[one.by] = await openCards(folder);
            }
          } else {
            const card = deck[one.at % Math.max(1, deck.length)];
            if (card === undefined) continue;
            const now = [...deck];
            const at = now.indexOf(card);
            switch (one.kind) {
              case 'remove':
                cards.remove([card.id]);
                now.splice(at, 1);
                break;
              case 'suspend':
                cards.suspend([card.id], !card.isSuspended);
                now[at] = { ...card, isSuspended: !card.isSuspended };
                break;
              case 'edit':
                cards.edit(card.id, { front: `Edited ${String(turn)}`, back: '' });
                now[at] = { ...card, front: `Edited ${String(turn)}`, back: '', isEdited: true };
                break;
              case 'review': {
                const time = NOW + turn * 60_000;
                const after = schedules(card.id, card.schedule, time)[one.grade];
                cards.review({ cardId: card.id, grade: one.grade, at: time, before: card.schedule, after });
                now[at] = { ...card, schedule: after };
              }
            }
            before.push(deck);
            deck = now;
          }
          for (const { cards: seen } of windows) assert.deepEqual(seen.readWholeDeck(deckId).cards, deck);
          reviews = deck.reduce((sum, { schedule }) => sum + schedule.reviews, 0);
        }
        assert.equal(windows[0]!.cards.readWholeDeck(deckId).reviews.length, reviews);
        const [entry] = windows[1]!.cards.decks(clock);
        assert.equal(entry?.cards, deck.length);
      } finally {
        for (const { sql } of windows) sql.abandon();
      }
    }),
    { numRuns: rounds(20, 60) },
  );
});

test('keeps each saved review exactly once when windows are killed', async () => {
  const folder = makeFolder();
  const { cards, sql } = await openCards(folder);
  const { deckId } = cards.add({ title: 'Deck', cards: newCards(30) });
  const counts = new Map<string, number>();
  const learn = async (lives: number): Promise<void> => {
    const parameters: LearnerParameters = { folder, deckId, reviews: 60 };
    const learner = runScript('flashcards-durability.ts', parameters);
    let heard = 0;
    for await (const message of learner.messages as AsyncIterable<ReviewedMessage>) {
      if (message.kind === 'opened') continue;
      counts.set(message.cardId ?? '', (counts.get(message.cardId ?? '') ?? 0) + 1);
      // Kills the process while it runs, so that a last review may be saved but not reported.
      if (++heard === 7 && lives > 0) learner.kill();
    }
    const { code, complaint } = await learner.ended;
    assert.ok(code === 0 || lives > 0, complaint);
    if (lives > 0) await learn(lives - 1);
  };
  await Promise.all([learn(3), learn(3)]);
  const { cards: kept, reviews } = cards.readWholeDeck(deckId);
  assert.ok(reviews.length >= 120);
  for (const { id, schedule } of kept) {
    const own = reviews.filter(({ cardId }) => cardId === id);
    assert.equal(own.length, schedule.reviews);
    assert.ok(own.length >= (counts.get(id) ?? 0));
    // Each review was based on the state that the previous one saved.
    let now = own[0]?.before ?? schedule;
    for (const { before, at, grade } of own) {
      assert.deepEqual(before, now);
      now = JSON.parse(JSON.stringify(schedules(id, before, at)[grade])) as typeof now;
    }
    assert.deepEqual(schedule, now);
  }
  sql.close();
  checkIntegrity(folder);
});

test('skips cards that are damaged or of a newer version, and keeps the others', async () => {
  const { cards, sql } = await openCards(makeFolder());
  const { deckId } = cards.add({ title: 'Deck', cards: newCards(4) });
  sql.run("UPDATE cards SET kind = 'picture' WHERE key = '0'");
  sql.run("UPDATE cards SET citation = '{}', document_id = 9 WHERE key = '1'");
  sql.run(`UPDATE cards SET schedule = '{"state":7}', state = 2, due = 5 WHERE key = '2'`);
  const { cards: kept } = cards.readWholeDeck(deckId);
  assert.deepEqual(
    kept.map(({ front, citation, schedule }) => [front, citation, schedule.state]),
    [
      ['Front 1', undefined, 0],
      ['Front 2', undefined, 0],
      ['Front 3', undefined, 0],
    ],
  );
  assert.equal(cards.next({ deckId, addsNew: false, ...clock }).card?.front, 'Front 2');
  sql.close();
});

test('saves, lists, and reviews a deck of ten thousand cards to its end', async () => {
  const { cards, sql } = await openCards(makeFolder());
  const { deckId, added } = cards.add({ title: 'Deck', cards: newCards(10_000) });
  assert.equal(added, 10_000);
  assert.equal(cards.list(deckId).length, 10_000);
  const { deck, card, later } = cards.next({ deckId, addsNew: false, ...clock });
  assert.deepEqual([deck.fresh, later, card?.front], [20, 9_980, 'Front 0']);
  assert.throws(() => cards.add({ title: 'Deck', cards: newCards(10_001) }), { code: 'too-large' });
  assert.equal(cards.list(deckId).length, 10_000);
  sql.close();
});
