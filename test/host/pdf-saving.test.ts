import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Highlighter } from '../../src/features/citations/editor/highlight.ts';
import { editorOriginals } from '../../src/features/citations/editor/originals.ts';
import { saveMarked } from '../../src/features/chat/editor/save-marked.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { PdfDocument } from '../../src/features/pdf/editor/pdf-document.ts';
import { openBytes } from '../../src/features/pdf/editor/pdf-bytes.ts';
import type { PdfParts } from '../../src/features/pdf/editor/pdf-parts.ts';
import { PdfViewer } from '../../src/features/pdf/editor/pdf-viewer.ts';
import { printPdf } from '../../src/features/pdf/editor/print-pdf.ts';
import type { Annotation } from '../../src/core/domain/annotation.ts';
import { quadAround } from '../../src/core/domain/read-annotations.ts';
import { formPdf } from '../support/form-pdf.ts';
import { openNotebook, sharedReaders } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { MemoryMemento } from '../support/memory-storage.ts';
import { makeReadOnly } from '../support/small-disk.ts';
import { testCitation } from '../support/test-citation.ts';
import { until } from '../support/until.ts';

const highlight: Annotation = {
  kind: 'highlight',
  page: 1,
  quads: [quadAround([72, 700, 120, 714])],
  colour: '#ffe066',
  words: 'Full name',
  remark: '',
};
const mark = { key: 'mark', before: null, after: highlight };
const lockedCatalog =
  '/Perms << /DocMDP << /Type /Sig /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>] >> >>';

