import type { KeyStorage } from './api-key.ts';
import { editorProvider } from './editor-provider.ts';
import { EndpointProvider } from './endpoint-provider.ts';
import { ModelProviders } from './model-providers.ts';

/** Returns all providers, in the order of the list of models. */
export function modelProviders(secrets: KeyStorage): ModelProviders {
  return new ModelProviders([editorProvider, new EndpointProvider(secrets)], secrets);
}
