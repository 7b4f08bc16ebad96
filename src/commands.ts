import * as vscode from 'vscode';
import type { ContextSelection } from './core/domain/answer.ts';
import { NotebookError } from './core/domain/errors.ts';
import { askForApiKey } from './features/models/editor/enter-api-key.ts';
import { bibliographyCommands } from './features/bibliography/commands/bibliography-commands.ts';
import { searchCommands } from './features/sources/commands/search-commands.ts';
import { askAboutCommands } from './features/chat/commands/ask-about-commands.ts';
import { captureCommands } from './features/sources/commands/capture-commands.ts';
import { registerCommandsByName, type Commands } from './platform/register-commands.ts';
import type { Services } from './services/services.ts';
import { askForPage, askForQuestion, askForText } from './features/chat/commands/prompts.ts';
import { exportConversation, showConversations } from './features/chat/editor/conversation-list.ts';
import { showDiagnostics } from './platform/diagnostics.ts';
import { libraryCommands } from './features/notebooks/commands/library-commands.ts';
import { copyMcpConfiguration } from './features/mcp/editor/mcp-server.ts';
import { noteCommands, type ReportActions } from './features/notes/commands/note-commands.ts';
import { notebookCommands } from './features/notebooks/commands/notebook-commands.ts';
import { questionCommands, questionParts } from './features/chat/commands/question-commands.ts';
import { openFileUri, type EditorPlace } from './platform/open-file.ts';
import { isRemovalConfirmed, type Removal } from './features/sources/editor/source-removals.ts';
import { pickScope } from './features/chat/editor/scope-picker.ts';
import { modelCommands } from './features/models/commands/model-commands.ts';
import { embeddingModel } from './platform/settings.ts';
import { siteCommands } from './features/crawling/commands/site-commands.ts';
import { studioCommands, type GeneratingActions } from './features/artifacts/commands/artifact-commands.ts';
import { selectionCommands } from './features/chat/commands/selection-commands.ts';
import type { Exclusions } from './features/sources/editor/exclusions.ts';
import { pathOf, type SourcesNode } from './features/sources/editor/source-items.ts';
import { withoutTitle } from './features/sources/editor/source-words.ts';
import { teamCommands } from './features/team/commands/team-commands.ts';
import { teamRightsCommands } from './features/team/commands/team-rights-commands.ts';
import type { Source } from './core/domain/source.ts';
import type { NotebookClient } from './platform/notebook-client.ts';
import { inform } from './platform/dialogs.ts';
import { literalText } from './platform/literal-text.ts';

/** Registers the commands that no feature registers. Errors are shown in one sentence. */
export function registerCommands(
  parts: Services,
  features: GeneratingActions & ReportActions,
): vscode.Disposable {
  const questions = questionParts(parts);
  const commands: Commands = {
    ...adding(parts),
    ...captureCommands(parts),
    ...siteCommands(parts),
    ...asking(parts),
    ...managing(parts),
    ...embedding(parts),
    ...modelCommands(parts),
    ...recognising(parts),
    ...transcribing(parts),
    ...noteCommands({ ...parts, ...features }),
    ...bibliographyCommands(parts),
    ...searchCommands(parts),
    ...studioCommands({ ...parts, ...features }),
    ...questionCommands(parts, questions),
    ...notebookCommands(parts),
    ...teamCommands(parts),
    ...teamRightsCommands(parts),
    openWalkthrough,
    openGuide: (page?: unknown) => openGuide(parts, page),
    copyMcpConfiguration: () => copyMcpConfiguration(parts),
    ...libraryCommands(parts),
  };
  const { showError } = parts;
  return vscode.Disposable.from(
    parts.languages.onDidFindDamaged(
      (language) =>
        void import('./features/ocr/editor/choose-languages.ts')
          .then(({ showDamagedLanguage }) => showDamagedLanguage(parts.languages, language))
          .catch(showError),
    ),
    registerCommandsByName(commands, showError),
  );
}

