import type {
  CheckedDraft,
  PassageToCite,
  ResearchPanelState,
} from '../../src/features/research/protocol.ts';
import type {
  BoardStep,
  Holder,
  Product,
  RecordPage,
  ResearchRecord,
} from '../../src/features/research/model/project.ts';
import { makeProduct } from '../support/made-boards.ts';
import { testCitation } from '../support/test-citation.ts';
import { button, cite, row } from '../support/research-page.ts';
import { boardStep, productEntry, researchPageState, researchWith } from '../support/shown-research.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { sendChange, type HostScript } from './page-host.ts';
import { researchHost } from './research-host.ts';

const you: Holder = { kind: 'user', name: '', window: 'here' };
const model: Holder = { kind: 'model', name: '1', window: 'here' };

const text = 'Tomatoes are watered every second morning.';
const cited = { ...testCitation({ quote: text }), span: { start: 0, end: text.length } };
const checked: CheckedDraft = {
  text,
  statements: [{ start: 0, end: text.length, verdict: 'supported', citations: [0] }],
  citations: [cited],
  check: { claims: 1, supported: 1, partly: 0, cut: [] },
};
const product: Product = { ...makeProduct(text, model), ...checked, id: 'water-product' };

const passage: PassageToCite = {
  ...{ title: 'garden.md', place: 'L3', text: 'Tomatoes are watered every second morning with rainwater.' },
  picked: { documentId: 1, span: { start: 0, end: 57 }, label: 'garden.md, L3' },
  ...{ format: 'prose', languageId: undefined, marks: [{ start: 0, end: 8 }] },
};

const CHECK_FAILED =
  'The fact check failed: judge-1 didn’t return usable verdicts, so the answer isn’t fact-checked. Pick another fact-check model.';
const uncheckedResult: Pick<Product, 'check' | 'statements'> = {
  statements: [{ start: 0, end: text.length, verdict: 'unchecked', citations: [0] }],
  check: { claims: 1, supported: 0, partly: 0, unchecked: 1, cut: [], notes: [CHECK_FAILED] },
};

/** Returns a board with one step. */
const withStep = (more: Partial<BoardStep>, products: readonly Product[] = []): ResearchPanelState => {
  const step = boardStep('water', { target: 'Say how tomatoes are watered.', ...more });
  return researchPageState({
    claimedSteps: step.state === 'in-progress' ? ['water'] : [],
    research: researchWith({ steps: [step], products: products.map((one) => productEntry('water', one)) }),
  });
};
const own = withStep({ state: 'in-progress', holder: you, startedAt: 0 });
const doneAt = (createdAt: number): ResearchPanelState =>
  withStep({ state: 'done', holder: model, startedAt: 0, endedAt: 1_000 }, [{ ...product, createdAt }]);
const done = doneAt(product.createdAt);
const failed = withStep({
  ...{ state: 'failed', holder: model, attempts: 3, startedAt: 0, endedAt: 1_000 },
  reason: 'No source supports the result.',
});

const cards: HostScript<'research'> = {
  product: () => product,
  citationCard: () => ({
    ...{ title: 'garden.md', place: 'L3', text: `${text} Rain helps.`, mark: cited.span },
    ...{ format: 'prose' as const, languageId: undefined, doubtful: [], note: undefined },
  }),
};

