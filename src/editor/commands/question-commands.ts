import type { ModelChoice } from '../../notebook/model-choice.ts';
import type { CommandParts, Commands } from './command-parts.ts';

/** The commands that make questions of the notebook and ask models. What they need is loaded with the first. */
export function questionCommands(parts: CommandParts): Commands {
  const { notebook, embedder, conversation, models, answerModels, secrets } = parts;
  const current = async (): Promise<ModelChoice> => (await models.of(await conversation.id())).current;
  const questions = {
    notebook,
    embedder,
    // The notebook's meter counts what it takes.
    model: async () => await answerModels.modelOf(await current(), () => undefined),
  };
  return {
    exportQuestions: async () => {
      const { exportQuestions } = await import('../research/export-questions.ts');
      await exportQuestions(questions);
    },
    quizModels: async () => {
      const { quizModels } = await import('../research/quiz-models.ts');
      await quizModels({
        ...questions,
        secrets,
        current,
        modelOf: (choice, onUsage) => answerModels.modelOf(choice, onUsage),
      });
    },
  };
}
