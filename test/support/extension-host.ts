// Runs a suite in a real extension host, on the packed extension: in VS Code's server, or in desktop VS Code.
import { chromium } from '@playwright/test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { browserArguments, ensureBrowser } from './browser.mjs';
import { downloadDesktop, requireDisplay } from './desktop.mjs';
import { watchNetwork } from './network.ts';
import { root } from './paths.mjs';
import { runProgram } from './run-program.mjs';
import { installExtension, makeTemporaryFolder, startServer } from './server.mjs';
import { testSettings } from './settings.mjs';
import { bundleSuite } from './suite-bundle.ts';
import type { HostReport } from './suite-report.ts';
import { installServer, linkBuiltIns } from './vscode-server.mjs';
import { withoutAnimations } from './without-animations.ts';
import { withoutBlobs } from './without-blobs.ts';
import { STARTING } from './workbench.ts';

/** A run of test files in the extension host. */
interface HostRun {
  /** The test files, as absolute paths. */
  readonly files: readonly string[];
  /** The packed extension under test. */
  readonly vsix: string;
  /** The folder that the window opens; an empty one by default. */
  readonly folder?: string;
  /** User settings in addition to the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the extension host's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Time limit of the run in milliseconds: two hours by default, as every test has a limit of its own. */
  readonly timeout?: number;
}

/** Settings that hide parts of the window, which no extension host test uses. */
const quietSettings = {
  'breadcrumbs.enabled': false,
  'editor.codeLens': false,
  'editor.minimap.enabled': false,
  'explorer.decorations.badges': false,
  'explorer.decorations.colors': false,
  'git.decorations.enabled': false,
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
};

/** The tests' own extension, through which VS Code accepts a suite. */
const companion = join(root, 'test', 'support', 'companion');

interface Prepared {
  readonly folder: string;
  readonly suite: string;
  readonly userData: string;
  readonly extensions: string;
  /** Some of VS Code's own extensions. */
  readonly builtIn: string;
  readonly env: Record<string, string>;
  readonly report: string;
}

/**
 * Runs test files in the extension host of VS Code's server, which it installs if missing, and returns their reports.
 */
export async function runInExtensionHost(run: HostRun): Promise<HostReport> {
  await installServer();
  return await withPrepared(run, async (prepared) => {
    await installExtension(run.vsix, prepared);
    linkBuiltIns(prepared.builtIn);
    const server = await startServer({ ...prepared, automation: true });
    const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArguments });
    try {
      const context = await browser.newContext({
        permissions: ['clipboard-read', 'clipboard-write'],
        // Nobody sees the window, and each pixel is drawn without a graphics card.
        viewport: { width: 800, height: 500 },
      });
      await withoutAnimations(context);
      await withoutBlobs(context);
      const externalRequests = watchNetwork(context);
      const page = await context.newPage();
      const log: string[] = [];
      page.on('console', (message) => log.push(message.text()));
      const ended = new Promise<void>((resolve) => {
        void page.exposeFunction('codeAutomationExit', () => {
          resolve();
        });
      });
      const remote = (path: string): string => `vscode-remote://127.0.0.1:${String(server.port)}${path}`;
      const payload = [
        ['extensionDevelopmentPath', remote(companion)],
        ['extensionTestsPath', remote(prepared.suite)],
        ['skipWelcome', 'true'],
      ];
      await page.goto(
        `${server.urlOf(prepared.folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
        { timeout: STARTING },
      );
      const limit = run.timeout ?? 7_200_000;
      const serverEnded = server.exited.then(() => 'the server ended');
      const late = delay(limit, `it did not end within ${String(limit / 1000)} s`, { ref: false });
      const trouble = await Promise.race([ended, serverEnded, late]);
      const report = readReport(prepared.report);
      if (!report || trouble)
        throw new Error(
          [
            `The suite ${report ? 'did not end' : 'left no report'}${trouble ? `: ${trouble}` : ''}.`,
            ...(report?.tests ?? []).map(({ title, state }) => `${state}: ${title}`),
            ...log.slice(-20),
          ].join('\n'),
        );
      const outside = externalRequests();
      if (outside.length > 0)
        throw new Error(`VS Code asked for addresses outside this machine: ${outside.join(', ')}`);
      return report;
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

/** Runs test files in the extension host of desktop VS Code, downloading it where needed. */
export async function runInDesktop(run: HostRun): Promise<HostReport> {
  requireDisplay();
  const { resolveCliArgsFromVSCodeExecutablePath, runTests } = await import('@vscode/test-electron');
  const vscodeExecutablePath = await downloadDesktop();
  return await withPrepared(run, async (prepared) => {
    const folders = [`--user-data-dir=${prepared.userData}`, `--extensions-dir=${prepared.extensions}`];
    const [command = vscodeExecutablePath] = resolveCliArgsFromVSCodeExecutablePath(vscodeExecutablePath);
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const installed = await runProgram(command, [...folders, ...sandbox, '--install-extension', run.vsix]);
    if (installed.code !== 0) throw new Error(`VS Code refuses to install ${run.vsix}:\n${installed.output}`);
    const failure = await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: companion,
      extensionTestsPath: prepared.suite,
      extensionTestsEnv: prepared.env,
      launchArgs: [prepared.folder, ...folders, ...sandbox, '--disable-workspace-trust'],
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const report = readReport(prepared.report);
    if (!report) throw new Error('The suite left no report.', { cause: failure });
    return report;
  });
}

async function withPrepared<T>(run: HostRun, use: (prepared: Prepared) => Promise<T>): Promise<T> {
  const home = makeTemporaryFolder('nb-host-');
  const prepared = {
    folder: run.folder ?? join(home, 'workspace'),
    suite: join(home, 'suite.cjs'),
    userData: join(home, 'data'),
    extensions: join(home, 'extensions'),
    builtIn: join(home, 'built-in'),
    report: join(home, 'report.json'),
    env: { ...run.env, E2E_RESULTS: join(home, 'report.json') },
  };
  try {
    mkdirSync(prepared.folder, { recursive: true });
    mkdirSync(join(prepared.userData, 'User'), { recursive: true });
    const settings = { ...testSettings, ...quietSettings, ...run.settings };
    writeFileSync(join(prepared.userData, 'User', 'settings.json'), JSON.stringify(settings));
    await bundleSuite(run.files, prepared.suite);
    return await use(prepared);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function readReport(file: string): HostReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as HostReport;
  } catch {
    return undefined;
  }
}
