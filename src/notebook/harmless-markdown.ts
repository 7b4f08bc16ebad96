/**
 * Markdown from elsewhere that loads and runs nothing wherever it is shown: images, HTML, link definitions, and links
 * that lead anywhere but to the web, a mail address or a note's citation become text, by a space that keeps them from
 * being what they look like. Code stays as it is where it can be told from text for sure.
 */
export function harmlessMarkdown(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  // A fence in a list or quote, or a code span over several lines, may end elsewhere than it seems: from there on
  // nothing is taken for code.
  let isSure = true;
  for (const line of markdown.replaceAll(/\r\n?/g, '\n').split('\n')) {
    if (fence !== undefined) {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (closing?.startsWith(fence)) fence = undefined;
      lines.push(line);
      continue;
    }
    fence = isSure ? /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0] : undefined;
    if (fence !== undefined) {
      lines.push(line);
      continue;
    }
    const spans = isSure && !/^.?[\s>*+\d.)-]*(?:`{3}|~{3})/.test(line) ? codeSpans(line) : undefined;
    if (spans === undefined) isSure = false;
    lines.push(harmlessLine(line, spans ?? []));
  }
  return lines.join('\n');
}

interface CodeSpan {
  readonly start: number;
  readonly end: number;
}

/** The code spans of a line; undefined where one may begin that ends on another line. */
function codeSpans(line: string): CodeSpan[] | undefined {
  if (line.includes('\\`')) return undefined;
  const spans: CodeSpan[] = [];
  let open: RegExpExecArray | undefined;
  for (const run of line.matchAll(/`+/g)) {
    if (open === undefined) open = run;
    else if (run[0].length === open[0].length) {
      spans.push({ start: open.index, end: run.index + run[0].length });
      open = undefined;
    }
  }
  return open === undefined ? spans : undefined;
}

function harmlessLine(line: string, spans: readonly CodeSpan[]): string {
  let result = '';
  let from = 0;
  for (const { start, end } of spans) {
    result += harmlessText(line.slice(from, start)) + line.slice(start, end);
    from = end;
  }
  return result + harmlessText(line.slice(from));
}

function harmlessText(text: string): string {
  return text
    .replaceAll(/!(?=\[)/g, '! ')
    .replaceAll(/<(?=[a-z/!?])/gi, '< ')
    .replaceAll(/\](?=:)/g, '] ')
    .replaceAll(/\](?=\((?!<?(?:https?:|mailto:|citation\/[\da-f]{16}[ )])))/gi, '] ');
}
