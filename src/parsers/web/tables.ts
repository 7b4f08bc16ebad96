import { textOfCode } from './code-blocks.ts';
import { PageElement, PageText, closest, walkDescendants, elementsIn } from './page-tree.ts';

/** Maximum number of columns; wider tables are cut on the right. */
const MAX_COLUMNS = 200;

/** Maximum number of rows that a cell extends over, as in browsers. */
const MAX_ROW_SPAN = 65_534;

/** Number of columns of each data table; other tables are only layout. */
export type DataTables = ReadonlyMap<PageElement, number>;

/** Returns the tables that contain another one, in one pass. */
function tablesAround(root: PageElement): ReadonlySet<PageElement> {
  const around = new Set<PageElement>();
  for (const table of elementsIn(root, 'TABLE')) {
    let outer = table.parentNode && closest(table.parentNode, 'TABLE');
    while (outer && !around.has(outer)) {
      around.add(outer);
      outer = outer.parentNode && closest(outer.parentNode, 'TABLE');
    }
  }
  return around;
}

/** Turns the cells of data tables into single lines, as Markdown requires. Changes `root`. */
export function settleTables(root: PageElement): DataTables {
  const around = tablesAround(root);
  const tables = new Map<PageElement, number>();
  for (const table of elementsIn(root, 'TABLE')) {
    if (around.has(table)) continue;
    if (isLayoutTable(table)) continue;
    const rows = elementsIn(table, 'TR').map((row) => row.children.filter(isCell));
    const columns = placeCells(rowsOf(table)).reduce((maximum, cells) => Math.max(maximum, cells.length), 0);
    if (columns < 2) continue;
    for (const caption of elementsIn(table, 'CAPTION')) moveBefore(caption, table);
    for (const cells of rows) for (const cell of cells) flatten(cell);
    tables.set(table, Math.min(MAX_COLUMNS, columns));
  }
  return tables;
}

/**
 * Places the cells of rows in their columns; a column that a cell of an earlier row or of the same row extends into is
 * undefined.
 */
function placeCells(rows: readonly PageElement[]): (PageElement | undefined)[][] {
  /** Number of rows for which a cell above still extends into each column. */
  let extents: number[] = [];
  let group: PageElement | null | undefined;
  return rows.map((row) => {
    // Cells don't extend beyond the head, a body, or the foot of a table.
    if (row.parentNode !== group) extents = [];
    group = row.parentNode;
    const placed: (PageElement | undefined)[] = [];
    const skipExtended = (): void => {
      for (; (extents[placed.length] ?? 0) > 0; placed.push(undefined))
        extents[placed.length] = (extents[placed.length] ?? 0) - 1;
    };
    for (const cell of row.children.filter(isCell)) {
      skipExtended();
      const span = readSpan(cell, 'colspan', MAX_COLUMNS);
      const rest = readSpan(cell, 'rowspan', MAX_ROW_SPAN) - 1;
      for (let i = 0; i < span && placed.length < MAX_COLUMNS; i++) {
        extents[placed.length] = rest;
        placed.push(i === 0 ? cell : undefined);
      }
    }
    skipExtended();
    return placed;
  });
}

function rowsOf(table: PageElement): PageElement[] {
  return elementsIn(table, 'TR').filter((row) => row.children.some(isCell));
}

/** Returns the row of a data table. */
function makeRow(
  placed: readonly (PageElement | undefined)[],
  contents: ReadonlyMap<PageElement, string>,
  columns: number,
): string {
  const cells = Array.from({ length: columns }, (_, i) => {
    const cell = placed[i];
    return cell === undefined ? '' : (contents.get(cell) ?? '');
  });
  return `| ${cells.join(' | ')} |`;
}

/** Returns the lines of a table: a header, which Markdown requires, and its rows. */
export function readTable(
  table: PageElement,
  contents: ReadonlyMap<PageElement, string>,
  columns: number,
): string {
  const rows = rowsOf(table);
  const [first] = rows;
  if (first === undefined) return '';
  const isHead =
    first.parentNode?.nodeName === 'THEAD' ||
    first.children.filter(isCell).every(({ nodeName }) => nodeName === 'TH');
  const lines = placeCells(rows)
    .map((placed) => makeRow(placed, contents, columns))
    .filter((line) => /[^|\s]/.test(line));
  const rule = `|${' --- |'.repeat(columns)}`;
  const head = isHead ? lines.splice(0, 1) : [`|${'  |'.repeat(columns)}`];
  return lines.length + head.length === 0 ? '' : `\n\n${[...head, rule, ...lines].join('\n')}\n\n`;
}

