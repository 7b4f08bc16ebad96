import { verdictMarkStyle } from '../../../platform/settings.ts';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { unfinishedAt } from '../../../index/library/notebook-file.ts';
import { fileName, freeTitle } from '../../../core/domain/note.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { importNotebook } from './import-notebook.ts';
import { askForName } from '../editor/notebook-picker.ts';
import { directoryOfShown, ENDING, shownPath, showFilled } from './notebook-places.ts';
import type { SourcesNode } from '../../sources/editor/source-items.ts';
import { askWhereToWrite, inform, offerAction, showWarning } from '../../../platform/dialogs.ts';
import { transferSources } from '../../sources/commands/transfer-sources.ts';
import { roots, inWorkspace } from '../../../platform/workspace-files.ts';

/** Maximum number of omitted items that are named, and the maximum length of each name in UTF-16 code units. */
const MAX_NAMED_ITEMS = 10;
const MAX_NAME_LENGTH = 80;

/** Returns the commands that copy, move, export, and import, by name. */
export function libraryCommands(parts: Services): Commands {
  const { notebooks, library, sourcesView } = parts;
  return {
    duplicateNotebook: () => duplicateNotebook(parts),
    copySources: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      transferSources(parts, sourcesView.listSelected(clicked, selected), false),
    moveSources: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      transferSources(parts, sourcesView.listSelected(clicked, selected), true),
    exportNotebook: async () => {
      const name = notebooks.name;
      const kind = { kind: vscode.l10n.t('Open Notebook'), ending: ENDING };
      const uri = await askWhereToWrite(vscode.l10n.t('Export Notebook'), {
        ...kind,
        name: fileName(name, 'Notebook'),
      });
      if (uri === undefined) return;
      const path = shownPath(uri);
      const from = await directoryOfShown(notebooks);
      const title = vscode.l10n.t('Exporting “{0}”', name);
      const { leftOut } = await orNothing(path, () =>
        library.work(title, 'exportNotebook', { from, path, name, roots: roots() }),
      );
      const { researches = [], matrices: tables = [] } = leftOut;
      if (researches.length > 0)
        void showWarning(
          vscode.l10n.t(
            'These research projects don’t fit in the exported notebook “{0}”: {1}. Their reports are included as notes. Delete projects that you no longer need, then export again.',
            name,
            listNames(researches),
          ),
        );
      if (tables.length > 0)
        void showWarning(
          vscode.l10n.t(
            'These extraction tables don’t fit in the exported notebook “{0}”: {1}. Export each table from its own tab.',
            name,
            listNames(tables),
          ),
        );
      inform(vscode.l10n.t('Exported the notebook “{0}” to {1}.', name, basename(path)));
    },
    exportMarkdown: async () => {
      const name = notebooks.name;
      const defaultUri = inWorkspace('');
      const [folder] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t('Export Notebook as Markdown'),
          openLabel: vscode.l10n.t('Export Here'),
          canSelectFiles: false,
          canSelectFolders: true,
          ...(defaultUri && { defaultUri }),
        })) ?? [];
      if (folder === undefined) return;
      const from = await directoryOfShown(notebooks);
      const parent = shownPath(folder);
      const path = join(
        parent,
        freeTitle(fileName(name, 'Notebook'), (candidate) => existsSync(join(parent, candidate))),
      );
      const title = vscode.l10n.t('Exporting “{0}”', name);
      await orNothing(path, () =>
        library.work(title, 'exportMarkdown', { from, to: path, verdictMarks: verdictMarkStyle() }),
      );
      const message = vscode.l10n.t('Exported the notebook “{0}” as Markdown.', name);
      if (await offerAction(message, vscode.l10n.t('Open Folder')))
        await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), true);
    },
    shareNotebook: () => parts.sharing.share(),
    addSharedSources: () => parts.sharing.add(),
    importNotebook: (clicked?: unknown) =>
      importNotebook(parts, clicked instanceof vscode.Uri ? clicked : undefined),
  };
}

async function duplicateNotebook({ notebooks, library }: Services): Promise<void> {
  const before = notebooks.name;
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('Duplicate Notebook'),
    value: vscode.l10n.t('{0} copy', before),
  });
  if (name === undefined) return;
  const from = await directoryOfShown(notebooks);
  const title = vscode.l10n.t('Duplicating “{0}”', before);
  await showFilled(notebooks, name, (to) => library.work(title, 'duplicate', { from, to }));
}

/** Writes to a path, and deletes the unfinished file if writing fails or is canceled. */
async function orNothing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    await rm(unfinishedAt(path), { recursive: true, force: true });
    throw error;
  }
}

/** Returns names in quotation marks, limited in number and length. */
function listNames(names: readonly string[]): string {
  const named = names
    .slice(0, MAX_NAMED_ITEMS)
    .map((title) =>
      title.length > MAX_NAME_LENGTH ? `${title.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : title,
    )
    .map((title) => `“${title}”`);
  return [...named, ...(names.length > MAX_NAMED_ITEMS ? ['…'] : [])].join(', ');
}
