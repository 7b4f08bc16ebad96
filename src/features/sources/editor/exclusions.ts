import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { ignoreRule } from '../../../parsers/gitignore.ts';
import { offerAction } from '../../../platform/dialogs.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { readSmallFile, statFile } from '../../../platform/workspace-files.ts';
import { writeAt } from '../../../platform/write-file.ts';
import type { ScopeChoice } from './scope-choice.ts';
import { pathOf, type SourcesNode } from './source-items.ts';
import type { SourceReader } from './source-reader.ts';
import { shortTitle, type StatusReport } from './status-report.ts';

const IGNORE_FILE = '.notebookignore';

/** Maximum size of an ignore file that is edited, in bytes. */
const MAX_IGNORE_FILE_BYTES = 1_000_000;

interface ExclusionParts {
  readonly notebook: Pick<NotebookClient, 'call'>;
  readonly reader: Pick<SourceReader, 'read' | 'waitUntilIdle'>;
  readonly scopes: Pick<ScopeChoice, 'exclude'>;
  readonly status: Pick<StatusReport, 'hide' | 'show'>;
}

type UndoExclusion = () => Promise<void>;

/** Rules that were added to the ignore file of a folder. */
interface AddedRules {
  readonly sourceId: string;
  readonly file: vscode.Uri;
  readonly rules: readonly string[];
  readonly isNewFile: boolean;
}

/**
 * Excludes files and folders from folder sources by rules in a `.notebookignore` file, excludes any rows from the search
 * scope, and undoes both.
 */
export class Exclusions {
  readonly #parts: ExclusionParts;
  /** Exclusions that can be undone, the last one at the end. */
  readonly #done: UndoExclusion[] = [];

  constructor(parts: ExclusionParts) {
    this.#parts = parts;
  }

  /**
   * Adds a rule for each row to the `.notebookignore` file in its source's folder, which is then read again. Offers to
   * undo it in a notification and in the status bar. Skips rows of sources that aren't folders.
   * @throws NotebookError `forbidden` or `disk-full` if the file can't be written
   */
  async exclude(nodes: readonly SourcesNode[]): Promise<void> {
    const excluded = nodes.filter(({ kind, source }) => kind !== 'source' && source.origin.kind === 'folder');
    const [first] = excluded;
    if (first === undefined)
      throw new NotebookError(
        'unsupported',
        vscode.l10n.t('You can exclude only files and folders inside an added folder.'),
      );
    const added: AddedRules[] = [];
    for (const [sourceId, ofSource] of Map.groupBy(excluded, ({ source }) => source.id)) {
      const [{ source } = first] = ofSource;
      if (source.origin.kind !== 'folder') continue;
      const file = vscode.Uri.joinPath(vscode.Uri.parse(source.origin.uri), IGNORE_FILE);
      const text = await readRules(file);
      const rules = ofSource.map((node) => ignoreRule(pathOf(node), node.kind === 'folder'));
      const start = text === undefined || text === '' || text.endsWith('\n') ? (text ?? '') : `${text}\n`;
      await writeAt(file, Buffer.from(`${start}${rules.join('\n')}\n`));
      added.push({ sourceId, file, rules, isNewFile: text === undefined });
      void this.#readAgain(sourceId);
    }
    const sentence =
      excluded.length === 1
        ? vscode.l10n.t('Excluded {0} from {1}.', shortTitle(pathOf(first)), shortTitle(first.source.title))
        : vscode.l10n.t('Excluded {0} files and folders.', excluded.length);
    const tooltip = vscode.l10n.t('Select to include the excluded files and folders again.');
    await this.#report(sentence, tooltip, () => this.#removeRules(added));
  }

  /** Clears the checkboxes of rows, and offers to undo it as `exclude` does. */
  async excludeFromScope(nodes: readonly SourcesNode[]): Promise<void> {
    const [first] = nodes;
    if (first === undefined) return;
    const boxes = nodes.map((node) => ({ sourceId: node.source.id, path: pathOf(node) }));
    const undo = await this.#parts.scopes.exclude(boxes);
    const sentence =
      nodes.length === 1
        ? vscode.l10n.t('Excluded {0} from the search scope.', shortTitle(nameOf(first)))
        : vscode.l10n.t('Excluded {0} items from the search scope.', nodes.length);
    await this.#report(sentence, vscode.l10n.t('Select to include the excluded items again.'), undo);
  }

  /** Undoes an exclusion, by default the last one. */
  async undo(exclusion = this.#done.at(-1)): Promise<void> {
    if (exclusion === undefined || !this.#done.includes(exclusion)) return;
    await exclusion();
    this.#done.splice(this.#done.indexOf(exclusion), 1);
    this.#parts.status.hide();
    await setContextKey('canUndoExcluding', this.#done.length > 0);
  }

  /** Reports an exclusion in the status bar and in a notification, both with Undo. */
  async #report(sentence: string, tooltip: string, undo: UndoExclusion): Promise<void> {
    this.#done.push(undo);
    await setContextKey('canUndoExcluding', true);
    const label = vscode.l10n.t('Undo');
    const action = { label, command: 'openNotebook.undoExcluding', tooltip };
    this.#parts.status.show({ sentence, action });
    void this.#offerUndo(sentence, undo);
  }

  /** Removes rules from ignore files, and reads their sources again. */
  async #removeRules(added: readonly AddedRules[]): Promise<void> {
    for (const { sourceId, file, rules, isNewFile } of added) {
      const lines = (await readRules(file))?.split('\n') ?? [];
      for (const rule of rules) {
        const at = lines.lastIndexOf(rule);
        if (at >= 0) lines.splice(at, 1);
      }
      const text = lines.join('\n');
      if (isNewFile && text === '') await vscode.workspace.fs.delete(file);
      else await writeAt(file, Buffer.from(text));
      void this.#readAgain(sourceId);
    }
  }

  /** Reads a whole source again, after a running read that may have started before the rules changed. */
  async #readAgain(sourceId: string): Promise<void> {
    const { notebook, reader } = this.#parts;
    await reader.waitUntilIdle(sourceId);
    const source = (await notebook.call('sources', {})).find(({ id }) => id === sourceId);
    if (source !== undefined) await reader.read(source);
  }

  async #offerUndo(sentence: string, undo: UndoExclusion): Promise<void> {
    if (await offerAction(sentence, vscode.l10n.t('Undo')))
      await vscode.commands.executeCommand('openNotebook.undoExcluding', undo);
  }
}

/** Returns the display name of a row: the title of a page, or the path of a file or folder. */
function nameOf(node: SourcesNode): string {
  if (node.kind === 'document' && node.source.origin.kind === 'site')
    return node.document.title || node.document.key;
  return pathOf(node) || node.source.title;
}

/** Returns the text of an ignore file; undefined if there is none. */
async function readRules(file: vscode.Uri): Promise<string | undefined> {
  if ((await statFile(file)) === undefined) return undefined;
  return new TextDecoder().decode(await readSmallFile(file, MAX_IGNORE_FILE_BYTES));
}
