import { t } from '@vscode/l10n';
import type { Citation } from './answer.ts';
import { isUsual } from '../language/words/word-lists.ts';
import type { Heading } from './document.ts';

/** A document's title and headings. */
export interface Outline {
  readonly documentId: number;
  readonly title: string;
  readonly headings: readonly Heading[];
}

const MOST_SUGGESTED = 3;

/** A heading names what a section is about in a few words; shorter or longer ones ask badly. */
const HEADING_LENGTH = { least: 3, most: 60 };

/** A heading that something can be asked about has a word of four letters, an abbreviation, or two signs of a script without spaces. */
const NAMES_SOMETHING =
  /\p{L}{4}|\p{Lu}{2}|\p{N}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2}/u;
/** What stands under it has so many UTF-16 code units at least, its own line among them: less is a line of a cover, or read wrong. */
const LEAST_TOLD = 80;

/** Questions that a notebook can be begun with, made of its headings: one a document, at most three. */
export function suggestedQuestions(outlines: readonly Outline[]): string[] {
  return outlines
    .flatMap((outline) => {
      const [first] = sections(outline).toSorted((a, b) => depth(a.level) - depth(b.level));
      return first === undefined ? [] : [questionAbout(outline.title, first.title)];
    })
    .slice(0, MOST_SUGGESTED);
}

/**
 * Questions to go on with after an answer, at most three: about sections that it did not cite of the documents that it
 * cites, those that stand nearest to what it cites first. None that was asked already.
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
      .map(({ title, offset }) => ({
        question: questionAbout(outline.title, title),
        distance: Math.min(...cited.map(({ span }) => Math.abs(span.start - offset))),
      }))
      .toSorted((a, b) => a.distance - b.distance)
      .map(({ question }, rank) => ({ question, rank }));
  });
  const questions = candidates
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ question }) => question)
    .filter((question) => !before.has(question.toLowerCase()));
  return [...new Set(questions)].slice(0, MOST_SUGGESTED);
}

interface Section extends Heading {
  readonly end: number;
}

/** The sections whose headings can be asked about; a section ends where the next begins, whatever its level. */
function sections({ title: document, headings }: Outline): Section[] {
  const file = document.slice(document.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '');
  const names = [plain(document), plain(file)];
  const ends = sectionEnds(headings);
  return headings
    .map((heading, i) => ({
      ...heading,
      title: heading.title.replaceAll(/\s+/g, ' ').trim(),
      end: headings[i + 1]?.offset ?? Infinity,
      told: (ends[i] ?? Infinity) - heading.offset,
    }))
    .filter(
      ({ title, told }, i) =>
        told >= LEAST_TOLD &&
        canBeAskedAbout(title) &&
        !names.includes(plain(title)) &&
        // The first of the outermost is what the document itself is called.
        !(i === 0 && headings.length > 1 && isTitle(headings)),
    );
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

/** Whether a heading says what its section is about, in words that a question can be made of. */
export function canBeAskedAbout(heading: string): boolean {
  const { least, most } = HEADING_LENGTH;
  const { length } = heading;
  return length >= least && length <= most && NAMES_SOMETHING.test(heading) && !isUsual(heading);
}

/** Letters and digits alone, so that `Plant 0` and `plant-0` are the same. */
function plain(title: string): string {
  return title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function isTitle(headings: readonly Heading[]): boolean {
  const [first, ...others] = headings;
  return first !== undefined && others.every(({ level }) => level > first.level);
}

/** Sections of the second level say best what a document is about. */
function depth(level: number): number {
  return Math.abs(level - 2);
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
