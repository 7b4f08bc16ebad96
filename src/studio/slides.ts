import { t } from '@vscode/l10n';
import { headingOfLine } from '../language/markdown-lines.ts';
import { cutUnits } from '../language/units.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { making, plainTerm, quoted, type Piece } from './sheet.ts';
import { placeIn, type StudioDocument } from './studio-document.ts';

/** A slide: the heading of a section, and how its paragraphs and items begin. */
interface Slide {
  readonly title: string;
  readonly points: readonly { readonly words: string; readonly place: DocumentPlace }[];
  /** How many more its section has, as far as that was looked through. */
  readonly more: number;
}

interface Deck {
  readonly title: string;
  readonly slides: readonly Slide[];
}

const MOST_SLIDES = 150;
const MOST_POINTS = 5;
const LONGEST_POINT = 160;
/** Of a section so much is looked through, in UTF-16 code units. */
const LONGEST_SECTION = 20_000;

/** The slides of a document, one for each section that says something. */
function makeSlides(document: StudioDocument): Deck {
  const { text, format, headings, title } = document;
  if (format === 'code') return { title, slides: [] };
  const slides = headings.flatMap((heading, index): Slide[] => {
    const name = plainTerm(heading.title);
    const end = headings[index + 1]?.offset ?? text.length;
    const all = slidePoints(document, heading.offset, end, heading.title);
    const points = all.slice(0, MOST_POINTS);
    return name === '' || points.length === 0
      ? []
      : [{ title: name, points, more: all.length - points.length }];
  });
  return { title, slides };
}

/** The first sentence of each paragraph, and the items. */
function slidePoints(document: StudioDocument, start: number, end: number, title: string): Slide['points'] {
  const section = document.text.slice(start, Math.min(end, start + LONGEST_SECTION));
  const points: { words: string; place: DocumentPlace }[] = [];
  let last = 0;
  for (const unit of cutUnits(section, document.format, [])) {
    const words = section.slice(unit.start, unit.end);
    const isFirst = last === 0 || unit.kind === 'item' || /\n\s*\n/.test(section.slice(last, unit.start));
    last = unit.end;
    const marked = document.format === 'markdown' ? headingOfLine(words) : undefined;
    const isHeading = marked !== undefined || (words.startsWith(title) && unit.start < title.length + 10);
    if (isHeading || !isFirst || (unit.kind !== 'sentence' && unit.kind !== 'item')) continue;
    points.push({ words, place: placeIn(document, { start: start + unit.start, end: start + unit.end }) });
  }
  return points;
}

/** Slides in Markdown as Marp reads it. */
export const slides = making(makeSlides, (decks) => {
  const all = decks.flatMap((deck) => deck.slides.map((slide) => ({ deck: deck.title, slide })));
  const kept = all.slice(0, MOST_SLIDES);
  const pieces: Piece[] = ['---\nmarp: true\npaginate: true\n---\n'];
  let deck: string | undefined;
  for (const { deck: title, slide } of kept) {
    if (title !== deck) pieces.push(`${deck === undefined ? '' : '\n---\n'}\n# ${quoted(title)}\n`);
    deck = title;
    pieces.push(`\n---\n\n## ${quoted(slide.title)}\n\n`);
    for (const { words, place } of slide.points)
      pieces.push(`- ${quoted(words, LONGEST_POINT)} `, place, '\n');
    if (slide.more > 0) pieces.push(`- … ${t('{0} more', slide.more)}\n`);
  }
  return { pieces, count: kept.length, omitted: all.length - kept.length };
});
