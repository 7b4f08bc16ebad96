import type { Locator } from '@playwright/test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGate } from '../support/gate.ts';
import { makeCatalogue, modelOfWords, writeModel } from '../support/made-model.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { makeTemporaryFolder } from '../support/server.mjs';
import { mountSmallDisk, unmount } from '../support/small-disk.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test, themes } from './fixtures.ts';
import { answered, chatPanel, pickTyped, readySource, findTurn } from './notebook.ts';

const garage = `# The garage

An automobile needs its oil changed every year, and its tyres looked at before the winter.

The lift is checked by the fitter in June.
`;
const kitchen = `# The kitchen

Lentils are stirred until they are soft. The stove is cleaned on Fridays.
`;

/** What has to do with cars, with cooking, with neither. */
const words = {
  the: [0.02, 0.02, 0.02],
  automobile: [1, 0, 0.1],
  vehicle: [1, 0, 0.1],
  lentils: [0, 1, 0.1],
  beans: [0, 1, 0.1],
  fitter: [0.3, 0, 0.5],
};

const name = 'small-words';
const ballast = 3_000_000;

interface Mirror {
  readonly server: ModelServer;
  readonly weights: string;
}

async function startMirror(): Promise<Mirror & { end: () => Promise<void> }> {
  const folder = makeTemporaryFolder('nb-models-');
  const files = writeModel(join(folder, name), { ...modelOfWords(words), ballast });
  writeFileSync(join(folder, 'models.json'), makeCatalogue(name, files));
  const server = await startModelServer(folder);
  return {
    server,
    weights: join(folder, name, 'model.safetensors'),
    end: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let mirror: Awaited<ReturnType<typeof startMirror>>;
let isNamed: boolean;
test.beforeAll(async () => {
  mirror = await startMirror();
  isNamed = false;
});
test.afterAll(() => mirror.end());
test.beforeEach(({ vscode }) => {
  // Once in a window: what the extension has set in it since stays.
  if (!isNamed) vscode.set({ 'openNotebook.meaning.address': mirror.server.url });
  isNamed = true;
});

test.use({ files: { 'garage.md': garage, 'kitchen.md': kitchen } });

/** Opens the list of models of meaning, and waits until it says what there is. */
async function openList(workbench: Workbench): Promise<void> {
  await workbench.run('Open Notebook: Find by Meaning…');
  await expect(workbench.quickInput).toContainText('Fetch from elsewhere…');
}

/** Agrees to fetch the model. */
async function startFetching(workbench: Workbench): Promise<void> {
  await workbench.pick(name);
  await workbench.dialog(`Fetch ${name}`).getByRole('button', { name: 'Fetch' }).click();
}

const onThisMachine = 'passages are also found by what they mean from now on';

test.describe('a model that finds by meaning', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  /** The window of the editor that was started again. */
  let again: Workbench;

  const consentDialog = (workbench: Workbench): Locator =>
    workbench.dialog(`Fetch ${name} (3 MB · licence: MIT · English)?`);

  test('is offered once, under an answer that found little', async ({ workbench }) => {
    await workbench.explorerMenu(['garage.md', 'kitchen.md'], 'Add to Notebook');
    await readySource(workbench, 'garage.md');
    await readySource(workbench, 'kitchen.md');
    const poor = await answered(workbench, 'How is a vehicle maintained?');
    const offer = poor.getByRole('button', { name: 'Said in other words? Find by meaning…' });
    await expect(offer).toBeVisible();
    await workbench.screenshot('meaning-offer');
    await offer.click();
    await expect(workbench.quickInput).toContainText('3 MB · licence: MIT · English');
    await expect(workbench.quickInput).toContainText('Is fetched once from 127.0.0.1:');
    await workbench.screenshot('meaning-list');
    await workbench.pick(name);
    const consent = consentDialog(workbench);
    await expect(consent).toContainText('Your sources and questions stay on this machine');
    expect(mirror.server.ranges()).toEqual([]);
    await workbench.screenshot('meaning-consent');
  });

  test('is fetched on after a cut, stopped, and resumed', async ({ workbench }) => {
    const { server } = mirror;
    const gate = makeGate();
    server.mishaps = [
      { kind: 'cut', after: 1_000_000 },
      { kind: 'wait', after: 900_000, gate },
    ];
    await consentDialog(workbench).getByRole('button', { name: 'Fetch' }).click();
    const progress = workbench.notification(`Fetching ${name}`);
    await gate.reached;
    await expect(progress).toContainText(/[12](\.\d)? MB of 3 MB/);
    await workbench.screenshot('meaning-progress');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await expect(workbench.notification('What has come is kept')).toBeVisible();
    gate.open();
    await openList(workbench);
    await expect(workbench.quickInput).toContainText(
      /[12](\.\d)? MB of 3 MB have come from 127\.0\.0\.1:\d+; goes on/,
    );
    await startFetching(workbench);
    await expect(workbench.notification(onThisMachine)).toBeVisible();
    const ranges = server.ranges();
    expect(ranges[0]).toBeUndefined();
    expect(ranges.length).toBe(3);
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d{4,}-$/);
  });

  test('finds what is said in other words, without a network', async ({ workbench }) => {
    await mirror.server.close();
    let times = 0;
    await expect(async () => {
      const turn = await answered(workbench, `Which beans are there, asked ${String(++times)} times?`);
      await expect(turn.locator('.answer')).toContainText('Lentils are stirred', { timeout: 1_000 });
    }).toPass();
    const turn = await answered(workbench, 'How is a vehicle kept well?');
    await expect(turn.locator('.answer')).toContainText('An automobile needs its oil changed every year');
    await expect(turn.getByText('Said in other words?')).toBeHidden();
    await workbench.screenshot('meaning-answer');
  });

  test('finds it without a network after VS Code was started again', async ({ vscode, workspace }) => {
    await vscode.restart();
    again = await vscode.open(workspace.folder);
    const later = await answered(again, 'Is a vehicle looked after?');
    await expect(later.locator('.answer')).toContainText('An automobile needs its oil changed every year');
  });

  test('is removed with one click', async ({ vscode }) => {
    const kept = join(vscode.globalStorage, 'meaning');
    expect(readdirSync(kept)).toEqual([name]);
    await again.run('Open Notebook: Find by Meaning…');
    await expect(again.quickInput).toContainText('In use, on this machine and without a network');
    await again.screenshot('meaning-in-use');
    await again.pick(`Remove ${name}`);
    await expect(again.notification('was removed from this machine')).toBeVisible();
    expect(readdirSync(kept)).toEqual([]);
    const after = await answered(again, 'How would a vehicle be maintained?');
    await expect(after.locator('.answer')).not.toContainText('An automobile needs its oil changed');
  });
});

