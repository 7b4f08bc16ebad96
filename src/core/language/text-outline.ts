import { firstIndex } from './first-index.ts';
import { headingOfLine, itemOfLine, markdownLines } from './markdown-lines.ts';
import type { Span } from './span.ts';

/** Heading of a text, with its level from 1 to 6. */
interface OutlineHeading {
  readonly level: number;
  readonly title: string;
}

/** Line of a text, and the lines that it belongs to, outermost first. */
export interface OutlinedLine extends Span {
  readonly headings: readonly OutlineHeading[];
  /** Bold line in place of a heading, the line above its list or table, and the items that contain it. */
  readonly leads: readonly string[];
}

/** Maximum length of a line above another, in UTF-16 code units. */
const MAX_LINE_LENGTH = 200;
/** Line that is bold as a whole, which many models write in place of a heading. */
const LABEL = /^(?:\*\*|__)[^*_\n]+(?:\*\*|__)[:：]?$/u;

/** Returns the lines of a Markdown text with the headings, lead-ins, and items above each. */
export function outlineText(text: string): readonly OutlinedLine[] {
  let headings: readonly OutlineHeading[] = [];
  let label: string | undefined;
  let leadIn: string | undefined;
  let items: readonly { readonly indent: number; readonly text: string }[] = [];
  const lines: OutlinedLine[] = [];
  for (const { kind, start, end } of markdownLines(text)) {
    if (kind === 'blank') continue;
    const line = text.slice(start, end);
    const indent = line.length - line.trimStart().length;
    if (kind === 'heading') {
      const { level, title } = headingOfLine(line) ?? { level: 1, title: line };
      headings = headings.filter((each) => each.level < level);
      lines.push({ start, end, headings, leads: [] });
      headings = [...headings, { level, title: plainLine(title) }];
      label = leadIn = undefined;
      items = [];
      continue;
    }
    if (kind === 'item' || indent > 0) items = items.filter((each) => each.indent < indent);
    else if (kind === 'text') items = [];
    const isParagraph = kind === 'text' && items.length === 0;
    if (isParagraph) {
      leadIn = undefined;
      if (LABEL.test(line.trim())) label = undefined;
    }
    const above = [label, leadIn, ...items.map((each) => each.text)];
    const leads = above.flatMap((each) => (each === undefined || each === '' ? [] : [each]));
    lines.push({ start, end, headings, leads });
    if (isParagraph && LABEL.test(line.trim())) label = plainLine(line);
    else if (isParagraph && /[:：][\s*_]*$/.test(line)) leadIn = plainLine(line);
    const item = kind === 'item' ? itemOfLine(line) : undefined;
    if (item !== undefined) items = [...items, { indent, text: plainLine(item.text) }];
  }
  return lines;
}

/** Returns the line at an offset, or the next one; undefined after the last. */
export function outlinedLineAt(lines: readonly OutlinedLine[], offset: number): OutlinedLine | undefined {
  return lines[firstIndex(lines.length, (index) => (lines[index]?.end ?? 0) >= offset)];
}

function plainLine(line: string): string {
  const plain = line.replaceAll(/\*\*|__/g, '').trim();
  return plain.length <= MAX_LINE_LENGTH ? plain : `…${plain.slice(-MAX_LINE_LENGTH)}`;
}
