import type { Citation } from './answer.ts';
import type { DocumentVersion, MadeDifference, StudioScope } from './studio.ts';

/** How well a card was known: not at all, barely, well, without effort. */
export const CARD_GRADES = [1, 2, 3, 4] as const;
export type CardGrade = (typeof CARD_GRADES)[number];

/** A sentence with gaps, or a question with its answer. */
export const CARD_KINDS = ['cloze', 'question'] as const;
export type CardKind = (typeof CARD_KINDS)[number];

/** What made a card: a definition of the sources, a model, the user, or a wrong answer in a quiz. */
export const CARD_MAKERS = ['definition', 'model', 'hand', 'quiz'] as const;
export type CardMaker = (typeof CARD_MAKERS)[number];

/** What stands on a card, as Markdown: of a cloze the front has the gaps, as `{{c1::words}}`, and the back a remark. */
export interface CardText {
  readonly kind: CardKind;
  readonly front: string;
  readonly back: string;
}

/** How far a card is learnt, and when it is due, as FSRS has it; times in milliseconds since 1970, spans in days. */
export interface CardSchedule {
  /** New, learning, review, relearning. */
  readonly state: 0 | 1 | 2 | 3;
  readonly due: number;
  readonly stability: number;
  readonly difficulty: number;
  readonly scheduledDays: number;
  /** The learning step that it is at. */
  readonly step: number;
  readonly reviews: number;
  readonly lapses: number;
  readonly reviewedAt?: number | undefined;
}

/** Of a card that was never reviewed. */
export const NEW_CARD: CardSchedule = {
  state: 0,
  due: 0,
  stability: 0,
  difficulty: 0,
  scheduledDays: 0,
  step: 0,
  reviews: 0,
  lapses: 0,
};

/** Whether the words that a card rests on stand in its source as they did; `elsewhere` where they moved. */
export type CardSource = 'changed' | 'none' | 'same';

export interface Card extends CardText {
  readonly id: string;
  readonly deckId: string;
  readonly maker: CardMaker;
  readonly citation?: Citation | undefined;
  readonly schedule: CardSchedule;
  readonly isSuspended: boolean;
  /** The user wrote into it: what its source says now does not take the place of that. */
  readonly isEdited: boolean;
  readonly source: CardSource;
}

/** A card to add. */
export interface NewCard extends CardText {
  /** Tells it from the other cards of its deck; one that the deck has is not added again, nor one that was deleted. */
  readonly key: string;
  readonly maker: CardMaker;
  readonly citation?: Citation | undefined;
  /** One that is carried over from elsewhere brings these. */
  readonly schedule?: CardSchedule | undefined;
  readonly isSuspended?: boolean | undefined;
  readonly isEdited?: boolean | undefined;
}

/** A card in a list. */
export interface CardEntry extends Pick<Card, 'id' | 'isSuspended' | 'kind' | 'maker' | 'source'> {
  /** How front and back begin. */
  readonly front: string;
  readonly back: string;
  readonly state: CardSchedule['state'];
  readonly due: number;
}

/** What a deck was made of; undefined of one that the user began. */
export interface DeckMade extends StudioScope {
  readonly madeOf: readonly DocumentVersion[];
}

export interface Deck {
  readonly id: string;
  readonly title: string;
  readonly made?: DeckMade | undefined;
}

/** A deck with its numbers. */
export interface DeckEntry extends Deck {
  readonly cards: number;
  /** Cards that were learnt and are due again. */
  readonly due: number;
  /** New ones for today. */
  readonly fresh: number;
  /** Cards whose documents have changed since. */
  readonly changed: number;
  /** How its sources differ from what it was made of; undefined of one that the user began. */
  readonly difference?: MadeDifference | undefined;
}

/** So many new cards are begun a day. */
export const NEW_A_DAY = 20;

/** What was done to a card, as it is undone. */
export type CardAction = 'edit' | 'remove' | 'review' | 'suspend';

/** A review, as it was. */
export interface CardReview {
  readonly cardId: string;
  readonly at: number;
  readonly grade: CardGrade;
  readonly before: CardSchedule;
}

/** A question with choices. */
export interface QuizQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  /** The place of the right one. */
  readonly right: number;
  /** Why it is right, in a sentence. */
  readonly reason: string;
  readonly citation?: Citation | undefined;
}

