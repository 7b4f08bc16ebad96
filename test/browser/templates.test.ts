import type { Locator } from '@playwright/test';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeGate } from '../support/gate.ts';
import { wavChapters, makeWav } from '../support/made-audio.ts';
import { writerPurpose, writtenReply } from '../support/scripted-writer.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { inEachTheme, pickTyped, readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

Basil is planted between the tomatoes because it keeps the white fly away from their leaves.

The compost is turned in March and in October, and never in the frost.
`;

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

const template = `---
title: Letter Home
description: What one would write home about
size: 3
---

A letter of ten sentences.
`;

test.use({
  files: {
    'garden.md': garden,
    'log.md': chapters(1, 17),
    '.notebook/templates/letter.md': template,
    '.notebook/templates/picture.md': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
  },
});

/** The line above a conversation that has it spoken. */
function makeAudio({ page }: Workbench): Locator {
  return page.locator('.codelens-decoration a', { hasText: 'Make Audio…' });
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
  const dialog = workbench.dialog('Make audio of “Conversation for Two Voices – garden”?');
  await expect(dialog).toContainText('are sent to 127.0.0.1');
  await workbench.screenshot('templates-audio-agree');
  await dialog.getByRole('button', { name: 'Make It' }).click();
}

test.describe('a model writes after templates of all that the sources say', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  const asked: string[] = [];
  const reply = (content: string): string => {
    asked.push(writerPurpose(content));
    return writtenReply(content);
  };
  const toldOf = (messages: readonly { readonly content: string }[]): string =>
    messages.map(({ content }) => content).join('\n\n');
  const make = async (workbench: Workbench, thing: string, source: string): Promise<void> => {
    await workbench.menu(workbench.rows('Sources', source), 'Make…');
    // Rows that are not in sight are not drawn.
    await pickTyped(workbench, thing);
  };

  test('without a model what can be made is listed, and says that it needs one', async ({ workbench }) => {
    const { quickInput } = workbench;
    await workbench.explorerMenu('garden.md', 'Add to Notebook');
    await readySource(workbench, 'garden.md');
    await workbench.run('Open Notebook: Make…');
    await expect(quickInput).toContainText('Glossary');
    await quickInput.locator('.quick-input-box input').fill('Brief');
    await expect(quickInput).toContainText('needs a model');
    await workbench.screenshot('templates-without-model');
    await workbench.pick('Briefing');
    await expect(
      workbench.notification('“Briefing” is written by a language model. Pick one first.'),
    ).toBeVisible();
    await expect(
      workbench
        .notification('“size” is no field of a template')
        .getByRole('button', { name: 'Open the File' }),
    ).toBeVisible();
    await expect(workbench.notification('picture.md is no text')).toBeVisible();
    await workbench.screenshot('templates-needs-model');
    await workbench.run('Notifications: Clear All Notifications');
  });

  test('a briefing of a source is chosen by keys, written, and says which model wrote it', async ({
    vscode,
    workbench,
    workspace,
    model,
  }) => {
    const { quickInput, editorLines } = workbench;
    model.reply(({ messages }) => reply(toldOf(messages)));
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    await workbench.reload();
    await readySource(workbench, 'garden.md');
    await workbench.run('Open Notebook: Make…');
    await expect(quickInput).toContainText('Mind Map');
    // What is written by the model stands last; before the first comes the last.
    await quickInput.locator('.quick-input-box input').press('ArrowUp');
    await expect(quickInput.locator('.monaco-list-row.focused')).toContainText('New Template…');
    const briefing = quickInput.locator('.monaco-list-row.focused', { hasText: 'Briefing' });
    await expect(async () => {
      await quickInput.locator('.quick-input-box input').press('ArrowUp');
      await expect(briefing).toBeVisible({ timeout: 100 });
    }).toPass();
    await expect(quickInput).toContainText('Written by scripted-1');
    await expect(quickInput).toContainText('What matters in the sources on one page');
    await inEachTheme(workbench, workspace, [], async (name) => {
      await workbench.screenshot(`templates-choice-${name}`);
    });
    await workbench.pick('Briefing');
    await expect(workbench.tab('Briefing – garden.md')).toBeVisible();
    await expect(editorLines.filter({ hasText: 'Written by scripted-1.' })).toBeVisible();
    const line = editorLines.filter({ hasText: 'Tomatoes are watered every second morning' });
    await expect(line).toBeVisible();
    await workbench.screenshot('templates-briefing');
    expect(asked).toEqual(['whole']);
  });

  test('what changed in the source is shown before it is kept, also of a note that was deleted and is back', async ({
    workbench,
    workspace,
  }) => {
    const { page, editorLines } = workbench;
    await workbench.run('Open Notebook: Delete Note');
    await workbench.answerNotification('“Briefing – garden” was deleted', 'Undo');
    await workbench.unfold('Notes');
    await workbench.rows('Notes', 'Briefing – garden').click();
    await expect(workbench.tab('Briefing – garden.md')).toBeVisible();
    workspace.write('garden.md', `${garden}\nThe bees live in a hollow log under the pear tree.\n`);
    const lens = page.locator('.codelens-decoration a', { hasText: 'Bring Up to Date' });
    await expect(lens).toBeVisible();
    await lens.click();
    await expect(page.locator('.diff-editor, .monaco-diff-editor').first()).toBeVisible();
    await workbench.screenshot('templates-diff');
    await page.getByRole('button', { name: 'Keep the Change' }).click();
    await expect(editorLines.filter({ hasText: 'hollow log under the pear tree' })).toBeVisible();
    await expect(lens).toHaveCount(0);
    await workbench.run('View: Close All Editors');
  });

  test('of more than the model reads at once it takes notes part by part, and can be stopped', async ({
    workbench,
    model,
  }) => {
    await workbench.explorerMenu('log.md', 'Add to Notebook');
    await readySource(workbench, 'log.md');
    const gate = makeGate();
    let count = 0;
    model.reply(({ messages }) => {
      const text = reply(toldOf(messages));
      // All four parts are asked at once.
      return ++count >= 3 ? [gate, text] : text;
    });
    asked.length = 0;
    await make(workbench, 'Study Guide', 'log.md');
    const progress = workbench.notification('Making “Study Guide – log” (about');
    await gate.reached;
    await expect.poll(() => count).toBe(4);
    await expect(progress).toContainText('2 of 4 parts are noted');
    await workbench.screenshot('templates-progress');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    gate.open();
    await expect(workbench.notification('2 of 4 parts are done and kept.')).toBeVisible();
    await workbench.screenshot('templates-stopped');
  });

  test('it goes on where it was stopped, and where it was killed, and asks for no part twice', async ({
    vscode,
    workbench,
    model,
  }) => {
    const { quickInput, editorLines } = workbench;
    const gate = makeGate();
    let count = 0;
    model.reply(({ messages }) => {
      const text = reply(toldOf(messages));
      return ++count === 2 ? [gate, text] : text;
    });
    await workbench.answerNotification('2 of 4 parts are done and kept.', 'Go On');
    await workbench.dialog('Make “Study Guide – log”?').getByRole('button', { name: 'Make It' }).click();
    await gate.reached;
    await expect(workbench.notification('Making “Study Guide – log” (about')).toContainText(
      '3 of 4 parts are noted',
    );
    await vscode.server.kill();
    gate.open();
    await vscode.restart();
    await workbench.reload();
    await readySource(workbench, 'log.md');
    model.reply(({ messages }) => reply(toldOf(messages)));
    asked.length = 0;
    await workbench.run('Open Notebook: Make…');
    await expect(quickInput).toContainText('3 of 4 parts are done and kept.');
    await workbench.screenshot('templates-unfinished');
    await workbench.pick('Study Guide – log');
    const dialog = workbench.dialog('Make “Study Guide – log”?');
    await expect(dialog).toContainText('scripted-1 is asked 2 times, for about');
    await workbench.screenshot('templates-agree');
    await dialog.getByRole('button', { name: 'Make It' }).click();
    await expect(workbench.tab('Study Guide – log.md')).toBeVisible();
    await expect(
      editorLines.filter({ hasText: 'On day 0 of journey 1 the crew counted 100 birds' }),
    ).toBeVisible();
    expect(asked).toEqual(['notes', 'write']);
    await workbench.run('View: Close All Editors');
  });

  test('a template of the workspace is followed, with the notes that are there already', async ({
    workbench,
  }) => {
    asked.length = 0;
    await make(workbench, 'Letter Home', 'log.md');
    await workbench.dialog('Make “Letter Home – log”?').getByRole('button', { name: 'Make It' }).click();
    await expect(workbench.tab('Letter Home – log.md')).toBeVisible();
    expect(asked).toEqual(['write']);
    await workbench.run('View: Close All Editors');
  });

  test('a letter is brought up to date after its template as it is now, or as it was where that is gone', async ({
    workbench,
    workspace,
    model,
  }) => {
    const { page, editorLines } = workbench;
    const file = join(workspace.folder, '.notebook/templates/letter.md');
    const bringUpToDate = async (): Promise<void> => {
      await workbench.run('Open Notebook: Bring Up to Date');
      await workbench.dialog('Make “Letter Home – log”?').getByRole('button', { name: 'Make It' }).click();
    };
    await workbench.unfold('Notes');
    await workbench.rows('Notes', 'Letter Home – log').click();
    await expect(workbench.tab('Letter Home – log.md')).toBeVisible();
    workspace.write(
      '.notebook/templates/letter.md',
      template.replace('title: Letter Home', 'title: Postcard').replace('of ten sentences', 'of one line'),
    );
    await expect(page.locator('.codelens-decoration a')).toHaveText(
      'The template has changed. Bring Up to Date',
    );
    await workbench.screenshot('templates-changed');
    let request = '';
    model.reply(({ messages }) => reply((request = toldOf(messages))));
    await bringUpToDate();
    const keep = page.getByRole('button', { name: 'Keep the Change' });
    await expect(keep).toBeVisible();
    expect(request).toContain('A letter of one line.');
    await workbench.screenshot('templates-changed-diff');
    await keep.click();
    await expect(editorLines.filter({ hasText: '# Postcard' })).toBeVisible();
    // What it was made after is kept a moment after its text.
    await expect(page.locator('.codelens-decoration a')).toHaveCount(0);

    workspace.write('.notebook/templates/letter.md', 'No front matter');
    await bringUpToDate();
    await expect(
      workbench.notification('Until then “Letter Home – log” is brought up to date after it as it was.'),
    ).toBeVisible();
    await expect(workbench.notification('is up to date: nothing that it says has changed')).toBeVisible();
    expect(request).toContain('A letter of one line.');
    await workbench.screenshot('templates-invalid');
    rmSync(file);
    await workbench.run('Notifications: Clear All Notifications');
    await bringUpToDate();
    await expect(workbench.notification('The template “Postcard” is gone')).toBeVisible();
    await expect(workbench.notification('is up to date: nothing that it says has changed')).toBeVisible();
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.run('View: Close All Editors');
  });

  test('what changed since the letter was made is written, and told where nothing did', async ({
    workbench,
    workspace,
  }) => {
    const { page, quickInput, editorLines } = workbench;
    await make(workbench, 'What Changed', 'log.md');
    await expect(quickInput).toContainText('Since a note was made');
    await workbench.pick('Letter Home – log');
    await expect(workbench.notification('Nothing in these sources has changed since')).toBeVisible();
    await workbench.run('Notifications: Clear All Notifications');
    workspace.write(
      'log.md',
      '# Journey 99\n\nOn day 1 of journey 99 the crew counted nine whales behind the ship.\n',
    );
    await workbench.rows('Notes', 'Letter Home – log').click();
    await expect(page.locator('.codelens-decoration a').first()).toContainText(
      'The sources have changed: 1 changed.',
    );
    asked.length = 0;
    await make(workbench, 'What Changed', 'log.md');
    await expect(quickInput).toContainText('Since a note was made');
    await workbench.pick('Letter Home – log');
    await expect(workbench.tab('What Changed – log.md')).toBeVisible();
    await expect(editorLines.filter({ hasText: 'nine whales behind the ship' }).first()).toBeVisible();
    expect(asked).toHaveLength(1);
    await workbench.screenshot('templates-what-changed');
    await workbench.run('View: Close All Editors');
  });

  test('a conversation for two voices is written', async ({ workbench, workspace, model }) => {
    model.reply(() => conversation);
    await make(workbench, 'Conversation for Two Voices', 'garden.md');
    await expect(workbench.tab('Conversation for Two Voices – garden.md')).toBeVisible();
    await expect(makeAudio(workbench)).toBeVisible();
    await inEachTheme(workbench, workspace, [], async (name) => {
      await workbench.screenshot(`templates-conversation-${name}`);
    });
  });

  test('an endpoint that does not speak is told of, once it was agreed to ask it', async ({ workbench }) => {
    await makeAudio(workbench).click();
    await expect(workbench.quickInput).toContainText('Add Endpoint…');
    await workbench.screenshot('templates-audio-endpoint');
    await workbench.quickInput.locator('input').first().press('Enter');
    await workbench.fill('speaks-1');
    await saveAsWave(workbench);
    await agreeToSpeak(workbench);
    await expect(
      workbench
        .notification('does not speak, or has no model named speaks-1')
        .getByRole('button', { name: 'Open Settings' }),
    ).toBeVisible();
    await workbench.screenshot('templates-audio-refused');
    await workbench.run('Notifications: Clear All Notifications');
  });

  test('it is spoken turn by turn, and opened as sound with chapters', async ({
    workbench,
    workspace,
    model,
  }) => {
    const gate = makeGate();
    model.speak(async ({ index, input }) => {
      if (index === 1) await gate.pass();
      return makeWav(1_000 * input.length);
    });
    await makeAudio(workbench).click();
    await saveAsWave(workbench);
    await agreeToSpeak(workbench);
    await gate.reached;
    const progress = workbench.notification('Making audio of “Conversation for Two Voices – garden”');
    // The others are spoken meanwhile.
    await expect(progress).toContainText('2 of 3 segments');
    await workbench.screenshot('templates-audio-progress');
    gate.open();
    await expect(workbench.tab('Conversation for Two Voices – garden.wav')).toBeVisible();
    await expect(progress).toHaveCount(0);
    const player = workbench.page
      .frameLocator('iframe.webview.ready[src*="extensionId=vscode.media-preview"]')
      .frameLocator('#active-frame')
      .locator('audio');
    const seconds = (1_000 * model.spoken.reduce((sum, { input }) => sum + input.length, 0)) / 24_000;
    await expect
      .poll(() => player.evaluate((element) => (element instanceof HTMLAudioElement ? element.duration : 0)))
      .toBeCloseTo(seconds, 1);
    await workbench.screenshot('templates-audio-player');
    expect(model.spoken.map(({ voice }) => voice).sort()).toEqual(['alloy', 'alloy', 'onyx']);
    const sound = readFileSync(workspace.path('Conversation for Two Voices – garden.wav'));
    expect(wavChapters(sound).map(({ title }) => title)).toEqual(['The water', 'The leaves']);
    await workbench.run('View: Close All Editors');
  });

  test('a model that refuses is told of in one sentence, with what helps', async ({ workbench, model }) => {
    model.reply(() => ({ status: 401 }));
    await make(workbench, 'FAQ', 'garden.md');
    await expect(
      workbench
        .notification(/key/)
        .getByRole('button', { name: /Set API Key|Pick Model/ })
        .first(),
    ).toBeVisible();
    await workbench.resize(620, 700);
    await workbench.screenshot('templates-refused-narrow');
  });

  test('a new template opens with what its fields are', async ({ workbench, workspace }) => {
    const { quickInput, editorLines } = workbench;
    mkdirSync(dirname(join(workspace.folder, '.notebook/templates/x')), { recursive: true });
    await workbench.run('Open Notebook: Make…');
    await quickInput.locator('.quick-input-box input').fill('New Template');
    await workbench.pick('New Template…');
    // In a narrow window the line is wrapped.
    await expect(editorLines.filter({ hasText: 'title: My' })).toBeVisible();
  });
});