function adding({
  adder,
  addReports,
  removals,
  copies,
  importer,
  sample,
  chat,
  gitLab,
  privateHosts,
}: Services): Commands {
  return {
    undoAdding: () => addReports.undo(),
    undoRemoving: (removal?: Removal) => removals.undo(removal),
    importKnowledgeBase: () => importer.run(),
    manageGitLabTokens: () => gitLab.manage(),
    managePrivateHosts: () => privateHosts.manage(),
    trySample: async () => {
      await sample.add();
      await chat.focus();
    },
    addToNotebook: async (clicked?: vscode.Uri, selected?: unknown) => {
      const uris =
        Array.isArray(selected) && selected.every((one) => one instanceof vscode.Uri) ? selected : [];
      const uri = clicked ?? openFileUri();
      const named = uris.length > 0 ? uris : uri === undefined ? [] : [uri];
      if (named.length > 0) await adder.addAll({ ...(await copies.findOriginals(named)), isNamed: true });
      else inform(vscode.l10n.t('Open a file first, or right-click a file in the Explorer.'));
    },
    addFiles: async () => {
      const uris = await vscode.window.showOpenDialog({
        canSelectFiles: true,
        canSelectFolders: true,
        canSelectMany: true,
        openLabel: vscode.l10n.t('Add to Notebook'),
      });
      if (uris !== undefined) await adder.addAll({ uris, isNamed: true });
    },
    addWebPage: async () => {
      const url = await askForPage();
      if (url !== undefined) await adder.addAll({ pages: [url], isNamed: true });
    },
    addText: async () => {
      const text = await askForText();
      if (text !== undefined) await adder.addText(text.title, text.text);
    },
  };
}

function asking({
  adder,
  readers,
  pdfs,
  copies,
  notebook,
  conversation,
  chat,
  chatView,
  chatTabs,
  log,
  version,
  models,
  scopes,
  readReports,
  exporter,
}: Services): Commands {
  const ask = async (question: string, selection?: ContextSelection): Promise<void> => {
    await chat.focus();
    await conversation.ask(question, selection);
  };
  return {
    ...selectionCommands({ adder, pdfs, copies, ask }),
    ...askAboutCommands({ adder, readers, ask }),
    ask: async () => {
      const sources = await notebook.call('sources', {});
      const question = await askForQuestion(await scopes.shown(sources));
      if (question !== undefined) await ask(question);
    },
    showConversations: async () => {
      await showConversations(notebook, conversation, exporter);
      await chat.focus();
    },
    exportConversation: async () => {
      const id = await conversation.id();
      const [turns, entries] = await Promise.all([
        conversation.turns(),
        notebook.call('conversations', { words: '' }),
      ]);
      const title = entries.find((entry) => entry.id === id)?.title ?? turns[0]?.question;
      if (title === undefined)
        throw new NotebookError(
          'empty',
          vscode.l10n.t('There’s nothing to export yet. Ask a question first.'),
        );
      await exportConversation(notebook, { id, title }, exporter);
    },
    openChat: () => chatView.focus(),
    openChatInEditor: () => chatTabs.open(),
    openChatInNewWindow: () => chatTabs.openInNewWindow(),
    newConversation: async () => {
      await conversation.startNew();
      await chat.focus();
    },
    pickScope: async () => {
      if (await pickScope(scopes, await notebook.call('sources', {}))) await chat.focus();
    },
    showWhatWasRead: (turnId?: unknown) => readReports.show(typeof turnId === 'string' ? turnId : undefined),
    openSettings: async () => {
      await vscode.commands.executeCommand(
        'workbench.action.openSettings',
        '@ext:open-notebook.open-notebook',
      );
    },
    showLog: () => log.show(),
    showDiagnostics: async () => {
      await showDiagnostics(notebook, (await models.of(await conversation.id())).current, version);
    },
  };
}

