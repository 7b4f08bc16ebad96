import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Packer,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type IRunOptions,
  type ParagraphChild,
  type IParagraphOptions,
} from 'docx';
import type { Element, ElementContent, RootContent } from 'hast';
import type { ExportedFigure, ExportRequest } from './api.ts';
import { footnoteParts, noteTree, plainWords } from './note-tree.ts';
import { wordMath } from './word-math.ts';

const MONOSPACED = 'Consolas';
const SHADE = { type: ShadingType.CLEAR, fill: 'F2F4F7' };
/** Indentation of a list or quote, in twentieths of a point. */
const INDENT = 480;
/** Maximum nesting depth of lists in Word. */
const DEEPEST_LIST = 8;
/** Maximum width of a figure in pixels: the width of the text. */
const WIDEST = 600;

const headings = {
  h1: HeadingLevel.HEADING_1,
  h2: HeadingLevel.HEADING_2,
  h3: HeadingLevel.HEADING_3,
  h4: HeadingLevel.HEADING_4,
  h5: HeadingLevel.HEADING_5,
  h6: HeadingLevel.HEADING_6,
} as const;

type Block = Paragraph | Table;

/** Formatting of a run of text. */
type RunStyle = Pick<
  IRunOptions,
  'bold' | 'font' | 'italics' | 'shading' | 'strike' | 'style' | 'superScript'
>;

/** Position of a block. */
interface Place {
  /** Number of enclosing lists and quotes. */
  readonly depth: number;
  /** List formatting of the next paragraph, if it's a list item. */
  item: Pick<IParagraphOptions, 'bullet' | 'numbering'> | undefined;
}

interface Writing {
  readonly figures: readonly ExportedFigure[];
  /** Paragraphs of each footnote, in order. */
  readonly footnotes: Paragraph[][];
  /** Footnotes of the sources. Marks after the first one refer to them. */
  readonly sourceNotes: ReturnType<typeof footnoteParts>[];
  readonly firstNotes: Map<number, number>;
  /** The note's own footnotes by their anchors. */
  readonly ownNotes: ReadonlyMap<string, Element>;
  /** First number of each numbered list. */
  readonly listStarts: number[];
}

/** Converts a note to a Word file with real footnotes. Its links only lead to web and mail addresses. */
export async function writeWord(request: ExportRequest): Promise<Uint8Array> {
  const { children, citations, figures } = noteTree(request);
  const writing: Writing = {
    figures,
    footnotes: [],
    sourceNotes: citations.map(footnoteParts),
    firstNotes: new Map(),
    ownNotes: ownNotes(children),
    listStarts: [],
  };
  const blocks = makeBlocks(children, { depth: 0, item: undefined }, writing);
  const document = new Document({
    title: plain(request.title),
    creator: 'Open Notebook',
    styles: {
      default: {
        document: { run: { font: 'Calibri', size: 22 }, paragraph: { spacing: { after: 120, line: 276 } } },
      },
    },
    numbering: { config: writing.listStarts.map(numberedList) },
    footnotes: Object.fromEntries(
      writing.footnotes.map((paragraphs, index) => [index + 1, { children: paragraphs }]),
    ),
    sections: [{ children: blocks }],
  });
  return await Packer.toBuffer(document);
}

function numberedList(start: number, index: number) {
  return {
    reference: `list-${String(index)}`,
    levels: Array.from({ length: DEEPEST_LIST + 1 }, (_, level) => ({
      level,
      format: LevelFormat.DECIMAL,
      text: `%${String(level + 1)}.`,
      alignment: AlignmentType.START,
      start,
      style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT / 2 + 60 } } },
    })),
  };
}

/** Returns the footnotes at the end of a tree. */
function ownNotes(children: readonly RootContent[]): Map<string, Element> {
  const notes = new Map<string, Element>();
  for (const child of children) {
    if (child.type !== 'element' || child.properties['dataFootnotes'] === undefined) continue;
    for (const list of child.children) {
      if (list.type !== 'element') continue;
      for (const item of list.children)
        if (item.type === 'element')
          notes.set(
            `#${String(item.properties.id).replace('user-content-user-content-', 'user-content-')}`,
            item,
          );
    }
  }
  return notes;
}

