import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/services/services.ts';
import { siteCommands } from '../../src/features/crawling/commands/site-commands.ts';
import { CrawlReports } from '../../src/features/crawling/editor/crawl-report.ts';
import { PrivateHosts } from '../../src/features/sources/editor/private-hosts.ts';
import { makeGate } from '../support/gate.ts';
import { openWebNotebook, type WebNotebook } from '../support/host-web.ts';
import { ScriptedUser, type UserStep } from '../support/scripted-user.ts';
import { makePage } from '../support/site-crawl.ts';
import { never, startSite, status, timesAsked, type Site } from '../support/site.ts';
import { until } from '../support/until.ts';

const agree = { press: 'Read' };
const add = { pick: 'Add site' };

suite('sites', () => {
  const log = vscode.window.createOutputChannel('Sites', { log: true });
  const configuration = (): vscode.WorkspaceConfiguration =>
    vscode.workspace.getConfiguration('openNotebook.sites');
  let site: Site;
  let own: WebNotebook;
  let user: ScriptedUser;
  let reports: CrawlReports;

  suiteSetup(() => configuration().update('pause', 0, vscode.ConfigurationTarget.Global));
  suiteTeardown(() => configuration().update('pause', undefined, vscode.ConfigurationTarget.Global));

  setup(async () => {
    site = await startSite();
    [own, user] = [openWebNotebook(log), new ScriptedUser()];
    reports = new CrawlReports(own.notebook);
  });

  teardown(async () => {
    reports.dispose();
    await own.end();
    await site.close();
  });

  const parts = (): Services => {
    const { notebook, adder, reader, sites } = own;
    const privateHosts = new PrivateHosts(notebook);
    return { notebook, adder, reader, sites, reports, privateHosts } as unknown as Services;
  };
  /** Runs a command for sites as the Sources view does. */
  const run = async (
    command: 'addSite' | 'editSite' | 'pauseSite' | 'resumeSite',
    steps: readonly UserStep[] = [],
    words?: string,
  ): Promise<void> => {
    const node = words === undefined ? undefined : { kind: 'source', source: await own.find(words) };
    await user.during(steps, () => siteCommands(parts())[command]?.(node as never));
  };
  const addHandbook = (steps: readonly UserStep[] = [agree, add]): Promise<void> => {
    site.set({
      '/docs/': makePage('The handbook', ['anchor', 'rope', 'sail', 'login', '/blog/']),
      '/docs/anchor': makePage('The anchor', ['chain']),
      '/docs/rope': makePage('The rope'),
      '/docs/sail': makePage('The sail'),
      '/docs/chain': makePage('The chain'),
    });
    return run('addSite', [{ enter: `${site.url}/docs/` }, ...steps]);
  };
  const report = async (words: string): Promise<string> => {
    await reports.show((await own.find(words)).id);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    return text;
  };

  test('nothing is downloaded from a private host before the user agrees', async () => {
    await addHandbook(['dismiss', 'dismiss']);
    assert.deepEqual(
      user.seen.map((text) => text.split('\n')[0]?.replace(/.* is on/, 'It is on')),
      ['Add Site (1 of 2)', 'It is on this machine or on a private network. Read it?', 'Add Site (1 of 2)'],
    );
    assert.deepEqual(site.paths, []);
  });

  test('the preview lists the pages of a crawl with the changed settings', async () => {
    await addHandbook([
      agree,
      { pick: 'Exclude' },
      { enter: 'sail' },
      { pick: 'Limit' },
      { enter: '0' },
      { enter: '3' },
      add,
    ]);
    const lists = user.matching(/^Add Site \(2 of 2\)\nPress Enter/);
    assert.match(lists.at(-1) ?? '', /3 pages found \(limit reached\)/);
    assert.match(lists.at(-1) ?? '', /\/docs\/sail \| This page matches an exclude pattern\./);
    assert.equal(user.matching(/^Enter a number from 1 to 10,000\./).length, 1);
    await own.shows('/docs', /^3 pages/);
    assert.equal(timesAsked(site, '/docs/sail'), 0);
  });

  test('a paused crawl resumes where it was', async () => {
    const gate = makeGate();
    site.set({
      '/docs/': makePage('The handbook', ['anchor', 'rope']),
      '/docs/anchor': makePage('The anchor'),
      '/docs/rope': { body: makePage('The rope'), gate },
    });
    await run('addSite', [{ enter: `${site.url}/docs/` }, agree, add]);
    await own.shows('/docs', /^Reading 2 of 3 pages/);
    await run('pauseSite', [], '/docs');
    await own.shows('/docs', /^Paused at 2 of 3 pages/);
    await own.reload();
    await own.shows('/docs', /^Paused/);
    gate.open();
    await run('resumeSite', [], '/docs');
    await own.shows('/docs', /^3 pages/);
    assert.equal(timesAsked(site, '/docs/anchor'), 1);
  });

  test('a crawl resumes after a reload', async () => {
    const gate = makeGate();
    site.set({
      '/docs/': makePage('The handbook', ['anchor', 'rope']),
      '/docs/anchor': makePage('The anchor'),
      '/docs/rope': { body: makePage('The rope'), gate },
    });
    await run('addSite', [{ enter: `${site.url}/docs/` }, agree, add]);
    await own.shows('/docs', /^Reading 2 of 3 pages/);
    await own.reload();
    await own.shows('/docs', /^Reading/);
    gate.open();
    await own.shows('/docs', /^3 pages/);
    assert.equal(timesAsked(site, '/docs/anchor'), 1);
  });

  test('pages that fail are counted and listed in the crawl report', async () => {
    site.set({
      '/docs/': makePage('The handbook', ['anchor', 'sail']),
      '/docs/anchor': makePage('The anchor'),
      '/docs/sail': status(410),
    });
    await user.during([{ enter: `${site.url}/docs/` }, agree, add, 'dismiss'], async () => {
      await siteCommands(parts()).addSite?.(undefined as never);
      await own.shows('/docs', /^2 pages.* 1 skipped/);
      await until(() => user.matching(/^Couldn’t download 1 page of/).length === 1);
    });
    assert.match(user.seen.at(-1) ?? '', /Couldn’t download .*\.\n\nShow Crawl Report/);
    assert.match(await report('/docs'), /Couldn’t be downloaded[^]*\/docs\/sail/);
  });

  test('pages that edited crawl settings exclude are removed after a question', async () => {
    await addHandbook();
    await own.shows('/docs', /^5 pages/);
    await run(
      'editSite',
      [
        { pick: 'Exclude' },
        { enter: 'rope chain' },
        { pick: 'Crawl with these settings' },
        { press: 'Remove' },
      ],
      '/docs',
    );
    assert.equal(
      user.matching(/^Remove 2 pages of “.*\/docs” that these crawl settings exclude\?/).length,
      1,
    );
    await own.shows('/docs', /^3 pages/);
    assert.equal(timesAsked(site, '/docs/anchor'), 1);
  });

  test('edited crawl settings are discarded if the user keeps the pages', async () => {
    await addHandbook();
    await own.shows('/docs', /^5 pages/);
    await run(
      'editSite',
      [{ pick: 'Exclude' }, { enter: 'rope' }, { pick: 'Crawl with these settings' }, 'dismiss'],
      '/docs',
    );
    await own.shows('/docs', /^5 pages/);
  });

  test('a crawl that is stopped says so in its report', async () => {
    site.set({
      '/slow/': makePage('Slow', ['one', 'two', 'three']),
      '/slow/one': never,
      '/slow/two': never,
    });
    await run('addSite', [{ enter: `${site.url}/slow/` }, agree, add]);
    await own.shows('/slow', /^Reading 1 of 4 pages/);
    await run('pauseSite', [], '/slow');
    const paused = await own.shows('/slow', /^Paused at 1 of 4 pages/);
    await own.reader.waitUntilIdle(paused.id);
    await own.reader.endPaused(paused);
    await own.shows('/slow', /^Stopped at 1 of 4 pages/);
    assert.match(await report('/slow'), /The crawl stopped before it reached this page\./);
  });

  test('the row of a site without text says that nothing was downloaded', async () => {
    site.set({ '/empty/': '<title>Empty</title><script>draw()</script>' });
    await run('addSite', [{ enter: `${site.url}/empty/` }, agree, add]);
    await own.shows('/empty', /No pages were downloaded/);
  });
});
