import * as vscode from 'vscode';
import { includedInWords } from '../../../core/domain/counts.ts';
import type { Source } from '../../../core/domain/source.ts';
import { openFileUri } from '../../../platform/open-file.ts';
import type { ScopeChoice } from '../../sources/editor/scope-choice.ts';

interface Item extends vscode.QuickPickItem {
  readonly pick: () => PromiseLike<unknown>;
}

/**
 * Lets the user choose the search scope. Returns `false` if nothing was chosen, or if the Sources view has the focus
 * now.
 */
export async function pickScope(scopes: ScopeChoice, sources: readonly Source[]): Promise<boolean> {
  const shown = await scopes.describeScope(sources);
  const ticked = sources.filter(({ id }) => scopes.isPartlyIncluded(id)).length;
  const file = openFileUri()?.path.split('/').at(-1);
  const mark = (isChosen: boolean): string => (isChosen ? 'check' : 'blank');
  const whole: Item = {
    label: `$(${mark(shown.kind === 'notebook')}) ${vscode.l10n.t('Whole Notebook')}`,
    description: includedInWords({
      ticked: sources.length,
      of: sources.length,
      documents: shown.kind === 'notebook' ? shown.documents : undefined,
    }),
    pick: () => scopes.pickNotebook(),
  };
  const chosen: Item = {
    label: `$(${mark(shown.kind === 'sources')}) ${vscode.l10n.t('Included Sources')}`,
    description: includedInWords({
      ticked,
      of: sources.length,
      documents: shown.kind === 'sources' ? shown.documents : undefined,
    }),
    pick: () => scopes.pickTicked(),
  };
  const openFile: Item = {
    label: `$(${mark(shown.kind === 'file')}) ${vscode.l10n.t('Open File')}`,
    description: file ?? vscode.l10n.t('The file that’s open when you ask'),
    pick: () => scopes.pickOpenFile(),
  };
  let showsSources = false;
  const tick: Item = {
    label: `$(checklist) ${vscode.l10n.t('Choose Sources…')}`,
    pick: async () => {
      showsSources = true;
      await scopes.pickTicked();
      await vscode.commands.executeCommand('openNotebook.sources.focus');
    },
  };
  const item = await vscode.window.showQuickPick(
    [whole, ...(scopes.areAllIncluded(sources) ? [] : [chosen]), openFile, tick],
    {
      title: vscode.l10n.t('Choose Search Scope'),
      placeHolder: vscode.l10n.t('Which sources should answers come from?'),
    },
  );
  await item?.pick();
  return item !== undefined && !showsSources;
}