test.describe('Step that the user does', () => {
  test('is submitted with the passages that it cites', async ({ page, show }) => {
    const shown = await show('research', researchHost(own, { findPassages: () => [passage] }));
    await row(page, 'In progress', 'tomatoes').click();
    const writing = page.getByLabel('Your result');
    await expect(writing).toBeFocused();
    await writing.fill(text);
    await cite(page, 'tomatoes watered');
    await expect(writing).toHaveValue(`${text} [1]`);
    await expect(page.getByRole('list', { name: 'Cited passages' })).toContainText('garden.md, L3');
    await button(page, 'Submit').click();
    const draft = `${text} [1]\n\n[1]: passage:1/0-57 "garden.md, L3"`;
    await expect.poll(() => shown.callsOf('submit')).toEqual([{ stepId: 'water', draft }]);
    expect(shown.callsOf('findPassages')).toEqual([{ words: 'tomatoes watered' }]);
    expect(shown.callsOf('draft').at(-1)).toEqual({ stepId: 'water', draft });
  });

  test('shows the citations of a draft when it is checked', async ({ page, show }) => {
    await show('research', researchHost(own, { checkDraft: () => checked }));
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill(text);
    await button(page, 'Check Draft').click();
    await expect(page.locator('.checked')).toContainText('1 of 1 statement supported');
    await expect(page.locator('.checked .chip')).toBeVisible();
  });

  test('shows why the fact check of a draft failed', async ({ page, show }) => {
    await show('research', researchHost(own, { checkDraft: () => ({ ...checked, ...uncheckedResult }) }));
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill(text);
    await button(page, 'Check Draft').click();
    await expect(page.locator('.checked')).toContainText('1 not fact-checked');
    await expect(page.locator('.checked')).toContainText(CHECK_FAILED);
  });

  test('drops a citation and its mark', async ({ page, show }) => {
    await show('research', researchHost(own, { findPassages: () => [passage] }));
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill(text);
    await cite(page, 'tomatoes');
    await page.getByRole('button', { name: 'Remove citation of garden.md, L3' }).click();
    await expect(page.getByLabel('Your result')).toHaveValue(text);
  });

  test('saves the draft without a button', async ({ page, show }) => {
    const shown = await show('research', researchHost(own));
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill('The hens eat slugs.');
    await expect
      .poll(() => shown.callsOf('draft'))
      .toEqual([{ stepId: 'water', draft: 'The hens eat slugs.' }]);
  });

  test('begins with the draft that was saved', async ({ page, show }) => {
    const draft = `${text} [1]\n\n[1]: passage:1/0-57 "garden.md, L3"`;
    await show('research', researchHost(withStep({ state: 'in-progress', holder: you, draft })));
    await row(page, 'In progress', 'tomatoes').click();
    await expect(page.getByLabel('Your result')).toHaveValue(`${text} [1]`);
    await expect(page.getByRole('list', { name: 'Cited passages' })).toContainText('garden.md, L3');
  });

  test('is unassigned with its draft', async ({ page, show }) => {
    const shown = await show('research', researchHost(own));
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill(text);
    await button(page, 'Unassign').click();
    await expect.poll(() => shown.callsOf('giveBack')).toEqual([{ stepId: 'water' }]);
    expect(shown.callsOf('draft').at(-1)).toEqual({ stepId: 'water', draft: text });
  });

  test('shows why it can’t be submitted', async ({ page, show }) => {
    const submit = (): never => {
      throw new Error('This step is no longer yours.');
    };
    await show('research', researchHost(own, { submit }));
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill(text);
    await button(page, 'Submit').click();
    await expect(page.getByRole('alert')).toContainText('This step is no longer yours.');
    await expect(page.getByLabel('Your result')).toHaveValue(text);
  });

  test('looks right in each theme', async ({ page, show }) => {
    const shown = await show(
      'research',
      researchHost(own, { findPassages: () => [passage], checkDraft: () => checked }),
    );
    await row(page, 'In progress', 'tomatoes').click();
    await page.getByLabel('Your result').fill(text);
    await cite(page, 'tomatoes');
    await button(page, 'Check Draft').click();
    await expect(page.locator('.checked .chip')).toBeVisible();
    await lookInEachTheme(page, shown, 'research-own-step');
  });
});

