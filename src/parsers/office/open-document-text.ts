import { escapeInline, type MarkdownWriter } from '../markdown-writer.ts';
import { joinRuns, type Raise, type TextRun } from '../raised-text.ts';
import { texOfMath } from '../web/math.ts';
import { PageElement, PageText } from '../web/page-tree.ts';
import { withSymbols } from './symbol-fonts.ts';
import { linkTarget } from './word-text.ts';
import { childAt, descendants, elementsIn, type XmlElement } from './xml.ts';
import type { Container } from './zip.ts';

/** Elements to skip: comments, phonetic readings above Japanese characters, and hidden words. */
const UNREAD = new Set([
  'annotation',
  'ruby-text',
  'tracked-changes',
  'note-citation',
  'script',
  'hidden-text',
  'object',
]);

/** Format of a style that changes the meaning of letters. Fields without a value come from the style around it. */
interface Format {
  readonly raise?: Raise | 'baseline';
  readonly isStruck?: boolean;
  readonly isHidden?: boolean;
  readonly font?: string;
}

/** Maximum length of a chain of parent styles. A longer one is circular. */
const MAX_CHAIN_LENGTH = 20;

/** Reader of the words in OpenDocument paragraphs and of their notes. */
export class OdfText {
  readonly #notes: string[] = [];
  readonly #styles = new Map<string, XmlElement>();
  readonly #container: Container;
  readonly #fileName: string;

  constructor(container: Container, fileName: string) {
    this.#container = container;
    this.#fileName = fileName;
    for (const part of ['styles.xml', 'content.xml'])
      for (const style of elementsIn(beforeBody(container.part(part)), 'style', fileName)) {
        const { 'style:name': name = '', 'style:family': family = '' } = style.attributes;
        if (family === 'text' || family === 'paragraph') this.#styles.set(name, style);
      }
  }

