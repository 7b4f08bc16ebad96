import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { count, optional, title, wholeNumber } from '../../index/library/exported-values.ts';
import type { Row } from '../../index/store/database/database.ts';
import { storedCitation, readOptionalJson } from '../../index/store/database/stored-json.ts';
import { anyFields } from '../../core/domain/json-schemas.ts';
import { freeTitle } from '../../core/domain/note.ts';
import { citationHere, portableCited, sharedCitation } from '../team/service/citation-sync.ts';
import {
  findSharedOrigin,
  originColumns,
  sharedOrigin,
  toSharedOrigin,
} from '../team/service/origin-versions.ts';
import { mergedText, mergedValue } from '../team/service/merged-values.ts';
import { hashBytes, pack, unpack } from '../team/service/packed.ts';
import {
  restoreEntity,
  findBase,
  basesWithin,
  dropBase,
  dropPending,
  keepBase,
  markPending,
  readBase,
  removedEntity,
  wholeEntitySync,
  type EntitySync,
  type LocalContext,
  type Parent,
} from '../team/service/synced-entity.ts';
import {
  CARD_KINDS,
  CARD_MAKERS,
  NEW_CARD,
  QUIZ_MAKERS,
  repliesAfter,
  type FlashcardEntityKind,
} from './model.ts';
import { storedQuestions, storedReplies } from './store/stored-json.ts';

/** Maximum number of questions in a quiz that the team's database sends. */
const MAX_QUESTIONS = 1_000;

const text = v.string();

const sharedDeck = v.pipe(
  v.object({
    title: v.pipe(title, v.nonEmpty()),
    createdAt: wholeNumber,
    made: optional(sharedOrigin),
  }),
  v.transform(({ made: origin, ...deck }) => ({ ...deck, origin })),
);
type SharedDeck = v.InferOutput<typeof sharedDeck>;

const sharedCard = v.object({
  key: text,
  place: count(),
  kind: v.picklist(CARD_KINDS),
  maker: v.picklist(CARD_MAKERS),
  front: text,
  back: text,
  isEdited: v.boolean(),
  isRemoved: v.boolean(),
  cited: optional(v.object({ ...sharedCitation.entries, hash: optional(text), isStale: v.boolean() })),
});
type SharedCard = v.InferOutput<typeof sharedCard>;

const sharedQuestion = v.pipe(
  v.object({
    question: v.string(),
    choices: v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(26)),
    right: v.pipe(v.number(), v.integer(), v.minValue(0)),
    reason: v.string(),
    cited: optional(sharedCitation),
  }),
  v.check(({ choices, right }) => right < choices.length),
);

const sharedQuiz = v.pipe(
  v.object({
    title,
    madeAt: wholeNumber,
    /** Missing if an older version of the extension sent the quiz. */
    made: optional(v.intersect([sharedOrigin, v.object({ maker: v.picklist(QUIZ_MAKERS) })])),
    questions: v.pipe(v.array(sharedQuestion), v.maxLength(MAX_QUESTIONS)),
  }),
  v.transform(({ madeAt: createdAt, made: origin, ...quiz }) => ({ ...quiz, createdAt, origin })),
);

/** Syncs a deck: its title and its sources. Its cards are entities of their own. */
const deck: Parent<SharedDeck> = {
  kind: 'deck',
  part: 'card',
  table: 'card_decks',
  schema: sharedDeck,
  read: findLocalDeck,
  toShared: ({ origin, ...others }) => ({ ...others, made: origin && toSharedOrigin(origin) }),
  parts: ({ sql }, deckId) =>
    sql
      .all('SELECT key FROM cards WHERE deck_id = ?', deckId)
      .map((row) => `${deckId}\n${String(row['key'])}`),
  merge: (base, theirs, ours) => ({
    ...theirs,
    title: mergedValue(base.title, theirs.title, ours.title),
    origin: mergedValue(base.origin, theirs.origin, ours.origin),
  }),
  write: writeDeck,
};

