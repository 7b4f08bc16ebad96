import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { AddReports } from '../../src/features/sources/editor/add-reports.ts';
import { SourceAdder } from '../../src/features/sources/editor/add-sources.ts';
import { PrivateHosts } from '../../src/features/sources/editor/private-hosts.ts';
import { FailureReports } from '../../src/features/sources/editor/failure-reports.ts';
import type { SourceRemovals } from '../../src/features/sources/editor/source-removals.ts';
import { sourceItem } from '../../src/features/sources/editor/source-items.ts';
import type { Report } from '../../src/features/sources/editor/status-report.ts';
import { openWebNotebook, type WebNotebook } from '../support/host-web.ts';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';
import { ScriptedUser, type UserStep } from '../support/scripted-user.ts';
import { makeWav } from '../support/recordings.ts';
import { makePage } from '../support/site-crawl.ts';
import { file, redirect, startSite, status, timesAsked, type Site } from '../support/site.ts';
import { until } from '../support/until.ts';

const agree = { press: 'Read' };
const fixture = (name: string): Buffer => readFileSync(join(root, 'test', 'fixtures', 'reading', name));
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

suite('failures', () => {
  const log = vscode.window.createOutputChannel('Failures', { log: true });
  let site: Site;
  let own: WebNotebook;
  let user: ScriptedUser;
  let revealed: string[];
  let shown: Report[];
  let failures: FailureReports;
  let adder: SourceAdder;
  let hosts: PrivateHosts;
  let transcribed: string[];

  setup(async () => {
    site = await startSite();
    [own, user, revealed, shown, transcribed] = [openWebNotebook(log), new ScriptedUser(), [], [], []];
    const { notebook, reader } = own;
    const removals = {
      remove: async (sources: readonly { readonly id: string }[]) => {
        await notebook.call('removeSources', { sourceIds: sources.map(({ id }) => id) });
      },
    } as unknown as SourceRemovals;
    hosts = new PrivateHosts(notebook);
    failures = new FailureReports({
      hosts,
      notebook,
      reader,
      removals,
      reveal: (id) => Promise.resolve(void revealed.push(id)),
      transcribe: (sources) => Promise.resolve(void transcribed.push(...sources.map(({ title }) => title))),
    });
    const begin = (work: Report) => {
      shown.push(work);
      return (outcome?: Report) => void (outcome && shown.push(outcome));
    };
    const reports = new AddReports({
      notebook,
      removals,
      failures,
      status: { begin },
      reveal: () => Promise.resolve(),
    });
    adder = new SourceAdder(notebook, reader, (added) => void reports.report(added), hosts);
  });

  teardown(async () => {
    await own.end();
    await site.close();
  });

  /** Adds pages of the site, and waits until the user has finished all steps after the consent to its host. */
  const add = (paths: readonly string[], ...steps: readonly UserStep[]): Promise<void> =>
    user.during([agree, ...steps], async () => {
      await adder.addAll({ pages: paths.map((path) => site.url + path) });
      await until(() => user.seen.length > steps.length);
      await until(async () => (await own.sources()).every(({ state }) => !/queued|reading/.test(state.kind)));
    });

  test('are never reported as added', async () => {
    await add(['/missing'], 'dismiss');
    await until(() => shown.length === 2);
    const { host } = new URL(site.url);
    const reason = `${host} has no such page (404). Check the URL.`;
    assert.deepEqual(
      shown.map(({ sentence, isFailure }) => [sentence, isFailure]),
      [
        [`Adding ${host}/missing…`, undefined],
        [`Can’t read ${host}/missing`, true],
      ],
    );
    assert.equal(shown[1]?.action?.tooltip, reason);
    assert.equal(user.seen[1], `Can’t read ${host}/missing. ${reason}\n\nTry Again\nRemove`);
    const item = sourceItem(await own.find('/missing'), true, { left: 0, isPaused: false });
    assert.match(
      `${JSON.stringify(item.label)} ${String(item.description)}`,
      /\/missing" Not found · .* \(404\)/,
    );
    assert.match(item.contextValue ?? '', /\bfailed\b/);
    assert.doesNotMatch(item.contextValue ?? '', /\brefreshable\b/);
  });

  test('are retried by Try Again', async () => {
    const repair = (): void => site.set({ '/kite': makePage('The kite') });
    await add(['/kite'], { press: 'Try Again', after: repair });
    await own.shows('The kite', /passage/);
    assert.equal(user.seen.length, 2);
  });

  test('are removed by Remove', async () => {
    await add(['/missing'], { press: 'Remove' });
    await until(async () => (await own.sources()).length === 0);
  });

  test('on a private host need consent again after it was withdrawn', async () => {
    site.set({ '/kite': makePage('The kite') });
    await add(['/kite']);
    const source = await own.shows('The kite', /passage/);
    await user.during([{ pickAll: [] }], () => hosts.manage());
    assert.match(user.seen.at(-1) ?? '', new RegExp(`\n${new URL(site.url).host} \\| The kite$`));
    await user.during(['dismiss'], () => failures.read([source]));
    const refused = await own.shows('The kite', /^No access · .* Try again, then allow access\.$/);
    await user.during([agree], () => failures.read([refused]));
    await own.shows('The kite', /passage/);
    assert.equal(timesAsked(site, '/kite'), 2);
  });

  test('aren’t reported for a recording without a transcript, which can be transcribed', async () => {
    const file = join(own.home, 'talk.wav');
    writeFileSync(file, makeWav([{ seconds: 1 }]));
    await user.during([{ press: 'Transcribe…' }], async () => {
      await adder.addAll({ uris: [vscode.Uri.file(file)], isNamed: true });
      await until(() => transcribed.length > 0);
    });
    assert.deepEqual(transcribed, ['talk.wav']);
    assert.match(user.seen.join('\n'), /^talk\.wav has no transcript\. .*\n\nTranscribe…$/);
    assert.deepEqual(
      shown.map(({ sentence, isFailure }) => [sentence, isFailure]),
      [
        ['Adding talk.wav…', undefined],
        ['Added talk.wav to the notebook.', undefined],
      ],
    );
  });

  test('of every kind are reported in one notification, and listed with their reasons', async () => {
    const away = 'http://127.0.0.1:9/';
    site.set({
      '/kite': makePage('The kite'),
      '/account': status(401),
      '/closed': status(403),
      '/away': redirect(away),
      '/broken': { body: 'Half', missing: 100 },
      '/program': file('application/x-msdownload', new Uint8Array([77, 90, 0, 1])),
      '/scripts': '<title>Empty</title><script>draw()</script>',
      '/empty': '<title>Empty</title><p>Hi.</p>',
      '/large': { headers: { 'content-type': 'text/plain', 'content-length': String(30 * 1024 * 1024) } },
      '/secret.pdf': file('application/pdf', fixture('encrypted.pdf')),
      '/cut.pdf': file('application/pdf', fixture('truncated.pdf').subarray(0, 200)),
      '/letter.docx': file(word, new Uint8Array([80, 75, 3, 4, 20, 0, 1, 2, 3])),
    });
    const kinds: readonly (readonly [path: string, kind: RegExp])[] = [
      ['/missing', /^Not found · /],
      ['/account', /^Sign-in required · /],
      ['/closed', /^No access · /],
      ['/away', /^No access · /],
      ['/broken', /^No connection · /],
      ['/program', /^Not supported · /],
      ['/scripts', /^Not supported · /],
      ['/empty', /^No text · /],
      ['/large', /^Too large · /],
      ['/secret.pdf', /^Password required · /],
      ['/cut.pdf', /^Damaged · /],
      ['/letter.docx', /^Damaged · /],
    ];
    const { host } = new URL(site.url);
    const paths = [...kinds.map(([path]) => path), '/kite'];
    await add(paths, { press: 'Show List' }, { pick: '/account', button: 'Remove' }, { pick: '/closed' });
    for (const [path, kind] of kinds) if (path !== '/account') await own.shows(path, kind);
    assert.match(
      user.seen[1] ?? '',
      new RegExp(`^Can’t read 12 of 13 sources: ${host}/missing, ${host}/account, and 10 more\n`),
    );
    assert.match(user.seen[2] ?? '', /\/account \| .*requires sign-in \(401\)/);
    await until(() => revealed.length === 1);
    assert.equal(revealed[0], (await own.find('/closed')).id);
    assert.equal((await own.sources()).length, 12);
    assert.equal(shown.at(-1)?.sentence, 'Can’t read 12 of 13 sources');
  });
});
