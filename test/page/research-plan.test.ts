import type { Locator, Page } from '@playwright/test';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import type { Research } from '../../src/features/research/model/project.ts';
import { button, planStep } from '../support/research-page.ts';
import { boardStep, researchPageState, researchWith } from '../support/shown-research.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';
import { sendChange } from './page-host.ts';
import { researchHost } from './research-host.ts';

const steps = [
  boardStep('water', { target: 'Say how tomatoes are watered.' }),
  boardStep('hens', { target: 'Say what the hens eat.' }),
  boardStep('whole', {
    target: 'Join all that is known of the garden.',
    materials: ['water-product', 'hens-product'],
    state: 'blocked',
    waitsFor: ['water', 'hens'],
  }),
];

const planned = (more: Partial<Research> = {}): ResearchPanelState =>
  researchPageState({ research: researchWith({ state: 'planned', steps, ...more }) });

const words = (page: Page, number: number): Locator =>
  planStep(page, number).getByRole('textbox', { name: /task/ });

test.describe('Plan of a research project', () => {
  test('waits for approval', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    await expect(page.locator('.plan-step')).toHaveCount(3);
    await expect(page.locator('main')).toContainText('Plan awaiting approval');
    await button(page, 'Approve and Start').click();
    await expect.poll(() => shown.callsOf('act')).toEqual([{ action: 'approve', basedOn: 1 }]);
    sendChange(shown.remote, planned(), planned({ state: 'running', revision: 2 }));
    await expect(page.getByRole('tab', { name: 'Board' })).toHaveAttribute('aria-selected', 'true');
  });

  test('saves the task of a step when the field loses focus', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    await words(page, 2).fill('Say what the hens eat, and when.');
    await words(page, 2).blur();
    const change = { target: 'Say what the hens eat, and when.' };
    await expect
      .poll(() => shown.callsOf('edit'))
      .toEqual([{ edit: { kind: 'change', stepId: 'hens', change }, basedOn: 1 }]);
    await expect(words(page, 2)).toHaveValue('Say what the hens eat, and when.');
  });

  test('bases each edit on the version after the previous edit', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    await page.getByRole('button', { name: 'Move step 2 up' }).click();
    await page.getByRole('button', { name: 'Move step 2 up' }).click();
    await expect.poll(() => shown.callsOf('edit').map(({ basedOn }) => basedOn)).toEqual([1, 2]);
  });

  test('removes a step', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    await planStep(page, 2).hover();
    await planStep(page, 2).getByRole('button', { name: 'Delete step 2' }).click();
    await expect
      .poll(() => shown.callsOf('edit'))
      .toEqual([{ edit: { kind: 'remove', stepId: 'hens' }, basedOn: 1 }]);
    sendChange(shown.remote, planned(), planned({ steps: steps.filter(({ id }) => id !== 'hens') }));
    await expect(page.locator('.plan-step')).toHaveCount(2);
  });

  test('undoes the last change', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    const undo = page.getByRole('button', { name: 'Undo the last change to the plan' });
    await expect(undo).toBeDisabled();
    sendChange(shown.remote, planned(), planned({ canUndo: true, planVersion: 2 }));
    await undo.click();
    await page.getByRole('button', { name: 'Move step 2 up' }).focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => shown.callsOf('stepPlan')).toEqual([{ by: -1 }, { by: -1 }]);
  });

  test('moves a step with Alt and an arrow key', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    await words(page, 2).press('Alt+ArrowUp');
    await expect
      .poll(() => shown.callsOf('edit'))
      .toEqual([{ edit: { kind: 'move', stepId: 'hens', to: 0 }, basedOn: 1 }]);
  });

  test('splits a step into its sentences', async ({ page, show }) => {
    const target = 'Say what the hens eat. Say when they eat it.';
    const shown = await show(
      'research',
      researchHost(planned({ steps: [boardStep('hens', { target }), ...steps.slice(2)] })),
    );
    await planStep(page, 1).hover();
    await page.getByRole('button', { name: 'Split step 1' }).click();
    await button(page, 'Split').click();
    const targets = ['Say what the hens eat.', 'Say when they eat it.'];
    await expect
      .poll(() => shown.callsOf('edit'))
      .toEqual([{ edit: { kind: 'split', stepId: 'hens', targets }, basedOn: 1 }]);
  });

  test('shows why an edit was refused', async ({ page, show }) => {
    const edit = (): never => {
      throw new Error('Another window changed the plan.');
    };
    await show('research', researchHost(planned(), { edit }));
    await page.getByRole('button', { name: 'Move step 2 up' }).click();
    await expect(page.getByRole('alert')).toContainText('Another window changed the plan.');
  });

  test('offers to regenerate the plan with new comments', async ({ page, show }) => {
    const shown = await show('research', researchHost(planned()));
    await page.getByLabel('Comment on the whole plan').fill('Do not forget the hens.');
    await page.getByLabel('Comment on the whole plan').press('Enter');
    const comment = { stepId: undefined, text: 'Do not forget the hens.' };
    await expect.poll(() => shown.callsOf('comment')).toEqual([comment]);
    const comments = [{ id: 'c', ...comment, writtenAt: 0, isHeard: false }];
    sendChange(shown.remote, planned(), planned({ comments, revision: 2 }));
    await expect(page.getByRole('list', { name: 'Comments' })).toContainText('Do not forget the hens.');
    await button(page, 'Regenerate Plan with 1 Comment').click();
    await expect.poll(() => shown.callsOf('act')).toEqual([{ action: 'planAgain', basedOn: 1 }]);
  });

  test('looks right in each theme', async ({ page, show }) => {
    const objections = [{ stepId: 'hens', rule: 'unused', text: 'No step uses it.' }] as const;
    const comments = [{ id: 'c', stepId: 'hens', text: 'Mind the chicks.', writtenAt: 0, isHeard: true }];
    const shown = await show('research', researchHost(planned({ objections, comments })));
    await planStep(page, 2).hover();
    await lookInEachTheme(page, shown, 'research-plan');
  });
});
