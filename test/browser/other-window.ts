// Second window on another machine, with its own data, settings, and secrets.
import type { BrowserContext } from '@playwright/test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder, startServer } from '../support/server.mjs';
import { testSettings } from '../support/settings.mjs';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace } from '../support/workspace.ts';

interface OtherMachine {
  open(): Promise<Workbench>;
  dispose(): Promise<void>;
}

/** Starts the editor on another machine, whose workspace has one file that the notebook has not. */
export async function startOtherMachine(
  context: BrowserContext,
  options: { readonly builtIn: string; readonly extensions: string },
): Promise<OtherMachine> {
  const home = makeTemporaryFolder('nb-other-');
  const workspace = makeWorkspace({ 'other.md': '# Another workspace\n' });
  const user = join(home, 'data', 'User');
  const settings = join(user, 'settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify(testSettings));
  const server = await startServer({
    userData: join(home, 'data'),
    workspaceTrust: false,
    env: {},
    ...options,
  });
  return {
    open: () => Workbench.open(context, server.urlOf(workspace.folder)),
    async dispose() {
      await server.stop();
      workspace.dispose();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
