import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { DeckChanges } from '../../src/features/flashcards/store/generation-api.ts';
import type { IndexApi } from '../../src/index/worker/api.ts';
import { generationHandlers } from '../../src/features/flashcards/store/generation.ts';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { changedQuestions, quizChanges } from '../../src/features/flashcards/service/quiz-changes.ts';
import { schedules } from '../../src/features/flashcards/service/schedule.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import type { Card, CardGrade, NewCard } from '../../src/features/flashcards/model.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { importOptions, changed, context, exported, fails, imported } from '../support/exported-notebooks.ts';
import { close, input, makeFolder, open, origin, openNew } from '../support/opened-notebooks.ts';
import type { Cards } from '../../src/features/flashcards/store/cards.ts';
import { cardsOf } from '../support/flashcards.ts';

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

const handlersOf = (index: NotebookIndex): ReturnType<typeof generationHandlers> =>
  generationHandlers(() => index);

async function makeDeck(index: NotebookIndex): Promise<string> {
  const { deckId } = await handlersOf(index).makeCards({ title: 'Harbour' }, asking);
  return deckId;
}

function review(index: NotebookIndex, card: Card, grade: CardGrade, at = clock.now): void {
  const after = schedules(card.id, card.schedule, at)[grade];
  cardsOf(index).review({ cardId: card.id, grade, at, before: card.schedule, after });
}

const next = (index: NotebookIndex, deckId: string, now = clock.now): ReturnType<Cards['next']> =>
  cardsOf(index).next({ deckId, addsNew: false, ...clock, now });

test('makes cards with citations from definitions, each once', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await makeDeck(index);
  const { cards } = cardsOf(index).readWholeDeck(deckId);
  assert.deepEqual(
    cards.map(({ front }) => front),
    [
      'A **{{c1::tide table}}** is a list of the times at which the water is highest.',
      '{{c1::Ballast}} refers to heavy material that keeps a ship upright.',
      '**{{c1::Draught}}** – the depth of the ship below the water.',
    ],
  );
  assert.equal(cards[1]?.citation?.quote, 'Ballast refers to heavy material that keeps a ship upright.');
  const again = await handlersOf(index).makeCards({ title: 'Harbour' }, asking);
  assert.deepEqual(again, { deckId, added: 0, existing: 3 });
});

test('saves a review with the previous state, undoes it as the last action, and rejects it twice', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await makeDeck(index);
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
  assert.deepEqual(cardsOf(index).decks(clock)[0]?.fresh, 2);
  // A due card comes before a new one.
  assert.equal(next(index, deckId, clock.now + 11 * 60_000).card?.id, first.id);
  assert.equal(cardsOf(index).undo(deckId), first.id);
  assert.deepEqual(cardsOf(index).card(first.id), first);
  assert.equal(cardsOf(index).undo(deckId), undefined);
});

test('restores edited, suspended, and deleted cards', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await makeDeck(index);
  const before = cardsOf(index).readWholeDeck(deckId).cards;
  const [one, two, three] = before.map(({ id }) => id);
  assert.ok(one && two && three);
  cardsOf(index).edit(one, { front: 'Mine {{c1::now}}', back: 'Too' });
  cardsOf(index).suspend([two], true);
  cardsOf(index).remove([three]);
  assert.deepEqual(
    cardsOf(index)
      .readWholeDeck(deckId)
      .cards.map(({ front, isSuspended }) => [front.slice(0, 4), isSuspended]),
    [
      ['Mine', false],
      ['{{c1', true],
    ],
  );
  // A deleted card isn't generated again.
  assert.equal((await handlersOf(index).makeCards({ title: 'Harbour' }, asking)).added, 0);
  assert.equal(next(index, deckId).card?.id, one);
  assert.deepEqual(
    [cardsOf(index).undo(deckId), cardsOf(index).undo(deckId), cardsOf(index).undo(deckId)],
    [three, two, one],
  );
  assert.deepEqual(cardsOf(index).readWholeDeck(deckId).cards, before);
});

