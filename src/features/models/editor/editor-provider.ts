import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ModelProvider, ModelServer } from '../../../answers/models/model-provider.ts';
import { editorModel, editorModels } from './editor-models.ts';

/** Prefix of the models in the settings: `vscode/VENDOR/ID`. */
const PREFIX = 'vscode/';

const words = v.pipe(v.string(), v.nonEmpty());
const editorChoice = v.object({ kind: v.literal('editor'), vendor: words, id: words, name: words });

/** The language models of VS Code and its extensions. VS Code asks the user for consent itself. */
export const editorProvider: ModelProvider = {
  kind: 'editor',
  servers: () => [editorServer()],
  model: (stored) => {
    const read = v.safeParse(editorChoice, stored);
    if (!read.success) return undefined;
    const choice = read.output;
    const { vendor, id } = choice;
    return {
      choice,
      id: `${PREFIX}${vendor}/${id}`,
      server: editorServer(),
      abilities: {},
      offeredBy: vendor,
      provider: vendor,
      receiver: vendor,
      cost: 'subscription',
      settingName: `${PREFIX}${vendor}/${id}`,
      open: () => editorModel(choice),
    };
  },
  modelInSetting: (settingName) => {
    if (!settingName.startsWith(PREFIX)) return undefined;
    const [vendor = '', ...rest] = settingName.slice(PREFIX.length).split('/');
    const id = rest.join('/');
    return { kind: 'editor', vendor, id, name: id };
  },
};

function editorServer(): ModelServer {
  return {
    address: 'vscode:',
    label: vscode.l10n.t('VS Code'),
    isDetected: true,
    isEditable: false,
    list: async () =>
      (await editorModels()).map(({ windowTokens, ...choice }) => ({
        choice: { kind: 'editor', ...choice },
        offeredBy: choice.vendor,
        abilities: { windowTokens },
      })),
  };
}
