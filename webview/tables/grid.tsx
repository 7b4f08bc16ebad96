import { t } from '@vscode/l10n';
import { Component, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CellView } from '../../src/features/tables/protocol.ts';
import { cellKey, type ExtractionColumn } from '../../src/features/tables/model/extraction-table.ts';
import {
  cellStatus,
  isUnchecked,
  TITLES,
  type ShownRow,
  type Sort,
  type CellStatus,
  gridPieces,
} from './table.ts';

/** Sizes of the grid in CSS pixels, as in tables.css, and the margin that is drawn around the visible range. */
const ROW = 88;
const HEAD = 56;
const WIDE = { title: 200, column: 264 };
const NARROW = 560;
/** Width of the titles in a narrow view, next to one column, and the limits of that column for readability. */
const NARROW_TITLE = 96;
const NARROWEST_COLUMN = 128;
const WIDEST_COLUMN = 184;
const ROWS_AROUND = 2;
const COLUMNS_AROUND = 1;
/** Maximum number of citations of a cell in the grid. */
const MAX_CHIPS = 3;
/** Delay after a jump before the cells around the visible ones are drawn, in milliseconds. */
const SETTLED = 100;

/** Keyboard position: a row, or -1 for the headers, and a column, 0 for the titles. */
export interface Active {
  readonly row: number;
  readonly column: number;
}

interface GridProps {
  readonly label: string;
  readonly columns: readonly ExtractionColumn[];
  readonly rows: readonly ShownRow[];
  readonly cells: ReadonlyMap<string, CellView>;
  readonly sort: Sort | undefined;
  readonly active: Active;
  readonly isEditing: boolean;
  readonly onActive: (active: Active) => void;
  readonly onEdit: (isEditing: boolean) => void;
  /** Called with the text typed into the active cell or question; undefined if the edit was canceled. */
  readonly onTyped: (text: string | undefined) => void;
  readonly onSort: (by: string) => void;
  readonly onCitation: (columnId: string, rowId: string, citation: number, beside: boolean) => void;
  readonly onRow: (rowId: string) => void;
  readonly onTakeBack: (columnId: string, rowId: string) => void;
}

interface Widths {
  readonly title: number;
  readonly column: number;
}

function widthsIn(width: number): Widths {
  if (width >= NARROW) return WIDE;
  const column = Math.max(NARROWEST_COLUMN, Math.min(WIDEST_COLUMN, width - NARROW_TITLE));
  return { title: NARROW_TITLE, column };
}

interface Window extends Widths {
  readonly top: number;
  readonly bottom: number;
  /** Maximum number of drawn rows, whose elements are reused for other rows. */
  readonly slots: number;
  readonly left: number;
  readonly right: number;
}

/** Returns the visible range of the grid; if `around` is 1, also the range around it. */
function windowIn({ scrollTop, scrollLeft, clientHeight, clientWidth }: HTMLElement, around: 0 | 1): Window {
  const { title, column } = widthsIn(clientWidth);
  const first = Math.floor(scrollTop / ROW);
  const inSight = Math.ceil(clientHeight / ROW) + 1;
  return {
    top: Math.max(0, first - around * ROWS_AROUND),
    bottom: first + inSight + around * ROWS_AROUND,
    slots: inSight + 2 * ROWS_AROUND,
    left: Math.max(0, Math.floor(scrollLeft / column) - around * COLUMNS_AROUND),
    right: Math.ceil((scrollLeft + clientWidth - title) / column) + around * COLUMNS_AROUND,
    title,
    column,
  };
}

