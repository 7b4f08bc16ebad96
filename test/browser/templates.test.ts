import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeGate } from '../support/gate.ts';
import { writerPurpose, writtenReply } from '../support/scripted-writer.ts';
import { expect, test } from './fixtures.ts';
import { inEachTheme, readySource } from './notebook.ts';

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

test('a model writes after templates of all that the sources say, stops and goes on, and changes only what changed', async ({
  vscode,
  workbench,
  workspace,
  model,
}) => {
  test.setTimeout(500_000);
  workbench.page.setDefaultTimeout(30_000);
  const { page, editorLines, quickInput } = workbench;
  const make = async (thing: string, source: string): Promise<void> => {
    await workbench.menu(workbench.rows('Sources', source), 'Make…');
    await workbench.pick(thing);
  };
  const toldOf = (messages: readonly { readonly content: string }[]): string =>
    messages.map(({ content }) => content).join('\n\n');
  const asked: string[] = [];
  const reply = (content: string): string => {
    asked.push(writerPurpose(content));
    return writtenReply(content);
  };
  model.reply(({ messages }) => reply(toldOf(messages)));

  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');

  await test.step('without a model the things are there and say what they need', async () => {
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

  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  await workbench.reload();
  await readySource(workbench, 'garden.md');

  await test.step('a briefing of a source, whose citation opens the words', async () => {
    await workbench.run('Open Notebook: Make…');
    await quickInput.locator('.quick-input-box input').fill('ing');
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

  await test.step('what changed in the source is shown before it is kept', async () => {
    workspace.write('garden.md', `${garden}\nThe bees live in a hollow log under the pear tree.\n`);
    const lens = page.locator('.codelens-decoration a', { hasText: 'Bring Up to Date' });
    await expect(lens).toBeVisible();
    await lens.click();
    await expect(page.locator('.diff-editor, .monaco-diff-editor').first()).toBeVisible();
    await workbench.screenshot('templates-diff');
    console.log('step 1', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-1.png', timeout: 5000 }).catch(() => undefined);
    await page.getByRole('button', { name: 'Keep the Change' }).click();
    console.log('step 2', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-2.png', timeout: 5000 }).catch(() => undefined);
    await expect(editorLines.filter({ hasText: 'hollow log under the pear tree' })).toBeVisible();
    console.log('step 3', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-3.png', timeout: 5000 }).catch(() => undefined);
    await expect(lens).toHaveCount(0);
    console.log('step 4', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-4.png', timeout: 5000 }).catch(() => undefined);
    await workbench.run('View: Close All Editors');
    console.log('step 5', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-5.png', timeout: 5000 }).catch(() => undefined);
  });

  await test.step('of more than the model reads at once it takes notes part by part, and can be stopped', async () => {
    await workbench.explorerMenu('log.md', 'Add to Notebook');
    console.log('step 6', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-6.png', timeout: 5000 }).catch(() => undefined);
    await readySource(workbench, 'log.md');
    console.log('step 7', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-7.png', timeout: 5000 }).catch(() => undefined);
    const gate = makeGate();
    console.log('step 8', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-8.png', timeout: 5000 }).catch(() => undefined);
    let count = 0;
    model.reply(({ messages }) => {
      const text = reply(toldOf(messages));
      return ++count === 3 ? [gate, text] : text;
    });
    asked.length = 0;
    await make('Study Guide', 'log.md');
    console.log('step 10', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-10.png', timeout: 5000 }).catch(() => undefined);
    const progress = workbench.notification('Making “Study Guide – log” (about');
    console.log('step 11', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-11.png', timeout: 5000 }).catch(() => undefined);
    await expect(progress).toContainText('Part 3 of 4: log.md');
    console.log('step 12', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-12.png', timeout: 5000 }).catch(() => undefined);
    await gate.reached;
    console.log('step 13', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-13.png', timeout: 5000 }).catch(() => undefined);
    await workbench.screenshot('templates-progress');
    console.log('step 14', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-14.png', timeout: 5000 }).catch(() => undefined);
    await progress.getByRole('button', { name: 'Cancel' }).click();
    console.log('step 15', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-15.png', timeout: 5000 }).catch(() => undefined);
    gate.open();
    await expect(workbench.notification('2 of 4 parts are done and kept.')).toBeVisible();
    console.log('step 16', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-16.png', timeout: 5000 }).catch(() => undefined);
    await workbench.screenshot('templates-stopped');
    console.log('step 17', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-17.png', timeout: 5000 }).catch(() => undefined);
  });

  await test.step('it goes on where it was stopped, and where it was killed, and asks for no part twice', async () => {
    const gate = makeGate();
    console.log('step 18', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-18.png', timeout: 5000 }).catch(() => undefined);
    let count = 0;
    model.reply(({ messages }) => {
      const text = reply(toldOf(messages));
      return ++count === 2 ? [gate, text] : text;
    });
    await workbench.answerNotification('2 of 4 parts are done and kept.', 'Go On');
    console.log('step 20', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-20.png', timeout: 5000 }).catch(() => undefined);
    await workbench.dialog('Make “Study Guide – log”?').getByRole('button', { name: 'Make It' }).click();
    console.log('step 21', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-21.png', timeout: 5000 }).catch(() => undefined);
    await gate.reached;
    console.log('step 22', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-22.png', timeout: 5000 }).catch(() => undefined);
    await vscode.server.kill();
    console.log('step 23', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-23.png', timeout: 5000 }).catch(() => undefined);
    gate.open();
    await vscode.restart();
    console.log('step 24', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-24.png', timeout: 5000 }).catch(() => undefined);
    await workbench.reload();
    console.log('step 25', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-25.png', timeout: 5000 }).catch(() => undefined);
    await readySource(workbench, 'log.md');
    console.log('step 26', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-26.png', timeout: 5000 }).catch(() => undefined);
    model.reply(({ messages }) => reply(toldOf(messages)));
    asked.length = 0;
    await workbench.run('Open Notebook: Make…');
    console.log('step 27', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-27.png', timeout: 5000 }).catch(() => undefined);
    await expect(quickInput).toContainText('3 of 4 parts are done and kept.');
    console.log('step 28', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-28.png', timeout: 5000 }).catch(() => undefined);
    await workbench.screenshot('templates-unfinished');
    console.log('step 29', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-29.png', timeout: 5000 }).catch(() => undefined);
    await workbench.pick('Study Guide – log');
    console.log('step 30', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-30.png', timeout: 5000 }).catch(() => undefined);
    const dialog = workbench.dialog('Make “Study Guide – log”?');
    console.log('step 31', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-31.png', timeout: 5000 }).catch(() => undefined);
    await expect(dialog).toContainText('scripted-1 is asked 2 times, for about');
    console.log('step 32', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-32.png', timeout: 5000 }).catch(() => undefined);
    await workbench.screenshot('templates-agree');
    console.log('step 33', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-33.png', timeout: 5000 }).catch(() => undefined);
    await dialog.getByRole('button', { name: 'Make It' }).click();
    console.log('step 34', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-34.png', timeout: 5000 }).catch(() => undefined);
    await expect(workbench.tab('Study Guide – log.md')).toBeVisible({ timeout: 30_000 });
    console.log('step 35', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-35.png', timeout: 5000 }).catch(() => undefined);
    await expect(
      editorLines.filter({ hasText: 'On day 0 of journey 1 the crew counted 100 birds' }),
    ).toBeVisible();
    expect(asked).toEqual(['notes', 'write']);
    await workbench.run('View: Close All Editors');
    console.log('step 36', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-36.png', timeout: 5000 }).catch(() => undefined);
  });

  await test.step('a template of the workspace, of which the notes are there already', async () => {
    asked.length = 0;
    await make('Letter Home', 'log.md');
    console.log('step 37', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-37.png', timeout: 5000 }).catch(() => undefined);
    await workbench.dialog('Make “Letter Home – log”?').getByRole('button', { name: 'Make It' }).click();
    console.log('step 38', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-38.png', timeout: 5000 }).catch(() => undefined);
    await expect(workbench.tab('Letter Home – log.md')).toBeVisible({ timeout: 30_000 });
    console.log('step 39', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-39.png', timeout: 5000 }).catch(() => undefined);
    expect(asked).toEqual(['write']);
    await workbench.run('View: Close All Editors');
    console.log('step 40', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-40.png', timeout: 5000 }).catch(() => undefined);
  });

  await test.step('what changed since the letter was made', async () => {
    await make('What Changed', 'log.md');
    console.log('step 41', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-41.png', timeout: 5000 }).catch(() => undefined);
    await expect(quickInput).toContainText('Since when?');
    console.log('step 42', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-42.png', timeout: 5000 }).catch(() => undefined);
    await workbench.pick('Letter Home – log');
    console.log('step 43', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-43.png', timeout: 5000 }).catch(() => undefined);
    await expect(workbench.notification('Nothing in these sources has changed since')).toBeVisible();
    console.log('step 44', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-44.png', timeout: 5000 }).catch(() => undefined);
    await workbench.run('Notifications: Clear All Notifications');
    console.log('step 45', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-45.png', timeout: 5000 }).catch(() => undefined);
  });

  await test.step('a model that refuses is told of in one sentence, with what helps', async () => {
    model.reply(() => ({ status: 401 }));
    await make('FAQ', 'garden.md');
    console.log('step 46', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-46.png', timeout: 5000 }).catch(() => undefined);
    await expect(
      workbench
        .notification(/key/)
        .getByRole('button', { name: /Set API Key|Pick Model/ })
        .first(),
    ).toBeVisible();
    await workbench.resize(620, 700);
    console.log('step 47', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-47.png', timeout: 5000 }).catch(() => undefined);
    await workbench.screenshot('templates-refused-narrow');
    console.log('step 48', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-48.png', timeout: 5000 }).catch(() => undefined);
  });

  await test.step('a new template opens with what its fields are', async () => {
    mkdirSync(dirname(join(workspace.folder, '.notebook/templates/x')), { recursive: true });
    await workbench.run('Open Notebook: Make…');
    console.log('step 49', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-49.png', timeout: 5000 }).catch(() => undefined);
    await quickInput.locator('.quick-input-box input').fill('New Template');
    console.log('step 50', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-50.png', timeout: 5000 }).catch(() => undefined);
    await workbench.pick('New Template…');
    console.log('step 51', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-51.png', timeout: 5000 }).catch(() => undefined);
    await expect(editorLines.filter({ hasText: 'title: My Template' })).toBeVisible();
    console.log('step 52', new Date().toISOString()); await page.screenshot({ path: '/tmp/step-52.png', timeout: 5000 }).catch(() => undefined);
  });
});
