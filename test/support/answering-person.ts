// A user in the extension host who answers what commands ask, and records what they report.
import * as vscode from 'vscode';
import { instead } from './instead.ts';

interface Plan {
  /** Texts to enter in input boxes, in order. */
  readonly types?: readonly string[];
  /** Labels of the items to select in lists, in order. A further list is closed. */
  readonly picks?: readonly string[];
  /** Buttons to select in messages that offer them. */
  readonly presses?: readonly string[];
  /**
   * Labels of the items to select in the list of notebooks, in order, or the label and the tooltip of an item's button.
   * A further list is closed.
   */
  readonly notebooks?: readonly (string | readonly [label: string, button: string])[];
}

export interface Answered {
  /** Messages that were shown, with the details of dialogs. */
  readonly messages: readonly string[];
  /** Lists that were shown, with a line `label · description` for each item. */
  readonly lists: readonly (readonly string[])[];
}

/**
 * Runs an action while the functions of a `vscode.window` answer as a user plans. Passes the messages so far to `act`.
 */
export async function answering(
  { types = [], picks = [], presses = [], notebooks = [] }: Plan,
  act: (messages: readonly string[]) => Promise<unknown>,
  window: typeof vscode.window = vscode.window,
): Promise<Answered> {
  const messages: string[] = [];
  const lists: string[][] = [];
  const entered = types.values();
  const picked = picks.values();
  const chosen = notebooks.values();
  const note = (items: readonly vscode.QuickPickItem[]): void => {
    lists.push(items.map(({ label, description = '' }) => `${label} · ${description}`));
  };
  const showMessage = (
    message: string,
    ...rest: readonly (string | vscode.MessageOptions)[]
  ): Promise<string | undefined> => {
    const detail = rest.map((one) => (typeof one === 'string' ? '' : (one.detail ?? ''))).join('');
    messages.push(`${message} ${detail}`.trim());
    return Promise.resolve(
      rest.find((one): one is string => typeof one === 'string' && presses.includes(one)),
    );
  };
  const answers = {
    showErrorMessage: showMessage,
    showInformationMessage: showMessage,
    showWarningMessage: showMessage,
    showInputBox: () => Promise.resolve(entered.next().value),
    showQuickPick: async (
      offered: readonly vscode.QuickPickItem[] | Thenable<readonly vscode.QuickPickItem[]>,
      options: vscode.QuickPickOptions = {},
    ) => {
      const items = await offered;
      note(items);
      const label = picked.next().value;
      if (options.canPickMany === true)
        return items.filter((one) => one.picked === true || one.label === label);
      return items.find((one) => one.label === label);
    },
    // Selects the proposed file or folder.
    showSaveDialog: ({ defaultUri }: vscode.SaveDialogOptions) => Promise.resolve(defaultUri),
    showOpenDialog: ({ defaultUri }: vscode.OpenDialogOptions) => Promise.resolve(defaultUri && [defaultUri]),
    createQuickPick: () =>
      makeQuickPick((items) => {
        note(items);
        return chosen.next().value;
      }),
  };
  await instead(answers, () => act(messages), window);
  return { messages, lists };
}

/** Creates a list that is answered as soon as it is no longer busy. */
function makeQuickPick(
  choose: (
    items: readonly vscode.QuickPickItem[],
  ) => string | readonly [label: string, button: string] | undefined,
): object {
  const accepted = new vscode.EventEmitter<void>();
  const hidden = new vscode.EventEmitter<void>();
  const triggered = new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>();
  const picker = {
    items: [] as readonly vscode.QuickPickItem[],
    activeItems: [] as readonly vscode.QuickPickItem[],
    selectedItems: [] as readonly vscode.QuickPickItem[],
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    onDidTriggerButton: new vscode.EventEmitter<vscode.QuickInputButton>().event,
    onDidTriggerItemButton: triggered.event,
    set busy(isBusy: boolean) {
      if (isBusy) return;
      const choice = choose(picker.items);
      const [label, tooltip] = typeof choice === 'string' ? [choice] : (choice ?? []);
      const item = picker.items.find((one) => one.label === label);
      const button = item?.buttons?.find((one) => one.tooltip === tooltip);
      picker.selectedItems = item === undefined ? [] : [item];
      if (item === undefined) hidden.fire();
      else if (button === undefined) accepted.fire();
      else triggered.fire({ item, button });
    },
    show: () => undefined,
    hide: () => {
      hidden.fire();
    },
    dispose: () => undefined,
  };
  return picker;
}
