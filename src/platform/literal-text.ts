/** Invisible character without width that allows no line break. */
const WORD_JOINER = '\u2060';

/**
 * Escapes text that VS Code would otherwise turn into a link (`[words](command:…)`) or an icon (`$(name)`) in
 * notifications, status bar items, lists, prompts of input boxes, and lenses. Titles, file names, and replies of
 * servers come from others, who could otherwise offer commands in the name of Open Notebook.
 */
export function literalText(text: string): string {
  return text.replaceAll(/(?<=\])(?=\()|(?<=\$)(?=\()/g, WORD_JOINER);
}
