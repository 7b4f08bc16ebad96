import * as v from 'valibot';
import type { CardSchedule, QuizQuestion } from '../model.ts';
import { storedCitation, type StoredSchema } from '../../../index/store/database/stored-json.ts';

/* Schemas for the JSON in the columns of cards and quizzes. */

const number = v.pipe(v.number(), v.finite());
const amount = v.pipe(number, v.minValue(0));

export const storedSchedule: StoredSchema<CardSchedule> = v.object({
  state: v.picklist([0, 1, 2, 3]),
  due: amount,
  stability: amount,
  difficulty: amount,
  scheduledDays: amount,
  step: amount,
  reviews: amount,
  lapses: amount,
  reviewedAt: v.optional(amount),
});

/** Fields of a card that an action changed, with their previous values. */
export interface CardUndo {
  readonly schedule?: CardSchedule | undefined;
  readonly front?: string | undefined;
  readonly back?: string | undefined;
  readonly isEdited?: boolean | undefined;
  readonly isSuspended?: boolean | undefined;
}

export const storedCardUndo: StoredSchema<CardUndo> = v.object({
  schedule: v.optional(storedSchedule),
  front: v.optional(v.string()),
  back: v.optional(v.string()),
  isEdited: v.optional(v.boolean()),
  isSuspended: v.optional(v.boolean()),
});

export const storedQuestions: StoredSchema<QuizQuestion[]> = v.array(
  v.pipe(
    v.object({
      question: v.string(),
      choices: v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(26)),
      right: v.pipe(amount, v.integer()),
      reason: v.string(),
      citation: v.optional(storedCitation),
    }),
    v.check(({ choices, right }) => right < choices.length),
  ),
);

export const storedReplies: StoredSchema<(number | null)[]> = v.array(
  v.nullable(v.pipe(amount, v.integer())),
);
