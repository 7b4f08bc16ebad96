import * as vscode from 'vscode';
import type { NotebookFolders } from '../../../index/library/notebook-folders.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import { inform, isConfirmed, offerAction } from '../../../platform/dialogs.ts';
import type { Library } from '../../../platform/library.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Passwords } from '../../pdf/editor/with-password.ts';
import { foldersAround } from './same-places.ts';
import type { SourceReader } from './source-reader.ts';
import { shortTitle, type StatusReport } from './status-report.ts';
import type { StoredCopies } from './stored-copies.ts';
import { deleteAll } from '../../../core/domain/write-file.ts';

interface RemovalParts {
  /** Notebooks of this window, by their keys. */
  readonly notebooks: {
    readonly shown: NotebookClient;
    readonly folders: NotebookFolders;
    client(key: string): NotebookClient;
    directoryFor(key: string): string;
  };
  readonly library: Library;
  readonly reader: SourceReader;
  readonly passwords: Passwords;
  readonly copies: Pick<StoredCopies, 'sourcesRemoved'>;
  readonly status: StatusReport;
}

/** Removed sources, and the copy from which they can be restored. */
export interface Removal {
  /** Key of the notebook that contained the sources. */
  readonly notebook: string;
  /** Folder of the notebook with the copies. */
  readonly directory: string;
  readonly sourceIds: readonly string[];
  /** Original numbers of their documents, by the numbers in the copy. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** Removes sources from the current notebook, and restores them. */
export class SourceRemovals {
  readonly #parts: RemovalParts;
  /** Removals that can be undone, the last one at the end. */
  readonly #removals: Removal[] = [];

  constructor(parts: RemovalParts) {
    this.#parts = parts;
  }

  /**
   * Removes sources with their documents: reading stops, passwords are deleted, and stored copies that no other source
   * uses are deleted. Offers to undo it in a notification and in the status bar.
   * @throws NotebookError `forbidden` if the team's notebook has a source that this member may not remove
   */
  async remove(sources: readonly Source[]): Promise<void> {
    const { notebooks, reader, passwords, copies, status } = this.#parts;
    const [first] = sources;
    if (first === undefined) return;
    const { key } = notebooks.shown;
    const sourceIds = sources.map(({ id }) => id);
    for (const id of sourceIds) {
      reader.stop(id);
      await reader.waitUntilIdle(id);
    }
    const removal = await this.#keep(key, sourceIds);
    if (removal === 'canceled') return;
    try {
      await notebooks.client(key).call('removeSources', { sourceIds });
    } catch (error) {
      if (removal !== undefined) await deleteAll(removal.directory);
      throw error;
    }
    for (const { origin } of sources) if (origin.kind === 'file') await passwords.forget(origin.uri);
    void copies.sourcesRemoved();
    const folder = await this.#readFoldersAround(sources);
    const done =
      sources.length === 1
        ? folder === undefined
          ? vscode.l10n.t('Removed {0} from the notebook.', shortTitle(first.title))
          : vscode.l10n.t(
              'Removed {0}. The folder {1} still contains it.',
              shortTitle(first.title),
              shortTitle(folder.title),
            )
        : vscode.l10n.t('Removed {0} sources from the notebook.', sources.length);
    if (removal === undefined) {
      status.show({ sentence: done });
      return;
    }
    this.#removals.push(removal);
    await setContextKey('canUndoRemoving', true);
    status.show({
      sentence: done,
      action: {
        label: vscode.l10n.t('Undo'),
        command: 'openNotebook.undoRemoving',
        tooltip: vscode.l10n.t('Select to restore the removed sources.'),
      },
    });
    void this.#offerUndo(done, removal);
  }

