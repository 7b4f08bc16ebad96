import type { Page } from '@playwright/test';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import { noteAsAnswer, type NoteAnswer } from '../../src/features/research/model/note-answer.ts';
import { answerAsNote, citationId } from '../../src/core/domain/note-markdown.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { boardStep, researchPageState, researchWith } from '../support/shown-research.ts';
import { testCitation } from '../support/test-citation.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';
import { sendChange } from './page-host.ts';
import { researchHost } from './research-host.ts';

const citations = [
  testCitation({ number: 1, title: 'birds.md', place: 'L3', quote: 'Ten herons nest at the lake.' }),
  testCitation({ number: 2, title: 'lake.md', place: 'L8', quote: 'The lake froze in January.' }),
];

/** Returns the report as the extension reads it from its note. */
function report(): NoteAnswer {
  const text = 'Ten herons nest at the lake. It froze in May.\n\n| Bird | Nests |\n| - | - |\n| Heron | 10 |';
  const at = (words: string): { start: number; end: number } => {
    const start = text.indexOf(words);
    return { start, end: start + words.length };
  };
  const answer: Answer = {
    ...{ kind: 'written', model: 'm', text, citations },
    statements: [
      { ...at('Ten herons nest at the lake.'), verdict: 'supported', citations: [0] },
      { ...at('It froze in May.'), verdict: 'contradicted', citations: [1] },
      { ...at('10'), verdict: 'supported', citations: [0] },
    ],
  };
  const note = answerAsNote('Birds at the lake', answer, 'footnote');
  return noteAsAnswer(
    note.text,
    citations.map((citation) => ({ id: citationId(citation), citation })),
  );
}

const state = (title: string | undefined): ResearchPanelState =>
  researchPageState({
    research: researchWith({
      state: title === undefined ? 'running' : 'done',
      steps: [boardStep('herons', { target: 'Count the herons.', state: 'done', startedAt: 0, endedAt: 9 })],
      report: title,
    }),
  });

const tab = (page: Page, name: string): ReturnType<Page['getByRole']> => page.getByRole('tab', { name });

test.describe('Report of a research project', () => {
  test('opens when it is written', async ({ page, show }) => {
    const shown = await show('research', researchHost(state(undefined), { report }));
    await expect(tab(page, 'Board')).toHaveAttribute('aria-selected', 'true');
    await expect(tab(page, 'Report')).toHaveCount(0);
    sendChange(shown.remote, state(undefined), state('Birds'));
    await expect(tab(page, 'Report')).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('heading', { name: 'Birds at the lake' })).toBeVisible();
    await tab(page, 'Board').click();
    sendChange(shown.remote, state('Birds'), { ...state('Birds'), model: 'other' });
    await expect(tab(page, 'Board')).toHaveAttribute('aria-selected', 'true');
  });

  test('shows citations as chips that open the cited text', async ({ page, show }) => {
    const shown = await show('research', researchHost(state('Birds'), { report }));
    const article = page.getByRole('article');
    await expect(article.locator('.chip')).toHaveText(['1', '2', '1']);
    await expect(article.locator('td .chip')).toHaveCount(1);
    await expect(article.locator('.contradicted')).toHaveText('It froze in May.');
    await expect(article).not.toContainText('citation/');
    await article.locator('.chip').nth(1).click();
    await expect
      .poll(() => shown.callsOf('openCitation'))
      .toEqual([{ turnId: 'report', citation: 1, beside: false }]);
  });

  test('is loaded again only when its note or a source changes', async ({ page, show }) => {
    let title = 'Birds';
    const note = (): NoteAnswer => ({ text: `# ${title}`, statements: [], citations: [] });
    const shown = await show('research', researchHost(state('Birds'), { report: note }));
    await expect(page.getByRole('heading', { name: 'Birds', exact: true })).toBeVisible();
    title = 'Herons';
    const busy = { ...state('Birds'), activity: { status: 'Reading…', isTakenOver: false } };
    sendChange(shown.remote, state('Birds'), busy);
    await expect(page.locator('.head')).toContainText('Reading…');
    expect(shown.callsOf('report')).toHaveLength(1);
    const { research } = busy;
    sendChange(shown.remote, busy, { ...busy, research: research && { ...research, reportChangedAt: 2 } });
    await expect(page.getByRole('heading', { name: 'Herons' })).toBeVisible();
    expect(shown.callsOf('report')).toHaveLength(2);
  });

  test('is edited as a note', async ({ page, show }) => {
    const shown = await show('research', researchHost(state('Birds'), { report }));
    await page.getByRole('button', { name: 'Edit report as note' }).click();
    await expect.poll(() => shown.callsOf('act')).toEqual([{ action: 'openReport', basedOn: 1 }]);
  });

  test('says why it can’t be shown', async ({ page, show }) => {
    const fail = (): never => {
      throw new Error('The note “Birds” doesn’t exist.');
    };
    await show('research', researchHost(state('Birds'), { report: fail }));
    await expect(page.getByRole('alert')).toContainText('The note “Birds” doesn’t exist.');
  });

  test('is readable in each theme', async ({ page, show }) => {
    const shown = await show('research', researchHost(state('Birds'), { report }));
    await expect(page.locator('article .chip').first()).toBeVisible();
    await lookInEachTheme(page, shown, 'research-report');
  });
});
