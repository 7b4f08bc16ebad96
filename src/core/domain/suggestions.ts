import { t } from '@vscode/l10n';
import type { Citation } from './answer.ts';
import {
  addressesReader,
  isInstructionHeading,
  isQuestionHeading,
  isTopicHeading,
} from '../language/heading-kinds.ts';
import { isUsual } from '../language/words/word-lists.ts';
import type { Heading } from './document.ts';

/** Models that may write suggestions: all, those known to be free, or none. */
export type SuggestingModels = 'always' | 'free' | 'never';

/** A document's title and headings. */
export interface Outline {
  readonly documentId: number;
  readonly title: string;
  readonly headings: readonly Heading[];
}

const MAX_SUGGESTIONS = 2;

/** Lengths in UTF-16 code units. A longer question needs more than one line of the panel. */
const MIN_HEADING_LENGTH = 8;
const MAX_HEADING_LENGTH = 70;

/** A section with less text, including its heading, answers nothing: it's a line of a cover, or was misread. */
const MIN_SECTION_LENGTH = 80;

/** Returns at most two questions to start with, from the headings of different documents. */
export function suggestedQuestions(outlines: readonly Outline[]): string[] {
  const questions = outlines.flatMap((outline) => sections(outline).slice(0, 1));
  return [...new Set(questions.map(({ question }) => question))].slice(0, MAX_SUGGESTIONS);
}

/**
 * Returns at most two questions to ask after an answer: about uncited sections of the documents that it cites, nearest
 * to its citations first. Excludes earlier questions.
 */
export function followUpQuestions(
  outlines: readonly Outline[],
  citations: readonly Pick<Citation, 'documentId' | 'span'>[],
  pastQuestions: readonly string[],
): string[] {
  const before = new Set(pastQuestions.map((question) => question.toLowerCase()));
  const candidates = outlines.flatMap((outline) => {
    const cited = citations.filter(({ documentId }) => documentId === outline.documentId);
    return sections(outline)
      .filter(({ offset, end }) => !cited.some(({ span }) => span.start < end && span.end > offset))
      .map(({ question, offset }) => ({
        question,
        distance: Math.min(...cited.map(({ span }) => Math.abs(span.start - offset))),
      }))
      .toSorted((a, b) => a.distance - b.distance)
      .map(({ question }, rank) => ({ question, rank }));
  });
  const questions = candidates
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ question }) => question)
    .filter((question) => !before.has(question.toLowerCase()));
  return [...new Set(questions)].slice(0, MAX_SUGGESTIONS);
}

interface Section extends Pick<Heading, 'offset'> {
  readonly end: number;
  readonly question: string;
}

/** Returns the sections whose headings make a question. A section ends where the next begins, whatever its level. */
function sections({ headings }: Outline): Section[] {
  const ends = sectionEnds(headings);
  return headings.flatMap(({ offset, title }, i) => {
    const question = questionOfHeading(title);
    const length = (ends[i] ?? Infinity) - offset;
    if (question === undefined || length < MIN_SECTION_LENGTH) return [];
    return [{ offset, end: headings[i + 1]?.offset ?? Infinity, question }];
  });
}

/**
 * Returns the question for a heading: the heading itself if it's a question, or a question about its topic. Undefined
 * for every other heading, since the question would sound mechanical.
 */
export function questionOfHeading(heading: string): string | undefined {
  const words = heading.replaceAll(/\s+/g, ' ').trim();
  if (words.length < MIN_HEADING_LENGTH || words.length > MAX_HEADING_LENGTH) return undefined;
  if (addressesReader(words)) return undefined;
  if (isQuestionHeading(words)) return words;
  if (isInstructionHeading(words)) return `${words}?`;
  if (!isTopicHeading(words)) return undefined;
  return t('What do the sources say about {0}?', words.charAt(0).toLowerCase() + words.slice(1));
}

/** Returns the end of the section under each heading, including its subsections; Infinity if it reaches the end. */
function sectionEnds(headings: readonly Heading[]): number[] {
  const ends = headings.map(() => Infinity);
  const open: number[] = [];
  for (const [i, { level, offset }] of headings.entries()) {
    for (
      let last = open.at(-1);
      last !== undefined && level <= (headings[last]?.level ?? 0);
      last = open.at(-1)
    ) {
      ends[last] = offset;
      open.pop();
    }
    open.push(i);
  }
  return ends;
}

/** Lengths of headings that name the topic of a section in a few words; shorter or longer ones make bad questions. */
const HEADING_LENGTH = { least: 3, most: 60 };

/**
 * Matches headings with a topic: a word of four letters, an abbreviation, or two characters of a script without spaces.
 */
const NAMES_SOMETHING =
  /\p{L}{4}|\p{Lu}{2}|\p{N}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2}/u;

/** Reports whether a heading names the topic of its section in words that suit a question. */
export function namesTopic(heading: string): boolean {
  const { least, most } = HEADING_LENGTH;
  const { length } = heading;
  return length >= least && length <= most && NAMES_SOMETHING.test(heading) && !isUsual(heading);
}

/** Words that are capitalized only as the first word of a heading. */
const BEGINS_IN_SMALL =
  /^(?:An?|How|That|The|These|This|What|When|Where|Whether|Which|Whom?|Whose|Why|Your)(?= )/;

/** Returns a question about a section of a document. */
export function questionAbout(document: string, heading: string): string {
  const about = heading
    .replace(/(?<![?!.:\s])[?!.:\s]+$/, '')
    .replace(BEGINS_IN_SMALL, (word) => word.toLowerCase());
  return t('What does {0} say about {1}?', document, about);
}
