import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { markdownLines } from '../../language/markdown-lines.ts';
import { parseBounded } from '../../notebook/bounded-json.ts';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { Fetch } from '../web/guarded-fetch.ts';
import type { ThreadAddress } from './thread-address.ts';

/** So many comments of a thread are read, so many at a time. */
const MOST_COMMENTS = 2_000;
const PAGE = 100;

/** What one answer holds at most, in bytes and in values. */
const MOST_BYTES = 20 * 2 ** 20;
const bounds = { depth: 30, values: 2_000_000 };

const TIMEOUT = 30_000;
const MOST_REDIRECTS = 3;

/** A thread as Markdown: what was first said, then each comment under a heading with its writer and day. */
export interface ReadThread {
  readonly title: string;
  readonly markdown: string;
  /** One sentence each: what of it could not be read. */
  readonly warnings: readonly string[];
}

export interface ThreadOptions {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Of the user's account, where they agreed that it is used. */
  readonly token: string | undefined;
}

const person = v.optional(
  v.nullable(v.object({ login: v.optional(v.string()), username: v.optional(v.string()) })),
);

const githubThread = v.object({
  title: v.string(),
  state: v.string(),
  body: v.nullable(v.string()),
  user: person,
  created_at: v.string(),
  comments: v.optional(v.number(), 0),
  labels: v.optional(v.array(v.object({ name: v.string() })), []),
  merged: v.optional(v.boolean(), false),
});

const githubComment = v.object({
  body: v.nullish(v.string()),
  user: person,
  created_at: v.optional(v.string()),
  submitted_at: v.optional(v.string()),
  path: v.optional(v.string()),
  line: v.nullish(v.number()),
});

const discussionComment = v.object({ body: v.string(), author: person, createdAt: v.string() });

