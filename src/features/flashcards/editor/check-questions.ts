import {
  checkWithProgress,
  showChecked,
  uncheckedAnswers,
  type CheckParts,
  type QuestionParts,
} from '../../questions/editor/export-questions.ts';
import type { GeneratedQuestion } from '../../questions/service/make-questions.ts';
import { showErrors } from '../../../platform/show-errors.ts';
import { checkedDeck, checkedQuiz } from './checked-questions.ts';
import type { CardsState } from '../protocol.ts';

/** Services that check the questions of decks and quizzes. */
export interface StudyCheckParts extends CheckParts {
  readonly cards: { close(state: CardsState): void };
}

/** Saved cards or a quiz, and the questions by a model in them. */
interface WrittenArtifact {
  readonly kind: 'deck' | 'quiz';
  readonly id: string;
  readonly title: string;
  readonly questions: readonly GeneratedQuestion[];
}

/** Says that questions aren't fact-checked, and checks them if the user agrees. */
export function offerCheck(parts: QuestionParts & StudyCheckParts, artifact: WrittenArtifact): void {
  const unchecked = uncheckedAnswers(artifact.questions);
  if (unchecked === undefined) return;
  const check = (): Promise<void> => checkArtifact(parts, artifact);
  void showErrors(() => parts.warnUnchecked({ ...unchecked, check }));
}

/**
 * Lets the model that the user allowed check the questions of a deck or a quiz. Removes those that it doesn't support,
 * and a quiz that has no question left. @throws NotebookError
 */
async function checkArtifact(
  parts: StudyCheckParts,
  { kind, id, title, questions }: WrittenArtifact,
): Promise<void> {
  const checked = await checkWithProgress(title, questions, parts);
  if (checked === undefined) return;
  const { cards, notebook } = parts;
  if (kind === 'deck') {
    const { cards: existing } = await notebook.call('wholeDeck', { deckId: id });
    await notebook.call('keepDeckChanges', checkedDeck(id, existing, checked));
  } else {
    const { questions: before } = await notebook.call('quiz', { quizId: id });
    const after = checkedQuiz(before, checked);
    if (after.length === 0) {
      cards.close({ notebook: notebook.key, kind, id });
      await notebook.call('removeQuiz', { quizId: id });
    } else await notebook.call('keepQuizChanges', { quizId: id, before, questions: after });
  }
  showChecked(checked);
}
