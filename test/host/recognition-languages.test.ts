import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Fetching } from '../../src/platform/fetched-files.ts';
import type { OfferedLanguage } from '../../src/features/ocr/editor/catalog.ts';
import { chooseLanguages } from '../../src/features/ocr/editor/choose-languages.ts';
import type { RecognitionLanguages } from '../../src/features/ocr/editor/recognition-languages.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { instead } from '../support/instead.ts';
import { until } from '../support/until.ts';

type Item = vscode.QuickPickItem & { readonly language?: OfferedLanguage };

/** List as the editor shows it, with the test as its user. */
class ScriptedPicker {
  title = '';
  placeholder = '';
  canSelectMany = false;
  keepScrollPosition = false;
  matchOnDescription = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  busy = false;
  items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  readonly accepted = new vscode.EventEmitter<void>();
  readonly hidden = new vscode.EventEmitter<void>();
  readonly pressed = new vscode.EventEmitter<vscode.QuickInputButton>();
  readonly pressedOnItem = new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<Item>>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidTriggerItemButton = this.pressedOnItem.event;

  isShown = false;

  show(): void {
    this.isShown = true;
  }

  dispose(): void {
    this.isShown = false;
  }

  item(label: string): Item {
    const item = this.items.find((one) => one.label === label);
    assert.ok(item, `The list has no ${label}.`);
    return item;
  }

  /** Returns the labels of the items whose checkbox is on. */
  get checked(): string[] {
    return this.selectedItems.map(({ label }) => label);
  }
}

const { fail } = assert;