const discussionAnswer = v.object({
  errors: v.optional(v.array(v.object({ type: v.optional(v.string()) })), []),
  data: v.nullish(
    v.object({
      repository: v.nullable(
        v.object({
          discussion: v.nullable(
            v.object({
              ...discussionComment.entries,
              title: v.string(),
              closed: v.optional(v.boolean(), false),
              category: v.nullish(v.object({ name: v.string() })),
              labels: v.nullish(v.object({ nodes: v.array(v.object({ name: v.string() })) })),
              comments: v.object({
                totalCount: v.number(),
                pageInfo: v.object({ hasNextPage: v.boolean(), endCursor: v.nullable(v.string()) }),
                nodes: v.array(
                  v.object({
                    ...discussionComment.entries,
                    isAnswer: v.optional(v.boolean(), false),
                    replies: v.object({ totalCount: v.number(), nodes: v.array(discussionComment) }),
                  }),
                ),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type DiscussionAnswer = v.InferOutput<typeof discussionAnswer>;

/** Of a comment the first fifty replies come with it. */
const DISCUSSION_QUERY = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { discussion(number: $number) {
    title body createdAt closed author { login } category { name } labels(first: 20) { nodes { name } }
    comments(first: 50, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes {
      body createdAt isAnswer author { login }
      replies(first: 50) { totalCount nodes { body createdAt author { login } } }
    } }
  } }
}`;

const gitlabThread = v.object({
  title: v.string(),
  state: v.string(),
  description: v.nullable(v.string()),
  author: person,
  created_at: v.string(),
  user_notes_count: v.optional(v.number(), 0),
  labels: v.optional(v.array(v.string()), []),
});

const gitlabNote = v.object({
  body: v.string(),
  author: person,
  created_at: v.string(),
  system: v.optional(v.boolean(), false),
  position: v.optional(
    v.nullable(v.object({ new_path: v.nullish(v.string()), new_line: v.nullish(v.number()) })),
  ),
});

/** A comment, or what was first said. */
interface Said {
  readonly by: string;
  readonly at: string;
  readonly text: string;
  /** Of a comment on code: `src/main.ts, line 3`. */
  readonly place: string;
}

interface Thread {
  readonly title: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly first: Said;
  readonly comments: readonly Said[];
  /** How many there are. */
  readonly count: number;
}

/**
 * Reads an issue, a pull request or a discussion with its comments from the forge's API.
 * @throws NotebookError `not-found` where it is gone or not public, `rate-limited`, `unauthorized`, `server`, `cancelled`
 */
export async function readThread(address: ThreadAddress, options: ThreadOptions): Promise<ReadThread> {
  const thread =
    address.forge === 'gitlab'
      ? await onGitLab(address, options)
      : address.kind === 'discussion'
        ? await discussion(address, options)
        : await onGitHub(address, options);
  const sign = address.forge === 'gitlab' && address.kind === 'pull' ? '!' : '#';
  const name = `${thread.title} (${sign}${String(address.number)})`;
  const about = [kindOf(address), thread.state, ...thread.labels.map((label) => `“${label}”`)].join(' · ');
  const parts = [
    `# ${oneLine(name)}`,
    oneLine(about),
    ...[thread.first, ...thread.comments].flatMap(({ by, at, text, place }) => [
      `## ${oneLine([by, at.slice(0, 10), ...(place === '' ? [] : [place])].join(', '))}`,
      withLowerHeadings(text.trim()),
    ]),
  ];
  const { length } = thread.comments;
  const isCut = length >= MOST_COMMENTS || address.kind === 'discussion';
  const warnings =
    thread.count > length && isCut
      ? [t('Only the first {0} of its {1} comments were read.', String(length), String(thread.count))]
      : [];
  return { title: name, markdown: `${parts.filter((part) => part !== '').join('\n\n')}\n`, warnings };
}

function kindOf({ kind, repository }: ThreadAddress): string {
  switch (kind) {
    case 'pull':
      return t('Pull request in {0}', repository);
    case 'discussion':
      return t('Discussion in {0}', repository);
    case 'issue':
      return t('Issue in {0}', repository);
  }
}

async function onGitHub(
  { api, repository, number, kind }: ThreadAddress,
  options: ThreadOptions,
): Promise<Thread> {
  const base = `${api}/repos/${repository}`;
  const get = reader('GitHub', options, {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
  });
  const { title, state, body, user, created_at, comments, labels, merged } = await get(
    `${base}/${kind === 'pull' ? 'pulls' : 'issues'}/${String(number)}`,
    githubThread,
  );
  const lists = [
    `${base}/issues/${String(number)}/comments`,
    ...(kind === 'pull'
      ? [`${base}/pulls/${String(number)}/reviews`, `${base}/pulls/${String(number)}/comments`]
      : []),
  ];
  const said: Said[] = [];
  for (const list of lists)
    for await (const one of pages(list, v.array(githubComment), get, said))
      said.push({
        by: one.user?.login ?? t('Somebody'),
        at: one.created_at ?? one.submitted_at ?? '',
        text: one.body ?? '',
        place: one.path === undefined ? '' : placeOf(one.path, one.line ?? undefined),
      });
  return {
    title,
    state: merged ? 'merged' : state,
    labels: labels.map(({ name }) => name),
    first: { by: user?.login ?? t('Somebody'), at: created_at, text: body ?? '', place: '' },
    comments: inOrder(said),
    count: Math.max(comments, said.length),
  };
}

/** GitHub tells of discussions by its GraphQL interface alone, and that only to those who are signed in. */
async function discussion(
  { api, repository, number }: ThreadAddress,
  options: ThreadOptions,
): Promise<Thread> {
  if (options.token === undefined)
    throw new NotebookError(
      'unauthorized',
      t('GitHub tells of discussions only to those who are signed in; add it again to use your account.'),
    );
  const get = reader('GitHub', options, {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${options.token}`,
  });
  const [owner, name] = repository.split('/');
  const said: Said[] = [];
  let count = 0;
  let after: string | null = null;
  for (;;) {
    const variables = { owner, name, number, after };
    const body = JSON.stringify({ query: DISCUSSION_QUERY, variables });
    const answer: DiscussionAnswer = await get(`${api}/graphql`, discussionAnswer, body);
    const { data, errors } = answer;
    const found = data?.repository?.discussion;
    if (!found)
      throw refused('GitHub', errors.some(({ type }) => type === 'RATE_LIMITED') ? 429 : 404, false, true);
    const { nodes, pageInfo, totalCount } = found.comments;
    if (after === null) count = totalCount;
    for (const comment of nodes) {
      said.push({ ...saidBy(comment), place: comment.isAnswer ? t('the answer') : '' });
      for (const reply of comment.replies.nodes)
        said.push({ ...saidBy(reply), place: t('to {0}', comment.author?.login ?? t('Somebody')) });
      count += comment.replies.totalCount;
    }
    after = pageInfo.endCursor;
    if (pageInfo.hasNextPage && after !== null && said.length < MOST_COMMENTS) continue;
    const spoken = said.filter(({ text }) => text.trim() !== '');
    return {
      title: found.title,
      state: [found.category?.name, found.closed ? 'closed' : 'open']
        .filter((one) => one !== undefined)
        .join(' · '),
      labels: found.labels?.nodes.map((label) => label.name) ?? [],
      first: { ...saidBy(found), place: '' },
      comments: spoken.slice(0, MOST_COMMENTS),
      count: spoken.length + Math.max(0, count - said.length),
    };
  }
}

function saidBy({ author, createdAt, body }: v.InferOutput<typeof discussionComment>): Omit<Said, 'place'> {
  return { by: author?.login ?? t('Somebody'), at: createdAt, text: body };
}

async function onGitLab(
  { api, repository, number, kind }: ThreadAddress,
  options: ThreadOptions,
): Promise<Thread> {
  const get = reader(new URL(api).host, options, {
    accept: 'application/json',
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
  });
  const things = kind === 'pull' ? 'merge_requests' : 'issues';
  const base = `${api}/projects/${encodeURIComponent(repository)}/${things}/${String(number)}`;
  const { title, state, description, author, created_at, labels, user_notes_count } = await get(
    base,
    gitlabThread,
  );
  const said: Said[] = [];
  for await (const note of pages(`${base}/notes?sort=asc`, v.array(gitlabNote), get, said))
    if (!note.system)
      said.push({
        by: note.author?.username ?? t('Somebody'),
        at: note.created_at,
        text: note.body,
        place:
          typeof note.position?.new_path === 'string'
            ? placeOf(note.position.new_path, note.position.new_line ?? undefined)
            : '',
      });
  return {
    title,
    state,
    labels,
    first: { by: author?.username ?? t('Somebody'), at: created_at, text: description ?? '', place: '' },
    comments: inOrder(said),
    count: Math.max(user_notes_count, said.length),
  };
}

function placeOf(path: string, line: number | undefined): string {
  return line === undefined ? path : t('{0}, line {1}', path, line);
}

/** Those that say something, by their time. */
function inOrder(said: readonly Said[]): Said[] {
  return said
    .filter(({ text }) => text.trim() !== '')
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .slice(0, MOST_COMMENTS);
}

type Get = <T>(address: string, schema: v.GenericSchema<unknown, T>, body?: string) => Promise<T>;

/** What a list holds, page by page, until as much was taken as is kept. */
async function* pages<T>(
  address: string,
  schema: v.GenericSchema<unknown, T[]>,
  get: Get,
  taken: readonly unknown[],
): AsyncGenerator<T> {
  for (let page = 1; taken.length < MOST_COMMENTS && page <= MOST_COMMENTS / PAGE; page++) {
    const query = `per_page=${String(PAGE)}&page=${String(page)}`;
    const all = await get(`${address}${address.includes('?') ? '&' : '?'}${query}`, schema);
    yield* all;
    if (all.length < PAGE) return;
  }
}

/** Asks a forge's API; what goes wrong is one sentence. */
function reader(
  name: string,
  { fetch, signal, userAgent, token }: ThreadOptions,
  headers: Readonly<Record<string, string>>,
): Get {
  return async (address, schema, body) => {
    throwIfCancelled(signal);
    const timeout = AbortSignal.timeout(TIMEOUT);
    try {
      const asked = {
        headers: { 'user-agent': userAgent, ...headers },
        signal: AbortSignal.any([signal, timeout]),
        body,
      };
      let at = new URL(address);
      let answer = await fetch(at, asked);
      // A repository that was renamed is asked for at its new place, and no other host gets the token.
      for (let hop = 0; hop < MOST_REDIRECTS && answer.status >= 300 && answer.status < 400; hop++) {
        const to = URL.parse(answer.headers.get('location') ?? '', at.href);
        if (to?.origin !== at.origin) break;
        await answer.body?.cancel();
        at = to;
        answer = await fetch(at, asked);
      }
      if (!answer.ok) {
        await answer.body?.cancel();
        const isSpent =
          answer.headers.get('x-ratelimit-remaining') === '0' ||
          answer.headers.get('ratelimit-remaining') === '0';
        throw refused(name, answer.status, isSpent, token !== undefined);
      }
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of answer.body ?? []) {
        length += chunk.length;
        if (length > MOST_BYTES)
          throw new NotebookError('too-large', t('{0} answers with more than can be read.', name));
        chunks.push(chunk);
      }
      return v.parse(schema, parseBounded(Buffer.concat(chunks).toString('utf8'), bounds));
    } catch (error) {
      throwIfCancelled(signal);
      if (error instanceof NotebookError) throw error;
      throw new NotebookError('server', t('{0} could not be asked for this thread; try again later.', name), {
        action: 'tryAgain',
        cause: error,
      });
    }
  };
}

function refused(name: string, status: number, isSpent: boolean, isSignedIn: boolean): NotebookError {
  if (isSpent || status === 429)
    return new NotebookError(
      'rate-limited',
      t('{0} takes no more requests for now; refresh this source in an hour.', name),
      { action: 'tryAgain' },
    );
  if (status === 410) return new NotebookError('not-found', t('{0} has removed this thread.', name));
  if (status === 404 || status === 401 || status === 403)
    return new NotebookError(
      isSignedIn ? 'not-found' : 'unauthorized',
      isSignedIn
        ? t('{0} has no such thread, or your account may not read it.', name)
        : t('{0} shows no such thread to everybody: it is gone or private.', name),
    );
  return new NotebookError(
    'server',
    t('{0} could not deliver the thread ({1}); try again later.', name, status),
    {
      action: 'tryAgain',
    },
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Headings that people write stand below that of their comment. */
function withLowerHeadings(text: string): string {
  let result = '';
  for (const { kind, start, end } of markdownLines(text)) {
    const line = text.slice(start, end);
    const isCode = kind === 'opening' || kind === 'code' || kind === 'closing';
    const marks = isCode ? undefined : /^ {0,3}(#{1,6})(?=[ \t])/.exec(line)?.[1];
    result +=
      (marks === undefined
        ? line
        : `${'#'.repeat(Math.min(6, marks.length + 2))}${line.trimStart().slice(marks.length)}`) +
      text.slice(end, end + 1);
  }
  return result;
}
