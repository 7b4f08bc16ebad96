import type { ModelChoice } from '../../../core/domain/model-choice.ts';
import { warnUnchecked } from '../editor/unchecked-content.ts';
import type { QuestionParts } from '../../questions/editor/export-questions.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';

type QuestionCommandParts = Pick<
  Services,
  'answerModels' | 'conversation' | 'embedder' | 'models' | 'notebook'
>;

/** Returns the services that generate questions, with the current model for answers. */
export function questionParts(parts: QuestionCommandParts): QuestionParts {
  const { notebook, embedder, answerModels } = parts;
  return {
    notebook,
    embedder,
    // The notebook's usage meter counts these tokens.
    model: async () => await answerModels.openModel(await currentModel(parts), () => undefined),
    checker: async () => (await answerModels.allowedChecker(() => undefined))?.model,
    warnUnchecked: (content) => warnUnchecked(content, answerModels),
  };
}

async function currentModel({
  models,
  conversation,
}: Pick<QuestionCommandParts, 'conversation' | 'models'>): Promise<ModelChoice> {
  return (await models.of(await conversation.id())).current;
}

/** Returns the commands that generate questions and quiz models. Their code is loaded with the first use. */
export function questionCommands(parts: Services, questions: QuestionParts): Commands {
  const { answerModels, providers } = parts;
  return {
    exportQuestions: async () => {
      const { exportQuestions } = await import('../../questions/editor/export-questions.ts');
      await exportQuestions(questions);
    },
    quizModels: async () => {
      const { quizModels } = await import('../../questions/editor/quiz-models.ts');
      await quizModels({
        ...questions,
        providers,
        current: () => currentModel(parts),
        openModel: (choice, onUsage) => answerModels.openModel(choice, onUsage),
      });
    },
  };
}
