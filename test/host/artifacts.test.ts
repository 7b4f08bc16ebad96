import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { noteUri } from '../../src/features/notes/editor/note-files.ts';
import type { DeckEntry } from '../../src/features/flashcards/model.ts';
import { instead } from '../support/instead.ts';
import { judgeStatements } from '../support/judge.ts';
import { startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import {
  clearNotebook,
  openWorkspaceNotebook,
  packedApi,
  packedWindow,
  readySource,
  runCommand,
} from '../support/packed-extension.ts';
import { requestPurpose } from '../support/research-requests.ts';
import { writtenReply } from '../support/scripted-writer.ts';
import { until } from '../support/until.ts';

const harbor = `# Harbor

A tide table is a list of the times at which the water is highest.

Ballast refers to heavy material that keeps a ship upright.

A keel is a beam that runs along the bottom of a ship.

A quay is a wall that ships are tied to.

- **Draft** – the depth of the ship below the water.
`;

/** Chooses the entry of a list that has a label. */
const choose =
  (label: string) =>
  (items: readonly vscode.QuickPickItem[]): vscode.QuickPickItem | undefined => {
    const chosen = items.find((item) => item.label === label);
    assert.ok(chosen, `${label} is not among ${items.map((item) => item.label).join(', ')}`);
    return chosen;
  };

suite('artifacts', () => {
  const log = vscode.window.createOutputChannel('Artifacts', { log: true });
  const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'artifacts');
  const templates = join(root, '..', '.notebook', 'templates');
  let notebook: NotebookClient;

  const write = (path: string, content: string | Uint8Array): vscode.Uri => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    return vscode.Uri.file(join(root, path));
  };
  const addFile = async (name: string, content: string): Promise<object> => {
    await runCommand('addToNotebook', [write(name, content)]);
    return { kind: 'source', source: await readySource(notebook, name) };
  };
  /** Writes a file again, and has its source read again. */
  const changeFile = async (name: string, content: string): Promise<void> => {
    write(name, content);
    await runCommand('refreshSource', [{ kind: 'source', source: await readySource(notebook, name) }]);
  };
  const decks = (): Promise<readonly DeckEntry[]> => notebook.call('decks', { now: Date.now(), dayStart: 0 });
  const deckNode = async (): Promise<{ readonly kind: 'deck'; readonly entry: DeckEntry }> => {
    let deck: DeckEntry | undefined;
    await until(async () => {
      [deck] = await decks();
      return deck !== undefined;
    });
    assert.ok(deck);
    return { kind: 'deck', entry: deck };
  };
  const makeDeck = async (): Promise<void> => {
    const row = await addFile('harbor.md', harbor);
    await runCommand('make', [row], { showQuickPick: choose('Flashcards') });
  };
  const textOfNote = async (title: string): Promise<string> => {
    await until(async () => (await notebook.call('notes', {})).some((note) => note.title === title));
    return (await notebook.call('note', { title })).text;
  };

  /** Waits until the head of a note offers something. */
  const untilLens = async (title: string, offer: RegExp): Promise<void> => {
    let offers: string[] = [];
    await until(
      async () => {
        const uri = noteUri(title, { key: '' });
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          (await vscode.workspace.openTextDocument(uri)).uri,
        );
        offers = lenses.map(({ command }) => command?.title ?? '');
        return offers.some((one) => offer.test(one));
      },
      () => offers,
    );
  };

  suiteSetup(() => {
    notebook = openWorkspaceNotebook(log);
  });

  teardown(async () => {
    for (const { id } of await decks()) await notebook.call('removeDeck', { deckId: id });
    for (const { id } of await notebook.call('quizzes', {}))
      await notebook.call('removeQuiz', { quizId: id });
    await clearNotebook(notebook);
    rmSync(root, { recursive: true, force: true });
    rmSync(templates, { recursive: true, force: true });
  });

  suiteTeardown(() => notebook.close());

  test('opens the only deck without a list', async () => {
    await makeDeck();
    const { title } = (await deckNode()).entry;
    await runCommand('learn', [], { showQuickPick: () => assert.fail('A list of decks was shown.') });
    await until(() =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === title)),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('exports a deck for Anki', async () => {
    await makeDeck();
    const file = join(root, 'harbor.apkg');
    await runCommand('exportDeck', [await deckNode()], {
      showQuickPick: choose('Anki'),
      showSaveDialog: ({ defaultUri }: vscode.SaveDialogOptions) => {
        assert.match(defaultUri?.path ?? '', /Flashcards – harbor\.apkg$/);
        return vscode.Uri.file(file);
      },
      showInformationMessage: () => undefined,
    });
    assert.ok(existsSync(file));
  });

  test('shows the changes of a deck before it keeps them', async () => {
    await makeDeck();
    await changeFile(
      'harbor.md',
      `${harbor.replace('a wall that', 'a wall of stone that')}\nA mast is a pole that carries the sails.\n`,
    );
    await until(async () => (await deckNode()).entry.difference?.changed === 1);
    const node = await deckNode();
    let listed: readonly vscode.QuickPickItem[] = [];
    await runCommand('refreshDeck', [node], {
      showQuickPick: (items: readonly vscode.QuickPickItem[]) => void (listed = items),
    });
    const text = listed.map(({ label, detail = '' }) => `${label} ${detail}`).join('\n');
    assert.match(text, /Before: A quay is a wall that ships/);
    assert.match(text, /A mast is a pole/);
    assert.equal((await notebook.call('cards', { deckId: node.entry.id })).length, 5);

    const reports: string[] = [];
    await runCommand('refreshDeck', [node], {
      showQuickPick: (items: readonly vscode.QuickPickItem[]) => items.filter(({ picked }) => picked),
      showInformationMessage: (report: string) => void reports.push(report),
    });
    assert.match(reports[0] ?? '', /1 changed, 1 new, 4 unchanged/);
    await until(async () => (await notebook.call('cards', { deckId: node.entry.id })).length === 6);
    await until(async () => (await deckNode()).entry.difference?.changed === 0);
  });

  test('removes questions from a quiz if the source no longer supports them', async () => {
    const row = await addFile('harbor.md', harbor);
    await runCommand('make', [row], { showQuickPick: choose('Quiz'), showInputBox: () => '3' });
    await until(async () => (await notebook.call('quizzes', {})).length === 1);
    const others = ['bollard is a post', 'fender is a cushion', 'hawser is a rope', 'winch is a drum'];
    await changeFile(
      'harbor.md',
      `# Harbor\n\n${others.map((one) => `A ${one} that ships are moored with.\n`).join('\n')}`,
    );
    await until(async () => (await notebook.call('quizzes', {}))[0]?.difference?.changed === 1);
    const [entry] = await notebook.call('quizzes', {});
    let text = '';
    await runCommand('refreshDeck', [{ kind: 'quiz', entry }], {
      showQuickPick: (items: readonly vscode.QuickPickItem[]) => {
        text = items.map(({ label }) => label).join('\n');
        return items.filter(({ picked }) => picked);
      },
      showInformationMessage: () => undefined,
    });
    assert.match(text, /Removed: no longer in the sources/);
    await until(async () => {
      const { questions } = await notebook.call('quiz', { quizId: entry?.id ?? '' });
      return questions.length === 3 && !JSON.stringify(questions).includes('tide');
    });
  });

  test('adds a card of selected text to the selected deck', async () => {
    await makeDeck();
    await addFile('plain.txt', 'Nothing but a line of words here.\n');
    const document = await vscode.workspace.openTextDocument(
      write('plain.txt', 'Nothing but a line of words here.\n'),
    );
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 33);
    await until(() => vscode.window.activeTextEditor?.selection.isEmpty === false);
    await runCommand('makeCard', [], {
      showQuickPick: [choose('Question card'), choose('Flashcards – harbor')],
      showInputBox: () => 'What is in the file?',
      showInformationMessage: (report: string) => {
        assert.match(report, /Added the card/);
      },
    });
    const { entry } = await deckNode();
    let added: string | undefined;
    await until(async () => {
      added = (await notebook.call('cards', { deckId: entry.id })).find(({ front }) =>
        front.startsWith('What is in'),
      )?.id;
      return added !== undefined;
    });
    const card = await notebook.call('card', { cardId: added ?? '' });
    assert.equal(card.citation?.title, 'plain.txt');
  });

  test('reports that a source defines no terms or has no headings', async () => {
    const row = await addFile('plain.txt', 'Nothing but a line of words here.\n');
    for (const [label, report] of [
      ['Flashcards', /These sources don’t define any terms/],
      ['Mind Map', /These sources have no headings/],
    ] as const) {
      const reports: string[] = [];
      const remember = (text: string): void => void reports.push(text);
      await runCommand('make', [row], {
        showQuickPick: choose(label),
        showInformationMessage: remember,
        showWarningMessage: remember,
        showErrorMessage: remember,
      });
      assert.match(reports.join('\n'), report);
    }
  });

  test('offers a model if the sources define fewer than five terms', async () => {
    const row = await addFile(
      'short.md',
      '# Harbor\n\nA keel is a beam that runs along the bottom of a ship.\n',
    );
    const reports: string[] = [];
    await runCommand('make', [row], {
      showQuickPick: choose('Glossary'),
      showInformationMessage: (...words: readonly string[]): void => void reports.push(words.join(' · ')),
    });
    await until(() => Promise.resolve(reports.length > 0));
    assert.match(reports.join('\n'), /fewer than five terms.* · Generate with a Model/);
  });

  test('generates a note from all sources', async () => {
    await addFile('harbor.md', `${harbor}\nIn 1883, the trade of grain began.\n`);
    await addFile('plain.txt', 'Nothing but a line of words here.\n');
    await runCommand('make', [], {
      showQuickPick: (items: readonly vscode.QuickPickItem[], { title }: vscode.QuickPickOptions) => {
        assert.equal(title, 'Generate from 2 Sources');
        return choose('Timeline')(items);
      },
    });
    assert.match(await textOfNote('Timeline – 2 sources'), /\*\*1883\*\*/);
  });

  test('offers an update of a restored note', async () => {
    const row = await addFile('harbor.md', harbor);
    await runCommand('make', [row], { showQuickPick: choose('Glossary') });
    const title = 'Glossary – harbor';
    await textOfNote(title);
    await runCommand('deleteNote', [{ title }], { showInformationMessage: () => 'Undo' });
    await textOfNote(title);
    await changeFile('harbor.md', `${harbor}\nA mast is a pole that carries the sails.\n`);
    await untilLens(title, /Out of date\. Sources: 1 changed.* Update from Sources/);
  });

  test('asks for a model if a template needs one, and warns about invalid templates', async () => {
    const row = await addFile('harbor.md', harbor);
    mkdirSync(templates, { recursive: true });
    // Each problem of a file is reported once in a window, and a new file in each attempt has all of its problems.
    const attempt = randomUUID();
    writeFileSync(
      join(templates, `letter-${attempt}.md`),
      '---\ntitle: Letter Home\nsize: 3\n---\nA letter.\n',
    );
    writeFileSync(
      join(templates, `picture-${attempt}.md`),
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
    );
    const reports: string[] = [];
    const remember = (...words: readonly string[]): void => void reports.push(words.join(' · '));
    await runCommand('make', [row], {
      showQuickPick: choose('Letter Home'),
      showErrorMessage: remember,
      showWarningMessage: remember,
    });
    const text = reports.join('\n');
    assert.match(
      text,
      /Generating “Letter Home” requires a language model\. Pick a model first\. · Pick Model/,
    );
    assert.match(text, /“size” isn’t a template field.* · Open File/);
    assert.match(text, /picture-\S+\.md isn’t a text file/);
  });

  test('opens a new template that shows its fields', async () => {
    await runCommand('newTemplate');
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^---\ntitle: My Template\n/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  suite('written by a model', () => {
    const settings = vscode.workspace.getConfiguration('openNotebook');
    let model: OpenAIServer;

    suiteSetup(async () => {
      model = await startOpenAIServer();
      await settings.update('model.baseUrl', model.baseUrl, vscode.ConfigurationTarget.Global);
      await settings.update('model.name', 'scripted-1', vscode.ConfigurationTarget.Global);
    });

    suiteTeardown(async () => {
      for (const name of ['model.baseUrl', 'model.name', 'speech.baseUrl', 'speech.model'])
        await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
      await model.close();
    });

    test('keeps the cards that were written before the model failed', async () => {
      const facts = ['pump was installed in 1998', 'barn was rebuilt in 1974', 'well was dug in 1931'];
      for (const fact of facts)
        write(
          `buildings/${fact.slice(0, 4)}.md`,
          `# Building\n\nThe ${fact} by people who lived beside the river, and nobody has changed much of it since.\n`,
        );
      await runCommand('addToNotebook', [vscode.Uri.file(join(root, 'buildings'))]);
      const source = await readySource(notebook, 'buildings');
      let requests = 0;
      model.reply(({ messages }) => {
        if (++requests === 2) return { status: 401, message: 'The key is wrong.' };
        const shown = messages.map(({ content }) => content).join('\n');
        const fact = facts.find((one) => shown.includes(one)) ?? '';
        const [, object = '', deed = '', year = ''] = /^(\w+) was (\w+) in (\d+)/.exec(fact) ?? [];
        return JSON.stringify([
          {
            ...{ kind: 'short', question: `In which year was the ${object} ${deed}?`, answer: year },
            statement: `The ${object} was ${deed} in ${year}.`,
          },
        ]);
      });
      const reports: string[] = [];
      await runCommand('make', [{ kind: 'source', source }], {
        showQuickPick: [choose('Flashcards'), choose('Written by the Model')],
        showInputBox: () => '3',
        showErrorMessage: (report: string) => void reports.push(report),
      });
      assert.match(reports.join('\n'), /key/);
      const { entry } = await deckNode();
      assert.equal(entry.cards, 1);
    });

    test('is generated by Try Again when the endpoint responds again', async () => {
      const setUrl = (url: string): Thenable<void> =>
        settings.update('model.baseUrl', url, vscode.ConfigurationTarget.Global);
      const closed = await startOpenAIServer();
      await closed.close();
      const row = await addFile('harbor.md', harbor);
      mkdirSync(templates, { recursive: true });
      writeFileSync(join(templates, 'letter.md'), '---\ntitle: Letter Home\n---\n\nA letter.\n');
      const reports: string[] = [];
      const tryAgain = async (...words: readonly string[]): Promise<string> => {
        reports.push(words.join(' · '));
        await setUrl(model.baseUrl);
        return 'Try Again';
      };
      model.reply(({ messages }) => writtenReply(messages.map(({ content }) => content).join('\n\n')));
      await setUrl(closed.baseUrl);
      await runCommand('make', [row], { showQuickPick: choose('Letter Home'), showErrorMessage: tryAgain });
      assert.match(await textOfNote('Letter Home – harbor'), /\S/);

      model.reply(() =>
        JSON.stringify([
          {
            ...{ kind: 'short', question: 'What is a keel?', answer: 'A beam' },
            statement: 'A keel is a beam that runs along the bottom of a ship.',
          },
        ]),
      );
      await setUrl(closed.baseUrl);
      await runCommand('make', [row], {
        showQuickPick: [choose('Flashcards'), choose('Written by the Model')],
        showInputBox: () => '1',
        showErrorMessage: tryAgain,
      });
      assert.equal((await deckNode()).entry.cards, 1);
      assert.equal(reports.length, 2);
      for (const report of reports) assert.match(report, /^No response from .* · Pick Model · Try Again$/);
    });

    test('updates a note with the current template, or the saved one if the file is gone', async () => {
      const row = await addFile('harbor.md', harbor);
      mkdirSync(templates, { recursive: true });
      const letter = join(templates, 'letter.md');
      writeFileSync(letter, '---\ntitle: Letter Home\n---\n\nA letter of ten sentences.\n');
      let request = '';
      model.reply(({ messages }) => {
        request = messages.map(({ content }) => content).join('\n\n');
        return writtenReply(request);
      });
      await runCommand('make', [row], { showQuickPick: choose('Letter Home') });
      const title = 'Letter Home – harbor';
      assert.match(await textOfNote(title), /Written by scripted-1\./);
      assert.match(request, /A letter of ten sentences\./);

      writeFileSync(letter, '---\ntitle: Letter Home\n---\n\nA letter of one line.\n');
      await untilLens(title, /^The template has changed\. Update from Sources$/);
      await runCommand('bringUpToDate', [{ title }], { showInformationMessage: () => undefined });
      assert.match(request, /A letter of one line\./);

      rmSync(letter);
      const warnings: string[] = [];
      const reports: string[] = [];
      await runCommand('bringUpToDate', [{ title }], {
        showWarningMessage: (warning: string) => void warnings.push(warning),
        showInformationMessage: (report: string) => void reports.push(report),
      });
      assert.match(warnings.join('\n'), /The template “Letter Home” no longer exists/);
      assert.match(request, /A letter of one line\./);
      assert.match(reports.join('\n'), /is already up to date\./);

      writeFileSync(letter, 'No front matter');
      warnings.length = 0;
      await runCommand('bringUpToDate', [{ title }], {
        showWarningMessage: (warning: string) => void warnings.push(warning),
        showInformationMessage: () => undefined,
      });
      assert.match(
        warnings.join('\n'),
        /Until then, Open Notebook updates “Letter Home – harbor” with the last saved version of the template/,
      );
    });

    test('reports an endpoint without speech, with a button for the settings', async () => {
      const script = '## The water\n\n**Ada:** The quay is a wall.\n\n**Ben:** Why is that?\n';
      await notebook.call('addNote', { title: 'Talk', text: script, citations: [] });
      for (const name of ['speech.baseUrl', 'speech.model'])
        await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
      const reports: string[] = [];
      const offered: string[] = [];
      await runCommand('makeAudio', [{ title: 'Talk' }], {
        showQuickPick: (items: readonly vscode.QuickPickItem[]) => {
          offered.push(...items.map(({ label }) => label));
          return items[0];
        },
        showInputBox: () => 'speaks-1',
        showSaveDialog: () => vscode.Uri.file(join(root, 'talk.wav')),
        showInformationMessage: (question: string, { detail }: vscode.MessageOptions) => {
          assert.match(question, /Generate audio for “Talk”\?/);
          assert.match(detail ?? '', /Open Notebook sends them to 127\.0\.0\.1/);
          return 'Generate';
        },
        showErrorMessage: (...words: readonly string[]) => void reports.push(words.join(' · ')),
      });
      assert.match(
        reports.join('\n'),
        /can’t generate speech, or has no model named speaks-1.* · Open Settings/,
      );
      assert.ok(!existsSync(join(root, 'talk.wav')));
      // Servers that the user never set up are not among them.
      assert.deepEqual(offered, [new URL(model.baseUrl).host, 'OpenAI', '$(add) Add Endpoint…']);
    });

    test('opens the speech settings from an error', async () => {
      await settings.update('speech.baseUrl', model.baseUrl, vscode.ConfigurationTarget.Global);
      await settings.update('speech.model', 'speaks-1', vscode.ConfigurationTarget.Global);
      await notebook.call('addNote', {
        title: 'Talk',
        text: '**Ada:** The quay is a wall.\n',
        citations: [],
      });
      const { commands } = await packedApi();
      const execute = commands.executeCommand.bind(commands);
      const opened: unknown[] = [];
      const watch = (name: string, ...rest: unknown[]): unknown =>
        name === 'workbench.action.openSettings' ? opened.push(rest[0]) : execute(name, ...rest);
      const press = async (): Promise<void> => {
        await runCommand('makeAudio', [{ title: 'Talk' }], {
          showSaveDialog: () => vscode.Uri.file(join(root, 'talk.wav')),
          showInformationMessage: () => 'Generate',
          showErrorMessage: () => 'Open Settings',
        });
        await until(() => opened.length > 0);
      };
      await instead({ executeCommand: watch }, press, commands);
      assert.deepEqual(opened, ['openNotebook.speech']);
    });

    test('reports no saved parts if the model refuses the first one', async () => {
      const fact = 'The pump was installed in 1998 by people who lived beside the river. ';
      const row = await addFile('long.md', `# Pumps\n\n${`${fact.repeat(20)}\n\n`.repeat(200)}`);
      mkdirSync(templates, { recursive: true });
      writeFileSync(join(templates, 'letter.md'), '---\ntitle: Letter Home\n---\n\nA letter.\n');
      model.reply(() => ({ status: 401, message: 'The key is wrong.' }));
      const reports: string[] = [];
      await runCommand('make', [row], {
        showQuickPick: choose('Letter Home'),
        showInformationMessage: (_question: string, { detail }: vscode.MessageOptions) => {
          assert.match(detail ?? '', /Parts of the sources to read: \d+\./);
          return 'Generate';
        },
        showErrorMessage: (report: string) => void reports.push(report),
      });
      assert.match(reports.join('\n'), /key/);
      assert.doesNotMatch(reports.join('\n'), /Saved parts:/);
    });

    suite('and checked by a model that may cost money', () => {
      /** Statements in other words than the source, so that rules leave them to the model. The last one is false. */
      const deeds = [
        { object: 'pump', deed: 'installed', people: 'workers', year: '1998' },
        { object: 'barn', deed: 'rebuilt', people: 'carpenters', year: '1974' },
        { object: 'mill', deed: 'restored', people: 'masons', year: '1952' },
        { object: 'well', deed: 'dug', people: 'carpenters', year: '1931' },
      ];
      const isTrue = (statement: string): boolean => !statement.includes('well');
      const question = ({ object, deed }: (typeof deeds)[number]): string =>
        `In which year was the ${object} ${deed}?`;
      let checks: number;
      let server: OpenAIServer;
      let row: object;

      setup(async () => {
        // Wrong choices of a question are from other files.
        for (const { object, deed, people, year } of deeds)
          write(
            `deeds/${object}.md`,
            `# The ${object}\n\n${object === 'well' ? 'Monks' : people} ${deed} the ${object} in ${year}. Nobody has changed much of it since then, and people still use it every day.\n`,
          );
        await runCommand('addToNotebook', [vscode.Uri.file(join(root, 'deeds'))]);
        row = { kind: 'source', source: await readySource(notebook, 'deeds') };
        // The user decides once per server.
        server = await startOpenAIServer();
        checks = 0;
        server.reply(({ messages, question: prompt }) => {
          if (requestPurpose(messages) === 'fact-check') {
            checks++;
            return judgeStatements(prompt, isTrue);
          }
          const kind = messages.some(({ content }) => content.includes('"choice"')) ? 'choice' : 'short';
          const own = deeds.filter(({ year }) => prompt.includes(year));
          return JSON.stringify(
            own.map((one) => ({
              ...{ kind, question: question(one), answer: one.year },
              statement: `The ${one.object} was ${one.deed} by ${one.people} in ${one.year}.`,
            })),
          );
        });
        const priced = { address: server.baseUrl, inputPrice: 1, outputPrice: 2 };
        await settings.update('endpoints', { Priced: priced }, vscode.ConfigurationTarget.Global);
        await settings.update('model.baseUrl', server.baseUrl, vscode.ConfigurationTarget.Global);
        await settings.update('answer.check', true, vscode.ConfigurationTarget.Global);
      });

      teardown(async () => {
        await settings.update('endpoints', undefined, vscode.ConfigurationTarget.Global);
        await settings.update('model.baseUrl', model.baseUrl, vscode.ConfigurationTarget.Global);
        await settings.update('answer.check', false, vscode.ConfigurationTarget.Global);
        await server.close();
      });

      /** Has questions generated, and returns the messages up to one that matches. */
      const generate = async (
        label: string,
        decision: string | undefined,
        last: RegExp,
      ): Promise<string[]> => {
        const messages: string[] = [];
        const showInformationMessage = (message: string): Promise<string | undefined> => {
          messages.push(message);
          return Promise.resolve(message.includes('Fact-check with') ? decision : undefined);
        };
        const run = async (): Promise<void> => {
          await runCommand('make', [row], {
            showQuickPick: [choose(label), choose('Written by the Model')],
            showInputBox: () => '4',
          });
          await until(
            () => Promise.resolve(messages.some((message) => last.test(message))),
            () => messages,
          );
        };
        await instead({ showInformationMessage }, run, await packedWindow());
        return messages;
      };
      const cardMarks = async (): Promise<(readonly [front: string, isUnchecked: boolean])[]> => {
        const { cards } = await notebook.call('wholeDeck', { deckId: (await deckNode()).entry.id });
        return cards.map(({ front, citation }) => [front, citation?.isUnchecked === true] as const).sort();
      };
      const marks = (of: typeof deeds, isUnchecked: boolean): (readonly [string, boolean])[] =>
        of.map((deed) => [question(deed), isUnchecked] as const).sort();
      test('removes a card that the source doesn’t support, after the user agrees to the cost', async () => {
        const messages = await generate('Flashcards', 'Fact-Check', /^Supported answers/);
        assert.match(
          messages[0] ?? '',
          /^4 answers aren’t fact-checked\. Fact-check with scripted-1\? 127\.0\.0\.1:\d+ may charge for this\. This uses about [\d,]+ tokens\. The cost is about \$0\.\d+\.$/,
        );
        assert.deepEqual(messages.slice(1), [
          'Supported answers: 3. Removed questions with unsupported answers: 1.',
        ]);
        assert.deepEqual(await cardMarks(), marks(deeds.slice(0, 3), false));
      });

      test('removes a question of a quiz that the source doesn’t support', async () => {
        await generate('Quiz', 'Fact-Check', /^Supported answers: 3\. Removed .*: 1\.$/);
        const [entry] = await notebook.call('quizzes', {});
        const { questions } = await notebook.call('quiz', { quizId: entry?.id ?? '' });
        const marked = questions.map((each) => [each.question, each.citation?.isUnchecked === true] as const);
        assert.deepEqual(marked.sort(), marks(deeds.slice(0, 3), false));
      });

      test('marks a statement of a note that the sources don’t support', async () => {
        mkdirSync(templates, { recursive: true });
        writeFileSync(join(templates, 'letter.md'), '---\ntitle: Letter Home\n---\n\nA letter.\n');
        server.reply(({ messages, question: prompt }) => {
          if (requestPurpose(messages) === 'fact-check') return judgeStatements(prompt, isTrue);
          const request = messages.map(({ content }) => content).join('\n');
          const stated = deeds.map(({ object, deed, people, year }) => {
            const passage = new RegExp(`<passage-\\d+ n="(\\d+)"[^>]*>[^<]*the ${object}`).exec(request);
            return `The ${object} was ${deed} by ${people} in ${year} [${passage?.[1] ?? ''}].`;
          });
          return [stated[0], stated[3]].join(' ');
        });
        const title = 'Letter Home – deeds';
        const notes: string[] = [];
        const showInformationMessage = async (message: string): Promise<string> => {
          assert.match(message, /^“Letter Home – deeds” isn’t fact-checked\. Fact-check with scripted-1\?/);
          notes.push(await textOfNote(title));
          return 'Fact-Check';
        };
        const run = async (): Promise<void> => {
          await runCommand('make', [row], { showQuickPick: choose('Letter Home') });
          await until(async () => (await textOfNote(title)) !== notes[0]);
          notes.push(await textOfNote(title));
        };
        await instead({ showInformationMessage }, run, await packedWindow());
        assert.deepEqual(
          notes.map((text) => text.match(/\[(?:not fact-checked|unsupported)\]/g)),
          [['[not fact-checked]', '[not fact-checked]'], ['[unsupported]']],
        );
      });

      test('marks all cards as not fact-checked if the user declines, and doesn’t ask again', async () => {
        await generate('Flashcards', 'Don’t Fact-Check', /Fact-check with/);
        assert.deepEqual(await cardMarks(), marks(deeds, true));
        assert.deepEqual(await generate('Quiz', undefined, /aren’t/), ['4 answers aren’t fact-checked.']);
        assert.equal(checks, 0);
      });
    });
  });
});
