// Notes that are slides for Marp.
import { headingOfLine } from '../language/markdown-lines.ts';

/** Name of the template whose notes are slides. */
export const SLIDES_TEMPLATE = 'slides';

/** The beginning of a note that is slides. */
export const DECK_FRONT_MATTER = '---\nmarp: true\npaginate: true\n---\n';
/** Matches a line that separates slides, or underlines a heading. */
const RULE = /^ {0,3}(?:-[ \t]*){3,100}$|^ {0,3}(?:\*[ \t]*){3,100}$|^ {0,3}(?:_[ \t]*){3,100}$/;
const FENCE = /^ {0,3}(?:```|~~~)/;

/**
 * Formats a text as slides for Marp. The text above its first heading is the first slide, and each heading of the first
 * two levels begins another one. Other separators are removed, so that there are none within a slide.
 */
export function asDeck(text: string): string {
  let isCode = false;
  let isFirst = true;
  const lines = text
    .trim()
    .split('\n')
    .flatMap((line): string[] => {
      if (FENCE.test(line)) isCode = !isCode;
      if (isCode) return [line];
      if (RULE.test(line)) return [''];
      const level = headingOfLine(line)?.level ?? Infinity;
      if (level > 2) return [line];
      const above = isFirst ? [] : ['', '---', ''];
      isFirst = false;
      return [...above, line];
    });
  return `${DECK_FRONT_MATTER}\n${lines.join('\n').replaceAll(/\n{3,}/g, '\n\n')}\n`;
}

/** Reports whether a note is slides for Marp. */
export function isDeck(text: string): boolean {
  return text.startsWith(DECK_FRONT_MATTER);
}

/** Maximum number of sources on a slide. */
const MAX_SOURCES_PER_SLIDE = 8;

/** Appends slides with a numbered list of sources, one line each. `title` is their heading. */
export function withSourceSlides(deck: string, title: string, sources: readonly string[]): string {
  const slides: string[] = [];
  for (let from = 0; from < sources.length; from += MAX_SOURCES_PER_SLIDE) {
    const items = sources
      .slice(from, from + MAX_SOURCES_PER_SLIDE)
      .map((source, index) => `${String(from + index + 1)}. ${source}`);
    slides.push(`\n---\n\n## ${title}\n\n${items.join('\n')}\n`);
  }
  return `${deck.trimEnd()}\n${slides.join('')}`;
}

/** Removes the front matter of slides and the lines between them; returns other texts as they are. */
export function withoutDeck(text: string): string {
  if (!isDeck(text)) return text;
  return text.slice(DECK_FRONT_MATTER.length).trimStart().replaceAll('\n\n---\n\n', '\n\n');
}
