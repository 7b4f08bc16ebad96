// Distinguishes the headings of documents from lines that only look like headings.
import { sectionHeadings } from '../../../core/language/section-headings.ts';
import type { Heading } from '../../../core/domain/document.ts';

/** Titles of sections that aren't about the subject of a document. */
const FRONT_AND_BACK: ReadonlySet<string> = new Set(
  (['contents', 'references', 'others'] as const).flatMap(sectionHeadings),
);

const MAX_WORDS = 16;
/** Maximum share of unlikely headings. Above it, none of the headings of a document are usable. */
const MAX_UNLIKELY_RATIO = 0.4;

/** Returns the likely headings; empty if too many of the others are comments in code or similar lines. */
export function findLikelyHeadings(headings: readonly Heading[]): Heading[] {
  const likely = headings.filter(({ title }) => isLikelyHeading(title));
  return headings.length - likely.length > MAX_UNLIKELY_RATIO * headings.length ? [] : likely;
}

/** Reports whether a heading is likely: no line of code, sentence, shout in a transcript, or number alone. */
function isLikelyHeading(title: string): boolean {
  const words = title.trim();
  if (!/\p{L}{2}/u.test(words) && !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(words)) return false;
  const count = words.split(/\s+/).length;
  if (count > MAX_WORDS) return false;
  // Shell output and commands: "$ git commit", "<<<<<<<", "... edit and test ...".
  if (/^[^\p{L}\p{N}([`'"“„«¿¡*_§#]/u.test(words) || /\$\(|\s--?\w|[;{}]$|=\$|<-|\s=\s/.test(words))
    return false;
  // A row of a table.
  if ((words.match(/(?<![\p{L}\d.])\d+(?:\.\d+)?%?(?![\d.])/gu)?.length ?? 0) > 2) return false;
  // A sentence, or the beginning of one.
  if (/[a-z]{3}[.,;]$/.test(words) && count > 4) return false;
  // A slogan: "We build confident, satisfied clients".
  if (/^(?:we|i)\s/iu.test(words) && count > 3) return false;
  // Speaker in a transcript: "AUDIENCE: Booo —".
  if (/^\p{Lu}[\p{Lu} .]{2,30}:\s/u.test(words) && /[–—)-]$/.test(words)) return false;
  return !(count >= 3 && /^\p{Ll}/u.test(words) && !/^\p{Ll}[\p{L}\p{N}.]*\p{Lu}/u.test(words));
}

/** Reports whether a section is front or back matter, such as contents or an index. */
export function isFrontOrBackMatter(title: string): boolean {
  const unnumbered = title.trim().replace(/^(?:\d+(?:\.\d+)*|[A-Z])[.)]?\s+(?=\p{L})/u, '');
  return FRONT_AND_BACK.has(
    unnumbered
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(' ') ?? '',
  );
}
