import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { LinkHandler } from '../../src/features/citations/editor/link-handler.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { startSite, type Site } from '../support/site.ts';
import { until } from '../support/until.ts';

const SCHEME = 'code-oss://open-notebook.open-notebook';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

suite('links from outside', () => {
  const log = vscode.window.createOutputChannel('Links', { log: true });
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const harbour = join(workspace, 'links', 'harbour.md');
  let own: AddingNotebook;
  let site: Site;
  let links: LinkHandler;
  const opened: Citation[] = [];
  /** Team notebooks that the handler offered to open. */
  const joined: string[] = [];

  /** Follows a link, answers its questions, and returns the questions and messages that it shows. */
  const follow = async (
    link: string,
    answers: (question: string) => boolean = () => true,
  ): Promise<string[]> => {
    const shown: string[] = [];
    const show = (
      message: string,
      options?: { readonly detail?: string },
      action?: string,
    ): Promise<unknown> => {
      shown.push(
        options?.detail === undefined ? message : `${message} ${options.detail.split('\n')[0] ?? ''}`,
      );
      return Promise.resolve(answers(message) ? action : undefined);
    };
    await instead({ showInformationMessage: show, showWarningMessage: show, showErrorMessage: show }, () =>
      links.handleUri(vscode.Uri.parse(link)),
    );
    return shown;
  };
  const add = (address: string): string => `${SCHEME}/add?url=${encodeURIComponent(address)}`;
  const titles = async (): Promise<string[]> =>
    (await own.notebook.call('sources', {})).map(({ title }) => title);

  setup(async () => {
    mkdirSync(dirname(harbour), { recursive: true });
    writeFileSync(harbour, prose('harbour'));
    own = openToAdd('links-', log);
    site = await startSite({ '/kite': `<title>The kite</title><main>${prose('kite')}</main>` });
    opened.length = 0;
    joined.length = 0;
    const opener = { in: () => ({ open: (citation: Citation) => void opened.push(citation) }) };
    const { notebook, adder } = own;
    const notebooks = {
      ...{ shown: notebook, client: () => notebook, toId: () => 'own', toKey: () => '' },
      folders: { has: () => false },
    };
    const teams = {
      join: (id: string) => {
        joined.push(id);
        return Promise.resolve(false);
      },
    };
    links = new LinkHandler({
      extensionId: 'open-notebook.open-notebook',
      adder,
      log,
      ...({ notebooks, opener, teams } as unknown as Pick<
        ConstructorParameters<typeof LinkHandler>[0],
        'notebooks' | 'opener' | 'teams'
      >),
    });
  });

  teardown(async () => {
    await own.end();
    await site.close();
    rmSync(dirname(harbour), { recursive: true, force: true });
  });

  test('add a page that the user agrees to, on this machine only after a second question', async () => {
    const address = `${site.url}/kite`;
    const [question, ...others] = await follow(add(address), () => false);
    assert.equal(question, `Add this web page to the notebook? ${address}`);
    assert.deepEqual(others, []);
    const [, second] = await follow(add(address), (asked) => asked.startsWith('Add'));
    assert.match(second ?? '', /is on this machine or on a private network/);
    assert.deepEqual(await titles(), []);
    await follow(add(address));
    await until(async () => (await titles()).join() === 'The kite');
  });

  test('add a file of the workspace that the user agrees to', async () => {
    const shown = await follow(add(vscode.Uri.file(harbour).toString()));
    assert.deepEqual(shown, ['Add this file or folder to the notebook? links/harbour.md']);
    assert.deepEqual(await titles(), ['harbour.md']);
  });

  for (const [address, refusal] of [
    ['file:///etc/passwd', 'doesn’t point to a web page or to a file in this workspace'],
    [`file://${workspace}/../../../etc/passwd`, 'doesn’t point to a web page or to a file in this workspace'],
    ['javascript:alert(1)', 'doesn’t point to a web page or to a file in this workspace'],
    ['https://a:b@example.com/', 'contains a user name or password'],
  ] as const)
    test(`refuse ${address.replace(workspace, 'WORKSPACE')} without a question`, async () => {
      const [message = '', ...others] = await follow(add(address));
      assert.ok(message.includes(refusal), message);
      assert.deepEqual(others, []);
      assert.deepEqual(await titles(), []);
    });

  const quote = 'The harbour was painted green in 1931';

  /** Adds a file, and returns a link to its words. */
  const linkToQuote = async (): Promise<string> => {
    const [source] = await own.adder.addAll({ uris: [vscode.Uri.file(harbour)] });
    assert.ok(source);
    await own.reader.waitUntilIdle(source.id);
    const [document] = await own.notebook.call('documents', { sourceId: source.id });
    assert.ok(document);
    const start = prose('harbour').indexOf(quote);
    const span = { start, end: start + quote.length };
    const [citation] = await own.notebook.call('cite', {
      requests: [{ number: 1, documentId: document.id, passage: span, span, quote }],
    });
    assert.ok(citation);
    return await links.toCitation(citation);
  };

  test('into a team notebook that is not on this machine offer to open it first', async () => {
    const link = (await linkToQuote()).replace(/notebook=[^&]*/, 'notebook=team-garden');
    assert.deepEqual(await follow(link), []);
    assert.deepEqual(joined, ['team-garden']);
    assert.equal(opened.length, 0);
  });

  test('open the cited text after the user agrees', async () => {
    const link = await linkToQuote();
    assert.ok(link.startsWith(`${vscode.env.uriScheme}://open-notebook.open-notebook/open?notebook=`), link);
    await follow(link, () => false);
    assert.equal(opened.length, 0);
    assert.deepEqual(await follow(link), ['Open this source in the notebook? harbour.md']);
    assert.equal(opened[0]?.quote, quote);
    assert.deepEqual(joined, []);
  });
});
