import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCatalog, modelOfWords, writeModel } from '../support/made-model.ts';
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

/** Words about cars, about cooking, and about neither. */
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
  writeFileSync(join(folder, 'models.json'), makeCatalog(name, files));
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

test('one click sets up semantic search and answers the question again, also after a reload', async ({
  workbench,
}) => {
  await workbench.explorerMenu(['garage.md', 'kitchen.md'], 'Add to Notebook');
  await readySource(workbench, 'garage.md');
  await readySource(workbench, 'kitchen.md');
  const turn = await answered(workbench, 'Which beans are there?');
  const line = turn.locator('.semantic-search-offer');
  const offer = line.getByRole('button', {
    name: 'Download a 3 MB model for better matches',
  });
  await expect(offer).toBeVisible();
  expect(mirror.server.ranges()).toEqual([]);
  await workbench.screenshot('semantic-search-offer');
  await offer.click();
  await expect(turn.locator('.answer')).toContainText('Lentils are stirred');
  await expect(turn.getByText('2 of 2', { exact: true })).toBeVisible();
  await expect(line).toHaveCount(0);

  await mirror.server.close();
  await workbench.reload();
  const later = await answered(workbench, 'How is a vehicle kept well?');
  await expect(later.locator('.answer')).toContainText('An automobile needs its oil changed every year');
  await expect(later.locator('.semantic-search-offer')).toHaveCount(0);
  await workbench.screenshot('semantic-search-answer');
});
