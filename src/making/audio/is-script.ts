/** How long a speaker's name may be, in UTF-16 code units. */
const LONGEST_NAME = 40;

/** A paragraph that somebody says. */
export interface Turn {
  readonly speaker: string;
  readonly markdown: string;
}

/** Whether a note is a script: somebody speaks again after somebody else; `**Pros:** …` and `**Cons:** …` say nothing twice. */
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

/** Of `**Ada:** Why?` and `**Ada**: Why?` who says what; undefined for other lines. */
export function parseTurn(line: string): Turn | undefined {
  const [, within, behind, markdown = ''] =
    /^\s{0,3}\*\*(?:([^*\n:：]{1,60})[:：]\*\*|([^*\n:：]{1,60})\*\*[^\S\n]?[:：])(.*)$/.exec(line) ?? [];
  const speaker = (within ?? behind)?.trim() ?? '';
  return speaker === '' || speaker.length > LONGEST_NAME ? undefined : { speaker, markdown };
}
