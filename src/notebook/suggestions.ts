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

/** Which models may write suggestions: all, those known to cost nothing, or none. */
export type SuggestingModels = 'always' | 'free' | 'never';

/** A document's title and headings. */
export interface Outline {
  readonly documentId: number;
  readonly title: string;
  readonly headings: readonly Heading[];
}

const MAX_SUGGESTIONS = 2;

/** Lengths in UTF-16 code units. A longer question takes more than a line of the panel. */
const MIN_HEADING_LENGTH = 8;
const MAX_HEADING_LENGTH = 70;

/** A section with less text, its heading included, answers nothing: it is a line of a cover, or was read wrong. */
const MIN_SECTION_LENGTH = 80;

/** Returns at most two questions to start with, from headings: one a document. */
export function suggestedQuestions(outlines: readonly Outline[]): string[] {
  const questions = outlines.flatMap((outline) => sections(outline).slice(0, 1));
  return [...new Set(questions.map(({ question }) => question))].slice(0, MAX_SUGGESTIONS);
}

/**
 * Returns at most two questions to ask after an answer: about sections that it did not cite of the documents that it
 * cites, those nearest to what it cites first. None was asked already.
 */
export function followUpQuestions(
  outlines: readonly Outline[],
  citations: readonly Pick<Citation, 'documentId' | 'span'>[],
  asked: readonly string[],
): string[] {
  const before = new Set(asked.map((question) => question.toLowerCase()));
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
 * Returns the question that a heading makes: the heading itself if it is a question, or one about the topic that it names.
 * Undefined for every other heading, since a question made of it would sound like a machine.
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

/** Where what stands under each heading ends, the sections within it among it: Infinity where it goes to the end. */
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

/** A heading names what a section is about in a few words; shorter or longer ones ask badly. */
const HEADING_LENGTH = { least: 3, most: 60 };

/** A heading that something can be asked about has a word of four letters, an abbreviation, or two signs of a script without spaces. */
const NAMES_SOMETHING =
  /\p{L}{4}|\p{Lu}{2}|\p{N}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2}/u;

/** Whether a heading says what its section is about, in words that a question can be made of. */
export function canBeAskedAbout(heading: string): boolean {
  const { least, most } = HEADING_LENGTH;
  const { length } = heading;
  return length >= least && length <= most && NAMES_SOMETHING.test(heading) && !isUsual(heading);
}

/** Words that a heading has a capital for only because it begins with them. */
const BEGINS_IN_SMALL =
  /^(?:An?|How|That|The|These|This|What|When|Where|Whether|Which|Whom?|Whose|Why|Your)(?= )/;

/** A question about a section of a document. */
export function questionAbout(document: string, heading: string): string {
  const about = heading
    .replace(/(?<![?!.:\s])[?!.:\s]+$/, '')
    .replace(BEGINS_IN_SMALL, (word) => word.toLowerCase());
  return t('What does {0} say about {1}?', document, about);
}
