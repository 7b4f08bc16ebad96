import * as v from 'valibot';

const notebook = v.string();

/** Schema of the state that VS Code stores for a table's tab. Earlier versions named the ID `matrix`. */
export const tableState = v.union([
  v.object({ tableId: v.string(), notebook }),
  v.pipe(
    v.object({ matrix: v.string(), notebook }),
    v.transform(({ matrix, ...state }) => ({ ...state, tableId: matrix })),
  ),
]);