/** Shows a grid by the ARIA pattern. Renders only the visible part. */
export function Grid(props: GridProps): JSX.Element {
  const { label, columns, rows, cells, sort, active, isEditing, onActive } = props;
  const area = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<Window>({ top: 0, bottom: 16, slots: 16, left: 0, right: 6, ...WIDE });
  const { title, column: width } = view;

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    let shown: Window | undefined;
    let settling: ReturnType<typeof setTimeout> | undefined;
    const measure = (): void => {
      clearTimeout(settling);
      const inSight = windowIn(element, 0);
      // If every row has to be redrawn, draw only the visible ones in this frame.
      const isJump = shown !== undefined && (inSight.top >= shown.bottom || inSight.bottom <= shown.top);
      if (isJump) settling = setTimeout(measure, SETTLED);
      const next = isJump ? inSight : windowIn(element, 1);
      // If the view gets lower, each row keeps its element.
      const nextView = { ...next, slots: Math.max(shown?.slots ?? 0, next.slots) };
      if (shown !== undefined && areSame(Object.values(shown), Object.values(nextView))) return;
      shown = nextView;
      setView(nextView);
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      clearTimeout(settling);
      element.removeEventListener('scroll', measure);
      resized.disconnect();
    };
  }, []);

  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = element;
    const y = active.row * ROW;
    if (active.row >= 0 && y < scrollTop) element.scrollTop = y;
    else if (active.row >= 0 && y + ROW + HEAD > scrollTop + clientHeight)
      element.scrollTop = y + ROW + HEAD - clientHeight;
    const x = (active.column - 1) * width;
    if (active.column > 0 && x < scrollLeft) element.scrollLeft = x;
    else if (active.column > 0 && x + width + title > scrollLeft + clientWidth)
      element.scrollLeft = x + width + title - clientWidth;
  }, [active.row, active.column, width, title]);

  const focusGrid = (): void => area.current?.focus({ preventScroll: true });
  const typed = (text: string | undefined): void => {
    props.onTyped(text);
    focusGrid();
  };
  const findPlace = (target: EventTarget | null): Active | undefined => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
    if (cell === null) return undefined;
    return { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
  };
  const onClick = (event: MouseEvent): void => {
    const place = findPlace(event.target);
    const { target } = event;
    if (place === undefined || !(target instanceof Element) || target.closest('textarea') !== null) return;
    const moved = place.row !== active.row || place.column !== active.column;
    if (moved) onActive(place);
    const chip = target.closest<HTMLElement>('[data-citation]');
    const row = rows[place.row];
    const column = columns[place.column - 1];
    if (chip !== null && row !== undefined && column !== undefined)
      props.onCitation(column.id, row.id, Number(chip.dataset['citation']), event.ctrlKey || event.metaKey);
    else if (target.closest('.open') !== null && row !== undefined) props.onRow(row.id);
    else if (place.row < 0) props.onSort(column?.id ?? TITLES);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== area.current || event.altKey) return;
    const isFar = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(((area.current?.clientHeight ?? ROW) - HEAD) / ROW) - 1);
    const go = (row: number, column: number): void => {
      onActive({
        row: Math.max(-1, Math.min(rows.length - 1, row)),
        column: Math.max(0, Math.min(columns.length, column)),
      });
    };
    const row = rows[active.row];
    const column = columns[active.column - 1];
    switch (event.key) {
      case 'ArrowDown':
        go(isFar ? rows.length : active.row + 1, active.column);
        break;
      case 'ArrowUp':
        go(isFar ? -1 : active.row - 1, active.column);
        break;
      case 'ArrowRight':
        go(active.row, isFar ? columns.length : active.column + 1);
        break;
      case 'ArrowLeft':
        go(active.row, isFar ? 0 : active.column - 1);
        break;
      case 'Home':
        go(isFar ? -1 : active.row, 0);
        break;
      case 'End':
        go(isFar ? rows.length : active.row, columns.length);
        break;
      case 'PageDown':
        go(active.row + page, active.column);
        break;
      case 'PageUp':
        go(active.row - page, active.column);
        break;
      case 'Enter':
      case 'F2':
        if (column !== undefined) props.onEdit(true);
        else if (row !== undefined && event.key === 'Enter') props.onRow(row.id);
        else if (row === undefined) props.onSort(TITLES);
        break;
      case ' ':
        if (active.row < 0) props.onSort(column?.id ?? TITLES);
        break;
      case 'Delete':
        if (row !== undefined && column !== undefined) props.onTakeBack(column.id, row.id);
        break;
      default:
        if (isFar || !/^[1-9]$/.test(event.key) || row === undefined || column === undefined) return;
        props.onCitation(column.id, row.id, Number(event.key) - 1, false);
    }
    event.preventDefault();
  };

  const from = view.left;
  const to = Math.min(columns.length, view.right);
  // Always draw the active column, even if it is scrolled out of view.
  const drawnColumns = [...columns.keys()].filter(
    (index) => (index >= from && index < to) || index === active.column - 1,
  );
  const drawnRows = rows.flatMap((row, index) =>
    (index >= view.top && index < view.bottom) || index === active.row ? [{ row, index }] : [],
  );
  /** Returns the key of a row's element. An edited row keeps its element, so that typed text isn't lost. */
  const rowSlot = (index: number): string => {
    if (index === active.row && isEditing) return 'edited';
    return index >= view.top && index < view.bottom ? String(index % view.slots) : 'active';
  };
  const sortDirection = (by: string): 'ascending' | 'descending' | 'none' =>
    sort?.by !== by ? 'none' : sort.isDown ? 'descending' : 'ascending';
  const headClass = (column: number): string =>
    active.row < 0 && active.column === column ? 'cell active' : 'cell';

  return (
    <div
      ref={area}
      class="grid"
      style={{ '--title-width': `${String(title)}px`, '--column-width': `${String(width)}px` }}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={`cell-${String(active.row)}-${String(active.column)}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDblClick={(event) => {
        const place = findPlace(event.target);
        const isCell = place !== undefined && place.row >= 0 && place.column > 0;
        if (isCell && !(event.target as Element).closest('button')) props.onEdit(true);
      }}
    >
      <div
        class="ground"
        role="presentation"
        style={{
          width: `${String(title + columns.length * width)}px`,
          height: `${String(HEAD + rows.length * ROW)}px`,
        }}
      >
        <div class="head" role="row" aria-rowindex={1}>
          <div
            class={`${headClass(0)} title`}
            role="columnheader"
            id="cell--1-0"
            aria-colindex={1}
            aria-sort={sortDirection(TITLES)}
            data-row={-1}
            data-column={0}
            title={t('Select to sort')}
          >
            <span class="words">{t('Source')}</span>
            <SortMark sort={sortDirection(TITLES)} />
          </div>
          {drawnColumns.map((index) => {
            const column = columns[index];
            if (column === undefined) return null;
            const isOpen = isEditing && active.row < 0 && active.column === index + 1;
            return (
              <div
                key={column.id}
                class={headClass(index + 1)}
                role="columnheader"
                id={`cell--1-${String(index + 1)}`}
                aria-colindex={index + 2}
                aria-sort={sortDirection(column.id)}
                data-row={-1}
                data-column={index + 1}
                style={{ left: `${String(title + index * width)}px` }}
                title={[column.question, t('Select to sort')].join('\n')}
              >
                <span class="words">{column.question}</span>
                <SortMark sort={sortDirection(column.id)} />
                {isOpen && <Field label={t('Question')} text={column.question} onTyped={typed} />}
              </div>
            );
          })}
        </div>
        {drawnRows.map(({ row, index }) => (
          <GridRow
            key={rowSlot(index)}
            row={row}
            index={index}
            columns={columns}
            drawn={drawnColumns}
            cells={drawnColumns.map((at) =>
              cells.get(cellKey({ columnId: columns[at]?.id ?? '', rowId: row.id })),
            )}
            activeColumn={index === active.row ? active.column : -1}
            isEditing={isEditing && index === active.row}
            title={title}
            width={width}
            onTyped={typed}
          />
        ))}
      </div>
    </div>
  );
}

function SortMark({ sort }: { readonly sort: 'ascending' | 'descending' | 'none' }): JSX.Element {
  const icon = { none: 'arrow-swap', ascending: 'arrow-up', descending: 'arrow-down' }[sort];
  return <span class={`sort ${sort} codicon codicon-${icon}`} aria-hidden="true" />;
}

interface RowProps {
  readonly row: ShownRow;
  readonly index: number;
  readonly columns: readonly ExtractionColumn[];
  readonly drawn: readonly number[];
  /** Cells of the drawn columns. */
  readonly cells: readonly (CellView | undefined)[];
  readonly activeColumn: number;
  readonly isEditing: boolean;
  readonly title: number;
  readonly width: number;
  readonly onTyped: (text: string | undefined) => void;
}

/** Row of the grid. Renders again only if its content changed. */
class GridRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const looks = ({ row, index, columns, activeColumn, isEditing, title, width }: RowProps): unknown[] => [
      ...[row.title, row.version, row.isGone],
      ...[index, columns, activeColumn, isEditing, title, width],
    ];
    return (
      !areSame(looks(this.props), looks(next)) ||
      !areSame(this.props.drawn, next.drawn) ||
      !areSame(this.props.cells, next.cells)
    );
  }

  override render(): JSX.Element {
    const { row, index, columns, drawn, cells, activeColumn, isEditing, title, width, onTyped } = this.props;
    const cellId = (column: number): string => `cell-${String(index)}-${String(column)}`;
    return (
      <div
        class={row.isGone ? 'row gone' : 'row'}
        role="row"
        aria-rowindex={index + 2}
        style={{ transform: `translateY(${String(index * ROW)}px)` }}
      >
        <div
          class={activeColumn === 0 ? 'cell title active' : 'cell title'}
          role="rowheader"
          id={cellId(0)}
          aria-colindex={1}
          data-row={index}
          data-column={0}
          title={row.title}
        >
          <button type="button" class="link open words" tabIndex={-1} disabled={row.isGone}>
            {row.title}
          </button>
          {row.isGone && <span class="note">{t('no longer in the notebook')}</span>}
        </div>
        {drawn.map((at, i) => {
          const column = columns[at];
          if (column === undefined) return null;
          const cell = cells[i];
          const standing = cellStatus(cell, row, column);
          const isActive = activeColumn === at + 1;
          return (
            <div
              key={column.id}
              class={`cell ${standing}${isActive ? ' active' : ''}`}
              role="gridcell"
              id={cellId(at + 1)}
              aria-colindex={at + 2}
              aria-selected={isActive}
              data-row={index}
              data-column={at + 1}
              style={{ left: `${String(title + at * width)}px` }}
            >
              <CellWords cell={cell} standing={standing} />
              {isActive && isEditing && (
                <Field
                  label={t('Cell text')}
                  text={
                    cell?.edited ??
                    (cell?.pieces ?? [])
                      .map(({ text }) => text)
                      .join('')
                      .trim()
                  }
                  onTyped={onTyped}
                />
              )}
            </div>
          );
        })}
      </div>
    );
  }
}

/** Shows the text of a cell, and its state. */
function CellWords({
  cell,
  standing,
}: {
  readonly cell: CellView | undefined;
  readonly standing: CellStatus;
}): JSX.Element {
  const edited = cell?.edited;
  return (
    <>
      <StatusIcon standing={standing} was={cell?.was} />
      <span class={cell?.isNothing === true && edited === undefined ? 'words nothing' : 'words'} dir="auto">
        {edited ??
          cell?.pieces.flatMap(gridPieces).map(({ text, mark }, index) =>
            mark === undefined ? (
              text
            ) : (
              <span
                key={index}
                class={`doubt ${mark}`}
                title={mark === 'unknown' ? t('Not in the cited text') : undefined}
              >
                {text}
              </span>
            ),
          )}
        {standing === 'failed' && edited === undefined && cell?.pieces.length === 0 && (
          <span class="failure">{cell.failure?.message}</span>
        )}
      </span>
      {cell !== undefined && edited !== '' && cell.citations.length > 0 && (
        <span class="chips">
          {cell.citations.slice(0, MAX_CHIPS).map(({ place, quote, title }, index) => (
            <button
              key={index}
              type="button"
              class={isUnchecked(cell) ? 'chip unchecked' : 'chip'}
              tabIndex={-1}
              data-citation={index}
              title={[
                [title, place].filter(Boolean).join(', '),
                t('“{0}”', quote.slice(0, 200)),
                ...(edited === undefined ? [] : [t('Cited by the answer that you edited')]),
                ...(isUnchecked(cell) ? [t('Not fact-checked')] : []),
              ].join('\n')}
            >
              {place === '' ? String(index + 1) : place}
            </button>
          ))}
          {cell.citations.length > MAX_CHIPS && (
            <span class="more">+{cell.citations.length - MAX_CHIPS}</span>
          )}
        </span>
      )}
    </>
  );
}

/** Shows the icon of a cell's state, with its name. */
function StatusIcon({
  standing,
  was,
}: {
  readonly standing: CellStatus;
  readonly was: string | undefined;
}): JSX.Element | null {
  if (standing === 'answered' || standing === 'empty') return null;
  const [icon, label] = {
    asking: ['sync', t('Answering')],
    waiting: ['clock', t('Pending')],
    edited: ['edit', t('Edited by you')],
    failed: ['error', t('Failed')],
    changed: ['history', t('Out of date')],
    reworded: ['diff-modified', was === undefined ? '' : t('New answer. Previous answer: “{0}”', was)],
  }[standing];
  return (
    <span
      class={`mark codicon codicon-${icon ?? ''}`}
      role="img"
      aria-label={label ?? ''}
      title={label ?? ''}
    />
  );
}

/** Edits a text in place: Enter saves it. Escape or an empty text cancels. */
function Field({
  label,
  text,
  onTyped,
}: {
  readonly label: string;
  readonly text: string;
  readonly onTyped: (text: string | undefined) => void;
}): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (keeps: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    const typed = field.current?.value ?? '';
    onTyped(keeps && typed !== text ? typed : undefined);
  };
  return (
    <textarea
      ref={field}
      class="field"
      aria-label={label}
      defaultValue={text}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') end(false);
        else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
          event.preventDefault();
          end(true);
        }
      }}
      onBlur={() => end(true)}
    />
  );
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