const changedHarbour = `${harbour
  .replace('heavy material that', 'stones that')
  .replace(/\n- \*\*Draught.*$/m, '')}\n\nA quay is a wall that ships are tied to.`;

/** Returns a summary of the changes of a deck update. */
function describeChanges({ reworded, added, outdated, unchangedCards }: DeckChanges): unknown {
  return {
    reworded: reworded.map(({ before, front }) => [before.front.slice(-24), front.slice(-24)]),
    added: added.map(({ front }) => front.slice(0, 12)),
    outdated: outdated.map(({ front }) => front.slice(0, 12)),
    kept: unchangedCards.map(({ citation }) => citation !== undefined),
  };
}

test('previews the update of a deck, and keeps the review history of unchanged cards', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await makeDeck(index);
  for (const card of cardsOf(index).readWholeDeck(deckId).cards) review(index, card, 4);
  const before = cardsOf(index).readWholeDeck(deckId).cards;
  await put(index, changedHarbour);
  assert.equal(cardsOf(index).decks(clock)[0]?.changed, 3);
  assert.deepEqual(cardsOf(index).decks(clock)[0]?.difference, { added: 0, changed: 1, removed: 0 });
  const { changes, request } = await handlersOf(index).planDeck({ deckId }, asking);
  assert.equal(request, undefined);
  assert.deepEqual(describeChanges(changes), {
    reworded: [['that keeps a ship upright.', 'that keeps a ship upright.'].map((words) => words.slice(-24))],
    added: ['A {{c1::quay'],
    outdated: ['**{{c1::Drau'],
    kept: [true],
  });
  assert.deepEqual(
    cardsOf(index)
      .readWholeDeck(deckId)
      .cards.map(({ front, schedule }) => [front, schedule]),
    before.map(({ front, schedule }) => [front, schedule]),
  );
  handlersOf(index).keepDeckChanges(changes, asking);
  const shown = (): unknown[] =>
    cardsOf(index)
      .readWholeDeck(deckId)
      .cards.map(({ front, source }) => [front.includes('stones') ? 'stones' : front.slice(0, 12), source]);
  const there = [
    ['A **{{c1::ti', 'same'],
    ['stones', 'same'],
    ['A {{c1::quay', 'same'],
  ];
  assert.deepEqual(shown(), there);
  const after = cardsOf(index).readWholeDeck(deckId).cards;
  assert.deepEqual(after[0]?.schedule, before[0]?.schedule);
  assert.equal(after[1]?.schedule.stability, before[1]?.schedule.stability);
  const [deck] = cardsOf(index).decks(clock);
  assert.deepEqual([deck?.changed, deck?.difference], [0, { added: 0, changed: 0, removed: 0 }]);
  // An undo restores a deleted card with its review history.
  cardsOf(index).undo(deckId);
  assert.deepEqual(shown(), there.toSpliced(2, 0, ['**{{c1::Drau', 'changed']));
  assert.deepEqual(cardsOf(index).readWholeDeck(deckId).cards[2]?.schedule, before[2]?.schedule);
  assert.deepEqual(describeChanges((await handlersOf(index).planDeck({ deckId }, asking)).changes), {
    ...{ reworded: [], added: [], outdated: ['**{{c1::Drau'] },
    kept: [true, true, true],
  });
});

