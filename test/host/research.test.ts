// Tests what a research page receives from the extension: the whole state once, and then only what changed.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  Researches,
  type Researcher,
  type ResearchesParts,
} from '../../src/features/research/editor/researches.ts';
import { ResearchTabs } from '../../src/features/research/editor/research-tabs.ts';
import type { ResearchHandlerParts } from '../../src/features/research/editor/research-handlers.ts';
import type {
  ResearchHostApi,
  ResearchPanelApi,
  ResearchPanelState,
} from '../../src/features/research/protocol.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { HOLD, makeProduct, makeStep, OPTIONS, planWith, USER } from '../support/made-boards.ts';
import { openWorkspaceNotebook, packedWindow } from '../support/packed-extension.ts';
import { note } from '../support/suite-report.ts';
import { TestPage, TestPanel } from '../support/test-panel.ts';
import { until } from '../support/until.ts';

/** Number of steps with results, and number of records in the activity log. */
const RESULTS = 200;
const EVENTS = 500;

/** Maximum size of the messages after one change, in UTF-16 code units of their JSON. */
const MAX_CHANGE_LENGTH = 2_000;

type ResearchTestPage = TestPage<ResearchPanelState, ResearchHostApi, ResearchPanelApi>;

suite('Research page', () => {
  const log = vscode.window.createOutputChannel('Research page', { log: true });
  let notebook: NotebookClient;
  let researchId: string;
  let researches: Researches;
  let tabs: ResearchTabs;

  /** Adds a running project with results and records. */
  const addProject = async (): Promise<string> => {
    const { researchId: id } = await notebook.call('addResearch', {
      ...{ goal: 'Compare the birds', bounds: {}, options: OPTIONS },
    });
    const names = Array.from({ length: RESULTS }, (_, index) => `bird ${String(index)}`);
    const plan = planWith(...names.map((name) => makeStep(name)), makeStep('last'));
    await notebook.call('setPlan', { researchId: id, plan, basedOn: 0 });
    await notebook.call('changeResearch', { researchId: id, state: 'running' });
    for (const stepId of names) {
      const claim = await notebook.call('claimStep', { researchId: id, stepId, holder: USER, hold: HOLD });
      const product = makeProduct(`The ${stepId} nests at the lake. `.repeat(20), USER);
      await notebook.call('submitStep', { token: claim?.token ?? '', product });
    }
    for (let count = (await notebook.call('records', { researchId: id })).length; count < EVENTS; count++)
      await addRecord(id);
    return id;
  };
  const addRecord = (id: string): Promise<void> =>
    notebook.call('record', {
      ...{ researchId: id, stepId: 'last' },
      event: { kind: 'tool', skill: 'find', input: { words: 'lake' }, result: 'Herons.', time: 5 },
    });
  const show = async (panel: TestPanel): Promise<ResearchTestPage> => {
    const page: ResearchTestPage = new TestPage(panel, { focus: () => undefined });
    await page.channel.remote.call('ready', {});
    return page;
  };
  const open = (): TestPanel => {
    const panel = new TestPanel();
    tabs.fill(panel as unknown as vscode.WebviewPanel, { researchId });
    return panel;
  };
  /** Waits until a page shows the state of the board. */
  const isCurrent = async (page: ResearchTestPage): Promise<void> => {
    const current = async (): Promise<string> => JSON.stringify(await researches.state(researchId));
    await until(async () => {
      const [shown, expected] = [page.state, JSON.parse(await current()) as unknown];
      try {
        assert.deepEqual(JSON.parse(JSON.stringify(shown)), expected);
        return true;
      } catch {
        return false;
      }
    }, current);
  };
  /** Returns the length of all messages to a page for a change. */
  const lengthOf = async (page: ResearchTestPage, change: () => Promise<unknown>): Promise<number> => {
    const before = page.lengths.length;
    await change();
    await isCurrent(page);
    return page.lengths.slice(before).reduce((sum, length) => sum + length, 0);
  };

  suiteSetup(async () => {
    await packedWindow();
    notebook = openWorkspaceNotebook(log);
    researchId = await addProject();
    const never = new vscode.EventEmitter<never>().event;
    const shown = { describeScope: () => Promise.resolve({ kind: 'notebook' }), onDidChange: never };
    const parts = {
      ...{ notebook, log, scopes: shown, embedder: {} },
      teams: { claimStep: () => Promise.resolve({ kind: 'alone' }) },
      models: { of: () => Promise.resolve({ current: { kind: 'quotes' } }), onDidChange: never },
    } as unknown as ResearchesParts;
    const researcher: Partial<Researcher> = {
      skills: () => Promise.resolve([]),
      tools: () => [],
      checkRequest: () => Promise.resolve(undefined),
      critique: () => Promise.resolve([]),
      dispose: () => undefined,
    };
    researches = new Researches(parts, researcher as Researcher);
    const extensionUri = vscode.Uri.file('/extension');
    tabs = new ResearchTabs({ notebook, researches, extensionUri } as unknown as ResearchHandlerParts);
  });

  suiteTeardown(async () => {
    tabs.dispose();
    researches.dispose();
    await notebook.call('removeResearch', { researchId });
    await notebook.close();
  });

  test('receives only the part that changed', async () => {
    const page = await show(open());
    await isCurrent(page);
    assert.deepEqual(page.wholes, [true]);
    const whole = JSON.stringify(page.state).length;
    const { board } = researches;
    const stepId = 'bird 7';
    const lengths = {
      event: await lengthOf(page, () => addRecord(researchId)),
      progress: await lengthOf(page, () => notebook.call('spend', { researchId, requests: 1, time: 900 })),
      claim: await lengthOf(page, () => researches.steps.take(researchId, 'last')),
      draft: await lengthOf(page, () =>
        board.call('draftStep', { researchId, stepId: 'last', draft: 'Ten.' }),
      ),
      release: await lengthOf(page, () => researches.steps.giveBack(researchId, 'last')),
      result: await lengthOf(page, () =>
        board.call('putProduct', {
          researchId,
          product: { ...makeProduct('Ten.', USER), id: `${stepId} product` },
        }),
      ),
      comment: await lengthOf(page, () =>
        board.call('commentPlan', { researchId, stepId, text: 'Shorter.' }),
      ),
    };
    note('lengths of messages to a research page', { whole, ...lengths });
    for (const [change, length] of Object.entries(lengths))
      assert.ok(length > 0 && length < MAX_CHANGE_LENGTH, `${change}: ${String(length)} of ${String(whole)}`);
    assert.ok(page.wholes.slice(1).every((isWhole) => !isWhole));
  });

  test('shows an estimate of the fact check that needs consent', async () => {
    const page = await show(open());
    const product = makeProduct('Ten herons nest.', USER);
    const check = { ...product.check, claims: 4, unchecked: 4 };
    const changed = { ...product, id: 'bird 9 product', check };
    await notebook.call('putProduct', { researchId, product: changed });
    await isCurrent(page);
    assert.deepEqual(page.state?.checkTokens, { requests: 1, input: 3_170, output: 200 });
  });

  test('receives only the latest records of the activity log, and then the new ones', async () => {
    const page = await show(open());
    const { remote } = page.channel;
    const whole = await notebook.call('records', { researchId });
    const { records, hasEarlier } = await remote.call('latestRecords', {
      ...{ stepId: undefined, before: undefined },
    });
    note('lengths of the activity log', {
      ...{ first: JSON.stringify(records).length, whole: JSON.stringify(whole).length },
    });
    assert.ok(hasEarlier && records.length < EVENTS);
    assert.deepEqual(records, whole.slice(-records.length));
    const before = page.lengths.length;
    await addRecord(researchId);
    const newer = await remote.call('records', { stepId: undefined, after: records.at(-1)?.id ?? 0 });
    assert.equal(newer.length, 1);
    await isCurrent(page);
    assert.ok(page.lengths.slice(before).reduce((sum, length) => sum + length, 0) < MAX_CHANGE_LENGTH);
  });

  test('receives the whole state again when it is shown again', async () => {
    const panel = open();
    await isCurrent(await show(panel));
    panel.visible = false;
    panel.emit('viewState');
    await addRecord(researchId);
    panel.visible = true;
    panel.emit('viewState');
    const page = await show(panel);
    await addRecord(researchId);
    await isCurrent(page);
    assert.deepEqual(
      page.wholes,
      page.wholes.map((_, index) => index === 0),
    );
  });

  test('receives changes during the whole state after it', async () => {
    const page: ResearchTestPage = new TestPage(open(), { focus: () => undefined });
    const ready = page.channel.remote.call('ready', {});
    await Promise.all([addRecord(researchId), addRecord(researchId), ready]);
    await isCurrent(page);
    assert.deepEqual(
      page.wholes,
      page.wholes.map((_, index) => index === 0),
    );
  });

  test('shows the same project as another page', async () => {
    const [first, second] = [await show(open()), await show(open())];
    await addRecord(researchId);
    await isCurrent(first);
    await isCurrent(second);
    await first.channel.remote.call('comment', { stepId: 'bird 3', text: 'With figures.' });
    await isCurrent(first);
    await isCurrent(second);
    assert.equal(second.state?.research?.comments.at(-1)?.text, 'With figures.');
  });

  test('shows the plan before an edit when it is undone', async () => {
    const page = await show(open());
    await isCurrent(page);
    const plan = page.state?.research?.steps;
    const basedOn = page.state?.research?.planVersion ?? 0;
    const { remote } = page.channel;
    await remote.call('edit', { edit: { kind: 'move', stepId: 'last', to: 0 }, basedOn });
    await isCurrent(page);
    assert.equal(page.state?.research?.steps[0]?.id, 'last');
    await remote.call('stepPlan', { by: -1 });
    await isCurrent(page);
    assert.deepEqual(page.state.research.steps, plan);
  });

  test('shows another project in order with the changes of the first', async () => {
    const page = await show(open());
    const change = addRecord(researchId);
    await page.channel.remote.call('show', { researchId: undefined });
    assert.equal(page.state?.research, undefined);
    await change;
    await page.channel.remote.call('show', { researchId });
    await isCurrent(page);
  });
});
