import { firstIndex } from '../../language/first-index.ts';
import { headingOfLine, itemOfLine, markdownLines } from '../../language/markdown-lines.ts';
import type { Span } from '../../language/span.ts';
import { knowsPointingWords, pointsBack } from '../../language/statement-words.ts';
import { languageOfText } from '../../language/words/words.ts';

/** Text around a statement that tells what the statement is about. It isn't evidence. */
export interface StatementContext {
  /** Headings, the line above a list or table, and the items that contain the statement, outermost first. */
  readonly under: readonly string[];
  /** Statement before one that isn't understandable on its own. */
  readonly after: string | undefined;
  /** `true` if the statement refers to the one before it with a word such as "it". */
  readonly pointsBack: boolean;
  /** `true` if the statement has too few words to be understandable on its own: "In March." */
  readonly isShort: boolean;
}

/** Line of an answer, and the lines that it belongs to. */
interface OutlinedLine extends Span {
  readonly under: readonly string[];
}

/** Maximum length of a line above a statement, in UTF-16 code units, and maximum number of such lines. */
const MAX_LINE_LENGTH = 200;
const MAX_LINES = 5;
/** Maximum number of words, or of characters in scripts without spaces, of a short statement. */
const MAX_SHORT_WORDS = 5;
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}.,'’-]*/gu;
/** Line that is bold as a whole, which many models write in place of a heading. */
const LABEL = /^\s*(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*(?:[:：]\s*)?$/u;

/** Returns a function that finds the context of each statement of an answer, by the index of the statement. */
export function contextOfStatements(
  text: string,
  statements: readonly Span[],
): (index: number) => StatementContext {
  const lines = outline(text);
  const language = languageOfText(text);
  return (index) => {
    const [previous, own] = [statements[index - 1], statements[index]];
    if (own === undefined) return { under: [], after: undefined, pointsBack: false, isShort: false };
    const sentence = text.slice(own.start, own.end);
    const isShort = (sentence.match(WORDS)?.length ?? 0) <= MAX_SHORT_WORDS;
    const isBack = pointsBack(sentence, language);
    const isInLine = previous !== undefined && !text.slice(previous.end, own.start).includes('\n');
    const needsPrevious = isBack || (isInLine && (isShort || !knowsPointingWords(language)));
    return {
      under:
        lines[firstIndex(lines.length, (line) => (lines[line]?.end ?? 0) >= own.start)]?.under.slice(
          -MAX_LINES,
        ) ?? [],
      after: needsPrevious && previous !== undefined ? text.slice(previous.start, previous.end) : undefined,
      pointsBack: isBack,
      isShort,
    };
  };
}

/** Returns the lines of a text with the headings, lead-ins, and items above each. */
function outline(text: string): readonly OutlinedLine[] {
  let headings: { readonly level: number; readonly title: string }[] = [];
  let label: string | undefined;
  let leadIn: string | undefined;
  let items: { readonly indent: number; readonly text: string }[] = [];
  const lines: OutlinedLine[] = [];
  for (const { kind, start, end } of markdownLines(text)) {
    const line = text.slice(start, end);
    const indent = line.length - line.trimStart().length;
    if (kind === 'blank') continue;
    if (kind === 'heading') {
      const { level, title } = headingOfLine(line) ?? { level: 1, title: line };
      headings = [...headings.filter((each) => each.level < level), { level, title: plainLine(title) }];
      label = leadIn = undefined;
      items = [];
    }
    if (kind === 'item' || indent > 0) items = items.filter((each) => each.indent < indent);
    else if (kind === 'text') items = [];
    const isContinued = kind === 'text' && items.length > 0;
    if (kind === 'text' && !isContinued) {
      leadIn = undefined;
      if (LABEL.test(line)) label = undefined;
    }
    const above = [...headings.map(({ title }) => title), label, leadIn, ...items.map((each) => each.text)];
    lines.push({
      start,
      end,
      under:
        kind === 'heading' ? [] : above.flatMap((each) => (each === undefined || each === '' ? [] : [each])),
    });
    if (kind === 'text' && !isContinued) {
      if (LABEL.test(line)) label = plainLine(line);
      else if (/[:：][\s*_]*$/.test(line)) leadIn = plainLine(line);
    }
    const item = kind === 'item' ? itemOfLine(line) : undefined;
    if (item !== undefined) items.push({ indent, text: plainLine(item.text) });
  }
  return lines;
}

function plainLine(line: string): string {
  const plain = line.replaceAll(/\*\*|__/g, '').trim();
  return plain.length <= MAX_LINE_LENGTH ? plain : `…${plain.slice(-MAX_LINE_LENGTH)}`;
}
