// Fixtures of browser tests: a separate VS Code with the packed extension and fresh user data.
import {
  test as base,
  expect,
  type BrowserContext,
  type PlaywrightWorkerArgs,
  type TestInfo,
} from '@playwright/test';
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watchNetwork } from '../support/network.ts';
import { startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import { root } from '../support/paths.mjs';
import { installExtension, makeTemporaryFolder, startServer, type Server } from '../support/server.mjs';
import { testSettings } from '../support/settings.mjs';
import { costFixture, type CostFixtures } from '../support/test-cost-fixture.ts';
import { startSite, type Site } from '../support/site.ts';
import { linkBuiltIns } from '../support/vscode-server.mjs';
import { packExtension } from '../support/vsix.mjs';
import { withoutAnimations } from '../support/without-animations.ts';
import { withoutBlobs } from '../support/without-blobs.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

export { expect };

export { themes } from '../support/theme-labels.ts';

/** VS Code's server of one test, with its own user data. */
interface VSCode {
  /** The running server. */
  readonly server: Server;
  /** Folder for the extension's data that survives a window. */
  readonly globalStorage: string;
  /** Adds user settings for windows that open later. */
  set(settings: Readonly<Record<string, unknown>>): void;
  /** Opens a folder, or a workspace by its file, in another window of the same browser. */
  open(path: string): Promise<Workbench>;
  /** Ends the server if it still runs, and starts it again on the same user data and port. */
  restart(): Promise<void>;
}

/** Server and the folder with all its data. */
interface Home {
  readonly home: string;
  readonly server: Server;
}

/**
 * Browser and the folder of its profile. Its blank first page stays open, because without a page the browser would
 * end.
 */
interface Profile {
  readonly folder: string;
  readonly context: BrowserContext;
}

/**
 * Server and browser that a test leaves for the next one in its process, without its data. A loaded server and a
 * browser with compiled code of VS Code open a window in a third of the time.
 */
interface Standing {
  home: Home | undefined;
  profile: Profile | undefined;
  group: Group | undefined;
}

/** Value of a fixture, and how to end it. */
interface RunningFixture<T> {
  readonly value: T;
  /** @param isWell whether no test has failed over it, so that it may be used again */
  end(isWell: boolean): Promise<void> | void;
}

/** Results of fixtures that the tests of a window share, by the names of the fixtures. */
interface Group {
  readonly window: string;
  readonly fixtures: Map<string, RunningFixture<unknown>>;
}

/** Options that a test file can set with `test.use`. */
interface Options {
  /** Files of the workspace, by their names relative to it. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** User settings in addition to the quiet ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Added to the environment of the server and of the extension host. */
  readonly env: Readonly<Record<string, string>>;
  /** `true` if folders have to be trusted first, which is VS Code's default. */
  readonly workspaceTrust: boolean;
  /** `true` if the extension is installed from the start; otherwise, the test installs it. */
  readonly installed: boolean;
  /** Adds a language model "Scripted One" to the editor, for which `model` answers. */
  readonly editorModel: boolean;
  /** `true` for a new server and browser, for tests that change them permanently or measure them. */
  readonly fresh: boolean;
  /**
   * Name of a window that consecutive tests share with its server, workspace, model, and site, each as the previous
   * test left them, because opening a window costs more than most tests. The tests can be in several files of one
   * folder, so that they run one after another. Empty for a separate window.
   */
  readonly window: string;
}

interface TestFixtures extends Options, CostFixtures {
  /** Group of the test's window; undefined for a separate window. */
  readonly group: Group | undefined;
  /** Folder that `workbench` opens. */
  readonly workspace: Workspace;
  /** OpenAI-compatible server with the test's replies. */
  readonly model: OpenAIServer;
  /** Web site without pages. */
  readonly site: Site;
  readonly vscode: VSCode;
  /** Window with the workspace. */
  readonly workbench: Workbench;
  readonly onlyLoopback: undefined;
  /** `true` if the server and the browser have the options of most tests. */
  readonly isPlain: boolean;
}

interface WorkerFixtures {
  /** The packed extension under test; empty for the repository's own. */
  readonly vsix: string;
  /**
   * File of the packed extension, folder with it installed, and folders of VS Code's own extensions: `builtIn`, and
   * `withModel`, which adds the editor's scripted model.
   */
  readonly extensions: {
    readonly packed: string;
    readonly builtIn: string;
    readonly withModel: string;
    installed(): Promise<string>;
  };
  readonly standing: Standing;
}

/** Playwright's `test` with a VS Code. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  ...costFixture('browser'),

  files: [{}, { option: true }],
  settings: [{}, { option: true }],
  env: [{}, { option: true }],
  workspaceTrust: [false, { option: true }],
  installed: [true, { option: true }],
  editorModel: [false, { option: true }],
  fresh: [false, { option: true }],
  window: ['', { option: true }],
  vsix: ['', { option: true, scope: 'worker' }],

  extensions: [
    async ({ vsix }, use) => {
      const home = makeTemporaryFolder('nb-ext-');
      const packed = vsix === '' ? await packExtension() : vsix;
      const builtIn = join(home, 'built-in');
      linkBuiltIns(builtIn);
      // The companion needs no packing and installing there.
      const withModel = join(home, 'built-in-with-model');
      linkBuiltIns(withModel);
      symlinkSync(join(root, 'test', 'support', 'companion'), join(withModel, 'companion'));
      const install = async (): Promise<string> => {
        const extensions = join(home, 'installed');
        await installExtension(packed, { userData: join(home, 'data'), extensions });
        return extensions;
      };
      let installed: Promise<string> | undefined;
      await use({ packed, builtIn, withModel, installed: () => (installed ??= install()) });
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
    { scope: 'worker' },
  ],

  standing: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern.
    async ({}, use) => {
      const standing: Standing = { home: undefined, profile: undefined, group: undefined };
      await use(standing);
      await endGroup(standing);
      if (standing.profile !== undefined) await endProfile(standing.profile);
      if (standing.home !== undefined) await endHome(standing.home);
    },
    { scope: 'worker' },
  ],

  isPlain: async ({ fresh, installed, editorModel, workspaceTrust, env }, use) => {
    await use(!fresh && installed && !editorModel && !workspaceTrust && Object.keys(env).length === 0);
  },

  group: async ({ window, standing }, use) => {
    if (standing.group?.window !== window) await endGroup(standing);
    if (window !== '') standing.group ??= { window, fixtures: new Map() };
    await use(standing.group);
  },

  context: async ({ playwright, fresh, standing }, use) => {
    const profile = (fresh ? undefined : standing.profile) ?? (await startProfile(playwright));
    if (!fresh) standing.profile = profile;
    await use(profile.context);
    for (const event of ['request', 'response'])
      await profile.context.removeAllListeners(event, { behavior: 'wait' });
    if (fresh) await endProfile(profile);
    else await profile.context.clearPermissions();
  },

  workspace: async ({ files, group }, use, testInfo) => {
    const make = (): RunningFixture<Workspace> => {
      const value = makeWorkspace();
      return { value, end: () => value.dispose() };
    };
    await useFixture({ group, name: 'workspace', testInfo }, make, async (workspace) => {
      for (const [name, content] of Object.entries(files))
        if (!existsSync(workspace.path(name))) workspace.write(name, content);
      await use(workspace);
    });
  },

  model: async ({ group }, use, testInfo) => {
    const make = async (): Promise<RunningFixture<OpenAIServer>> => {
      const value = await startOpenAIServer();
      return { value, end: () => value.close() };
    };
    await useFixture({ group, name: 'model', testInfo }, make, use);
  },

  site: async ({ group }, use, testInfo) => {
    const make = async (): Promise<RunningFixture<Site>> => {
      const value = await startSite();
      return { value, end: () => value.close() };
    };
    await useFixture({ group, name: 'site', testInfo }, make, use);
  },

  vscode: async (
    {
      context,
      extensions,
      settings,
      env,
      workspaceTrust,
      installed,
      editorModel,
      model,
      isPlain,
      standing,
      group,
    },
    use,
    testInfo,
  ) => {
    const make = async (): Promise<RunningFixture<VSCode>> => {
      const idleHome = isPlain ? standing.home : undefined;
      if (isPlain) standing.home = undefined;
      const home = idleHome?.home ?? makeHome();
      const userData = join(home, 'data');
      const current: Record<string, unknown> = { ...testSettings };
      const set: VSCode['set'] = (more) => {
        Object.assign(current, more);
        const file = join(userData, 'User', 'settings.json');
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(current, null, 2));
        // A new window reads the file before it watches it.
        for (const delay of [2_000, 6_000])
          setTimeout(() => {
            if (existsSync(file)) utimesSync(file, new Date(), new Date());
          }, delay).unref();
      };
      set(settings);
      const options = {
        userData,
        workspaceTrust,
        builtIn: editorModel ? extensions.withModel : extensions.builtIn,
        extensions: installed ? await extensions.installed() : join(home, 'extensions'),
        env: editorModel ? { ...env, SCRIPTED_MODEL_URL: model.baseUrl } : { ...env },
      };
      const started = idleHome?.server ?? (await startServer(options));
      let server = started;
      const value: VSCode = {
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
      };
      const end = async (isWell: boolean): Promise<void> => {
        await closePages(context, `http://127.0.0.1:${String(server.port)}`);
        if (isPlain && server === started && isWell && (await server.endWindows())) {
          rmSync(join(userData, 'User'), { recursive: true, force: true, maxRetries: 3 });
          standing.home = { home, server };
        } else await endHome({ home, server });
      };
      return { value, end };
    };
    await useFixture({ group, name: 'vscode', testInfo }, make, use);
  },

  workbench: async ({ vscode, workspace, group }, use, testInfo) => {
    const make = async (): Promise<RunningFixture<Workbench>> => {
      const value = await vscode.open(workspace.folder);
      return { value, end: () => undefined };
    };
    await useFixture({ group, name: 'workbench', testInfo }, make, async (workbench) => {
      await workbench.page.bringToFront();
      await use(workbench);
    });
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

/** Uses what a fixture makes: once in a test, or once in a group, which ends it after its last test. */
async function useFixture<T>(
  { group, name, testInfo }: { group: Group | undefined; name: string; testInfo: TestInfo },
  make: () => RunningFixture<T> | Promise<RunningFixture<T>>,
  use: (value: T) => Promise<void>,
): Promise<void> {
  // Values of shared fixtures by name.
  const fixture = (group?.fixtures.get(name) as RunningFixture<T> | undefined) ?? (await make());
  group?.fixtures.set(name, fixture);
  await use(fixture.value);
  if (group === undefined) await fixture.end(testInfo.status === testInfo.expectedStatus);
}

/** Ends shared fixtures, the last created first. A test that fails ends its process and thus the shared fixtures. */
async function endGroup(standing: Standing): Promise<void> {
  const fixtures = [...(standing.group?.fixtures.values() ?? [])];
  standing.group = undefined;
  for (const fixture of fixtures.toReversed()) await fixture.end(true);
}

function makeHome(): string {
  const home = makeTemporaryFolder('nb-e2e-');
  // Home folder below the repository, as in `npm start`, where git ignores it.
  mkdirSync(join(home, '.git'));
  writeFileSync(join(home, '.gitignore'), '/data/\n/extensions/\n');
  return home;
}

/** Starts a browser with its own profile, because the browser caches compiled code of VS Code only there. */
async function startProfile({ chromium }: PlaywrightWorkerArgs['playwright']): Promise<Profile> {
  const folder = makeTemporaryFolder('nb-prf-');
  const context = await chromium.launchPersistentContext(folder);
  await withoutAnimations(context);
  await withoutBlobs(context);
  return { folder, context };
}

async function endProfile({ folder, context }: Profile): Promise<void> {
  await context.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Closes the windows of a server by its origin, and deletes their data in the browser except cached code. */
async function closePages(context: BrowserContext, origin: string): Promise<void> {
  const windows = context.pages().filter((page) => page.url().startsWith(`${origin}/`));
  await Promise.all(windows.map((page) => page.close()));
  const [blank = await context.newPage()] = context.pages();
  const session = await context.newCDPSession(blank);
  await session.send('Storage.clearDataForOrigin', {
    origin,
    // Service workers have no data of a window, and their processes would stay if they were removed while running.
    storageTypes: 'file_systems,indexeddb,local_storage',
  });
  await session.detach();
}

async function endHome({ home, server }: Home): Promise<void> {
  await server.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}
