import type { Locator } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { makeGate } from '../../support/gate.ts';
import { wavChapters, makeWav } from '../../support/made-audio.ts';
import { writtenReply } from '../../support/scripted-writer.ts';
import type { Workbench } from '../../support/workbench.ts';
import { expect, test } from '../fixtures.ts';
import { addFile, answered, garden, pickTyped, startOver } from '../notebook.ts';
import { modelWindow } from '../shared-windows.ts';

/** Chapters of a log that no request takes at once: about 900 tokens each. */
function chapters(from: number, to: number): string {
  const days = (chapter: number): string =>
    Array.from(
      { length: 30 },
      (_, day) =>
        `On day ${String(day)} of journey ${String(chapter)} the crew counted ${String(chapter * 100 + day)} birds above the mast.`,
    ).join('\n\n');
  return Array.from(
    { length: to - from },
    (_, n) => `# Journey ${String(from + n)}\n\n${days(from + n)}`,
  ).join('\n\n');
}

const conversation = `## The water

**Ada:** Tomatoes are watered every second morning with rainwater from the barrel behind the shed [1].

## The leaves

**Ben:** Why is basil planted between the tomatoes?

**Ada:** It keeps the white fly away from their leaves [1].
`;

test.use({
  ...modelWindow,
  files: {
    'garden.md': garden,
    'basil.md': garden,
    'hive.md': garden,
    'talk.md': garden,
    'log.md': chapters(1, 17),
  },
});

/** Line above a script that generates audio. */
function makeAudio({ page }: Workbench): Locator {
  return page.locator('.codelens-decoration a', { hasText: 'Generate Audio…' });
}

/** Keeps what is spoken under the name that is proposed, as a WAV file. */
async function saveAsWave({ quickInput }: Workbench): Promise<void> {
  const box = quickInput.locator('input').first();
  await expect(box).toHaveValue(/\.mp3$/);
  await box.fill((await box.inputValue()).replace(/\.mp3$/, '.wav'));
  await box.press('Enter');
}

/** Agrees to send the conversation to the endpoint that speaks it. */
async function agreeToSpeak(workbench: Workbench): Promise<void> {
  const dialog = workbench.dialog('Generate audio for “Audio Script – talk”?');
  await expect(dialog).toContainText(/Open Notebook sends them to 127\.0\.0\.1/);
  await workbench.screenshot('templates-audio-agree');
  await dialog.getByRole('button', { name: 'Generate' }).click();
}

async function generate(workbench: Workbench, artifact: string, source: string): Promise<void> {
  await workbench.menu(workbench.rows('Sources', source), 'Generate from Sources…');
  // Rows that are not in sight are not drawn.
  await pickTyped(workbench, artifact);
}

const textOf = (messages: readonly { readonly content: string }[]): string =>
  messages.map(({ content }) => content).join('\n\n');

