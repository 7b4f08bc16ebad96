import type { CellView, TableHead, TablePageApi } from '../../src/features/tables/protocol.ts';
import type { Params } from '../../src/core/rpc/rpc.ts';
import type { HostScript } from './page-host.ts';

/** Everything that an extraction table's page shows. */
export type TableView = Params<TablePageApi['changed']>;

/** Answers a table's page as the extension does; the table itself comes by `changed`. */
export const tableHost: HostScript<'tables'> = {
  ready: () => ({ tableId: 'm', notebook: '' }),
  openCitation: () => undefined,
  openRow: () => undefined,
  addColumn: () => true,
  renameColumn: () => undefined,
  removeColumn: () => undefined,
  edit: () => undefined,
  ask: () => undefined,
  goOn: () => undefined,
  stop: () => undefined,
  letBe: () => undefined,
  checkCell: () => undefined,
  checkCells: () => undefined,
  correctStatement: () => ({ before: '', after: '', verdict: undefined, deciding: undefined }),
  applyCorrection: () => undefined,
  undoCorrection: () => undefined,
  see: () => undefined,
  export: () => undefined,
  rename: () => undefined,
  pickModel: () => undefined,
  run: () => undefined,
};

export function tableHead(head: Partial<TableHead>): TableHead {
  return {
    ...{ title: 'Extraction Table', columns: [], omitted: 0, model: undefined, usage: undefined },
    ...{ isFilling: false, stopped: undefined },
    ...head,
  };
}

/** Returns a cell that was answered with one cited statement. */
export function answeredCell(
  place: Pick<CellView, 'columnId' | 'rowId'>,
  question: string,
  text: string,
): CellView {
  return {
    ...{ ...place, rowTitle: `${place.rowId}.md`, question, version: '1', edited: undefined },
    ...{ was: undefined, failure: undefined, state: 'resting', isNothing: false },
    pieces: [{ text, verdict: 'supported', citations: [0] }],
    written: { text, statements: [{ start: 0, end: text.length, verdict: 'supported', citations: [0] }] },
    citations: [{ place: 'p. 1', quote: text, title: `${place.rowId}.md` }],
  };
}
