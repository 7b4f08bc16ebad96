import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { instead } from './instead.ts';

/** Response of a scripted user to the next list, input box, or message with buttons. */
export type UserStep =
  /**
   * Selects the first item of a list that contains some words, once the list has it and isn't busy, or the button behind
   * the item that has a tooltip.
   */
  | { readonly pick: string; readonly button?: string }
  /** Selects several items of a list by their words. */
  | { readonly pickAll: readonly string[] }
  /** Enters a text into an input box. */
  | { readonly enter: string }
  /** Selects a button of a message or a dialog, after a change of the world outside. */
  | { readonly press: string; readonly after?: () => void }
  | 'dismiss';

type Choice = vscode.QuickPickItem | string;
type Message = (message: string, ...rest: readonly unknown[]) => Promise<string | undefined>;

/** Answers the lists, input boxes, and messages of the editor's window as a test scripts it. */
export class ScriptedUser {
  /** The text of each list, input box, and message, in order. A list has one line for each item. */
  readonly seen: string[] = [];
  /** The line of the item that was active when the last list stopped growing. */
  firstActive: string | undefined;
  #steps: UserStep[] = [];

  /**
   * Runs an action while the user responds to each question with a step. A message without buttons isn't a question.
   * @throws AssertionError if a step doesn't fit its question, or if one is left
   */
  async during<T>(steps: readonly UserStep[], act: () => T | Promise<T>): Promise<T> {
    this.#steps = [...steps];
    const functions = {
      showQuickPick: this.#showQuickPick,
      createQuickPick: () => this.#createQuickPick(),
      showInputBox: this.#showInputBox,
      showInformationMessage: this.#showMessage,
      showWarningMessage: this.#showMessage,
      showErrorMessage: this.#showMessage,
    };
    const result = await instead(functions, act);
    assert.deepEqual(this.#steps, [], `Not every step was taken:\n${this.seen.join('\n')}`);
    return result;
  }

  /** Returns the texts that match a pattern. */
  matching(pattern: RegExp): string[] {
    return this.seen.filter((text) => pattern.test(text));
  }

  readonly #showQuickPick = async (
    items: readonly Choice[] | Thenable<readonly Choice[]>,
    options: vscode.QuickPickOptions = {},
  ): Promise<Choice | readonly Choice[] | undefined> => {
    const all = await items;
    this.seen.push([options.title, options.placeHolder, ...all.map(describeItem)].join('\n'));
    const step = this.#next('a list');
    if (step === 'dismiss') return undefined;
    if ('pickAll' in step) return step.pickAll.map((words) => this.#find(all, words));
    assert.ok('pick' in step, `A list was shown instead of ${JSON.stringify(step)}.`);
    return this.#find(all, step.pick);
  };

  readonly #showInputBox = async (options: vscode.InputBoxOptions = {}): Promise<string | undefined> => {
    this.seen.push([options.title, options.prompt, options.value].join('\n'));
    const step = this.#next('an input box');
    if (step === 'dismiss') return undefined;
    assert.ok(
      typeof step === 'object' && 'enter' in step,
      `An input box was shown instead of ${JSON.stringify(step)}.`,
    );
    const problem = await options.validateInput?.(step.enter);
    if (!problem) return step.enter;
    // The box stays open with the problem below it, and the user enters something else or dismisses it.
    this.seen.push(typeof problem === 'string' ? problem : problem.message);
    return this.#showInputBox(options);
  };

  readonly #showMessage: Message = (message, ...rest) => {
    const [options] = rest;
    const { detail = '' } = typeof options === 'object' ? (options as vscode.MessageOptions) : {};
    const buttons = rest.filter((one) => typeof one === 'string');
    this.seen.push([message, detail, ...buttons].join('\n'));
    return Promise.resolve().then(() => (buttons.length === 0 ? undefined : this.#press(message, buttons)));
  };

  #press(message: string, buttons: readonly string[]): string | undefined {
    const step = this.#next(message);
    if (step === 'dismiss') return undefined;
    assert.ok(
      'press' in step && buttons.includes(step.press),
      `${message} asks instead of ${JSON.stringify(step)}.`,
    );
    step.after?.();
    return step.press;
  }

  #createQuickPick(): vscode.QuickPick<vscode.QuickPickItem> {
    const hidden = new vscode.EventEmitter<void>();
    const accepted = new vscode.EventEmitter<void>();
    const selected = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
    const itemTriggered = new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>();
    const triggered = new vscode.EventEmitter<vscode.QuickInputButton>();
    const changed = new vscode.EventEmitter<string>();
    let step: UserStep | undefined;
    let index = -1;
    const take = (): void => {
      if (index < 0) return;
      const items = picker.items.map(describeItem);
      this.seen[index] = [picker.title, picker.placeholder, ...items].join('\n');
      if (step === undefined || picker.busy) return;
      const [active = picker.items[0]] = picker.activeItems;
      this.firstActive = active && describeItem(active);
      if (step === 'dismiss') {
        step = undefined;
        hidden.fire();
        return;
      }
      assert.ok('pick' in step, `A list was shown instead of ${JSON.stringify(step)}.`);
      const { pick, button: tooltip } = step;
      const item = picker.items.find((one) => describeItem(one).includes(pick));
      if (item === undefined) return;
      step = undefined;
      const button = item.buttons?.find((one) => one.tooltip === tooltip);
      if (button !== undefined) {
        itemTriggered.fire({ item, button });
        return;
      }
      assert.equal(tooltip, undefined, `${item.label} has no button ${String(tooltip)}.`);
      picker.activeItems = [item];
      picker.selectedItems = [item];
      selected.fire([item]);
      accepted.fire();
    };
    let items: readonly vscode.QuickPickItem[] = [];
    let isBusy = false;
    const picker = {
      title: '',
      placeholder: '',
      value: '',
      get busy() {
        return isBusy;
      },
      set busy(next) {
        isBusy = next;
        setImmediate(take);
      },
      activeItems: [] as readonly vscode.QuickPickItem[],
      selectedItems: [] as readonly vscode.QuickPickItem[],
      get items() {
        return items;
      },
      set items(next) {
        items = next;
        setImmediate(take);
      },
      onDidHide: hidden.event,
      onDidAccept: accepted.event,
      onDidChangeSelection: selected.event,
      onDidTriggerButton: triggered.event,
      onDidTriggerItemButton: itemTriggered.event,
      onDidChangeValue: changed.event,
      show: () => {
        index = this.seen.push('') - 1;
        step = this.#next('a list');
        setImmediate(take);
      },
      dispose: () => {
        take();
        for (const emitter of [hidden, accepted, selected, triggered, itemTriggered, changed])
          emitter.dispose();
      },
    };
    return picker as unknown as vscode.QuickPick<vscode.QuickPickItem>;
  }

  #next(question: string): UserStep {
    const step = this.#steps.shift();
    assert.ok(step !== undefined, `No step is left for ${question}:\n${this.seen.at(-1) ?? ''}`);
    return step;
  }

  #find(items: readonly Choice[], words: string): Choice {
    const choice = items.find((item) => describeItem(item).includes(words));
    assert.ok(choice !== undefined, `The list has no ${words}:\n${this.seen.at(-1) ?? ''}`);
    return choice;
  }
}

function describeItem(item: Choice): string {
  if (typeof item === 'string') return item;
  return [item.label, item.description, item.detail]
    .filter((part) => part !== undefined && part !== '')
    .join(' | ');
}
