import type { SitePageState } from '../../../core/domain/site.ts';
import {
  count,
  integer,
  isAmong,
  maybe,
  or,
  text,
  type RecoverableRows,
} from '../../../index/store/database/column-rules.ts';

const PAGE_STATES: readonly SitePageState[] = [
  ...(['waiting', 'kept', 'unchanged', 'duplicate', 'moved', 'refused'] as const),
  ...(['failed', 'barred', 'left-out', 'too-deep', 'over-limit'] as const),
];

/** Crawled sites in a damaged database. */
export const recoverableSites: RecoverableRows = {
  rules: {
    crawls: { source_id: text, started_at: or(integer, 0), finished_at: maybe(integer) },
    site_pages: {
      source_id: text,
      address: text,
      depth: or(count, 0),
      rank: or(integer, 0),
      state: isAmong(PAGE_STATES),
      was: maybe(text),
      reason: or(text, ''),
      twin: maybe(text),
      canonical: maybe(text),
      etag: maybe(text),
      last_modified: maybe(text),
      hash: maybe(text),
      text_hash: maybe(text),
    },
  },
  restore: () => `
    DELETE FROM crawls WHERE source_id NOT IN (SELECT id FROM sources);
    DELETE FROM site_pages WHERE source_id NOT IN (SELECT id FROM sources);`,
};
