import { isUsual } from '../../../core/language/words/word-lists.ts';
import type { MapNode } from '../../../core/domain/artifact.ts';
import { findLikelyHeadings, isFrontOrBackMatter } from './likely-headings.ts';
import { making, plainTerm } from './sheet.ts';
import { headingPlace, placeIn, type GeneratorDocument } from './generator-document.ts';

const MAX_NODES = 10_000;
const MAX_TITLE_LENGTH = 200;
/** Maximum offset of a document's title, in UTF-16 code units. */
const MAX_TITLE_OFFSET = 100;
/** Maximum length of a title line, in UTF-16 code units. */
const MAX_TITLE_LINE_LENGTH = 120;
/** Matches parts of addresses, journal headers, and sentences that a title doesn't contain. */
const NOT_IN_TITLE = /[|@]|:\/\/|(?<!\d)(?:1[89]|20)\d\d(?!\d)|[^\p{L}\p{N})”"]$/u;
/** Matches the name of a file. */
const FILE_NAME = /\.[\p{L}\p{N}]{1,8}$/u;
/** Matches section numbers such as "2.1", "A.3.2", "§ 4", which show the level of a section if its text doesn't. */
const SECTION_NUMBER = /^(?:§ ?)?((?:\d{1,3}|\p{Lu})(?:\.\d{1,3}){0,5})[.)]?\s+\p{L}/u;

interface OutlineHeading {
  readonly title: string;
  readonly level: number;
  /** Number of its section: "2.1". */
  readonly number: string | undefined;
  readonly place: MapNode['place'];
}

/**
 * Returns a document as a node, with its headings below it in order, without covers, contents, and references. Skipped
 * levels leave no gap. A title at the beginning of the document replaces its file name, also one that isn't a heading.
 */
function outlineDocument(document: GeneratorDocument): MapNode[] {
  const begin = headingPlace(document, { offset: 0 }) ?? placeIn(document, { start: 0, end: 0 });
  const headings = readHeadings(document);
  const [first, ...others] = headings;
  const isAlone = first !== undefined && others.every(({ level }) => level > first.level);
  // Converters put the title of a document and its sections on the same level.
  const isFlat =
    first?.place !== undefined &&
    first.place.start <= MAX_TITLE_OFFSET &&
    first.number === undefined &&
    !isUsual(first.title) &&
    others.length > 2 &&
    others.every(({ level }) => level >= first.level);
  const isTitle =
    isAlone || (isFlat && others.every(({ level, number }) => level === first.level || number !== undefined));
  const line = FILE_NAME.test(document.title) ? readTitleLine(document) : undefined;
  const root = {
    title: isTitle ? first.title : (line ?? document.title),
    depth: 0,
    place: isTitle ? first.place : begin,
  };
  const nodes: MapNode[] = [root];
  const open: Pick<OutlineHeading, 'level' | 'number'>[] = [];
  for (const { title, level, number, place } of isTitle ? others : headings) {
    if (title === root.title) continue;
    while (open.length > 0 && !isAbove(open.at(-1), { level, number })) open.pop();
    open.push({ level, number });
    nodes.push({ title, depth: open.length, place });
  }
  return withoutOnlyChildren(nodes);
}

/** Returns the first line of a document if it's a title above the first heading; undefined otherwise. */
function readTitleLine(document: GeneratorDocument): string | undefined {
  const { text, headings } = document;
  const place = headingPlace(document, { offset: 0 });
  const [heading] = headings;
  if (place === undefined || heading === undefined || place.start >= heading.offset) return undefined;
  const line = text.slice(place.start, place.end);
  // The lines of a letterhead or a poem have no blank line between them.
  const isAlone = /^[^\S\n]{0,9}\n[^\S\n]{0,9}\n/.test(text.slice(place.end, place.end + 22));
  const isTitle =
    line.length <= MAX_TITLE_LINE_LENGTH &&
    isAlone &&
    /^[\p{Lu}\p{Lo}]/u.test(line) &&
    /\s/.test(line) &&
    !NOT_IN_TITLE.test(line);
  return isTitle && !isFrontOrBackMatter(line) ? plainTerm(line) : undefined;
}

/** Reports whether a section can contain another: "2" can contain "2.1", but "1" can't. */
function isAbove(
  above: Pick<OutlineHeading, 'level' | 'number'> | undefined,
  { level, number }: Pick<OutlineHeading, 'level' | 'number'>,
): boolean {
  if (above === undefined || above.level >= level) return false;
  return number === undefined || above.number === undefined || number.startsWith(`${above.number}.`);
}

/** Returns the headings on the subject of a document, on the levels that their numbers indicate. */
function readHeadings(document: GeneratorDocument): OutlineHeading[] {
  const likely = findLikelyHeadings(document.headings);
  const counts = new Map<string, number>();
  for (const { title } of likely) counts.set(title, (counts.get(title) ?? 0) + 1);
  let skippedLevel = Infinity;
  return likely.flatMap((heading): OutlineHeading[] => {
    const title = plainTerm(heading.title).slice(0, MAX_TITLE_LENGTH);
    const isSkipped = heading.level > skippedLevel;
    if (!isSkipped) skippedLevel = isFrontOrBackMatter(title) ? heading.level : Infinity;
    // A line that is repeated at the top of pages isn't a heading.
    const isRepeated = (counts.get(heading.title) ?? 0) > 3 && heading.level === 1;
    if (title === '' || isSkipped || skippedLevel !== Infinity || isRepeated) return [];
    const number = SECTION_NUMBER.exec(title)?.[1];
    const depth = number?.split('.').length;
    // If all headings have the same level, their numbers give the depth.
    const level = heading.level + (depth ?? 1) - 1;
    return [{ title, level, number, place: headingPlace(document, heading) }];
  });
}

/** Folds away each node that is the only child of its parent and has children itself: they move up one level. */
function withoutOnlyChildren(nodes: readonly MapNode[]): MapNode[] {
  const open: { readonly depth: number; readonly shift: number }[] = [];
  return nodes.flatMap((node, index): MapNode[] => {
    while ((open.at(-1)?.depth ?? -1) >= node.depth) open.pop();
    const shift = open.at(-1)?.shift ?? 0;
    const isFolded =
      index > 0 &&
      (nodes[index - 1]?.depth ?? 0) === node.depth - 1 &&
      (nodes[index + 1]?.depth ?? 0) > node.depth &&
      hasOneChild(nodes, index - 1);
    open.push({ depth: node.depth, shift: isFolded ? shift + 1 : shift });
    return isFolded ? [] : [{ ...node, depth: node.depth - shift }];
  });
}

function hasOneChild(nodes: readonly MapNode[], index: number): boolean {
  const depth = nodes[index]?.depth ?? 0;
  let children = 0;
  for (let at = index + 1; at < nodes.length; at++) {
    const below = nodes[at]?.depth ?? 0;
    if (below <= depth) break;
    if (below === depth + 1 && ++children > 1) return false;
  }
  return children === 1;
}

/**
 * Builds a map from the headings of all documents. A document without headings appears by name if others have headings.
 */
export const mindMap = making(outlineDocument, (parts) => {
  const nodes = parts.flat();
  const hasHeadings = parts.some((part) => part.length > 1);
  return {
    nodes: hasHeadings ? nodes.slice(0, MAX_NODES) : [],
    omitted: Math.max(0, nodes.length - MAX_NODES),
  };
});