  /** Returns the words of a paragraph as Markdown. */
  of(element: XmlElement): string {
    return joinRuns(this.#runsOf(element, this.#formatOf(element), escapeInline));
  }

  /** Returns the words within an element, on one line. */
  readPlain(element: XmlElement | undefined): string {
    if (element === undefined) return '';
    const runs = this.#runsOf(element, this.#formatOf(element), (text) => text);
    return joinRuns(runs).replace(/\s+/g, ' ').trim();
  }

  /** Reports whether a section or paragraph is hidden. */
  isHidden({ attributes }: XmlElement): boolean {
    return attributes['text:display'] === 'none' || attributes['text:is-hidden'] === 'true';
  }

  /** Writes the notes below a heading, if there are any. */
  writeNotes(writer: MarkdownWriter): void {
    if (this.#notes.length > 0) writer.heading(1, 'Notes');
    for (const [index, note] of this.#notes.entries()) writer.block(`[${String(index + 1)}] ${note}`);
  }

  #runsOf(element: XmlElement, format: Format, escape: (text: string) => string): TextRun[] {
    return element.children.flatMap((child): TextRun[] => {
      if (typeof child !== 'string')
        return UNREAD.has(child.name) || this.isHidden(child) ? [] : this.#runsOfPart(child, format, escape);
      if (format.isHidden === true) return [];
      const text = escape(withSymbols(child, format.font).replace(/[ \t\r\n]+/g, ' '));
      const raise = format.raise === 'baseline' ? undefined : format.raise;
      return [{ text, raise, isStruck: format.isStruck }];
    });
  }

  #runsOfPart(part: XmlElement, around: Format, escape: (text: string) => string): TextRun[] {
    const format = { ...around, ...this.#formatOf(part) };
    switch (part.name) {
      case 's':
      case 'tab':
        return [{ text: ' ' }];
      case 'line-break':
        return [{ text: '\n' }];
      // A damaged file can have these inside a paragraph.
      case 'p':
      case 'h':
      case 'table-cell':
        return [{ text: ' ' }, ...this.#runsOf(part, format, escape), { text: ' ' }];
      case 'a': {
        const target = part.attributes['xlink:href'] ?? '';
        const runs = this.#runsOf(part, format, escape);
        return escape === escapeInline && /^(?:https?|mailto):/i.test(target)
          ? [{ text: linkTarget(joinRuns(runs), target) }]
          : runs;
      }
      case 'note': {
        const body = childAt(part, 'note-body');
        const index = this.#notes.push('') - 1;
        const paragraphs = body === undefined ? [] : [...descendants(body, 'p')];
        this.#notes[index] = paragraphs.map((paragraph) => this.of(paragraph).trim()).join(' ');
        return [{ text: `[${String(index + 1)}]` }];
      }
      case 'frame': {
        const formula = this.#formulaOf(part);
        if (formula !== '') return [{ text: formula }];
        const described = this.readPlain(childAt(part, 'desc') ?? childAt(part, 'title'));
        const words = [...descendants(part, 'p')].map((paragraph) => this.#wordsOf(paragraph, escape));
        return [{ text: ` ${escape(described)} ${words.join(' ')} ` }];
      }
      default:
        return this.#runsOf(part, format, escape);
    }
  }

  #wordsOf(paragraph: XmlElement, escape: (text: string) => string): string {
    return joinRuns(this.#runsOf(paragraph, this.#formatOf(paragraph), escape));
  }

  /** Returns the formula of a frame as TeX between dollars, from the frame itself or a file inside the document. */
  #formulaOf(frame: XmlElement): string {
    for (const object of descendants(frame, 'object')) {
      const href = object.attributes['xlink:href']?.replace(/^\.\//, '').replace(/\/$/, '');
      const part = href === undefined ? undefined : this.#container.part(`${href}/content.xml`);
      const [math] = [...descendants(object, 'math'), ...elementsIn(part, 'math', this.#fileName)];
      const tex = math === undefined ? '' : texOfMath(asPage(math));
      if (tex !== '') return `$${tex}$`;
    }
    return '';
  }

  /** Returns the format of an element by its style. A note's anchor isn't superscript in the text. */
  #formatOf({ attributes }: XmlElement): Format {
    let format: Format = {};
    let name = attributes['text:style-name'];
    for (let i = 0; name !== undefined && i < MAX_CHAIN_LENGTH; i++) {
      const style = this.#styles.get(name);
      format = { ...readFormat(childAt(style, 'text-properties')), ...format };
      name = style?.attributes['style:parent-style-name'];
    }
    return format;
  }
}

/** Returns the part of an XML file before the body, which holds its styles. */
function beforeBody(part: Uint8Array | undefined): Uint8Array | undefined {
  const end =
    part === undefined ? -1 : Buffer.from(part.buffer, part.byteOffset, part.length).indexOf('<office:body');
  return end < 0 ? part : part?.subarray(0, end);
}

/** Minimum distance from the baseline, in percent, of letters that a style makes superscript or subscript. */
const MIN_POSITION = 5;

function readFormat(properties: XmlElement | undefined): Format {
  const attributes = properties?.attributes ?? {};
  const position = attributes['style:text-position']?.trim().split(' ', 1)[0];
  const share = Number.parseFloat(position ?? '0');
  const isAbove = position === 'super' || share > MIN_POSITION;
  const isBelow = position === 'sub' || share < -MIN_POSITION;
  const line = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'];
  const display = attributes['text:display'];
  const font = attributes['style:font-name'] ?? attributes['fo:font-family']?.replace(/['"]/g, '');
  return {
    ...(position !== undefined && { raise: isAbove ? 'super' : isBelow ? 'sub' : 'baseline' }),
    ...(line !== undefined && { isStruck: line !== 'none' }),
    ...(display !== undefined && { isHidden: display === 'none' }),
    ...(font !== undefined && { font }),
  };
}

/** Returns MathML as a tree of the kind that web pages have. */
function asPage(element: XmlElement): PageElement {
  const page = new PageElement(element.name.toUpperCase(), new Map(Object.entries(element.attributes)));
  for (const child of element.children)
    page.append(typeof child === 'string' ? new PageText(child) : asPage(child));
  return page;
}
