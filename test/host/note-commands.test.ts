import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { NoteFiles, noteUri as noteUriIn } from '../../src/features/notes/editor/note-files.ts';
import { NotesView } from '../../src/features/notes/editor/notes-view.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { readDocx } from '../../src/parsers/office/docx.ts';
import { previewLink } from '../../src/features/notes/model/preview-links.ts';
import { activeLine, completionsAt, hoverAt, openLink, positionBehind } from '../support/editor-features.ts';
import { instead } from '../support/instead.ts';
import {
  clearNotebook,
  openWorkspaceNotebook,
  readySource,
  runCommand,
} from '../support/packed-extension.ts';
import { until } from '../support/until.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

The compost is turned in March and in October, and never in the frost.
`;

const log = vscode.window.createOutputChannel('Notes', { log: true });
const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'garden');
const gardenUri = vscode.Uri.file(join(root, 'garden.md'));
let notebook: NotebookClient;

const noteUri = (title: string): vscode.Uri => noteUriIn(title, { key: '' });
const textOf = async (title: string): Promise<string> => (await notebook.call('note', { title })).text;
const titles = async (): Promise<string[]> =>
  (await notebook.call('notes', {})).map(({ title }) => title).toSorted();
/** Opens a note; the editor may still hold the text of an earlier note of its title. */
const openNote = async (title: string): Promise<vscode.TextDocument> => {
  const document = await vscode.workspace.openTextDocument(noteUri(title));
  await until(async () => document.getText() === (await textOf(title)));
  return document;
};
const addNote = async (title: string, text: string): Promise<vscode.TextDocument> => {
  await notebook.call('addNote', { title, text, citations: [] });
  const uri = noteUri(title);
  // The extension notices it a moment later.
  await until(async () => {
    try {
      return (await vscode.workspace.fs.stat(uri)).size > 0;
    } catch {
      return false;
    }
  });
  return openNote(title);
};

suite('notes', () => {
  const question = 'When is the compost turned?';
  const second = 'How often are tomatoes watered?';

  /** Asks a question, and saves the answer once it is there. */
  const saveAnswer = async (
    asked: string,
    choose: (items: readonly vscode.QuickPickItem[]) => vscode.QuickPickItem | undefined = () => undefined,
  ): Promise<void> => {
    await runCommand('ask', [], { showInputBox: () => asked });
    let isSaved = false;
    await until(async () => {
      isSaved = true;
      await runCommand('saveAsNote', [], {
        showErrorMessage: () => void (isSaved = false),
        showQuickPick: choose,
      });
      return isSaved;
    });
  };
  const exportTo = async (title: string, format: string, ending: string): Promise<Buffer> => {
    const file = join(root, `exported.${ending}`);
    await runCommand('exportNote', [noteUri(title)], {
      showQuickPick: (items: readonly vscode.QuickPickItem[]) => items.find(({ label }) => label === format),
      showSaveDialog: () => vscode.Uri.file(file),
      showInformationMessage: () => undefined,
    });
    return readFileSync(file);
  };

  suiteSetup(() => {
    notebook = openWorkspaceNotebook(log);
  });

  setup(async () => {
    mkdirSync(root, { recursive: true });
    writeFileSync(gardenUri.fsPath, garden);
    await runCommand('addToNotebook', [gardenUri]);
    await readySource(notebook, 'garden.md');
    await runCommand('newConversation');
  });

  teardown(async () => {
    await clearNotebook(notebook);
    rmSync(root, { recursive: true, force: true });
  });

  suiteTeardown(() => notebook.close());

  test('save an answer below its question, and open with the cursor at the end', async () => {
    await saveAnswer(question);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), noteUri(question).toString());
    assert.match(editor.document.getText(), /^# When is the compost turned\?\n[^]*never in the frost\./);
    assert.equal(editor.selection.active.line, editor.document.lineCount - 1);
  });

  test('save another answer below a note, with citations numbered on', async () => {
    await saveAnswer(question);
    await saveAnswer(second, (items) => items.find(({ label }) => label === question));
    await until(async () => (await textOf(question)).includes(second));
    assert.deepEqual(await titles(), [question]);
    assert.match(await textOf(question), /## How often are tomatoes watered\?\n[^]*\[2\]\(citation\//);
  });

  test('show the cited text of a citation', async () => {
    await saveAnswer(question);
    const document = await openNote(question);
    const card = await hoverAt(document, positionBehind(document, 'never in the frost. ['));
    assert.match(card, /garden\.md, L5/);
    assert.match(card, /never in the frost/);
  });

  test('show the evidence for a verdict at its mark and at its citation', async () => {
    await saveAnswer(question);
    const { citations } = await notebook.call('note', { title: question });
    const [stored] = citations;
    assert.ok(stored);
    const statement = 'The compost is turned in winter.';
    const { id, citation } = stored;
    const link = citationLink('1', id, citation);
    const evidence = [{ statement, deciding: 'never in the frost' }];
    await notebook.call('addNote', {
      title: 'Compost',
      text: `# Compost\n\n${statement} ${link} [contradicted]\n`,
      citations: [{ id, citation: { ...citation, evidence } }],
    });
    const document = await openNote('Compost');
    const mark = await hoverAt(document, positionBehind(document, ' [contra'));
    assert.match(mark, /the sources contradict this statement\.[^]*Evidence: “never in the frost”/);
    const card = await hoverAt(document, positionBehind(document, `${statement} [`));
    assert.match(card, /garden\.md, L5[^]*Evidence: “never in the frost”/);
  });

  test('open a citation at the current location of its text', async () => {
    await saveAnswer(question);
    const document = await openNote(question);
    await openLink(document, '[1]');
    assert.deepEqual(activeLine(), [gardenUri.toString(), 5]);
    writeFileSync(gardenUri.fsPath, `Of my own.\n\n\n${garden}`);
    await until(async () => {
      await openLink(document, '[1]');
      return activeLine()?.[1] === 8;
    });
  });

  test('open a citation of an HTML file at its lines', async () => {
    const article = vscode.Uri.file(join(root, 'article.html'));
    const [before, cited] = [
      '<h1>Winding</h1>',
      '<p>A full turn of the key lifts the weight by four&#8209;and&#8209;',
    ];
    writeFileSync(
      article.fsPath,
      `<title>Clocks</title>\n<main>\n${before}\n${cited}a&#8209;half centimetres.</p>\n</main>`,
    );
    await runCommand('addToNotebook', [article]);
    await readySource(notebook, 'article.html');
    await saveAnswer('How many centimetres does a turn of the key lift the weight?');
    const [title = ''] = await titles();
    assert.match(await textOf(title), /A full turn of the key lifts the weight by four\u2011and/);
    await openLink(await openNote(title), '[1]');
    assert.deepEqual(activeLine(), [article.toString(), 4]);
  });

  test('open a citation from the preview without a tab of its own', async () => {
    await saveAnswer(question);
    const [, path] = /\((citation\/[\da-f]{16})/.exec(await textOf(question)) ?? [];
    assert.ok(path !== undefined);
    // The editor may still have the previous test's text of the file.
    await until(async () => {
      await vscode.commands.executeCommand('vscode.open', noteUri(question).with({ path: `/${path}` }));
      return activeLine()?.join() === [gardenUri.toString(), 5].join();
    });
    await until(() =>
      vscode.window.tabGroups.all.every(({ tabs }) => !tabs.some(({ label }) => path.endsWith(label))),
    );
  });

  test('are exported to HTML and Word with their citations', async () => {
    await saveAnswer(question);
    await saveAnswer(second, (items) => items.find(({ label }) => label === question));
    assert.match((await exportTo(question, 'HTML', 'html')).toString(), /href="#source-2"/);
    const word = readDocx(await exportTo(question, 'Word', 'docx'), 'exported.docx');
    assert.match(word.text, /never in the frost\.\[1\]/);
  });

  test('are exported to Markdown as a document with footnotes', async () => {
    await saveAnswer(question);
    await runCommand('exportNote', [noteUri(question)], {
      showQuickPick: (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label === 'Markdown'),
    });
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.equal(document?.isUntitled, true);
    assert.match(document.getText(), /never in the frost\.\[\^1\]/);
    assert.match(document.getText(), /\[\^1\]: garden\.md, L/);
  });

  test('stay sources when they are renamed', async () => {
    await addNote('Plan', `# Plan\n\n${garden}`);
    await runCommand('addNote', [noteUri('Plan')]);
    await readySource(notebook, 'Plan.md');
    await runCommand('renameNote', [noteUri('Plan')], { showInputBox: () => 'My garden' });
    await readySource(notebook, 'My garden.md');
    assert.deepEqual(await titles(), ['My garden']);
  });

  test('are restored after a deletion', async () => {
    await addNote('Plan', `# Plan\n\n${garden}`);
    await vscode.window.showTextDocument(noteUri('Plan'));
    await runCommand('deleteNote', [noteUri('Plan')], { showInformationMessage: () => undefined });
    assert.deepEqual(await titles(), []);
    await until(() => vscode.window.activeTextEditor === undefined);
    await addNote('Plan', `# Plan\n\n${garden}`);
    await runCommand('deleteNote', [noteUri('Plan')], {
      showInformationMessage: (message: string, undo: string) => {
        assert.match(message, /Deleted the note “Plan”/);
        return undo;
      },
    });
    assert.match(await textOf('Plan'), /^# Plan\n\n# The garden/);
  });

  test('start with the title that the user enters', async () => {
    await runCommand('newNote', [], { showInputBox: () => 'Beans' });
    assert.equal(await textOf('Beans'), '# Beans\n\n');
    assert.deepEqual(activeLine(), [noteUri('Beans').toString(), 3]);
  });

  test('have a note for each day', async () => {
    await runCommand('todaysNote');
    await runCommand('todaysNote');
    const [title, ...others] = await titles();
    assert.match(title ?? '', /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(others, []);
    assert.equal(activeLine()?.[0], noteUri(title ?? '').toString());
  });

  test('add an answer as a source', async () => {
    await saveAnswer(question);
    await runCommand('addAnswer');
    await readySource(notebook, question);
  });

  suite('that link', () => {
    let march: vscode.TextDocument;

    setup(async () => {
      await addNote('Compost', '# Compost\n\nIt is turned twice. #garden/work\n');
      march = await addNote('March', '# March\n\nSee [[Compost]] and [[garden.md]]. #gar\n\n[[Com\n');
    });

    test('complete titles of notes and sources', async () => {
      const offered = await completionsAt(march, positionBehind(march, '\n[[Com'));
      assert.ok(offered.includes('Compost'));
      assert.ok(offered.includes('garden.md'));
      assert.ok(!offered.includes('March'));
    });

    test('complete tags', async () => {
      assert.ok((await completionsAt(march, positionBehind(march, '#gar'))).includes('garden/work'));
    });

    test('show the note that a link leads to', async () => {
      assert.match(await hoverAt(march, positionBehind(march, 'See [[Co')), /It is turned twice/);
    });

    test('open notes and sources', async () => {
      await openLink(march, '[[Compost]]');
      assert.equal(activeLine()?.[0], noteUri('Compost').toString());
      await openLink(march, '[[garden.md]]');
      assert.equal(activeLine()?.[0], gardenUri.toString());
    });

    test('open from the preview', async () => {
      const link = previewLink({ kind: 'title', title: 'Compost', heading: undefined });
      await vscode.commands.executeCommand('vscode.open', march.uri.with({ path: `/${link}` }));
      await until(() => activeLine()?.[0] === noteUri('Compost').toString());
    });

    test('follow a new title', async () => {
      await runCommand('renameNote', [noteUri('Compost')], { showInputBox: () => 'The heap' });
      assert.match(await textOf('March'), /See \[\[The heap\]\]/);
    });

    test('are listed below the note that they link to, and by tag', async () => {
      const files = new NoteFiles({
        client: () => notebook,
        onDidChange: () => ({ dispose: () => undefined }),
      });
      const tree = { dispose: () => undefined };
      const view = await instead({ createTreeView: () => tree }, () =>
        Promise.resolve(new NotesView(notebook, files)),
      );
      try {
        const all = await view.getChildren();
        const compost = all.find(({ title }) => title === 'Compost');
        assert.ok(compost);
        assert.match(String(view.getTreeItem(compost).description), /1 link$/);
        const [linking, ...others] = await view.getChildren(compost);
        assert.equal(linking?.title, 'March');
        assert.match(String(view.getTreeItem(linking).description), /^links here/);
        assert.deepEqual(others, []);
        view.filter('garden/work');
        assert.deepEqual(
          (await view.getChildren()).map(({ title }) => title),
          ['Compost'],
        );
      } finally {
        view.dispose();
        files.dispose();
      }
    });

    test('offer their tags as a filter', async () => {
      let offered: string[] = [];
      await runCommand('filterNotes', [], {
        showQuickPick: (items: readonly vscode.QuickPickItem[]) =>
          void (offered = items.map(({ label }) => label)),
      });
      assert.deepEqual(offered, ['All notes', '#gar', '#garden/work']);
    });
  });

  test('are found with answers and sources in one search', async () => {
    await addNote('The heap', '# The heap\n\nIt is turned twice.\n');
    await saveAnswer(question, (items) => items[0]);
    const typed = new vscode.EventEmitter<string>();
    const accepted = new vscode.EventEmitter<void>();
    let isShown = false;
    const picker = {
      value: 'turned',
      items: [] as readonly vscode.QuickPickItem[],
      selectedItems: [] as readonly vscode.QuickPickItem[],
      onDidChangeValue: typed.event,
      onDidAccept: accepted.event,
      onDidHide: () => undefined,
      show: () => void (isShown = true),
      dispose: () => undefined,
    };
    const searching = runCommand('searchEverything', [], { createQuickPick: () => picker });
    await until(() => isShown);
    typed.fire('turned');
    let foundTitles: string[] = [];
    await until(
      () => {
        foundTitles = picker.items.map(({ label }) => label);
        return foundTitles.length >= 3;
      },
      () => foundTitles,
    );
    // The answers of previous tests are also found.
    assert.deepEqual([...new Set(foundTitles)].toSorted(), [
      `$(comment-discussion) ${question}`,
      `$(note) The heap`,
      `$(note) ${question}`,
      '$(search) The garden',
    ]);
    picker.selectedItems = picker.items.filter(({ label }) => label.endsWith('The heap'));
    accepted.fire();
    await searching;
    assert.deepEqual(activeLine(), [noteUri('The heap').toString(), 3]);
  });
});
