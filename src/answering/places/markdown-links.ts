/** A text of Markdown with a blank for each link and image, within whose brackets others may stand. In linear time. */
export function withoutLinks(text: string): string {
  const closing = closingBrackets(text);
  let rest = '';
  let from = 0;
  let nextParenthesis = -1;
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', Math.max(open + 1, from))) {
    const after = (closing.get(open) ?? NaN) + 1;
    let end: number | undefined;
    if (text[after] === '[') end = closing.get(after);
    else if (text[after] === '(') {
      if (nextParenthesis < after) nextParenthesis = indexOrEnd(text, ')', after);
      end = nextParenthesis < text.length ? nextParenthesis : undefined;
    }
    if (end === undefined) continue;
    rest += `${text.slice(from, open > from && text[open - 1] === '!' ? open - 1 : open)} `;
    from = end + 1;
  }
  return rest + text.slice(from);
}

/** Where each bracket that is closed ends. */
function closingBrackets(text: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') open.push(i);
    else if (text[i] === ']') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, i);
    }
  }
  return closing;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}