test.describe('Artifacts written by a model', () => {
  test.describe.configure({ mode: 'default' });

  test.beforeEach(async ({ workbench, model }, { title }) => {
    await startOver(workbench, title);
    model.reply(({ messages }) => writtenReply(textOf(messages)));
  });

  test('a briefing shows a diff before it is updated', async ({ workbench, workspace }) => {
    const { page, editorLines } = workbench;
    await addFile(workbench, 'garden.md');
    await generate(workbench, 'Briefing', 'garden.md');
    await expect(workbench.tab('Briefing – garden.md')).toBeVisible();
    await expect(editorLines.filter({ hasText: 'Written by scripted-1.' })).toBeVisible();
    await expect(editorLines.filter({ hasText: 'Tomatoes are watered every second morning' })).toBeVisible();
    workspace.write('garden.md', `${garden}\nThe bees live in a hollow log under the pear tree.\n`);
    const lens = page.locator('.codelens-decoration a', { hasText: 'Update from Sources' });
    await lens.click();
    await expect(page.locator('.diff-editor, .monaco-diff-editor').first()).toBeVisible();
    await page.getByRole('button', { name: 'Keep Change' }).click();
    await expect(editorLines.filter({ hasText: 'hollow log under the pear tree' })).toBeVisible();
    await expect(lens).toHaveCount(0);
  });

  test('an audio script becomes an audio file with chapters', async ({ workbench, workspace, model }) => {
    model.reply(() => conversation);
    const gate = makeGate();
    model.speak(async ({ index, input }) => {
      if (index === 1) await gate.pass();
      return makeWav(1_000 * input.length);
    });
    await addFile(workbench, 'talk.md');
    await generate(workbench, 'Audio Script', 'talk.md');
    await expect(workbench.tab('Audio Script – talk.md')).toBeVisible();
    await makeAudio(workbench).click();
    await expect(workbench.quickInput).toContainText('Add Endpoint…');
    await workbench.quickInput.locator('input').first().press('Enter');
    await workbench.fill('speaks-1');
    await saveAsWave(workbench);
    await agreeToSpeak(workbench);
    await gate.reached;
    const progress = workbench.notification('Generating audio for “Audio Script – talk”');
    // The other segments are generated meanwhile.
    await expect(progress).toContainText('Segment 2 of 3');
    gate.open();
    await expect(workbench.tab('Audio Script – talk.wav')).toBeVisible();
    await expect(progress).toHaveCount(0);
    const page = await workbench.webview('main.player');
    const player = page.locator('audio');
    const seconds = (1_000 * model.spoken.reduce((sum, { input }) => sum + input.length, 0)) / 24_000;
    await expect
      .poll(() => player.evaluate((element) => (element instanceof HTMLAudioElement ? element.duration : 0)))
      .toBeCloseTo(seconds, 1);
    // Its script is the transcript, and its headings are the chapters.
    await expect(page.locator('article h2')).toHaveText(['The water', 'The leaves']);
    await expect(page.locator('article .words').first()).toContainText('Ada: ');
    expect(model.spoken.map(({ voice }) => voice).sort()).toEqual(['alloy', 'alloy', 'onyx']);
    const sound = readFileSync(workspace.path('Audio Script – talk.wav'));
    expect(wavChapters(sound).map(({ title }) => title)).toEqual(['The water', 'The leaves']);
  });

  test('a rejected key is reported with a button to replace it', async ({ workbench, model }) => {
    model.reply(() => ({ status: 401 }));
    await addFile(workbench, 'hive.md');
    await generate(workbench, 'FAQ', 'hive.md');
    await expect(
      workbench
        .notification(/key/)
        .getByRole('button', { name: /Set API Key|Pick Model/ })
        .first(),
    ).toBeVisible();
  });

  test(
    'a study guide of many parts resumes after it was stopped',
    { tag: '@all' },
    async ({ workbench, model }) => {
      const gate = makeGate();
      let count = 0;
      model.reply(({ messages }) => {
        const text = writtenReply(textOf(messages));
        // All four parts are requested at once.
        return ++count === 3 || count === 4 ? [gate, text] : text;
      });
      await addFile(workbench, 'log.md');
      await generate(workbench, 'Study Guide', 'log.md');
      const progress = workbench.notification('Generating “Study Guide – log” (about');
      await gate.reached;
      await expect(progress).toContainText('Read 2 of 4 parts');
      await workbench.screenshot('templates-progress');
      await progress.getByRole('button', { name: 'Cancel' }).click();
      gate.open();
      await workbench.answerNotification('Saved parts: 2 of 4.', 'Resume');
      const dialog = workbench.dialog('Generate “Study Guide – log”?');
      await expect(dialog).toContainText('Requests to scripted-1: 3. Estimated usage');
      await dialog.getByRole('button', { name: 'Generate' }).click();
      await expect(workbench.tab('Study Guide – log.md')).toBeVisible();
      expect(count).toBe(7);
    },
  );

  test('a card created from an answer keeps the citation', { tag: '@all' }, async ({ workbench, model }) => {
    model.reply(() => 'Basil keeps the white fly away from the leaves of the tomatoes [1].');
    await addFile(workbench, 'basil.md');
    const turn = await answered(workbench, 'Why is basil planted between the tomatoes?');
    await turn.locator('.statement').first().selectText();
    await workbench.run('Open Notebook: Create Card');
    await workbench.pick('Cloze card');
    await workbench.fill('white fly');
    await workbench.answerNotification('Added the card', 'Study Now');
    const deck = await workbench.webview('.deck');
    await deck.getByRole('button', { name: 'Show Answer' }).press('Space');
    await expect(deck.locator('.card .gap')).toHaveText('white fly');
    await expect(deck.locator('.card .source')).toContainText('.md');
  });
});
