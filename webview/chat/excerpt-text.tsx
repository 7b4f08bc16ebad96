import type { Element, ElementContent, Root } from 'hast';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import type { Span } from '../../src/core/language/span.ts';
import type { TextFormat } from '../../src/core/language/units.ts';
import { splitExcerpt, type Excerpt, type ExcerptTable } from '../../src/core/domain/excerpt.ts';
import { CodeBlock, CodeFolds } from '../cited/code-block.tsx';
import { annotate, type Annotation } from '../shared/annotate.ts';
import { codeToHast, colorCodeBlocks } from '../shared/code-colors.ts';
import { renderTree } from '../shared/render.tsx';

interface ExcerptTextProps extends Excerpt {
  readonly languageId: string | undefined;
}

const components = { pre: CodeBlock, table: TableView, 'more-rows': MoreRows };

/** Shows a formatted excerpt. Of a long one, shows the matching sentences and rows, and the rest on request. */
export function ExcerptText({ text, format, languageId, marks, best }: ExcerptTextProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const folded = useMemo(() => splitExcerpt({ text, format, marks, best }), [text, format, marks, best]);
  const body = useMemo(() => {
    if (format === 'code')
      return renderTree(annotate(codeToHast(text, languageId), text, toAnnotations(marks, 0)), components);
    const parts = isOpen ? splitExcerpt({ text, format, marks }, true) : folded;
    return parts.map((part) => {
      if (part.kind === 'table') return renderTable(text, part, marks);
      if (part.kind === 'text') return renderPart(text, format, part, marks);
      return (
        <p key={part.start} class="folded-text">
          <button type="button" class="link" aria-expanded={false} onClick={() => setIsOpen(true)}>
            {t('… Show more')}
          </button>
        </p>
      );
    });
  }, [folded, isOpen, text, format, languageId, marks]);
  const isFolded = folded.some(({ kind }) => kind === 'folded');
  return (
    <CodeFolds.Provider value={true}>
      {format === 'code' ? (
        body
      ) : (
        <blockquote class={format === 'prose' ? 'prose' : undefined} dir="auto">
          {body}
        </blockquote>
      )}
      {isFolded && isOpen && (
        <button type="button" class="link" aria-expanded={true} onClick={() => setIsOpen(false)}>
          {t('Show less')}
        </button>
      )}
    </CodeFolds.Provider>
  );
}

function renderPart(text: string, format: TextFormat, part: Span, marks: readonly Span[]): JSX.Element {
  const words = text.slice(part.start, part.end);
  const within = marksWithin(marks, part);
  if (format === 'markdown') {
    const tree = annotate(colorCodeBlocks(markdownToHast(words)), words, toAnnotations(within, part.start));
    return <div key={part.start}>{renderTree(tree, components)}</div>;
  }
  return (
    <div key={part.start}>
      {within.map(({ start, end }, i) => (
        <>
          {text.slice(within[i - 1]?.end ?? part.start, start)}
          <mark key={start}>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(within.at(-1)?.end ?? part.start, part.end)}
    </div>
  );
}

/** Renders a table of an excerpt with aligned numbers. Folds rows that don't match. */
function renderTable(text: string, table: ExcerptTable, marks: readonly Span[]): JSX.Element {
  const columns = Math.max(1, table.isNumeric.length);
  const line = (cell: string): string => `|${` ${cell} |`.repeat(columns)}\n`;
  // Markdown requires a header for every table.
  const above = table.header === undefined ? line('') + line('-') : '';
  const source = above + text.slice(table.start, table.end);
  const annotations = toAnnotations(marksWithin(marks, table), table.start - above.length);
  const tree = annotate(markdownToHast(source), source, annotations);
  return (
    <div key={table.start}>
      {renderTree({ ...tree, children: tree.children.map((child) => foldRows(child, table)) }, components)}
    </div>
  );
}

/** Wraps runs of folded rows of a table in elements of their own, and adds classes to its columns of numbers. */
function foldRows(node: Root['children'][number], table: ExcerptTable): Root['children'][number] {
  if (node.type !== 'element' || node.tagName !== 'table') return node;
  const groups: Element[] = [];
  for (const part of node.children) {
    if (part.type !== 'element') continue;
    const rows = part.children.filter((row) => row.type === 'element').map((row) => alignNumbers(row, table));
    if (part.tagName === 'thead') {
      if (rows.some((row) => textOf(row).trim() !== '')) groups.push({ ...part, children: rows });
      continue;
    }
    for (const [index, row] of rows.entries()) {
      const tagName = table.rows[index]?.isShown === false ? 'more-rows' : 'tbody';
      const last = groups.at(-1);
      if (last?.tagName === tagName) last.children.push(row);
      else groups.push({ type: 'element', tagName, properties: {}, children: [row] });
    }
  }
  for (const group of groups)
    if (group.tagName === 'more-rows')
      group.properties = { count: group.children.length, columns: table.isNumeric.length };
  return { ...node, children: groups };
}

function alignNumbers(row: Element, { isNumeric }: ExcerptTable): Element {
  const cells = row.children.filter((cell) => cell.type === 'element');
  return {
    ...row,
    children: cells.map((cell, column) =>
      isNumeric[column] === true
        ? { ...cell, properties: { ...cell.properties, className: ['number'] } }
        : cell,
    ),
  };
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function marksWithin(marks: readonly Span[], part: Span): Span[] {
  return marks
    .filter(({ start, end }) => start < part.end && part.start < end)
    .map(({ start, end }) => ({ start: Math.max(start, part.start), end: Math.min(end, part.end) }));
}

/** Converts the marks of a source that begins at an offset of the excerpt. */
function toAnnotations(marks: readonly Span[], offset: number): Annotation[] {
  return marks.map(({ start, end }) => ({
    start: start - offset,
    end: end - offset,
    wrap: { tagName: 'mark', properties: {} },
    after: undefined,
  }));
}

function TableView({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  return (
    // Make a table that is wider than the panel scrollable with the keyboard.
    <div class="table-scroll" role="region" aria-label={t('Table')} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

interface MoreRowsProps {
  readonly count: number;
  readonly columns: number;
  readonly children?: ComponentChildren;
}

/** Shows a button for folded rows of a table. */
function MoreRows({ count, columns, children }: MoreRowsProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <tbody>{children}</tbody>;
  return (
    <tbody>
      <tr>
        <td colSpan={columns} class="more-rows">
          <button
            type="button"
            class="link"
            aria-expanded={false}
            onClick={(event) => {
              event.currentTarget.closest<HTMLElement>('.table-scroll')?.focus();
              setIsOpen(true);
            }}
          >
            {count === 1 ? t('1 more row') : t('{0} more rows', count.toLocaleString())}
          </button>
        </td>
      </tr>
    </tbody>
  );
}
