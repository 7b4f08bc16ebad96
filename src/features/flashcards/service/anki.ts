import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { t } from '@vscode/l10n';
import type { Card, CardReview } from '../model.ts';
import { isDiskFull, NotebookError } from '../../../core/domain/errors.ts';
import type { DeckExport } from './export-api.ts';
import {
  ANKI_DECK_OPTIONS,
  ANKI_SCHEMA,
  ankiDecks,
  ankiModels,
  ankiSettings,
  CLOZE_TYPE,
  QUESTION_TYPE,
} from './anki-schema.ts';
import { cardHtml } from './card-html.ts';
import { escapeHtml } from '../../export/service/html.ts';
import { makeZip } from '../../export/service/zip.ts';

const DAY = 86_400_000;
const SQLITE_FULL = 13;
/** Separator between the fields of a note. */
const FIELD_END = '\u001F';
/** Anki's default ease for a card without a review history. */
const USUAL_FACTOR = 2_500;

/**
 * Creates an Anki package (`.apkg`) from a deck: its cards in order, with their schedules and reviews. A repeated
 * import updates the earlier one.
 * @throws NotebookError `disk-full`
 */
export async function writeAnki({ deck, cards, reviews, now }: DeckExport): Promise<Uint8Array> {
  const { DatabaseSync } = await import('node:sqlite');
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'open-notebook-anki-'));
    const path = join(folder, 'collection.anki2');
    const database = new DatabaseSync(path);
    try {
      database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN; ${ANKI_SCHEMA}`);
      fill(database, { deck, cards, reviews, now });
      database.exec('COMMIT');
    } finally {
      database.close();
    }
    return makeZip({ 'collection.anki2': await readFile(path), media: '{}' });
  } catch (error) {
    throw toDiskFullError(error);
  } finally {
    // The system removes its temporary folder later.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function fill(database: DatabaseSync, { deck, cards, reviews, now }: DeckExport): void {
  const seconds = Math.floor(now / 1000);
  const deckId = hashNumber(deck.id);
  // Days count from the day of the first review.
  const first = Math.min(now, ...reviews.slice(0, 1).map(({ at }) => at));
  const firstDay = Math.floor(first / DAY) * DAY;
  database
    .prepare('INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, ?)')
    .run(
      ...[firstDay / 1000, now, now, ankiSettings(deckId, cards.length), ankiModels(deckId, seconds)],
      ...[ankiDecks(deckId, deck.title, seconds), ANKI_DECK_OPTIONS, '{}'],
    );
  const insertNote = database.prepare("INSERT INTO notes VALUES (?, ?, ?, ?, -1, '', ?, ?, ?, 0, '')");
  const insertCard = database.prepare(
    'INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?)',
  );
  const ids = new Map<string, number>();
  for (const [index, card] of cards.entries()) {
    const id = now + index;
    ids.set(card.id, id);
    const fields = cardFields(card);
    const sorted = plainField(fields[0] ?? '');
    insertNote.run(
      ...[id, makeGuid(card.id), card.kind === 'cloze' ? CLOZE_TYPE : QUESTION_TYPE, seconds],
      ...[fields.join(FIELD_END), sorted, checksum(sorted)],
    );
    const { type, queue, due, days, left, data } = learnt(card, index, firstDay);
    const { reviews: times, lapses, state } = card.schedule;
    insertCard.run(
      ...[id, id, deckId, seconds, type, queue, due, days, state === 0 ? 0 : USUAL_FACTOR, times, lapses],
      ...[left, data],
    );
  }
  const insertReview = database.prepare('INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, 0, ?)');
  let last = 0;
  const after = nextSchedules(cards, reviews);
  for (const [index, { cardId, at, grade, before }] of reviews.entries()) {
    const card = ids.get(cardId);
    if (card === undefined) continue;
    // Review times must be unique.
    last = Math.max(at, last + 1);
    const type = before.state === 2 ? 1 : before.state === 3 ? 2 : 0;
    const [span, was] = [after[index]?.scheduledDays ?? 0, before.scheduledDays];
    insertReview.run(last, card, grade, span, was, USUAL_FACTOR, type);
  }
}

/** Returns the front, back, and source of a card as HTML. */
function cardFields({ kind, front, back, citation }: Card): string[] {
  const source = citation === undefined ? '' : [citation.title, citation.place].filter(Boolean).join(', ');
  const isWeb = citation !== undefined && /^https?:\/\//i.test(citation.uri);
  const shown = isWeb
    ? `<a href="${escapeHtml(citation.uri)}">${escapeHtml(source)}</a>`
    : escapeHtml(source);
  return [cardHtml(front, kind === 'cloze'), cardHtml(back, false), shown].map((field) =>
    field.replaceAll(FIELD_END, ' '),
  );
}

/** Converts a card's schedule to Anki's terms. New cards are due by position, reviewed ones by day. */
function learnt(
  { schedule, isSuspended }: Card,
  index: number,
  firstDay: number,
): { type: number; queue: number; due: number; days: number; left: number; data: string } {
  const { state, due, scheduledDays, stability, difficulty } = schedule;
  const isLearning = state === 1 || state === 3;
  const memory = { s: Number(stability.toFixed(4)), d: Number(difficulty.toFixed(3)) };
  return {
    type: state,
    queue: isSuspended ? -1 : state === 3 ? 1 : state,
    due: state === 0 ? index + 1 : isLearning ? Math.floor(due / 1000) : Math.floor((due - firstDay) / DAY),
    days: Math.round(scheduledDays),
    left: isLearning ? 1001 : 0,
    data: state === 0 ? '{}' : JSON.stringify(memory),
  };
}

/** Returns the card's schedule after each review: the schedule before its next review, or else the current schedule. */
function nextSchedules(
  cards: readonly Card[],
  reviews: readonly CardReview[],
): readonly (Card['schedule'] | undefined)[] {
  const known = new Map(cards.map(({ id, schedule }) => [id, schedule]));
  return reviews
    .toReversed()
    .map(({ cardId, before }) => {
      const after = known.get(cardId);
      known.set(cardId, before);
      return after;
    })
    .reverse();
}

/** Returns the plain text of a field, by which Anki sorts cards and finds duplicates. */
function plainField(html: string): string {
  return html
    .replaceAll(/<[^<>]{0,2000}>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();
}

/** Returns the first eight hexadecimal digits of a text's SHA-1 as a number. */
function checksum(words: string): number {
  return Number.parseInt(createHash('sha1').update(words).digest('hex').slice(0, 8), 16);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&()*+,-./:;<=>?@[]^_`{|}~';

/** Returns ten characters from the set that Anki uses for IDs, always the same for a card. */
function makeGuid(id: string): string {
  const bytes = createHash('sha256').update(id).digest();
  return Array.from(bytes.subarray(0, 10), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}

/** Returns a number in the range of Anki's IDs, always the same for a deck. */
function hashNumber(id: string): number {
  return 1_600_000_000_000 + (createHash('sha256').update(id).digest().readUInt32BE() % 100_000_000_000);
}

function toDiskFullError(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  const isFull = typeof code === 'number' && (code & 0xff) === SQLITE_FULL;
  if (!isFull && !isDiskFull(error)) return error;
  return new NotebookError(
    'disk-full',
    t('Can’t export because the disk is full. Free up some space, or choose another location.'),
    { cause: error },
  );
}
