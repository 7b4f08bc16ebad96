// Reviews the cards of a deck as they become due until killed, and reports each saved review.
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Cards } from '../../src/features/flashcards/store/cards.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { schedules } from '../../src/features/flashcards/service/schedule.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { endWithParent, parametersGiven, sendMessage } from './durability-messages.ts';

export interface LearnerParameters {
  readonly folder: string;
  readonly deckId: string;
  readonly reviews: number;
}

export interface ReviewedMessage {
  readonly kind: 'opened' | 'reviewed';
  readonly cardId?: string;
  readonly at?: number;
}

const { folder, deckId, reviews } = parametersGiven() as LearnerParameters;
endWithParent();
const { database } = await openDatabase(folder);
const cards = new Cards(new Statements(database));
sendMessage({ kind: 'opened' } satisfies ReviewedMessage);

let now = Date.UTC(2026, 0, 5, 9);
for (let done = 0; done < reviews; now += 20 * 60_000) {
  const { card } = cards.next({ deckId, addsNew: true, now, dayStart: 0 });
  if (card === undefined) continue;
  // The times identify the process.
  const at = now + (process.pid % 60_000);
  const after = schedules(card.id, card.schedule, at)[done % 5 === 0 ? 1 : 3];
  try {
    cards.review({ cardId: card.id, grade: done % 5 === 0 ? 1 : 3, at, before: card.schedule, after });
    sendMessage({ kind: 'reviewed', cardId: card.id, at } satisfies ReviewedMessage);
    done++;
  } catch (error) {
    if (!(error instanceof NotebookError) || error.code !== 'conflict') throw error;
  }
}
database.close();
process.exit(0);
