import type { AnswerEvent } from '../core/domain/answer.ts';

/**
 * Returns a function that emits events, and one to call if a search may have missed passages because the index is being
 * rebuilt. Answers that start after that call say so.
 */
export function markIncomplete(emit: (event: AnswerEvent) => void): {
  readonly emit: (event: AnswerEvent) => void;
  readonly onIncomplete: () => void;
} {
  let isIncomplete = false;
  return {
    emit: (event) => {
      emit(
        isIncomplete && event.kind === 'started'
          ? { ...event, answer: { ...event.answer, isIncomplete } }
          : event,
      );
    },
    onIncomplete: () => {
      isIncomplete = true;
    },
  };
}
