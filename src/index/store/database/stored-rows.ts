import { wantedAnnotations } from '../../../core/domain/stored-annotations.ts';
import type { SQLInputValue } from 'node:sqlite';
import * as v from 'valibot';
import type { SitePageState } from '../../../core/domain/site.ts';
import type { Row } from './database.ts';
import {
  storedCardUndo,
  storedQuestions,
  storedReplies,
  storedSchedule,
} from '../../../features/flashcards/store/stored-json.ts';
import {
  storedAnswer,
  storedBibliography,
  storedByline,
  storedCitation,
  storedCslItem,
  storedFailure,
  storedHeadings,
  storedDocumentVersions,
  storedOrigin,
  storedRating,
  storedScope,
  storedSelection,
  storedSkips,
  storedSourceState,
  storedPages,
  storedTexts,
  storedTurnState,
  storedUsage,
  LOST_ORIGIN,
  NOTHING_SKIPPED,
} from './stored-json.ts';
import {
  storedBounds,
  storedCheck,
  storedEvent,
  storedHolder,
  storedMemory,
  storedObjections,
  storedOptions,
  storedPlan,
  storedResearchState,
  storedStep,
  LOST_HOLDER,
  LOST_OPTIONS,
  NOTHING_CHECKED,
} from '../../../features/research/store/stored-json.ts';
import { storedColumns } from '../../../features/tables/store/stored-json.ts';

/** Rule for a column's values. `instead` replaces invalid values; without it, the row is dropped. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly instead?: SQLInputValue;
}

type Rules = Readonly<Record<string, Rule>>;

const text: Rule = { fits: (value) => typeof value === 'string' };
const integer: Rule = { fits: (value) => Number.isSafeInteger(value) };
const count: Rule = { fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0 };
const amount: Rule = { fits: (value) => typeof value === 'number' && value >= 0 };
const bytes: Rule = { fits: (value) => value instanceof Uint8Array };

function or(rule: Rule, instead: SQLInputValue): Rule {
  return { ...rule, instead };
}

function maybe(rule: Rule): Rule {
  return { fits: (value) => value === null || rule.fits(value), instead: null };
}

function isAmong(words: readonly string[]): Rule {
  return { fits: (value) => words.some((word) => word === value) };
}

/** Returns a rule for JSON, of any content without a schema. */
function json(schema: v.GenericSchema = v.unknown()): Rule {
  return {
    fits: (value) => {
      try {
        return typeof value === 'string' && v.is(schema, JSON.parse(value));
      } catch {
        // The text isn't JSON.
        return false;
      }
    },
  };
}

const PAGE_STATES: readonly SitePageState[] = [
  ...(['waiting', 'kept', 'unchanged', 'duplicate', 'moved', 'refused'] as const),
  ...(['failed', 'barred', 'left-out', 'too-deep', 'over-limit'] as const),
];

