import type { QuizQuestion } from '../model.ts';

/** Change to one question when a quiz is updated: `before` alone is removed, `after` alone is added. */
export type QuizChange =
  | { readonly kind: 'added'; readonly after: QuizQuestion }
  | { readonly kind: 'gone'; readonly at: number; readonly before: QuizQuestion }
  | {
      readonly kind: 'changed';
      readonly at: number;
      readonly before: QuizQuestion;
      readonly after: QuizQuestion;
    };

/**
 * Returns the changes to a quiz's questions. A question that `currentQuestions` no longer contains is replaced by a new
 * question with the same text or answer. Without such a question, it is removed. Other new questions come last.
 */
export function quizChanges(
  before: readonly QuizQuestion[],
  currentQuestions: readonly (QuizQuestion | null)[],
  fresh: readonly QuizQuestion[],
): QuizChange[] {
  const unmatched = [...fresh];
  const removed = before.flatMap((question, at): QuizChange[] => {
    if (currentQuestions[at] !== null) return [];
    const index = unmatched.findIndex((freshQuestion) => asksForSame(freshQuestion, question));
    const [after] = index < 0 ? [] : unmatched.splice(index, 1);
    return [
      after === undefined
        ? { kind: 'gone', at, before: question }
        : { kind: 'changed', at, before: question, after },
    ];
  });
  return [...removed, ...unmatched.map((after): QuizChange => ({ kind: 'added', after }))];
}

/** Applies the selected changes to a quiz's questions. Other questions don't change. */
export function changedQuestions(
  before: readonly QuizQuestion[],
  currentQuestions: readonly (QuizQuestion | null)[],
  accepted: readonly QuizChange[],
): QuizQuestion[] {
  const byPlace = new Map(
    accepted.flatMap((change) => (change.kind === 'added' ? [] : [[change.at, change]])),
  );
  const remaining = before.flatMap((question, at) => {
    const change = byPlace.get(at);
    if (change === undefined) return [currentQuestions[at] ?? question];
    return change.kind === 'changed' ? [change.after] : [];
  });
  return [...remaining, ...accepted.flatMap((change) => (change.kind === 'added' ? [change.after] : []))];
}

function asksForSame(one: QuizQuestion, other: QuizQuestion): boolean {
  return one.question === other.question || answerTo(one) === answerTo(other);
}

function answerTo({ choices, right }: QuizQuestion): string {
  return choices[right]?.toLowerCase() ?? '';
}
