import { t } from '@vscode/l10n';
import { withoutItemMark } from '../../language/markdown-lines.ts';
import type { Handlers } from '../../messages/rpc.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { DeckMade, NewCard, QuizQuestion } from '../../notebook/cards.ts';
import { NotebookError } from '../../notebook/errors.ts';
import type { PassagePlace } from '../../notebook/passage.ts';
import { roundRobin } from '../../notebook/round-robin.ts';
import { findWords, plainMarkdown } from '../../notebook/selected-words.ts';
import { compareVersions, isChanged, type DocumentVersion, type StudioScope } from '../../notebook/studio.ts';
import { thingWords } from '../../studio/names.ts';
import type { Cards } from '../store/made/cards.ts';
import type { Store } from '../store/store.ts';
import type {
  CardMakingApi,
  CitedDefinition,
  DeckChanges,
  DeckPlan,
  OutdatedCard,
  RewordedCard,
  WantedQuestions,
} from './card-making-api.ts';
import type { CitedDocuments } from './cited-documents.ts';
import { pausing } from '../../messages/pausing.ts';
import { splitDocument } from './splitter.ts';
import type { Studio } from './studio.ts';

/** Passages that a model asks questions of, in UTF-16 code units, and so many of them for each question. */
const SIZE_OF_PASSAGE = 1_500;
const PLACES_PER_QUESTION = 3;
/** So many questions are asked at most where something is brought up to date. */
const MOST_QUESTIONS = 300;

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
 * What bringing a deck up to date with its sources does: cards whose words stand as they did keep all that they are, those
 * of a definition that reads otherwise get its words, those of words that are gone go, unless the user wrote them, and of
 * documents that changed or came what is new comes.
 */
async function planDeck(
  { cards, studio, cited }: CardParts,
  deckId: string,
  asking: Asking,
): Promise<DeckPlan> {
  const { made } = cards.deck(deckId);
  const makers = cards.makers(deckId);
  const now = made === undefined ? [] : studio.madeOfNow(made);
  const defined =
    made !== undefined && makers.has('definition') && now.length > 0
      ? (await studio.definitions(made, asking)).cards.map(definitionCard)
      : [];
  const fresh = new Map(defined.map((card) => [card.key, card]));
  const { keys, cards: before } = cards.keyed(deckId);
  const reworded: RewordedCard[] = [];
  const gone: OutdatedCard[] = [];
  const kept: { cardId: string; citation?: Citation | undefined }[] = [];
  const pause = pausing(asking.signal);
  for (const [key, card] of before) {
    await pause();
    const { id: cardId, maker, kind, front, back, isEdited, citation } = card;
    if (citation === undefined) continue;
    const said = maker === 'definition' ? fresh.get(key) : undefined;
    const isReworded = said !== undefined && said.front !== front && said.citation?.quote !== citation.quote;
    const isOwn = isEdited || made === undefined || (maker !== 'definition' && maker !== 'model');
    const there = isReworded ? undefined : (said?.citation ?? citedNow(cited, citation));
    if (isReworded && !isEdited)
      reworded.push({ cardId, before: { front, back }, front: said.front, back, citation: said.citation });
    else if (there === undefined && !isOwn) gone.push({ cardId, key, kind, front, back });
    else kept.push({ cardId, citation: there });
  }
  const askedOf = new Set(made === undefined ? [] : otherDocuments(made.madeOf, now));
  const added = defined.filter(
    ({ key, citation }) => !keys.has(key) && citation !== undefined && askedOf.has(citation.documentId),
  );
  const written = Array.from(before.values()).filter(({ maker }) => maker === 'model').length;
  const replaced = gone.filter(({ key }) => before.get(key)?.maker === 'model').length;
  const asked = {
    askedOf: [...askedOf],
    share: written / Math.max(1, made?.madeOf.length ?? 0),
    replaced,
  };
  const wanted = makers.has('model') ? await wantedQuestions(studio, asked, asking.signal) : undefined;
  return {
    changes: {
      ...{ deckId, reworded, added, gone, kept },
      made: made && { sourceIds: made.sourceIds, madeOf: now },
    },
    wanted: wanted !== undefined && wanted.places.length > 0 ? wanted : undefined,
  };
}

/** @throws NotebookError `conflict` */
function keepDeckChanges({ cards, studio }: CardParts, changes: DeckChanges): void {
  const { deckId, made, reworded, added, gone, kept } = changes;
  cards.together(() => {
    if (made !== undefined) forbidOther(studio, made);
    for (const { cardId, citation } of kept) cards.refresh(cardId, { citation });
    for (const { cardId, citation, front, back } of reworded)
      cards.refresh(cardId, { citation, text: { front, back } });
    cards.remove(gone.map(({ cardId }) => cardId).filter((cardId) => cards.has(cardId)));
    const { title } = cards.deck(deckId);
    if (added.length > 0) cards.add({ title, cards: added });
    if (made !== undefined) cards.keepMade(deckId, made);
  });
}

