import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeGate } from '../support/gate.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { root } from '../support/paths.mjs';
import { makeTemporaryFolder } from '../support/server.mjs';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';

const file = 'fra.traineddata.gz';
const packed = join(root, 'node_modules/@tesseract.js-data/fra/4.0.0_best_int', file);
const command = 'Open Notebook: Choose Text Recognition Languages…';
const readNow = 'Open Notebook now recognizes text in these languages: French.';

let server: ModelServer;
let served: string;
let isNamed: boolean;
test.beforeAll(async () => {
  served = makeTemporaryFolder('nb-languages-');
  copyFileSync(packed, join(served, file));
  server = await startModelServer(served);
  isNamed = false;
});
test.afterAll(async () => {
  await server.close();
  rmSync(served, { recursive: true, force: true });
});
test.beforeEach(({ vscode }) => {
  // Once in a window: what the extension has set in it since stays.
  if (!isNamed)
    vscode.set({ 'openNotebook.recognition.languageAddress': `${server.url}/{language}.traineddata.gz` });
  isNamed = true;
});

function row(workbench: Workbench, name: string): Locator {
  return workbench.quickInput.locator('.monaco-list-row', { hasText: name });
}

/** Opens the list, and waits until it says what there is. */
async function openList(workbench: Workbench): Promise<void> {
  await workbench.run(command);
  await expect(row(workbench, 'English')).toContainText('included with Open Notebook');
}

function box(workbench: Workbench, name: string): Locator {
  return row(workbench, name).getByRole('checkbox');
}

/** Enter would tick once more what was ticked last. */
async function confirm(workbench: Workbench): Promise<void> {
  await workbench.quickInput.getByRole('button', { name: 'OK' }).click();
}

/** Ticks French, unless it is, and agrees to fetch it. */
async function startFetching(workbench: Workbench): Promise<void> {
  await openList(workbench);
  await box(workbench, 'French').check();
  await confirm(workbench);
  await workbench.dialog('Download French (0.7 MB)?').getByRole('button', { name: 'Download' }).click();
}

/** The user's settings. */
function chosen(globalStorage: string): unknown {
  const settings = readFileSync(join(globalStorage, '../../settings.json'), 'utf8');
  return (JSON.parse(settings) as Record<string, unknown>)['openNotebook.recognition.languages'];
}

test.describe('text recognition language', { tag: '@all' }, () => {
  test.describe.configure({ mode: 'default' });
  test.use({ window: 'recognition languages' });

  test('is downloaded across a reload, used, and removed', async ({ workbench, vscode }) => {
    const folder = join(vscode.globalStorage, 'recognition');
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 400_000, gate }];
    await openList(workbench);
    await workbench.screenshot('recognition-list');
    await workbench.page.keyboard.press('Escape');
    expect(server.requests.length).toBe(0);
    await startFetching(workbench);
    await gate.reached;
    await expect(workbench.notification('Downloading French')).toContainText(/0\.[2-5] MB of 0\.7 MB/);
    await workbench.screenshot('recognition-progress');
    await workbench.reload();
    gate.open();

    await test.step('resumes', async () => {
      await openList(workbench);
      await expect(row(workbench, 'French')).toContainText(
        /0\.[2-5] MB of 0\.7 MB downloaded\. Select to resume\./,
      );
      await workbench.page.keyboard.press('Escape');
      await startFetching(workbench);
      // The lock of the closed window expires after some seconds.
      await expect(workbench.notification(readNow)).toBeVisible({ timeout: 60_000 });
      expect(server.ranges()).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d{4,}-$/)]);
      expect(readFileSync(join(folder, file)).equals(readFileSync(packed))).toBe(true);
      await expect.poll(() => chosen(vscode.globalStorage)).toEqual(['eng', 'fra']);
    });

    await test.step('is removed by its button', async () => {
      await openList(workbench);
      await expect(box(workbench, 'French')).toBeChecked();
      await row(workbench, 'French').hover();
      await row(workbench, 'French').getByRole('button', { name: 'Remove French' }).click();
      await expect(box(workbench, 'French')).not.toBeChecked();
      await workbench.screenshot('recognition-removed');
      await expect.poll(() => chosen(vscode.globalStorage)).toEqual(['eng']);
      await expect.poll(() => readdirSync(folder)).toEqual([]);
      await workbench.page.keyboard.press('Escape');
    });
  });

  test('is downloaded once for two windows', async ({ workbench, vscode, workspace }) => {
    await workbench.run('Notifications: Clear All Notifications');
    rmSync(join(vscode.globalStorage, 'recognition'), { recursive: true, force: true });
    const before = server.ranges().length;
    const other = await vscode.open(workspace.folder);
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 200_000, gate }];
    await startFetching(workbench);
    await gate.reached;
    await startFetching(other);
    await expect(other.notification('Waiting for a download in another window')).toBeVisible();
    gate.open();
    await expect(workbench.notification(readNow)).toBeVisible();
    await expect(other.notification(readNow)).toBeVisible();
    expect(server.ranges().length).toBe(before + 1);
    expect(chosen(vscode.globalStorage)).toEqual(['eng', 'fra']);
    await other.page.close();
  });
});