suite('saving a PDF', () => {
  const log = vscode.window.createOutputChannel('PDF', { log: true });
  let home: string;
  let notebook: NotebookClient;
  let parts: PdfParts;
  const savedInNotebook: string[] = [];

  suiteTeardown(() => {
    log.dispose();
  });

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'pdf-saving-'));
    notebook = openNotebook(join(home, 'notebook'), log);
    savedInNotebook.length = 0;
    const used: Partial<PdfParts> = {
      notebook,
      readers: sharedReaders(),
      unsaved: vscode.Uri.file(join(home, 'unsaved')),
      webAddress: () => Promise.resolve(undefined),
      onMarksSaved: (document) => savedInNotebook.push(document),
    };
    parts = used as PdfParts;
  });

  teardown(async () => {
    await notebook.close();
    rmSync(home, { recursive: true, force: true });
  });

  function write(name: string, bytes: Uint8Array): { readonly uri: vscode.Uri; readonly path: string } {
    const path = join(home, name);
    writeFileSync(path, bytes);
    return { uri: vscode.Uri.file(path), path };
  }

  const open = (uri: vscode.Uri, backupId?: string): Promise<PdfDocument> =>
    PdfDocument.open(uri, backupId, parts);

  const countHighlights = (path: string): number =>
    readFileSync(path, 'latin1').match(/\/Subtype\s*\/Highlight/g)?.length ?? 0;

  /** Saves while dialogs are answered with a button, or dismissed; returns the questions. */
  async function saveAnswering(document: PdfDocument, button: string | undefined): Promise<string[]> {
    const questions: string[] = [];
    const answer = (question: string): Promise<string | undefined> => {
      questions.push(question);
      return Promise.resolve(button);
    };
    await instead({ showWarningMessage: answer }, () => document.save());
    return questions;
  }

  /** Highlights the first line, and returns the message about the location where it is saved. */
  async function markAndRead(document: PdfDocument): Promise<string> {
    const messages: string[] = [];
    const showMessage = (message: string): Promise<undefined> => {
      messages.push(message);
      return Promise.resolve(undefined);
    };
    await instead({ showInformationMessage: showMessage }, async () => {
      document.edit(mark);
      await until(() => messages.length > 0);
    });
    return messages[0] ?? '';
  }

  test('appends marks and filled-in fields to the file', async () => {
    const form = formPdf();
    const { uri, path } = write('form.pdf', form);
    const document = await open(uri);
    document.edit(mark);
    document.fillIn({ field: 'name', before: '', after: 'Ada Lovelace' });
    assert.equal(document.isSaved, false);
    await document.save();
    assert.equal(document.isSaved, true);
    const bytes = readFileSync(path);
    assert.ok(bytes.subarray(0, form.length).equals(form));
    assert.ok(bytes.includes('Ada Lovelace'));
    assert.equal(countHighlights(path), 1);
    assert.deepEqual(
      readdirSync(home).filter((name) => name.endsWith('.unfinished')),
      [],
    );
  });

  test('includes what the viewer reports only when the editor saves', async () => {
    const { uri, path } = write('form.pdf', formPdf());
    const document = await open(uri);
    document.flush = () => {
      document.fillIn({ field: 'name', before: '', after: 'Ada Lovelace' });
      return Promise.resolve();
    };
    await document.save();
    assert.ok(readFileSync(path).includes('Ada Lovelace'));
  });

  test('is unsaved again when a saved mark is undone', async () => {
    const { uri, path } = write('form.pdf', formPdf());
    const document = await open(uri);
    const edit = document.edit(mark);
    await document.save();
    const saved = readFileSync(path);
    void edit.undo();
    assert.equal(document.isSaved, false);
    await document.save();
    assert.ok(readFileSync(path).length > saved.length);
    assert.equal(document.isSaved, true);
  });

  test('keeps the changes of another program', async () => {
    const { uri, path } = write('form.pdf', formPdf());
    const [mine, theirs] = [await open(uri), await open(uri)];
    mine.edit(mark);
    theirs.edit({
      ...mark,
      key: 'other',
      after: { ...highlight, quads: [quadAround([72, 660, 120, 674])], colour: '#9dd0ff' },
    });
    await theirs.save();
    const before = readFileSync(path);
    mine.fileChanged();
    await mine.save();
    assert.ok(readFileSync(path).subarray(0, before.length).equals(before));
    assert.equal(countHighlights(path), 2);
  });

  for (const [button, town] of [
    ['Keep Existing Values', 'Rome'],
    ['Save My Values', 'Paris'],
  ] as const)
    test(`asks about a field that another program filled in: ${button}`, async () => {
      const { uri, path } = write('form.pdf', formPdf());
      const [mine, theirs] = [await open(uri), await open(uri)];
      mine.fillIn({ field: 'town', before: 'London', after: 'Paris' });
      theirs.fillIn({ field: 'town', before: 'London', after: 'Rome' });
      await theirs.save();
      mine.fileChanged();
      const [question] = await saveAnswering(mine, button);
      assert.match(
        question ?? '',
        /Another program changed fields in form\.pdf that you also filled in: .*town/,
      );
      assert.equal(mine.isSaved, true);
      assert.equal(readFileSync(path).includes('Paris'), town === 'Paris');
    });

  test('writes nothing when the question about another program’s fields is dismissed', async () => {
    const { uri, path } = write('form.pdf', formPdf());
    const [mine, theirs] = [await open(uri), await open(uri)];
    mine.fillIn({ field: 'town', before: 'London', after: 'Paris' });
    theirs.fillIn({ field: 'town', before: 'London', after: 'Rome' });
    await theirs.save();
    const before = readFileSync(path);
    mine.fileChanged();
    await assert.rejects(saveAnswering(mine, undefined), { code: 'cancelled' });
    assert.ok(readFileSync(path).equals(before));
    assert.equal(mine.isSaved, false);
  });

  test('asks once before it invalidates a signature', async () => {
    const signed = formPdf({ form: '/SigFlags 3' });
    const { uri, path } = write('signed.pdf', signed);
    const document = await open(uri);
    document.edit(mark);
    await assert.rejects(saveAnswering(document, undefined), { code: 'cancelled' });
    assert.ok(readFileSync(path).equals(signed));
    assert.equal(document.isSaved, false);
    const [question] = await saveAnswering(document, 'Save');
    assert.equal(question, 'signed.pdf is signed. Saving changes invalidates its signature. Save anyway?');
    assert.equal(countHighlights(path), 1);
    assert.ok(readFileSync(path).subarray(0, signed.length).equals(signed));
    document.fillIn({ field: 'name', before: '', after: 'Ada' });
    assert.deepEqual(await saveAnswering(document, undefined), []);
    assert.ok(readFileSync(path).includes('Ada'));
  });

  test('keeps marks on a locked file in the notebook', async () => {
    const locked = formPdf({ catalog: lockedCatalog });
    const { uri, path } = write('locked.pdf', locked);
    const document = await open(uri);
    assert.equal(
      await markAndRead(document),
      'locked.pdf is signed and doesn’t allow changes, so its highlights are saved in the notebook.',
    );
    assert.deepEqual(await document.formProblem(), {
      message: 'locked.pdf is signed and doesn’t allow changes, so you can’t fill in its form.',
      isLocked: true,
    });
    await document.save();
    assert.ok(readFileSync(path).equals(locked));
    assert.deepEqual(savedInNotebook, [uri.toString()]);
    assert.deepEqual((await open(uri)).states.current, [['mark', highlight]]);
  });

  test('offers to share highlights that the team doesn’t see', async () => {
    const { uri } = write('private.pdf', formPdf({ catalog: lockedCatalog }));
    const calls: string[] = [];
    const call = (name: string): Promise<unknown> => {
      calls.push(name);
      return Promise.resolve(name === 'storedAnnotations' ? [] : name === 'keepAnnotations');
    };
    parts = { ...parts, notebook: { call } as unknown as NotebookClient };
    const document = await open(uri);
    const messages: string[] = [];
    const showMessage = (message: string): Promise<string> => {
      messages.push(message);
      return Promise.resolve('Share Highlights');
    };
    await instead({ showInformationMessage: showMessage }, async () => {
      document.edit(mark);
      await document.save();
      await until(() => savedInNotebook.length > 0);
    });
    assert.ok(
      messages.includes(
        'Your highlights in private.pdf are private. Other members of the team don’t see them.',
      ),
    );
    assert.deepEqual(calls, ['storedAnnotations', 'keepAnnotations', 'shareAnnotations']);
  });

  test('keeps marks on a read-only file in the notebook, and lets its form be saved as a copy', async () => {
    const form = formPdf();
    const undo = makeReadOnly(join(home, 'fixed'), 'fixed.pdf', form);
    try {
      const uri = vscode.Uri.file(join(home, 'fixed', 'fixed.pdf'));
      const document = await open(uri);
      assert.equal(
        await markAndRead(document),
        'fixed.pdf is read-only, so its highlights are saved in the notebook.',
      );
      assert.deepEqual(await document.formProblem(), {
        message: 'fixed.pdf is read-only. To save what you fill in, create a copy with “Save As…”.',
        isLocked: false,
      });
      await document.save();
      assert.deepEqual((await open(uri)).states.current, [['mark', highlight]]);
      document.fillIn({ field: 'name', before: '', after: 'Ada' });
      await assert.rejects(document.save(), { code: 'unsupported' });
      const copy = join(home, 'copy.pdf');
      await document.saveAs(vscode.Uri.file(copy));
      assert.ok(readFileSync(copy).includes('Ada'));
      assert.equal(countHighlights(copy), 1);
    } finally {
      undo();
    }
  });

  test('locks the form of a damaged file', async () => {
    const form = Buffer.from(formPdf()).toString('latin1');
    const damaged = Buffer.from(form.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1');
    const document = await open(write('damaged.pdf', damaged).uri);
    assert.deepEqual(await document.formProblem(), {
      message: 'damaged.pdf is damaged, so you can’t fill in its form here.',
      isLocked: true,
    });
  });

  test('saves a copy with unsaved changes, and leaves the original unchanged', async () => {
    const form = formPdf();
    const { uri, path } = write('form.pdf', form);
    const document = await open(uri);
    document.edit(mark);
    document.fillIn({ field: 'name', before: '', after: 'Mary Somerville' });
    const copy = join(home, 'copy.pdf');
    await document.saveAs(vscode.Uri.file(copy));
    const bytes = readFileSync(copy);
    assert.ok(bytes.subarray(0, form.length).equals(form));
    assert.ok(bytes.includes('Mary Somerville'));
    assert.equal(countHighlights(copy), 1);
    assert.ok(readFileSync(path).equals(form));
    assert.equal(document.isSaved, false);
  });

  test('asks before it opens a program to print, or offers a copy', async () => {
    const { uri } = write('form.pdf', formPdf());
    const document = await open(uri);
    const messages: string[] = [];
    const answer = (question: string, _: unknown, button: string): Promise<string | undefined> => {
      messages.push(question);
      return Promise.resolve(button);
    };
    const decline = (message: string): Promise<undefined> => {
      messages.push(message);
      return Promise.resolve(undefined);
    };
    const cannotOpen = (): Promise<boolean> => Promise.resolve(false);
    await instead({ showInformationMessage: answer, showWarningMessage: decline }, () =>
      instead({ openExternal: cannotOpen }, () => printPdf(document), vscode.env),
    );
    assert.match(messages[0] ?? '', /^Open “form\.pdf” in your default PDF app\?$/);
    assert.match(messages[1] ?? '', /^Can’t open form\.pdf in another app/);
  });
});

