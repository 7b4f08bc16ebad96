// What browser tests start from: a VS Code of their own, with the packed extension and fresh user data.
import { test as base, expect } from '@playwright/test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watchNetwork } from '../support/network.ts';
import { startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import { root } from '../support/paths.mjs';
import { installExtension, makeTemporaryFolder, startServer, type Server } from '../support/server.mjs';
import { testSettings } from '../support/settings.mjs';
import { startSite, type Site } from '../support/site.ts';
import { pack, packExtension } from '../support/vsix.mjs';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

export { expect };

/** The colour themes that every page has to work in. */
export const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** VS Code's server of one test, with user data of its own. */
interface VSCode {
  /** The server that runs now. */
  readonly server: Server;
  /** Where the extension keeps what outlives a window. */
  readonly globalStorage: string;
  /** Sets user settings beside those that are set, for windows that are opened from now on. */
  set(settings: Readonly<Record<string, unknown>>): void;
  /** Opens a folder, or a workspace by its file, in another window of the same browser. */
  open(path: string): Promise<Workbench>;
  /** Ends the server if it still runs, and starts it again on the same user data and port. */
  restart(): Promise<void>;
}

/** What a test file may set with `test.use`. */
interface Options {
  /** The files of the workspace, by their names relative to it. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** User settings beside the quiet ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Added to the environment of the server and of the extension host. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether folders have to be trusted first, as VS Code does by default. */
  readonly workspaceTrust: boolean;
  /** Whether the extension is there from the first; else the user installs it. */
  readonly installed: boolean;
  /** Gives the editor a language model of its own, "Scripted One", for which `model` answers. */
  readonly editorModel: boolean;
}

interface TestFixtures extends Options {
  /** The folder that `workbench` opens. */
  readonly workspace: Workspace;
  /** An OpenAI-compatible server that says what the test tells it to. */
  readonly model: OpenAIServer;
  /** A web site without pages. */
  readonly site: Site;
  readonly vscode: VSCode;
  /** A window on the workspace. */
  readonly workbench: Workbench;
  readonly onlyLoopback: undefined;
}

interface WorkerFixtures {
  /** The packed extension under test; the repository's own where it is empty. */
  readonly vsix: string;
  /** The packed extension's file, and folders with it installed: `plain`, or with the editor's scripted model. */
  readonly extensions: { readonly packed: string; plain(): Promise<string>; withModel(): Promise<string> };
}

/** Playwright's `test` with a VS Code. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  files: [{}, { option: true }],
  settings: [{}, { option: true }],
  env: [{}, { option: true }],
  workspaceTrust: [false, { option: true }],
  installed: [true, { option: true }],
  editorModel: [false, { option: true }],
  vsix: ['', { option: true, scope: 'worker' }],

  extensions: [
    async ({ vsix }, use) => {
      const home = makeTemporaryFolder('nb-ext-');
      const packed = vsix === '' ? await packExtension() : vsix;
      const installed = async (name: string, ...all: readonly string[]): Promise<string> => {
        const extensions = join(home, name);
        for (const one of all) await installExtension(one, { userData: join(home, 'data'), extensions });
        return extensions;
      };
      let plain: Promise<string> | undefined;
      let withModel: Promise<string> | undefined;
      await use({
        packed,
        plain: () => (plain ??= installed('plain', packed)),
        withModel: () =>
          (withModel ??= packCompanion(home).then((model) => installed('with-model', packed, model))),
      });
      rmSync(home, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],

  workspace: async ({ files }, use) => {
    const workspace = makeWorkspace(files);
    await use(workspace);
    workspace.dispose();
  },

  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern.
  model: async ({}, use) => {
    const model = await startOpenAIServer();
    await use(model);
    await model.close();
  },

  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern.
  site: async ({}, use) => {
    const site = await startSite();
    await use(site);
    await site.close();
  },

  vscode: async (
    { context, extensions, settings, env, workspaceTrust, installed, editorModel, model },
    use,
  ) => {
    const home = makeTemporaryFolder('nb-e2e-');
    const userData = join(home, 'data');
    // As `npm start` has it, and homes that are kept in git: below a repository that ignores it.
    mkdirSync(join(home, '.git'));
    writeFileSync(join(home, '.gitignore'), '/data/\n/extensions/\n');
    const current: Record<string, unknown> = { ...testSettings };
    const set: VSCode['set'] = (more) => {
      Object.assign(current, more);
      const file = join(userData, 'User', 'settings.json');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(current, null, 2));
    };
    set(settings);
    const options = {
      userData,
      workspaceTrust,
      extensions: installed
        ? await (editorModel ? extensions.withModel() : extensions.plain())
        : join(home, 'extensions'),
      env: editorModel ? { ...env, SCRIPTED_MODEL_URL: model.baseUrl } : { ...env },
    };
    let server = await startServer(options);
    await use({
      get server() {
        return server;
      },
      globalStorage: join(userData, 'User', 'globalStorage', 'open-notebook.open-notebook'),
      set,
      open: (path) => Workbench.open(context, server.urlOf(path), installed),
      restart: async () => {
        await server.stop();
        server = await startServer({ ...options, port: server.port });
      },
    });
    await context.close();
    await server.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  },

  workbench: async ({ vscode, workspace }, use) => {
    await use(await vscode.open(workspace.folder));
  },

  onlyLoopback: [
    async ({ context }, use) => {
      const externalRequests = watchNetwork(context);
      await use(undefined);
      expect(externalRequests(), 'addresses outside this machine').toEqual([]);
    },
    { auto: true },
  ],
});

async function packCompanion(folder: string): Promise<string> {
  const packed = join(folder, 'companion.vsix');
  await pack(join(root, 'test', 'support', 'companion'), packed, [
    '--allow-missing-repository',
    '--skip-license',
  ]);
  return packed;
}
