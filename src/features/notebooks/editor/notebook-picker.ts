import * as vscode from 'vscode';
import type { NotebookCounts } from '../../../index/library/library-api.ts';
import { notebookName, type NotebookEntry } from '../../../core/domain/notebook.ts';
import { freeTitle } from '../../../core/domain/note.ts';
import { roleWords } from '../../team/model/roles.ts';
import { isReplica } from './team-links.ts';
import { defaultName, type Notebooks } from './notebooks.ts';
import { ago } from '../../../platform/relative-time.ts';
import { chosenFrom } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

const newButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('add'),
  tooltip: vscode.l10n.t('New Notebook…'),
};

interface Item extends vscode.QuickPickItem {
  /** Key of the notebook; undefined for a new one, and for one that isn't on this machine. */
  readonly key?: string;
  /** Action of an item that isn't on this machine. */
  readonly run?: () => Promise<void>;
}

/** Notebook that isn't on this machine yet. */
interface ElsewhereNotebook {
  readonly label: string;
  readonly description: string;
  readonly run: () => Promise<void>;
}

/** Button beside notebooks in the list. */
export interface NotebookButton extends vscode.QuickInputButton {
  /** Reports whether a notebook has the button; called only for notebooks on this machine. */
  readonly isFor: (key: string) => boolean;
  readonly run: (key: string) => Promise<void>;
}

/** The user's action in the list; empty if the user left it. */
interface Answer {
  readonly picked?: { readonly key: string } | 'new';
  readonly pressed?: () => Promise<void>;
}

/**
 * Asks for one of the offered notebooks and returns its key, or `new` to create one. A pressed button replaces the
 * list, and nothing is picked.
 */
export async function pickNotebook(
  notebooks: Notebooks,
  {
    title,
    placeHolder,
    without,
    buttons = [],
    elsewhere = () => Promise.resolve([]),
  }: {
    readonly title: string;
    readonly placeHolder: string;
    readonly without?: string;
    readonly buttons?: readonly NotebookButton[];
    /** Returns the notebooks that aren't on this machine; they appear in the list as soon as they are known. */
    readonly elsewhere?: () => Promise<readonly ElsewhereNotebook[]>;
  },
): Promise<{ readonly key: string } | 'new' | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  Object.assign(picker, { title, placeholder: placeHolder, matchOnDescription: true, busy: true });
  picker.buttons = [newButton];
  const fill = async (): Promise<void> => {
    const entries = await notebooks.folders.list();
    show(makeItems(notebooks, entries, buttons));
    const keys = ['', ...entries.map(({ id }) => notebooks.toKey(id))];
    const counts = await notebooks.counts(keys);
    show(makeItems(notebooks, entries, buttons, counts));
    const others = await elsewhere();
    if (others.length > 0) show(makeItems(notebooks, entries, buttons, counts, others));
    picker.busy = false;
  };
  const show = (items: readonly Item[]): void => {
    const active = picker.activeItems[0]?.key ?? notebooks.shown.key;
    const offered = items.filter(({ key }) => key === undefined || key !== without);
    picker.items = offered;
    const before = offered.find(({ key }) => key === active);
    if (before !== undefined) picker.activeItems = [before];
  };
  const answer = await chosenFrom<Answer, Item>(picker, (choose, fail) => {
    picker.onDidTriggerButton(() => {
      choose({ picked: 'new' });
    });
    picker.onDidTriggerItemButton(({ button, item: { key } }) => {
      const run = buttons.find((candidate) => candidate === button)?.run;
      if (run !== undefined && key !== undefined) choose({ pressed: () => run(key) });
    });
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item?.run !== undefined) choose({ pressed: item.run });
      else if (item !== undefined) choose({ picked: item.key === undefined ? 'new' : { key: item.key } });
    });
    fill().catch(fail);
  });
  await answer?.pressed?.();
  return answer?.picked;
}

/**
 * Asks for the name of a notebook, which no other has; undefined if the user cancels. `isNew`: `value` is a suggestion.
 * `detail`: sentences below the box.
 */
export async function askForName(
  notebooks: Notebooks,
  {
    title,
    value = '',
    isNew = false,
    detail = '',
  }: {
    readonly title: string;
    readonly value?: string;
    readonly isNew?: boolean;
    readonly detail?: string;
  },
): Promise<string | undefined> {
  const usedNames = new Set((await notebooks.folders.list()).map(({ name }) => name));
  if (!isNew) usedNames.delete(value);
  const typed = await vscode.window.showInputBox({
    title,
    value: isNew ? freeTitle(value, (name) => usedNames.has(name)) : value,
    prompt: [
      vscode.l10n.t('Enter a name. You can open the notebook by this name in any window.'),
      ...(detail === '' ? [] : [detail]),
    ].join(' '),
    validateInput: (words) => {
      const name = notebookName(words);
      if (name === '') return vscode.l10n.t('Enter a name for the notebook.');
      return usedNames.has(name) ? vscode.l10n.t('A notebook named “{0}” already exists.', name) : undefined;
    },
  });
  return typed === undefined ? undefined : notebookName(typed);
}

function makeItems(
  notebooks: Notebooks,
  entries: readonly NotebookEntry[],
  buttons: readonly NotebookButton[],
  counts: ReadonlyMap<string, NotebookCounts> = new Map(),
  elsewhere: readonly ElsewhereNotebook[] = [],
): Item[] {
  const own = entries.find(({ id }) => notebooks.toKey(id) === '');
  const others = entries.filter((entry) => entry !== own);
  const makeItem = (key: string, label: string, usedAt: number | undefined): Item => {
    const isShown = notebooks.shown.key === key;
    const detailParts = [
      ...(key === '' && vscode.workspace.name !== undefined
        ? [vscode.l10n.t('default in this workspace')]
        : []),
      ...describeCounts(counts.get(key)),
      ...(isShown ? [vscode.l10n.t('current')] : usedAt === undefined ? [] : [ago(usedAt)]),
    ];
    // The workspace's own notebook is created with its first use.
    const isThere = key !== '' || isShown || own !== undefined || counts.has('');
    return {
      key,
      label: literalText(label),
      description: detailParts.join(' · '),
      iconPath: new vscode.ThemeIcon(isReplica(key) ? 'organization' : 'notebook'),
      buttons: isThere ? buttons.filter(({ isFor }) => isFor(key)) : [],
    };
  };
  return [
    makeItem('', own?.name ?? defaultName(), undefined),
    ...others.map(({ id, name, usedAt }) => makeItem(id, name, usedAt)),
    ...elsewhere.map((notebook): Item => ({ ...notebook, iconPath: new vscode.ThemeIcon('organization') })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: vscode.l10n.t('New Notebook…'), iconPath: new vscode.ThemeIcon('add'), alwaysShow: true },
  ];
}

function describeCounts(counts: NotebookCounts | undefined): string[] {
  if (counts === undefined) return [];
  const { sources, notes, right } = counts;
  const { language } = vscode.env;
  return [
    ...(right === undefined ? [] : [roleWords(right)]),
    sources === 1
      ? vscode.l10n.t('1 source')
      : vscode.l10n.t('{0} sources', sources.toLocaleString(language)),
    ...(notes === 0
      ? []
      : [notes === 1 ? vscode.l10n.t('1 note') : vscode.l10n.t('{0} notes', notes.toLocaleString(language))]),
  ];
}
