import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { artifactCommands } from '../../src/features/artifacts/commands/artifact-commands.ts';
import { Exclusions } from '../../src/features/sources/editor/exclusions.ts';
import { ScopeChoice } from '../../src/features/sources/editor/scope-choice.ts';
import { sourceItem, type SourcesNode } from '../../src/features/sources/editor/source-items.ts';
import { describe } from '../../src/features/sources/editor/source-words.ts';
import { SourcesView } from '../../src/features/sources/editor/sources-view.ts';
import type { DocumentInput } from '../../src/index/store/sources/sources-api.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { MemoryMemento } from '../support/memory-storage.ts';
import { until } from '../support/until.ts';

type Boxes = vscode.TreeCheckboxChangeEvent<SourcesNode>;

suite('Sources view', () => {
  const log = vscode.window.createOutputChannel('Sources tree', { log: true });
  const keys = ['docs/old/a.md', 'docs/old/b.md', 'docs/plan.md', 'readme.md', 'src/main/lamp.ts'];
  let adding: AddingNotebook;
  let scopes: ScopeChoice;
  let view: SourcesView;
  let clicks = 0;
  let isVisible = true;
  let selection: readonly SourcesNode[] = [];
  let select: (boxes: Boxes) => unknown = () => undefined;

  /** Rows below a row: name, description, and state of the checkbox. */
  const rows = async (parent?: SourcesNode): Promise<string[]> =>
    (await view.getChildren(parent)).map((node) => {
      const { label, description, checkboxState } = view.getTreeItem(node);
      const { state } = checkboxState as Exclude<typeof checkboxState, number | undefined>;
      const isChecked = state === vscode.TreeItemCheckboxState.Checked;
      return `${isChecked ? '☑' : '☐'} ${label as string}: ${String(description).replace(/ · (?:just now|.* ago)$/, '')}`;
    });
  const child = async (name: string, parent?: SourcesNode): Promise<SourcesNode> => {
    const matching = (await view.getChildren(parent)).find((node) => view.getTreeItem(node).label === name);
    assert.ok(matching, name);
    return matching;
  };
  const input = (key: string): DocumentInput => ({
    ...{ key, uri: `file:///shed/${key}`, hash: key, size: 1, modifiedAt: 1 },
    document: readPlainText(`The text of ${key}.`, 'text/plain'),
  });

  suiteSetup(async () => {
    adding = openToAdd('sources-tree-', log);
    const { notebook } = adding;
    const origin = { kind: 'folder', uri: 'file:///shed' } as const;
    const { id } = await notebook.call('addSource', { title: 'work', origin });
    for (const key of keys) await notebook.call('putDocument', { sourceId: id, input: input(key) });
    const skipped = { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 };
    const state = { kind: 'ready' } as const;
    await notebook.call('finishSource', { sourceId: id, skipped, skippedFiles: [], state });
    scopes = new ScopeChoice(new MemoryMemento(), notebook);
    const nothing = { dispose: () => undefined };
    const tree = {
      ...nothing,
      get visible() {
        return isVisible;
      },
      get selection() {
        return selection;
      },
      onDidCollapseElement: () => nothing,
      onDidChangeCheckboxState: (listener: typeof select) => {
        select = listener;
        return nothing;
      },
    };
    const recognition = { onDidChange: () => nothing, left: () => 0, findProblem: () => undefined };
    view = await instead({ createTreeView: () => tree }, () =>
      Promise.resolve(new SourcesView(notebook, scopes, recognition, {} as never)),
    );
  });

  suiteTeardown(async () => {
    view.dispose();
    scopes.dispose();
    await adding.end();
  });

  test('shows the files of a folder as a tree', async () => {
    const work = await child('work');
    assert.deepEqual(await rows(work), ['☑ docs: 3 files', '☑ src/main: 1 file', '☑ readme.md: 1 passage']);
    const docs = await child('docs', work);
    assert.deepEqual(await rows(docs), ['☑ old: 2 files', '☑ plan.md: 1 passage']);
    const old = await child('old', docs);
    assert.deepEqual(
      [view.getParent(old), view.getParent(docs), view.getParent(work)],
      [docs, work, undefined],
    );
  });

  test('counts included documents on each level', async () => {
    const work = await child('work');
    const docs = await child('docs', work);
    const drawn: (readonly SourcesNode[] | undefined)[] = [];
    const listening = view.onDidChangeTreeData((nodes) => drawn.push(nodes));
    const set = async (node: SourcesNode, isChecked: boolean): Promise<void> => {
      drawn.length = 0;
      const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
      select({ items: [[node, isChecked ? Checked : Unchecked]] });
      await until(() => drawn.length > 0);
      assert.ok(drawn.every((nodes) => nodes?.length === 1 && nodes[0] === work));
    };
    await set(await child('old', docs), false);
    assert.deepEqual(await rows(), ['☑ work: 3 of 5 files · 5 passages']);
    assert.deepEqual((await rows(work))[0], '☑ docs: 1 of 3 files');
    assert.deepEqual(await rows(await child('docs', work)), ['☐ old: 2 files', '☑ plan.md: 1 passage']);
    await set(work, false);
    assert.deepEqual(await rows(), ['☐ work: 5 files · 5 passages']);
    await set(await child('plan.md', docs), true);
    assert.deepEqual(await rows(), ['☑ work: 1 of 5 files · 5 passages']);
    assert.deepEqual(await rows(await child('docs', work)), ['☐ old: 2 files', '☑ plan.md: 1 passage']);
    await set(work, true);
    assert.deepEqual(await rows(), ['☑ work: 5 files · 5 passages']);
    listening.dispose();
  });

  test('shows the number of files of a folder as soon as they are listed', async () => {
    const [source] = await adding.notebook.call('sources', {});
    assert.ok(source);
    const describeProgress = (done: number, total: number): string =>
      describe({ ...source, state: { kind: 'reading', done, total } }, { left: 0, isPaused: false });
    assert.equal(describeProgress(0, 0), 'Looking for files…');
    assert.equal(describeProgress(0, 271), 'Reading 0 of 271 files');
  });

  test('toggles the checkboxes of the focused or selected rows', async () => {
    const work = await child('work');
    const readme = await child('readme.md', work);
    const press = async (focused: SourcesNode): Promise<string[]> => {
      const toggle = (): void => {
        const isSelected = selection.includes(focused);
        selection = isSelected ? selection.filter((node) => node !== focused) : [...selection, focused];
      };
      const before = new Set(selection);
      const act = async (): Promise<void> => view.toggleBoxes(await view.rowsOfKey());
      await instead({ executeCommand: toggle }, act, vscode.commands);
      assert.deepEqual(new Set(selection), before);
      return (await rows(work)).map((row) => row.slice(0, row.indexOf(':')));
    };
    selection = [readme];
    assert.deepEqual(await press(await child('docs', work)), ['☐ docs', '☑ src/main', '☑ readme.md']);
    selection = [await child('docs', work), readme];
    assert.deepEqual(await press(readme), ['☑ docs', '☑ src/main', '☑ readme.md']);
    selection = [await child('docs', work), readme];
    assert.deepEqual(await press(readme), ['☐ docs', '☑ src/main', '☐ readme.md']);
    await scopes.pickNotebook();
  });

  test('excludes rows of each level from the search scope, and undoes it', async () => {
    const { notebook } = adding;
    const document = { ...input(''), uri: '' };
    const params = { title: 'note', origin: { kind: 'text' } as const, document };
    const { id } = await notebook.call('addSource', params);
    const reports: string[] = [];
    const exclusions = new Exclusions({
      ...{ notebook, scopes, reader: adding.reader },
      status: { show: ({ sentence }) => void reports.push(sentence), hide: () => undefined },
    });
    const contexts = async (): Promise<string[]> => {
      const work = await child('work');
      const docs = await child('docs', work);
      const nodes = [await child('note'), docs, await child('plan.md', docs)];
      return nodes.map(
        (node) => /\b(?:included|notIncluded)\b/.exec(view.getTreeItem(node).contextValue ?? '')?.[0] ?? '',
      );
    };
    const exclude = (nodes: readonly SourcesNode[]): Promise<void> =>
      instead({ showInformationMessage: () => Promise.resolve(undefined) }, () =>
        exclusions.excludeFromScope(nodes),
      );
    await exclude([await child('note')]);
    assert.deepEqual(await contexts(), ['notIncluded', 'included', 'included']);
    await exclude([await child('docs', await child('work')), await child('note')]);
    assert.deepEqual(await contexts(), ['notIncluded', 'notIncluded', 'notIncluded']);
    await exclusions.undo();
    assert.deepEqual(await contexts(), ['notIncluded', 'included', 'included']);
    await exclusions.undo();
    assert.deepEqual(await contexts(), ['included', 'included', 'included']);
    assert.ok(scopes.areAllIncluded(await notebook.call('sources', {})));
    assert.deepEqual(reports, [
      'Excluded note from the search scope.',
      'Excluded 2 items from the search scope.',
    ]);
    await notebook.call('removeSources', { sourceIds: [id] });
  });

  test('generates from the selected rows when run from the Command Palette', async () => {
    const work = await child('work');
    const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
    assert.ok(extension);
    const parts = {
      ...{ notebook: adding.notebook, sourcesView: view, scopes, extensionUri: extension.extensionUri },
      answerModels: { of: () => Promise.reject(new Error('No model.')) },
    };
    const { make } = artifactCommands(parts as never);
    assert.ok(make);
    const titles: string[] = [];
    const dismiss = (_items: unknown, { title }: vscode.QuickPickOptions): Promise<undefined> => {
      titles.push(title ?? '');
      return Promise.resolve(undefined);
    };
    const generate = (): Promise<void> => instead({ showQuickPick: dismiss }, () => make());
    selection = [await child('readme.md', work)];
    await generate();
    selection = [await child('readme.md', work), await child('docs', work)];
    await generate();
    isVisible = false;
    await generate();
    isVisible = true;
    selection = [];
    assert.deepEqual(titles, ['Generate from readme.md', 'Generate from 2 Sources', 'Generate from work']);
  });

  test('shows the file icon for text from another machine', async () => {
    const { source } = await child('work');
    const copy = { ...source, title: 'report.pdf', origin: { kind: 'copy', of: 'file' } } as const;
    const { iconPath, resourceUri } = sourceItem(copy, true, { left: 0, isPaused: false });
    assert.deepEqual([iconPath, resourceUri?.path], [vscode.ThemeIcon.File, '/report.pdf']);
  });

  test('opens a document with the focus by a double click and by Enter', async () => {
    const readme = await child('readme.md', await child('work'));
    // A clock that stands still, long after any other click.
    const time = performance.now() + 60_000 * ++clicks;
    const now = Object.getOwnPropertyDescriptor(performance, 'now');
    Object.defineProperty(performance, 'now', { configurable: true, value: () => time });
    let places: ReturnType<SourcesView['placeOfClick']>[];
    try {
      places = [view.placeOfClick(readme), view.placeOfClick(readme)];
      await view.openFocused();
      places.push(view.placeOfClick(readme));
    } finally {
      if (now) Object.defineProperty(performance, 'now', now);
      else Reflect.deleteProperty(performance, 'now');
    }
    const place = { viewColumn: vscode.ViewColumn.Active };
    assert.deepEqual(places, [
      { ...place, preserveFocus: true, preview: true },
      { ...place, preserveFocus: false, preview: false },
      { ...place, preserveFocus: false, preview: true },
    ]);
  });
});
