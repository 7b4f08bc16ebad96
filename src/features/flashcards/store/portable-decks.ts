import type { ArtifactOrigin } from '../../../core/domain/artifact.ts';
import * as v from 'valibot';
import { parseBounded } from '../../../core/domain/bounded-json.ts';
import { CARD_KINDS, CARD_MAKERS, type NewCard } from '../model.ts';
import { Cards } from './cards.ts';
import { documentVersions } from '../../artifacts/store/document-versions.ts';
import { storedSchedule } from './stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import type { AddedEntity } from '../../../index/library/library-api.ts';
import type {
  ExportedEntities,
  PortableFeature,
  Renumbering,
} from '../../../index/library/portable-feature.ts';
import { optional, title } from '../../../index/library/exported-values.ts';
import { portableCitation } from '../../../index/library/portable-places.ts';
import { readCitation, type ImportedPlaces } from '../../../index/library/read-citations.ts';

/** Maximum number of cards in a part, and of parts in a file. */
const CARDS_OF_PART = 500;
const MAX_PARTS = 2_000;
const BOUNDS = { depth: 30, values: 1_000_000 };

const part = v.pipe(
  v.object({
    title: v.pipe(title, v.nonEmpty()),
    /** Sources of a deck that was generated from sources. */
    made: optional(v.object({ sourceIds: optional(v.array(v.string())) })),
    cards: v.pipe(
      v.array(
        v.object({
          key: v.string(),
          kind: v.picklist(CARD_KINDS),
          maker: v.picklist(CARD_MAKERS),
          front: v.string(),
          back: v.string(),
          citation: optional(v.unknown()),
          schedule: storedSchedule,
          isSuspended: v.boolean(),
          isEdited: v.boolean(),
        }),
      ),
      v.maxLength(CARDS_OF_PART),
    ),
  }),
  v.transform(({ made: origin, ...deck }) => ({ ...deck, origin })),
);

/**
 * Returns the decks of a notebook for export, in parts, each as JSON, with the review state of their cards. They are in
 * the head, where older versions ignore them. The review history and quizzes aren't exported.
 */
function exportedDecks(sql: Statements, roots: readonly string[]): ExportedEntities {
  const cards = new Cards(sql);
  const exported = portableDecks(cards).flatMap(({ title: name, origin, all }) =>
    Array.from({ length: Math.ceil(all.length / CARDS_OF_PART) }, (_, n) =>
      JSON.stringify({
        title: name,
        made: origin && { sourceIds: origin.sourceIds },
        cards: all
          .slice(n * CARDS_OF_PART, (n + 1) * CARDS_OF_PART)
          .map((card) => ({ ...card, citation: card.citation && portableCitation(card.citation, roots) })),
      }),
    ),
  );
  return { exported, leftOut: [] };
}

/** Adds the decks of an exported notebook. @throws ValiError, SyntaxError */
function importDecks(sql: Statements, exported: readonly string[], places: ImportedPlaces): void {
  if (exported.length > MAX_PARTS) throw new RangeError('There are too many cards.');
  const cards = new Cards(sql);
  cards.runTogether(() => {
    for (const json of exported) {
      const { title: name, origin, cards: all } = v.parse(part, parseBounded(json, BOUNDS));
      cards.add({
        title: name,
        origin: origin && { sourceIds: origin.sourceIds, documents: documentVersions(sql, origin) },
        cards: all.map((card) => ({
          ...card,
          citation: card.citation === undefined ? undefined : readCitation(card.citation, places),
        })),
      });
    }
  });
}

/** Adds the cards of decks to the decks with the same titles, whose own cards stay unchanged. */
function mergeDecks(
  origin: Statements,
  target: Statements,
  { citation, origin: renumber }: Renumbering,
): AddedEntity[] {
  const targetCards = new Cards(target);
  return portableDecks(new Cards(origin)).flatMap(({ title: name, origin: deckOrigin, all }) => {
    const cards = all.map((card) => ({ ...card, citation: card.citation && citation(card.citation) }));
    const isThere = target.has('SELECT 1 FROM card_decks WHERE title = ?', name);
    return [
      ...targetCards
        .addAll({ title: name, cards, origin: isThere ? undefined : deckOrigin && renumber(deckOrigin) })
        .ids.map((id) => ({ id })),
    ];
  });
}

/** Removes cards that were neither reviewed nor changed since, and then empty decks. */
function unmergeDecks(sql: Statements, added: readonly AddedEntity[]): void {
  for (const { id } of added)
    sql.run(
      'DELETE FROM cards WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM card_deeds WHERE card_id = ?1)',
      id,
    );
  sql.run('DELETE FROM card_decks WHERE id NOT IN (SELECT deck_id FROM cards)');
}

/** Export, import, and merging of decks. */
export const portableFlashcards: PortableFeature = {
  field: 'decks',
  head: { exported: exportedDecks, imported: importDecks },
  merge: mergeDecks,
  unmerge: unmergeDecks,
};

/** Deck that is copied to another notebook. */
interface CarriedDeck {
  readonly title: string;
  readonly origin: ArtifactOrigin | undefined;
  readonly all: readonly NewCard[];
}

/** Returns the decks of a notebook without deleted cards. */
function portableDecks(cards: Cards): CarriedDeck[] {
  return cards.decks({ now: 0, dayStart: 0 }).map(({ id, title: name, origin }) => ({
    title: name,
    origin,
    all: Array.from(
      cards.readCardsByKey(id).cards,
      ([key, { kind, maker, front, back, citation, schedule, isSuspended, isEdited }]) => ({
        ...{ key, kind, maker, front, back, citation, schedule, isSuspended, isEdited },
      }),
    ),
  }));
}
