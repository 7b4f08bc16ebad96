import * as vscode from 'vscode';
import type { ModelServer } from '../../../answers/models/model-provider.ts';
import type { ModelChoice } from '../../../core/domain/model-choice.ts';
import { offer } from '../../../platform/dialogs.ts';
import { manageEndpoints, testEndpointKey } from '../editor/endpoint-manager.ts';
import { askForApiKey, removeApiKey } from '../editor/enter-api-key.ts';
import { pickModel } from '../editor/model-picker.ts';
import { baseUrl } from '../../../platform/settings.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';

/** Returns the commands for the model that writes the answers, its keys, and its usage. */
export function modelCommands(parts: Services): Commands {
  const { chat, conversation, meaning, models, providers, usageReports } = parts;
  const current = async (): Promise<ModelChoice> => (await models.of(await conversation.id())).current;
  /** Runs a command about the key of the current model's server, or of the default endpoint if there is no model. */
  const withServer = async (
    run: (server: ModelServer, choice: ModelChoice) => Promise<unknown>,
  ): Promise<void> => {
    const choice = await current();
    const server = providers.find(choice)?.server ?? providers.serverAt({ address: baseUrl() });
    if (server?.key !== undefined) {
      await run(server, choice);
      return;
    }
    await offer(
      vscode.l10n.t('{0} doesn’t need an API key from you.', server?.label ?? baseUrl()),
      vscode.l10n.t('Manage Endpoints and API Keys…'),
      () => manageEndpoints(providers, choice),
    );
  };
  return {
    pickModel: async () => {
      const id = await conversation.id();
      const picked = await pickModel(await models.of(id), providers);
      if (picked !== undefined) await models.pick(picked.choice, picked.forConversation ? id : undefined);
      await chat.focus();
    },
    findByMeaning: async () => {
      const { findByMeaning } = await import('../../semantic-search/editor/find-by-meaning.ts');
      await findByMeaning(meaning);
    },
    manageEndpoints: async () => {
      await manageEndpoints(providers, await current());
    },
    setApiKey: () => withServer((server) => askForApiKey(providers.secrets, server)),
    testApiKey: () => withServer((server, choice) => testEndpointKey(providers, server, choice)),
    removeApiKey: () => withServer((server) => removeApiKey(providers.secrets, server, server.label)),
    showUsage: () => usageReports.show(),
  };
}
