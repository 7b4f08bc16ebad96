import type * as vscode from 'vscode';
import type { EndpointAccess } from '../../answering/models/openai-client.ts';
import type { NamedEndpoint } from '../../notebook/endpoint.ts';
import type { ModelChoice } from '../../notebook/model-choice.ts';
import { apiKeyFor } from './api-key.ts';
import { endpoints } from '../settings.ts';

/** Where an endpoint is; with its name where it has one, since several may have one address. */
export interface EndpointPlace {
  readonly address: string;
  readonly name?: string | undefined;
}

/** What the settings say of an endpoint: by its name, or else of the first at its address. */
export function settingsOf({ address, name }: EndpointPlace): NamedEndpoint | undefined {
  const there = endpoints().filter((endpoint) => endpoint.address === address);
  return there.find((endpoint) => endpoint.name === name) ?? there[0];
}

/** A choice with the name that its endpoint has by now. */
export function asNamedNow(choice: ModelChoice): ModelChoice {
  if (choice.kind !== 'endpoint') return choice;
  return { ...choice, endpoint: settingsOf({ address: choice.baseUrl, name: choice.endpoint })?.name };
}

/** How an endpoint is reached, with its key. `fetch` is the editor's own, which minds its proxy and certificates. */
export async function accessTo(secrets: vscode.SecretStorage, place: EndpointPlace): Promise<EndpointAccess> {
  const { name = place.name, headers, keyHeader, apiVersion } = settingsOf(place) ?? {};
  // What was picked under another name than its endpoint has by now still gets the key.
  const apiKey = await apiKeyFor(secrets, { address: place.address, name });
  return { baseUrl: place.address, apiKey, headers, keyHeader, apiVersion, fetch };
}
