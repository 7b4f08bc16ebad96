import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeGate } from '../support/gate.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { root } from '../support/paths.mjs';
import { makeTemporaryFolder } from '../support/server.mjs';
import { mountSmallDisk, unmount } from '../support/small-disk.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { setTheme } from './notebook.ts';

const file = 'fra.traineddata.gz';
const packed = join(root, 'node_modules/@tesseract.js-data/fra/4.0.0_best_int', file);
const command = 'Open Notebook: Text Recognition Languages…';
const readNow = 'Scans and pictures are read in French from now on.';

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
  await expect(row(workbench, 'English')).toContainText('comes with Open Notebook');
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
  await workbench.dialog('Fetch French (0.7 MB)?').getByRole('button', { name: 'Fetch' }).click();
}

/** What the user's settings say. */
function chosen(globalStorage: string): unknown {
  const settings = readFileSync(join(globalStorage, '../../settings.json'), 'utf8');
  return (JSON.parse(settings) as Record<string, unknown>)['openNotebook.recognition.languages'];
}

test.describe('a language that is fetched', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  test('is listed with what it takes, and asked for before anything comes', async ({ workbench, vscode }) => {
    await openList(workbench);
    await expect(box(workbench, 'English')).toBeChecked();
    await expect(row(workbench, 'French')).toContainText(/français\S* · 0\.7 MB/);
    await expect(box(workbench, 'French')).not.toBeChecked();
    await expect(workbench.quickInput).toContainText(`Fetched from ${new URL(server.url).host}`);
    await workbench.screenshot('recognition-list');
    await box(workbench, 'French').check();
    await confirm(workbench);
    const consent = workbench.dialog('Fetch French (0.7 MB)?');
    await expect(consent).toContainText(`It comes once from ${new URL(server.url).host}, is checked`);
    await workbench.screenshot('recognition-consent');
    // Nothing is asked for, and nothing is chosen, without consent.
    await consent.getByRole('button', { name: 'Cancel' }).click();
    expect(server.requests.length).toBe(0);
    expect(chosen(vscode.globalStorage)).toBeUndefined();
  });

  test('goes on after a cut, until its window is closed', async ({ workbench }) => {
    const gate = makeGate();
    server.mishaps = [
      { kind: 'cut', after: 200_000 },
      { kind: 'wait', after: 200_000, gate },
    ];
    await startFetching(workbench);
    const progress = workbench.notification('Fetching French');
    await gate.reached;
    await expect(progress).toContainText(/0\.[2-5] MB of 0\.7 MB/);
    await workbench.screenshot('recognition-progress');
    await workbench.reload();
    gate.open();
  });

  test('is fetched to its end by the next window, and taken up', async ({ workbench, vscode }) => {
    const kept = join(vscode.globalStorage, 'recognition');
    expect(readdirSync(kept)).not.toContain(file);
    await openList(workbench);
    await expect(row(workbench, 'French')).toContainText(
      /0\.[2-5] MB of 0\.7 MB have come; goes on from there/,
    );
    await workbench.screenshot('recognition-goes-on');
    await workbench.page.keyboard.press('Escape');
    await startFetching(workbench);
    // What the closed window held it by counts as gone after some seconds.
    await expect(workbench.notification(readNow)).toBeVisible();
    const ranges = server.ranges();
    expect(ranges.length).toBe(3);
    expect(ranges[0]).toBeUndefined();
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d{4,}-$/);
    expect(readdirSync(kept)).toEqual([file]);
    expect(readFileSync(join(kept, file)).equals(readFileSync(packed))).toBe(true);
    await expect.poll(() => chosen(vscode.globalStorage)).toEqual(['eng', 'fra']);
  });

  test('is there without a network, and removed with one click', async ({ workbench, vscode }) => {
    const kept = join(vscode.globalStorage, 'recognition');
    await server.close();
    await openList(workbench);
    await expect(box(workbench, 'French')).toBeChecked();
    await row(workbench, 'French').hover();
    await workbench.screenshot('recognition-there');
    await row(workbench, 'French').getByRole('button', { name: 'Remove French' }).click();
    await expect(box(workbench, 'French')).not.toBeChecked();
    await expect(box(workbench, 'English')).toBeChecked();
    await workbench.screenshot('recognition-removed');
    await expect.poll(() => chosen(vscode.globalStorage)).toEqual(['eng']);
    await expect.poll(() => readdirSync(kept)).toEqual([]);
  });
});

