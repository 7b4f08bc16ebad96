import { escapeInline } from '../markdown-writer.ts';
import type { Relations } from './open-xml.ts';
import { descendants, textWithin, type XmlElement } from './xml.ts';

/** Elements to skip: deleted text of tracked changes, field instructions, and copies for older programs. */
const UNREAD = new Set(['del', 'moveFrom', 'instrText', 'Fallback', 'pPr', 'rPr', 'delText', 'tcPr']);

/** Targets of the references in a paragraph. */
export interface TextContext {
  readonly relations: Relations;
  /** Returns the number of a note, such as `footnote 2`, counted from 1 in the order of first mention. */
  readonly noteNumber: (note: string) => number;
}

/** Returns the words of a paragraph of a Word file as Markdown, with web links and the alternative text of pictures. */
export function runsText(element: XmlElement, context: TextContext): string {
  let text = '';
  for (const child of element.children) {
    if (typeof child === 'string' || UNREAD.has(child.name)) continue;
    text += textOfPart(child, context);
  }
  return text;
}

function textOfPart(part: XmlElement, context: TextContext): string {
  switch (part.name) {
    case 't':
      return escapeInline(textWithin(part));
    case 'tab':
    case 'ptab':
      return ' ';
    case 'br':
    case 'cr':
      return '\n';
    case 'noBreakHyphen':
      return '-';
    case 'hyperlink':
      return linkTarget(
        runsText(part, context),
        context.relations.get(part.attributes['r:id'] ?? '')?.target,
      );
    case 'footnoteReference':
    case 'endnoteReference':
      return `[${String(context.noteNumber(`${part.name.slice(0, -'Reference'.length)} ${part.attributes['w:id'] ?? ''}`))}]`;
    case 'docPr':
      return altText(part);
    case 'txbxContent':
      return ` ${[...descendants(part, 'p')].map((paragraph) => runsText(paragraph, context)).join(' ')} `;
    default:
      return runsText(part, context);
  }
}

/** Returns a link to the web as Markdown, and any other link as its words. */
export function linkTarget(words: string, target: string | undefined): string {
  if (target === undefined || words.trim() === '' || !/^(?:https?|mailto):/i.test(target)) return words;
  const address = target.replace(
    /[()\s<>]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `[${words}](${address})`;
}

/** Returns the alternative text of a picture, unless it is just a file name. */
function altText({ attributes }: XmlElement): string {
  const description = (attributes['descr'] ?? '').replace(/\s+/g, ' ').trim();
  return description === '' || /^\S+\.\w{3,4}$/.test(description) ? '' : ` ${escapeInline(description)} `;
}