test('marks unchanged cards whose source differs', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const deckId = await makeDeck(index);
  await put(index, changedHarbour);
  const { changes } = await handlersOf(index).planDeck({ deckId }, asking);
  const left = [...changes.reworded, ...changes.outdated].map(({ cardId }) => ({ cardId }));
  const unchanged = {
    ...changes,
    reworded: [],
    outdated: [],
    added: [],
    unchangedCards: [...changes.unchangedCards, ...left],
  };
  // The sources changed while the user looked at the list.
  await put(index, harbour);
  assert.throws(() => handlersOf(index).keepDeckChanges(unchanged, asking), { code: 'conflict' });
  await put(index, changedHarbour);
  handlersOf(index).keepDeckChanges(unchanged, asking);
  assert.deepEqual(
    cardsOf(index)
      .readWholeDeck(deckId)
      .cards.map(({ source }) => source),
    ['same', 'changed', 'changed'],
  );
  assert.deepEqual(cardsOf(index).decks(clock)[0]?.difference, { added: 0, changed: 0, removed: 0 });
});

async function putBeside(index: NotebookIndex, name: string, text: string): Promise<void> {
  const hash = createHash('sha256').update(text).digest('hex');
  await index.addSource(name, origin, { ...input(text, name), hash, document: readMarkdown(text) });
}

test('regenerates model-written questions only for changed or new documents', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  await putBeside(index, 'stars.md', '# Stars\n\nThe pole star stands in the north all night.');
  const citing = (words: string, name: string): Citation =>
    handlersOf(index).citeWords({ uri: `file:///notes/${name}`, words, near: 0 }, asking) as Citation;
  const ballast = citing('keeps a ship upright', 'harbour.md');
  const heavy = citing('heavy material', 'harbour.md');
  const pole = citing('The pole star', 'stars.md');
  const card = (key: string, citation: Citation): NewCard => ({
    ...{ key, kind: 'question', maker: 'model', front: key, back: 'Answer', citation },
  });
  const documents = index.features.artifacts.currentVersions({});
  const { deckId } = cardsOf(index).add({
    title: 'Written',
    origin: { documents },
    cards: [card('ballast', ballast), card('heavy', heavy), card('pole', pole)],
  });
  const quizId = cardsOf(index).quizzes.add({
    title: 'Quiz',
    origin: { documents, maker: 'model' },
    questions: [heavy, pole].map((citation) => ({
      ...{ question: citation.quote, choices: ['A', 'B'], right: 0, reason: '', citation },
    })),
  });
  cardsOf(index).quizzes.reply(quizId, { question: 1, choice: 1 });
  assert.deepEqual(cardsOf(index).quizzes.list()[0]?.difference, { added: 0, changed: 0, removed: 0 });
  assert.equal((await handlersOf(index).planDeck({ deckId }, asking)).request, undefined);

  await put(index, changedHarbour);
  await putBeside(index, 'winds.md', '# Winds\n\nThe trade winds blow from the east.');
  assert.deepEqual(cardsOf(index).quizzes.list()[0]?.difference, { added: 1, changed: 1, removed: 0 });
  const { changes, request } = await handlersOf(index).planDeck({ deckId }, asking);
  assert.deepEqual(describeChanges(changes), {
    ...{ reworded: [], added: [], outdated: ['heavy'] },
    kept: [true, true],
  });
  const [other, , newest] = index.features.artifacts.currentVersions({});
  assert.deepEqual(
    new Set(request?.places.map(({ documentId }) => documentId)),
    new Set([other?.documentId, newest?.documentId]),
  );
  // Requests the average number of cards per document for each of the two documents.
  assert.equal(request?.count, 4);

  const plan = await handlersOf(index).planQuiz({ quizId }, asking);
  assert.ok(plan.kind === 'known');
  assert.deepEqual([plan.questions[0], plan.questions[1]?.question], [null, 'The pole star']);
  assert.equal(plan.request.count, 2);
  const newQuestion = { question: 'Which winds?', choices: ['Trade', 'None'], right: 0, reason: '' };
  const questions = changedQuestions(
    plan.quiz.questions,
    plan.questions,
    quizChanges(plan.quiz.questions, plan.questions, [newQuestion]),
  );
  const savedChanges = { quizId, before: plan.quiz.questions, questions, origin: plan.origin };
  handlersOf(index).keepQuizChanges(savedChanges, asking);
  const after = cardsOf(index).quizzes.open(quizId);
  assert.deepEqual(
    after.questions.map(({ question }) => question),
    ['The pole star', 'Which winds?'],
  );
  // Replies stay with their questions, and no window overwrites what another one saved.
  assert.deepEqual(after.replies, [1, null]);
  assert.throws(() => handlersOf(index).keepQuizChanges(savedChanges, asking), { code: 'conflict' });
  assert.deepEqual(cardsOf(index).quizzes.list()[0]?.difference, { added: 0, changed: 0, removed: 0 });
  assert.equal(cardsOf(index).citedSources(deckId).length, 2);
});

