import * as v from 'valibot';
import { parseBounded } from '../../../notebook/bounded-json.ts';
import { CARD_KINDS, CARD_MAKERS, type DeckOrigin, type NewCard } from '../model.ts';
import { Cards } from './cards.ts';
import { documentVersions } from '../../../indexing/store/sources/document-versions.ts';
import { storedSchedule } from './stored-json.ts';
import type { Statements } from '../../../indexing/store/database/statements.ts';
import { optional, title } from '../../../indexing/library/exported-values.ts';
import { portableCitation } from '../../../indexing/library/portable-places.ts';
import { readCitedText, type ImportedPlaces } from '../../../indexing/library/read-citations.ts';

/** Maximum number of cards in a part, and of parts in a file. */
const CARDS_OF_PART = 500;
const MAX_PARTS = 2_000;
const BOUNDS = { depth: 30, values: 1_000_000 };

const part = v.object({
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
});

/**
 * Returns the decks of a notebook for export, in parts, each as JSON, with the review state of their cards. They are in
 * the head, where older versions ignore them. The review history and quizzes aren't exported.
 */
export function exportedDecks(sql: Statements, roots: readonly string[]): string[] {
  const cards = new Cards(sql);
  return portableDecks(cards).flatMap(({ title: name, made, all }) =>
    Array.from({ length: Math.ceil(all.length / CARDS_OF_PART) }, (_, n) =>
      JSON.stringify({
        title: name,
        made: made && { sourceIds: made.sourceIds },
        cards: all
          .slice(n * CARDS_OF_PART, (n + 1) * CARDS_OF_PART)
          .map((card) => ({ ...card, citation: card.citation && portableCitation(card.citation, roots) })),
      }),
    ),
  );
}

/** Adds the decks of an exported notebook. @throws ValiError, SyntaxError */
export function importDecks(sql: Statements, exported: readonly string[], places: ImportedPlaces): void {
  if (exported.length > MAX_PARTS) throw new RangeError('There are too many cards.');
  const cards = new Cards(sql);
  cards.together(() => {
    for (const json of exported) {
      const { title: name, made, cards: all } = v.parse(part, parseBounded(json, BOUNDS));
      cards.add({
        title: name,
        made: made && { sourceIds: made.sourceIds, madeOf: documentVersions(sql, made) },
        cards: all.map((card) => ({ ...card, citation: importedCitation(card.citation, places) })),
      });
    }
  });
}

/** Deck that is copied to another notebook. */
interface CarriedDeck {
  readonly title: string;
  readonly made: DeckOrigin | undefined;
  readonly all: readonly NewCard[];
}

/** Returns the decks of a notebook without deleted cards. */
export function portableDecks(cards: Cards): CarriedDeck[] {
  return cards.decks({ now: 0, dayStart: 0 }).map(({ id, title: name, made }) => ({
    title: name,
    made,
    all: Array.from(
      cards.keyed(id).cards,
      ([key, { kind, maker, front, back, citation, schedule, isSuspended, isEdited }]) => ({
        ...{ key, kind, maker, front, back, citation, schedule, isSuspended, isEdited },
      }),
    ),
  }));
}

function importedCitation(citation: unknown, places: ImportedPlaces): NewCard['citation'] {
  if (citation === undefined) return undefined;
  return readCitedText({ text: '', statements: [], citations: [citation] }, places).citations[0];
}
