import { headingOfLine, markdownLines } from '../../language/markdown-lines.ts';
import { edited, type CitedText } from '../work/cited-text.ts';

/** A heading of a text, and the section below it that ends with the next heading of its level or above. */
export interface Section {
  readonly level: number;
  readonly title: string;
  /** Where the heading begins, and where the section ends, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Where what stands below the heading begins. */
  readonly body: number;
}

/** The sections of a Markdown text, those within others included, in the order of their headings. */
export function sectionsOf(text: string): Section[] {
  const headings = Array.from(markdownLines(text)).flatMap(({ kind, start, end, next }) => {
    const heading = kind === 'heading' ? headingOfLine(text.slice(start, end)) : undefined;
    return heading === undefined ? [] : [{ ...heading, start, body: next }];
  });
  return headings.map((heading, i) => {
    const after = headings.slice(i + 1).find(({ level }) => level <= heading.level);
    return { ...heading, end: after?.start ?? text.length };
  });
}

const DEEPEST = 6;

/** A text whose outermost headings have a level, those below them the levels below it. */
export function withHeadingsFrom(cited: CitedText, level: number): CitedText {
  const sections = sectionsOf(cited.text);
  const by = level - Math.min(...sections.map((section) => section.level));
  if (sections.length === 0 || by === 0) return cited;
  return edited(
    cited,
    sections.map(({ start, level: own }) => {
      const indent = cited.text.slice(start, start + 4).search(/#/);
      const at = start + Math.max(0, indent);
      return { start: at, end: at + own, text: '#'.repeat(Math.min(DEEPEST, Math.max(1, own + by))) };
    }),
  );
}

/** A text without the heading that it begins with, and that heading's words. */
export function withoutFirstHeading(cited: CitedText): {
  readonly cited: CitedText;
  readonly title: string | undefined;
} {
  const [first] = sectionsOf(cited.text);
  if (first === undefined || cited.text.slice(0, first.start).trim() !== '')
    return { cited, title: undefined };
  const rest = cited.text.slice(first.body);
  const end = first.body + rest.length - rest.trimStart().length;
  const without = {
    ...cited,
    statements: cited.statements.filter((statement) => statement.end > first.body),
  };
  return { cited: edited(without, [{ start: 0, end, text: '' }]), title: first.title };
}
