import type { ModelChoice } from '../../notebook/model-choice.ts';
import { askForApiKey, removeApiKey } from '../models/api-key.ts';
import { manageEndpoints, testEndpointKey } from '../models/endpoint-manager.ts';
import { knownEndpoints, type Endpoint } from '../models/model-items.ts';
import { pickModel } from '../models/model-picker.ts';
import { baseUrl } from '../settings.ts';
import type { CommandParts, Commands } from './command-parts.ts';

/** Returns the commands for the model that writes the answers, its keys, and its usage. */
export function modelCommands(parts: CommandParts): Commands {
  const { chat, conversation, meaning, models, secrets, usageReports } = parts;
  const current = async (): Promise<ModelChoice> => (await models.of(await conversation.id())).current;
  return {
    pickModel: async () => {
      const id = await conversation.id();
      const picked = await pickModel(await models.of(id), secrets);
      if (picked !== undefined) await models.pick(picked.choice, picked.forConversation ? id : undefined);
      await chat.focus();
    },
    findByMeaning: async () => {
      const { findByMeaning } = await import('../models/find-by-meaning.ts');
      await findByMeaning(meaning);
    },
    manageEndpoints: async () => {
      await manageEndpoints(secrets, await current());
    },
    setApiKey: async () => {
      await askForApiKey(secrets, findEndpoint(await current()));
    },
    testApiKey: async () => {
      const choice = await current();
      await testEndpointKey(secrets, findEndpoint(choice), choice);
    },
    removeApiKey: async () => {
      await removeApiKey(secrets, findEndpoint(await current()));
    },
    showUsage: () => usageReports.show(),
  };
}

/** Returns the endpoint for a command about its key. */
function findEndpoint(choice: ModelChoice): Endpoint {
  const address = choice.kind === 'endpoint' ? choice.baseUrl : baseUrl();
  const name = choice.kind === 'endpoint' ? choice.endpoint : undefined;
  const endpointsAtAddress = knownEndpoints().filter((endpoint) => endpoint.address === address);
  return (
    endpointsAtAddress.find((endpoint) => endpoint.name === name) ??
    endpointsAtAddress[0] ?? { address, label: URL.parse(address)?.host ?? address, isUsual: false }
  );
}