/** Returns a cell's content on one line, with bars escaped. */
export function readCell(content: string): string {
  const lines = content.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .replace(/\|/g, '\\|');
}

function isCell({ nodeName }: PageElement): boolean {
  return nodeName === 'TD' || nodeName === 'TH';
}

function readSpan(cell: PageElement, attribute: 'colspan' | 'rowspan', limit: number): number {
  const span = Number(cell.getAttribute(attribute) ?? 1);
  // A row span of 0 extends to the end of the table's part.
  if (span === 0 && attribute === 'rowspan') return limit;
  return span >= 1 && span <= limit ? Math.floor(span) : 1;
}

/** Share of a table's text that one cell of a layout table holds at least, and minimum length of this text. */
const SHARE_OF_MAIN_CELL = 0.5;
const MIN_MAIN_CELL_LENGTH = 200;

/** Reports whether a table arranges parts of a page, so that its cells are read as blocks. */
export function isLayoutTable(table: PageElement): boolean {
  if (/^(?:presentation|none)$/i.test(table.getAttribute('role') ?? '')) return true;
  const cells = elementsIn(table, 'TR').flatMap((row) => row.children.filter(isCell));
  if (cells.some(isLayout)) return true;
  if (cells.some(({ nodeName }) => nodeName === 'TH')) return false;
  const hasBlocks = cells.filter((cell) => elementsIn(cell, 'P', 'UL', 'OL', 'BLOCKQUOTE').length > 1);
  if (hasBlocks.length === 0) return false;
  const length = table.textContent.trim().length;
  return hasBlocks.some(({ textContent }) => {
    const own = textContent.trim().length;
    return own >= MIN_MAIN_CELL_LENGTH && own > SHARE_OF_MAIN_CELL * length;
  });
}

/** Reports whether a cell is layout: code of several lines, headed text, or many blocks don't fit on one line. */
function isLayout(cell: PageElement): boolean {
  if (elementsIn(cell, 'PRE').some((pre) => textOfCode(pre).trim().includes('\n'))) return true;
  if (cell.nodeName === 'TD' && hasHeadedText(cell)) return true;
  return elementsIn(cell, 'P', 'LI', 'H1', 'H2', 'H3', 'H4').length > 12;
}

/** Reports whether a cell has a heading and text below it. */
function hasHeadedText(cell: PageElement): boolean {
  const headings = elementsIn(cell, 'H1', 'H2', 'H3', 'H4');
  const length = headings.reduce((sum, { textContent }) => sum + textContent.trim().length, 0);
  return (
    length > 0 &&
    elementsIn(cell, 'P', 'UL', 'OL', 'DIV', 'TABLE', 'BR').length > 0 &&
    cell.textContent.trim().length > length
  );
}

function moveBefore(caption: PageElement, table: PageElement): void {
  const paragraph = new PageElement('P');
  for (const node of caption.childNodes) paragraph.append(node);
  const place = new PageElement('DIV');
  table.parentNode?.replaceChild(place, table);
  caption.parentNode?.removeChild(caption);
  place.append(paragraph);
  place.append(table);
}

const BLOCKS = new Set(
  'P DIV UL OL LI DL DT DD H1 H2 H3 H4 H5 H6 BLOCKQUOTE SECTION ARTICLE HEADER FOOTER FIGURE FIGCAPTION DETAILS SUMMARY ADDRESS CENTER'.split(
    ' ',
  ),
);

function flatten(cell: PageElement): void {
  for (const node of [...walkDescendants(cell)]) {
    if (node.nodeType === 3) continue;
    const { parentNode, nodeName } = node;
    if (!parentNode) continue;
    if (nodeName === 'BR' || nodeName === 'HR') parentNode.replaceChild(new PageText(' '), node);
    else if (nodeName === 'PRE') {
      const code = new PageElement('CODE');
      code.append(new PageText(textOfCode(node).trim()));
      parentNode.replaceChild(code, node);
    } else if (BLOCKS.has(nodeName)) unwrap(node, parentNode);
  }
}

/** Replaces a block with its content, with a space on either side. */
function unwrap(block: PageElement, parent: PageElement): void {
  const line = new PageElement('SPAN');
  line.append(new PageText(' '));
  for (const node of block.childNodes) line.append(node);
  line.append(new PageText(' '));
  parent.replaceChild(line, block);
}
