import type { Page } from '@playwright/test';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import { ELSEWHERE, type Holder, type Research } from '../../src/features/research/model/project.ts';
import { makeProduct } from '../support/made-boards.ts';
import { button, row } from '../support/research-page.ts';
import { boardStep, productEntry, researchPageState, researchWith } from '../support/shown-research.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { sendChange } from './page-host.ts';
import { researchHost } from './research-host.ts';

const you: Holder = { kind: 'user', name: '', window: 'here' };
const model: Holder = { kind: 'model', name: '1', window: 'here' };
const ada: Holder = { kind: 'user', name: 'ada', window: ELSEWHERE };

const product = {
  ...makeProduct('Tomatoes are watered every second morning.', you),
  id: 'water-product',
  check: { claims: 1, supported: 1, partly: 0, cut: [] },
};

const steps = [
  boardStep('water', {
    ...{ target: 'Say how tomatoes are watered.', state: 'done', holder: you },
    ...{ startedAt: 0, endedAt: 60_000 },
  }),
  boardStep('basil', { target: 'Say what basil is for.', state: 'in-progress', holder: model, attempts: 1 }),
  boardStep('hens', { target: 'Say what the hens eat.', state: 'in-progress', holder: you }),
  boardStep('compost', {
    ...{ target: 'Say when the compost is turned.', state: 'failed', holder: model, attempts: 3 },
    reason: 'No source says that the compost is on Mars.',
  }),
  boardStep('bees', { target: 'Say where the bees live.', draft: 'In a log.' }),
  boardStep('wasps', { target: 'Say where the wasps live.', state: 'in-progress', holder: ada }),
  boardStep('whole', {
    ...{ target: 'Join all that is known.', state: 'blocked', waitsFor: ['basil', 'hens', 'bees'] },
    materials: ['water-product', 'basil-product', 'hens-product', 'bees-product'],
  }),
];

const running = (more: Partial<Research> = {}): ResearchPanelState =>
  researchPageState({
    claimedSteps: ['hens'],
    research: researchWith({ steps, products: [productEntry('water', product)], ...more }),
  });

/** Returns the left edges of the columns that have rows, each once. */
function columnPlaces(page: Page): Promise<readonly number[]> {
  return page.locator('.column:not(.none)').evaluateAll((all) => {
    const lefts = all.map((one) => Math.round(one.getBoundingClientRect().left));
    return [...new Set(lefts)];
  });
}

