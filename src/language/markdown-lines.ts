/** A line of Markdown that is a heading with its marks: `## Title ##`. */
export interface MarkedHeading {
  /** 1 to 6. */
  readonly level: number;
  /** As it is written, without the marks around it; '' where there is nothing between them. */
  readonly title: string;
}

/** The heading that a line of Markdown, without its break, is; undefined where it is none. */
export function headingOfLine(line: string): MarkedHeading | undefined {
  const opened = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (opened?.[1] === undefined) return undefined;
  const words = line.slice(opened[0].length);
  const end = endWithout(words, words.length, ' \t');
  const beforeMarks = endWithout(words, end, '#');
  const isClosed = beforeMarks < end && /^[ \t]$/.test(words.charAt(beforeMarks - 1));
  const title = words.slice(0, isClosed ? endWithout(words, beforeMarks, ' \t') : end);
  return { level: opened[1].length, title: title.replace(/^[ \t]+/, '') };
}

/** Where a text ends without the characters at its end that are among `characters`. */
function endWithout(text: string, end: number, characters: string): number {
  let last = end;
  while (last > 0 && characters.includes(text.charAt(last - 1))) last--;
  return last;
}
