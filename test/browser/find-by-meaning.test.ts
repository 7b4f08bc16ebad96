import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCatalogue, modelOfWords, writeModel } from '../support/made-model.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { makeTemporaryFolder } from '../support/server.mjs';
import { expect, test } from './fixtures.ts';
import { answered, readySource } from './notebook.ts';

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

async function startMirror(): Promise<{ server: ModelServer; end: () => Promise<void> }> {
  const folder = makeTemporaryFolder('nb-models-');
  const files = writeModel(join(folder, name), { ...modelOfWords(words), ballast });
  writeFileSync(join(folder, 'models.json'), makeCatalogue(name, files));
  const server = await startModelServer(folder);
  return {
    server,
    end: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let mirror: Awaited<ReturnType<typeof startMirror>>;
test.beforeAll(async () => {
  mirror = await startMirror();
});
test.afterAll(() => mirror.end());
test.beforeEach(({ vscode }) => {
  vscode.set({ 'openNotebook.meaning.address': mirror.server.url });
});

test.use({ files: { 'garage.md': garage, 'kitchen.md': kitchen } });

test('semantic search is offered, downloaded, and finds what is said in other words after a reload', async ({
  workbench,
}) => {
  await workbench.explorerMenu(['garage.md', 'kitchen.md'], 'Add to Notebook');
  await readySource(workbench, 'garage.md');
  await readySource(workbench, 'kitchen.md');
  const poor = await answered(workbench, 'How is a vehicle maintained?');
  const offer = poor.getByRole('button', { name: 'Said in other words? Find by meaning…' });
  await expect(offer).toBeVisible();
  await workbench.screenshot('meaning-offer');
  await offer.click();
  await expect(workbench.quickInput).toContainText('3 MB · licence: MIT · English');
  await workbench.screenshot('meaning-list');
  await workbench.pick(name);
  const consent = workbench.dialog(`Fetch ${name} (3 MB · licence: MIT · English)?`);
  await expect(consent).toContainText('Your sources and questions stay on this machine');
  expect(mirror.server.ranges()).toEqual([]);
  await workbench.screenshot('meaning-consent');
  await consent.getByRole('button', { name: 'Fetch' }).click();
  await expect(workbench.notification('passages are also found by what they mean from now on')).toBeVisible();

  await mirror.server.close();
  let times = 0;
  await expect(async () => {
    const turn = await answered(workbench, `Which beans are there, asked ${String(++times)} times?`);
    await expect(turn.locator('.answer')).toContainText('Lentils are stirred', { timeout: 1_000 });
  }).toPass();
  await workbench.reload();
  const turn = await answered(workbench, 'How is a vehicle kept well?');
  await expect(turn.locator('.answer')).toContainText('An automobile needs its oil changed every year');
  await expect(turn.getByText('Said in other words?')).toBeHidden();
  await workbench.screenshot('meaning-answer');
});

test(
  'the offer of semantic search fits in one line of a narrow window',
  { tag: '@all' },
  async ({ workbench }) => {
    await workbench.explorerMenu('garage.md', 'Add to Notebook');
    await readySource(workbench, 'garage.md');
    await workbench.page.setViewportSize({ width: 460, height: 800 });
    const poor = await answered(workbench, 'How is a vehicle maintained?');
    const offer = poor.locator('.meaning-offer');
    await expect(offer).toBeVisible();
    const { height } = (await offer.boundingBox()) ?? { height: 0 };
    expect(height).toBeLessThan(50);
  },
);
