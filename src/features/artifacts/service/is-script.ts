/** Maximum length of a speaker's name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 40;

/** Paragraph of a speaker. */
export interface Turn {
  readonly speaker: string;
  readonly markdown: string;
}

/**
 * Reports whether a note is a script, in which someone speaks again after someone else. In `**Pros:** …` and `**Cons:**
 * …`, no speaker returns.
 */
export function isScript(note: string): boolean {
  const speakers = new Set<string>();
  let last: string | undefined;
  for (const line of note.split('\n')) {
    const speaker = parseTurn(line)?.speaker;
    if (speaker === undefined) continue;
    if (speaker !== last && speakers.has(speaker)) return true;
    speakers.add(speaker);
    last = speaker;
  }
  return false;
}

/** Parses the speaker and words of a line such as `**Ada:** Why?` or `**Ada**: Why?`; undefined for other lines. */
export function parseTurn(line: string): Turn | undefined {
  const [, within, behind, markdown = ''] =
    /^\s{0,3}\*\*(?:([^*\n:：]{1,60})[:：]\*\*|([^*\n:：]{1,60})\*\*[^\S\n]?[:：])(.*)$/.exec(line) ?? [];
  const speaker = (within ?? behind)?.trim() ?? '';
  return speaker === '' || speaker.length > MAX_NAME_LENGTH ? undefined : { speaker, markdown };
}
