import type { CoverageView } from '../../src/features/research/protocol.ts';
import { button } from '../support/research-page.ts';
import { boardStep, researchPageState, researchWith } from '../support/shown-research.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';
import { sendChange } from './page-host.ts';
import { researchHost } from './research-host.ts';

const coverage: CoverageView = {
  nodes: [
    {
      ...{ kind: 'source', title: 'garden.md', sourceId: 's1', documentId: undefined, start: undefined },
      ...{ passages: 10, cited: 2 },
      children: [
        {
          ...{ kind: 'section', title: 'Hens', sourceId: 's1', documentId: 1, start: 40 },
          ...{ passages: 4, cited: 0, children: [] },
        },
      ],
    },
    {
      ...{ kind: 'source', title: 'notes.md', sourceId: 's2', documentId: undefined, start: undefined },
      ...{ passages: 5, cited: 5, children: [] },
    },
  ],
  omitted: 0,
  next: [
    {
      ...{
        kind: 'section',
        goal: 'Sum up what “Hens” says.',
        why: 'No answer cites this section.',
        effort: 0,
      },
      place: { sourceId: 's1', documentId: 1, start: 40 },
    },
  ],
};

test.describe('Start page of research', () => {
  test('makes a plan for the goal when the button is pressed', async ({ page, show }) => {
    const planning = researchPageState({ research: researchWith({ state: 'planning' }) });
    const shown = await show(
      'research',
      researchHost(researchPageState(), (remote) => ({
        begin: () => sendChange(remote, researchPageState(), planning),
      })),
    );
    await expect(page.getByLabel('Goal')).toBeFocused();
    await page.getByLabel('Goal').fill('Compare the birds');
    await button(page, 'Create Plan').click();
    await expect(page.getByRole('heading', { name: 'Compare the birds' })).toBeVisible();
    await expect(page.locator('.plan')).toContainText('Creating the plan…');
    expect(shown.callsOf('begin')).toEqual([{ ...researchPageState().start, goal: 'Compare the birds' }]);
  });

  for (const [reason, state, words, label, command] of [
    [
      'the workspace isn’t trusted',
      { isTrusted: false },
      'Research projects don’t run in Restricted Mode.',
      'Manage Workspace Trust',
      'trustWorkspace',
    ],
    [
      'the notebook has no sources',
      { sources: [] },
      'This notebook has no sources yet.',
      'Add Files…',
      'addFiles',
    ],
    [
      'no model is selected',
      { model: undefined },
      'A research project needs a language model',
      'Pick a Model',
      'pickModel',
    ],
  ] as const)
    test(`offers a way out when ${reason}`, async ({ page, show }) => {
      const shown = await show('research', researchHost(researchPageState(state)));
      await expect(page.locator('main')).toContainText(words);
      await page.getByLabel('Goal').fill('Compare the birds');
      await expect(button(page, 'Create Plan').first()).toHaveAttribute('disabled', '');
      await page.getByLabel('Goal').press('Control+Enter');
      await button(page, label).click();
      await expect.poll(() => shown.callsOf('run')).toEqual([{ command }]);
      expect(shown.callsOf('begin')).toEqual([]);
    });

  test('allows a start as soon as a model is selected', async ({ page, show }) => {
    const shown = await show('research', researchHost(researchPageState({ model: undefined })));
    await expect(page.locator('main')).toContainText('A research project needs a language model');
    sendChange(shown.remote, researchPageState({ model: undefined }), researchPageState());
    await expect(page.locator('main')).not.toContainText('A research project needs a language model');
    await page.getByLabel('Goal').fill('Compare the birds');
    await expect(button(page, 'Create Plan').first()).not.toHaveAttribute('disabled');
  });

  test('opens a section that no answer cites', async ({ page, show }) => {
    const shown = await show('research', researchHost(researchPageState(), { coverage: () => coverage }));
    await button(page, 'Show Source Coverage').click();
    await page.getByRole('list', { name: 'Explore next' }).getByRole('button', { name: 'Open' }).click();
    await expect.poll(() => shown.callsOf('openPlace')).toEqual([{ documentId: 1, start: 40 }]);
  });

  test('sizes coverage tiles by their passages', async ({ page, show }) => {
    await show('research', researchHost(researchPageState(), { coverage: () => coverage }));
    await button(page, 'Show Source Coverage').click();
    const tiles = page.locator('.tile');
    await expect(tiles.first()).toHaveAttribute('style', /width: 66\.6\d*%; height: 100%/);
    await expect(tiles.last()).toHaveAttribute('style', /left: 66\.6\d*%; top: 0%; width: 33\.3\d*%/);
  });

  test('takes the section of a coverage tile as the goal', async ({ page, show }) => {
    await show('research', researchHost(researchPageState(), { coverage: () => coverage }));
    await button(page, 'Show Source Coverage').click();
    await page.getByRole('button', { name: 'garden.md, 2 of 10 passages cited' }).click();
    await page.getByRole('button', { name: 'Hens, 0 of 4 passages cited' }).click();
    await expect(page.locator('.coverage .where')).toHaveText('garden.md › Hens');
    await page.locator('.coverage .trail').getByRole('button', { name: 'Research' }).click();
    await expect(page.getByLabel('Goal')).toHaveValue('Summarize what “Hens” says, including its figures.');
    await expect(page.getByLabel('Goal')).toBeFocused();
  });

  test('opens a research project from the list', async ({ page, show }) => {
    const entry = { ...researchWith({ state: 'done' }), steps: 3, done: 3, failed: 0, elsewhere: [] };
    const board = researchPageState({ research: researchWith({ steps: [boardStep('a')] }) });
    const start = researchPageState({ researches: [entry] });
    await show(
      'research',
      researchHost(start, (remote) => ({
        show: ({ researchId }) =>
          researchId === 'r' ? sendChange(remote, start, board) : sendChange(remote, board, start),
      })),
    );
    await page.getByRole('button', { name: 'Compare the birds' }).click();
    await expect(page.getByRole('region', { name: 'Ready' })).toContainText('Do a');
    await page.getByRole('button', { name: 'All research projects' }).click();
    await expect(page.getByLabel('Goal')).toBeVisible();
  });

  test('looks right in each theme', async ({ page, show }) => {
    const shown = await show('research', researchHost(researchPageState(), { coverage: () => coverage }));
    await page.getByText('Budget and options').click();
    await button(page, 'Show Source Coverage').click();
    await expect(page.locator('.tile').first()).toBeVisible();
    await lookInEachTheme(page, shown, 'research-start');
  });
});