function managing(parts: Services): Commands {
  const { notebook, reader, removals, sourcesView, opener, failures, exclusions } = parts;
  const open = async (node: SourcesNode, place: EditorPlace): Promise<void> => {
    const document =
      node.kind === 'document'
        ? node.document
        : (await notebook.call('documents', { sourceId: node.source.id }))[0];
    if (document === undefined) return;
    if (node.source.origin.kind === 'selection') await opener.openSelection(document, place);
    else await opener.openDocument(document, place);
  };
  return {
    openSource: async (node?: SourcesNode | 'focused') => {
      if (node === 'focused') await sourcesView.openFocused();
      else {
        const [target] = sourcesView.chosenNodes(node);
        if (target !== undefined) await open(target, vscode.ViewColumn.Active);
      }
    },
    previewSource: (node: SourcesNode) => open(node, sourcesView.placeOfClick(node)),
    askAboutSource: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const nodes = sourcesView.chosenNodes(clicked, selected);
      if (nodes.length === 0) return;
      const boxes = nodes.map((node) => ({ sourceId: node.source.id, path: pathOf(node) }));
      await parts.scopes.tickOnly(await notebook.call('sources', {}), boxes);
      await parts.chat.focus();
    },
    excludeFromSource: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      exclusions.exclude(sourcesView.chosenNodes(clicked, selected)),
    excludeFromScope: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      exclusions.excludeFromScope(sourcesView.chosenNodes(clicked, selected)),
    includeInScope: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      parts.scopes.tick(
        sourcesView
          .chosenNodes(clicked, selected)
          .map((node) => ({ sourceId: node.source.id, path: pathOf(node), isIncluded: true })),
      ),
    undoExcluding: (exclusion?: Parameters<Exclusions['undo']>[0]) => exclusions.undo(exclusion),
    copySourceLink: async (clicked?: SourcesNode) => {
      const [source] = sourcesView.chosen(clicked);
      if (source !== undefined) await vscode.env.clipboard.writeText(parts.links.toSource(source));
    },
    toggleIncluded: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const rows =
        clicked === undefined ? await sourcesView.rowsOfKey() : sourcesView.chosenNodes(clicked, selected);
      await sourcesView.toggleBoxes(rows);
    },
    renameSource: async (clicked?: SourcesNode | 'focused') => {
      const [node] = clicked === 'focused' ? await sourcesView.rowsOfKey() : sourcesView.chosenNodes(clicked);
      if (node === undefined) return;
      const { source } = node;
      if (node.kind !== 'source')
        throw new NotebookError(
          'unsupported',
          vscode.l10n.t('You can rename only sources here. Rename files in the Explorer.'),
        );
      const title = await vscode.window.showInputBox({
        title: vscode.l10n.t('Rename Source'),
        value: source.title,
        validateInput: (value) =>
          value.trim() === '' ? vscode.l10n.t('Enter a title for the source.') : undefined,
      });
      if (title !== undefined)
        await notebook.call('renameSource', { sourceId: source.id, title: title.trim() });
    },
    showPassedOver: async (clicked?: SourcesNode) => {
      const [source] = sourcesView.chosen(clicked);
      if (source !== undefined) await showPassedOver(notebook, source);
    },
    refreshSource: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      void failures.read(sourcesView.chosen(clicked, selected));
    },
    retrySource: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      void failures.read(sourcesView.chosen(clicked, selected));
    },
    showFailedSources: () => failures.showAll(),
    refreshAll: async () => {
      const sources = await notebook.call('sources', {});
      void failures.read(sources.filter(({ state }) => state.kind !== 'paused'));
    },
    stopReading: async (clicked?: SourcesNode) => {
      if (clicked?.source.state.kind === 'paused') await reader.endPaused(clicked.source);
      else reader.stop(clicked?.source.id);
    },
    removeSource: async (clicked?: SourcesNode | 'focused', selected?: readonly SourcesNode[]) => {
      const nodes =
        clicked === 'focused' ? await sourcesView.rowsOfKey() : sourcesView.chosenNodes(clicked, selected);
      // Below a source, Delete excludes a file or folder.
      if (nodes.length > 0 && nodes.every(({ kind }) => kind !== 'source')) {
        await exclusions.exclude(nodes);
        return;
      }
      const sources = nodes.flatMap(({ kind, source }) => (kind === 'source' ? [source] : []));
      const [first] = sources;
      if (first === undefined) return;
      const question =
        sources.length === 1
          ? vscode.l10n.t('Remove “{0}” from the notebook?', first.title)
          : vscode.l10n.t('Remove {0} sources from the notebook?', sources.length);
      if (await isRemovalConfirmed(sources, question, vscode.l10n.t('Remove')))
        await removals.remove(sources);
    },
    removeSample: async () => {
      const sources = await notebook.call('sources', {});
      await removals.remove(sources.filter((source) => parts.sample.has(source)));
    },
    clearNotebook: async () => {
      const sources = await notebook.call('sources', {});
      if (sources.length === 0) return;
      const question = vscode.l10n.t('Remove all {0} sources from the notebook?', sources.length);
      if (await isRemovalConfirmed(sources, question, vscode.l10n.t('Remove All')))
        await removals.remove(sources);
    },
  };
}

