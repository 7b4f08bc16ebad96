/** Returns what a reply says in JSON, in a code block or not; undefined if the reply is anything else, or has anything beside. */
export function parseJsonReply(reply: string): unknown {
  const lines = reply.trim().split('\n');
  const isFenced =
    lines.length > 2 && /^```(?:json)?$/i.test(lines[0]?.trim() ?? '') && lines.at(-1) === '```';
  try {
    return JSON.parse((isFenced ? lines.slice(1, -1) : lines).join('\n'));
  } catch {
    return undefined;
  }
}
