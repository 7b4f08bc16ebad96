/** Invisible character without width that allows no line break. */
const WORD_JOINER = '\u2060';

/**
 * Returns text that VS Code shows literally where it would turn `[words](command:…)` into a link, and `$(name)` into an
 * icon: in notifications, status bar items, lists, prompts of input boxes, and lenses. Titles, file names, and replies
 * of servers come from others, who could otherwise offer commands in the name of Open Notebook.
 */
export function literalText(text: string): string {
  return text.replaceAll(/(?<=\])(?=\()|(?<=\$)(?=\()/g, WORD_JOINER);
}
