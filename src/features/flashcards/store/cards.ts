import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import {
  CARD_GRADES,
  CARD_KINDS,
  CARD_MAKERS,
  NEW_A_DAY,
  NEW_CARD,
  type Card,
  type CardAction,
  type CardEntry,
  type CardReview,
  type CardSchedule,
  type CardText,
  type Deck,
  type DeckEntry,
  type NewCard,
} from '../model.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { freeTitle } from '../../../core/domain/note.ts';
import type {
  AddedCards,
  CardClock,
  CardsApi,
  CardsToAdd,
  NextCard,
  NextCardOptions,
  ReviewedCard,
  WholeDeck,
} from './cards-api.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { differences } from '../../artifacts/store/document-versions.ts';
import {
  storedCitation,
  storedDocumentVersions,
  storedTexts,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import { storedCardUndo, storedSchedule, type CardUndo } from './stored-json.ts';
import { Quizzes } from './quizzes.ts';
import type { OpenNotebook } from '../../../index/library/open-notebook.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { forbidReadersEntity } from '../../../index/store/database/team-rights.ts';

/** Length of a card's text in a list, in UTF-16 code units. */
const MAX_ENTRY_LENGTH = 160;
/** Maximum number of actions besides reviews that can be undone. */
const MAX_UNDO_STEPS = 200;
/** Maximum number of cards in a deck. */
const MAX_CARDS = 20_000;

const LIVE = 'removed_at IS NULL';
const ACTIVE = `${LIVE} AND is_suspended = 0`;
/** SQL condition for a card whose document changed after its cited text was last found. */
const CHANGED = '(c.is_stale = 1 OR d.hash IS NOT c.document_hash)';
/** SQL for a card's columns and the state of its source. */
const CARD = `c.*, c.citation IS NOT NULL AS is_cited, ${CHANGED} AS is_changed`;
const WITH_DOCUMENTS = 'cards c LEFT JOIN documents d ON d.id = c.document_id';

/** Decks of a notebook with their cards, in its database. Every change is one transaction. */
export class Cards {
  readonly quizzes: Quizzes;
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.quizzes = new Quizzes(sql);
  }

  /** Returns all decks, sorted by title. */
  decks(clock: CardClock): DeckEntry[] {
    return this.#sql.reading(() => {
      const difference = differences(this.#sql);
      return this.#sql
        .all('SELECT * FROM card_decks ORDER BY title COLLATE NOCASE')
        .map((row) => this.#entry(toDeck(row), clock, difference));
    });
  }

  /** @throws NotebookError `not-found` */
  deck(deckId: string): Deck {
    const row = this.#sql.get('SELECT * FROM card_decks WHERE id = ?', deckId);
    if (row === undefined) throw new NotebookError('not-found', t('This deck no longer exists.'));
    return toDeck(row);
  }

  /** Adds cards that the deck doesn't have yet, and leaves its own unchanged. @throws NotebookError `too-large` */
  add(toAdd: CardsToAdd): AddedCards {
    const { deckId, ids } = this.addAll(toAdd);
    return { deckId, added: ids.length, existing: toAdd.cards.length - ids.length };
  }

  /** Adds cards like `add`, and returns the IDs of the new ones. */
  addAll({ title, origin, cards }: CardsToAdd): { readonly deckId: string; readonly ids: readonly string[] } {
    return this.#sql.transaction(() => {
      const deckId = this.#ensureDeck(title);
      if (origin !== undefined) this.saveOrigin(deckId, mergeOrigins(this.deck(deckId).origin, origin));
      const before = this.#sql.number('SELECT count(*) AS count FROM cards WHERE deck_id = ?', deckId);
      if (before + cards.length > MAX_CARDS)
        throw new NotebookError(
          'too-large',
          t('A deck can have at most {0} cards. Use fewer sources, or another deck.', MAX_CARDS),
        );
      let place = this.#sql.number(
        'SELECT coalesce(max(place), -1) + 1 AS place FROM cards WHERE deck_id = ?',
        deckId,
      );
      const ids = cards.flatMap((card) => {
        const id = this.#insert(deckId, place, card);
        if (id === undefined) return [];
        place++;
        return [id];
      });
      return { deckId, ids };
    });
  }

  /** Runs several changes in one transaction. */
  runTogether<T>(action: () => T): T {
    return this.#sql.transaction(action);
  }

  /** Saves the sources of a deck. */
  saveOrigin(deckId: string, { sourceIds, documents }: NonNullable<Deck['origin']>): void {
    this.#sql.write(
      'UPDATE card_decks SET source_ids = ?, made_of = ? WHERE id = ?',
      sourceIds === undefined ? null : JSON.stringify(sourceIds),
      JSON.stringify(documents),
      deckId,
    );
  }

  /** Renames a deck. Appends a number if the title is in use. */
  rename(deckId: string, title: string): void {
    this.#sql.transaction(() => {
      const isTaken = (candidateTitle: string): boolean =>
        this.#sql.has('SELECT 1 FROM card_decks WHERE title = ? AND id <> ?', candidateTitle, deckId);
      this.#sql.run('UPDATE card_decks SET title = ? WHERE id = ?', freeTitle(title, isTaken), deckId);
    });
  }

  /** @throws NotebookError `forbidden` if it belongs to a team and the user can only view it */
  removeDeck(deckId: string): void {
    forbidReadersEntity(this.#sql, 'deck', deckId);
    this.#sql.write('DELETE FROM card_decks WHERE id = ?', deckId);
  }

  /** Returns the cards of a deck in order, each with the beginning of its text. */
  list(deckId: string): CardEntry[] {
    return this.#sql
      .all(
        `SELECT c.id, c.kind, c.maker, substr(c.front, 1, ${String(MAX_ENTRY_LENGTH)}) AS front,
           substr(c.back, 1, ${String(MAX_ENTRY_LENGTH)}) AS back, c.is_suspended, c.state, c.due,
           c.citation IS NOT NULL AS is_cited, ${CHANGED} AS is_changed
         FROM ${WITH_DOCUMENTS} WHERE c.deck_id = ? AND ${LIVE} ORDER BY c.place`,
        deckId,
      )
      .flatMap((row) => {
        const known = knownCard(row);
        return known === undefined
          ? []
          : [{ ...known, state: toState(row['state']), due: Number(row['due']) }];
      });
  }

  /** @throws NotebookError `not-found` */
  card(cardId: string): Card {
    const row = this.#row(cardId);
    const card = row && toCard(row);
    if (card === undefined) throw new NotebookError('not-found', t('This card no longer exists.'));
    return card;
  }

  /** Returns the next due card, or a new one. @throws NotebookError `not-found` */
  next({ deckId, addsNew, shownCardId, ...clock }: CardClock & NextCardOptions): NextCard {
    return this.#sql.reading(() => {
      const deck = this.#entry(this.deck(deckId), clock, differences(this.#sql));
      const waiting = this.#count(deckId, `${ACTIVE} AND state = 0`);
      const rows = (where: string, order: string, value: number | string): Row[] =>
        this.#sql.all(
          `SELECT ${CARD} FROM ${WITH_DOCUMENTS} WHERE c.deck_id = ? AND ${ACTIVE} AND ${where} ORDER BY ${order} LIMIT 20`,
          deckId,
          value,
        );
      const shownRows = shownCardId === undefined ? [] : rows('c.id = ?', 'place', shownCardId);
      // Cards in learning come first, then due ones, then new ones. Skip rows of unknown kinds.
      const [card] = [
        ...shownRows.filter(({ state, due }) => state === 0 || Number(due) <= clock.now),
        ...rows('state IN (1, 3) AND due <= ?', 'due, place', clock.now),
        ...rows('state = 2 AND due <= ?', 'due, place', clock.now),
        ...(deck.fresh > 0 || addsNew ? rows('state = 0 AND due <= ?', 'place', clock.now) : []),
      ].flatMap((row) => toCard(row) ?? []);
      const nextDue = this.#sql.get(
        `SELECT min(due) AS due FROM cards WHERE deck_id = ? AND ${ACTIVE} AND state > 0`,
        deckId,
      )?.['due'];
      return {
        deck,
        card,
        nextDue: card === undefined && typeof nextDue === 'number' ? nextDue : undefined,
        later: waiting - deck.fresh,
        suspended: this.#count(deckId, `${LIVE} AND is_suspended = 1`),
        lastAction: this.#lastAction(deckId)?.action,
      };
    });
  }

  /** @throws NotebookError `conflict` if another window reviewed it meanwhile, `not-found` */
  review({ cardId, grade, at, before, after }: ReviewedCard): void {
    this.#sql.transaction(() => {
      const { schedule } = this.card(cardId);
      if (!isSameSchedule(schedule, before))
        throw new NotebookError(
          'conflict',
          t('This card was already reviewed in another window. That review counts.'),
        );
      this.#saveAction(cardId, 'review', { schedule }, at, grade);
      this.#schedule(cardId, after);
    });
  }

  /** @throws NotebookError `not-found` */
  edit(cardId: string, { front, back }: Omit<CardText, 'kind'>): void {
    this.#sql.transaction(() => {
      const card = this.card(cardId);
      if (card.front === front && card.back === back) return;
      const { isEdited } = card;
      this.#saveAction(cardId, 'edit', { front: card.front, back: card.back, isEdited });
      this.#sql.run('UPDATE cards SET front = ?, back = ?, is_edited = 1 WHERE id = ?', front, back, cardId);
    });
  }

  /** Suspends cards or resumes them. */
  suspend(cardIds: readonly string[], isSuspended: boolean): void {
    this.#sql.transaction(() => {
      for (const id of cardIds) {
        const card = this.card(id);
        if (card.isSuspended === isSuspended) continue;
        this.#saveAction(id, 'suspend', { isSuspended: card.isSuspended });
        this.#sql.run('UPDATE cards SET is_suspended = ? WHERE id = ?', Number(isSuspended), id);
      }
    });
  }

  /** Hides cards, so that they can be restored and aren't generated again. */
  remove(cardIds: readonly string[]): void {
    this.#sql.transaction(() => {
      for (const id of cardIds) {
        forbidReadersEntity(this.#sql, 'deck', this.card(id).deckId);
        this.#saveAction(id, 'remove', {});
        this.#sql.run('UPDATE cards SET removed_at = ? WHERE id = ?', Date.now(), id);
      }
    });
  }

  /** Undoes the last action on a deck's cards; returns the ID of the affected card. */
  undo(deckId: string): string | undefined {
    return this.#sql.transaction(() => {
      const last = this.#lastAction(deckId);
      if (last === undefined) return undefined;
      const { id, cardId, action, before } = last;
      switch (action) {
        case 'review':
          this.#schedule(cardId, before.schedule ?? NEW_CARD);
          break;
        case 'edit':
          this.#sql.run(
            'UPDATE cards SET front = ?, back = ?, is_edited = ? WHERE id = ?',
            before.front ?? '',
            before.back ?? '',
            Number(before.isEdited ?? false),
            cardId,
          );
          break;
        case 'suspend':
          this.#sql.run(
            'UPDATE cards SET is_suspended = ? WHERE id = ?',
            Number(before.isSuspended ?? false),
            cardId,
          );
          break;
        case 'remove':
          this.#sql.run('UPDATE cards SET removed_at = NULL WHERE id = ?', cardId);
      }
      this.#sql.run('DELETE FROM card_deeds WHERE id = ?', id);
      return cardId;
    });
  }

  /** Returns a deck with all its cards, as a consistent snapshot. */
  readWholeDeck(deckId: string): WholeDeck {
    return this.#sql.reading(() => ({
      deck: this.deck(deckId),
      cards: this.#sql
        .all(
          `SELECT ${CARD} FROM ${WITH_DOCUMENTS}
           WHERE c.deck_id = ? AND ${LIVE} ORDER BY c.place`,
          deckId,
        )
        .flatMap((row) => toCard(row) ?? []),
      reviews: this.#sql
        .all(
          `SELECT e.* FROM card_deeds e JOIN cards c ON c.id = e.card_id
           WHERE c.deck_id = ? AND ${LIVE} AND e.deed = 'review' ORDER BY e.id`,
          deckId,
        )
        .flatMap(toReview),
    }));
  }

  /** Returns the cards of a deck by key, and the keys of all cards including deleted ones. */
  readCardsByKey(deckId: string): {
    readonly keys: ReadonlySet<string>;
    readonly cards: ReadonlyMap<string, Card>;
  } {
    const rows = this.#sql.all(
      `SELECT ${CARD} FROM ${WITH_DOCUMENTS} WHERE c.deck_id = ? ORDER BY c.place`,
      deckId,
    );
    return {
      keys: new Set(rows.map(({ key }) => String(key))),
      cards: new Map(
        rows.flatMap((row) => {
          const card = row['removed_at'] === null ? toCard(row) : undefined;
          return card === undefined ? [] : [[String(row['key']), card]];
        }),
      ),
    };
  }

  /** Returns the sources that the cards of a deck cite. */
  citedSources(deckId: string): string[] {
    return this.#sql.texts(
      `SELECT DISTINCT d.source_id FROM cards c JOIN documents d ON d.id = c.document_id WHERE c.deck_id = ? AND ${LIVE}`,
      deckId,
    );
  }

  /** Returns the makers of a deck's cards, including deleted ones. */
  makers(deckId: string): ReadonlySet<string> {
    const rows = this.#sql.all('SELECT DISTINCT maker FROM cards WHERE deck_id = ?', deckId);
    return new Set(rows.map(({ maker }) => String(maker)));
  }

  /** Reports whether a card exists and isn't deleted. */
  has(cardId: string): boolean {
    return this.#sql.has(`SELECT 1 FROM cards WHERE id = ? AND ${LIVE}`, cardId);
  }

  /**
   * Updates the citation and the text of a card from its source, or marks that the cited text no longer exists. Does
   * nothing if the card no longer exists.
   */
  refresh(
    cardId: string,
    { citation, text }: Pick<NewCard, 'citation'> & { readonly text?: Pick<CardText, 'back' | 'front'> },
  ): void {
    this.#sql.transaction(() => {
      if (citation !== undefined)
        this.#sql.run(
          'UPDATE cards SET citation = ?, document_id = ? WHERE id = ?',
          ...[JSON.stringify(citation), citation.documentId, cardId],
        );
      this.#sql.run(
        `UPDATE cards SET is_stale = ?, document_hash = (SELECT hash FROM documents d WHERE d.id = document_id)
         WHERE id = ?`,
        ...[Number(citation === undefined), cardId],
      );
      // A reviewed card with new text is due immediately.
      if (text !== undefined)
        this.#sql.run(
          'UPDATE cards SET front = ?, back = ?, due = iif(state = 0, 0, min(due, ?)) WHERE id = ?',
          ...[text.front, text.back, Date.now(), cardId],
        );
    });
  }

  #entry(deck: Deck, { now, dayStart }: CardClock, difference: ReturnType<typeof differences>): DeckEntry {
    const { id, origin } = deck;
    const begun = this.#sql.number(
      `SELECT count(*) AS count FROM card_deeds e JOIN cards c ON c.id = e.card_id
         WHERE c.deck_id = ? AND e.at >= ? AND e.deed = 'review' AND json_valid(e.before) AND e.before ->> '$.schedule.state' = 0`,
      id,
      dayStart,
    );
    const changed = this.#sql.get(
      `SELECT count(*) AS count FROM ${WITH_DOCUMENTS} WHERE c.deck_id = ? AND c.${LIVE} AND d.hash IS NOT c.document_hash`,
      id,
    );
    return {
      ...deck,
      cards: this.#count(id, LIVE),
      due: this.#count(id, `${ACTIVE} AND state > 0 AND due <= ?`, now),
      fresh: Math.min(Math.max(0, NEW_A_DAY - begun), this.#count(id, `${ACTIVE} AND state = 0`)),
      changed: Number(changed?.['count']),
      difference: origin && difference(origin),
    };
  }

  #count(deckId: string, where: string, ...values: number[]): number {
    return this.#sql.number(
      `SELECT count(*) AS count FROM cards WHERE deck_id = ? AND ${where}`,
      deckId,
      ...values,
    );
  }

  #ensureDeck(title: string): string {
    const deckRow = this.#sql.get('SELECT id FROM card_decks WHERE title = ?', title);
    if (deckRow !== undefined) return String(deckRow['id']);
    const id = randomUUID();
    this.#sql.insert('card_decks', { id, title, created_at: Date.now() });
    return id;
  }

  /** Adds a card and returns its ID; undefined if the deck already has it. */
  #insert(deckId: string, place: number, card: NewCard): string | undefined {
    const id = randomUUID();
    const { key, kind, maker, front, back, citation, schedule = NEW_CARD } = card;
    const { isSuspended = false, isEdited = false } = card;
    const documentId = citation?.documentId ?? null;
    const added = this.#sql.run(
      `INSERT INTO cards (id, deck_id, key, place, kind, maker, front, back, citation, document_id, document_hash,
         is_suspended, is_edited, state, due, schedule)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT hash FROM documents WHERE id = ?), ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      ...[id, deckId, key, place, kind, maker, front, back],
      citation === undefined ? null : JSON.stringify(citation),
      ...[documentId, documentId, Number(isSuspended), Number(isEdited)],
      ...[schedule.state, schedule.due, JSON.stringify(schedule)],
    );
    return added > 0 ? id : undefined;
  }

  #row(cardId: string): Row | undefined {
    return this.#sql.get(
      `SELECT ${CARD} FROM ${WITH_DOCUMENTS}
       WHERE c.id = ? AND ${LIVE}`,
      cardId,
    );
  }

  #schedule(cardId: string, schedule: CardSchedule): void {
    this.#sql.run(
      'UPDATE cards SET state = ?, due = ?, schedule = ? WHERE id = ?',
      schedule.state,
      schedule.due,
      JSON.stringify(schedule),
      cardId,
    );
  }

  #saveAction(cardId: string, action: CardAction, before: CardUndo, at = Date.now(), grade?: number): void {
    this.#sql.insert('card_deeds', {
      card_id: cardId,
      deed: action,
      grade,
      at,
      before: JSON.stringify(before),
    });
    // Keep reviews, which are the card's history.
    this.#sql.run(
      `DELETE FROM card_deeds WHERE deed <> 'review' AND id <= (
         SELECT id FROM card_deeds WHERE deed <> 'review' ORDER BY id DESC LIMIT 1 OFFSET ${String(MAX_UNDO_STEPS)})`,
    );
  }

  #lastAction(deckId: string): SavedAction | undefined {
    const row = this.#sql.get(
      `SELECT e.id, e.card_id, e.deed, e.before FROM card_deeds e JOIN cards c ON c.id = e.card_id
       WHERE c.deck_id = ? AND (c.removed_at IS NULL OR e.deed = 'remove') ORDER BY e.id DESC LIMIT 1`,
      deckId,
    );
    const action = CARD_ACTIONS.find((candidate) => candidate === row?.['deed']);
    const before = row && readOptionalJson(storedCardUndo, row['before']);
    return row === undefined || action === undefined || before === undefined
      ? undefined
      : { id: Number(row['id']), cardId: String(row['card_id']), action, before };
  }
}

const CARD_ACTIONS: readonly CardAction[] = ['edit', 'remove', 'review', 'suspend'];

interface SavedAction {
  readonly id: number;
  readonly cardId: string;
  readonly action: CardAction;
  readonly before: CardUndo;
}

function toDeck(row: Row): Deck {
  const documents = readOptionalJson(storedDocumentVersions, row['made_of']);
  return {
    id: String(row['id']),
    title: String(row['title']),
    origin: documents && { documents, sourceIds: readOptionalJson(storedTexts, row['source_ids']) },
  };
}

/**
 * Returns the sources of a deck after cards from more sources were added. Documents that it already has keep their
 * versions.
 */
function mergeOrigins(
  before: Deck['origin'],
  added: NonNullable<Deck['origin']>,
): NonNullable<Deck['origin']> {
  if (before === undefined) return added;
  const known = new Set(before.documents.map(({ documentId }) => documentId));
  const isAll = before.sourceIds === undefined || added.sourceIds === undefined;
  return {
    sourceIds: isAll ? undefined : [...new Set([...(before.sourceIds ?? []), ...(added.sourceIds ?? [])])],
    documents: [...before.documents, ...added.documents.filter(({ documentId }) => !known.has(documentId))],
  };
}

/** Returns the list entry of a card; undefined if a newer version wrote values that are unknown here. */
function knownCard(row: Row): Omit<CardEntry, 'due' | 'state'> | undefined {
  const kind = CARD_KINDS.find((candidate) => candidate === row['kind']);
  const maker = CARD_MAKERS.find((candidate) => candidate === row['maker']);
  if (kind === undefined || maker === undefined) return undefined;
  const isCited = row['is_cited'] === 1;
  return {
    ...{ id: String(row['id']), kind, maker },
    ...{ front: String(row['front']), back: String(row['back']) },
    isSuspended: row['is_suspended'] === 1,
    source: isCited ? (row['is_changed'] === 1 ? 'changed' : 'same') : 'none',
  };
}

function toCard(row: Row): Card | undefined {
  const known = knownCard(row);
  if (known === undefined) return undefined;
  return {
    ...known,
    deckId: String(row['deck_id']),
    citation: readOptionalJson(storedCitation, row['citation']),
    // A card with a lost schedule starts over.
    schedule: readOptionalJson(storedSchedule, row['schedule']) ?? NEW_CARD,
    isEdited: row['is_edited'] === 1,
  };
}

function toState(value: unknown): CardSchedule['state'] {
  return value === 1 || value === 2 || value === 3 ? value : 0;
}

function toReview(row: Row): CardReview[] {
  const grade = CARD_GRADES.find((candidate) => candidate === row['grade']);
  const before = readOptionalJson(storedCardUndo, row['before'])?.schedule;
  return grade === undefined || before === undefined
    ? []
    : [{ cardId: String(row['card_id']), at: Number(row['at']), grade, before }];
}

function isSameSchedule(schedule: CardSchedule, other: CardSchedule): boolean {
  return (
    schedule.reviews === other.reviews &&
    schedule.reviewedAt === other.reviewedAt &&
    schedule.state === other.state
  );
}

/** Returns the index worker's handlers for cards of the open notebook. */
export function cardsHandlers(notebook: () => Pick<OpenNotebook, 'sql'>): Handlers<CardsApi> {
  const cards = (): Cards => new Cards(notebook().sql);
  return {
    decks: (clock) => cards().decks(clock),
    addCards: (params) => cards().add(params),
    renameDeck: ({ deckId, title }) => cards().rename(deckId, title),
    removeDeck: ({ deckId }) => cards().removeDeck(deckId),
    cards: ({ deckId }) => cards().list(deckId),
    card: ({ cardId }) => cards().card(cardId),
    nextCard: (params) => cards().next(params),
    reviewCard: (review) => cards().review(review),
    editCard: ({ cardId, front, back }) => cards().edit(cardId, { front, back }),
    suspendCards: ({ cardIds, isSuspended }) => cards().suspend(cardIds, isSuspended),
    removeCards: ({ cardIds }) => cards().remove(cardIds),
    undoCard: ({ deckId }) => cards().undo(deckId),
    wholeDeck: ({ deckId }) => cards().readWholeDeck(deckId),
    quizzes: () => cards().quizzes.list(),
    addQuiz: (params) => cards().quizzes.add(params),
    citedSources: ({ kind, id }) =>
      kind === 'deck' ? cards().citedSources(id) : cards().quizzes.citedSources(id),
    quiz: ({ quizId }) => cards().quizzes.open(quizId),
    replyToQuiz: ({ quizId, question, choice }) =>
      cards().quizzes.reply(quizId, question === undefined ? undefined : { question, choice }),
    removeQuiz: ({ quizId }) => cards().quizzes.remove(quizId),
  };
}