suite('choosing recognition languages', () => {
  let folder: string;
  let installed: OfferedLanguage[];
  let removed: string[];
  let downloaded: number;
  /** Errors of the next downloads. Later downloads succeed. */
  let failures: NotebookError[];

  const section = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('openNotebook');
  const chosen = (): unknown => section().get('recognition.languages');

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'languages-'));
    [installed, removed, downloaded, failures] = [[], [], 0, []];
  });

  teardown(async () => {
    // Skip the update, because it takes time even if nothing changes.
    if (section().inspect('recognition.languages')?.globalValue !== undefined)
      await section().update('recognition.languages', undefined, vscode.ConfigurationTarget.Global);
    rmSync(folder, { recursive: true, force: true });
  });

  function languages(): RecognitionLanguages {
    const scripted: Partial<RecognitionLanguages> = {
      folder,
      listInstalled: () => Promise.resolve(installed),
      bytesThere: () => Promise.resolve(downloaded),
      fetch: (language: OfferedLanguage, { onProgress }: Fetching) => {
        const failure = failures.shift();
        if (failure !== undefined) return Promise.reject(failure);
        onProgress(language.bytes);
        installed = [...installed, language];
        return Promise.resolve();
      },
      remove: (code: string) => {
        removed.push(code);
        installed = installed.filter((language) => language.code !== code);
        return Promise.resolve();
      },
    };
    return scripted as RecognitionLanguages;
  }

  /** Actions of a user in the list. */
  interface Visit {
    /** Uses the list once it is filled. */
    readonly use: (picker: ScriptedPicker) => Promise<void> | void;
    /** Agrees to a download. */
    readonly consents?: boolean;
    /** Selects Try Again whenever an error offers it. */
    readonly triesAgain?: boolean;
  }

  async function visit({ use, consents = true, triesAgain = true }: Visit): Promise<string[]> {
    const picker = new ScriptedPicker();
    const messages: string[] = [];
    const inform = (message: string, options?: vscode.MessageOptions, button?: string): Promise<unknown> => {
      messages.push(options?.detail === undefined ? message : `${message} ${options.detail}`);
      return Promise.resolve(consents ? button : undefined);
    };
    const report = (message: string, again: string): Promise<unknown> => {
      messages.push(message);
      return Promise.resolve(triesAgain ? again : undefined);
    };
    const functions = {
      createQuickPick: () => picker,
      showInformationMessage: inform,
      showErrorMessage: report,
    };
    await instead(functions, async () => {
      const done = chooseLanguages(languages());
      await until(() => picker.isShown && picker.items.length > 0 && !picker.busy);
      await use(picker);
      await done;
    });
    return messages;
  }

  const check =
    (...labels: readonly string[]): ((picker: ScriptedPicker) => void) =>
    (picker) => {
      picker.selectedItems = labels.map((label) => picker.item(label));
      picker.accepted.fire();
    };

  test('lists the size of each language, and the host that it comes from', async () => {
    await visit({
      use: (picker) => {
        assert.equal(picker.item('English').description, 'included with Open Notebook');
        assert.match(picker.item('French').description ?? '', /français.* · 0\.7 MB$/);
        assert.deepEqual(picker.checked, ['English']);
        assert.ok(picker.items.some(({ label }) => /^Available from [\w.-]+$/.test(label)));
        picker.hidden.fire();
      },
    });
    assert.deepEqual(chosen(), ['eng']);
  });

  test('changes nothing when the user doesn’t consent to a download', async () => {
    failures = [new NotebookError('internal', 'There is no consent.')];
    const messages = await visit({ use: check('English', 'French'), consents: false });
    assert.match(
      messages[0] ?? '',
      /^Download French \(0\.7 MB\)\? Open Notebook downloads the language data once from .+, verifies it/,
    );
    assert.equal(messages.length, 1);
    assert.deepEqual(chosen(), ['eng']);
  });

  test('uses a language once it is downloaded', async () => {
    const messages = await visit({ use: check('English', 'French') });
    assert.equal(messages[1], 'Open Notebook now recognizes text in these languages: French.');
    assert.deepEqual(chosen(), ['eng', 'fra']);
    await visit({
      use: (picker) => {
        assert.deepEqual(picker.checked.toSorted(), ['English', 'French']);
        picker.hidden.fire();
      },
    });
  });

  test('offers to try again when a download fails, and says why', async () => {
    failures = [
      new NotebookError('damaged', 'Its checksum doesn’t match.'),
      new NotebookError('not-found', 'There is no such file (404).'),
    ];
    const messages = await visit({ use: check('English', 'French') });
    assert.deepEqual(messages.slice(1), [
      'Its checksum doesn’t match.',
      'There is no such file (404).',
      'Open Notebook now recognizes text in these languages: French.',
    ]);
    assert.deepEqual(chosen(), ['eng', 'fra']);
  });

  test('leaves the settings as they are when a failed download isn’t tried again', async () => {
    failures = [new NotebookError('rate-limited', 'Try again in a few minutes (429).')];
    await visit({ use: check('English', 'French'), triesAgain: false });
    assert.deepEqual(chosen(), ['eng']);
  });

  test('says that a stopped download can be resumed', async () => {
    failures = [new NotebookError('cancelled', 'Stopped.')];
    const messages = await visit({ use: check('English', 'French') });
    assert.equal(
      messages[1],
      'You canceled the download of French. The next download resumes where it stopped.',
    );
    assert.deepEqual(chosen(), ['eng']);
    downloaded = 300_000;
    await visit({
      use: (picker) => {
        assert.match(
          picker.item('French').description ?? '',
          /0\.3 MB of 0\.7 MB downloaded\. Select to resume\.$/,
        );
        picker.hidden.fire();
      },
    });
  });

  test('keeps the file of a language that is deselected', async () => {
    await visit({ use: check('English', 'French') });
    await visit({ use: check('French') });
    assert.deepEqual(chosen(), ['fra']);
    await visit({ use: check('English') });
    assert.deepEqual(chosen(), ['eng']);
    assert.deepEqual(removed, []);
    assert.deepEqual(
      installed.map(({ code }) => code),
      ['fra'],
    );
  });

  test('removes a language by its button', async () => {
    await visit({ use: check('English', 'French') });
    await visit({
      use: async (picker) => {
        const item = picker.item('French');
        const button = item.buttons?.[0] ?? fail('There is no button.');
        assert.equal(button.tooltip, 'Remove French');
        picker.pressedOnItem.fire({ item, button });
        await until(() => picker.checked.join() === 'English');
        picker.hidden.fire();
      },
    });
    assert.deepEqual(removed, ['fra']);
    assert.deepEqual(chosen(), ['eng']);
  });
});