test('adds cards from further sources to the sources of a deck', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const [harbourSource] = index.store.sources();
  const deckId = (
    await handlersOf(index).makeCards({ title: 'Harbour', sourceIds: [harbourSource?.id ?? ''] }, asking)
  ).deckId;
  await putBeside(index, 'quay.md', '# Quay\n\nA quay is a wall that ships are tied to.');
  const quay = index.store.sources().find(({ title }) => title === 'quay.md')?.id ?? '';
  assert.deepEqual(cardsOf(index).decks(clock)[0]?.difference, { added: 0, changed: 0, removed: 0 });
  await put(index, changedHarbour);
  await handlersOf(index).makeCards({ title: 'Harbour', sourceIds: [quay] }, asking);
  const { origin: of } = cardsOf(index).deck(deckId);
  assert.deepEqual(of?.sourceIds, [harbourSource?.id, quay]);
  // The first source keeps the version that it was generated from, so its change is still reported.
  assert.deepEqual(cardsOf(index).decks(clock)[0]?.difference, { added: 0, changed: 1, removed: 0 });
});

test('records the sources of model-written decks and quizzes after an upgrade', async () => {
  const { folder, index } = await openNew();
  await put(index, harbour);
  const citation = handlersOf(index).citeWords(
    { uri: 'file:///notes/harbour.md', words: 'heavy material', near: 0 },
    asking,
  ) as Citation;
  const { deckId } = cardsOf(index).add({
    title: 'Written',
    cards: [{ key: 'a', kind: 'question', maker: 'model', front: 'A', back: 'B', citation }],
  });
  const begun = cardsOf(index).add({
    title: 'Own',
    cards: [{ key: 'a', kind: 'question', maker: 'hand', front: 'A', back: 'B', citation }],
  });
  const choice = { choices: ['A', 'B'], right: 0, reason: '', citation };
  const gap = '**\\_\\_\\_\\_\\_\\_** refers to heavy material';
  const ofTerms = cardsOf(index).quizzes.add({ title: 'Terms', questions: [{ question: gap, ...choice }] });
  const written = cardsOf(index).quizzes.add({
    title: 'Quiz',
    questions: [{ question: 'Which?', ...choice }],
  });
  const documents = index.features.artifacts.currentVersions({});
  const sourceIds = index.store.sources().map(({ id }) => id);
  await close(index);
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'));
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  database.exec(`DROP TRIGGER quizzes_sent_update;
    ALTER TABLE quizzes DROP COLUMN source_ids;
    ALTER TABLE quizzes DROP COLUMN made_of;
    ALTER TABLE quizzes DROP COLUMN maker;
    ALTER TABLE matrix_cells DROP COLUMN was;
    CREATE TRIGGER quizzes_sent_update AFTER UPDATE OF title ON quizzes BEGIN SELECT 1; END;
    INSERT INTO quizzes (id, title, questions, replies, made_at) VALUES ('damaged', 'D', '{"a', '[]', 1);
    DROP TABLE team_awaited;
    DROP TABLE team_shared_files;
    DROP TABLE team_private_marks;
    DROP TABLE turn_versions;
    ALTER TABLE turns DROP COLUMN version;
    ALTER TABLE turns DROP COLUMN selection;
    DROP INDEX documents_by_format;
    DROP INDEX documents_by_uri;
    DROP INDEX documents_by_source;
    PRAGMA user_version = ${String(version - 6)}`);
  database.close();
  const later = await open(folder);
  assert.deepEqual(cardsOf(later).deck(deckId).origin, { sourceIds, documents });
  assert.equal(cardsOf(later).deck(begun.deckId).origin, undefined);
  assert.deepEqual(cardsOf(later).quizzes.open(ofTerms).origin, {
    sourceIds,
    documents,
    maker: 'definition',
  });
  assert.deepEqual(cardsOf(later).quizzes.open(written).origin, {
    sourceIds,
    documents,
    maker: 'model',
  });
});

