import * as vscode from 'vscode';
import type { QuestionParts } from '../questions/editor/export-questions.ts';
import { registerCommandsByName } from '../../platform/register-commands.ts';
import type { GenerateStudyArtifact } from '../artifacts/editor/generate-artifact.ts';
import { flashcardCommands, type FlashcardCommandServices } from './commands/flashcard-commands.ts';
import type { CardPageParts } from './editor/page.ts';
import { StudyView } from './editor/study-view.ts';
import { flashcardTabs } from './editor/tabs.ts';

/** Services that decks and quizzes use. */
interface FlashcardServices
  extends Omit<CardPageParts, 'questions' | 'reportError'>, FlashcardCommandServices {
  readonly questions: QuestionParts;
  readonly showError: (error: unknown) => void;
}

/** Registered feature. */
interface Flashcards extends vscode.Disposable {
  readonly generate: GenerateStudyArtifact;
}

/** Registers the commands, the Study view, and the pages of decks and quizzes. */
export function register(services: FlashcardServices): Flashcards {
  const { questions, showError } = services;
  const cards = flashcardTabs({ ...services, reportError: showError });
  const learning = { ...questions, cards };
  const disposables = vscode.Disposable.from(
    cards,
    new StudyView(questions.notebook),
    registerCommandsByName(flashcardCommands(services, learning), showError),
  );
  return {
    generate: async (wish) => {
      const { generateStudyArtifact: makeLearning } = await import('./editor/generate.ts');
      await makeLearning(learning, wish);
    },
    dispose: () => {
      disposables.dispose();
    },
  };
}
