// A provider of models in one file, without a server: an example, and the one that tests add.
import type { ModelProvider, ModelServer, ServerPlace } from '../../src/answers/models/model-provider.ts';
import { apiKeyFor, type KeyStorage } from '../../src/features/models/editor/api-key.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { ProvidedChoice } from '../../src/core/domain/model-choice.ts';

const PREFIX = 'garden/';
const PLACE: ServerPlace = { address: 'https://garden.example' };

/** Key that the garden accepts. */
export const GARDEN_KEY = 'rose';

/** Model that the garden lists. */
export const GARDEN_MODEL: ProvidedChoice = { kind: 'garden', name: 'rose-1' };

/** Returns a provider whose models answer with the last message, and which offers embeddings and speech. */
export function gardenProvider(secrets: KeyStorage): ModelProvider {
  const checkKey = async (): Promise<void> => {
    const key = await apiKeyFor(secrets, PLACE);
    if (key === GARDEN_KEY) return;
    throw new NotebookError('unauthorized', 'The garden requires a key.', { action: 'setApiKey' });
  };
  const abilities = { windowTokens: 1_000, tools: true };
  const server: ModelServer = {
    ...PLACE,
    label: 'Garden',
    isDetected: false,
    isEditable: false,
    key: { isRequired: false, test: checkKey },
    list: async () => {
      await checkKey();
      return [{ choice: GARDEN_MODEL, offeredBy: 'Garden', abilities }];
    },
    embed: (_, texts, { onUsage }) => {
      onUsage?.({ input: texts.length, output: 0, estimated: 0 });
      return Promise.resolve(texts.map(({ length }) => Float32Array.of(length)));
    },
    speak: (_, { text }) => Promise.resolve(new TextEncoder().encode(text)),
  };
  return {
    kind: 'garden',
    servers: () => [server],
    model: (choice) => ({
      choice,
      ...{ id: choice.name, server, abilities, offeredBy: 'Garden' },
      ...{ provider: 'Garden', receiver: 'garden.example', cost: 'metered', prices: { input: 1, output: 2 } },
      settingName: `${PREFIX}${choice.name}`,
      open: () =>
        Promise.resolve({
          name: choice.name,
          async *stream(messages) {
            await checkKey();
            yield messages.at(-1)?.content ?? '';
          },
        }),
    }),
    modelInSetting: (settingName) =>
      settingName.startsWith(PREFIX) ? { kind: 'garden', name: settingName.slice(PREFIX.length) } : undefined,
  };
}
