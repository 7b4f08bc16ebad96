import {
  firstPlace,
  foldText,
  readingStatements,
  type SearchedRows,
} from '../../../index/store/searched-rows.ts';

/** Notes in the search across notebooks. */
export const searchedNotes: SearchedRows = {
  ...readingStatements('notes', 'notes n', `n.changed_at || ' ' || n.title`, 'n.changed_at, n.title, n.text'),
  hitsOf: ([, , at, title, text], searchWords) => {
    const start = firstPlace(foldText(textIn(text)), searchWords);
    const line = start < 0 ? undefined : textIn(text).slice(0, start).split('\n').length - 1;
    const place = line === undefined ? undefined : `L${String(line + 1)}`;
    return [{ kind: 'note', id: String(title), title: String(title), at: Number(at), line, place }];
  },
  readText: ([, , , , text]) => textIn(text),
};

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