test.describe('an endpoint that embeds', () => {
  test.use({ settings: { 'workbench.colorTheme': themes.dark } });

  test('gives its place to a model of this machine by a clear choice, and is asked no more', async ({
    workbench,
    vscode,
    model,
  }) => {
    await workbench.explorerMenu(['garage.md', 'kitchen.md'], 'Add to Notebook');
    await readySource(workbench, 'garage.md');
    await readySource(workbench, 'kitchen.md');
    await workbench.page.setViewportSize({ width: 620, height: 800 });
    const poor = await answered(workbench, 'How is a vehicle maintained?');
    await expect(poor.getByText('Said in other words?')).toBeHidden();
    await workbench.run('Open Notebook: Pick Model…');
    await pickTyped(workbench, 'Find by Meaning…');
    await expect(workbench.quickInput).toContainText('Fetch from elsewhere…');
    const first = workbench.quickInput.locator('.monaco-list-row').first();
    await expect(first).toContainText('scripted-embeddings');
    await expect(first).toContainText('In use, by openNotebook.embeddings.model');
    await workbench.screenshot('meaning-endpoint');
    await workbench.pick(name);
    const consent = workbench.dialog(`Fetch ${name}`);
    await expect(consent).toContainText('It takes the place of scripted-embeddings at 127.0.0.1:');
    await workbench.screenshot('meaning-instead');
    await consent.getByRole('button', { name: 'Fetch' }).click();
    await expect(workbench.notification(onThisMachine)).toBeVisible();
    const asked = (): number => model.requests.filter(({ path }) => path === '/v1/embeddings').length;
    const before = asked();
    let times = 0;
    await expect(async () => {
      const turn = await answered(workbench, `Which beans are there, asked ${String(++times)} times?`);
      await expect(turn.locator('.answer')).toContainText('Lentils are stirred', { timeout: 1_000 });
    }).toPass();
    expect(asked()).toBe(before);
    await openList(workbench);
    await expect(workbench.quickInput).toContainText('In use, on this machine and without a network');
    await expect(workbench.quickInput).not.toContainText('scripted-embeddings');
    // By words alone the model stays, and is taken up again by a click.
    await workbench.pick('Find by words alone');
    await expect(async () => {
      await openList(workbench);
      await expect(workbench.quickInput).toContainText('On this machine, not in use', { timeout: 2_000 });
    }).toPass();
    await workbench.pick(name);
    await expect(workbench.notification(onThisMachine).first()).toBeVisible();
    expect(existsSync(join(vscode.globalStorage, 'meaning', name))).toBe(true);
  });

  test.beforeEach(({ vscode, model }) => {
    model.embed(() => Float32Array.of(1, 0, 0));
    vscode.set({
      'openNotebook.embeddings.baseUrl': model.baseUrl,
      'openNotebook.embeddings.model': 'scripted-embeddings',
    });
  });
});

