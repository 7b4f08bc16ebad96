// Windows that tests of several files share: use `test.use({ ...sourcesWindow, files })`, and `startOver` before
// each test.
import type { OpenAIServer } from '../support/openai-server.ts';

type Settings = Readonly<Record<string, unknown>>;

/** For what is added. */
export const sourcesWindow = {
  window: 'sources',
  settings: { 'openNotebook.sites.pause': 0, 'openNotebook.sources.minimumLength': 1 },
};

/** For questions and artifacts without a model. */
export const excerptsWindow = { window: 'excerpts' };

/** For what a model of an endpoint writes. */
export const modelWindow = {
  window: 'model',
  settings: ({ model }: { model: OpenAIServer }, use: (settings: Settings) => Promise<void>): Promise<void> =>
    use(modelSettings(model)),
};

/** For the editor's own models, chat, and test results; an endpoint is set, and no model of it. */
export const editorModelsWindow = {
  window: 'models of the editor',
  editorModel: true,
  settings: ({ model }: { model: OpenAIServer }, use: (settings: Settings) => Promise<void>): Promise<void> =>
    use({
      'chat.disableAIFeatures': false,
      'openNotebook.endpoints': { 'Garden server': model.baseUrl },
    }),
};

/** For what is changed in an editor and not saved. */
export const unsavedWindow = {
  window: 'unsaved',
  settings: {
    'files.autoSave': 'off',
    'editor.acceptSuggestionOnEnter': 'on',
    'editor.autoClosingBrackets': 'never',
  },
};

/** Settings for the test's model. */
export function modelSettings(model: OpenAIServer): Settings {
  return { 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' };
}
