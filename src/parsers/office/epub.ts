import { t } from '@vscode/l10n';
import { markdownLines } from '../../core/language/markdown-lines.ts';
import type { ReadDocument } from '../../core/domain/document.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { MarkdownWriter } from '../markdown-writer.ts';
import { fragmentMarkdown } from '../web/fragment-markdown.ts';
import { toDocument } from './written-document.ts';
import {
  childAt,
  childElements,
  decodeXml,
  descendants,
  elementsIn,
  textWithin,
  type XmlElement,
} from './xml.ts';
import { damagedError, openContainer, type Container } from './zip.ts';

export const EPUB_TYPE = 'application/epub+zip';

/** Maximum size of a chapter, in bytes. */
const MAX_CHAPTER_LENGTH = 16 * 1024 * 1024;

/**
 * Returns an EPUB book as a document: its chapters in reading order, each under its title.
 * @throws NotebookError `damaged`, `encrypted`
 */
export function readEpub(bytes: Uint8Array, name: string): ReadDocument {
  const container = openContainer(bytes, name);
  const [rootFile] = elementsIn(container.part('META-INF/container.xml'), 'rootfile', name);
  const packagePath =
    rootFile?.attributes['full-path'] ?? container.names.find((part) => /\.opf$/i.test(part)) ?? '';
  const [book] = elementsIn(container.part(packagePath), 'package', name);
  if (book === undefined) throw damagedError(name);
  const chapters = listChapters(book, packagePath);
  refuseLocked(container, chapters, name);
  const titles = readTitles(container, book, packagePath, name);
  const writer = new MarkdownWriter();
  const unreadable: number[] = [];
  for (const [index, chapter] of chapters.entries()) {
    if (writer.isFull) break;
    if (!writeChapter(writer, container.part(chapter), titles.get(chapter))) unreadable.push(index + 1);
  }
  const title = textWithin(childAt(book, 'metadata', 'title'))
    .replace(/\s+/g, ' ')
    .trim();
  const warnings = unreadable.map((number) => t('Skipped chapter {0} because it’s damaged.', number));
  return toDocument(writer, EPUB_TYPE, title === '' ? undefined : title, warnings);
}

/** Length of a chapter's start, in UTF-16 code units, that contains its own heading if it has one. */
const BEGINNING = 500;

/** Writes a chapter; returns `false` if it can't be read. */
function writeChapter(
  writer: MarkdownWriter,
  xhtml: Uint8Array | undefined,
  title: string | undefined,
): boolean {
  if (xhtml === undefined || xhtml.length > MAX_CHAPTER_LENGTH) return false;
  try {
    const markdown = fragmentMarkdown(withEndTags(decodeXml(xhtml)));
    if (title !== undefined && markdown !== '' && !hasHeading(markdown.slice(0, BEGINNING)))
      writer.heading(1, title);
    writer.markdown(markdown);
    return true;
  } catch {
    // A chapter of a million elements can't be real. The other chapters are still readable.
    return false;
  }
}

/** Elements of HTML without an end tag. */
const VOID =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|circle|ellipse|image|line|path|polygon|polyline|rect|use)$/i;
/** Maximum length of a tag, in UTF-16 code units. Longer ones stay as they are. */
const MAX_TAG_LENGTH = 4000;

/** Returns XHTML with end tags for elements that close themselves, such as `<title/>`, which HTML would leave open. */
function withEndTags(xhtml: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let end = xhtml.indexOf('/>'); end >= 0; end = xhtml.indexOf('/>', end + 2)) {
    const before = xhtml.slice(Math.max(from, end - MAX_TAG_LENGTH), end);
    const tag = before.slice(before.lastIndexOf('<'));
    const name = /^<([a-z][\w:.-]{0,60})/i.exec(tag)?.[1];
    // Values in quotation marks can contain the sign that ends a tag.
    if (name === undefined || VOID.test(name) || tag.replace(/"[^"]*"|'[^']*'/g, '').includes('>')) continue;
    parts.push(xhtml.slice(from, end), `></${name}>`);
    from = end + 2;
  }
  return parts.join('') + xhtml.slice(from);
}

function hasHeading(markdown: string): boolean {
  return Array.from(markdownLines(markdown)).some(({ kind }) => kind === 'heading');
}

/** Returns the parts with the book's text, in reading order. */
function listChapters(book: XmlElement, packagePath: string): string[] {
  const files = new Map(
    childElements(childAt(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'], attributes]),
  );
  const order = childElements(childAt(book, 'spine'), 'itemref').map(({ attributes }) => attributes['idref']);
  // Without an order, a damaged book has that of its list of files.
  return (order.length > 0 ? order : [...files.keys()]).flatMap((id) => {
    const file = files.get(id);
    // Books of older formats have other types of text, such as `text/x-oeb1-document`.
    const isOther = /^(?:image\/(?!svg)|audio|video|font|text\/css|application\/(?!.*(?:xml|html)))/i;
    const isText = file !== undefined && !isOther.test(file['media-type'] ?? '');
    return isText && !/\bnav\b/.test(file['properties'] ?? '')
      ? [resolve(packagePath, file['href'] ?? '')]
      : [];
  });
}

/** Throws if chapters are encrypted. Encrypted fonts don't matter. @throws NotebookError `encrypted`. */
function refuseLocked(container: Container, chapters: readonly string[], name: string): void {
  const locked = elementsIn(container.part('META-INF/encryption.xml'), 'CipherReference', name);
  if (locked.some(({ attributes }) => chapters.includes(attributes['URI'] ?? '')))
    throw new NotebookError(
      'encrypted',
      t('{0} has copy protection (DRM), which Open Notebook can’t read. Add a copy without DRM.', name),
    );
}

/** Returns the titles of the chapter files from the table of contents. */
function readTitles(
  container: Container,
  book: XmlElement,
  packagePath: string,
  name: string,
): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { attributes } of childElements(childAt(book, 'manifest'), 'item')) {
    const isNavigation = /\bnav\b/.test(attributes['properties'] ?? '');
    if (!isNavigation && attributes['media-type'] !== 'application/x-dtbncx+xml') continue;
    const path = resolve(packagePath, attributes['href'] ?? '');
    const entries = elementsIn(container.part(path), isNavigation ? 'a' : 'navPoint', name);
    for (const entry of isNavigation ? entries : entries.flatMap(withNested)) {
      const target = isNavigation ? entry.attributes['href'] : childAt(entry, 'content')?.attributes['src'];
      const title = textWithin(isNavigation ? entry : childAt(entry, 'navLabel'))
        .replace(/\s+/g, ' ')
        .trim();
      const file = resolve(path, target?.split('#', 1)[0] ?? '');
      if (title !== '' && !titles.has(file)) titles.set(file, title);
    }
  }
  return titles;
}

function withNested(entry: XmlElement): XmlElement[] {
  return [entry, ...[...descendants(entry, 'navPoint')].flatMap(withNested)];
}

function resolve(from: string, href: string): string {
  const url = URL.parse(href, `file:///${from}`);
  if (url === null) return href;
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    // The name contains a percent sign that isn't an escape.
    return url.pathname.slice(1);
  }
}
