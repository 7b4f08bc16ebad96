import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { AddReports } from '../../src/features/sources/editor/add-reports.ts';
import { askForCommits } from '../../src/features/sources/editor/git-commits.ts';
import { DroppedSources } from '../../src/features/sources/editor/dropped-sources.ts';
import { SourcesDrop } from '../../src/features/sources/editor/sources-drop.ts';
import type { Report } from '../../src/features/sources/editor/status-report.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { activeLine } from '../support/editor-features.ts';
import { instead } from '../support/instead.ts';
import {
  clearNotebook,
  openWorkspaceNotebook,
  readySource,
  runCommand,
} from '../support/packed-extension.ts';
import { ScriptedUser } from '../support/scripted-user.ts';
import { until } from '../support/until.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

suite('adding sources', () => {
  const log = vscode.window.createOutputChannel('Adding', { log: true });
  const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'adding');
  let notebook: NotebookClient;

  const at = (path: string): vscode.Uri => vscode.Uri.file(join(root, path));
  const write = (path: string, content: string | Uint8Array): vscode.Uri => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    return at(path);
  };
  const titles = async (): Promise<string[]> =>
    (await notebook.call('sources', {})).map(({ title }) => title).toSorted();
  /** Waits until a question finds a text: this side of the notebook learns of changes a moment later. */
  const untilFound = (question: string, text: string): Promise<void> =>
    until(
      async () => (await notebook.call('search', { question, limit: 1 }))[0]?.text.includes(text) === true,
    );
  /** Keys of the documents of a source. */
  const readKeys = async (title: string): Promise<string[]> => {
    const { id } = await readySource(notebook, title);
    return (await notebook.call('documents', { sourceId: id })).map(({ key }) => key).toSorted();
  };
  /** Waits until a source has documents of these keys alone. */
  const readSource = (title: string, wanted: string): Promise<void> =>
    until(async () => (await readKeys(title)).join() === wanted);
  /** Clicks the row of a source. */
  const rowOf = async (title: string | RegExp): Promise<object> => ({
    kind: 'source',
    source: await readySource(notebook, title),
  });

  suiteSetup(() => {
    notebook = openWorkspaceNotebook(log);
  });

  teardown(async () => {
    await clearNotebook(notebook);
    rmSync(root, { recursive: true, force: true });
  });

  suiteTeardown(() => notebook.close());

  test('adds a file once', async () => {
    const uris = [write('harbour.md', prose('harbour')), write('lantern.md', prose('lantern'))];
    await runCommand('addToNotebook', [uris[0], uris]);
    await readySource(notebook, 'harbour.md');
    await runCommand('addToNotebook', [uris[0]]);
    assert.deepEqual(await titles(), ['harbour.md', 'lantern.md']);
  });

  test('adds a file once if several paths lead to it', async () => {
    const uri = write('harbour.md', prose('harbour'));
    symlinkSync(uri.fsPath, join(root, 'port.md'));
    await runCommand('addToNotebook', [uri]);
    await readySource(notebook, 'harbour.md');
    await runCommand('addToNotebook', [at('port.md')]);
    assert.deepEqual(await titles(), ['harbour.md']);
  });

  test('adds no source for a part of an added folder', async () => {
    write('.ignore', 'tools/made/\n');
    const uris = ['tools/hammer.md', 'tools/wood/saw.md', 'tools/made/ladder.md'].map((path) =>
      write(path, prose(path)),
    );
    await runCommand('addToNotebook', [at('tools'), [uris[1], at('tools')]]);
    assert.deepEqual(await readKeys('tools'), ['hammer.md', 'wood/saw.md']);
    for (const uri of [uris[0], at('tools/wood')]) await runCommand('addToNotebook', [uri]);
    assert.deepEqual(await titles(), ['tools']);
    // The folder excludes this file.
    await runCommand('addToNotebook', [uris[2]]);
    assert.deepEqual(await titles(), ['ladder.md', 'tools']);
  });

  test('reads a file in its folder once its own source is removed', async () => {
    for (const name of ['hammer', 'wood/saw', 'steel/file']) write(`tools/${name}.md`, prose(name));
    await runCommand('addToNotebook', [at('tools/hammer.md'), [at('tools/hammer.md'), at('tools/wood')]]);
    await readySource(notebook, 'hammer.md');
    await runCommand('addToNotebook', [at('tools')]);
    assert.deepEqual(await readKeys('tools'), ['steel/file.md']);
    await runCommand('removeSource', [await rowOf('hammer.md')], {
      showWarningMessage: (_: string, __: unknown, button: string) => button,
      showInformationMessage: () => undefined,
    });
    await until(async () => (await readKeys('tools')).join() === 'hammer.md,steel/file.md');
    await runCommand('undoRemoving');
    await until(async () => (await readKeys('tools')).join() === 'steel/file.md');
    assert.deepEqual(await titles(), ['hammer.md', 'tools', 'wood']);
  });

  test('adds the rest if some of it can’t be added', async () => {
    const uris = [at('gone.md'), write('harbour.md', prose('harbour')), at('away.md')];
    const messages: string[] = [];
    await runCommand('addToNotebook', [uris[0], uris], {
      showErrorMessage: (message: string) => void messages.push(message),
    });
    await readySource(notebook, 'harbour.md');
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', /^Can’t add 2 of 3 items\. .*gone\.md.*away\.md/);
  });

  test('reports a file that is already in the notebook, and selects it', async () => {
    write('tools/hammer.md', prose('hammer'));
    await runCommand('addToNotebook', [at('tools')]);
    const source = await readySource(notebook, 'tools');
    const shown: string[] = [];
    const revealed: string[] = [];
    const reports = new AddReports({
      notebook,
      status: { begin: () => (outcome: Report) => void shown.push(outcome.sentence) },
      failures: { follow: () => Promise.resolve({ sources: [], failed: [] }) },
      reveal: (id: string, path: string) => Promise.resolve(void revealed.push(id, path)),
    } as never);
    await reports.report({ added: [], again: [], whole: [{ source, path: 'hammer.md' }], isNamed: true });
    assert.deepEqual(shown, ['hammer.md is already in the notebook, as part of tools.']);
    assert.deepEqual(revealed, [source.id, 'hammer.md']);
  });

  test('skips what ignore files and files.exclude list', async () => {
    write('tools/.gitignore', 'made/*\n!made/kept.md\n*.log\n');
    write('tools/.notebookignore', 'drafts/\n');
    for (const name of ['hammer', 'made/ladder', 'made/kept', 'hidden/secret', 'drafts/plan'])
      write(`tools/${name}.md`, prose(name));
    write('tools/run.log', 'left out');
    write('tools/package-lock.json', '{ "lockfileVersion": 3 }\n');
    const files = vscode.workspace.getConfiguration('files');
    await files.update('exclude', { '**/hidden': true }, vscode.ConfigurationTarget.Workspace);
    try {
      await runCommand('addToNotebook', [at('tools')]);
      assert.deepEqual(await readKeys('tools'), ['hammer.md', 'made/kept.md']);
    } finally {
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('adds an ignored file that the user names', async () => {
    write('.gitignore', 'store/\n');
    await runCommand('addToNotebook', [write('store/rope.md', prose('rope'))], { showWarningMessage: [] });
    await readySource(notebook, 'rope.md');
  });

  test('asks before it adds an ignored folder', async () => {
    write('.ignore', 'store/\n');
    write('store/rope.md', prose('rope'));
    const prompts: string[] = [];
    const answer = (choice: string | undefined) => ({
      showWarningMessage: (question: string) => {
        prompts.push(question);
        return choice;
      },
    });
    await runCommand('addToNotebook', [at('store')], answer(undefined));
    assert.deepEqual(await titles(), []);
    await runCommand('addToNotebook', [at('store')], answer('Add Anyway'));
    await readySource(notebook, 'store');
    const question = 'An ignore file such as .gitignore excludes store. Add it anyway?';
    assert.deepEqual(prompts, [question, question]);
  });

  test('lists the skipped files of a folder with the reasons', async () => {
    write('tools/hammer.md', prose('hammer'));
    write('tools/picture.bin', new Uint8Array([0, 1, 2, 3, 0, 255, 254]));
    await runCommand('addToNotebook', [at('tools')]);
    let listed: readonly vscode.QuickPickItem[] = [];
    await runCommand('showPassedOver', [await rowOf('tools')], {
      showQuickPick: (items: readonly vscode.QuickPickItem[]) => void (listed = items),
    });
    assert.deepEqual(
      listed.map(({ label }) => label),
      ['picture.bin'],
    );
    assert.match(listed[0]?.detail ?? '', /is a binary file/);
  });

  test('stops reading a folder, and keeps finished files', async () => {
    for (let i = 0; i < 1000; i++)
      write(
        `many/note-${String(i)}.md`,
        `# Note ${String(i)}\n\n${'It speaks of the wind and the sea. '.repeat(40)}`,
      );
    await runCommand('addToNotebook', [at('many')]);
    for (;;) {
      const [source] = await notebook.call('sources', {});
      assert.notEqual(source?.state.kind, 'ready');
      if (source?.state.kind === 'reading' && source.state.done > 0) {
        await runCommand('stopReading', [{ kind: 'source', source }]);
        break;
      }
    }
    let kind: string | undefined;
    await until(
      async () => {
        const [source] = await notebook.call('sources', {});
        kind = source?.state.kind;
        if (source?.state.kind !== 'stopped') return false;
        assert.equal(source.state.total, 1000);
        assert.ok(source.state.done < 1000);
        assert.ok(source.documents > 0);
        return true;
      },
      () => kind,
    );
  });

  test('adds open editors once', async () => {
    for (const name of ['harbour', 'lantern'])
      await vscode.window.showTextDocument(write(`${name}.md`, prose(name)), { preview: false });
    await runCommand('addOpenEditors');
    await runCommand('addOpenEditors');
    assert.deepEqual(await titles(), ['harbour.md', 'lantern.md']);
  });

  test('undoes the last add', async () => {
    await runCommand('addToNotebook', [write('harbour.md', prose('harbour'))]);
    await readySource(notebook, 'harbour.md');
    await runCommand('addToNotebook', [write('lantern.md', prose('lantern'))]);
    await readySource(notebook, 'lantern.md');
    await runCommand('undoAdding');
    assert.deepEqual(await titles(), ['harbour.md']);
  });

  test('restores removed text, whose citations still open', async () => {
    await vscode.env.clipboard.writeText(prose('windmill').trim());
    await runCommand('addClipboard');
    const { id } = await readySource(notebook, 'windmill');
    const before = await notebook.call('documents', { sourceId: id });
    const details: unknown[] = [];
    await runCommand('removeSource', [await rowOf('windmill')], {
      showWarningMessage: (_: string, { detail }: vscode.MessageOptions, button: string) => {
        details.push(detail);
        return button;
      },
      showInformationMessage: () => undefined,
    });
    assert.match(details.join(), /^This notebook has the only copy of the text\. .*You can undo this/);
    assert.deepEqual(await titles(), []);
    await runCommand('undoRemoving');
    await untilFound('When was the windmill painted?', 'painted green in 1931');
    const after = await notebook.call('documents', { sourceId: id });
    assert.deepEqual(
      after.map((document) => document.id),
      before.map((document) => document.id),
    );
  });

  test('undoes each removal from its notification', async () => {
    const answers: ((button: string) => void)[] = [];
    for (const name of ['harbour', 'lantern']) {
      await runCommand('addToNotebook', [write(`${name}.md`, prose(name))]);
      await runCommand('removeSource', [await rowOf(`${name}.md`)], {
        showWarningMessage: (_: string, __: unknown, button: string) => button,
        showInformationMessage: () => new Promise((resolve) => answers.push(resolve)),
      });
    }
    assert.deepEqual(await titles(), []);
    answers[0]?.('Undo');
    await until(async () => (await titles()).join() === 'harbour.md');
    await runCommand('undoRemoving');
    await until(async () => (await titles()).join() === 'harbour.md,lantern.md');
  });

  test('keeps earlier sources when the last add is undone', async () => {
    await runCommand('addToNotebook', [write('harbour.md', prose('harbour'))]);
    await readySource(notebook, 'harbour.md');
    await runCommand('addToNotebook', [write('lantern.md', prose('lantern'))]);
    await runCommand('removeSource', [await rowOf('lantern.md')], {
      showWarningMessage: (_: string, __: unknown, button: string) => button,
      showInformationMessage: () => undefined,
    });
    const messages: string[] = [];
    await runCommand('undoAdding', [], {
      showInformationMessage: (message: string) => void messages.push(message),
    });
    assert.deepEqual(messages, ['The sources that you added last were already removed.']);
    assert.deepEqual(await titles(), ['harbour.md']);
  });

  test('adds the clipboard', async () => {
    await vscode.env.clipboard.writeText(prose('windmill').trim());
    await runCommand('addClipboard');
    await readySource(notebook, 'windmill');
  });

  /** Answers the list that asks for a text: by typing into it, or by the label of an item. */
  const answerTextList = (answer: { readonly typed: string } | { readonly label: string }) => () => {
    const changed = new vscode.EventEmitter<string>();
    const accepted = new vscode.EventEmitter<void>();
    const picker = {
      value: '',
      items: [] as readonly vscode.QuickPickItem[],
      selectedItems: [] as readonly (vscode.QuickPickItem | undefined)[],
      onDidHide: () => undefined,
      onDidChangeValue: changed.event,
      onDidAccept: accepted.event,
      dispose: () => undefined,
      show: () =>
        setImmediate(() => {
          if ('typed' in answer) {
            picker.value = answer.typed;
            changed.fire(answer.typed);
            picker.selectedItems = picker.items.slice(0, 1);
          } else picker.selectedItems = [picker.items.find(({ label }) => label.endsWith(answer.label))];
          accepted.fire();
        }),
    };
    return picker;
  };

  test('names clipboard text by its heading if no title is entered', async () => {
    await vscode.env.clipboard.writeText(prose('windmill').trim());
    await runCommand('addText', [], {
      showInputBox: () => '',
      createQuickPick: answerTextList({ label: 'Clipboard' }),
    });
    await readySource(notebook, 'windmill');
    await untilFound('When was the windmill painted?', 'painted green in 1931');
  });

  test('adds pasted text with its lines', async () => {
    const text = prose('windmill').trim();
    await vscode.env.clipboard.writeText(text);
    await runCommand('addText', [], {
      showInputBox: () => 'Mills',
      createQuickPick: answerTextList({ typed: text.replaceAll('\n', ' ') }),
    });
    await readySource(notebook, 'Mills');
    await untilFound('When was the windmill painted?', 'painted green in 1931');
    const [passage] = await notebook.call('search', { question: 'When was the windmill painted?', limit: 1 });
    assert.doesNotMatch(passage?.text ?? '', /windmill The windmill/);
  });

  test('rejects text that is too short', async () => {
    const messages: string[] = [];
    await runCommand('addText', [], {
      showInputBox: () => 'Short',
      createQuickPick: answerTextList({ typed: 'Too short.' }),
      showErrorMessage: (message: string) => void messages.push(message),
    });
    assert.deepEqual(messages, [
      'This text is too short. It has 10 characters, but a source needs at least 100.',
    ]);
    assert.deepEqual(await titles(), []);
  });

  test('adds the selection of a terminal without changing the clipboard', async () => {
    const written = new vscode.EventEmitter<string>();
    const terminal = vscode.window.createTerminal({
      name: 'Pump',
      pty: {
        onDidWrite: written.event,
        open: () => written.fire('The pump lifts 67 litres\r\n'),
        close: () => undefined,
      },
    });
    try {
      await vscode.env.clipboard.writeText('copied before');
      terminal.show();
      await until(async () => {
        await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
        await runCommand('addTerminalSelection', [], { showInformationMessage: () => undefined });
        return (await titles()).length > 0;
      });
      await readySource(notebook, /^Terminal Pump, /);
      await untilFound('How many litres does the pump lift?', '67 litres');
      assert.equal(await vscode.env.clipboard.readText(), 'copied before');
    } finally {
      terminal.dispose();
    }
  });

  test('opens the source of a selection at its first line', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `Boat ${String(i + 1)} was painted green in spring.`);
    const uri = write('boats.md', `${lines.join('\n')}\n`);
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(40, 0, 45, 0);
    await runCommand('addSelection');
    const row = await rowOf(/boats/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runCommand('openSource', [row]);
    await until(() => activeLine() !== undefined);
    assert.deepEqual(activeLine(), [uri.toString(), 41]);
  });

  test('excludes a folder and a file of a source, and undoes it', async () => {
    for (const path of ['tools/old/a.md', 'tools/old/b.md', 'tools/[1] plan.md', 'tools/readme.md'])
      write(path, prose(path));
    await runCommand('addToNotebook', [at('tools')]);
    await readSource('tools', '[1] plan.md,old/a.md,old/b.md,readme.md');
    const { source } = (await rowOf('tools')) as { source: Source };
    const [plan] = await notebook.call('documents', { sourceId: source.id });
    const folder = { kind: 'folder', source, folder: { path: 'old' } };
    const document = { kind: 'document', source, document: plan };
    let undo: (answer: unknown) => void = () => undefined;
    const answer = new Promise((resolve) => (undo = resolve));
    const messages: string[] = [];
    const showInformationMessage = (message: string): unknown => {
      messages.push(message);
      return answer;
    };
    await runCommand('excludeFromSource', [folder, [folder, document]], { showInformationMessage });
    const rules = at('tools/.notebookignore').fsPath;
    assert.equal(readFileSync(rules, 'utf8'), '/old/\n/\\[1] plan.md\n');
    assert.deepEqual(messages, ['Excluded 2 files and folders.']);
    await readSource('tools', 'readme.md');
    undo('Undo');
    await readSource('tools', '[1] plan.md,old/a.md,old/b.md,readme.md');
    assert.equal(existsSync(rules), false);
  });

  test('Delete on a file of a folder excludes it', async () => {
    for (const path of ['tools/a.md', 'tools/b.md']) write(path, prose(path));
    write('tools/.notebookignore', 'nothing');
    await runCommand('addToNotebook', [at('tools')]);
    await readSource('tools', 'a.md,b.md');
    const { source } = (await rowOf('tools')) as { source: Source };
    const [document] = await notebook.call('documents', { sourceId: source.id });
    const showInformationMessage = (): undefined => undefined;
    await runCommand('removeSource', [{ kind: 'document', source, document }], { showInformationMessage });
    await readSource('tools', 'b.md');
    await runCommand('undoExcluding');
    await readSource('tools', 'a.md,b.md');
    assert.equal(readFileSync(at('tools/.notebookignore').fsPath, 'utf8'), 'nothing\n');
  });

  test('reuses the preview tab for text, unless it is pinned', async () => {
    for (const title of ['lamp', 'boat']) {
      const document = readPlainText(prose(title), 'text/plain');
      const input = {
        key: '',
        uri: '',
        hash: title,
        size: 1,
        modifiedAt: 1,
        document: { ...document, title },
      };
      await notebook.call('addSource', { title, origin: { kind: 'text' }, document: input });
    }
    const [lamp, boat] = [await rowOf('lamp'), await rowOf('boat')];
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const tabs = (): string[] =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    await runCommand('previewSource', [lamp]);
    await until(() => tabs().join() === 'lamp', tabs);
    await runCommand('previewSource', [boat]);
    await until(() => tabs().join() === 'boat', tabs);
    await runCommand('openSource', [boat]);
    await runCommand('previewSource', [lamp]);
    await until(() => tabs().toSorted().join() === 'boat,lamp', tabs);
  });

  test('shortens a long title in the status bar, so that Undo fits', async () => {
    await runCommand('addToNotebook', [write('harbour.md', prose('harbour'))]);
    const source = await readySource(notebook, 'harbour.md');
    let shown = '';
    const status = { begin: () => (outcome: Report) => void (shown = outcome.sentence) };
    const long = { ...source, title: 'A long title. '.repeat(20) };
    const failures = { follow: () => Promise.resolve({ sources: [long], failed: [] }) };
    const reports = new AddReports({ notebook, status, failures } as never);
    await reports.report({ added: [long], again: [], whole: [] });
    assert.match(shown, /^Added A long .{10,60}… to the notebook\.$/);
  });

  test('renames a source', async () => {
    await runCommand('addToNotebook', [write('harbour.md', prose('harbour'))]);
    await runCommand('renameSource', [await rowOf('harbour.md')], { showInputBox: () => 'The old harbour' });
    await runCommand('openSource', [await rowOf('The old harbour')]);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), at('harbour.md').toString());
  });

  test('imports a knowledge base once, and reports failed entries', async () => {
    const base = 'app/knowledge_base';
    write(
      `${base}/json/lamps.json`,
      JSON.stringify([
        { filename: 'lamps.pdf', content: prose('lamp') },
        { url: 'https://example.org/boats', content: prose('boat') },
        { title: 'Short', pasted_text: 'Too short.' },
      ]),
    );
    write(`${base}/json/broken.json`, '{ "title": ');
    write(`${base}/faiss/lamps.faiss`, new Uint8Array([0, 1, 2, 3]));
    const messages: string[] = [];
    const importIt = (): Promise<void> =>
      runCommand('importKnowledgeBase', [], {
        showOpenDialog: () => [at(base)],
        showWarningMessage: (message: string, details: string) => {
          messages.push(message);
          return details;
        },
      });
    await importIt();
    assert.match(messages[0] ?? '', /Imported 2 sources, 2 couldn’t be read/);
    assert.deepEqual(await titles(), ['https://example.org/boats', 'lamps.pdf']);
    await untilFound('When was the lamp painted?', 'The lamp was painted green in 1931');
    await importIt();
    assert.match(messages[1] ?? '', /0 sources.*2 already in the notebook/);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /broken\.json isn’t valid JSON/);
  });

  test('refuses a dropped address that is neither a file nor a web page', async () => {
    const droppedSources = new DroppedSources(
      {} as unknown as ConstructorParameters<typeof DroppedSources>[0],
    );
    const transfer = new vscode.DataTransfer();
    transfer.set('text/uri-list', new vscode.DataTransferItem('javascript:alert(1)'));
    const messages: string[] = [];
    await instead({ showErrorMessage: (message: string) => void messages.push(message) }, () =>
      new SourcesDrop(droppedSources, log).handleDrop(undefined, transfer),
    );
    assert.match(messages.join(), /^Can’t add javascript:alert\(1\) because it isn’t a file or a web page\./);
  });

  suite('of a Git repository', () => {
    const git = (repository: string, ...args: readonly string[]): void => {
      const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
      execFileSync('git', [...who, ...args], { cwd: join(root, repository), stdio: 'ignore' });
    };
    const paint = (path: string, colour: string): void => {
      write(path, prose('boat').replaceAll('green', colour));
    };
    const choose = (...labels: readonly string[]) => ({
      showQuickPick: labels.map(
        (wanted) => (items: readonly vscode.QuickPickItem[]) =>
          items.find(({ label }) => label.replace(/^\$\([\w-]+\) /, '') === wanted),
      ),
    });

    setup(async () => {
      const extension = vscode.extensions.getExtension<{ getAPI(version: 1): unknown }>('vscode.git');
      const api = (await extension?.activate())?.getAPI(1) as {
        openRepository(uri: vscode.Uri): Promise<unknown>;
      };
      for (const repository of ['north', 'south']) {
        paint(`${repository}/boat.md`, 'green');
        git(repository, 'init', '--initial-branch=trunk');
        git(repository, 'add', '.');
        git(repository, 'commit', '--message=First');
        assert.ok(await api.openRepository(at(repository)));
      }
    });

    test('adds the picked changes of the picked repository', async () => {
      paint('north/boat.md', 'turquoise');
      paint('south/boat.md', 'purple');
      await runCommand('addGitDiff', [], choose('south', 'Working tree'));
      await readySource(notebook, /^Changes in south: working tree, /);
      await untilFound('purple', 'painted purple');
    });

    test('adds the changes against a branch', async () => {
      git('north', 'switch', '--create=paint');
      paint('north/boat.md', 'crimson');
      git('north', 'commit', '--all', '--message=Second');
      await runCommand('addGitDiff', [], choose('north', 'Compare with a branch…', 'trunk'));
      await readySource(notebook, /^Changes in north: compared with trunk, /);
      await untilFound('crimson', 'painted crimson');
    });

    test('adds the changes of the repository whose menu was used', async () => {
      paint('south/boat.md', 'purple');
      await runCommand('addGitDiff', [{ rootUri: at('south') }], choose('Working tree'));
      await readySource(notebook, /^Changes in south: working tree, /);
    });

    test('asks about the first commit with all of its files', async () => {
      const user = new ScriptedUser();
      const item = await user.during([{ pick: 'First' }], () => askForCommits(at('north')));
      assert.match(item?.title ?? '', /^[\da-f]{8} First \(north\)$/);
      assert.match(item?.document.text ?? '', /boat\.md[^]*painted green/);
    });

    test('asks about a range of commits with the messages of all', async () => {
      for (const colour of ['crimson', 'purple']) {
        paint('north/boat.md', colour);
        git('north', 'commit', '--all', `--message=Paint it ${colour}`);
      }
      const user = new ScriptedUser();
      const item = await user.during([{ pick: 'Paint it purple' }, { pick: 'Paint it crimson' }], () =>
        askForCommits(at('north')),
      );
      assert.match(item?.title ?? '', /: 2 commits \(north\)$/);
      const { text = '' } = item?.document ?? {};
      for (const words of [/Paint it crimson/, /Paint it purple/, /painted green/, /painted purple/])
        assert.match(text, words);
    });

    test('reports that nothing changed', async () => {
      const messages: string[] = [];
      await runCommand('addGitDiff', [{ rootUri: at('north') }], {
        ...choose('Staged'),
        showInformationMessage: (message: string) => void messages.push(message),
      });
      assert.deepEqual(messages, ['north has no changes of this kind. Select other changes to add.']);
      assert.deepEqual(await titles(), []);
    });
  });
});
