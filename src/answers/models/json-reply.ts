/** Parses a reply as JSON, in a code block or not; undefined if it's anything else or contains other text. */
export function parseJsonReply(reply: string): unknown {
  const lines = reply.trim().split('\n');
  const isFenced =
    lines.length > 2 && /^```(?:json)?$/i.test(lines[0]?.trim() ?? '') && lines.at(-1) === '```';
  try {
    return JSON.parse((isFenced ? lines.slice(1, -1) : lines).join('\n'));
  } catch {
    // A model can write any text.
    return undefined;
  }
}
