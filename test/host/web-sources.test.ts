import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askForPage } from '../../src/features/chat/commands/prompts.ts';
import { PageReports } from '../../src/features/sources/editor/page-reports.ts';
import { HostBatch } from '../../src/features/sources/editor/private-hosts.ts';
import { instead } from '../support/instead.ts';
import { sharedReaders } from '../support/host-sources.ts';
import { openWebNotebook, type WebNotebook } from '../support/host-web.ts';
import { startProxy } from '../support/proxy-server.ts';
import { ScriptedUser } from '../support/scripted-user.ts';
import { file, never, redirect, startSite, timesAsked, type Site, type SitePage } from '../support/site.ts';
import { until } from '../support/until.ts';

const page = (subject: string): string =>
  `<title>The ${subject}</title><main><h1>The ${subject}</h1><p>${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}</p></main>`;

const json = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const agree = { press: 'Read' };

suite('web sources', () => {
  const log = vscode.window.createOutputChannel('Web', { log: true });
  let site: Site;
  let own: WebNotebook;
  let user: ScriptedUser;

  setup(async () => {
    site = await startSite();
    [own, user] = [openWebNotebook(log), new ScriptedUser()];
  });

  teardown(async () => {
    await own.end();
    await site.close();
  });

  /** Adds a page of the site, whose host the user agrees to. */
  const add = (path: string, url = site.url): Promise<void> =>
    user.during([agree], () => own.adder.addPage(url + path));

  suite('pages', () => {
    test('the row of a missing page shows the reason', async () => {
      await add('/missing');
      await own.shows('/missing', /404|not there|no page|not found/i);
    });

    test('a page that never answers can be stopped', async () => {
      site.set({ '/silent': never });
      await add('/silent');
      const { id } = await own.shows('/silent', /^Reading$/);
      await until(() => site.paths.includes('/silent'));
      own.reader.stop(id);
      await own.shows('/silent', /^Stopped/);
    });

    test('an invalid URL is rejected with an example', async () => {
      await user
        .during([{ enter: 'ftp://example.invalid/file' }, 'dismiss'] as const, askForPage)
        .catch(() => undefined);
      assert.match(user.seen.at(1) ?? '', /such as https:\/\//);
      await assert.rejects(own.adder.addPage('ftp://example.invalid/file'), { code: 'unsupported' });
      assert.deepEqual(await own.sources(), []);
    });

    test('a page is fetched again when it is refreshed', async () => {
      site.set({ '/well': (_request, before) => page(before === 0 ? 'well' : 'barrel') });
      await add('/well');
      const source = await own.shows('The well', /passage/);
      await own.reader.read(source);
      assert.match(await own.best('What was painted green?'), /The barrel was painted/);
    });

    test('a page with a video is read with its captions, which are cited by time', async () => {
      const vtt = 'WEBVTT\n\n00:01:05.000 --> 00:01:09.000\nThe ferry leaves at nine.\n';
      site.set({
        '/talk': `${page('quay')}<video src="talk.mp4" controls><track kind="captions" src="/talk.vtt"></video>`,
        '/talk.vtt': { headers: { 'content-type': 'text/vtt' }, body: vtt },
      });
      await add('/talk');
      const { id } = await own.shows('The quay', /passage/);
      assert.deepEqual(site.paths, ['/talk', '/talk.vtt']);
      const [entry] = await own.notebook.call('documents', { sourceId: id });
      const documentId = entry?.id ?? 0;
      const { text, spoken } = await own.notebook.call('document', { documentId });
      assert.deepEqual([...(spoken?.from ?? [])], [65]);
      const start = text.indexOf('The ferry');
      const span = { start, end: start + 'The ferry leaves at nine.'.length };
      const quote = text.slice(span.start, span.end);
      const [citation] = await own.notebook.call('cite', {
        requests: [{ number: 1, documentId, passage: span, span, quote }],
      });
      assert.equal(citation?.place, '1:05');
    });

    test('a page with a video is read with captions in a format of YouTube', async () => {
      const events = [
        { tStartMs: 65_000, dDurationMs: 4_000, segs: [{ utf8: 'The ferry leaves at nine.' }] },
      ];
      site.set({
        '/talk': `${page('quay')}<video src="talk.mp4" controls><track kind="captions" src="/talk.json3"></video>`,
        '/talk.json3': json({ wireMagic: 'pb3', events }),
      });
      await add('/talk');
      const { id } = await own.shows('The quay', /passage/);
      const [entry] = await own.notebook.call('documents', { sourceId: id });
      const { text, spoken } = await own.notebook.call('document', { documentId: entry?.id ?? 0 });
      assert.match(text, /The ferry leaves at nine\.$/);
      assert.deepEqual([...(spoken?.from ?? [])], [65]);
    });

    test('a page whose video has no captions is read, and says so', async () => {
      const video = '<script>var ytInitialPlayerResponse = {"videoDetails":{"title":"Quay"}};</script>';
      const tracks = '<video controls><track kind="captions" src="/gone.vtt"></video>';
      site.set({ '/silent': page('quay') + video, '/gone': page('mill') + tracks });
      const warningsOf = async (title: string): Promise<readonly string[]> => {
        const { id } = await own.shows(title, /passage/);
        const [entry] = await own.notebook.call('documents', { sourceId: id });
        return entry?.warnings ?? [];
      };
      await add('/silent');
      assert.deepEqual(await warningsOf('The quay'), [
        'The video on this page has no captions that can be read.',
      ]);
      await add('/gone');
      const [warning = ''] = await warningsOf('The mill');
      assert.match(warning, /^Can’t download the captions of the video on this page: /);
    });

    test('a page is added once, with any fragment or trailing slash in its URL', async () => {
      site.set({ '/well': page('well'), '/old': redirect('/well') });
      await add('/old');
      await own.shows('The well', /passage/);
      for (const path of ['/old#depth', '/old/', '/well', '/well/?', '/well#top'])
        await user.during([], () => own.adder.addAll({ pages: [site.url + path], isNamed: true }));
      assert.equal((await own.sources()).length, 1);
    });

    test('the page report shows the extracted content', async () => {
      const chrome = '<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Contact us</a></li></ul></nav>';
      site.set({ '/well': page('well').replace('<main>', `${chrome}<main>`) });
      await add('/well');
      const source = await own.shows('The well', /passage/);
      const reports = new PageReports(sharedReaders());
      await reports.show(source);
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.path, '/Extracted content.md');
      assert.match(editor.document.getText(), /\*\*Extracted\*\*[^]*The well was painted green/);
      assert.equal(timesAsked(site, '/well'), 2);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      reports.dispose();
    });
  });

  suite('private hosts', () => {
    test('sends no request to a host that the user refuses', async () => {
      await user.during(['dismiss'], () => own.adder.addPage(`${site.url}/kite`));
      assert.match(
        user.seen[0] ?? '',
        new RegExp(`^${new URL(site.url).host} is on this machine or on a private network`),
      );
      assert.deepEqual([site.paths, await own.sources()], [[], []]);
    });

    test('asks once about a host that the user agrees to', async () => {
      site.set({ '/kite': (_request, before) => page(before === 0 ? 'kite' : 'anvil') });
      await add('/kite');
      const source = await own.shows('The kite', /passage/);
      await user.during([], () => own.reader.read(source));
      assert.equal(timesAsked(site, '/kite'), 2);
      await user.during([], () => own.adder.addPage(`${site.url}/kite`));
      assert.equal((await own.sources()).length, 1);
    });

    test('asks once about the host of the pages that the user enters', async () => {
      site.set({ '/kite': page('kite'), '/anvil': page('anvil'), '/well': page('well') });
      await add('/kite');
      await user.during([], () => own.adder.addAll({ pages: [`${site.url}/anvil`], isNamed: true }));
      await own.shows('The anvil', /passage/);
      // A link or a shared list may name an address, too.
      await user.during(['dismiss'], () => own.adder.addPage(`${site.url}/well`));
      assert.equal(timesAsked(site, '/well'), 0);
      assert.equal((await own.sources()).length, 2);
    });

    test('asks once about the host of additions that belong together, whatever the answer', async () => {
      const hosts = new HostBatch();
      const pages = ['/kite', '/anvil', '/well'].map((path) => site.url + path);
      await user.during(['dismiss'], async () => {
        await Promise.all(pages.slice(1).map((page) => own.adder.addAll({ pages: [page], hosts })));
        await own.adder.addAll({ pages, hosts });
      });
      assert.deepEqual([site.paths, await own.sources()], [[], []]);
    });

    test('asks once about the host of pages that are added at the same time', async () => {
      const { promise: answer, resolve: press } = Promise.withResolvers<string>();
      let questions = 0;
      const ask = (): Promise<string> => {
        questions++;
        return answer;
      };
      const addBoth = async (): Promise<void> => {
        const adding = ['/kite', '/anvil'].map((path) => own.adder.addPage(site.url + path));
        await until(() => questions > 0);
        // Both know the sources by now, and wait for the user.
        await own.sources();
        press('Read');
        await Promise.all(adding);
      };
      await instead({ showWarningMessage: ask }, addBoth);
      assert.deepEqual([questions, (await own.sources()).length], [1, 2]);
    });

    test('remembers the host of a page that was removed', async () => {
      await add('/missing');
      const { id } = await own.shows('/missing', /404/);
      await own.notebook.call('removeSources', { sourceIds: [id] });
      site.set({ '/kite': page('kite') });
      await user.during([], () => own.adder.addAll({ pages: [`${site.url}/kite`], isNamed: true }));
      await own.shows('The kite', /passage/);
    });

    test('follows a redirect to another host that the user agreed to', async () => {
      const inner = await startSite({ '/kite': page('kite'), '/anvil': page('anvil') });
      site.set({ '/away': redirect(`${inner.url}/kite`) });
      await add('/anvil', inner.url);
      await add('/away');
      await own.shows('The kite', /passage/);
      await inner.close();
    });

    test('a page doesn’t allow another port of its host', async () => {
      const inner = await startSite({ '/latest/meta-data': page('secret') });
      site.set({ '/away': redirect(`${inner.url}/latest/meta-data`) });
      await add('/away');
      const source = await own.shows('/away', /redirects to/);
      assert.match(
        source.state.kind === 'failed' ? source.state.reason : '',
        new RegExp(`${inner.url}/latest/meta-data.*didn’t follow the redirect`),
      );
      assert.deepEqual(inner.requests, []);
      await inner.close();
    });
  });

  test('pages are fetched through the proxy of the editor', async () => {
    site.set({ '/kite': page('kite') });
    const proxy = await startProxy(site.url);
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', proxy.url, vscode.ConfigurationTarget.Global);
    try {
      await user.during([], () => own.adder.addPage('http://kites.example/kite'));
      await own.shows('The kite', /passage/);
      assert.deepEqual(
        new Set(proxy.hosts.map((host) => host.replace(/:80$/, ''))),
        new Set(['kites.example']),
      );
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await proxy.close();
    }
  });

  test('a folder of a repository is read by its link', async () => {
    const api = '/api/v4/projects/mill%2Fgrain';
    const raw = (path: string): string => `${api}/repository/files/${encodeURIComponent(path)}/raw`;
    const listed = (paths: readonly string[]): SitePage =>
      file(
        'application/json',
        JSON.stringify(paths.map((path) => ({ path, type: 'blob', id: `1 ${path}` }))),
      );
    site.set({
      [api]: json({ path_with_namespace: 'mill/grain', default_branch: 'main' }),
      [`${api}/repository/tree`]: listed(['docs/wheel.md', 'docs/stones/dressing.md', 'docs/picture.png']),
      [raw('docs/wheel.md')]: '# The wheel\n\nThe wheel of the mill turns eleven times a minute.\n',
      [raw('docs/stones/dressing.md')]: '# Stones\n\nThe stones are dressed every five weeks.\n',
    });
    await add('/mill/grain/-/tree/main/docs');
    const source = await own.shows('mill/grain/docs', /^2 files/);
    assert.match(await own.best('How often are the stones dressed?'), /every five weeks/);
    const documents = await own.notebook.call('documents', { sourceId: source.id });
    assert.deepEqual(documents.map(({ key }) => key).sort(), ['docs/stones/dressing.md', 'docs/wheel.md']);

    site.set({ [`${api}/repository/tree`]: listed(['docs/wheel.md']) });
    await own.reader.read(source);
    await own.shows('mill/grain/docs', /^1 file /);
    assert.equal(site.paths.filter((path) => path.startsWith(raw('docs/wheel.md'))).length, 1);
  });

  suite('a private GitLab project', () => {
    const TOKEN = 'glpat-of-anna';
    const base = '/api/v4/projects/mill%2Fgrain/issues';
    const issue = {
      title: 'The wheel stops',
      state: 'opened',
      description: 'It stops at noon, when the pond is empty.',
      author: { username: 'anna' },
      created_at: '2024-01-02T03:04:05Z',
      labels: [],
      user_notes_count: 0,
    };
    /** Shown to those who have the token. */
    const shown =
      (body: unknown): SitePage =>
      ({ headers }) => {
        const token = headers['private-token'];
        if (token === undefined) return json({ message: '404 Project Not Found' }, 404);
        return token === TOKEN ? json(body) : json({ message: '401 Unauthorized' }, 401);
      };
    const tokens = (): unknown[] => site.requests.map(({ headers }) => headers['private-token']);
    const withToken = { press: 'Read with Token' };
    /** Adds an issue and waits until it is read, while the user takes some steps. */
    const read = (
      number: number,
      steps: Parameters<ScriptedUser['during']>[0],
      row: RegExp,
    ): Promise<unknown> =>
      user.during(steps, async () => {
        await own.adder.addPage(`${site.url}/mill/grain/-/issues/${String(number)}`);
        return await own.shows(`/issues/${String(number)}`, row);
      });

    setup(() => {
      site.set({
        [`${base}/7`]: shown(issue),
        [`${base}/7/notes`]: shown([]),
        [`${base}/8`]: shown({ ...issue, title: 'The pond leaks' }),
        [`${base}/8/notes`]: shown([]),
      });
    });

    test('asks for no token if the user refuses', async () => {
      await read(7, [agree, 'dismiss'], /private or (no longer exists|deleted)/);
      assert.match(
        user.seen[1] ?? '',
        new RegExp(`^mill/grain on ${new URL(site.url).host} is private or no longer exists`),
      );
      assert.deepEqual(tokens(), [undefined]);
    });

    test('asks again for a rejected token', async () => {
      await read(7, [agree, withToken, { enter: '' }, { enter: 'mistyped' }, { enter: TOKEN }], /passage/);
      const [, , first, problem, , second] = user.seen;
      assert.match(first ?? '', /has the read_api scope/);
      assert.equal(problem, 'Enter the token.');
      assert.match(second ?? '', /rejected the token/);
      assert.deepEqual(new Set(tokens()), new Set([undefined, 'mistyped', TOKEN]));
      assert.match(await own.best('When does it stop?'), /stops at noon/);
    });

    test('doesn’t ask again for the same project', async () => {
      await read(7, [agree, withToken, { enter: TOKEN }], /passage/);
      await read(8, [agree], /passage/);
    });

    test('a forgotten token is no longer sent', async () => {
      await read(7, [agree, withToken, { enter: TOKEN }], /passage/);
      await user.during([{ pick: 'Token set' }, { pick: 'Remove Token' }], () => own.accounts.manage());
      const { host } = new URL(site.url);
      assert.match(user.seen.at(-1) ?? '', new RegExp(`^Removed the token for ${host}\\.`));
      await own.reader.read(await own.find('/issues/7'));
      await own.shows('/issues/7', /private or (no longer exists|deleted)/);
      assert.equal(tokens().at(-1), undefined);

      await user.during([{ pick: 'No token set' }, { pick: 'Set Token…' }, { enter: TOKEN }], () =>
        own.accounts.manage(),
      );
      assert.match(user.seen.at(-1) ?? '', new RegExp(`^Saved the token for ${host}`));
      await own.reader.read(await own.find('/issues/7'));
      await own.shows('/issues/7', /passage/);
    });
  });
});
