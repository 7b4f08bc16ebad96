import {
  createEmptyCard,
  fsrs,
  GenSeedStrategyWithCardId,
  StrategyMode,
  type Card as FsrsCard,
} from 'ts-fsrs';
import { CARD_GRADES, type CardGrade, type CardSchedule } from '../../notebook/cards.ts';

/**
 * FSRS as it is fitted to many people's reviews. Spans vary a little, so that cards that were learnt together come back
 * apart; by how much goes by the card, so that what is shown before a review is what becomes of it.
 */
const scheduler = fsrs({ enable_fuzz: true }).useStrategy(StrategyMode.SEED, GenSeedStrategyWithCardId('id'));

/** How a card is scheduled after each grade that it may get now; `id` is the card's. */
export function schedules(
  id: string,
  schedule: CardSchedule,
  now: number,
): Readonly<Record<CardGrade, CardSchedule>> {
  const preview = scheduler.repeat(toFsrs(id, schedule, now), new Date(now));
  const after = (grade: CardGrade): CardSchedule => fromFsrs(preview[grade].card);
  const [again, hard, good, easy] = CARD_GRADES;
  return { [again]: after(again), [hard]: after(hard), [good]: after(good), [easy]: after(easy) };
}

function toFsrs(id: string, schedule: CardSchedule, now: number): FsrsCard & { readonly id: string } {
  const { state, due, stability, difficulty, scheduledDays, step, reviews, lapses, reviewedAt } = schedule;
  return {
    ...createEmptyCard(now),
    id,
    state,
    due: new Date(state === 0 ? now : due),
    stability,
    difficulty,
    scheduled_days: scheduledDays,
    learning_steps: step,
    reps: reviews,
    lapses,
    // A clock that was set back is behind the last review.
    ...(reviewedAt !== undefined && { last_review: new Date(Math.min(reviewedAt, now)) }),
  };
}

function fromFsrs(card: FsrsCard): CardSchedule {
  return {
    state: card.state,
    due: card.due.getTime(),
    stability: card.stability,
    difficulty: card.difficulty,
    scheduledDays: card.scheduled_days,
    step: card.learning_steps,
    reviews: card.reps,
    lapses: card.lapses,
    reviewedAt: card.last_review?.getTime(),
  };
}
