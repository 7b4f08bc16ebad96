import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../support/paths.mjs';
import { makeTemporaryFolder } from '../support/server.mjs';
import { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';

test.use({ files: { 'read me.md': '# Hello\n' } });

test('npm start opens a folder with the extension, and ends on a signal', async ({ context, workspace }) => {
  const data = makeTemporaryFolder('nb-start-');
  const script = join(root, 'test', 'support', 'start.mjs');
  const child = spawn(process.execPath, [script, workspace.folder, '--data', data, '--port', '0']);
  const exited = once(child, 'exit');
  try {
    let url = '';
    for await (const line of createInterface({ input: child.stdout })) {
      url = /^Open (http:\S+)$/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    const workbench = await Workbench.open(context, url);
    await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
    await workbench.page.close();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow();
    expect(existsSync(join(data, 'extensions', 'extensions.json'))).toBe(true);
    expect(JSON.parse(readFileSync(join(data, 'data', 'User', 'settings.json'), 'utf8'))).toHaveProperty([
      'telemetry.telemetryLevel',
    ]);
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(data, { recursive: true, force: true });
  }
});