test.describe('Step that is done', () => {
  test('highlights the cited text on the card of a citation', async ({ page, show }) => {
    await show('research', researchHost(done, cards));
    await row(page, 'Done', 'tomatoes').click();
    await page.locator('.product .chip').hover();
    await expect(page.locator('.card mark').first()).toContainText('every second morning');
  });

  test('opens a citation', async ({ page, show }) => {
    const shown = await show('research', researchHost(done, cards));
    await row(page, 'Done', 'tomatoes').click();
    await page.locator('.product .chip').first().click();
    await expect
      .poll(() => shown.callsOf('openCitation'))
      .toEqual([{ turnId: 'water-product', citation: 0, beside: false }]);
  });

  test('shows why the fact check of its result failed', async ({ page, show }) => {
    const unchecked = { ...product, ...uncheckedResult };
    const state = withStep({ state: 'done', holder: model, startedAt: 0, endedAt: 1_000 }, [unchecked]);
    const shown = await show('research', researchHost(state, { ...cards, product: () => unchecked }));
    await row(page, 'Done', 'tomatoes').click();
    await expect(page.locator('.product')).toContainText('1 not fact-checked');
    await expect(page.locator('.product')).toContainText(CHECK_FAILED);
    await lookInEachTheme(page, shown, 'research-check-failed');
  });

  test('corrects a statement of its result, which can be undone', async ({ page, show }) => {
    const wrong: Product = {
      ...product,
      statements: [
        { start: 0, end: text.length, verdict: 'contradicted', citations: [0], checkedBy: 'judge-1' },
      ],
    };
    let current = wrong;
    const shown = await show(
      'research',
      researchHost(done, {
        ...cards,
        product: () => current,
        correctStatement: () => ({
          ...{ before: text, after: text.replace('second', 'third') },
          ...{ verdict: 'supported' as const, deciding: 'every third morning' },
        }),
        applyCorrection: () => {
          current = { ...product, beforeCorrection: { model: '', ...wrong } };
        },
        undoCorrection: () => {
          current = wrong;
        },
      }),
    );
    await row(page, 'Done', 'tomatoes').click();
    await page.getByRole('button', { name: 'Correct from sources' }).click();
    const correction = page.getByRole('region', { name: 'Correction' });
    await expect(correction.locator('ins')).toHaveText('third ');
    await expect(correction).toContainText('Supported · “every third morning”');
    await lookInEachTheme(page, shown, 'research-correction');
    await correction.getByRole('button', { name: 'Apply' }).click();
    sendChange(shown.remote, done, doneAt(product.createdAt + 1));
    await correction.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => shown.callsOf('undoCorrection')).toHaveLength(1);
    sendChange(shown.remote, doneAt(product.createdAt + 1), doneAt(product.createdAt + 2));
    await expect(correction).toHaveCount(0);
    expect(shown.callsOf('correctStatement')).toEqual([{ turnId: 'water-product', statement: 0 }]);
    expect(shown.callsOf('undoCorrection')).toEqual([{ turnId: 'water-product' }]);
  });

  test('offers once to check results that may cost money to check', async ({ page, show }) => {
    const prices = { input: 3, output: 15 };
    const factCheckRequest = { model: 'judge-1', server: 'api.example.org', prices };
    const checkTokens = { input: 20_000, output: 1_000 };
    const shown = await show(
      'research',
      researchHost(
        { ...done, factCheckRequest, checkTokens },
        { ...cards, decideFactCheck: () => undefined },
      ),
    );
    await row(page, 'Done', 'tomatoes').click();
    const line = page.locator('.fact-check-line');
    await expect(line).toHaveCount(1);
    await expect(line).toContainText('Not fact-checked.');
    await expect(line).toContainText('About 21,000 tokens. ($0.075)');
    await lookInEachTheme(page, shown, 'research-not-fact-checked');
    await page.setViewportSize({ width: 260, height: 700 });
    await expect(line.locator('.note')).toBeInViewport();
    await screenshot(page, 'research-not-fact-checked-narrow');
    await line.getByRole('button', { name: 'Fact-check with judge-1' }).click();
    await line.getByRole('button', { name: 'Don’t fact-check with api.example.org' }).click();
    await expect.poll(() => shown.callsOf('decideFactCheck')).toEqual([{ agrees: true }, { agrees: false }]);
  });

  test('reports that a replay has the same result', async ({ page, show }) => {
    const shown = await show('research', researchHost(done, { ...cards, replay: () => ({ kind: 'same' }) }));
    await row(page, 'Done', 'tomatoes').click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await expect(page.locator('.replay')).toContainText('The result is the same.');
    await expect(page.getByRole('button', { name: 'Show differences' })).toHaveCount(0);
    expect(shown.callsOf('replay')).toEqual([{ stepId: 'water' }]);
  });

  test('shows how the result of a replay differs', async ({ page, show }) => {
    const replayed = { kind: 'differs', what: 'product', before: 'a', after: 'b' } as const;
    const shown = await show(
      'research',
      researchHost(done, { ...cards, replay: () => replayed, compareReplayed: () => undefined }),
    );
    await row(page, 'Done', 'tomatoes').click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await expect(page.locator('.replay')).toContainText('The result is different.');
    await page.getByRole('button', { name: 'Show differences' }).click();
    await expect.poll(() => shown.callsOf('compareReplayed')).toEqual([{ stepId: 'water', replayed }]);
  });

  test('asks before a rerun', async ({ page, show }) => {
    const shown = await show('research', researchHost(done, { ...cards, dependentSteps: () => [] }));
    await row(page, 'Done', 'tomatoes').click();
    await page.getByRole('button', { name: 'Rerun step…' }).click();
    await expect(page.locator('.step-pane')).toContainText('This deletes the result of this step.');
    expect(shown.callsOf('redo')).toEqual([]);
    await button(page, 'Rerun Step').click();
    await expect.poll(() => shown.callsOf('redo')).toEqual([{ stepId: 'water', remark: '' }]);
  });

  test('looks right in each theme', async ({ page, show }) => {
    const shown = await show('research', researchHost(done, cards));
    await row(page, 'Done', 'tomatoes').click();
    await expect(page.locator('.product .chip')).toBeVisible();
    await lookInEachTheme(page, shown, 'research-step');
  });
});

