const MAX_LENGTH = 160;

/** Shortens text from a source to one line, because line breaks in a title would look like more lines of a list. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}