const deckSync: EntitySync = wholeEntitySync(deck);

/**
 * Syncs a card, identified by its deck and key, so that a card that two members generate at once is one card. Review
 * history and suspension stay with each member.
 */
const cardSync: EntitySync = {
  isPart: true,
  toSend(local, place) {
    const [deckId, key] = splitPlace(place);
    const ours = findLocalCard(local, deckId, key);
    if (ours === undefined) return undefined;
    const id = sharedCardId(deckId, key);
    const base = readBase(local, 'card', sharedCard, id);
    const before = base?.value;
    // Sends the team's own citation if it is unchanged, because its file may have no location on this machine.
    const cited = isSameSource(ours, before) ? before?.cited : ours.cited;
    return { id, within: deckId, base: base?.revision ?? 0, value: pack({ ...ours, cited }) };
  },
  outboxId(local, { id, value }) {
    const values = value === undefined ? findBase(local, 'card', id)?.value : unpack(value);
    const key = values?.['key'];
    return typeof key === 'string' ? `${splitPlace(id)[0]}\n${key}` : undefined;
  },
  take(local, { id, value, revision }, isWaiting) {
    const { sql } = local;
    const [deckId] = splitPlace(id);
    const base = readBase(local, 'card', sharedCard, id)?.value;
    if (value === undefined) {
      dropBase(local, 'card', id);
      if (!isWaiting && base !== undefined)
        sql.run('DELETE FROM cards WHERE deck_id = ? AND key = ?', deckId, base.key);
      return false;
    }
    const theirs = v.parse(sharedCard, unpack(value));
    if (sharedCardId(deckId, theirs.key) !== id) throw new Error('A card of another name.');
    keepBase(local, 'card', id, { revision, value });
    if (findLocalDeck(local, deckId) === undefined) {
      restoreEntity(local, deck, deckId);
      return false;
    }
    const ours = isWaiting ? findLocalCard(local, deckId, theirs.key) : undefined;
    const nothing = { ...theirs, front: '', back: '', isRemoved: false, cited: undefined };
    const merged = ours === undefined ? theirs : mergedCard(base ?? nothing, theirs, ours);
    writeCard(local, deckId, merged);
    return isDeepStrictEqual(merged, theirs);
  },
};

/** Syncs the questions of a quiz. Answers stay with each member. */
const quizSync: EntitySync = {
  toSend(local, id) {
    const row = local.sql.get('SELECT * FROM quizzes WHERE id = ?', id);
    if (row === undefined) return removedEntity(local, 'quiz', id);
    const questions = readOptionalJson(storedQuestions, row['questions'])?.map(
      ({ citation, ...question }) => ({
        ...question,
        cited: citation && portableCited(local, citation),
      }),
    );
    if (questions === undefined) return undefined;
    const origin = findSharedOrigin(local, row);
    const value = pack({
      title: row['title'],
      madeAt: row['made_at'],
      made: origin && { ...toSharedOrigin(origin), maker: row['maker'] },
      questions,
    });
    return { id, within: '', base: findBase(local, 'quiz', id)?.revision ?? 0, value };
  },
  take(local, { id, value, revision }) {
    if (value === undefined) {
      dropBase(local, 'quiz', id);
      local.sql.run('DELETE FROM quizzes WHERE id = ?', id);
      return true;
    }
    const theirs = v.parse(sharedQuiz, unpack(value));
    const questions = theirs.questions.map(({ cited, ...question }) => ({
      ...question,
      citation: cited && citationHere(local, cited),
    }));
    const before = local.sql.get('SELECT questions, replies FROM quizzes WHERE id = ?', id);
    const replies = repliesAfter(
      {
        questions: readOptionalJson(storedQuestions, before?.['questions']) ?? [],
        replies: readOptionalJson(storedReplies, before?.['replies']) ?? [],
      },
      questions,
    );
    local.sql.run(
      `INSERT INTO quizzes (id, title, questions, replies, made_at, source_ids, made_of, maker)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, questions = excluded.questions,
         replies = excluded.replies, source_ids = iif(excluded.maker IS NULL, source_ids, excluded.source_ids),
         made_of = coalesce(excluded.made_of, made_of), maker = coalesce(excluded.maker, maker)`,
      ...[id, theirs.title, JSON.stringify(questions), JSON.stringify(replies)],
      ...[
        Math.min(theirs.createdAt, Date.now()),
        ...originColumns(local, theirs.origin),
        theirs.origin?.maker ?? null,
      ],
    );
    keepBase(local, 'quiz', id, { revision, value });
    return true;
  },
};

