const LONGEST = 160;

/** What a source says, on one line and not too long: a title with breaks would look like more lines of a list. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
