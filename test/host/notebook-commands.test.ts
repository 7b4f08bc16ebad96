import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { NotebookFolders } from '../../src/index/library/notebook-folders.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { answering, type Answered } from '../support/answering-person.ts';
import { openNotebook } from '../support/host-sources.ts';
import {
  clearNotebook,
  notebooksFolder,
  openWorkspaceNotebook,
  packedWindow,
  readySource,
  workspaceNotebookFolder,
} from '../support/packed-extension.ts';
import { until } from '../support/until.ts';

const garden = '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n';
const kitchen = '# The kitchen\n\nBread is baked on Saturdays in the old stone oven behind the house.\n';

type Plan = Parameters<typeof answering>[0];

suite('notebook commands', () => {
  /** Name of the workspace's own notebook, which wasn't renamed. */
  const workspaceName = vscode.workspace.name ?? '';
  const log = vscode.window.createOutputChannel('Notebook commands', { log: true });
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folders = new NotebookFolders(notebooksFolder());
  const others: NotebookClient[] = [];
  const written = new Set<string>();
  let window: typeof vscode.window;
  let notebook: NotebookClient;

  const run = (name: string, plan: Plan = {}, ...parameters: readonly unknown[]): Promise<Answered> =>
    answering(
      plan,
      async () => vscode.commands.executeCommand(`openNotebook.${name}`, ...parameters),
      window,
    );
  const write = (path: string, content: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
    written.add(path.split('/')[0] ?? path);
  };
  /** Adds a file to the notebook that the window shows. */
  const add = async (path: string, content: string, of = notebook): Promise<Source> => {
    write(path, content);
    await run('addToNotebook', {}, vscode.Uri.file(join(root, path)));
    return readySource(of, path);
  };
  const titles = async (of = notebook): Promise<readonly string[]> =>
    (await of.call('sources', {})).map(({ title }) => title).toSorted();
  /** Opens a notebook by its name a second time. */
  const open = async (name: string): Promise<NotebookClient> => {
    const id = (await folders.list()).find((one) => one.name === name)?.id;
    assert.ok(id !== undefined, `There is no notebook ${name}.`);
    const other = openNotebook(folders.directoryFor(id), log);
    others.push(other);
    return other;
  };
  /** Returns the label of the notebook that the window shows. */
  const shown = async (): Promise<string | undefined> => {
    const { lists } = await run('switchNotebook');
    return lists[0]?.find((line) => line.endsWith('current'))?.split(' · ')[0];
  };

  suiteSetup(async () => {
    window = await packedWindow();
    notebook = openWorkspaceNotebook(log);
  });

  setup(() => {
    written.clear();
  });

  teardown(async () => {
    for (const other of others.splice(0)) await other.close();
    await run('switchNotebook', { notebooks: [workspaceName] });
    for (const { id, name } of await folders.list())
      if (name !== workspaceName) await folders.remove(id).catch(() => undefined);
    await clearNotebook(notebook);
    for (const path of written) rmSync(join(root, path), { recursive: true, force: true });
  });

  suiteTeardown(() => notebook.close());

  test('moves a source to a new notebook', async () => {
    const source = await add('garden.md', garden);
    const { messages } = await run(
      'moveSources',
      { notebooks: ['New Notebook…'], types: ['Outdoors'], presses: ['Show'] },
      { kind: 'source', source },
    );
    assert.match(messages.join('\n'), /Moved 1 source to “Outdoors”\./);
    assert.equal(await shown(), 'Outdoors');
    assert.deepEqual(await titles(await open('Outdoors')), ['garden.md']);
    await until(async () => (await titles()).length === 0);
  });

  test('moves a source back on undo', async () => {
    const source = await add('garden.md', garden);
    await run(
      'moveSources',
      { notebooks: ['New Notebook…'], types: ['Outdoors'], presses: ['Undo'] },
      { kind: 'source', source },
    );
    await readySource(notebook, 'garden.md');
    assert.deepEqual(await titles(await open('Outdoors')), []);
  });

  test('shows a duplicate of the notebook', async () => {
    await add('garden.md', garden);
    await notebook.call('addNote', { title: 'Beds', text: 'Rye and wheat.', citations: [] });
    await run('duplicateNotebook', { types: ['Twice'] });
    assert.equal(await shown(), 'Twice');
    const twice = await open('Twice');
    assert.deepEqual(await titles(twice), ['garden.md']);
    assert.equal((await twice.call('note', { title: 'Beds' })).text, 'Rye and wheat.');
  });

  test('exports the notebook as Markdown', async () => {
    await run('newNotebook', { types: ['Garden'] });
    await add('garden.md', garden, await open('Garden'));
    const { messages } = await run('exportMarkdown');
    written.add('Garden');
    assert.match(messages.join('\n'), /Exported the notebook “Garden” as Markdown\./);
    assert.deepEqual(readdirSync(join(root, 'Garden', 'Sources')), ['garden.md.md']);
  });

  test('imports a notebook into another one, and undoes the import', async () => {
    await run('newNotebook', { types: ['Garden'] });
    await add('garden.md', garden, await open('Garden'));
    await run('exportNotebook');
    written.add('Garden.opennotebook');
    const file = vscode.Uri.file(join(root, 'Garden.opennotebook'));
    const again = await run('importNotebook', { picks: ['Add to “Garden”'] }, file);
    assert.match(again.messages.join('\n'), /“Garden” already contains everything in this file\./);

    await run('newNotebook', { types: ['Kitchen'] });
    const other = await open('Kitchen');
    await add('kitchen.md', kitchen, other);
    const { lists, messages } = await run(
      'importNotebook',
      { picks: ['Add to “Kitchen”', 'garden.md'], presses: ['Undo'] },
      file,
    );
    assert.match(lists[1]?.join('\n') ?? '', /^garden\.md/, 'asks which files to read');
    assert.match(
      messages.join('\n'),
      /Sources: 1, notes: 0, questions with answers: 0, research projects: 0\./,
    );
    await until(async () => (await titles(other)).join(' ') === 'kitchen.md');
  });

  test('reports an import that adds only a research project', async () => {
    await run('newNotebook', { types: ['Garden'] });
    const options = { approves: true, keepsUnsupported: false, workers: 2, tools: [] };
    await (await open('Garden')).call('addResearch', { goal: 'Find out', bounds: {}, options });
    await run('exportNotebook');
    written.add('Garden.opennotebook');
    await run('newNotebook', { types: ['Kitchen'] });
    const file = vscode.Uri.file(join(root, 'Garden.opennotebook'));
    const { messages } = await run('importNotebook', { picks: ['Add to “Kitchen”'] }, file);
    assert.match(
      messages.join('\n'),
      /Sources: 0, notes: 0, questions with answers: 0, research projects: 1\./,
    );
  });

  test('has the name of the workspace in lists and exports', async () => {
    assert.equal(await shown(), workspaceName);
    await run('exportNotebook');
    written.add(`${workspaceName}.opennotebook`);
    assert.ok(existsSync(join(root, `${workspaceName}.opennotebook`)));
  });

  test('renames a notebook from the list', async () => {
    await run('newNotebook', { types: ['Garden'] });
    await run('switchNotebook', { notebooks: [workspaceName] });
    await run('switchNotebook', { notebooks: [['Garden', 'Rename Notebook']], types: ['Orchard'] });
    const { lists } = await run('switchNotebook');
    const labels = lists[0]?.map((line) => line.split(' · ')[0]);
    assert.ok(labels?.includes('Orchard') && !labels.includes('Garden'), JSON.stringify(lists));
  });

  test('deletes a notebook from the list without affecting the current one', async () => {
    await run('newNotebook', { types: ['Garden'] });
    await run('newNotebook', { types: ['Kitchen'] });
    const { messages } = await run('switchNotebook', {
      notebooks: [['Garden', 'Delete Notebook']],
      presses: ['Delete'],
    });
    assert.match(messages.join('\n'), /Delete the notebook “Garden”\?[^]*Deleted the notebook “Garden”\./);
    assert.equal(await shown(), 'Kitchen');
    assert.deepEqual(
      (await folders.list()).map(({ name }) => name).filter((name) => /Garden|Kitchen/.test(name)),
      ['Kitchen'],
    );
  });

  test('shows a deleted notebook again on undo', async () => {
    await run('newNotebook', { types: ['Garden'] });
    await add('garden.md', garden, await open('Garden'));
    await run('deleteNotebook', { presses: ['Delete', 'Undo'] });
    assert.equal(await shown(), 'Garden');
    assert.deepEqual(await titles(await open('Garden')), ['garden.md']);
  });

  test('keeps notes in their notebook', async () => {
    await run('newNotebook', { types: ['Baking'] });
    await run('newNote', { types: ['Loaves'] });
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    await run('switchNotebook', { notebooks: [workspaceName] });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(document.getText().length), 'Rye and wheat.');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await document.save());
    const baking = await open('Baking');
    assert.match((await baking.call('note', { title: 'Loaves' })).text, /Rye and wheat\./);
    assert.deepEqual(await notebook.call('notes', {}), []);
  });

  suite('of a repository that shares a notebook', () => {
    const list = '.notebook/notebook.json';
    const share = (files: readonly string[], notes: readonly string[] = []): void => {
      const sources = files.map((path) => ({ kind: 'file', path }));
      write(list, JSON.stringify({ version: 1, sources, notes }));
    };

    /** Shares `garden.md`, which the notebook has, and `kitchen.md`, which it lacks. */
    setup(async () => {
      await add('garden.md', garden);
      write('kitchen.md', kitchen);
      const { messages } = await run('shareNotebook', { presses: ['Share Anyway'] });
      written.add('.notebook');
      assert.match(messages.join('\n'), /Items shared in \.notebook: 1\./);
    });

    test('list the selected sources', () => {
      assert.deepEqual(JSON.parse(readFileSync(join(root, list), 'utf8')), {
        version: 1,
        sources: [{ kind: 'file', path: 'garden.md' }],
        notes: [],
      });
    });

    test('say who gets the list, before it is written to a folder without Git', async () => {
      rmSync(join(root, '.notebook'), { recursive: true });
      const { messages, lists } = await run('shareNotebook');
      assert.match(
        messages.join('\n'),
        /isn’t in a Git repository\. Share the notebook there anyway\? .*only with a copy/,
      );
      assert.deepEqual([lists, existsSync(join(root, list))], [[], false]);
    });

    test('list the workspace folder by name, without the shared files in it', async () => {
      await run('addToNotebook', {}, vscode.Uri.file(root));
      const name = basename(root);
      const { id } = await readySource(notebook, name);
      const keys = (await notebook.call('documents', { sourceId: id })).map(({ key }) => key);
      assert.ok(keys.includes('kitchen.md'));
      assert.deepEqual(
        keys.filter((key) => key.includes('notebook.json')),
        [],
      );
      const { lists } = await run('shareNotebook');
      assert.ok(lists[0]?.some((item) => item.startsWith(`${name} · `)));
    });

    test('reject the files that they write', async () => {
      const { messages } = await run('addToNotebook', {}, vscode.Uri.file(join(root, list)));
      assert.match(
        messages.join('\n'),
        /^Can’t add notebook\.json because the \.notebook folder contains shared notebook data/,
      );
    });

    test('offer a source that was added, and remove one that is no longer shared', async () => {
      const added = await answering(
        { presses: ['Add…'] },
        async () => {
          share(['garden.md', 'kitchen.md']);
          await readySource(notebook, 'kitchen.md');
        },
        window,
      );
      assert.match(added.messages.join('\n'), /shares 1 more source/);
      const removed = await answering(
        { presses: ['Remove'] },
        async () => {
          share(['garden.md']);
          await until(async () => (await titles()).join(' ') === 'garden.md');
        },
        window,
      );
      assert.match(removed.messages.join('\n'), /No longer shared in this repository: kitchen\.md/);
    });

    test('offer a note that was added, and keep one that is no longer shared unless you agree', async () => {
      write('.notebook/notes/Loaves.md', 'Rye and wheat.');
      const hasNote = async (): Promise<boolean> => (await notebook.call('notes', {})).length === 1;
      await answering(
        { presses: ['Add…'] },
        async () => {
          share(['garden.md'], ['notes/Loaves.md']);
          await until(hasNote);
        },
        window,
      );
      await answering(
        {},
        async (messages) => {
          share(['garden.md']);
          await until(() =>
            messages.some((one) => one.includes('No longer shared in this repository: Loaves')),
          );
        },
        window,
      );
      assert.ok(await hasNote());
    });
  });
});