suite('unsaved changes of a PDF', () => {
  const log = vscode.window.createOutputChannel('Unsaved PDF', { log: true });
  let home: string;
  let notebook: NotebookClient;
  let parts: PdfParts;
  let uri: vscode.Uri;

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'pdf-unsaved-'));
    notebook = openNotebook(join(home, 'notebook'), log);
    const used: Partial<PdfParts> = {
      notebook,
      unsaved: vscode.Uri.file(join(home, 'unsaved')),
      webAddress: () => Promise.resolve(undefined),
    };
    parts = used as PdfParts;
    writeFileSync(join(home, 'form.pdf'), formPdf());
    uri = vscode.Uri.file(join(home, 'form.pdf'));
  });

  teardown(async () => {
    await notebook.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** Backs up a marked and filled-in document as the editor does. */
  async function backUp(): Promise<{ readonly document: PdfDocument; readonly id: string }> {
    const document = await PdfDocument.open(uri, undefined, parts);
    document.edit(mark);
    document.fillIn({ field: 'name', before: '', after: 'Grace Hopper' });
    const { id } = await document.backUp(vscode.Uri.file(join(home, 'backup')));
    return { document, id };
  }

  test('are restored from the backup', async () => {
    const { id } = await backUp();
    const again = await PdfDocument.open(uri, id, parts);
    assert.deepEqual(again.states.current, [['mark', highlight]]);
    assert.deepEqual(again.form.current, [['name', 'Grace Hopper']]);
    assert.equal(again.isSaved, false);
    assert.equal(again.isRestored, false);
  });

  test('are restored if the backup is lost', async () => {
    await backUp();
    const again = await PdfDocument.open(uri, undefined, parts);
    assert.deepEqual(again.form.current, [['name', 'Grace Hopper']]);
    // The viewer reports this to the editor, which shows the file as unsaved.
    assert.equal(again.isRestored, true);
  });

  test('are reported to VS Code if the backup is lost', async () => {
    await backUp();
    const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
    assert.ok(extension);
    const all: Partial<PdfParts> = {
      ...parts,
      extensionUri: extension.extensionUri,
      memory: new MemoryMemento(),
    };
    const nothing = { dispose: () => undefined };
    const viewer = await instead({ registerCustomEditorProvider: () => nothing }, () =>
      Promise.resolve(new PdfViewer(all as PdfParts)),
    );
    const edited: vscode.Uri[] = [];
    viewer.onDidChangeCustomDocument(({ document }) => edited.push(document.uri));
    const panel = vscode.window.createWebviewPanel('pdf', 'PDF', vscode.ViewColumn.Active);
    try {
      const context = { backupId: undefined, untitledDocumentData: undefined };
      await viewer.resolveCustomEditor(await viewer.openCustomDocument(uri, context), panel);
      assert.deepEqual(edited.map(String), [uri.toString()]);
    } finally {
      panel.dispose();
      viewer.dispose();
    }
  });

  test('are ignored when the backup is damaged', async () => {
    await backUp();
    for (const name of readdirSync(join(home, 'unsaved')))
      writeFileSync(join(home, 'unsaved', name), '{"wanted": 7');
    const again = await PdfDocument.open(uri, undefined, parts);
    assert.equal(again.isSaved, true);
    assert.deepEqual(again.form.current, []);
  });

  test('are gone after a revert', async () => {
    const { document } = await backUp();
    await document.revert();
    assert.equal(document.isSaved, true);
    assert.deepEqual(document.form.current, [['name', '']]);
    assert.deepEqual(readdirSync(join(home, 'unsaved')), []);
    const again = await PdfDocument.open(uri, undefined, parts);
    assert.deepEqual(again.states.current, []);
  });
});

