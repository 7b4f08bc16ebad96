import type { Locator, Page } from '@playwright/test';
import { testCitation } from '../support/test-citation.ts';
import {
  chatHost,
  makeCard,
  makeTurn,
  makeWrittenAnswer,
  numberedCitations,
  placeStatement,
} from './chat-host.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';

const WATERED = 'Tomatoes are watered every second morning.';
const PAINTED = 'They are painted blue.';

function answerIn(page: Page): Locator {
  return page.locator('.answer');
}

test.describe('Written answer', () => {
  test('keeps the file names of its sources in a narrow panel', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 600 });
    const title = 'src/answers/models/context/without-thinking.ts';
    const answer = makeWrittenAnswer([{ text: WATERED }], { citations: [testCitation({ title })] });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const name = page.locator('.sources .name');
    await expect(name).toHaveText('without-thinking.ts');
    expect(await name.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  });

  test('shows text and citations while it is streamed', async ({ page, show }) => {
    const { remote } = await show('chat', chatHost());
    const turn = makeTurn({ state: { kind: 'answering' } });
    const sendEvent = (event: Parameters<typeof remote.notify<'answerEvent'>>[1]['event']): void =>
      remote.notify('answerEvent', { turnId: turn.id, event });
    remote.notify('turnChanged', { turn });
    await expect(page.locator('p.progress')).toHaveText('Reading the sources…');
    sendEvent({ kind: 'status', text: 'Asking scripted-1…' });
    await expect(page.locator('p.progress')).toHaveText('Asking scripted-1…');
    sendEvent({ kind: 'started', answer: makeWrittenAnswer([], { citations: [] }) });
    sendEvent({ kind: 'text', delta: WATERED });
    sendEvent({
      kind: 'statement',
      statement: placeStatement({ text: WATERED, verdict: 'unchecked' }, 0),
      newCitations: [testCitation()],
    });
    await expect(answerIn(page)).toContainText(WATERED);
    await expect(page.locator('.chip')).toHaveText('1');
    await expect(page.locator('.chip')).toHaveAccessibleName(/, not fact-checked$/);
    await expect(page.locator('p.progress')).toBeVisible();
    sendEvent({ kind: 'text', delta: ` ${PAINTED}` });
    const answer = makeWrittenAnswer([
      { text: WATERED },
      ' ',
      { text: PAINTED, verdict: 'not-found', checkedBy: 'scripted-1' },
    ]);
    remote.notify('turnChanged', { turn: { ...turn, state: { kind: 'done', milliseconds: 900 }, answer } });
    await expect(page.locator('p.progress')).toHaveCount(0);
    await expect(answerIn(page)).toContainText(PAINTED);
    await expect(page.locator('.summary')).toContainText(
      /1 of 2 statements supported · 1 unsupported · fact-checked by scripted-1 · 1 source · scripted-1 · 0\.9\ss/,
    );
    await expect(page.getByRole('status').first()).toHaveText(/^Answered\. 1 of 2 statements supported/);
  });

  test('keeps the partial answer when it is stopped', async ({ page, show }) => {
    const turn = makeTurn({ state: { kind: 'answering' } });
    const shown = await show('chat', chatHost({ turns: [turn] }, { stop: () => undefined }));
    const answer = makeWrittenAnswer([{ text: WATERED }]);
    shown.remote.notify('answerEvent', { turnId: turn.id, event: { kind: 'started', answer } });
    await expect(answerIn(page)).toContainText(WATERED);
    await page.getByRole('button', { name: 'Stop (Escape)' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => shown.callsOf('stop')).toHaveLength(2);
    const usage = { input: 120, output: 9, estimated: 129, cost: undefined };
    shown.remote.notify('turnChanged', { turn: { ...turn, state: { kind: 'stopped' }, usage } });
    await expect(page.getByText('This answer was stopped.')).toBeVisible();
    await expect(answerIn(page)).toContainText(WATERED);
    const line = page.locator('button.summary-line');
    await expect(line).toHaveAttribute('title', '120 tokens in, 9 out, estimated');
    await line.click();
    await expect(line).toContainText('120 tokens in, 9 out, estimated');
    await expect(page.getByRole('button', { name: 'Ask (Enter)' })).toBeVisible();
  });

  test('shows each of forty citations', async ({ page, show }) => {
    const facts = Array.from({ length: 40 }, (_, i) => ({
      text: `The tram of line ${String(i + 1)} carries ${String(1_000 + 37 * i)} passengers a day.`,
      citations: [i],
    }));
    const parts = facts.flatMap((fact, i) => [fact, i % 5 === 4 ? '\n\n' : ' ']);
    const answer = makeWrittenAnswer(parts, { citations: numberedCitations(40) });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('.chip')).toHaveCount(40);
    await expect(page.locator('.summary')).toContainText('40 of 40 statements supported');
    const sources = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
    await expect(sources).toHaveCount(3);
    await page.getByRole('button', { name: 'Show all 40 sources' }).click();
    await expect(sources).toHaveCount(40);
    await page.getByRole('button', { name: 'Show fewer sources' }).click();
    await expect(sources).toHaveCount(3);
  });

  test('leaves finished paragraphs as they are while it grows', async ({ page, show }) => {
    const turn = makeTurn({ state: { kind: 'answering' } });
    const { remote } = await show('chat', chatHost({ turns: [turn] }));
    const facts = Array.from(
      { length: 40 },
      (_, i) => `Tram ${String(i + 1)} carries 1,000 passengers a day.`,
    );
    const begun = makeWrittenAnswer([{ text: facts[0]! }, '\n\n', { text: facts[1]! }, '\n\n']);
    remote.notify('answerEvent', { turnId: turn.id, event: { kind: 'started', answer: begun } });
    await expect(page.locator('.chip')).toHaveCount(2);
    await page
      .locator('.answer p')
      .first()
      .evaluate((paragraph) => {
        const seen = { changes: 0 };
        Object.assign(window, { seen });
        new MutationObserver((records) => {
          seen.changes += records.length;
        }).observe(paragraph, { attributes: true, characterData: true, childList: true, subtree: true });
      });
    let { length } = begun.text;
    for (const text of facts.slice(2)) {
      const statement = placeStatement({ text }, length);
      remote.notify('answerEvent', { turnId: turn.id, event: { kind: 'text', delta: `${text}\n\n` } });
      remote.notify('answerEvent', {
        turnId: turn.id,
        event: { kind: 'statement', statement, newCitations: [] },
      });
      length += text.length + 2;
    }
    await expect(page.locator('.chip')).toHaveCount(40);
    const changes = await page.evaluate(
      () => (window as unknown as { seen: { changes: number } }).seen.changes,
    );
    expect(changes).toBe(0);
  });

  test('underlines only the unsupported words', async ({ page, show }) => {
    const supported = 'The compost is turned in March and in October,';
    const missing = 'while penguins swim around icebergs';
    const answer = makeWrittenAnswer([
      { text: WATERED },
      ' ',
      { text: `${supported} ${missing}.`, verdict: 'partly', missing, checkedBy: 'scripted-1' },
    ]);
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const dotted = page.locator('.statement.partly');
    await expect(dotted).toHaveText(`${missing}.`);
    await expect(dotted).toHaveCSS('text-decoration-style', 'dotted');
    await expect(dotted).toHaveAttribute('title', 'Partly supported, according to scripted-1');
    await expect(page.locator('.statement', { hasText: supported })).toHaveCSS(
      'text-decoration-line',
      'none',
    );
    await expect(page.getByText(`(not found in the sources: ${missing})`)).toBeAttached();
    await expect(page.getByRole('button', { name: /^Citation 1: .*, partly supported$/ })).toHaveCount(1);
  });

  test('shows and announces each verdict', async ({ page, show }) => {
    const answer = makeWrittenAnswer([
      { text: WATERED, moved: true },
      ' ',
      {
        text: 'The compost is never turned.',
        verdict: 'contradicted',
        checkedBy: 'scripted-1',
        deciding: 'turned in March',
      },
      ' ',
      { text: PAINTED, verdict: 'not-found', checkedBy: 'scripted-1' },
      ' ',
      { text: 'Basil keeps the white fly away.', checkedBy: 'scripted-1' },
      ' ',
      { text: 'Both beds need 610 litres.', computed: '305 * 2 = 610' },
    ]);
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const wavy = (verdict: string): Locator => page.locator(`.statement.${verdict}`);
    await expect(wavy('contradicted')).toHaveCSS('text-decoration-style', 'wavy');
    await expect(wavy('contradicted')).toHaveAttribute(
      'title',
      'Contradicted, according to scripted-1 · “turned in March”',
    );
    await expect(wavy('not-found')).toHaveCSS('text-decoration-style', 'wavy');
    await expect(wavy('not-found')).toHaveAttribute('title', 'Unsupported, according to scripted-1');
    await expect(page.getByText('(Unsupported, according to scripted-1)')).toBeAttached();
    await expect(page.locator('.chip')).toHaveCount(4);
    await expect(page.locator('.chip').nth(0)).toHaveAccessibleName(
      /, supported by this passage instead of the one that the answer cited$/,
    );
    await expect(page.locator('.chip').nth(1)).toHaveAccessibleName(/, contradicted$/);
    await page.locator('.chip').nth(1).hover();
    await expect(page.locator('.card')).toContainText('Evidence: “turned in March”');
    await page.keyboard.press('Escape');
    await expect(page.getByTitle('Supported, according to scripted-1', { exact: true })).toHaveText(
      'Basil keeps the white fly away.',
    );
    await expect(page.getByText('(Supported, according to scripted-1)')).toBeAttached();
    await expect(page.getByTitle('calculated: 305 * 2 = 610')).toBeVisible();
    await expect(page.getByText('(calculated: 305 * 2 = 610)')).toBeAttached();
    await expect(page.locator('.summary')).toContainText(
      '3 of 5 statements supported · 1 contradicted · 1 unsupported · fact-checked by scripted-1',
    );
  });

  test('changes its verdicts when a model has checked it', async ({ page, show }) => {
    const answer = makeWrittenAnswer(
      [
        { text: WATERED, verdict: 'unchecked' },
        ' ',
        { text: PAINTED, verdict: 'unchecked', citations: [], missing: 'blue' },
      ],
      { citations: [testCitation({ quote: 'Tomatoes and beans are watered daily.' })] },
    );
    const turn = makeTurn({ answer });
    const shown = await show(
      'chat',
      chatHost({ turns: [turn] }, { checkWithModel: () => undefined, stopCheck: () => undefined }),
    );
    const sendEvent = (event: Parameters<typeof shown.remote.notify<'answerEvent'>>[1]['event']): void =>
      shown.remote.notify('answerEvent', { turnId: turn.id, event });
    await expect(page.locator('.summary')).toContainText('2 statements not fact-checked');
    await expect(page.locator('.chip.unchecked')).toHaveText(['1', '?']);
    await expect(page.locator('.statement.unknown')).toHaveText('blue.');
    await expect(page.locator('.statement.unknown')).toHaveAttribute('title', 'Not in the cited text');
    await page.locator('button.chip').hover();
    await expect(page.locator('.card')).toContainText(
      'Not fact-checked · Found in the cited text: Tomatoes, watered',
    );
    await page.keyboard.press('Escape');
    const check = page.getByRole('button', { name: 'Fact-check with model' });
    await check.click();
    expect(shown.callsOf('checkWithModel')).toEqual([{ turnId: turn.id }]);
    sendEvent({ kind: 'status', text: 'Checking 2 statements with scripted-1…' });
    await expect(page.locator('p.progress')).toContainText('Checking 2 statements with scripted-1…');
    await expect(check).toHaveCount(0);
    await expect(page.locator('button.chip.unchecked')).toHaveAccessibleName(/, fact-checking…$/);
    await page.locator('p.progress').getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => shown.callsOf('stopCheck')).toEqual([{ turnId: turn.id }]);
    const checkedBy = 'scripted-1';
    const statement = placeStatement({ text: WATERED, checkedBy }, 0);
    sendEvent({ kind: 'checked', index: 0, statement, newCitations: [] });
    const checked = makeWrittenAnswer([
      { text: WATERED, checkedBy },
      ' ',
      { text: PAINTED, verdict: 'not-found', checkedBy },
    ]);
    shown.remote.notify('turnChanged', { turn: { ...turn, answer: checked } });
    await expect(page.locator('.statement.supported')).toHaveAttribute(
      'title',
      'Supported, according to scripted-1',
    );
    await expect(page.locator('.statement.not-found')).toContainText('painted blue');
    await expect(page.locator('.summary')).toContainText(
      '1 of 2 statements supported · 1 unsupported · fact-checked by scripted-1',
    );
    await expect(page.locator('p.progress')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Fact-check again' })).toBeVisible();
  });

  test('shows why the fact check failed, and checks again', async ({ page, show }) => {
    const turn = makeTurn({ answer: makeWrittenAnswer([{ text: WATERED, verdict: 'unchecked' }]) });
    const message = 'scripted-1 didn’t return usable verdicts, so the answer isn’t fact-checked.';
    const factCheckFailure = { turnId: turn.id, message, action: 'pickModel' } as const;
    const shown = await show(
      'chat',
      chatHost({ turns: [turn], factCheckFailure }, { checkWithModel: () => undefined }),
    );
    const line = page.locator('p.broken');
    await expect(line).toContainText(message);
    await lookInEachTheme(page, shown, 'answer-check-failed');
    await line.getByRole('button', { name: 'Pick Model' }).click();
    await line.getByRole('button', { name: 'Try Again' }).click();
    expect(shown.callsOf('run')).toEqual([{ command: 'pickModel' }]);
    expect(shown.callsOf('checkWithModel')).toEqual([{ turnId: turn.id }]);
  });

  test('names the passage that contradicts a statement if the answer cites another', async ({
    page,
    show,
  }) => {
    const citations = [testCitation(), testCitation({ number: 2, title: 'beds.md' })];
    const statement = { text: PAINTED, verdict: 'contradicted', checkedBy: 'scripted-1' } as const;
    const answer = makeWrittenAnswer([{ ...statement, citations: [0, 1], moved: true }], { citations });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    const chips = page.locator('button.chip');
    await expect(chips).toHaveText(['1', '2']);
    await expect(chips.nth(1)).toHaveAttribute(
      'title',
      'Contradicted by this passage. The answer cited a different one.',
    );
    await expect(chips.nth(1)).toHaveAccessibleName(
      /, contradicted by this passage instead of the one that the answer cited$/,
    );
  });

  test('corrects a statement, and undoes the correction', async ({ page, show }) => {
    const wrong = { text: 'They are painted blue.', verdict: 'contradicted', checkedBy: 'judge-1' } as const;
    const turn = makeTurn({ answer: makeWrittenAnswer([{ text: WATERED }, ' ', wrong]) });
    const proposed = {
      before: wrong.text,
      after: 'They are painted green.',
      verdict: 'supported',
      deciding: 'painted green',
    } as const;
    const shown = await show(
      'chat',
      chatHost(
        { turns: [turn] },
        {
          correctStatement: () => proposed,
          applyCorrection: () => undefined,
          undoCorrection: () => undefined,
        },
      ),
    );
    const right = { text: proposed.after, checkedBy: 'judge-1' };
    const { answer } = turn;
    const corrected = {
      ...makeWrittenAnswer([{ text: WATERED }, ' ', right]),
      ...(answer?.kind === 'written' && { beforeCorrection: answer }),
    };
    const wand = page.getByRole('button', { name: 'Correct from sources' });
    await expect(wand).toHaveCount(1);
    await wand.click();
    const correction = page.getByRole('region', { name: 'Correction' });
    await expect(correction.locator('del')).toHaveText('blue.');
    await expect(correction.locator('ins')).toHaveText('green.');
    await expect(correction).toContainText('Supported · “painted green”');
    await correction.getByRole('button', { name: 'Discard' }).click();
    await expect(correction).toHaveCount(0);
    await wand.click();
    await correction.getByRole('button', { name: 'Apply' }).click();
    shown.remote.notify('turnChanged', { turn: { ...turn, answer: corrected } });
    await expect(correction).toBeFocused();
    await correction.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => shown.callsOf('undoCorrection')).toHaveLength(1);
    shown.remote.notify('turnChanged', { turn });
    await expect(correction).toHaveCount(0);
    expect(shown.callsOf('correctStatement')[0]).toEqual({ turnId: turn.id, statement: 1 });
    expect(shown.callsOf('applyCorrection')).toEqual([{ turnId: turn.id }]);
    expect(shown.callsOf('undoCorrection')).toEqual([{ turnId: turn.id }]);
  });

  test('offers to undo a correction in a conversation that was opened again', async ({ page, show }) => {
    const { citations, statements } = makeWrittenAnswer([{ text: PAINTED, verdict: 'contradicted' }]);
    const before = { model: 'scripted-1', text: PAINTED, citations, statements };
    const answer = { ...makeWrittenAnswer([{ text: WATERED }]), beforeCorrection: before };
    const corrected = makeTurn({ answer });
    const other = makeTurn({ id: 'other', answer: makeWrittenAnswer([{ text: WATERED }]) });
    let problem: Error | undefined = new Error('Can’t undo the correction because the text changed since.');
    const shown = await show(
      'chat',
      chatHost(
        { turns: [corrected, other] },
        {
          undoCorrection: () => {
            if (problem !== undefined) throw problem;
          },
        },
      ),
    );
    const correction = page.getByRole('region', { name: 'Correction' });
    await expect(correction).toHaveCount(1);
    await expect(correction).toContainText('The statement was corrected.');
    await lookInEachTheme(page, shown, 'answer-correction-stored');
    await correction.getByRole('button', { name: 'Undo' }).click();
    await expect(correction).toContainText('Can’t undo the correction');
    problem = undefined;
    const restored = makeTurn({ answer: makeWrittenAnswer([{ text: PAINTED, verdict: 'contradicted' }]) });
    shown.remote.notify('turnChanged', { turn: restored });
    await expect(correction).toHaveCount(0);
  });

  test('asks before a model that may cost money checks every answer', async ({ page, show }) => {
    const turn = makeTurn({ answer: makeWrittenAnswer([{ text: WATERED, verdict: 'unchecked' }]) });
    const offer = {
      turnId: turn.id,
      model: 'judge-1',
      server: 'api.example.org',
      tokens: 900,
      cost: 0.0012,
    };
    const shown = await show(
      'chat',
      chatHost({ turns: [turn], factCheckOffer: offer }, { decideFactCheck: () => undefined }),
    );
    await page
      .getByRole('button', { name: 'Fact-check every answer with judge-1 (about $0.0012 for this answer)' })
      .click();
    await page.getByRole('button', { name: 'Don’t fact-check with api.example.org' }).click();
    expect(shown.callsOf('decideFactCheck')).toEqual([{ agrees: true }, { agrees: false }]);
  });

  test('never covers the line under an answer with its actions', async ({ page, show }) => {
    const answer = makeWrittenAnswer([{ text: WATERED }]);
    await page.setViewportSize({ width: 260, height: 500 });
    await show('chat', chatHost({ turns: [makeTurn({ id: 'first', answer }), makeTurn({ answer })] }));
    const first = page.locator('article.turn').first();
    await first.hover();
    await expect(first.locator('.summary .actions')).toHaveCSS('opacity', '1');
    const [line, actions] = await Promise.all(
      ['.summary > :first-child', '.summary .actions'].map((part) => first.locator(part).boundingBox()),
    );
    const isBeside = line!.x + line!.width <= actions!.x || line!.y + line!.height <= actions!.y;
    expect(isBeside).toBe(true);
  });

  test('shows the search queries on request', async ({ page, show }) => {
    const answer = makeWrittenAnswer([{ text: WATERED }], { searches: ['apiary hives opened', 'April'] });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('.searched li').first()).toBeHidden();
    await page.getByText('Searches').click();
    await expect(page.locator('.searched li')).toHaveText(['apiary hives opened', 'April']);
    await expect(page.locator('.searched li').first()).toBeVisible();
  });
});