function makeBlocks(children: readonly RootContent[], place: Place, writing: Writing): Block[] {
  const blocks: Block[] = [];
  let loose: ElementContent[] = [];
  const endLoose = (): void => {
    if (
      loose.some((child) => child.type === 'element' || (child.type === 'text' && child.value.trim() !== ''))
    )
      blocks.push(paragraph(makeRuns(loose, {}, writing), place));
    loose = [];
  };
  for (const child of children) {
    if (child.type === 'element' && blockNames.has(child.tagName)) {
      endLoose();
      blocks.push(...makeBlock(child, place, writing));
    } else if (child.type === 'element' || child.type === 'text') loose.push(child);
  }
  endLoose();
  return blocks;
}

const blockNames = new Set([
  'blockquote',
  'figure',
  'hr',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'ul',
  ...Object.keys(headings),
]);

function makeBlock(element: Element, place: Place, writing: Writing): Block[] {
  const { tagName, children, properties } = element;
  switch (tagName) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return [
        paragraph(makeRuns(children, {}, writing), place, { heading: headings[tagName], keepNext: true }),
      ];
    case 'blockquote':
      return makeBlocks(children, { depth: place.depth + 1, item: undefined }, writing);
    case 'ul':
    case 'ol':
      return makeList(element, place, writing);
    case 'pre':
      return [code(plainWords(element), place)];
    case 'table':
      return [makeTable(element, writing), new Paragraph({})];
    case 'hr':
      return [new Paragraph({ thematicBreak: true })];
    case 'figure':
      return makeFigure(writing.figures[Number(properties['index'])]);
    case 'section':
      return properties['dataFootnotes'] === undefined ? makeBlocks(children, place, writing) : [];
    default:
      return [paragraph(makeRuns(children, {}, writing), place)];
  }
}

function paragraph(runs: ParagraphChild[], place: Place, options: IParagraphOptions = {}): Paragraph {
  const { depth, item } = place;
  place.item = undefined;
  const indent = item === undefined && depth > 0 ? { indent: { left: INDENT * depth } } : {};
  return new Paragraph({ ...indent, ...item, ...options, children: runs });
}

function makeList({ tagName, children, properties }: Element, { depth }: Place, writing: Writing): Block[] {
  const level = Math.min(depth, DEEPEST_LIST);
  const start = Number(properties.start ?? 1);
  const reference = `list-${String(writing.listStarts.length)}`;
  if (tagName === 'ol') writing.listStarts.push(Number.isSafeInteger(start) && start >= 0 ? start : 1);
  return children.flatMap((child) => {
    if (child.type !== 'element') return [];
    const item = tagName === 'ol' ? { numbering: { reference, level } } : { bullet: { level } };
    return makeBlocks(child.children, { depth: depth + 1, item }, writing);
  });
}

function code(words: string, place: Place): Paragraph {
  const lines = words.replace(/\n$/, '').split('\n');
  const runs = lines.map(
    (line, index) =>
      new TextRun({ text: plain(line), font: MONOSPACED, size: 20, ...(index > 0 && { break: 1 }) }),
  );
  return paragraph(runs, place, { shading: SHADE });
}

function makeTable(table: Element, writing: Writing): Table {
  const rows = elementsNamed(table, 'tr').map((row) => {
    const cells = row.children.filter((child) => child.type === 'element');
    const isHeader = cells.every(({ tagName }) => tagName === 'th');
    return new TableRow({
      tableHeader: isHeader,
      children: cells.map(
        ({ children }) =>
          new TableCell({
            margins: { top: 40, bottom: 40, left: 80, right: 80 },
            ...(isHeader && { shading: SHADE }),
            children: [
              new Paragraph({ children: makeRuns(children, isHeader ? { bold: true } : {}, writing) }),
            ],
          }),
      ),
    });
  });
  return new Table({ rows, width: { size: 100, type: WidthType.PERCENTAGE } });
}

function elementsNamed(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    return child.tagName === name ? [child] : elementsNamed(child, name);
  });
}

function makeFigure(figure: ExportedFigure | undefined): Block[] {
  if (figure === undefined) return [];
  const { bytes, mediaType, width, height } = figure;
  const scale = Math.min(1, WIDEST / width);
  const caption = plain(figure.caption);
  const image = new ImageRun({
    type: mediaType === 'image/png' ? 'png' : 'jpg',
    data: bytes,
    transformation: { width: Math.round(width * scale), height: Math.round(height * scale) },
    altText: { name: caption, description: caption },
  });
  return [
    new Paragraph({ alignment: AlignmentType.CENTER, keepNext: true, children: [image] }),
    new Paragraph({ alignment: AlignmentType.CENTER, children: [textRun(caption, { italics: true })] }),
  ];
}