test.describe('in dark colours', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ settings: { 'workbench.colorTheme': themes.dark }, shared: true });

  test('the offer stands in one line of a narrow bar', async ({ workbench }) => {
    await workbench.explorerMenu('garage.md', 'Add to Notebook');
    await readySource(workbench, 'garage.md');
    await workbench.page.setViewportSize({ width: 460, height: 800 });
    const poor = await answered(workbench, 'How is a vehicle maintained?');
    const offer = poor.locator('.meaning-offer');
    await expect(offer).toBeVisible();
    const { height } = (await offer.boundingBox()) ?? { height: 0 };
    expect(height).toBeLessThan(50);
    await workbench.screenshot('meaning-offer-narrow-dark');
  });

  test('the offer that was declined stays away', async ({ workbench }) => {
    await workbench.page.setViewportSize({ width: 1_400, height: 900 });
    const poor = findTurn(await chatPanel(workbench), 'How is a vehicle maintained?');
    await poor.getByRole('button', { name: 'Don’t suggest this again' }).click();
    await expect(poor.getByText('Said in other words?')).toBeHidden();
    await answered(workbench, 'Where do beans grow best?');
    await expect(
      findTurn(await chatPanel(workbench), 'Where do beans grow best?').getByText('Said in other words?'),
    ).toBeHidden();
  });

  test('two windows fetch one copy', async ({ workbench, vscode, workspace }) => {
    const { server } = mirror;
    const other = await vscode.open(workspace.folder);
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 500_000, gate }];
    await openList(workbench);
    await startFetching(workbench);
    await gate.reached;
    await openList(other);
    await startFetching(other);
    await expect(other.notification('Another window is fetching it')).toBeVisible();
    gate.open();
    // Either may tell it first.
    await Promise.all(
      [workbench, other].map((window) => expect(window.notification(onThisMachine)).toBeVisible()),
    );
    expect(server.ranges().length).toBe(1);
    await other.page.close();
    // What the closed window was about to look at is looked at by this one.
    await readySource(workbench, 'garage.md');
    await workbench.run('Notifications: Clear All Notifications');
    await openList(workbench);
    await workbench.pick(`Remove ${name}`);
    await expect(workbench.notification('was removed from this machine')).toBeVisible();
  });

  test('a wrong checksum and a mirror that fails are each said in a sentence, with a way to try again', async ({
    workbench,
  }) => {
    const { server, weights } = mirror;
    const good = readFileSync(weights);
    const bad = Buffer.from(good);
    bad[bad.length - 3] = 99;
    writeFileSync(weights, bad);
    await openList(workbench);
    await startFetching(workbench);
    const wrong = workbench.notification('its checksum differs');
    await expect(wrong).toBeVisible();
    await workbench.screenshot('meaning-checksum');
    writeFileSync(weights, good);
    server.mishaps = [{ kind: 'status', status: 404 }];
    await wrong.getByRole('button', { name: 'Try Again' }).click();
    const missing = workbench.notification('has no such file (404)');
    await expect(missing).toBeVisible();
  });

  test('a full disk is said, with a way to try again', async ({ workbench, vscode }) => {
    const missing = workbench.notification('has no such file (404)');
    await expect(workbench.notification(onThisMachine)).toBeHidden();
    const disk = join(vscode.globalStorage, 'meaning');
    rmSync(disk, { recursive: true, force: true });
    mkdirSync(vscode.globalStorage, { recursive: true });
    const reason = mountSmallDisk(disk);
    test.skip(reason !== undefined, reason);
    try {
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(6_500_000));
      await missing.getByRole('button', { name: 'Try Again' }).click();
      const full = workbench.notification(`The disk has no room for ${name}: it takes 3 MB`);
      await expect(full).toBeVisible();
      await workbench.screenshot('meaning-full-disk');
      rmSync(join(disk, 'ballast'));
      await full.getByRole('button', { name: 'Try Again' }).click();
      await expect(workbench.notification(onThisMachine)).toBeVisible();
      expect(existsSync(join(disk, name, 'model.json'))).toBe(true);
    } finally {
      unmount(disk);
    }
  });
});