function recognising({ recognition, languages }: Services): Commands {
  const ids = (clicked?: SourcesNode): string[] | undefined => clicked && [clicked.source.id];
  return {
    pauseRecognition: (clicked?: SourcesNode) => recognition.pause(ids(clicked)),
    resumeRecognition: (clicked?: SourcesNode) => recognition.resume(ids(clicked)),
    chooseRecognitionLanguages: async () => {
      const { chooseLanguages } = await import('./features/ocr/editor/choose-languages.ts');
      await chooseLanguages(languages);
    },
  };
}

function transcribing({
  notebook,
  transcription,
  transcribe,
  renameSpeakers,
  generateChapters,
  removeChapters,
  sourcesView,
}: Services): Commands {
  const ids = (clicked?: SourcesNode): string[] | undefined => clicked && [clicked.source.id];
  const withRecording = async (
    clicked: SourcesNode | undefined,
    run: Services['renameSpeakers'],
  ): Promise<void> => {
    const [node] = sourcesView.chosenNodes(clicked);
    if (node?.kind === 'document') await run(node.document);
    else if (node?.source.origin.kind === 'file')
      await run({ sourceId: node.source.id, uri: node.source.origin.uri });
  };
  return {
    transcribe: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const chosen = sourcesView.chosen(clicked, selected);
      await transcribe(chosen.length > 0 ? chosen : await notebook.call('sources', {}));
    },
    renameSpeakers: (clicked?: SourcesNode) => withRecording(clicked, renameSpeakers),
    generateChapters: (clicked?: SourcesNode) => withRecording(clicked, generateChapters),
    removeChapters: (clicked?: SourcesNode) => withRecording(clicked, removeChapters),
    pauseTranscription: (clicked?: SourcesNode) => transcription.pause(ids(clicked)),
    resumeTranscription: (clicked?: SourcesNode) => transcription.resume(ids(clicked)),
    cancelTranscription: (clicked?: SourcesNode) => transcription.cancel(ids(clicked)),
  };
}

function embedding({ embedder, providers }: Services): Commands {
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

async function openWalkthrough(): Promise<void> {
  const walkthrough = 'open-notebook.open-notebook#firstSteps';
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}

/** Opens a page of the user guide in a Markdown preview, by its file name in media/guide without the extension. */
async function openGuide({ extensionUri }: Services, page: unknown): Promise<void> {
  const name = typeof page === 'string' && /^[\w-]+$/.test(page) ? page : 'README';
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'guide', `${name}.md`);
  await vscode.commands.executeCommand('markdown.showPreview', file);
}

/** Lists the skipped files of a folder with reasons. The chosen file is shown in the Explorer. */
async function showPassedOver(notebook: NotebookClient, source: Source): Promise<void> {
  const files = await notebook.call('passedOver', { sourceId: source.id });
  const items = files.map(({ path, reason }) => ({
    path,
    label: literalText(path),
    detail: literalText(withoutTitle(reason, path.slice(path.lastIndexOf('/') + 1))),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Skipped Files in “{0}”', source.title),
    placeHolder: vscode.l10n.t('Select a file to show it in the Explorer'),
    matchOnDetail: true,
  });
  if (chosen === undefined || source.origin.kind !== 'folder') return;
  const file = vscode.Uri.joinPath(vscode.Uri.parse(source.origin.uri), chosen.path);
  await vscode.commands.executeCommand('revealInExplorer', file);
}
