import { headingOfLine } from '../language/markdown-lines.ts';

/** Words of a text that stand in for its title. */
const WORDS = 5;
/** A heading of more characters is none that a list could show. */
const LONGEST_HEADING = 80;

/** What a pasted text is called that was given no title: the Markdown heading it begins with, else its first words. */
export function titleOfText(text: string): string {
  const heading = headingOfLine(firstLine(text))?.title ?? '';
  if (heading !== '' && heading.length <= LONGEST_HEADING) return heading;
  const words = heading === '' ? text : heading;
  return words.trim().split(/\s+/u, WORDS).join(' ');
}

function firstLine(text: string): string {
  const rest = text.trimStart();
  const newline = rest.indexOf('\n');
  return (newline < 0 ? rest : rest.slice(0, newline)).trimEnd();
}
