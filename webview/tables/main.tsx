import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import '../shared/markdown.css';
import '../cited/statements.css';
import '../cited/correction.css';
import './tables.css';
import { render } from 'preact';
import type {
  CellView,
  TableHead,
  TableHostApi,
  TablePageApi,
  TableState,
  RowView,
} from '../../src/features/tables/protocol.ts';
import { cellKey } from '../../src/features/tables/model/extraction-table.ts';
import { connectHost } from '../shared/port.ts';
import { renderProblem } from '../shared/problem.tsx';
import { TableApp } from './app.tsx';

const root = document.querySelector('#root') ?? document.body;
let rows: readonly RowView[] = [];
let cells: ReadonlyMap<string, CellView> = new Map();

const { remote, memory } = connectHost<TablePageApi, TableHostApi, TableState>({
  changed(update) {
    rows = update.rows ?? rows;
    if (update.cells.length > 0) {
      const next = new Map(cells);
      for (const cell of update.cells) next.set(cellKey(cell), cell);
      cells = next;
    }
    show(update.head);
  },
});

function show(head: TableHead): void {
  document.title = head.title;
  render(<TableApp table={{ head, rows, cells }} remote={remote} />, root);
}

try {
  memory.keep(await remote.call('ready', {}));
} catch (error) {
  renderProblem(error, root);
}