/** Syncs of decks, cards, and quizzes by kind. */
export const flashcardSyncs: Readonly<Record<FlashcardEntityKind, EntitySync>> = {
  deck: deckSync,
  card: cardSync,
  quiz: quizSync,
};

/** Columns with citations as JSON, as pairs of table and column. */
export const CITING_COLUMNS = [
  ['cards', 'citation'],
  ['quizzes', 'questions'],
] as const;

/** SQL queries for the kind and ID of each entity, to send a whole notebook. */
export const OUTBOX_ROWS = [
  "SELECT 'deck', id FROM card_decks",
  "SELECT 'card', deck_id || char(10) || key FROM cards",
  "SELECT 'quiz', id FROM quizzes",
];

function mergedCard(base: SharedCard, theirs: SharedCard, ours: SharedCard): SharedCard {
  const isChanged = (card: SharedCard): boolean => card.front !== base.front || card.back !== base.back;
  const [removed, other] = ours.isRemoved ? [ours, theirs] : [theirs, ours];
  return {
    ...theirs,
    place: mergedValue(base.place, theirs.place, ours.place),
    front: mergedText(base.front, theirs.front, ours.front),
    back: mergedText(base.back, theirs.back, ours.back),
    isEdited: theirs.isEdited || ours.isEdited,
    // A card that one member deleted and another changed stays, and so does a restored card.
    isRemoved: removed.isRemoved && (other.isRemoved || (!base.isRemoved && !isChanged(other))),
    cited: isSameSource(ours, base) ? theirs.cited : ours.cited,
  };
}

function findLocalDeck(local: LocalContext, deckId: string): SharedDeck | undefined {
  const row = local.sql.get('SELECT * FROM card_decks WHERE id = ?', deckId);
  if (row === undefined) return undefined;
  return {
    title: String(row['title']),
    createdAt: Number(row['created_at']),
    origin: findSharedOrigin(local, row),
  };
}

/** Writes a deck, and returns it with its title here, which differs if another deck has the title. */
function writeDeck(local: LocalContext, deckId: string, deck: SharedDeck): SharedDeck {
  const { sql } = local;
  const isNew = findLocalDeck(local, deckId) === undefined;
  const titled = roomFor(local, deckId, deck);
  sql.run(
    `INSERT INTO card_decks (id, title, source_ids, made_of, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET title = excluded.title, source_ids = excluded.source_ids, made_of = excluded.made_of`,
    ...[deckId, titled, ...originColumns(local, deck.origin), deck.createdAt],
  );
  if (isNew) {
    // Cards may arrive before their deck. Pending changes of cards are from a deck that was deleted here since.
    dropPending(local, 'card', deckId);
    for (const { value } of basesWithin(local, 'card', deckId))
      writeCard(local, deckId, v.parse(sharedCard, value));
  }
  return { ...deck, title: titled };
}

