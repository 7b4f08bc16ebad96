import { sectionHeadings } from '../../../core/language/section-headings.ts';
import type { GeneratorDocument } from './generator-document.ts';
import { isFrontOrBackMatter } from './likely-headings.ts';

/** Matches the heading of a list of references in a text without marked headings. */
export const REFERENCES = new RegExp(
  String.raw`\n[ \t]*(?:\d{1,2}\.?[ \t]+)?(?:${sectionHeadings('references').join('|')})[ \t]*\r?\n`,
  'giu',
);
/** Matches the heading of an appendix, which ends such a list. */
export const APPENDIX = new RegExp(
  String.raw`\n[ \t]*(?:${sectionHeadings('appendixes').join('|')}|A\.? +\p{Lu})[^\n]{0,80}\n`,
  'iu',
);
/** Minimum relative position of the references in a document. */
const MIN_REFERENCES_RATIO = 0.3;

/**
 * Returns a function that reports whether an offset of a document, in UTF-16 code units, is in its actual content,
 * not in its table of contents, references, or index.
 */
export function findSubjectMatter({ text, headings }: GeneratorDocument): (offset: number) => boolean {
  const skipped: { readonly start: number; readonly end: number }[] = [];
  for (const [index, { offset, level, title }] of headings.entries()) {
    if (!isFrontOrBackMatter(title)) continue;
    const next = headings.slice(index + 1).find((heading) => heading.level <= level);
    skipped.push({ start: offset, end: next?.offset ?? text.length });
  }
  const marked = skipped.some(({ start }) => start > MIN_REFERENCES_RATIO * text.length);
  const last = marked ? undefined : [...text.matchAll(REFERENCES)].at(-1);
  if (last !== undefined && last.index > MIN_REFERENCES_RATIO * text.length) {
    const from = last.index + last[0].length;
    const appendix = APPENDIX.exec(text.slice(from));
    skipped.push({ start: last.index, end: appendix === null ? text.length : from + appendix.index });
  }
  return (offset) => skipped.every(({ start, end }) => offset < start || offset >= end);
}
