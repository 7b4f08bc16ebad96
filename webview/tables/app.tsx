import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TableHostApi } from '../../src/features/tables/protocol.ts';
import type { Client } from '../../src/core/rpc/rpc.ts';
import { cellKey } from '../../src/features/tables/model/extraction-table.ts';
import { FactCheckLine } from '../shared/fact-check-line.tsx';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { CellDetails, ColumnDetails } from './details.tsx';
import { Grid, type Active } from './grid.tsx';
import {
  arrange,
  countUnchecked,
  estimateChecks,
  filterCells,
  type RowFilter,
  type Sort,
  type Table,
} from './table.ts';
import { Toolbar } from './toolbar.tsx';

interface TableProps {
  readonly table: Table;
  readonly remote: Client<TableHostApi>;
}

/** Shows a table with its toolbar and the details of the active cell. */
export function TableApp({ table, remote }: TableProps): JSX.Element {
  const { head, cells } = table;
  const { columns } = head;
  const [words, setWords] = useState('');
  const [filter, setFilter] = useState<RowFilter>();
  const [sort, setSort] = useState<Sort>();
  // A row is identified by its ID, because its position can change. Without an ID, the headers are active.
  const [activePlace, setActivePlace] = useState<{
    readonly rowId: string | undefined;
    readonly column: number;
  }>();
  const [isEditing, setEditing] = useState(false);
  const arranged = useMemo(() => arrange(table, { words, filter, sort }), [table, words, filter, sort]);
  // Keep the rows in place while a cell is edited.
  const frozen = useRef(arranged);
  if (!isEditing) frozen.current = arranged;
  const rows = frozen.current;
  const isWhole = words.trim() === '' && filter === undefined && sort === undefined;
  const at = rows.findIndex(({ id }) => id === activePlace?.rowId);
  const active: Active = {
    row:
      activePlace !== undefined && activePlace.rowId === undefined
        ? -1
        : Math.min(Math.max(0, at), rows.length - 1),
    column: Math.min(activePlace?.column ?? 1, columns.length),
  };
  const row = rows[active.row];
  const column = columns[active.column - 1];
  const cell = row && column && cells.get(cellKey({ columnId: column.id, rowId: row.id }));

  /** Sends a request. The editor reports failures. */
  const ask = <M extends keyof TableHostApi>(...call: Parameters<typeof remote.call<M>>): void =>
    ignoreFailure(remote.call(...call));
  const sortBy = (by: string): void =>
    setSort(sort?.by !== by ? { by, isDown: false } : sort.isDown ? undefined : { by, isDown: true });
  const onTyped = (text: string | undefined): void => {
    setEditing(false);
    if (text === undefined || column === undefined) return;
    if (row !== undefined) ask('edit', { columnId: column.id, rowId: row.id, text });
    else if (text.trim() !== '') ask('renameColumn', { columnId: column.id, question: text.trim() });
  };
  const onCitation = (columnId: string, rowId: string, citation: number, beside: boolean): void =>
    ask('openCitation', { columnId, rowId, citation, beside });

  return (
    <div class="extraction-table">
      <Toolbar
        table={table}
        shown={rows.length}
        words={words}
        filter={filter}
        onWords={setWords}
        onFilter={setFilter}
        onAdd={(question) => remote.call('addColumn', { question })}
        onAsk={(...standings) => ask('ask', { cells: filterCells(table, ...standings) })}
        onGoOn={() => ask('goOn', {})}
        onCheck={() => ask('checkCells', {})}
        onStop={() => ask('stop', {})}
        onLetBe={() => ask('letBe', {})}
        onSee={() => ask('see', {})}
        onExport={() => ask('export', isWhole ? {} : { rowIds: rows.map(({ id }) => id) })}
        onRename={() => ask('rename', {})}
        onPickModel={() => ask('pickModel', {})}
        onRun={(action) => ask('run', { action })}
      />
      {head.factCheckRequest !== undefined && (
        <FactCheckLine
          request={head.factCheckRequest}
          tokens={estimateChecks(countUnchecked(table))}
          onDecide={(agrees) => ask('decideFactCheck', { agrees })}
        />
      )}
      {rows.length === 0 && table.rows.length === 0 ? (
        <p class="empty">
          {t(
            'The sources of this extraction table are no longer in the notebook. Add sources, then generate another table.',
          )}
        </p>
      ) : (
        <>
          {columns.length === 0 && (
            <p class="empty">{t('Enter a question above to add a column. Each row then gets an answer.')}</p>
          )}
          <Grid
            label={head.title}
            columns={columns}
            rows={rows}
            cells={cells}
            sort={sort}
            active={active}
            isEditing={isEditing}
            onActive={(next) => {
              setEditing(false);
              setActivePlace({ rowId: rows[next.row]?.id, column: next.column });
            }}
            onEdit={setEditing}
            onTyped={onTyped}
            onSort={sortBy}
            onCitation={onCitation}
            onRow={(rowId) => ask('openRow', { rowId })}
            onTakeBack={(columnId, rowId) => {
              if (cells.get(cellKey({ columnId, rowId }))?.edited !== undefined)
                ask('edit', { columnId, rowId, text: undefined });
            }}
          />
        </>
      )}
      {column !== undefined && row !== undefined && (
        <CellDetails
          key={cellKey({ columnId: column.id, rowId: row.id })}
          row={row}
          column={column}
          cell={cell}
          onCitation={(citation, beside) => onCitation(column.id, row.id, citation, beside)}
          onEdit={() => setEditing(true)}
          onAsk={() => ask('ask', { cells: [{ columnId: column.id, rowId: row.id }] })}
          onCheck={
            head.model === undefined
              ? undefined
              : () => ask('checkCell', { columnId: column.id, rowId: row.id })
          }
          remote={remote}
          hasModel={head.model !== undefined}
          onTakeBack={() => ask('edit', { columnId: column.id, rowId: row.id, text: undefined })}
          onSee={() => ask('see', { cell: { columnId: column.id, rowId: row.id } })}
        />
      )}
      {column !== undefined && row === undefined && (
        <ColumnDetails
          column={column}
          onSort={() => sortBy(column.id)}
          onEdit={() => setEditing(true)}
          onAsk={() =>
            ask('ask', { cells: table.rows.map(({ id }) => ({ columnId: column.id, rowId: id })) })
          }
          onRemove={() => ask('removeColumn', { columnId: column.id })}
        />
      )}
    </div>
  );
}