suite('index', () => {
  const log = vscode.window.createOutputChannel('Index', { log: true });
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const file = join(root, 'log.md');
  const lines = Array.from(
    { length: 40 },
    (_, i) =>
      `Page ${String(i)} of the log says that the wind came from the north and stayed there all day long.`,
  );
  let notebook: NotebookClient;

  setup(async () => {
    notebook = openWorkspaceNotebook(log);
    writeFileSync(file, lines.join('\n\n'));
    await packedWindow();
    await vscode.commands.executeCommand('openNotebook.addToNotebook', vscode.Uri.file(file));
    await readySource(notebook, 'log.md');
  });

  teardown(async () => {
    await clearNotebook(notebook);
    await notebook.close();
    rmSync(file);
  });

  test('splits sources again when the passage size changes', async () => {
    // A second client would split the sources by its own settings.
    await notebook.close();
    const passages = (): Promise<number> =>
      withNotebook(workspaceNotebookFolder(), (sql) => sql.number('SELECT passages FROM documents'));
    const before = await passages();
    const settings = vscode.workspace.getConfiguration('openNotebook.passages');
    await settings.update('size', 5_000, vscode.ConfigurationTarget.Workspace);
    try {
      await until(async () => (await passages()) < before);
    } finally {
      await settings.update('size', undefined, vscode.ConfigurationTarget.Workspace);
    }
    await until(async () => (await passages()) === before);
    notebook = openWorkspaceNotebook(log);
  });

  test('shows diagnostics without any content', async () => {
    await vscode.lm.invokeTool('openNotebook_search', {
      input: { queries: ['Where did the wind come from?'] },
      toolInvocationToken: undefined,
    });
    await vscode.commands.executeCommand('openNotebook.showDiagnostics');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /Passages \| [1-9]/);
    assert.match(text, /Searches since opening \| [1-9]/);
    assert.doesNotMatch(text, /from the north|log\.md/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
