import { textOfCode } from './code-blocks.ts';
import { PageElement, PageText, closest, walkDescendants, elementsIn } from './page-tree.ts';

/** Maximum number of columns; wider tables are cut on the right. */
const MAX_COLUMNS = 200;

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
    const rows = elementsIn(table, 'TR').map((row) => row.children.filter(isCell));
    const columns = rows.reduce((most, cells) => Math.max(most, rowWidth(cells)), 0);
    if (columns < 2 || rows.some((cells) => cells.some(isLayout))) continue;
    for (const caption of elementsIn(table, 'CAPTION')) moveBefore(caption, table);
    for (const cells of rows) for (const cell of cells) flatten(cell);
    tables.set(table, Math.min(MAX_COLUMNS, columns));
  }
  return tables;
}

/** Returns the row of a data table. */
function makeRow(row: PageElement, contents: ReadonlyMap<PageElement, string>, columns: number): string {
  const cells: string[] = [];
  for (const cell of row.children.filter(isCell)) {
    cells.push(contents.get(cell) ?? '');
    for (let span = readSpan(cell); span > 1 && cells.length < columns; span--) cells.push('');
  }
  return `| ${cells.slice(0, columns).join(' | ')} |`;
}

/** Returns the lines of a table: a header, which Markdown requires, and its rows. */
export function readTable(
  table: PageElement,
  contents: ReadonlyMap<PageElement, string>,
  columns: number,
): string {
  const rows = elementsIn(table, 'TR').filter((row) => row.children.some(isCell));
  const [first] = rows;
  if (first === undefined) return '';
  const isHead =
    first.parentNode?.nodeName === 'THEAD' ||
    first.children.filter(isCell).every(({ nodeName }) => nodeName === 'TH');
  const lines = rows.map((row) => makeRow(row, contents, columns)).filter((line) => /[^|\s]/.test(line));
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

function rowWidth(cells: readonly PageElement[]): number {
  return cells.reduce((sum, cell) => sum + readSpan(cell), 0);
}

function readSpan(cell: PageElement): number {
  const span = Number(cell.getAttribute('colspan') ?? 1);
  return span >= 1 && span <= MAX_COLUMNS ? Math.floor(span) : 1;
}

/** Reports whether a cell is layout: code of several lines, or much text in several blocks, doesn't fit on one line. */
function isLayout(cell: PageElement): boolean {
  if (elementsIn(cell, 'PRE').some((pre) => textOfCode(pre).trim().includes('\n'))) return true;
  return elementsIn(cell, 'P', 'LI', 'H1', 'H2', 'H3', 'H4').length > 12;
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