  /** Restores the sources that were removed last. Citations of them work as before. */
  async undo(removal = this.#removals.at(-1)): Promise<void> {
    const { notebooks, library, status } = this.#parts;
    const index = removal === undefined ? -1 : this.#removals.indexOf(removal);
    if (removal === undefined || index < 0) return;
    const { notebook, directory, sourceIds, numbers } = removal;
    const { there } = await library.work(vscode.l10n.t('Restoring sources'), 'copySources', {
      ...{ from: directory, to: notebooks.directoryFor(notebook) },
      ...{ sourceIds, numbers, move: false },
    });
    this.#removals.splice(this.#removals.indexOf(removal), 1);
    await deleteAll(directory);
    status.hide();
    const ids = new Set(sourceIds);
    if (notebooks.shown.key === notebook)
      await this.#readFoldersAround(
        (await notebooks.shown.call('sources', {})).filter(({ id }) => ids.has(id)),
      );
    await setContextKey('canUndoRemoving', this.#removals.length > 0);
    if (there > 0) inform(vscode.l10n.t('Already in the notebook, so not restored: {0}.', there));
  }

  /**
   * Copies sources, so that they can be restored. Resolves to undefined if that failed and the user removes them
   * nevertheless, which may be necessary on a full disk.
   */
  async #keep(notebook: string, sourceIds: readonly string[]): Promise<Removal | undefined | 'canceled'> {
    const { notebooks, library } = this.#parts;
    const directory = notebooks.folders.newFolderForRemovedSources();
    try {
      const { numbers } = await library.work(vscode.l10n.t('Removing sources'), 'copySources', {
        ...{ from: notebooks.directoryFor(notebook), to: directory },
        ...{ sourceIds, move: false },
      });
      const before = new Map([...numbers].map(([was, is]) => [is, was]));
      return { notebook, directory, sourceIds, numbers: before };
    } catch (error) {
      await deleteAll(directory);
      if (error instanceof NotebookError && error.code === 'cancelled') return 'canceled';
      const reason = error instanceof Error ? error.message : String(error);
      const isAgreed = await isConfirmed(
        vscode.l10n.t('Remove without the option to undo?'),
        vscode.l10n.t('Remove'),
        vscode.l10n.t('Open Notebook can’t save a copy for undo. {0}', reason),
      );
      return isAgreed ? undefined : 'canceled';
    }
  }

  /** Reads folders again that contain removed or restored files and folders. Returns the first one. */
  async #readFoldersAround(sources: readonly Source[]): Promise<Source | undefined> {
    const { notebooks, reader } = this.#parts;
    const ids = new Set(sources.map(({ id }) => id));
    const others = (await notebooks.shown.call('sources', {})).filter(({ id }) => !ids.has(id));
    let first: Source | undefined;
    for (const { origin } of sources) {
      if (origin.kind !== 'file' && origin.kind !== 'folder') continue;
      first ??= (await foldersAround(others, origin.uri))[0]?.source;
      void reader.readAround(origin.uri, others);
    }
    return first;
  }

  async #offerUndo(done: string, removal: Removal): Promise<void> {
    if (await offerAction(done, vscode.l10n.t('Undo')))
      await vscode.commands.executeCommand('openNotebook.undoRemoving', removal);
  }
}

/** Asks in a dialog whether to remove sources. */
export async function isRemovalConfirmed(
  sources: readonly Source[],
  question: string,
  action: string,
): Promise<boolean> {
  const onlyHere = sources.filter(({ origin }) => origin.kind === 'text' || origin.kind === 'copy').length;
  const originals =
    onlyHere === 0
      ? sources.length === 1
        ? vscode.l10n.t('The original isn’t affected.')
        : vscode.l10n.t('The originals aren’t affected.')
      : onlyHere === sources.length
        ? vscode.l10n.t('This notebook has the only copy of the text.')
        : vscode.l10n.t('This notebook has the only copy of {0} of them.', onlyHere);
  const detail = vscode.l10n.t(
    '{0} Conversations keep the text that they cite. You can undo this until you close the window.',
    originals,
  );
  return isConfirmed(question, action, detail);
}
