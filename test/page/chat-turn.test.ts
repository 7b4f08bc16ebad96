import type { SemanticSearchOffer } from '../../src/features/chat/protocol.ts';
import { NotebookError, type ErrorAction } from '../../src/core/domain/errors.ts';
import { chatHost, makeExcerpts, makePanel, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, test } from './fixtures.ts';
import { sendChange } from './page-host.ts';

const turn = makeTurn({ answer: makeWrittenAnswer([{ text: 'Tomatoes are watered every morning.' }]) });

test.describe('Question', () => {
  test('is asked again after an edit', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [turn] }, { edit: () => undefined }));
    await page.locator('article.turn').hover();
    await page.getByRole('button', { name: 'Edit question' }).click();
    const field = page.getByLabel('Edited question', { exact: true });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(turn.question);
    await field.fill('  ');
    await expect(page.getByRole('button', { name: 'Ask edited question (Enter)' })).toBeDisabled();
    await field.fill('How often is basil watered? ');
    await field.press('Enter');
    await expect(field).toHaveCount(0);
    await expect(page.locator('h2.question')).toBeFocused();
    expect(shown.callsOf('edit')).toEqual([{ turnId: 'turn', question: 'How often is basil watered?' }]);
  });

  test('stays as it was when editing is canceled', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [turn] }));
    await page.getByRole('button', { name: 'Edit question' }).press('Enter');
    await page.getByLabel('Edited question', { exact: true }).fill('How often is basil watered?');
    await page.getByLabel('Edited question', { exact: true }).press('Escape');
    await expect(page.locator('h2.question')).toHaveText(turn.question);
    await expect(page.locator('h2.question')).toBeFocused();
    expect(shown.callsOf('edit')).toEqual([]);
  });
});

