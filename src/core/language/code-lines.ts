/*
 * Classifies lines of code by their first characters, for most programming languages at once. It splits, quotes, and
 * outlines code in languages without a parser.
 */

/** Matches a comment, but not "#include" and the like. */
const COMMENT =
  /^\s*(?:\/\/|\/?\*|#(?!(?:define|elif|else|endif|if|ifdef|ifndef|include)\b)|--|;;|%|"""|'''|<!--)/;
/** A decorator or an attribute: `@test`, `[Fact]`, `[[nodiscard]]`. */
const ATTRIBUTE = /^\s*(?:@|\[\[?[A-Za-z])/;
/** Closing brackets, and the words of languages that write them out. */
const CLOSING = /^\s*(?:[)\]}>]|(?:end|fi|done|esac)\b)/;
/** Matches a line that continues the statement above: `else`, `except`. */
const GOING_ON = /^\s*(?:else|elif|except|finally|catch)\b/;

/** Reports whether a line of code begins with a comment. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/** Reports whether a line of code belongs to the next one: a comment, decorator, or attribute. */
export function leadsIn(line: string): boolean {
  return COMMENT.test(line) || ATTRIBUTE.test(line);
}

/** Returns the index of the first of the comments, decorators, and attributes directly above a line; or its own. */
export function startOfLeadIn(lineAt: (index: number) => string, index: number): number {
  let start = index;
  while (start > 0 && leadsIn(lineAt(start - 1))) start--;
  return start;
}

/** Reports whether a line of code ends a block. */
export function closesBlock(line: string): boolean {
  return CLOSING.test(line);
}

/** Reports whether a line of code ends a block or continues its statement, without starting one. */
export function continuesStatement(line: string): boolean {
  return CLOSING.test(line) || GOING_ON.test(line);
}
