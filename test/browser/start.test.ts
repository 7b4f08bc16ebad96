import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../support/paths.mjs';
import { makeTemporaryFolder } from '../support/server.mjs';
import { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';

const FIRST_STEPS = 'First steps with Open Notebook';

test.use({ files: { 'read me.md': '# Hello\n' } });

/** What `npm start` is: its address once it answers, and how it ended after a signal. */
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

test('npm start opens a trusted folder with the notebook, and First Steps only once', async ({
  context,
  workspace,
}) => {
  const data = makeTemporaryFolder('nb-start-');
  const running: Start[] = [];
  const startAgain = async (): Promise<Start> => {
    const one = await start(workspace.folder, data);
    running.push(one);
    return one;
  };
  try {
    const first = await startAgain();
    const wish = join(data, 'data', 'User', 'globalStorage', 'open-notebook-test.starter', 'wish.json');
    expect(existsSync(wish)).toBe(true);
    const workbench = await Workbench.open(context, first.url);
    await expect(workbench.view('Sources')).toBeVisible();
    const walkthrough = workbench.page.locator('.gettingStartedContainer');
    await expect(walkthrough.getByText(FIRST_STEPS).first()).toBeVisible();
    await expect(workbench.page.getByText('Restricted Mode')).toHaveCount(0);
    await workbench.webview('textarea[aria-label="Question"]');
    await workbench.screenshot('start-first');

    // What a start wishes for is taken once, so that a reload shows what the user left.
    expect(existsSync(wish)).toBe(false);
    await workbench.page.close();
    expect(await first.end()).toEqual([0, null]);
    await expect(fetch(first.url)).rejects.toThrow();
    expect(existsSync(join(data, 'extensions', 'extensions.json'))).toBe(true);
    expect(JSON.parse(readFileSync(join(data, 'data', 'User', 'settings.json'), 'utf8'))).toHaveProperty([
      'telemetry.telemetryLevel',
    ]);

    const second = await startAgain();
    const again = await Workbench.open(context, second.url);
    await expect(again.view('Sources')).toBeVisible();
    await again.webview('textarea[aria-label="Question"]');
    await expect(again.page.locator('.gettingStartedContainer')).toHaveCount(0);
    await expect(again.page.getByText('Restricted Mode')).toHaveCount(0);
    await again.screenshot('start-again');
  } finally {
    for (const one of running) await one.end();
    rmSync(data, { recursive: true, force: true });
  }
});