test.describe('Step that failed', () => {
  const records: readonly ResearchRecord[] = [
    {
      ...{ id: 1, stepId: 'water', at: 0 },
      event: { kind: 'sent-back', problems: ['No source says so.'], text: 'The compost is on Mars.' },
    },
  ];

  test('shows the reason with the activity log', async ({ page, show }) => {
    const shown = await show(
      'research',
      researchHost(failed, { latestRecords: () => ({ records, hasEarlier: false }) }),
    );
    await row(page, 'Failed', 'tomatoes').click();
    await expect(page.locator('.step-pane')).toContainText('No source supports the result.');
    await page.getByText('Activity details').click();
    await expect(page.getByRole('list', { name: 'Activity Log' })).toContainText(
      'Returned for revision: No source says so.',
    );
    await page.getByText('Returned for revision: No source says so.').click();
    await expect(page.getByRole('list', { name: 'Activity Log' })).toContainText('The compost is on Mars.');
    expect(shown.callsOf('latestRecords')).toEqual([{ stepId: 'water' }]);
  });

  test('adds new entries to the activity log', async ({ page, show }) => {
    const later = { ...records[0], id: 2, event: { kind: 'sent-back', problems: ['Too long.'], text: '' } };
    const log = [...records, later as ResearchRecord];
    const shown = await show(
      'research',
      researchHost(failed, {
        latestRecords: () => ({ records, hasEarlier: false }),
        records: ({ after }) => log.filter(({ id }) => id > after),
      }),
    );
    await row(page, 'Failed', 'tomatoes').click();
    await page.getByText('Activity details').click();
    const entries = page.getByRole('list', { name: 'Activity Log' }).getByRole('listitem');
    await expect(entries).toHaveCount(1);
    const { research } = failed;
    sendChange(shown.remote, failed, { ...failed, research: research && { ...research, revision: 2 } });
    await expect(entries).toHaveText([/No source says so/, /Too long/]);
    expect(shown.callsOf('latestRecords')).toEqual([{ stepId: 'water' }]);
    expect(shown.callsOf('records')).toEqual([{ stepId: 'water', after: 1 }]);
  });

  test('shows earlier entries of the activity log on request', async ({ page, show }) => {
    const log = Array.from({ length: 3 }, (_, index): ResearchRecord => {
      const event = { kind: 'sent-back', problems: [`Problem ${String(index)}.`], text: '' } as const;
      return { ...{ id: index + 1, stepId: 'water', at: 0 }, event };
    });
    const latestRecords = ({ before = 4 }: { readonly before: number | undefined }): RecordPage => ({
      ...{ records: log.slice(before - 2, before - 1), hasEarlier: before > 2 },
    });
    const shown = await show('research', researchHost(failed, { latestRecords }));
    await row(page, 'Failed', 'tomatoes').click();
    await page.getByText('Activity details').click();
    const list = page.getByRole('list', { name: 'Activity Log' });
    await expect(list.getByRole('listitem')).toHaveText([/Problem 2/]);
    const earlier = page.getByRole('button', { name: 'Show earlier entries' });
    await earlier.press('Enter');
    await expect(list.getByRole('listitem')).toHaveText([/Problem 1/, /Problem 2/]);
    await expect(earlier).toBeFocused();
    await earlier.press('Enter');
    await expect(list.getByRole('listitem')).toHaveText([/Problem 0/, /Problem 1/, /Problem 2/]);
    await expect(earlier).toHaveCount(0);
    await expect(list).toBeFocused();
    expect(shown.callsOf('latestRecords')).toEqual([
      { stepId: 'water' },
      { stepId: 'water', before: 3 },
      { stepId: 'water', before: 2 },
    ]);
  });

  test('is tried again with a comment', async ({ page, show }) => {
    const shown = await show('research', researchHost(failed));
    await row(page, 'Failed', 'tomatoes').click();
    await page.getByLabel('Comment for the next attempt').fill('Look at March.');
    await button(page, 'Try Again').click();
    await expect.poll(() => shown.callsOf('redo')).toEqual([{ stepId: 'water', remark: 'Look at March.' }]);
  });

  test('is assigned to the user', async ({ page, show }) => {
    const shown = await show('research', researchHost(failed));
    await row(page, 'Failed', 'tomatoes').click();
    await button(page, 'Assign Step to Me').click();
    await expect.poll(() => shown.callsOf('take')).toEqual([{ stepId: 'water' }]);
    expect(shown.sent.map(({ method }) => method).filter((one) => /redo|take/.test(one))).toEqual([
      'redo',
      'take',
    ]);
  });
});