test.describe('Board of a research project', () => {
  test('shows the assignee and the state of each step', async ({ page, show }) => {
    await show('research', researchHost(running()));
    for (const [state, words, line] of [
      ['Ready', 'bees', 'with your draft'],
      ['Blocked', 'Join all', 'waiting for steps 2, 3, and 5'],
      ['In progress', 'basil', 'Model 1 · attempt 2'],
      ['In progress', 'hens', 'You'],
      ['In progress', 'wasps', 'ada'],
      ['Done', 'tomatoes', /You · took 60\ss · 1 of 1 statement supported/],
      ['Failed', 'compost', 'No source says that the compost is on Mars.'],
    ] as const)
      await expect.soft(row(page, state, words)).toContainText(line);
  });

  test('lets the user claim a ready step', async ({ page, show }) => {
    const shown = await show('research', researchHost(running()));
    await row(page, 'Ready', 'bees').click();
    await button(page, 'Assign Step to Me').click();
    await expect.poll(() => shown.callsOf('take')).toEqual([{ stepId: 'bees' }]);
  });

  test('doesn’t offer a step that a team member has claimed', async ({ page, show }) => {
    await show('research', researchHost(running({ state: 'paused' })));
    await expect(page.locator('.head .state')).toContainText('ada is working on it');
    await row(page, 'In progress', 'wasps').click();
    await expect(page.getByRole('heading', { name: 'Say where the wasps live.' })).toBeVisible();
    await expect(button(page, 'Assign Step to Me')).toHaveCount(0);
    await expect(button(page, 'Assign Step to Me')).toHaveCount(0);
  });

  test('moves a step to another column when its state changes', async ({ page, show }) => {
    const shown = await show('research', researchHost(running()));
    await expect(row(page, 'In progress', 'basil')).toBeVisible();
    const done = steps.map((step) => (step.id === 'basil' ? { ...step, state: 'done' as const } : step));
    sendChange(shown.remote, running(), running({ steps: done, revision: 2 }));
    await expect(row(page, 'Done', 'basil')).toContainText('Model 1');
    await expect(row(page, 'In progress', 'basil')).toHaveCount(0);
  });

  test('shows the whole state that follows a change for the page before a reload', async ({ page, show }) => {
    const shorter = running({ steps: steps.filter(({ id }) => id !== 'basil'), revision: 2 });
    let isReloaded = false;
    const shown = await show(
      'research',
      researchHost(running(), (remote) => ({
        ready() {
          if (isReloaded) sendChange(remote, running(), shorter);
          sendChange(remote, undefined, isReloaded ? shorter : running());
        },
      })),
    );
    await expect(row(page, 'In progress', 'basil')).toBeVisible();
    isReloaded = true;
    await page.reload();
    await expect(row(page, 'In progress', 'hens')).toBeVisible();
    await expect(row(page, 'In progress', 'basil')).toHaveCount(0);
    sendChange(shown.remote, shorter, running());
    await expect(row(page, 'In progress', 'basil')).toBeVisible();
  });

  test('offers to pause a project that another window left', async ({ page, show }) => {
    const state = { ...running(), activity: { status: '', isTakenOver: true } };
    const shown = await show('research', researchHost(state));
    await expect(page.locator('main')).toContainText('This window took over');
    await button(page, 'Pause').click();
    await expect.poll(() => shown.callsOf('act')).toEqual([{ action: 'stop', basedOn: 1 }]);
  });

  test('offers to rerun the failed steps of a failed project', async ({ page, show }) => {
    const failed = steps.filter(({ state }) => state === 'done' || state === 'failed');
    const reason = 'A step failed.';
    const shown = await show('research', researchHost(running({ state: 'failed', reason, steps: failed })));
    await page.locator('main').getByText('Rerun Failed Steps').click();
    await expect.poll(() => shown.callsOf('act')).toEqual([{ action: 'goOn', basedOn: 1 }]);
  });

  test('moves through all rows with the arrow keys', async ({ page, show }) => {
    await show('research', researchHost(running()));
    await row(page, 'Ready', 'bees').focus();
    await page.keyboard.press('ArrowRight');
    await expect(row(page, 'Blocked', 'Join all')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(row(page, 'In progress', 'basil')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(row(page, 'In progress', 'hens')).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(row(page, 'Blocked', 'Join all')).toBeFocused();
  });

  test('draws lines between a step and the steps that it uses', async ({ page, show }) => {
    await show('research', researchHost(running()));
    await row(page, 'Blocked', 'Join all').focus();
    await expect(page.locator('.dependencies path')).toHaveCount(4);
    await row(page, 'Failed', 'compost').focus();
    await expect(page.locator('.dependencies path')).toHaveCount(0);
  });

  test('gives the focus back to the row when a step is closed with Escape', async ({ page, show }) => {
    await show('research', researchHost(running()));
    await row(page, 'Blocked', 'Join all').click();
    await expect(page.locator('.step-pane')).toBeVisible();
    await page.locator('.step-pane').getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await expect(page.locator('.step-pane')).toHaveCount(0);
    await expect(row(page, 'Blocked', 'Join all')).toBeFocused();
  });

  test('shows columns side by side when it is wide', async ({ page, show }) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await show('research', researchHost(running()));
    await expect.poll(async () => (await columnPlaces(page)).length).toBe(5);
    await screenshot(page, 'research-board-wide');
  });

  test('shows one list when it is as narrow as a side bar', async ({ page, show }) => {
    await page.setViewportSize({ width: 300, height: 800 });
    await show('research', researchHost(running()));
    await expect.poll(async () => (await columnPlaces(page)).length).toBe(1);
    await row(page, 'Failed', 'compost').click();
    await expect(page.locator('.step-pane')).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(300);
    await screenshot(page, 'research-board-narrow');
  });

  test('looks right in each theme', async ({ page, show }) => {
    await page.setViewportSize({ width: 1000, height: 800 });
    const shown = await show('research', researchHost(running()));
    await row(page, 'Blocked', 'Join all').focus();
    await lookInEachTheme(page, shown, 'research-board');
  });
});
