import type { FoundPassage } from '../notebook/passage.ts';
import type { PassageFinder } from './passage-finder.ts';
import { kindOf } from './question-kinds.ts';
import { withoutEnding } from './quote-sections.ts';
import { termsOf } from './terms.ts';
import { unitsOf } from './units.ts';

/** Documents whose beginning is read, and how much of it, in UTF-16 code units. */
const MOST = 2;
const LENGTH = 1200;
/** A title that holds this share of words beside the thing is still the thing's: "Sudo - ArchWiki". */
const SHARE_OF_TITLE = 0.3;

/**
 * The found passages and, where a question asks what something is, before them the beginnings of the documents that are
 * about it: there it is said, often without the words that one asks with.
 */
export async function withOpenings(
  question: string,
  found: readonly FoundPassage[],
  finder: PassageFinder,
): Promise<readonly FoundPassage[]> {
  if (kindOf(question) !== 'definition') return found;
  const subject = new Set(termsOf(question));
  const about = new Map<number, FoundPassage>();
  for (const passage of found) if (isAbout(passage, subject)) about.set(passage.documentId, passage);
  if (about.size === 0) return found;
  const places = [...about.keys()]
    .slice(0, MOST)
    .map((documentId) => ({ documentId, span: { start: 0, end: LENGTH } }));
  const openings = (await finder.at(places)).map((opening) => {
    const score = about.get(opening.documentId)?.score ?? 0;
    return { ...wholeUnits(opening), score };
  });
  return [...openings, ...found];
}

/** Whether a document goes by the name of what is asked. */
function isAbout(
  { sourceTitle, documentTitle, documentKey }: FoundPassage,
  subject: ReadonlySet<string>,
): boolean {
  const titles = documentKey === '' ? [sourceTitle, documentTitle] : [documentTitle, documentKey];
  return titles.some((title) => {
    const terms = new Set(termsOf(withoutEnding(title)));
    const shared = [...terms].filter((term) => subject.has(term)).length;
    return (
      shared > 0 &&
      (shared === subject.size || shared === terms.size) &&
      shared >= SHARE_OF_TITLE * terms.size
    );
  });
}

/** A stretch of text without the unit that it breaks off in. */
function wholeUnits(passage: FoundPassage): FoundPassage {
  const { text, format, start } = passage;
  if (text.length < LENGTH) return passage;
  const end = unitsOf(text, format).at(-2)?.end ?? text.length;
  return { ...passage, end: start + end, text: text.slice(0, end) };
}
