import { recoverableRows } from '../../../features/recovery.ts';
import { bytes, count, integer, isAmong, json, maybe, or, text, type TableRules } from './column-rules.ts';
import type { Row } from './database.ts';
import {
  LOST_ORIGIN,
  NOTHING_SKIPPED,
  storedBibliography,
  storedByline,
  storedCslItem,
  storedHeadings,
  storedOrigin,
  storedPages,
  storedSkips,
  storedSourceState,
  storedTexts,
} from './stored-json.ts';

/** Tables of a notebook, the user's own content first, with the rules for their columns. */
export const storedTables: TableRules = {
  ...Object.fromEntries(recoverableRows.flatMap(({ rules }) => Object.entries(rules))),
  preferences: { name: text, value: json() },
  usage: {
    day: text,
    provider: text,
    model: text,
    requests: count,
    input: count,
    output: count,
    estimated: count,
    cost: maybe({ fits: (value) => typeof value === 'number' }),
  },
  sources: {
    id: text,
    title: text,
    origin: or(json(storedOrigin), JSON.stringify(LOST_ORIGIN)),
    state: or(json(storedSourceState), '{"kind":"ready"}'),
    added_at: or(integer, 0),
    read_at: maybe(integer),
    skipped: or(json(storedSkips), JSON.stringify(NOTHING_SKIPPED)),
    owner: maybe(text),
    claimed_at: maybe(integer),
    recognition_paused: or(count, 0),
  },
  documents: {
    id: count,
    source_id: text,
    key: text,
    title: or(text, ''),
    uri: or(text, ''),
    media_type: or(text, 'text/plain'),
    format: or(isAmong(['code', 'markdown', 'prose']), 'prose'),
    language_id: maybe(text),
    // The next refresh of a source reads documents without a hash again.
    hash: or(text, ''),
    size: or(integer, -1),
    modified_at: or(integer, 0),
    read_at: or(integer, 0),
    text: bytes,
    map: bytes,
    headings: or(json(storedHeadings), '[]'),
    warnings: or(json(storedTexts), '[]'),
    byline: maybe(json(storedByline)),
    unrecognised: maybe(json(storedPages)),
    split: or(text, ''),
    passages: or(count, 0),
  },
  bibliographies: {
    document_id: count,
    found: maybe(json(storedBibliography)),
    edited: maybe(json(storedBibliography)),
    citekey: text,
  },
  library_entries: {
    document_id: count,
    citekey: text,
    line: or(count, 0),
    item: json(storedCslItem),
    files: or(json(storedTexts), '[]'),
    words: or(text, ''),
  },
  passages: {
    id: count,
    document_id: count,
    start: count,
    end: count,
    headings: json(storedTexts),
    embedded: maybe(text),
  },
  embedding_sets: {
    id: count,
    base_url: text,
    model: text,
    dimension: maybe(count),
    is_complete: or(count, 0),
    owner: maybe(text),
    claimed_at: maybe(integer),
  },
  vectors: { set_id: count, hash: text, vector: maybe(bytes) },
};

/**
 * Returns a row with its invalid values replaced, or the same object if all are valid; undefined if too little is left.
 */
export function repairedRow(table: string, row: Row): Row | undefined {
  const rules = storedTables[table] ?? {};
  let mended = row;
  for (const [column, value] of Object.entries(row)) {
    const rule = rules[column];
    if (rule === undefined || rule.fits(value)) continue;
    if (rule.instead === undefined) return undefined;
    mended = { ...mended, [column]: rule.instead };
  }
  return mended;
}