test.describe('Answer', () => {
  test('is rated until the rating is taken back', async ({ page, show }) => {
    const shown = await show('chat', chatHost({ turns: [turn] }, { rate: () => undefined }));
    await page.getByRole('button', { name: 'Good answer', exact: true }).click();
    shown.remote.notify('turnChanged', { turn: { ...turn, rating: 'good' } });
    await page.getByRole('button', { name: 'Good answer (selected)' }).click();
    await page.getByRole('button', { name: 'Bad answer', exact: true }).click();
    await expect.poll(() => shown.callsOf('rate')).toMatchObject([{ rating: 'good' }, {}, { rating: 'bad' }]);
  });

  test('offers its actions', async ({ page, show }) => {
    const done = (): undefined => undefined;
    const read = { answer: { ...turn.answer!, read: [] } };
    const shown = await show(
      'chat',
      chatHost(
        { turns: [{ ...turn, ...read }] },
        {
          copyAnswer: done,
          saveAsNote: done,
          research: done,
          retry: done,
          addAnswer: done,
          showRead: done,
          removeTurn: done,
        },
      ),
    );
    const names = [
      'Copy as Markdown',
      'Save as note…',
      'Start research project…',
      'Ask again',
      'Add answer to notebook',
      'Show retrieved passages',
      'Delete question and answer',
    ];
    for (const name of names) await page.getByRole('button', { name }).click();
    const calls = ['copyAnswer', 'saveAsNote', 'research', 'retry', 'addAnswer', 'showRead', 'removeTurn'];
    const sent = (): string[] => shown.sent.map(({ method }) => method).filter((one) => calls.includes(one));
    await expect.poll(sent).toEqual(calls);
    expect(shown.callsOf('copyAnswer')).toEqual([{ turnId: turn.id }]);
  });

  test('keeps the verdicts when words of an answer are copied', async ({ page, show }) => {
    const answer = makeWrittenAnswer([
      { text: 'Tomatoes are watered.', checkedBy: 'judge' },
      ' ',
      { text: 'Cats **water** them.', verdict: 'not-found', checkedBy: 'judge' },
      '\n\n',
      { text: 'It never rains.', verdict: 'contradicted', checkedBy: 'judge' },
    ]);
    await show('chat', chatHost({ turns: [makeTurn({ answer })] }));
    await expect(page.getByText('It never rains.')).toBeVisible();
    const copied = async (first: string, last: string): Promise<string> => {
      await page.evaluate(
        ([from = '', to = '']) => {
          const find = (words: string): [Node, number] => {
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode())
              if (walker.currentNode.nodeValue?.includes(words) === true)
                return [walker.currentNode, walker.currentNode.nodeValue.indexOf(words)];
            throw new Error(`There is no ${words}`);
          };
          const [start, startAt] = find(from);
          const [end, endAt] = find(to);
          getSelection()?.setBaseAndExtent(start, startAt, end, endAt + to.length);
          const keep = (event: ClipboardEvent): void => {
            document.body.dataset.copied = event.clipboardData?.getData('text/plain') ?? '';
          };
          window.addEventListener('copy', keep, { once: true });
        },
        [first, last],
      );
      await page.keyboard.press('ControlOrMeta+C');
      return page.evaluate(() => document.body.dataset.copied ?? '');
    };
    const all = await copied('Tomatoes', 'rains.');
    expect(all).toMatch(
      /^Tomatoes are watered\. Cats water them\. \[unsupported\]\s+It never rains\. \[contradicted\]$/,
    );
    expect(await copied('Cats', 'them')).toBe('Cats water them [unsupported]');
    expect(await copied('never', 'never')).toBe('never [contradicted]');
  });

  test('shows suggested questions on two lines at most', async ({ page, show }) => {
    const suggestions = (): string[] => [
      'Why does basil help tomatoes in a dry summer?',
      'When is the barrel behind the shed filled?',
      'Who waters the beans while everybody is away in August?',
    ];
    await show('chat', chatHost({ turns: [turn] }, { suggestions }));
    const list = page.getByRole('list', { name: 'Follow-up questions' });
    for (const width of [260, 420, 900]) {
      await page.setViewportSize({ width, height: 700 });
      const lines = (): Promise<number> =>
        list
          .locator('li:visible')
          .evaluateAll((items) => new Set(items.map((item) => item.getBoundingClientRect().top)).size);
      await expect.poll(lines).toBeLessThanOrEqual(2);
      expect(await list.getByRole('button').count()).toBeGreaterThanOrEqual(2);
    }
  });

  test('drops suggested questions when their source is removed', async ({ page, show }) => {
    let suggested = ['Why does basil help?'];
    const { remote } = await show('chat', chatHost({ turns: [turn] }, { suggestions: () => suggested }));
    const question = page.getByRole('button', { name: 'Why does basil help?' });
    await expect(question).toBeVisible();
    suggested = [];
    remote.notify('suggestionsChanged', {});
    await expect(question).toHaveCount(0);
  });

  test('suggests questions to continue with', async ({ page, show }) => {
    const suggestions = (): string[] => ['What does garden.md say about Basil?'];
    const shown = await show('chat', chatHost({ turns: [turn] }, { suggestions }));
    const list = page.getByRole('list', { name: 'Follow-up questions' });
    await list.getByRole('button').click();
    expect(shown.callsOf('suggestions')).toEqual([{ turnId: 'turn' }]);
    await expect
      .poll(() => shown.callsOf('ask'))
      .toEqual([{ question: 'What does garden.md say about Basil?' }]);
  });
});

