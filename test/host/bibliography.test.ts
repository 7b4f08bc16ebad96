import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { WorkCitations } from '../../src/features/citations/editor/work-citations.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { noteUri } from '../../src/features/notes/editor/note-files.ts';
import type { SourcesNode } from '../../src/features/sources/editor/source-items.ts';
import { SourcesView } from '../../src/features/sources/editor/sources-view.ts';
import { previewLink } from '../../src/features/notes/model/preview-links.ts';
import { activeLine, completionsAt, hoverAt, openLink, positionBehind } from '../support/editor-features.ts';
import { instead } from '../support/instead.ts';
import {
  clearNotebook,
  openWorkspaceNotebook,
  readySource,
  runCommand,
} from '../support/packed-extension.ts';
import { startSite, status, type Site } from '../support/site.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { until } from '../support/until.ts';

const library = `@article{wang2023,
  author = {Wang, Guanzhi and Xie, Yuqi},
  title = {Voyager: an open-ended agent},
  journal = {Transactions on Agents},
  year = {2023},
  doi = {10.1000/voyager}
}
@book{broken, title = {Never closed}
@book{knuth, author = {Knuth, Donald E.}, title = {The TeXbook}, publisher = {Addison-Wesley}, year = 1984}
`;

const paper = `<!doctype html><html lang="en"><head><title>Voyager</title>
<meta name="citation_title" content="Voyager: an open-ended agent"><meta name="citation_author" content="Wang, Guanzhi">
<meta name="citation_doi" content="10.1000/voyager"></head>
<body><article><h1>Voyager</h1><p>${'An agent explores the world and keeps what it learns. '.repeat(6)}</p></article></body></html>`;

