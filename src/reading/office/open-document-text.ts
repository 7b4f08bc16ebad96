import { escapeInline, type MarkdownWriter } from '../markdown-writer.ts';
import { linkTarget } from './word-text.ts';
import { childAt, descendants, type XmlElement } from './xml.ts';

/** Elements to skip: comments, phonetic readings above Japanese characters, and drawings. */
const UNREAD = new Set(['annotation', 'ruby-text', 'tracked-changes', 'note-citation', 'script', 'object']);

/** Reader of the words in OpenDocument paragraphs and of their notes. */
export class OdfText {
  readonly #notes: string[] = [];

  /** Returns the words of a paragraph as Markdown. */
  of(element: XmlElement): string {
    let text = '';
    for (const child of element.children) {
      if (typeof child === 'string') text += escapeInline(child.replace(/[ \t\r\n]+/g, ' '));
      else if (!UNREAD.has(child.name)) text += this.#ofPart(child);
    }
    return text;
  }

  /** Writes the notes below a heading, if there are any. */
  writeNotes(writer: MarkdownWriter): void {
    if (this.#notes.length > 0) writer.heading(1, 'Notes');
    for (const [index, note] of this.#notes.entries()) writer.block(`[${String(index + 1)}] ${note}`);
  }

  #ofPart(part: XmlElement): string {
    switch (part.name) {
      case 's':
      case 'tab':
        return ' ';
      case 'line-break':
        return '\n';
      case 'a':
        return linkTarget(this.of(part), part.attributes['xlink:href']);
      case 'note': {
        const body = childAt(part, 'note-body');
        const index = this.#notes.push('') - 1;
        const paragraphs = body === undefined ? [] : [...descendants(body, 'p')];
        this.#notes[index] = paragraphs.map((one) => this.of(one).trim()).join(' ');
        return `[${String(index + 1)}]`;
      }
      case 'frame': {
        const described = plainText(childAt(part, 'desc') ?? childAt(part, 'title'));
        return ` ${escapeInline(described)} ${[...descendants(part, 'p')].map((one) => this.of(one)).join(' ')} `;
      }
      default:
        return this.of(part);
    }
  }
}

/** Returns the words within an element, on one line. */
export function plainText(element: XmlElement | undefined): string {
  return readWords(element).replace(/\s+/g, ' ').trim();
}

function readWords(element: XmlElement | undefined): string {
  if (element === undefined || UNREAD.has(element.name)) return '';
  if (/^(?:s|tab|line-break)$/.test(element.name)) return ' ';
  const words = element.children
    .map((child) => (typeof child === 'string' ? child : readWords(child)))
    .join('');
  return element.name === 'p' ? `${words} ` : words;
}
