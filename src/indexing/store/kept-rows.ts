import type { SQLInputValue } from 'node:sqlite';
import type { SitePageState } from '../../notebook/site.ts';
import type { Row } from './database.ts';

/** What may stand in a column, and what takes its place where something else does; without that the row goes. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly instead?: SQLInputValue;
}

type Rules = Readonly<Record<string, Rule>>;

const text: Rule = { fits: (value) => typeof value === 'string' };
const integer: Rule = { fits: (value) => Number.isSafeInteger(value) };
const count: Rule = { fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0 };
const bytes: Rule = { fits: (value) => value instanceof Uint8Array };

function or(rule: Rule, instead: SQLInputValue): Rule {
  return { ...rule, instead };
}

function maybe(rule: Rule): Rule {
  return { fits: (value) => value === null || rule.fits(value), instead: null };
}

function oneOf(words: readonly string[]): Rule {
  return { fits: (value) => words.some((word) => word === value) };
}

function json(fits: (value: unknown) => boolean): Rule {
  return {
    fits: (value) => {
      if (typeof value !== 'string') return false;
      try {
        return fits(JSON.parse(value));
      } catch {
        return false;
      }
    },
  };
}

const isText = text.fits;
const isNumber = (value: unknown): boolean => typeof value === 'number';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown, fits: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function has(value: unknown, fields: Readonly<Record<string, (one: unknown) => boolean>>): boolean {
  return isObject(value) && Object.entries(fields).every(([name, fits]) => fits(value[name]));
}

function kindIn(kinds: Readonly<Record<string, (value: unknown) => boolean>>): (value: unknown) => boolean {
  return (value) => {
    if (!isObject(value) || typeof value['kind'] !== 'string' || !Object.hasOwn(kinds, value['kind']))
      return false;
    return kinds[value['kind']]?.(value) ?? false;
  };
}

const isAny = (): boolean => true;
const isSpan = (value: unknown): boolean => has(value, { start: isNumber, end: isNumber });
const isProgress = (value: unknown): boolean => has(value, { done: isNumber, total: isNumber });

const isOrigin = kindIn({
  file: (value) => has(value, { uri: isText }),
  folder: (value) => has(value, { uri: isText }),
  selection: (value) => has(value, { uri: isText }),
  page: (value) => has(value, { url: isText }),
  site: (value) =>
    has(value, {
      starts: (starts) => isList(starts, isText),
      include: (globs) => isList(globs, isText),
      exclude: (globs) => isList(globs, isText),
      depth: isNumber,
      limit: isNumber,
    }),
  text: isAny,
  copy: (value) => has(value, { of: isText }),
});

const isSourceState = kindIn({
  queued: isAny,
  ready: isAny,
  reading: isProgress,
  paused: isProgress,
  stopped: isProgress,
  failed: (value) => has(value, { reason: isText }),
});

const isPosition = (value: unknown): boolean => has(value, { line: isNumber, character: isNumber });
const isRange = (value: unknown): boolean => has(value, { start: isPosition, end: isPosition });
const isLocator = kindIn({
  lines: isRange,
  cell: isRange,
  pdf: (value) => has(value, { page: isNumber, rectangles: (all) => isList(all, isObject) }),
  saved: (value) => has(value, { span: isSpan }),
});

const isCitation = (value: unknown): boolean =>
  has(value, {
    number: isNumber,
    sourceId: isText,
    sourceKind: isText,
    documentId: isNumber,
    title: isText,
    place: isText,
    uri: isText,
    mediaType: isText,
    passage: isSpan,
    span: isSpan,
    quote: isText,
    locator: isLocator,
  });

const isStatement = (value: unknown): boolean =>
  isSpan(value) && has(value, { verdict: isText, citations: (all) => isList(all, isNumber) });
const hasWords = (value: unknown): boolean =>
  has(value, { text: isText, citations: (all) => isList(all, isCitation) });
const isAnswer = kindIn({
  written: (value) => hasWords(value) && has(value, { statements: (all) => isList(all, isStatement) }),
  quotes: (value) =>
    hasWords(value) &&
    has(value, { quotes: (all) => isList(all, (one) => has(one, { citation: isNumber, format: isText })) }),
  nothing: hasWords,
});

const isTurnState = kindIn({
  answering: isAny,
  done: isAny,
  stopped: isAny,
  interrupted: isAny,
  failed: (value) => has(value, { failure: (failure) => has(failure, { message: isText }) }),
});

const isScope = kindIn({
  file: (value) => has(value, { title: isText }),
  sources: (value) => has(value, { sourceIds: (all) => isList(all, isText) }),
});

const pageStates: readonly SitePageState[] = [
  ...(['waiting', 'kept', 'unchanged', 'duplicate', 'moved', 'refused'] as const),
  ...(['failed', 'barred', 'left-out', 'too-deep', 'over-limit'] as const),
];

/** The tables of a notebook, what the user wrote first, and what may stand in their columns. */
export const keptTables: Readonly<Record<string, Rules>> = {
  notes: { id: text, title: text, text, created_at: or(integer, 0), changed_at: or(integer, 0) },
  note_citations: { note_id: text, id: text, citation: json(isCitation) },
  conversations: {
    id: text,
    created_at: or(integer, 0),
    draft: or(text, ''),
    title: maybe(text),
    model: maybe(json(isObject)),
  },
  turns: {
    id: text,
    conversation_id: text,
    question: text,
    asked_at: or(integer, 0),
    state: or(json(isTurnState), '{"kind":"interrupted"}'),
    answer: maybe(json(isAnswer)),
    rating: maybe(oneOf(['bad', 'good'])),
    scope: maybe(json(isScope)),
    usage: maybe(json(isObject)),
  },
  preferences: { name: text, value: json(isAny) },
  usage: {
    day: text,
    provider: text,
    model: text,
    requests: count,
    input: count,
    output: count,
    estimated: count,
    cost: maybe({ fits: isNumber }),
  },
  sources: {
    id: text,
    title: text,
    // What was read of it is left.
    origin: or(json(isOrigin), '{"kind":"copy","of":"file"}'),
    state: or(json(isSourceState), '{"kind":"ready"}'),
    added_at: or(integer, 0),
    read_at: maybe(integer),
    skipped: or(
      json((value) =>
        has(value, { binary: isNumber, tooLarge: isNumber, tooShort: isNumber, failed: isNumber }),
      ),
      '{"binary":0,"tooLarge":0,"tooShort":0,"failed":0}',
    ),
    owner: maybe(text),
    claimed_at: maybe(integer),
  },
  crawls: { source_id: text, started_at: or(integer, 0), finished_at: maybe(integer) },
  site_pages: {
    source_id: text,
    address: text,
    depth: or(count, 0),
    rank: or(integer, 0),
    state: oneOf(pageStates),
    was: maybe(text),
    reason: or(text, ''),
    twin: maybe(text),
    canonical: maybe(text),
    etag: maybe(text),
    last_modified: maybe(text),
    hash: maybe(text),
    text_hash: maybe(text),
  },
  documents: {
    id: count,
    source_id: text,
    key: text,
    title: or(text, ''),
    uri: or(text, ''),
    media_type: or(text, 'text/plain'),
    format: or(oneOf(['code', 'markdown', 'prose']), 'prose'),
    language_id: maybe(text),
    // A source's next reading reads anew what has no hash.
    hash: or(text, ''),
    size: or(integer, -1),
    modified_at: or(integer, 0),
    read_at: or(integer, 0),
    text: bytes,
    map: bytes,
    headings: or(
      json((value) => isList(value, isObject)),
      '[]',
    ),
    warnings: or(
      json((value) => isList(value, isText)),
      '[]',
    ),
    byline: maybe(json(isObject)),
    split: or(text, ''),
    passages: or(count, 0),
  },
  passages: {
    id: count,
    document_id: count,
    start: count,
    end: count,
    headings: json((value) => isList(value, isText)),
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

/** A row with what can't stand in it replaced, the same where all can; undefined where too little is left of it. */
export function mendedRow(table: string, row: Row): Row | undefined {
  const rules = keptTables[table] ?? {};
  let mended = row;
  for (const [column, value] of Object.entries(row)) {
    const rule = rules[column];
    if (rule === undefined || rule.fits(value)) continue;
    if (rule.instead === undefined) return undefined;
    mended = { ...mended, [column]: rule.instead };
  }
  return mended;
}