test.describe('Failed answer', () => {
  const ways: readonly (readonly [ErrorAction, string])[] = [
    ['addSources', 'Add Sources'],
    ['openSettings', 'Open Settings'],
    ['pickModel', 'Pick Model'],
    ['pickScope', 'Choose Search Scope'],
    ['setApiKey', 'Set API Key'],
    ['showLog', 'Show Log'],
  ];

  test('shows the reason and a button for it', async ({ page, show }) => {
    const message = 'No response from 127.0.0.1:8080.';
    const turns = ways.map(([action]) =>
      makeTurn({ id: action, state: { kind: 'failed', failure: { message, action } } }),
    );
    const shown = await show('chat', chatHost({ turns }, { retry: () => undefined }));
    await expect(page.locator('.failure').first()).toContainText(message);
    await expect(page.getByRole('status').first()).toHaveText(message);
    for (const [, name] of ways) await page.getByRole('button', { name }).click();
    await expect.poll(() => shown.callsOf('run')).toEqual(ways.map(([command]) => ({ command })));
    await page.getByRole('button', { name: 'Try Again' }).last().click();
    await expect.poll(() => shown.callsOf('retry')).toEqual([{ turnId: 'showLog' }]);
  });

  test('offers to add the file that was asked', async ({ page, show }) => {
    const failure = {
      message: 'other.md isn’t in this notebook. Add it, then try again.',
      action: 'addAskedFile',
    } as const;
    const shown = await show(
      'chat',
      chatHost(
        { turns: [makeTurn({ state: { kind: 'failed', failure } })] },
        { addAskedFile: () => undefined },
      ),
    );
    await page.getByRole('button', { name: 'Add to Notebook' }).click();
    await expect.poll(() => shown.callsOf('addAskedFile')).toEqual([{ turnId: 'turn' }]);
  });

  test('shows the partial answer and its tokens', async ({ page, show }) => {
    const failure = { message: 'The answer was interrupted.', action: 'tryAgain' } as const;
    const usage = { input: 120, output: 9, estimated: 129, cost: 0.0031 };
    const broken = { ...turn, state: { kind: 'failed', failure } as const, usage };
    await show('chat', chatHost({ turns: [broken] }));
    await expect(page.locator('.answer')).toContainText('Tomatoes are watered every morning.');
    await expect(page.locator('.failure')).toContainText('The answer was interrupted.');
    await expect(page.locator('button.summary-line')).toHaveAttribute(
      'title',
      '120 tokens in, 9 out, estimated · about $0.0031',
    );
    await expect(page.getByRole('button', { name: 'Try Again' })).toHaveCount(1);
  });

  test('is tried again if the window closed while it was written', async ({ page, show }) => {
    const shown = await show(
      'chat',
      chatHost({ turns: [{ ...turn, state: { kind: 'interrupted' } }] }, { retry: () => undefined }),
    );
    await expect(page.locator('.broken')).toContainText('The window closed before the answer was complete.');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.poll(() => shown.callsOf('retry')).toEqual([{ turnId: 'turn' }]);
  });

  test('is asked for again if the index was being rebuilt', async ({ page, show }) => {
    const incomplete = { ...turn, answer: { ...turn.answer!, isIncomplete: true } };
    const shown = await show('chat', chatHost({ turns: [incomplete] }, { retry: () => undefined }));
    await expect(page.locator('.broken')).toContainText('this answer may miss parts of your sources.');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.poll(() => shown.callsOf('retry')).toEqual([{ turnId: 'turn' }]);
    shown.remote.notify('turnChanged', { turn });
    await expect(page.locator('.broken')).toHaveCount(0);
  });

  test('shows the error of a request until the next one', async ({ page, show }) => {
    let fails = true;
    const rate = (): undefined => {
      if (fails) throw new NotebookError('disk-full', 'The disk is full.');
    };
    await show('chat', chatHost({ turns: [turn] }, { rate }));
    await page.getByRole('button', { name: 'Good answer' }).click();
    await expect(page.getByRole('alert')).toHaveText('The disk is full.');
    fails = false;
    await page.getByRole('button', { name: 'Good answer' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('Model offer', () => {
  const excerpts = makeExcerpts([{ text: 'Tomatoes are watered.', heading: 'Watering' }]);
  const turns = [makeTurn({ id: 'first', answer: excerpts }), makeTurn({ id: 'last', answer: excerpts })];
  const script = { haveWritten: () => undefined, declineModel: () => undefined };

  test('appears below the last answer only', async ({ page, show }) => {
    const state = { turns, model: undefined, offersModel: true };
    const shown = await show('chat', chatHost(state, script));
    const offer = page.locator('.model-offer');
    await expect(offer).toHaveCount(1);
    await offer.getByRole('button', { name: 'Write an answer with a model…' }).click();
    await offer.getByRole('button', { name: 'Don’t suggest this again' }).click();
    await expect.poll(() => shown.callsOf('declineModel')).toHaveLength(1);
    expect(shown.callsOf('haveWritten')).toEqual([{ turnId: 'last' }]);
  });

  test('disappears after a model is selected or the offer is declined', async ({ page, show }) => {
    await show('chat', chatHost({ turns, model: undefined, offersModel: false }));
    await expect(page.locator('footer')).toHaveCount(2);
    await expect(page.locator('.model-offer')).toHaveCount(0);
  });
});

test.describe('Semantic search offer', () => {
  const excerpts = makeExcerpts([{ text: 'Tomatoes are watered.', heading: 'Watering' }]);
  const turns = [makeTurn({ id: 'first', answer: excerpts }), makeTurn({ id: 'last', answer: excerpts })];
  const offer = {
    turnId: 'first',
    model: 'small-words (MIT)',
    size: '30 MB',
    origin: 'models.example',
    state: { kind: 'offered' },
  } as const;
  const accepting = { acceptSemanticSearch: () => undefined };

  test('names the size and the host, and is dismissed by its button', async ({ page, show }) => {
    const script = { ...accepting, dismissSemanticSearch: () => undefined };
    const shown = await show('chat', chatHost({ turns, semanticSearchOffer: offer }, script));
    const line = page.locator('[data-turn=first]').locator('.semantic-search-offer');
    const button = line.getByRole('button', {
      name: 'Download a 30 MB model for better matches',
    });
    await expect(button).toHaveAttribute(
      'title',
      /^Downloads small-words \(MIT\) once from models\.example, /,
    );
    await button.click();
    await line.getByRole('button', { name: 'Don’t suggest this again' }).click();
    await expect.poll(() => shown.callsOf('dismissSemanticSearch')).toHaveLength(1);
    expect(shown.callsOf('acceptSemanticSearch')).toHaveLength(1);
    await expect(page.locator('.semantic-search-offer')).toHaveCount(1);
  });

  test('shows the progress in its line, with a button that cancels', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 600 });
    const script = { cancelSemanticSearch: () => undefined };
    const shown = await show('chat', chatHost({ turns, semanticSearchOffer: offer }, script));
    const line = page.locator('.semantic-search-offer');
    let panel = makePanel({ turns, semanticSearchOffer: offer });
    const sendOffer = (state: SemanticSearchOffer['state'] | undefined): void => {
      const before = panel;
      panel = { ...panel, semanticSearchOffer: state && { ...offer, state } };
      sendChange(shown.remote, before, panel);
    };
    sendOffer({ kind: 'downloading', downloaded: '12 MB' });
    await expect(line).toContainText('Downloading the model… 12 MB of 30 MB');
    await line.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => shown.callsOf('cancelSemanticSearch')).toHaveLength(1);
    sendOffer({ kind: 'embedding', done: 0, total: 0 });
    await expect(line).toContainText('Generating embeddings…');
    sendOffer({ kind: 'embedding', done: 1_000, total: 2_000 });
    await expect(line).toContainText('Generating embeddings… 1,000 of 2,000 passages');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(260);
    sendOffer(undefined);
    await expect(line).toHaveCount(0);
  });

  test('shows an error with buttons to try again and to open the settings', async ({ page, show }) => {
    const message = 'models.example has no such file (404).';
    const failed = { ...offer, state: { kind: 'failed', message, opensSettings: true } } as const;
    const shown = await show('chat', chatHost({ turns, semanticSearchOffer: failed }, accepting));
    await expect(page.getByRole('alert')).toContainText(message);
    await page.getByRole('button', { name: 'Open Settings' }).click();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.poll(() => shown.callsOf('acceptSemanticSearch')).toHaveLength(1);
    expect(shown.callsOf('run')).toEqual([{ command: 'openSettings' }]);
  });
});