test('reports that there are no definitions', async () => {
  const index = await open(makeFolder());
  await put(index, '# Nothing\n\nWords alone.');
  await assert.rejects(makeDeck(index), { code: 'empty', message: /don’t define any terms/ });
  assert.deepEqual(cardsOf(index).decks(clock), []);
});

test('cites selected words whatever spaces and hyphens are between them', async () => {
  const index = await open(makeFolder());
  await put(index, harbour);
  const api: Pick<IndexApi, 'citeWords'> = {
    citeWords: (params) => handlersOf(index).citeWords(params, asking) as never,
  };
  const citation = api.citeWords({
    uri: 'file:///notes/harbour.md',
    words: 'heavy mate-\nrial  that keeps',
    near: 0,
  });
  assert.equal(citation?.quote, 'heavy material that keeps');
});

test('exports cards with review history, and adds them to another notebook once', async () => {
  const { folder: from, index } = await openNew();
  await put(index, harbour);
  const deckId = await makeDeck(index);
  const [first, second] = cardsOf(index).readWholeDeck(deckId).cards;
  assert.ok(first && second);
  review(index, first, 4);
  cardsOf(index).suspend([second.id], true);
  const before = cardsOf(index).readWholeDeck(deckId).cards;
  await close(index);
  const path = await exported(from);
  const target = await imported(path);
  const [deck] = cardsOf(target).decks(clock);
  assert.equal(deck?.title, 'Harbour');
  const after = cardsOf(target).readWholeDeck(deck.id).cards;
  const shown = ({ front, schedule, isSuspended, source, citation }: Card): unknown[] => [
    ...[front, schedule, isSuspended, source, citation?.quote],
  ];
  assert.deepEqual(after.map(shown), before.map(shown));
  // The deck is up to date there, too.
  assert.deepEqual(deck.difference, { added: 0, changed: 0, removed: 0 });
  assert.deepEqual(
    describeChanges((await handlersOf(target).planDeck({ deckId: deck.id }, asking)).changes),
    {
      ...{ reworded: [], added: [], outdated: [] },
      kept: [true, true, true],
    },
  );

  const [to, by] = [makeFolder(), makeFolder()];
  const other = await open(to);
  const own = cardsOf(other).add({
    title: 'Harbour',
    cards: [{ key: 'own', kind: 'question', maker: 'hand', front: 'A', back: 'B' }],
  });
  const how = { ...importOptions, path, by, to };
  const added = await libraryHandlers.mergeNotebook(how, context);
  assert.equal(added.entities.decks?.length, 3);
  // Cards follow those of the deck, in their own order.
  assert.deepEqual(
    cardsOf(other)
      .readWholeDeck(own.deckId)
      .cards.map(({ front }) => front),
    ['A', ...before.map(({ front }) => front)],
  );
  assert.equal(
    (await libraryHandlers.mergeNotebook({ ...how, by: makeFolder() }, context)).entities.decks?.length,
    0,
  );
  // A card that was reviewed meanwhile stays when the others are removed again.
  const [, learnt] = cardsOf(other).readWholeDeck(own.deckId).cards;
  assert.ok(learnt);
  review(other, learnt, 3);
  await libraryHandlers.unmergeNotebook({ from: to, added }, context);
  assert.equal(cardsOf(other).readWholeDeck(own.deckId).cards.length, 2);
});