/** What makes the questions of a quiz. */
export const QUIZ_MAKERS = ['definition', 'model'] as const satisfies readonly CardMaker[];

/** What a quiz was made of, and what made its questions. */
export interface QuizMade extends DeckMade {
  readonly maker: (typeof QUIZ_MAKERS)[number];
}

export interface Quiz {
  readonly id: string;
  readonly title: string;
  /** Undefined of one that a version made which did not keep that. */
  readonly made?: QuizMade | undefined;
  readonly questions: readonly QuizQuestion[];
  /** The choices that were made, by the place of their questions. */
  readonly replies: readonly (number | null)[];
}

export interface QuizEntry {
  readonly id: string;
  readonly title: string;
  readonly questions: number;
  readonly answered: number;
  readonly right: number;
  readonly difference?: MadeDifference | undefined;
}

/** The choices that were made in a quiz whose questions are others now: each stays with its question. */
export function repliesAfter(
  { questions, replies }: Pick<Quiz, 'questions' | 'replies'>,
  after: readonly QuizQuestion[],
): (number | null)[] {
  const key = ({ question, choices, right }: QuizQuestion): string =>
    JSON.stringify([question, choices, right]);
  const given = new Map(questions.map((question, index) => [key(question), replies[index] ?? null]));
  return after.map((question) => given.get(key(question)) ?? null);
}

const GAP = /\{\{c\d{1,2}::([^{}\n]{1,1000})\}\}/g;

/** A stretch of a cloze: words that are shown, or a gap. */
interface ClozePart {
  readonly words: string;
  readonly isGap: boolean;
}

/** A cloze's words and gaps in order. */
export function clozeParts(front: string): ClozePart[] {
  const parts: ClozePart[] = [];
  let from = 0;
  for (const match of front.matchAll(GAP)) {
    if (match.index > from) parts.push({ words: front.slice(from, match.index), isGap: false });
    parts.push({ words: match[1] ?? '', isGap: true });
    from = match.index + match[0].length;
  }
  if (from < front.length) parts.push({ words: front.slice(from), isGap: false });
  return parts;
}

/** Stand around a gap's words where a cloze is read as Markdown: characters that nothing else uses. */
export const GAP_START = '\uE000';
export const GAP_END = '\uE001';

/** A cloze with its gaps between marks. */
export function markedGaps(front: string): string {
  return clozeParts(front.replaceAll(/[\uE000\uE001]/g, ''))
    .map(({ words, isGap }) => (isGap ? GAP_START + words + GAP_END : words))
    .join('');
}

/** Whether a text has a gap. */
export function hasGap(front: string): boolean {
  return clozeParts(front).some(({ isGap }) => isGap);
}

/**
 * Words with a gap wherever a term stands in them as a word of its own, whatever its case: "A {{c1::sail}} is…, which makes
 * the {{c1::sail}} swell". Undefined where it stands nowhere, or what would be the gap can't be written as one.
 */
export function withGaps(words: string, term: string): string | undefined {
  const text = words.replaceAll('{{', '{ {').replaceAll('}}', '} }');
  if (/[{}\n]/.test(term)) return undefined;
  const gapped = replaceTerm(text, term, (found) => `{{c1::${found}}}`);
  return gapped === text ? undefined : gapped;
}

/** Words with something else wherever a term stands in them as a word of its own, whatever its case. */
function replaceTerm(words: string, term: string, instead: (found: string) => string): string {
  const [text, wanted] = [words.toLowerCase(), term.toLowerCase()];
  // Few letters are longer in lower case; what holds them is compared as it is written.
  const isSame = text.length === words.length && wanted.length === term.length;
  const [where, what] = isSame ? [text, wanted] : [words, term];
  if (what === '') return words;
  let result = '';
  let from = 0;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
    const end = at + what.length;
    if (isWithinWord(words, at) || isWithinWord(words, end)) continue;
    result += words.slice(from, at) + instead(words.slice(at, end));
    from = end;
  }
  return result + words.slice(from);
}

/** Whether letters stand on both sides of an offset; those of scripts that part no words are words of their own. */
function isWithinWord(text: string, at: number): boolean {
  const joined = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{N}]$/u;
  return joined.test(text.charAt(at - 1)) && joined.test(text.charAt(at));
}
