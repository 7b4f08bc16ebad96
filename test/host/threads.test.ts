import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Threads } from '../../src/features/forge/editor/threads.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { readThread } from '../../src/parsers/threads/read-thread.ts';
import type { ThreadAddress } from '../../src/parsers/threads/thread-address.ts';
import { startForge } from '../support/forge-server.ts';
import { instead } from '../support/instead.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';

const TOKEN = 'gho_of_anna';

const closers: (() => unknown)[] = [];

/** GitHub server that shows content only to signed-in users. */
const startGitHub = (): Promise<LoopbackServer> =>
  startForge({ after: (close) => closers.push(close as () => unknown) }, ({ pathname }, { headers }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 404 };
    const posts = { body: 'It stops.', createdAt: '2024-01-02T03:04:05Z', author: { login: 'anna' } };
    const comments = { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
    if (pathname === '/graphql')
      return { body: { data: { repository: { discussion: { ...posts, title: 'The wheel', comments } } } } };
    if (pathname.endsWith('/comments')) return { body: [] };
    const user = { login: 'anna' };
    return {
      body: { title: 'The wheel', state: 'open', body: 'It stops.', user, created_at: posts.createdAt },
    };
  });

/** User of the editor: questions and answers, and requests for a session. */
class Person {
  readonly asked: string[] = [];
  readonly sessions: unknown[] = [];
  agrees = true;
  /** Session of the user; an error if they close the sign-in. */
  session: { readonly accessToken: string } | Error | undefined = { accessToken: TOKEN };

  async during<T>(act: () => Promise<T>): Promise<T> {
    const answer = (message: string, _how: unknown, ...buttons: string[]): Promise<string | undefined> => {
      this.asked.push(message);
      return Promise.resolve(this.agrees ? buttons[0] : undefined);
    };
    const getSession = (...how: unknown[]): Promise<unknown> => {
      this.sessions.push(how);
      return this.session instanceof Error ? Promise.reject(this.session) : Promise.resolve(this.session);
    };
    return instead({ showWarningMessage: answer }, () => instead({ getSession }, act, vscode.authentication));
  }
}

/** Stored data of one workspace. */
class Memory implements vscode.Memento {
  readonly #values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, otherwise?: T): T {
    return (this.#values.get(key) ?? otherwise) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, value);
    return Promise.resolve();
  }
}

const noGitLab = {
  account: (): never => {
    throw new Error('This is GitHub.');
  },
};

suite('Private GitHub content', () => {
  let server: LoopbackServer;
  let person: Person;
  let memory: Memory;

  setup(async () => {
    server = await startGitHub();
    [person, memory] = [new Person(), new Memory()];
  });

  teardown(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** Reads a thread for a source that is new, or has been read before. */
  const read = (
    wanted: Partial<Pick<ThreadAddress, 'kind' | 'repository'>> = {},
    { isNew = true } = {},
  ): Promise<string> => {
    const address = {
      ...({ forge: 'github', kind: 'issue', repository: 'mill/grain', number: 7 } as const),
      ...{ api: server.url, ...wanted },
    };
    const source = {
      documents: isNew ? 0 : 1,
      origin: { kind: 'page', url: 'https://github.com', privateHosts: [new URL(server.url).host] },
    } as unknown as Source;
    const { signal } = new AbortController();
    return person.during(async () => {
      const thread = await new Threads(memory, noGitLab, 'Test').asking(source, address, signal, (options) =>
        readThread(address, options),
      );
      return thread.markdown;
    });
  };
  const tokens = (): unknown[] => server.requests.map(({ headers }) => headers.authorization);

  test('is read with the user’s account after one consent per repository', async () => {
    assert.match(await read(), /It stops\./);
    assert.deepEqual(person.asked, [
      'mill/grain on GitHub is private or no longer exists. Read it with your GitHub account?',
    ]);
    assert.deepEqual(person.sessions, [['github', ['repo'], { createIfNone: true }]]);
    assert.equal(tokens()[0], undefined);
    assert.ok(
      tokens()
        .slice(1)
        .every((token) => token === `Bearer ${TOKEN}`),
    );

    assert.match(await read({}, { isNew: false }), /It stops\./);
    assert.equal(person.asked.length, 1);
    assert.deepEqual(person.sessions[1], ['github', ['repo'], { silent: true }]);

    await read({ repository: 'mill/other' });
    assert.match(person.asked[1] ?? '', /^mill\/other on GitHub/);
  });

  test('isn’t read without consent, and asks for no sign-in', async () => {
    person.agrees = false;
    await assert.rejects(read(), { code: 'unauthorized' });
    assert.deepEqual(person.sessions, []);
    assert.deepEqual(memory.keys(), []);
    assert.deepEqual(tokens(), [undefined]);
  });

  test('reports missing access without a question in automatic refreshes', async () => {
    await assert.rejects(read({}, { isNew: false }), { code: 'unauthorized' });
    assert.deepEqual([person.asked, person.sessions], [[], []]);
  });

  test('shows the earlier error if the user cancels the sign-in or signs out', async () => {
    person.session = new Error('User did not consent to login.');
    await assert.rejects(read(), {
      code: 'unauthorized',
      message: 'This thread isn’t publicly available on GitHub. It may be private or deleted.',
    });
    person.session = undefined;
    await assert.rejects(read({}, { isNew: false }), { code: 'unauthorized' });
    assert.deepEqual(person.sessions.at(-1), ['github', ['repo'], { silent: true }]);
    assert.ok(tokens().every((token) => token === undefined));
  });

  test('asks about a discussion by name, and sends nothing without an account', async () => {
    assert.match(await read({ kind: 'discussion' }), /^# The wheel \(#7\)[^]*It stops\./);
    assert.deepEqual(person.asked, [
      'GitHub requires sign-in to read discussions. Read the discussions of mill/grain with your GitHub account?',
    ]);
    assert.deepEqual(tokens(), [`Bearer ${TOKEN}`]);
  });
});
