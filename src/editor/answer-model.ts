import type * as vscode from 'vscode';
import { defaultInstructions } from '../answering/prompt.ts';
import type { ModelChoice } from '../notebook/settings.ts';
import { apiKeyFor } from './api-key.ts';
import type { AnswerModel } from './answer-turn.ts';
import { editorModel } from './editor-models.ts';
import { instructions, temperature } from './settings.ts';

/** The model that was picked, made anew for every question, so that a change needs no reload. */
export async function answerModel(choice: ModelChoice, secrets: vscode.SecretStorage): Promise<AnswerModel> {
  const told = instructions() || defaultInstructions;
  switch (choice.kind) {
    case 'quotes':
      return { model: undefined, instructions: told };
    case 'editor':
      return { model: await editorModel(choice), instructions: told };
    case 'endpoint': {
      const { baseUrl, name, windowTokens } = choice;
      const apiKey = await apiKeyFor(secrets, baseUrl);
      // Loaded with the first question to a model: it is the largest part of the extension, and many need none.
      const { openAiModel } = await import('../answering/models/openai.ts');
      const options = { baseUrl, name, windowTokens, temperature: temperature(), apiKey, fetch };
      return { model: openAiModel(options), instructions: told };
    }
  }
}
