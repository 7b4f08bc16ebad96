import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';

/** Returns the model of the endpoint that the environment names; undefined, with an error printed, if it names none. */
export function endpointModel(): LanguageModel | undefined {
  const [baseUrl, name] = ['OPEN_NOTEBOOK_MODEL_URL', 'OPEN_NOTEBOOK_MODEL_NAME'].map(
    (key) => process.env[key] ?? '',
  );
  const apiKey = process.env.OPEN_NOTEBOOK_MODEL_KEY;
  if (!baseUrl || !name) {
    console.error(
      'The endpoint is not told: set OPEN_NOTEBOOK_MODEL_URL, such as http://localhost:11434/v1, OPEN_NOTEBOOK_MODEL_NAME, and where it asks for one OPEN_NOTEBOOK_MODEL_KEY.',
    );
    process.exitCode = 1;
    return undefined;
  }
  // One that takes no tools says so, and is asked by lines from then on.
  return openAiModel({ baseUrl, apiKey, name, temperature: 0, takesTools: true });
}
