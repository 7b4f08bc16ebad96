import { embeddingPrice } from '../../../platform/settings.ts';
import type { EmbedderParts } from './embedder.ts';
import { hostOf, type ModelProviders } from '../../models/editor/model-providers.ts';
import type { UsageMeter } from '../../models/editor/usage-meter.ts';

/** Returns a function that embeds texts with the providers' models and records the usage. */
export function embedWithProvider(providers: ModelProviders, meter: UsageMeter): EmbedderParts['embedThere'] {
  return async ({ baseUrl, name }, texts, options) => {
    const price = embeddingPrice();
    const offer = {
      provider: providers.serverAt({ address: baseUrl })?.name ?? hostOf(baseUrl),
      prices: price > 0 ? { input: price, output: 0 } : undefined,
    };
    const onUsage: Parameters<ReturnType<ModelProviders['embedding']>>[2]['onUsage'] = (usage) =>
      meter.add(name, usage, offer);
    return await providers.embedding(baseUrl)(name, texts, { ...options, onUsage });
  };
}
