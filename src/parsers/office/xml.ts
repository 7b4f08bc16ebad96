import { Parser } from 'htmlparser2';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { decodeText } from '../text-decoding.ts';

/** XML element. Its attributes' names include prefixes. */
export interface XmlElement {
  /** Name without its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
}

/** Maximum nesting depth. Real documents don't nest this deep. */
const MAX_DEPTH = 500;

/**
 * Calls back with each outermost element of the given names (without prefixes). Drops everything else, so a large
 * part needs little memory. Leaves entities that a document declares as they are, and downloads nothing. `entered`
 * gets the start tags of elements around the found ones. Truncated XML yields its existing elements.
 * @throws NotebookError `damaged` if elements are nested too deeply
 */
export function eachElement(
  xml: Uint8Array,
  names: ReadonlySet<string>,
  onElement: (element: XmlElement) => void,
  fileName: string,
  entered?: (name: string, attributes: Readonly<Record<string, string>>) => void,
): void {
  const open: OpenElement[] = [];
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        if (++depth > MAX_DEPTH) throw tooDeep(fileName);
        const name = qualified.slice(qualified.indexOf(':') + 1);
        const parent = open.at(-1);
        if (parent === undefined && !names.has(name)) {
          entered?.(name, attributes);
          return;
        }
        const element: OpenElement = { name, attributes, children: [] };
        parent?.children.push(element);
        open.push(element);
      },
      onclosetag() {
        depth--;
        const element = open.pop();
        if (element !== undefined && open.length === 0) onElement(element);
      },
      ontext(text) {
        const siblings = open.at(-1)?.children;
        const last = siblings?.at(-1);
        // The parser reports the text of an entity separately.
        if (siblings && typeof last === 'string') siblings[siblings.length - 1] = last + text;
        else siblings?.push(text);
      },
    },
    { xmlMode: true },
  );
  const text = decodeXml(xml);
  const step = 256 * 1024;
  for (let at = 0; at < text.length; at += step) parser.write(text.slice(at, at + step));
  parser.end();
}

/** Returns all outermost elements of a name. */
export function elementsIn(xml: Uint8Array | undefined, name: string, fileName: string): XmlElement[] {
  const elements: XmlElement[] = [];
  if (xml) eachElement(xml, new Set([name]), (element) => elements.push(element), fileName);
  return elements;
}

/** Decodes an XML file in the encoding that it declares. */
export function decodeXml(xml: Uint8Array): string {
  const head = Buffer.from(xml.subarray(0, 200)).toString('latin1');
  return decodeText(xml, /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]);
}

/** Returns the direct children of an element, optionally only those of a name. */
export function childElements(element: XmlElement | undefined, name?: string): XmlElement[] {
  const elements = (element?.children ?? []).filter((child) => typeof child !== 'string');
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

/** Returns the child at the end of a path of names, each the first of its name. */
export function childAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let at = element;
  for (const name of path)
    at = at?.children.find((child): child is XmlElement => typeof child !== 'string' && child.name === name);
  return at;
}

/** Yields each element of a name inside another, in order, but not inside one that it yielded. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.name === name) yield child;
    else yield* descendants(child, name);
  }
}

/** Returns the text within an element as it is, with a space between digits of different elements. */
export function textWithin(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return typeof node === 'string' ? node : joinTexts(node.children.map(textWithin));
}

/** Joins texts, with a space where digits would touch: only a damaged file has several texts where one belongs. */
export function joinTexts(texts: readonly string[]): string {
  return texts.reduce(
    (before, text) => (/\d$/.test(before) && /^\d/.test(text) ? `${before} ${text}` : before + text),
    '',
  );
}

function tooDeep(fileName: string): NotebookError {
  return new NotebookError(
    'damaged',
    t(
      'Can’t read {0} because its content is nested too deeply. Save it in another format, then add the new file.',
      fileName,
    ),
  );
}
