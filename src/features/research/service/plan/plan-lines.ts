import { openedFence, withoutItemMark } from '../../../../core/language/markdown-lines.ts';

/** Line of a reply without its list mark. */
interface ReplyLine {
  /** Number of characters before it. */
  readonly indent: number;
  readonly words: string;
  /** `true` if the line had a bullet or a number. */
  readonly isListed: boolean;
}

/** Maximum number of lines to read, and maximum length of each in UTF-16 code units. */
const MAX_LINES = 400;
const MAX_LINE_LENGTH = 2_000;

/** Matches numbers that models use in addition to Markdown list marks: "1:", "(1)". */
const MARK = /^(?:–|\d{1,3}:|\(\d{1,3}\))[ \t]{1,8}/;

/** Returns the lines of a reply with content, without bullets and numbers. */
export function replyLines(text: string): ReplyLine[] {
  return text
    .split('\n')
    .slice(0, MAX_LINES)
    .flatMap((whole) => {
      const line = whole.slice(0, MAX_LINE_LENGTH).trimEnd();
      const inner = line.trimStart();
      const listed = withoutItemMark(inner).replace(MARK, '');
      const words = listed.replaceAll('**', '').trim();
      if (words === '' || openedFence(line) !== undefined) return [];
      return [{ indent: line.length - inner.length, words, isListed: listed !== inner }];
    });
}

/** Step or end of a plan, parsed from a line. Names are as the model wrote them. */
type PlanLine =
  | {
      readonly kind: 'step';
      readonly id: string;
      readonly action: string;
      readonly target: string;
      readonly materials: readonly string[];
      readonly tools: readonly string[];
      readonly quantity: string;
      readonly produces: string;
    }
  | { readonly kind: 'part'; readonly text: string; readonly product: string }
  | { readonly kind: 'reason'; readonly text: string };

const ARROWS = ['->', '→', '=>', '⇒'];

/**
 * Parses the lines of a plan: `1. search: how skills are kept (uses S1, p2; with read-on; 3) -> p3` is a step, `G1 ->
 * p3` a part of the goal with its product, and `REASON: …` the reason why there is no plan. Ignores other lines.
 */
export function planLinesIn(text: string): PlanLine[] {
  return replyLines(text).flatMap((line): PlanLine[] => {
    const reason = /^reason:(.{1,1000})$/i.exec(line.words)?.[1]?.trim();
    if (reason !== undefined && reason !== '') return [{ kind: 'reason', text: reason }];
    const arrow = lastArrow(line.words);
    if (arrow === undefined) return [];
    const before = line.words.slice(0, arrow.start).trim();
    const produces = line.words
      .slice(arrow.end)
      .trim()
      .replace(/[.;,]$/, '');
    if (produces === '') return [];
    const id = /^(s\d{1,3}(?:\.\d{1,3})*)[.:)]?[ \t]{1,8}/.exec(before)?.[1] ?? '';
    const lineText = before.slice(id === '' ? 0 : id.length).replace(/^[.:)]?[ \t]{0,8}/, '');
    if (/^(?:G\d{1,2}|goal|part|end)(?:$|[:\s])/i.test(lineText))
      return [
        { kind: 'part', text: lineText.replace(/^(?:goal|part|end)[:\s]{1,4}/i, ''), product: produces },
      ];
    const colon = lineText.indexOf(':');
    if (colon < 1 || colon > 60) return [];
    const { rest, uses, tools, quantity } = parseBrackets(lineText.slice(colon + 1));
    const action = lineText.slice(0, colon).trim();
    return [{ kind: 'step', id, action, target: rest, materials: uses, tools, quantity, produces }];
  });
}

function lastArrow(line: string): { readonly start: number; readonly end: number } | undefined {
  const lastMatch = ARROWS.map((arrow) => ({ start: line.lastIndexOf(arrow), arrow })).toSorted(
    (a, b) => b.start - a.start,
  )[0];
  return lastMatch === undefined || lastMatch.start < 0
    ? undefined
    : { start: lastMatch.start, end: lastMatch.start + lastMatch.arrow.length };
}

interface Bracketed {
  readonly rest: string;
  readonly uses: readonly string[];
  readonly tools: readonly string[];
  readonly quantity: string;
}

/**
 * Parses the brackets at the end of a step's line: `(uses S1, p2; with read-on; 3)`. Other brackets belong to its
 * target.
 */
function parseBrackets(text: string): Bracketed {
  const line = text.trim();
  const open = line.endsWith(')') ? line.lastIndexOf('(') : -1;
  const inside = open < 0 ? '' : line.slice(open + 1, -1).trim();
  if (!/^(?:uses?|from|with|quantity|\d{1,6}$)/i.test(inside))
    return { rest: line, uses: [], tools: [], quantity: '' };
  let [uses, tools, quantity]: [string[], string[], string] = [[], [], ''];
  for (const part of inside.split(';').map((each) => each.trim())) {
    const [, kind = '', rest = ''] = /^(uses?|from|with|tools?|quantity)[:\s](.*)$/is.exec(part) ?? [];
    if (/^(?:use|from)/i.test(kind)) uses = namesIn(rest);
    else if (/^(?:with|tool)/i.test(kind)) tools = namesIn(rest);
    else if (kind !== '') quantity = rest.trim();
    else if (/^-?\d{1,6}$/.test(part)) quantity = part;
  }
  return { rest: line.slice(0, open).trim(), uses, tools, quantity };
}

/** Parses a list of names as models write it: `S1, p2 and p3`; empty for `None`. */
export function namesIn(text: string): string[] {
  return text
    .split(/[,;\n]|(?<=\s)(?:and|&)(?=\s)/)
    .map((name) =>
      name
        .trim()
        .replace(/^["'`]|["'`]$/g, '')
        .trim(),
    )
    .filter((name) => name !== '' && !/^(?:none|nothing|n\/a|null|-)\.?$/i.test(name));
}