suite('opening a PDF', () => {
  let home: string;

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'pdf-opening-'));
  });

  teardown(() => {
    rmSync(home, { recursive: true, force: true });
  });

  test('at a citation reports that the file is gone', async () => {
    const removedUri = vscode.Uri.file(join(home, 'garden.pdf')).toString();
    const viewer: Partial<PdfViewer> = { show: () => Promise.resolve() };
    const originals = editorOriginals(new Highlighter(), viewer as PdfViewer);
    await assert.rejects(originals.showPdf(removedUri, { marks: [], current: 0 }, vscode.ViewColumn.Active), {
      code: 'not-found',
      message: 'Can’t open garden.pdf. It may have been moved or deleted.',
    });
    await assert.rejects(openBytes(vscode.Uri.parse(removedUri)), { code: 'not-found' });
  });

  test('reads parts of the file', async () => {
    const form = formPdf();
    writeFileSync(join(home, 'form.pdf'), form);
    const bytes = await openBytes(vscode.Uri.file(join(home, 'form.pdf')));
    assert.equal(bytes.length, form.length);
    assert.deepEqual(await bytes.read(100, 200), form.slice(100, 200));
    assert.deepEqual(await bytes.read(form.length - 5, form.length + 5), form.slice(-5));
    await bytes.close();
  });
});