test.describe('Citation', () => {
  const turn = makeTurn({ answer: makeWrittenAnswer([{ text: WATERED }]) });

  test('opens its source when selected', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [turn] }, { openCitation: () => undefined }));
    await page.locator('.chip').click();
    await page.locator('.chip').click({ modifiers: ['Control'] });
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').click();
    const at = { turnId: turn.id, citation: 0 };
    await expect
      .poll(() => shown.callsOf('openCitation'))
      .toEqual([
        { ...at, beside: false },
        { ...at, beside: true },
        { ...at, beside: false },
      ]);
  });

  test('shows its passage when the pointer rests on it', async ({ page, show }) => {
    const shown = await show(
      'chat',
      chatHost(
        { turns: [turn] },
        {
          openCitation: () => undefined,
          copy: () => undefined,
          copyLink: () => undefined,
          findMoreLike: () => undefined,
        },
      ),
    );
    await page.locator('.chip').hover();
    const card = page.getByRole('group', { name: 'Cited text' });
    await expect(card.locator('mark')).toHaveText('Tomatoes are watered every second morning');
    await expect(card.locator('header')).toContainText('garden.md');
    await card.getByRole('button', { name: 'Open to the side' }).click();
    await card.getByRole('button', { name: 'Copy cited text' }).click();
    await card.getByRole('button', { name: 'Copy link to citation' }).click();
    await card.getByRole('button', { name: 'Find similar passages' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.locator('.chip')).toBeFocused();
    const at = { turnId: turn.id, citation: 0 };
    expect(shown.callsOf('openCitation')).toEqual([{ ...at, beside: true }]);
    expect(shown.callsOf('copy')).toEqual([{ text: 'Words of it.' }]);
    expect(shown.callsOf('copyLink')).toEqual([at]);
    await expect.poll(() => shown.callsOf('findMoreLike')).toEqual([at]);
  });

  test('says that its source was removed', async ({ page, show }) => {
    const note = 'garden.md was removed since.';
    await show('chat', chatHost({ turns: [turn] }, { citationCard: () => makeCard({ note }) }));
    await page.locator('.chip').hover();
    await expect(page.locator('.card .note')).toHaveText(note);
    await expect(page.locator('.card mark')).toBeVisible();
  });

  test('pages through the passages behind one number', async ({ page, show }) => {
    const answer = makeWrittenAnswer([{ text: WATERED, citations: [0, 1, 2] }], {
      citations: numberedCitations(3),
    });
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.locator('.chip')).toHaveText('1–3');
    await page.locator('.chip').hover();
    const card = page.locator('.card');
    await expect(card.locator('.place')).toHaveText('L1');
    await expect(card.getByRole('button', { name: 'Previous citation' })).toBeDisabled();
    await card.getByRole('button', { name: 'Next citation' }).click();
    await expect(card.locator('.place')).toHaveText('L2');
    await expect(card).toContainText('2 of 3');
  });
});
