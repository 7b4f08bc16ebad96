import { closesBlock, leadsIn } from '../../core/language/code-lines.ts';
import type { Heading } from '../../core/domain/document.ts';

/** Formats in which a line that looks like a declaration isn't one. */
const WITHOUT_DECLARATIONS = new Set(
  'bibtex css diff dockerfile html ignore ini json jsonc jsonl latex less makefile properties sass scss toml xml yaml'.split(
    ' ',
  ),
);

const MODIFIER =
  '(?:public|private|protected|internal|static|final|abstract|open|override|sealed|data|inline|suspend|async|export|default|local|pub|fileprivate|virtual|partial|case|implicit|lazy|operator|infix|tailrec|external|const|mutating|unsafe|extern|convenience|required|declare|indirect|readonly|@\\w+)';
const CONTAINER =
  'class|struct|interface|trait|object|module|namespace|enum|protocol|extension|impl|actor|contract|library|defmodule|defprotocol|defimpl|service|message';
const LEAF =
  'function|func|fun|def|defp|defmacro|fn|sub|proc|procedure|method|macro|modifier|let rec|rpc|init';
const DECLARATION = new RegExp(
  `^[ \\t]*(?:${MODIFIER}\\s+)*(?:(${CONTAINER})|(${LEAF}))\\b[ \\t]+([\\p{L}_$][\\p{L}\\p{N}_$.:<>?!]*)`,
  'u',
);
const SHELL_FUNCTION = /^[ \t]*()(?:function[ \t]+)?()([\w-]+)[ \t]*\(\)/;

const MAX_TITLE_LENGTH = 120;

/** Length of a line's start that identifies its kind. */
const LINE_START = 300;

interface Open {
  readonly indentation: number;
  readonly isLeaf: boolean;
}

/**
 * Returns the declarations as headings in languages that are recognized by keywords and indentation alone. Each starts
 * at its comments; a heading without a title ends the previous section. Returns at most `limit` headings, in time
 * proportional to the text.
 */
export function indentedOutline(text: string, languageId: string, limit: number): Heading[] {
  if (WITHOUT_DECLARATIONS.has(languageId)) return [];
  const headings: Heading[] = [];
  const open: Open[] = [];
  let comments: number | undefined;
  for (let start = 0; start < text.length && headings.length < limit;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, Math.min(next, start + LINE_START));
    const content = line.trim();
    if (content === '') comments = undefined;
    else if (leadsIn(line)) comments ??= start;
    else {
      const indentation = countIndentation(line);
      const ended = !closesBlock(line) && close(open, indentation);
      const inFunction = open.at(-1)?.isLeaf === true;
      const match = inFunction
        ? null
        : (DECLARATION.exec(line) ?? (languageId === 'shellscript' ? SHELL_FUNCTION.exec(line) : null));
      if (match !== null) {
        const [, isContainer, , name = ''] = match;
        const level = open.length + 1;
        headings.push({ offset: comments ?? start, level, title: name.slice(0, MAX_TITLE_LENGTH) });
        open.push({ indentation, isLeaf: isContainer === undefined || isContainer === '' });
      } else if (ended) headings.push({ offset: comments ?? start, level: open.length + 1, title: '' });
      comments = undefined;
    }
    start = next;
  }
  return headings;
}

/** Closes the declarations that don't contain a line of this indentation; returns `true` if it closed any. */
function close(open: Open[], indentation: number): boolean {
  const before = open.length;
  while ((open.at(-1)?.indentation ?? -1) >= indentation) open.pop();
  return open.length < before;
}

/** Counts columns; a tab counts as four. */
function countIndentation(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns++;
    else if (character === '\t') columns += 4;
    else break;
  }
  return columns;
}
