import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../support/paths.mjs';
import { makeTemporaryFolder } from '../support/server.mjs';
import { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';

const FIRST_STEPS = 'Get Started with Open Notebook';

test.use({ files: { 'read me.md': '# Hello\n' } });

/** Running `npm start`: its URL once it answers, and how it ended after a signal. */
interface Start {
  readonly url: string;
  end(): Promise<unknown>;
}

async function start(folder: string, data: string): Promise<Start> {
  const script = join(root, 'test', 'support', 'start.mjs');
  const child = spawn(process.execPath, [script, folder, '--data', data, '--port', '0']);
  const exited = once(child, 'exit');
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^Open (http:\S+)$/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  return {
    url,
    end: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

let data: string;
let running: Start[];

test.beforeEach(() => {
  data = makeTemporaryFolder('nb-start-');
  running = [];
});

test.afterEach(async () => {
  for (const workbench of running) await workbench.end();
  rmSync(data, { recursive: true, force: true });
});

/** Starts on the folder of the user's data; the test ends what it leaves running. */
async function startOn(folder: string): Promise<Start> {
  const started = await start(folder, data);
  running.push(started);
  return started;
}

test('npm start opens a trusted folder with the notebook and First Steps, and ends cleanly', async ({
  context,
  workspace,
}) => {
  const started = await startOn(workspace.folder);
  const request = join(data, 'data', 'User', 'globalStorage', 'open-notebook-test.starter', 'wish.json');
  expect(existsSync(request)).toBe(true);
  const workbench = await Workbench.open(context, started.url);
  await expect(workbench.view('Sources')).toBeVisible();
  await expect(
    workbench.page.locator('.gettingStartedContainer').getByText(FIRST_STEPS).first(),
  ).toBeVisible();
  await expect(workbench.page.getByText('Restricted Mode')).toHaveCount(0);
  await workbench.webview('textarea[aria-label="Question"]');
  await workbench.screenshot('start-first');

  // Tabs of the first start open only once, so that a reload restores the user's tabs.
  expect(existsSync(request)).toBe(false);
  await workbench.page.close();
  expect(await started.end()).toEqual([0, null]);
  await expect(fetch(started.url)).rejects.toThrow();
  expect(existsSync(join(data, 'extensions', 'extensions.json'))).toBe(true);
  expect(JSON.parse(readFileSync(join(data, 'data', 'User', 'settings.json'), 'utf8'))).toHaveProperty([
    'telemetry.telemetryLevel',
  ]);
});

test('npm start opens First Steps the first time only', { tag: '@all' }, async ({ context, workspace }) => {
  const first = await startOn(workspace.folder);
  const workbench = await Workbench.open(context, first.url);
  await expect(workbench.page.locator('.gettingStartedContainer')).toBeVisible();
  await workbench.page.close();
  await first.end();
  const again = await Workbench.open(context, (await startOn(workspace.folder)).url);
  await expect(again.view('Sources')).toBeVisible();
  await again.webview('textarea[aria-label="Question"]');
  await expect(again.page.locator('.gettingStartedContainer')).toHaveCount(0);
  await expect(again.page.getByText('Restricted Mode')).toHaveCount(0);
  await again.screenshot('start-again');
});