suite('Highlights of a PDF in a note', () => {
  test('are all under the name of the PDF', async () => {
    const added: { readonly title: string; readonly text: string }[] = [];
    const answers: Readonly<Record<string, (params: never) => unknown>> = {
      citeRegion: ({ words }: { readonly words: string }) =>
        testCitation({ title: 'papers/heart.pdf', place: 'p. 2', quote: words }),
      notes: () => [],
      addNote: (note: (typeof added)[number]) => {
        added.push(note);
        // Opening the note needs a notebook.
        throw new Error('Added');
      },
    };
    const call = async (name: string, params: never): Promise<unknown> => {
      await Promise.resolve();
      return answers[name]?.(params);
    };
    const region = { page: 2, x: 0, y: 0, width: 90, height: 12 };
    const marked = ['The heart beats.', 'It rests at night.', 'It is a muscle.'].map((words) => ({
      ...{ region, words, remark: '', picture: undefined },
    }));
    const notebook = { call } as unknown as NotebookClient;
    await assert.rejects(saveMarked(notebook, 'file:///heart.pdf', marked), /Added/);
    assert.equal(added[0]?.title, 'Highlights in heart.pdf');
    const quotes = added[0].text.split('\n').filter((line) => line.startsWith('> '));
    assert.deepEqual(
      quotes.map((line) => line.slice(2, line.indexOf(' ['))),
      ['The heart beats.', 'It rests at night.', 'It is a muscle.'],
    );
  });
});