/** What bringing a quiz up to date does: questions whose words the sources have no more go, and others come. */
async function planQuiz(
  parts: CardParts,
  quizId: string,
  asking: Asking,
): Promise<ReturnType<CardMakingApi['planQuiz']>> {
  const { cards, studio, cited } = parts;
  const quiz = cards.quizzes.open(quizId);
  const { made } = quiz;
  if (made === undefined) return { kind: 'unknown' };
  const now = studio.madeOfNow(made);
  const pause = pausing(asking.signal);
  const questions: (QuizQuestion | null)[] = [];
  for (const question of quiz.questions) {
    await pause();
    const { citation } = question;
    const there = citation && citedNow(cited, citation);
    questions.push(citation !== undefined && there === undefined ? null : { ...question, citation: there });
  }
  const askedOf = otherDocuments(made.madeOf, now);
  const isOfDefinitions = made.maker === 'definition';
  const definitions =
    isOfDefinitions && askedOf.length > 0 ? await citedDefinitions(parts, made, asking) : [];
  const asked = {
    askedOf,
    share: questions.length / Math.max(1, made.madeOf.length),
    replaced: questions.filter((question) => question === null).length,
  };
  const wanted = await wantedQuestions(studio, asked, asking.signal);
  return {
    ...{ kind: 'known', quiz, questions, wanted, definitions, askedOf },
    made: { ...made, madeOf: now },
  };
}

/** The documents that changed or came. */
function otherDocuments(before: readonly DocumentVersion[], now: readonly DocumentVersion[]): number[] {
  const hashes = new Map(before.map(({ documentId, hash }) => [documentId, hash]));
  return now.flatMap(({ documentId, hash }) => (hashes.get(documentId) === hash ? [] : [documentId]));
}

/**
 * How many questions are to be asked of documents that changed or came, and where: as many as go, and of each document as
 * many more as the others have on average, at least one.
 */
async function wantedQuestions(
  studio: Studio,
  {
    askedOf,
    share,
    replaced,
  }: { readonly askedOf: readonly number[]; readonly share: number; readonly replaced: number },
  signal: AbortSignal,
): Promise<WantedQuestions> {
  const each = Math.max(1, Math.round(share));
  const count = Math.min(MOST_QUESTIONS, Math.max(replaced, each * askedOf.length));
  const pause = pausing(signal);
  const places: PassagePlace[][] = [];
  for (const documentId of askedOf.slice(0, MOST_QUESTIONS)) {
    await pause();
    const document = studio.document({ documentId, title: '' });
    const pieces = [...splitDocument(document, { size: SIZE_OF_PASSAGE, overlap: 0 })];
    const step = Math.max(1, pieces.length / (PLACES_PER_QUESTION * Math.max(each, replaced)));
    const spread = pieces.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
    places.push(spread.map(({ start, end }) => ({ documentId, span: { start, end } })));
  }
  return { count, places: roundRobin(places).slice(0, PLACES_PER_QUESTION * count) };
}

/** @throws NotebookError `conflict` where the sources are others than what something was planned by */
function forbidOther(studio: Studio, made: DeckMade): void {
  if (!isChanged(compareVersions(made.madeOf, studio.madeOfNow(made)))) return;
  throw new NotebookError(
    'conflict',
    t('The sources changed in the meantime. Select “Update from Sources” again.'),
  );
}

/** Cited words where they stand now; undefined where they don't. */
function citedNow(cited: CitedDocuments, citation: Citation): Citation | undefined {
  const found = cited.find(citation);
  if (found.kind !== 'found') return undefined;
  const { number, documentId, quote } = citation;
  const { span } = found;
  return cited.cite([{ number, documentId, passage: span, span, quote }])[0];
}

async function citedDefinitions(
  { studio }: CardParts,
  scope: StudioScope,
  asking: Asking,
): Promise<CitedDefinition[]> {
  const { cards } = await studio.definitions(scope, asking);
  return cards.map(({ term, citation, ...card }) => ({
    ...{ term, citation },
    front: definitionCard({ ...card, term, citation }).front,
  }));
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
    planDeck: ({ deckId }, context) => planDeck(notebook(), deckId, context),
    keepDeckChanges: (changes) => keepDeckChanges(notebook(), changes),
    planQuiz: ({ quizId }, context) => planQuiz(notebook(), quizId, context),
    keepQuizChanges: ({ quizId, before, questions, made }) => {
      const { cards, studio } = notebook();
      cards.together(() => {
        forbidOther(studio, made);
        cards.quizzes.replace(quizId, before, questions, made);
      });
    },
    definitions: (scope, context) => citedDefinitions(notebook(), scope, context),
  };
}