suite('bibliography', () => {
  const log = vscode.window.createOutputChannel('Bibliography', { log: true });
  const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'works');
  const libraryUri = vscode.Uri.file(join(root, 'works.bib'));
  let notebook: NotebookClient;

  const write = (name: string, text: string): vscode.Uri => {
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, name), text);
    return vscode.Uri.file(join(root, name));
  };
  const rowOf = async (title: string): Promise<SourcesNode> => ({
    kind: 'source',
    source: await readySource(notebook, title),
  });
  const add = async (name: string, text: string): Promise<SourcesNode> => {
    await runCommand('addToNotebook', [write(name, text)]);
    return rowOf(name);
  };
  /** Returns the tooltip of a source. */
  const tooltipOf = async (node: SourcesNode): Promise<string> => {
    const nothing = { dispose: () => undefined };
    const tree = { ...nothing, onDidCollapseElement: () => nothing, onDidChangeCheckboxState: () => nothing };
    const parts = {
      onDidChange: () => nothing,
      isPartlyIncluded: () => true,
      left: () => 0,
      findProblem: () => undefined,
    };
    const view = await instead({ createTreeView: () => tree }, () =>
      Promise.resolve(new SourcesView(notebook, parts as never, parts as never, parts as never)),
    );
    try {
      return (await view.resolveTreeItem(view.getTreeItem(node), node)).tooltip as string;
    } finally {
      view.dispose();
    }
  };

  suiteSetup(() => {
    notebook = openWorkspaceNotebook(log);
  });

  teardown(async () => {
    await clearNotebook(notebook);
    rmSync(root, { recursive: true, force: true });
  });

  suiteTeardown(() => notebook.close());

  test('shows the metadata of a source, and the errors of a library', async () => {
    assert.match(
      await tooltipOf(await add('works.bib', library)),
      /Skipped the entry .*broken.* on line 8 because a closing brace is missing/,
    );
    const shown = await tooltipOf(await add('paper.html', paper));
    assert.match(shown, /Guanzhi Wang\n.*doi:10\.1000\/voyager/);
  });

  test('is edited field by field', async () => {
    const node = await add('paper.html', paper);
    const lists: Partial<Record<'Authors' | 'DOI' | 'Year', string | undefined>>[] = [];
    const list = (items: readonly vscode.QuickPickItem[]): void =>
      void lists.push(Object.fromEntries(items.map(({ label, description }) => [label, description])));
    await runCommand('editBibliography', [node], {
      showQuickPick: [
        (items: readonly vscode.QuickPickItem[]) => {
          list(items);
          return items.find(({ label }) => label === 'Year');
        },
        list,
      ],
      showInputBox: () => '2024',
    });
    assert.deepEqual(
      lists.map((shown) => [shown.Year, shown.Authors, shown.DOI]),
      [
        ['not set', 'Wang, Guanzhi', '10.1000/voyager'],
        ['2024', 'Wang, Guanzhi', '10.1000/voyager'],
      ],
    );
    await runCommand('copyCitationKey', [node]);
    assert.equal(await vscode.env.clipboard.readText(), '[@wang2024voyager]');
  });

  test('is exported unchanged, with each reference once', async () => {
    await add('works.bib', library);
    await add('paper.html', paper);
    const file = join(root, 'bibliography.bib');
    const messages: string[] = [];
    await runCommand('exportBibliography', [], {
      showSaveDialog: () => vscode.Uri.file(file),
      showInformationMessage: (message: string) => void messages.push(message),
    });
    assert.deepEqual(messages, ['Exported “Bibliography” to bibliography.bib.']);
    const written = readFileSync(file, 'utf8');
    const [voyager = '', , knuth = ''] = library.split(/\n(?=@)/);
    assert.ok(written.includes(voyager.trim()));
    assert.ok(written.includes(knuth.trim()));
    assert.equal(written.match(/^@/gm)?.length, 2);
  });

  suite('in a Markdown file', () => {
    let document: vscode.TextDocument;

    setup(async () => {
      await add('works.bib', library);
      write('draft.md', '# Draft\n\nThey explore [@knuth], as [@somebody] says.\n\nAnd [@TeX\n');
      document = await vscode.workspace.openTextDocument(join(root, 'draft.md'));
    });

    test('completes keys from words of the title', async () => {
      const labels = await completionsAt(document, positionBehind(document, '[@TeX'));
      assert.ok(labels.includes('knuth'), labels.join());
    });

    test('requests the first keys as soon as a bracket is entered', async () => {
      const requested: string[] = [];
      const shown = {
        key: notebook.key,
        call: (name: string) => {
          requested.push(name);
          return Promise.resolve([]);
        },
      } as unknown as NotebookClient;
      // The extension has registered the command already.
      const citations = await instead(
        { registerCommand: () => new vscode.Disposable(() => undefined) },
        () => new WorkCitations({ shown, client: () => shown }, {} as never),
        vscode.commands,
      );
      const draft = await vscode.workspace.openTextDocument({ language: 'markdown', content: 'See [@' });
      await citations.provideCompletionItems(draft, new vscode.Position(0, 'See ['.length));
      assert.deepEqual(requested, ['findReferences']);
      await citations.provideCompletionItems(draft, new vscode.Position(0, 'See [@'.length));
      assert.deepEqual(requested, ['findReferences']);
      citations.dispose();
    });

    test('shows the reference of a known key only', async () => {
      assert.match(await hoverAt(document, positionBehind(document, '[@kn')), /The TeXbook/);
      assert.doesNotMatch(await hoverAt(document, positionBehind(document, '[@some')), /Unknown user/);
    });
  });

  suite('in a note', () => {
    const uri = noteUri('Agents', { key: '' });
    const text = '# Agents\n\nThey explore [see @knuth; @wang2023, p. 3].\n\nAnd [@TeX\n';
    let document: vscode.TextDocument;

    setup(async () => {
      await add('works.bib', library);
      await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
      document = await vscode.workspace.openTextDocument(uri);
      await until(() => document.getText() === text);
    });

    test('completes keys from words of the title', async () => {
      const labels = await completionsAt(document, positionBehind(document, '[@TeX'));
      assert.ok(labels.includes('knuth'), labels.join());
    });

    test('shows the reference of a key, even after the library changed', async () => {
      const work = await hoverAt(document, positionBehind(document, 'see @kn'));
      assert.match(work, /The TeXbook/);
      assert.match(work, /Knuth \(1984\)/);
      write('works.bib', library.replace('1984', '1986').replace('{The TeXbook}', '{The METAFONTbook}'));
      await runCommand('refreshSource', [await rowOf('works.bib')]);
      await until(async () =>
        /METAFONTbook[^]*Knuth \(1986\)/.test(await hoverAt(document, positionBehind(document, 'see @kn'))),
      );
    });

    test('opens the entry of a key', async () => {
      await openLink(document, '@knuth');
      assert.deepEqual(activeLine(), [libraryUri.toString(), 9]);
    });

    test('opens the entry of a key from the preview', async () => {
      const path = `/${previewLink({ kind: 'work', key: 'knuth' })}`;
      await vscode.commands.executeCommand('vscode.open', uri.with({ path }));
      await until(() => activeLine()?.join() === [libraryUri.toString(), 9].join());
    });

    test('is exported with the note', async () => {
      await runCommand('exportNote', [uri], {
        showQuickPick: (items: readonly vscode.QuickPickItem[]) =>
          items.find(({ label }) => label === 'Markdown'),
      });
      const exported = vscode.window.activeTextEditor?.document.getText() ?? '';
      assert.match(exported, /\(see Knuth, 1984; Wang & Xie, 2023, p\. 3\)/);
      assert.match(exported, /Addison-Wesley/);
      const file = join(root, 'Agents.html');
      await runCommand('exportNote', [uri], {
        showQuickPick: (items: readonly vscode.QuickPickItem[]) =>
          items.find(({ label }) => label === 'HTML'),
        showSaveDialog: () => vscode.Uri.file(file),
        showInformationMessage: () => undefined,
      });
      assert.match(readFileSync(file, 'utf8'), /<em>The TeXbook<\/em>/);
    });
  });

  suite('looked up by a number', () => {
    const configuration = (): vscode.WorkspaceConfiguration =>
      vscode.workspace.getConfiguration('openNotebook.bibliography');
    let site: Site;

    const csl = (item: object): object => ({
      headers: { 'content-type': 'application/vnd.citationstyles.csl+json' },
      body: JSON.stringify({ type: 'article', ...item }),
    });
    /** Agrees to each question of a command, and returns the messages that it shows. */
    const look = async (name: string, parameters: readonly unknown[], number: string): Promise<string[]> => {
      const messages: string[] = [];
      const agree = (message: string, options: unknown, choice: unknown): unknown => {
        messages.push(message);
        return typeof options === 'object' ? choice : undefined;
      };
      await runCommand(name, parameters, {
        showInputBox: () => number,
        showInformationMessage: agree,
        showWarningMessage: agree,
        showErrorMessage: agree,
      });
      return messages;
    };
    const addWork = (number: string): Promise<string[]> => look('addWork', [], number);
    const assertFound = (question: string, words: string): Promise<void> =>
      until(
        async () => (await notebook.call('search', { question, limit: 1 }))[0]?.text.includes(words) === true,
      );

    setup(async () => {
      site = await startSite();
      await configuration().update('lookUpAddress', site.url, vscode.ConfigurationTarget.Global);
    });

    teardown(async () => {
      await configuration().update('lookUpAddress', undefined, vscode.ConfigurationTarget.Global);
      await site.close();
    });

    test('adds the metadata if the full text isn’t available', async () => {
      site.set({
        '/10.1000/closed': csl({
          title: 'A closed work on tides',
          author: [{ family: 'Berg', given: 'Anna' }],
          issued: { 'date-parts': [[2021]] },
          abstract: '<jats:p>It finds 14 tides a week.</jats:p>',
        }),
      });
      const [first, second] = await addWork('10.1000/closed');
      const { host } = new URL(site.url);
      assert.equal(first, `Retrieve the metadata of 10.1000/closed from ${host}?`);
      assert.equal(second, `${host} is on this machine or on a private network. Read it?`);
      const shown = await tooltipOf(await rowOf('A closed work on tides'));
      assert.match(shown, /Anna Berg/);
      assert.match(shown, /isn’t publicly available/);
      await assertFound('How many tides a week?', '14 tides');
    });

    test('adds the text of an arXiv paper', async () => {
      const lines = [
        'The open work counts 77 lighthouses on the coast.',
        'It lists their lamps and their keepers, and the years in which they were lit.',
      ];
      site.set({
        '/10.48550/arxiv.2305.16291': csl({ title: 'An open work', URL: `${site.url}/abs/2305.16291` }),
        '/pdf/2305.16291': {
          headers: { 'content-type': 'application/pdf' },
          body: tinyPdf({ pages: [{ lines: column(72, 700, lines) }] }),
        },
      });
      await addWork('2305.16291');
      await readySource(notebook, 'An open work');
      await assertFound('How many lighthouses are on the coast?', '77 lighthouses');
    });

    test('doesn’t ask again if the user agreed to all references', async () => {
      const questions: string[] = [];
      const addClosed = async (title: string): Promise<void> => {
        const number = `10.1000/${title}`;
        site.set({ [`/${number}`]: csl({ title, abstract: `${title} finds 14 tides a week.` }) });
        const agree = (question: string, _options: unknown, ...buttons: readonly string[]): unknown => {
          questions.push(question);
          return buttons.at(-1);
        };
        await runCommand('addWork', [], {
          showInputBox: () => number,
          showInformationMessage: agree,
          showWarningMessage: agree,
        });
        await readySource(notebook, title);
      };
      await addClosed('neap');
      await addClosed('spring');
      const { host } = new URL(site.url);
      assert.deepEqual(
        questions.filter((question) => question.endsWith('?')),
        [
          `Retrieve the metadata of 10.1000/neap from ${host}?`,
          `${host} is on this machine or on a private network. Read it?`,
        ],
      );
    });

    test('reports a reference that no registry has', async () => {
      const messages = await addWork('10.1000/unknown');
      assert.match(messages.at(-1) ?? '', /has no metadata for this reference/);
      assert.deepEqual(await notebook.call('sources', {}), []);
    });

    test('replaces the metadata of a source if a registry has it', async () => {
      const node = await add('paper.html', paper);
      site.set({ '/10.1000/voyager': status(404) });
      assert.match(
        (await look('lookUpBibliography', [node], '')).at(-1) ?? '',
        /has no metadata for this reference/,
      );
      assert.doesNotMatch(await tooltipOf(node), /2025/);
      site.set({
        '/10.1000/voyager': csl({
          title: 'Voyager, as it was printed',
          author: [{ family: 'Wang', given: 'Guanzhi' }],
          issued: { 'date-parts': [[2025]] },
        }),
      });
      assert.match(
        (await look('lookUpBibliography', [node], '')).at(-1) ?? '',
        /Retrieved the metadata of “Voyager, as it was printed” for/,
      );
      assert.match(await tooltipOf(node), /2025 · doi:10\.1000\/voyager/);
    });
  });
});
