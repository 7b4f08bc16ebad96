import { withoutItemMark } from '../../language/markdown-lines.ts';
import type { Handlers } from '../../messages/rpc.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { NewCard } from '../../notebook/cards.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { findWords, plainMarkdown } from '../../notebook/selected-words.ts';
import { thingWords } from '../../studio/names.ts';
import type { Cards } from '../store/cards.ts';
import type { Store } from '../store/store.ts';
import type { CardMakingApi, RefreshedCards } from './card-making-api.ts';
import type { CitedDocuments } from './cited-documents.ts';
import type { Studio } from './studio.ts';

interface CardParts {
  readonly cards: Cards;
  readonly studio: Studio;
  readonly cited: CitedDocuments;
  readonly store: Store;
}

type Asking = Parameters<Studio['definitions']>[1];
type Defined = Awaited<ReturnType<Studio['definitions']>>['cards'][number];

/** Makes a card of each definition in a deck of a title. @throws NotebookError `empty` */
async function makeCards(
  { cards, studio }: CardParts,
  { title, sourceIds }: Parameters<CardMakingApi['makeCards']>[0],
  asking: Asking,
): Promise<ReturnType<CardMakingApi['makeCards']>> {
  const { cards: defined, madeOf } = await studio.definitions({ sourceIds }, asking);
  if (defined.length === 0) throw new NotebookError('empty', thingWords('cards').empty);
  return cards.add({ title, made: { sourceIds, madeOf }, cards: defined.map(definitionCard) });
}

/**
 * Brings a deck up to date with what its sources are now: cards whose words stand as they did keep all that they are, those
 * of a definition that reads otherwise get its words, and what is defined newly is added.
 */
async function refreshCards(
  { cards, studio, cited }: CardParts,
  deckId: string,
  asking: Asking,
): Promise<RefreshedCards> {
  const { title, made } = cards.deck(deckId);
  const { cards: defined, madeOf } =
    made === undefined ? { cards: [], madeOf: [] } : await studio.definitions(made, asking);
  const fresh = new Map(defined.map(definitionCard).map((card) => [card.key, card]));
  const { keys, cards: before } = cards.keyed(deckId);
  const counts = { same: 0, changed: 0, stale: 0, added: 0 };
  return cards.together(() => {
    for (const [key, card] of before) {
      const { id, maker, front, isEdited, citation } = card;
      if (citation === undefined) continue;
      const now = maker === 'definition' ? fresh.get(key) : undefined;
      const isReworded = now !== undefined && now.front !== front && now.citation?.quote !== citation.quote;
      if (isReworded && !isEdited) {
        counts.changed++;
        cards.refresh(id, { citation: now.citation, front: now.front });
        continue;
      }
      const there = isReworded ? undefined : (now?.citation ?? citedNow(cited, citation));
      counts[there === undefined ? 'stale' : 'same']++;
      cards.refresh(id, { citation: there });
    }
    if (made !== undefined) {
      const added = [...fresh].flatMap(([key, card]) => (keys.has(key) ? [] : [card]));
      counts.added = cards.add({ title, made: { ...made, madeOf }, cards: added }).added;
    }
    return counts;
  });
}

/** Cited words where they stand now; undefined where they don't. */
function citedNow(cited: CitedDocuments, citation: Citation): Citation | undefined {
  const found = cited.find(citation);
  if (found.kind !== 'found') return undefined;
  const { number, documentId, quote } = citation;
  const { span } = found;
  return cited.cite([{ number, documentId, passage: span, span, quote }])[0];
}

/** Words as they stand in one of the documents at a URI. */
function citeWords(
  { cited, store }: Pick<CardParts, 'cited' | 'store'>,
  { uri, words, near }: Parameters<CardMakingApi['citeWords']>[0],
): Citation | undefined {
  for (const { id: documentId } of store.documents.at(uri)) {
    const { text } = cited.document(documentId);
    const span = findWords(text, words, near);
    if (span === undefined) continue;
    const quote = text.slice(span.start, span.end);
    return cited.cite([{ number: 1, documentId, passage: span, span, quote }])[0];
  }
  return undefined;
}

function definitionCard({ term, front, format, citation }: Defined): NewCard {
  return {
    key: `definition ${term.toLowerCase()}`,
    kind: 'cloze',
    maker: 'definition',
    front: format === 'markdown' ? withoutItemMark(front) : plainMarkdown(withoutItemMark(front)),
    back: '',
    citation,
  };
}

/** What the index worker does where cards are made of the documents of the notebook that is open. */
export function cardMakingHandlers(notebook: () => CardParts): Handlers<CardMakingApi> {
  return {
    makeCards: (params, context) => makeCards(notebook(), params, context),
    citeWords: (params) => citeWords(notebook(), params),
    refreshCards: ({ deckId }, context) => refreshCards(notebook(), deckId, context),
    definitions: async (scope, context) => {
      const { cards } = await notebook().studio.definitions(scope, context);
      return cards.map(({ term, citation, ...card }) => ({
        term,
        front: definitionCard({ ...card, term, citation }).front,
        citation,
      }));
    },
  };
}