/** Tables of a notebook, the user's own content first, with the rules for their columns. */
export const storedTables: Readonly<Record<string, Rules>> = {
  notes: { id: text, title: text, text, created_at: or(integer, 0), changed_at: or(integer, 0) },
  note_citations: { note_id: text, id: text, citation: json(storedCitation) },
  made_notes: {
    note_id: text,
    thing: text,
    source_ids: maybe(json(storedTexts)),
    made_of: json(storedDocumentVersions),
    text,
    made_at: or(integer, 0),
    template: maybe(json()),
  },
  card_decks: {
    id: text,
    title: text,
    source_ids: maybe(json(storedTexts)),
    made_of: maybe(json(storedDocumentVersions)),
    created_at: or(integer, 0),
  },
  cards: {
    id: text,
    deck_id: text,
    key: text,
    place: or(count, 0),
    kind: text,
    maker: or(text, 'hand'),
    front: text,
    back: or(text, ''),
    citation: maybe(json(storedCitation)),
    document_id: maybe(count),
    document_hash: maybe(text),
    is_stale: or(count, 0),
    is_suspended: or(count, 0),
    is_edited: or(count, 0),
    removed_at: maybe(integer),
    state: or(count, 0),
    due: or(count, 0),
    schedule: maybe(json(storedSchedule)),
  },
  card_deeds: {
    id: count,
    card_id: text,
    deed: text,
    grade: maybe(count),
    at: or(integer, 0),
    before: json(storedCardUndo),
  },
  quizzes: {
    id: text,
    title: text,
    questions: json(storedQuestions),
    replies: or(json(storedReplies), '[]'),
    made_at: or(integer, 0),
  },
  matrices: {
    id: text,
    title: or(text, ''),
    source_ids: maybe(json(storedTexts)),
    row_kind: or(isAmong(['documents', 'sources']), 'sources'),
    // Salvage restores the columns from the cells.
    columns: or(json(storedColumns), '[]'),
    created_at: or(integer, 0),
    changed_at: or(integer, 0),
    revision: or(count, 1),
    usage: maybe(json(storedUsage)),
  },
  matrix_cells: {
    matrix_id: text,
    column_id: text,
    row_id: text,
    row_title: or(text, ''),
    answer: maybe(json(storedAnswer)),
    asked: maybe(text),
    version: maybe(text),
    edited: maybe(text),
    failure: maybe(json(storedFailure)),
    wanted: or(count, 0),
    replaces: or(count, 0),
    holder: maybe(text),
    held_until: maybe(integer),
    revision: or(count, 1),
  },
  conversations: {
    id: text,
    created_at: or(integer, 0),
    draft: or(text, ''),
    title: maybe(text),
    model: maybe(json(v.looseObject({}))),
    // A recovered notebook no longer syncs with its team.
    shared: { fits: (value) => value === 0, instead: 0 },
    shared_by: { fits: (value) => value === null, instead: null },
  },
  turns: {
    id: text,
    conversation_id: text,
    question: text,
    asked_at: or(integer, 0),
    state: or(json(storedTurnState), '{"kind":"interrupted"}'),
    answer: maybe(json(storedAnswer)),
    rating: maybe({ fits: (value) => v.is(storedRating, value) }),
    scope: maybe(json(storedScope)),
    usage: maybe(json(storedUsage)),
    asked_by: maybe(text),
    selection: maybe(json(storedSelection)),
    version: or(count, 1),
  },
  turn_versions: {
    turn_id: text,
    version: count,
    question: text,
    state: or(json(storedTurnState), '{"kind":"interrupted"}'),
    answer: json(storedAnswer),
    rating: maybe({ fits: (value) => v.is(storedRating, value) }),
    scope: maybe(json(storedScope)),
    usage: maybe(json(storedUsage)),
  },
  researches: {
    id: text,
    goal: text,
    state: or({ fits: (value) => v.is(storedResearchState, value) }, 'paused'),
    reason: maybe(text),
    created_at: or(integer, 0),
    changed_at: or(integer, 0),
    revision: or(count, 1),
    scope: maybe(json(storedScope)),
    bounds: or(json(storedBounds), '{}'),
    options: or(json(storedOptions), JSON.stringify(LOST_OPTIONS)),
    objections: or(json(storedObjections), '[]'),
    memories: or(json(storedTexts), '[]'),
    report: maybe(text),
    plan_version: or(count, 1),
    plan_number: or(count, 0),
    dollars: or(amount, 0),
    tokens: or(count, 0),
    time: or(count, 0),
    requests: or(count, 0),
    tool_calls: or(count, 0),
    recorded: or(count, 0),
    forgotten: or(count, 0),
  },
  research_plans: { research_id: text, number: count, plan: json(storedPlan) },
  research_steps: {
    research_id: text,
    id: text,
    place: maybe(count),
    step: json(storedStep),
    state: or(isAmong(['open', 'in-progress', 'done', 'failed']), 'open'),
    holder: maybe(json(storedHolder)),
    token: maybe(text),
    held_until: maybe(integer),
    attempts: or(count, 0),
    reason: maybe(text),
    draft: or(text, ''),
    same_as: maybe(text),
    is_anew: or(count, 0),
    pair: maybe(text),
    started_at: maybe(integer),
    ended_at: maybe(integer),
  },
  research_products: {
    research_id: text,
    id: text,
    step_id: or(text, ''),
    text,
    statements: or(json(v.array(v.unknown())), '[]'),
    citations: or(json(v.array(v.unknown())), '[]'),
    checked: or(json(storedCheck), JSON.stringify(NOTHING_CHECKED)),
    made_by: or(json(storedHolder), JSON.stringify(LOST_HOLDER)),
    made_at: or(integer, 0),
    pair: maybe(text),
  },
  research_comments: {
    id: text,
    research_id: text,
    step_id: maybe(text),
    text,
    written_at: or(integer, 0),
    is_heard: or(count, 0),
  },
  research_memories: { id: text, memory: json(storedMemory), kept_at: or(integer, 0) },
  file_annotations: { uri: text, annotations: json(wantedAnnotations) },
  research_records: {
    id: count,
    research_id: text,
    step_id: maybe(text),
    at: or(integer, 0),
    event: json(storedEvent),
  },
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
