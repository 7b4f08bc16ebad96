import type * as vscode from 'vscode';
import type { EndpointAccess } from '../../answering/models/openai-client.ts';
import type { NamedEndpoint } from '../../notebook/endpoint.ts';
import type { ModelChoice } from '../../notebook/model-choice.ts';
import { apiKeyFor, type EndpointPlace } from './api-key.ts';
import type { EmbedderParts } from './embedder.ts';
import { embeddingPrice, endpoints } from '../settings.ts';
import type { UsageMeter } from './usage-meter.ts';

/** Returns the settings of an endpoint by its name, or else those of the first endpoint with its URL. */
export function clientSettings({ address, name }: EndpointPlace): NamedEndpoint | undefined {
  const namedEndpoints = endpoints().filter((endpoint) => endpoint.address === address);
  return namedEndpoints.find((endpoint) => endpoint.name === name) ?? namedEndpoints[0];
}

/** Returns a choice with the current name of its endpoint. */
export function asNamedNow(choice: ModelChoice): ModelChoice {
  if (choice.kind !== 'endpoint') return choice;
  return { ...choice, endpoint: clientSettings({ address: choice.baseUrl, name: choice.endpoint })?.name };
}

/** Returns the URL of an endpoint with its key and its headers. */
export async function accessTo(secrets: vscode.SecretStorage, place: EndpointPlace): Promise<EndpointAccess> {
  const { name = place.name, headers, keyHeader, apiVersion } = clientSettings(place) ?? {};
  // A model that was picked before its endpoint was renamed still gets the key.
  const apiKey = await apiKeyFor(secrets, { address: place.address, name });
  return { baseUrl: place.address, apiKey, headers, keyHeader, apiVersion };
}

/** Returns a function that embeds texts at endpoints and records the usage. */
export function embedAtEndpoints(
  secrets: vscode.SecretStorage,
  meter: UsageMeter,
): EmbedderParts['embedThere'] {
  return async ({ baseUrl, name }, texts, options) => {
    const access = await accessTo(secrets, { address: baseUrl });
    const { embedTexts } = await import('../../answering/models/openai-embeddings.ts');
    const price = embeddingPrice();
    const offer = {
      provider: clientSettings({ address: baseUrl })?.name ?? URL.parse(baseUrl)?.host ?? baseUrl,
      prices: price > 0 ? { input: price, output: 0 } : undefined,
    };
    return await embedTexts({ ...access, name }, texts, {
      ...options,
      onUsage: (usage) => meter.add(name, usage, offer),
    });
  };
}
