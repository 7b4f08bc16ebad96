import type * as vscode from 'vscode';
import type { ModelChoice } from '../../notebook/model-choice.ts';
import type { AnswerModels } from '../chat/answer-model.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { Embedder } from '../models/embedder.ts';
import type { ModelChoices } from '../models/model-choice.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { Commands } from './site-commands.ts';

/** What commands on questions act on. */
export interface QuestionCommandParts {
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  readonly conversation: Conversation;
  readonly models: ModelChoices;
  readonly answerModels: AnswerModels;
  readonly secrets: vscode.SecretStorage;
}

/** The commands that make questions of the notebook and ask models. What they need is loaded with the first. */
export function questionCommands(parts: QuestionCommandParts): Commands {
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
