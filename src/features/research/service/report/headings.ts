import { headingOfLine, markdownLines, withoutLineMark } from '../../../../core/language/markdown-lines.ts';
import { citationLinks } from '../../../../core/domain/citation-links.ts';
import { applyEdits, type CitedText } from '../../../../answers/writing/cited-text.ts';

/** Heading of a text with its section, which ends at the next heading of its level or above. */
export interface Section {
  readonly level: number;
  readonly title: string;
  /** Start of the heading and end of the section, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Start of the text below the heading. */
  readonly body: number;
}

/** Returns the sections of a Markdown text, including nested ones, in the order of their headings. */
export function cutSections(text: string): Section[] {
  const headings = Array.from(markdownLines(text)).flatMap(({ kind, start, end, next }) => {
    const heading = kind === 'heading' ? headingOfLine(text.slice(start, end)) : undefined;
    return heading === undefined ? [] : [{ ...heading, start, body: next }];
  });
  return headings.map((heading, i) => {
    const after = headings.slice(i + 1).find(({ level }) => level <= heading.level);
    return { ...heading, end: after?.start ?? text.length };
  });
}

const MAX_HEADING_LEVEL = 6;

/** Shifts the headings of a text so that the outermost ones have a given level. */
export function withHeadingsFrom(cited: CitedText, level: number): CitedText {
  const sections = cutSections(cited.text);
  const by = level - Math.min(...sections.map((section) => section.level));
  if (sections.length === 0 || by === 0) return cited;
  return applyEdits(
    cited,
    sections.map(({ start, level: own }) => {
      const indent = cited.text.slice(start, start + 4).search(/#/);
      const at = start + Math.max(0, indent);
      return {
        start: at,
        end: at + own,
        text: '#'.repeat(Math.min(MAX_HEADING_LEVEL, Math.max(1, own + by))),
      };
    }),
  );
}

/** Removes the heading at the beginning of a text, and returns both. */
export function withoutFirstHeading(cited: CitedText): {
  readonly cited: CitedText;
  readonly title: string | undefined;
} {
  const [first] = cutSections(cited.text);
  if (first === undefined || cited.text.slice(0, first.start).trim() !== '')
    return { cited, title: undefined };
  const rest = cited.text.slice(first.body);
  const end = first.body + rest.length - rest.trimStart().length;
  const without = {
    ...cited,
    statements: cited.statements.filter((statement) => statement.end > first.body),
  };
  return { cited: applyEdits(without, [{ start: 0, end, text: '' }]), title: first.title };
}

/** Maximum length of a text that is searched for its first words, in UTF-16 code units. */
const MAX_SEARCHED_LENGTH = 2_000;

/** Returns the start of a Markdown text as plain words: `- **Rain** falls [1](citation/0f3a…)` is `Rain falls`. */
export function plainBeginning(text: string, limit: number): string {
  const looked = text.slice(0, MAX_SEARCHED_LENGTH);
  let from = 0;
  let uncited = '';
  for (const { start, end } of citationLinks(looked)) {
    uncited += looked.slice(from, start).trimEnd();
    from = end;
  }
  uncited += looked.slice(from);
  const line = uncited
    .split('\n')
    .map(plainLine)
    .find((words) => /[\p{L}\p{N}]/u.test(words));
  return (line ?? '').slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}

function plainLine(line: string): string {
  return withoutLineMark(line.replace(/^[ \t]*[>|]{1,6}(?=\s)/, ''))
    .replaceAll(/!?\[([^[\]]{0,200})\]\([^()]{0,500}\)/g, '$1')
    .replaceAll(/\*\*|__|[`|]/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])/gu, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:!?])/g, '')
    .trim();
}
