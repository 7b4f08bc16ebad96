const OPENING = /^\s*<(think|thinking|reasoning)>/i;
const MAY_OPEN = /^\s*(?:<[a-z]{0,9})?$/i;

/** Yields the pieces of a reply without the thoughts that some models write between tags at its beginning. */
export async function* withoutThinking(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let held = '';
  let closing: string | undefined;
  let begun = false;
  for await (const piece of pieces) {
    if (begun) {
      yield piece;
      continue;
    }
    held += piece;
    closing ??= closingTag(held);
    if (closing !== undefined) {
      const end = held.toLowerCase().indexOf(closing);
      if (end < 0) continue;
      held = held.slice(end + closing.length);
    } else if (MAY_OPEN.test(held)) continue;
    begun = true;
    yield held;
  }
  if (!begun && closing === undefined) yield held;
}

function closingTag(text: string): string | undefined {
  const tag = OPENING.exec(text)?.[1];
  return tag === undefined ? undefined : `</${tag.toLowerCase()}>`;
}
