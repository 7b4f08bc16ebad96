import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { noteUri } from '../../src/features/notes/editor/note-files.ts';
import type { SourcesNode } from '../../src/features/sources/editor/source-items.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { citationId } from '../../src/core/domain/note-markdown.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { openLink } from '../support/editor-features.ts';
import {
  clearNotebook,
  openWorkspaceNotebook,
  readySource,
  runCommand,
} from '../support/packed-extension.ts';
import { tinyPdf } from '../support/tiny-pdf.ts';
import { until } from '../support/until.ts';

const VIEWER = 'openNotebook.pdf';
/** A PDF needs 100 characters to be a document. */
const LINES = [
  'The cells are split twice a week.',
  'Their medium is warmed to 37 degrees before use.',
  'Write the date on each flask with a marker.',
];

suite('PDFs in an added folder', () => {
  const log = vscode.window.createOutputChannel('PDF tabs', { log: true });
  const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'protocols');
  const uri = vscode.Uri.file(join(root, 'cells', 'protocol.pdf'));
  let notebook: NotebookClient;
  let source: Source;

  /** Returns the editor types of the PDF's tabs. */
  function tabTypes(): string[] {
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => {
        if (input instanceof vscode.TabInputCustom && input.uri.path === uri.path) return input.viewType;
        return input instanceof vscode.TabInputText && input.uri.path === uri.path ? 'text' : [];
      });
  }
  const opensAs = (type: string): Promise<void> => until(() => tabTypes().join() === type, tabTypes);

  async function setDefaultEditor(viewType: string | undefined): Promise<void> {
    await vscode.workspace
      .getConfiguration('workbench')
      .update(
        'editorAssociations',
        viewType === undefined ? undefined : { '*.pdf': viewType },
        vscode.ConfigurationTarget.Global,
      );
  }

  suiteSetup(async () => {
    mkdirSync(join(root, 'cells'), { recursive: true });
    const lines = LINES.map((text, index) => ({ x: 72, y: 700 - 20 * index, text }));
    writeFileSync(uri.fsPath, tinyPdf({ pages: [{ lines }] }));
    notebook = openWorkspaceNotebook(log);
    await runCommand('addToNotebook', [vscode.Uri.file(root)]);
    source = await readySource(notebook, 'protocols');
  });

  teardown(async () => {
    await setDefaultEditor(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  suiteTeardown(async () => {
    await clearNotebook(notebook);
    notebook.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('open in the PDF viewer from the Explorer and quick open', async () => {
    // Both open a file without naming an editor.
    await vscode.commands.executeCommand('vscode.open', uri);
    await opensAs(VIEWER);
  });

  test('open in the PDF viewer without a running extension', () => {
    // VS Code decides by the manifest in a window that has just started.
    const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
    assert.ok(extension);
    const { contributes } = extension.packageJSON as {
      readonly contributes: {
        readonly customEditors: readonly { readonly viewType: string; readonly priority: string }[];
      };
    };
    const viewer = contributes.customEditors.find(({ viewType }) => viewType === VIEWER);
    assert.equal(viewer?.priority, 'default');
  });

  test('open in the PDF viewer from Sources', async () => {
    const [document] = await notebook.call('documents', { sourceId: source.id });
    assert.ok(document);
    const node: SourcesNode = { kind: 'document', source, document };
    await runCommand('openSource', [node]);
    await opensAs(VIEWER);
  });

  test('open in the PDF viewer from a citation', async () => {
    const [document] = await notebook.call('documents', { sourceId: source.id });
    const [quote = ''] = LINES;
    const span = { start: 0, end: quote.length };
    const request = { number: 1, documentId: document?.id ?? 0, passage: span, span, quote };
    const [citation] = await notebook.call('cite', { requests: [request] });
    assert.ok(citation);
    const id = citationId(citation);
    const text = `Split them. ${citationLink('1', id, citation)}\n`;
    await notebook.call('addNote', { title: 'Splitting', text, citations: [{ id, citation }] });
    let note: vscode.TextDocument | undefined;
    await until(async () => {
      note = await vscode.workspace.openTextDocument(noteUri('Splitting', { key: '' })).then(
        (opened) => opened,
        () => undefined,
      );
      return note !== undefined;
    });
    assert.ok(note);
    await openLink(note, '[1]');
    await opensAs(VIEWER);
  });

  test('open in the default editor that the user configured', async () => {
    await setDefaultEditor('default');
    await vscode.commands.executeCommand('vscode.open', uri);
    await opensAs('text');
  });

  test('stay text if the user reopens them as text', async () => {
    await vscode.commands.executeCommand('vscode.open', uri);
    await opensAs(VIEWER);
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
    await until(() => tabTypes().includes('text'), tabTypes);
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    assert.ok(tabTypes().includes('text'));
  });
});
