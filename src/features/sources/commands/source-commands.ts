import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { type Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { askForPage, askForText } from '../../chat/commands/prompts.ts';
import { openFileUri, type EditorPlace } from '../../../platform/open-file.ts';
import { isRemovalConfirmed, type Removal } from '../editor/source-removals.ts';
import type { Exclusions } from '../editor/exclusions.ts';
import { pathOf, type SourcesNode } from '../editor/source-items.ts';
import { withoutTitle } from '../editor/source-words.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { inform } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Returns the commands that add sources. */
export function addingCommands({
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
        Array.isArray(selected) && selected.every((item) => item instanceof vscode.Uri) ? selected : [];
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

/** Returns the commands for the sources of the notebook. */
export function sourceCommands(parts: Services): Commands {
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
      await parts.scopes.includeOnly(await notebook.call('sources', {}), boxes);
      await parts.chat.focus();
    },
    excludeFromSource: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      exclusions.exclude(sourcesView.chosenNodes(clicked, selected)),
    excludeFromScope: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      exclusions.excludeFromScope(sourcesView.chosenNodes(clicked, selected)),
    includeInScope: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      parts.scopes.setIncluded(
        sourcesView
          .chosenNodes(clicked, selected)
          .map((node) => ({ sourceId: node.source.id, path: pathOf(node), isIncluded: true })),
      ),
    undoExcluding: (exclusion?: Parameters<Exclusions['undo']>[0]) => exclusions.undo(exclusion),
    copySourceLink: async (clicked?: SourcesNode) => {
      const [source] = sourcesView.listSelected(clicked);
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
      const [source] = sourcesView.listSelected(clicked);
      if (source !== undefined) await showSkippedFiles(notebook, source);
    },
    refreshSource: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      void failures.read(sourcesView.listSelected(clicked, selected));
    },
    retrySource: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      void failures.read(sourcesView.listSelected(clicked, selected));
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

/** Lists the skipped files of a folder with reasons. The chosen file is shown in the Explorer. */
async function showSkippedFiles(notebook: NotebookClient, source: Source): Promise<void> {
  const files = await notebook.call('skippedFiles', { sourceId: source.id });
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