test('exports decks in the form that earlier versions read', async () => {
  const { folder: from, index } = await openNew();
  await put(index, harbour);
  const sourceIds = index.store.sources().map(({ id }) => id);
  const { deckId } = await handlersOf(index).makeCards({ title: 'Harbour', sourceIds }, asking);
  const [first] = cardsOf(index).readWholeDeck(deckId).cards;
  assert.ok(first);
  review(index, first, 3);
  await close(index);
  changed(await exported(from), ([head]) => {
    const decks = head?.decks as string[];
    assert.equal(decks.length, 1);
    const { cards, ...deck } = JSON.parse(decks[0] ?? '') as { readonly cards: readonly object[] };
    assert.deepEqual(deck, { title: 'Harbour', made: { sourceIds } });
    assert.deepEqual(cards[0], {
      ...{ key: 'definition tide table', kind: 'cloze', maker: 'definition' },
      ...{ front: first.front, back: '', isSuspended: false, isEdited: false },
      schedule: {
        ...{ state: 1, due: clock.now + 600_000, stability: 2.3065, difficulty: 2.11810397 },
        ...{ scheduledDays: 0, step: 1, reviews: 1, lapses: 0, reviewedAt: clock.now },
      },
      citation: {
        ...{ number: 1, sourceId: sourceIds[0], sourceKind: 'folder', documentId: 1 },
        ...{ title: 'harbour.md', mediaType: 'text/markdown', place: 'L3', url: '' },
        ...{ passage: { start: 11, end: 81 }, span: { start: 11, end: 81 }, quote: harbour.slice(11, 81) },
        locator: { kind: 'lines', start: { line: 2, character: 0 }, end: { line: 2, character: 70 } },
        context: {
          ...{ before: harbour.slice(0, 11), after: harbour.slice(81, 142) },
          ...{ format: 'markdown', languageId: 'markdown' },
        },
      },
    });
  });
});

test('keeps the order of cards in a copy and in an export of several parts', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const index = await open(from);
  const cards = Array.from({ length: 1_203 }, (_, n) => ({
    ...{ key: String((n * 7) % 1_203), kind: 'question' as const, maker: 'hand' as const },
    ...{ front: `Question ${String(n)}`, back: 'Answer' },
  }));
  const { deckId } = cardsOf(index).add({ title: 'Long', cards });
  const [, learnt, removedCard] = cardsOf(index).readWholeDeck(deckId).cards;
  assert.ok(learnt && removedCard);
  review(index, learnt, 3);
  cardsOf(index).remove([removedCard.id]);
  cardsOf(index).quizzes.add({
    title: 'Quiz',
    questions: [{ question: 'Which?', choices: ['A', 'B'], right: 0, reason: '', citation: undefined }],
  });
  const fronts = cards.map(({ front }) => front).toSpliced(2, 1);
  await duplicateNotebook(from, to);
  const copied = await open(to);
  const whole = cardsOf(copied).readWholeDeck(deckId);
  assert.deepEqual(
    whole.cards.map(({ front }) => front),
    fronts,
  );
  assert.deepEqual([whole.reviews.length, cardsOf(copied).quizzes.list().length], [1, 1]);
  // An undo in the copy doesn't affect the original.
  cardsOf(copied).undo(deckId);
  assert.equal(cardsOf(copied).list(deckId).length, 1_203);
  assert.equal(cardsOf(index).list(deckId).length, 1_202);
  await close(copied);
  await close(index);
  const target = await imported(await exported(from));
  const [deck] = cardsOf(target).decks(clock);
  assert.ok(deck);
  assert.deepEqual(
    cardsOf(target)
      .readWholeDeck(deck.id)
      .cards.map(({ front }) => front),
    fronts,
  );
});

test('rejects an exported notebook with an invalid card', async () => {
  const { folder: from, index } = await openNew();
  await put(index, harbour);
  await makeDeck(index);
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
