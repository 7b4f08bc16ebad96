import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Holder, RecordedEvent, ResearchMemory, ResearchRecord, Spent } from '../model/project.ts';
import type { ResearchBoard } from '../model/board.ts';
import { optionalText, type Row } from '../../../index/store/database/database.ts';
import { readJson } from '../../../index/store/database/stored-json.ts';
import { storedEvent, storedMemory, LOST_HOLDER } from './stored-json.ts';
import type { ResearchChanges } from './changes.ts';

type RecordBoard = Pick<
  ResearchBoard,
  'forgetMemory' | 'keepMemory' | 'latestRecords' | 'memories' | 'record' | 'records' | 'spend'
>;

/** Maximum size of an event, and of all events of a research project, in UTF-16 code units. */
const MAX_EVENT_LENGTH = 400_000;
const MAX_LOG_LENGTH = 32 * 2 ** 20;
/** Minimum length that remains of a text. */
const MIN_TRUNCATED_LENGTH = 1_000;
/** Maximum number of records in a page of the log, and maximum size of their events in bytes if there are several. */
const MAX_PAGE_RECORDS = 50;
const MAX_PAGE_BYTES = 2 ** 19;
/** If the log is full, the oldest records are deleted down to this size. */
const TRIMMED_LOG_LENGTH = 0.75 * MAX_LOG_LENGTH;
const MAX_MEMORIES = 500;

/** Returns the part of the board for usage, records, and memories. */
export function recordBoard(changes: ResearchChanges): RecordBoard {
  const { sql } = changes;

  return {
    spend({ researchId, usage, time = 0, requests = 0, toolCalls = 0, reserved }) {
      const spent = changes.transaction(() => {
        changes.touch(researchId);
        sql.run(
          `UPDATE researches SET dollars = dollars + ?, tokens = tokens + ?, time = time + ?, requests = requests + ?,
             tool_calls = tool_calls + ? WHERE id = ?`,
          usage?.cost ?? 0,
          Math.round((usage?.input ?? 0) + (usage?.output ?? 0)),
          Math.round(time),
          Math.round(requests),
          Math.round(toolCalls),
          researchId,
        );
        return readSpent(changes.row(researchId));
      });
      if (reserved !== undefined) changes.reserve(researchId, reserved);
      return spent;
    },

    record({ researchId, stepId, event }) {
      changes.transaction(() => {
        changes.touch(researchId);
        writeRecord(changes, researchId, stepId, event);
      });
    },

    records: ({ researchId, stepId, after }) =>
      sql.reading(() => {
        const row = changes.row(researchId);
        const records = sql
          .all(
            `SELECT * FROM research_records WHERE research_id = ?1 AND (?2 IS NULL OR step_id = ?2) AND id > ?3
             ORDER BY id`,
            researchId,
            stepId ?? null,
            after ?? 0,
          )
          .flatMap(toRecord);
        const forgotten = Number(row['forgotten']);
        return forgotten === 0 || after !== undefined
          ? records
          : [forgottenRecords(forgotten, Number(row['created_at'])), ...records];
      }),

    latestRecords: ({ researchId, stepId, before }) =>
      sql.reading(() => {
        const sizes = sql.all(
          `SELECT id, octet_length(event) AS size FROM research_records
           WHERE research_id = ?1 AND (?2 IS NULL OR step_id = ?2) AND id < ?3 ORDER BY id DESC LIMIT ?4`,
          researchId,
          stepId ?? null,
          before ?? Number.MAX_SAFE_INTEGER,
          MAX_PAGE_RECORDS + 1,
        );
        const count = fittingRows(sizes.slice(0, MAX_PAGE_RECORDS));
        const records = sql
          .all(
            `SELECT * FROM research_records
             WHERE research_id = ?1 AND (?2 IS NULL OR step_id = ?2) AND id BETWEEN ?3 AND ?4 ORDER BY id`,
            researchId,
            stepId ?? null,
            Number(sizes[count - 1]?.['id'] ?? 0),
            Number(sizes[0]?.['id'] ?? 0),
          )
          .flatMap(toRecord);
        if (count < sizes.length) return { records, hasEarlier: true };
        const row = changes.row(researchId);
        const forgotten = Number(row['forgotten']);
        const first = forgotten === 0 ? [] : [forgottenRecords(forgotten, Number(row['created_at']))];
        return { records: [...first, ...records], hasEarlier: false };
      }),

    memories: () =>
      sql.all('SELECT * FROM research_memories ORDER BY kept_at DESC, rowid DESC').flatMap(toMemory),

    keepMemory: (memory) =>
      changes.transaction(() => {
        const memoryId = randomUUID();
        sql.insert('research_memories', {
          id: memoryId,
          memory: JSON.stringify(memory),
          kept_at: changes.now(),
        });
        sql.run(
          `DELETE FROM research_memories WHERE id NOT IN (
             SELECT id FROM research_memories ORDER BY kept_at DESC, rowid DESC LIMIT ${String(MAX_MEMORIES)})`,
        );
        return { memoryId };
      }),

    forgetMemory({ memoryId }) {
      changes.transaction(() => sql.run('DELETE FROM research_memories WHERE id = ?', memoryId));
    },
  };
}