/** Returns a free title for a deck. Of two decks with one title, the older one keeps it on all machines. */
function roomFor(local: LocalContext, deckId: string, { title, createdAt }: SharedDeck): string {
  const { sql } = local;
  const other = sql.get('SELECT id, created_at FROM card_decks WHERE title = ? AND id <> ?', title, deckId);
  if (other === undefined) return title;
  const otherId = String(other['id']);
  const otherCreatedAt = Number(other['created_at']);
  const isTaken = (candidateTitle: string): boolean =>
    sql.has('SELECT 1 FROM card_decks WHERE title = ? AND id <> ?', candidateTitle, deckId);
  const free = freeTitle(title, isTaken);
  if (otherCreatedAt < createdAt || (otherCreatedAt === createdAt && otherId < deckId)) {
    markPending(local, 'deck', deckId);
    return free;
  }
  sql.run('UPDATE card_decks SET title = ? WHERE id = ?', free, otherId);
  markPending(local, 'deck', otherId);
  return title;
}

function sharedCardId(deckId: string, key: string): string {
  return `${deckId}\n${hashBytes(Buffer.from(key)).toString('hex')}`;
}

function splitPlace(place: string): [deckId: string, key: string] {
  const at = place.indexOf('\n');
  return [place.slice(0, at), place.slice(at + 1)];
}

function findLocalCard(local: LocalContext, deckId: string, key: string): SharedCard | undefined {
  const row = local.sql.get('SELECT * FROM cards WHERE deck_id = ? AND key = ?', deckId, key);
  const kind = CARD_KINDS.find((candidate) => candidate === row?.['kind']);
  const maker = CARD_MAKERS.find((candidate) => candidate === row?.['maker']);
  if (row === undefined || kind === undefined || maker === undefined) return undefined;
  return {
    ...{ key, place: Number(row['place']), kind, maker },
    ...{ front: String(row['front']), back: String(row['back']) },
    isEdited: row['is_edited'] === 1,
    isRemoved: row['removed_at'] !== null,
    cited: citedIn(local, row),
  };
}

function citedIn(local: LocalContext, row: Row): SharedCard['cited'] {
  const citation = readOptionalJson(storedCitation, row['citation']);
  const hash = row['document_hash'];
  return (
    citation && {
      ...portableCited(local, citation),
      hash: typeof hash === 'string' ? hash : undefined,
      isStale: row['is_stale'] === 1,
    }
  );
}

/** Reports whether two cards cite the same text, wherever its file is on each machine. */
function isSameSource(card: SharedCard, other: SharedCard | undefined): boolean {
  return isDeepStrictEqual(citedWords(card), other && citedWords(other));
}

function citedWords({ cited }: SharedCard): unknown {
  if (cited === undefined) return undefined;
  const { sourceId, quote, span } = v.parse(anyFields, cited.citation);
  return [sourceId, quote, span, cited.hash, cited.isStale];
}

/** Keeps the review history of the card. */
function writeCard(local: LocalContext, deckId: string, card: SharedCard): void {
  const { key, place, kind, maker, front, back, isEdited, isRemoved, cited } = card;
  const citation = cited && citationHere(local, cited);
  local.sql.run(
    `INSERT INTO cards (id, deck_id, key, place, kind, maker, front, back, citation, document_id, document_hash, is_stale,
       is_edited, removed_at, state, due, schedule)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (deck_id, key) DO UPDATE SET place = excluded.place, kind = excluded.kind, maker = excluded.maker,
       front = excluded.front, back = excluded.back, citation = excluded.citation, document_id = excluded.document_id,
       document_hash = excluded.document_hash, is_stale = excluded.is_stale, is_edited = excluded.is_edited,
       removed_at = iif(excluded.removed_at IS NULL, NULL, coalesce(removed_at, excluded.removed_at))`,
    ...[randomUUID(), deckId, key, place, kind, maker, front, back],
    citation === undefined ? null : JSON.stringify(citation),
    ...[citation?.documentId ?? null, cited?.hash ?? null, Number(cited?.isStale ?? false)],
    ...[Number(isEdited), isRemoved ? Date.now() : null],
    ...[NEW_CARD.state, NEW_CARD.due, JSON.stringify(NEW_CARD)],
  );
}