function makeRuns(children: readonly ElementContent[], look: RunStyle, writing: Writing): ParagraphChild[] {
  return children.flatMap((child, index): ParagraphChild[] => {
    if (child.type === 'text') return [textRun(child.value.replaceAll('\n', ' '), look)];
    if (child.type !== 'element') return [];
    const runs = makeInline(child, look, writing);
    const before = children[index - 1];
    // Without a comma, two adjacent numbers would read as one.
    return isMark(child) && before !== undefined && isMark(before)
      ? [textRun(',', { ...look, superScript: true }), ...runs]
      : runs;
  });
}

function isMark(content: ElementContent): boolean {
  return content.type === 'element' && content.tagName === 'cite';
}

function makeInline(element: Element, look: RunStyle, writing: Writing): ParagraphChild[] {
  const { tagName, children, properties } = element;
  switch (tagName) {
    case 'strong':
      return makeRuns(children, { ...look, bold: true }, writing);
    case 'em':
      return makeRuns(children, { ...look, italics: true }, writing);
    case 'del':
      return makeRuns(children, { ...look, strike: true }, writing);
    case 'code':
      return makeRuns(children, { ...look, font: MONOSPACED, shading: SHADE }, writing);
    case 'br':
      return [new TextRun({ break: 1 })];
    case 'input':
      return [textRun(properties.checked === true ? '☑' : '☐', look)];
    case 'cite':
      return [sourceMark(Number(properties['number']), writing)];
    case 'formula': {
      const tex = String(properties['tex'] ?? '');
      const math = wordMath(tex, properties['isDisplayed'] === true);
      return [math ?? textRun(plainWords(element), { ...look, font: MONOSPACED })];
    }
    case 'a': {
      const href = properties.href ?? '';
      const note = properties['dataFootnoteRef'] === undefined ? undefined : writing.ownNotes.get(href);
      if (note !== undefined) return [ownMark(note, writing)];
      if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return makeRuns(children, look, writing);
      return [link(makeRuns(children, { ...look, style: 'Hyperlink' }, writing), href)];
    }
    default:
      return makeRuns(children, look, writing);
  }
}

function link(children: ParagraphChild[], address: string): ExternalHyperlink {
  return new ExternalHyperlink({ children, link: plain(address) });
}

/** Creates the mark of a source: a new footnote for each mention, as Word numbers them. Later footnotes are short. */
function sourceMark(number: number, writing: Writing): FootnoteReferenceRun {
  const { where = '', address, quote = '' } = writing.sourceNotes[number - 1] ?? {};
  const first = writing.firstNotes.get(number);
  const runs: ParagraphChild[] = [textRun(` ${where}`, {})];
  if (first === undefined) {
    writing.firstNotes.set(number, writing.footnotes.length + 1);
    if (address !== undefined)
      runs.push(textRun(', ', {}), link([textRun(address, { style: 'Hyperlink' })], address));
    runs.push(textRun(`: “${quote}”`, {}));
  }
  return footnote([new Paragraph({ children: runs })], writing);
}

function ownMark(note: Element, writing: Writing): FootnoteReferenceRun {
  const children = note.children.flatMap((child) =>
    child.type === 'element' && child.tagName === 'p' ? child.children : [child],
  );
  const words = children.filter(
    (child) => child.type !== 'element' || child.properties['dataFootnoteBackref'] === undefined,
  );
  // Word doesn't support marks within footnotes, so they become text.
  return footnote(
    [new Paragraph({ children: [textRun(` ${words.map(plainWords).join('').trim()}`, {})] })],
    writing,
  );
}

function footnote(paragraphs: Paragraph[], { footnotes }: Writing): FootnoteReferenceRun {
  footnotes.push(paragraphs);
  return new FootnoteReferenceRun(footnotes.length);
}

function textRun(text: string, look: RunStyle): TextRun {
  return new TextRun({ text: plain(text), ...look });
}

/** Removes characters that aren't valid in XML. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r -\u{10FFFF}]|[\uFFFE\uFFFF]/gu, '');
}