test.describe('in dark colours and high contrast', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  for (const [theme, name] of [
    ['dark', 'a dark theme'],
    ['highContrast', 'high contrast'],
  ] as const)
    test(`the list and the question stand in a narrow window in ${name}`, async ({
      workbench,
      workspace,
    }) => {
      await setTheme(workbench, workspace, theme);
      await workbench.resize(460, 700);
      await openList(workbench);
      await box(workbench, 'French').check();
      await workbench.screenshot(`recognition-narrow-${theme}`);
      await confirm(workbench);
      const consent = workbench.dialog('Fetch French (0.7 MB)?');
      await expect(consent).toBeVisible();
      await workbench.screenshot(`recognition-narrow-consent-${theme}`);
      await consent.getByRole('button', { name: 'Cancel' }).click();
    });

  test('a wrong checksum, a missing file and a busy server are each said in a sentence', async ({
    workbench,
    vscode,
  }) => {
    await workbench.resize(1_400, 900);
    const kept = join(vscode.globalStorage, 'recognition');
    const bytes = readFileSync(packed);
    bytes[300_000] = (bytes[300_000] ?? 0) ^ 1;
    writeFileSync(join(served, file), bytes);
    await startFetching(workbench);
    const wrong = workbench.notification('its checksum differs');
    await expect(wrong).toBeVisible();
    await workbench.screenshot('recognition-checksum');
    expect(readdirSync(kept)).toEqual([]);
    expect(chosen(vscode.globalStorage)).toBeUndefined();
    copyFileSync(packed, join(served, file));
    server.mishaps = [{ kind: 'status', status: 404 }];
    await wrong.getByRole('button', { name: 'Try Again' }).click();
    const missing = workbench.notification('has no such file (404). Check the address.');
    await expect(missing).toBeVisible();
    server.mishaps = [{ kind: 'status', status: 429 }];
    await missing.getByRole('button', { name: 'Try Again' }).click();
    const busy = workbench.notification('takes no more requests for now (429); try again in some minutes.');
    await expect(busy).toBeVisible();
  });

  test('a stop keeps what has come', async ({ workbench }) => {
    const busy = workbench.notification('takes no more requests for now (429); try again in some minutes.');
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 200_000, gate }];
    await busy.getByRole('button', { name: 'Try Again' }).click();
    await gate.reached;
    await workbench.notification('Fetching French').getByRole('button', { name: 'Cancel' }).click();
    await expect(
      workbench.notification('French was not fetched to its end. What has come is kept'),
    ).toBeVisible();
    gate.open();
  });

  test('what is unticked is no longer read in, and stays on the machine', async ({ workbench, vscode }) => {
    await startFetching(workbench);
    await expect(workbench.notification(readNow)).toBeVisible();
    await openList(workbench);
    await box(workbench, 'English').uncheck();
    await confirm(workbench);
    await expect.poll(() => chosen(vscode.globalStorage)).toEqual(['fra']);
    await openList(workbench);
    await expect(box(workbench, 'English')).not.toBeChecked();
    await box(workbench, 'English').check();
    await box(workbench, 'French').uncheck();
    await confirm(workbench);
    await expect.poll(() => chosen(vscode.globalStorage)).toEqual(['eng']);
    expect(existsSync(join(vscode.globalStorage, 'recognition', file))).toBe(true);
  });

  test('two windows fetch one copy', async ({ workbench, vscode, workspace }) => {
    await workbench.run('Notifications: Clear All Notifications');
    rmSync(join(vscode.globalStorage, 'recognition'), { recursive: true });
    const before = server.ranges().length;
    const other = await vscode.open(workspace.folder);
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 200_000, gate }];
    await startFetching(workbench);
    await gate.reached;
    await startFetching(other);
    await expect(other.notification('Another window is fetching it')).toBeVisible();
    gate.open();
    await expect(workbench.notification(readNow)).toBeVisible();
    await expect(other.notification(readNow)).toBeVisible();
    expect(server.ranges().length).toBe(before + 1);
    expect(chosen(vscode.globalStorage)).toEqual(['eng', 'fra']);
    await other.page.close();
  });

  test('a full disk is said, and tried again on', async ({ workbench, vscode }) => {
    const kept = join(vscode.globalStorage, 'recognition');
    await workbench.run('Notifications: Clear All Notifications');
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(vscode.globalStorage, { recursive: true });
    const reason = mountSmallDisk(kept);
    test.skip(reason !== undefined, reason);
    try {
      writeFileSync(join(kept, 'ballast'), Buffer.alloc(7_900_000));
      await startFetching(workbench);
      const full = workbench.notification('The disk has no room for fra.traineddata.gz: it takes 0.7 MB');
      await expect(full).toBeVisible();
      rmSync(join(kept, 'ballast'));
      await full.getByRole('button', { name: 'Try Again' }).click();
      await expect(workbench.notification(readNow)).toBeVisible();
      expect(existsSync(join(kept, file))).toBe(true);
    } finally {
      unmount(kept);
    }
  });
});
