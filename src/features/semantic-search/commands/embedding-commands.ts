import { askForApiKey } from '../../models/editor/enter-api-key.ts';
import { type Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { embeddingModel } from '../../../platform/settings.ts';

/** Returns the commands for embeddings with an endpoint. */
export function embeddingCommands({ embedder, providers }: Services): Commands {
  return {
    embedSources: () => embedder.start(),
    stopEmbedding: () => embedder.stop(),
    setEmbeddingsApiKey: async () => {
      const model = embeddingModel();
      if (model !== undefined && (await askForApiKey(providers.secrets, { address: model.baseUrl })))
        await embedder.start();
    },
  };
}
