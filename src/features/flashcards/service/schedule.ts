import {
  createEmptyCard,
  fsrs,
  GenSeedStrategyWithCardId,
  StrategyMode,
  type Card as FsrsCard,
} from 'ts-fsrs';
import { CARD_GRADES, type CardGrade, type CardSchedule } from '../model.ts';

/**
 * FSRS with parameters fitted to many people's reviews. Intervals vary a little, so that cards learned together don't
 * all return together. The card seeds the variation, so that the preview before a review matches its result.
 */
const scheduler = fsrs({ enable_fuzz: true }).useStrategy(StrategyMode.SEED, GenSeedStrategyWithCardId('id'));

/** Returns the next schedule of a card for each possible grade. `id` is the ID of the card. */
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
    // If the clock was set back, the last review is in the future.
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