/** Adds a record within a transaction. */
function writeRecord(
  changes: ResearchChanges,
  researchId: string,
  stepId: string | undefined,
  event: RecordedEvent,
): void {
  const json = JSON.stringify(cutEvent(event));
  makeRoom(changes, researchId, json.length);
  changes.sql.insert('research_records', {
    research_id: researchId,
    step_id: stepId,
    at: changes.now(),
    event: json,
  });
}

/** Records a user's action within a transaction. Workers record their own actions with the rest of their work. */
export function writeUserAction(
  changes: ResearchChanges,
  researchId: string,
  stepId: string | undefined,
  action: string,
  by: Holder | undefined,
  text?: string,
): void {
  if (by?.kind !== 'user') return;
  writeRecord(changes, researchId, stepId, {
    kind: 'deed',
    deed: action,
    by,
    ...(text !== undefined && { text }),
  });
}

/** Deletes the oldest records if there is no space for another. */
function makeRoom(changes: ResearchChanges, researchId: string, length: number): void {
  const { sql } = changes;
  const { recorded } = changes.row(researchId);
  let logLength = Number(recorded) + length;
  let removed = 0;
  if (logLength > MAX_LOG_LENGTH)
    for (const { id, size } of sql.all(
      'SELECT id, length(event) AS size FROM research_records WHERE research_id = ? ORDER BY id',
      researchId,
    )) {
      if (logLength <= TRIMMED_LOG_LENGTH) break;
      sql.run('DELETE FROM research_records WHERE id = ?', Number(id));
      logLength -= Number(size);
      removed++;
    }
  sql.run(
    'UPDATE researches SET recorded = ?, forgotten = forgotten + ? WHERE id = ?',
    logLength,
    removed,
    researchId,
  );
}

/** Returns the usage in a research project's row: dollars, tokens, milliseconds, requests, and tool calls. */
export function readSpent(row: Row): Spent {
  return {
    dollars: Number(row['dollars']),
    tokens: Number(row['tokens']),
    time: Number(row['time']),
    requests: Number(row['requests']),
    toolCalls: Number(row['tool_calls']),
  };
}

/** Returns the number of rows at the start whose sizes fit a page; at least one, if there are any. */
function fittingRows(rows: readonly Row[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => {
    bytes += Number(size);
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? rows.length : end;
}

/** Returns nothing if a newer version wrote unknown values. */
function toRecord(row: Row): ResearchRecord[] {
  const event = readJson<RecordedEvent | undefined>(storedEvent, row['event'], undefined);
  if (event === undefined) return [];
  const stepId = optionalText(row['step_id']);
  return [{ id: Number(row['id']), stepId, at: Number(row['at']), event }];
}

/** Creates the first entry of the log, which represents deleted records. */
function forgottenRecords(count: number, at: number): ResearchRecord {
  const action = t('Older entries removed to save space: {0}.', count);
  return { id: 0, stepId: undefined, at, event: { kind: 'deed', deed: action, by: LOST_HOLDER } };
}

function toMemory(row: Row): ResearchMemory[] {
  const memory = readJson<Omit<ResearchMemory, 'id' | 'keptAt'> | undefined>(
    storedMemory,
    row['memory'],
    undefined,
  );
  return memory === undefined ? [] : [{ ...memory, id: String(row['id']), keptAt: Number(row['kept_at']) }];
}

/** Returns an event that fits the maximum size. If it's too long, the middles of its longest texts are cut. */
export function cutEvent(event: RecordedEvent): RecordedEvent {
  if (JSON.stringify(event).length <= MAX_EVENT_LENGTH) return event;
  const lengths: number[] = [];
  mapTexts(event, (text) => {
    lengths.push(text.length);
    return text;
  });
  const maxLength = Math.max(fairShare(lengths, MAX_EVENT_LENGTH / 2), MIN_TRUNCATED_LENGTH);
  const texts = mapTexts(event, (text) => cutMiddle(text, maxLength)) as RecordedEvent;
  const cut = texts.kind === 'request' || texts.kind === 'tool' ? { ...texts, isCut: true } : texts;
  if (JSON.stringify(cut).length <= MAX_EVENT_LENGTH) return cut;
  // The event has too many texts rather than too long ones.
  const message = t('This entry was too large to record.');
  switch (cut.kind) {
    case 'request':
      return { ...cut, messages: [{ role: 'user', content: message }] };
    case 'tool':
      return { ...cut, input: {}, result: message };
    case 'sent-back':
      return { ...cut, problems: [message] };
    case 'deed':
      return cut;
  }
}

/** Returns the maximum length per text so that texts of these lengths fit a total. */
function fairShare(lengths: readonly number[], total: number): number {
  let remaining = total;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(remaining / (lengths.length - index));
    if (length > share) return share;
    remaining -= length;
  }
  return Infinity;
}

function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const [start, end] = [text.slice(0, half), text.slice(text.length - half)];
  const mark = t('[… {0} characters omitted …]', (text.length - 2 * half).toLocaleString());
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}\n${mark}\n${end.replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, map)]));
}
