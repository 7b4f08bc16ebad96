import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { headingOfLine, markdownLines } from '../../core/language/markdown-lines.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { createRequest, gitLabHeaders, responseError, type ForgeOptions, type Get } from './forge-client.ts';
import type { ThreadAddress } from './thread-address.ts';

/** Maximum number of comments to read from a thread, and number of comments per request. */
const MAX_COMMENTS = 2_000;
const PAGE = 100;

/** Thread as Markdown: the first post, then each comment under a heading with its author and date. */
export interface ReadThread {
  readonly title: string;
  readonly markdown: string;
  /** Sentences about the parts that can't be read. */
  readonly warnings: readonly string[];
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

/** GraphQL query for a discussion. It includes the first 50 replies to each comment. */
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

/** First post or comment. */
interface ThreadPost {
  readonly by: string;
  readonly at: string;
  readonly text: string;
  /** Location of a comment on code: `src/main.ts, line 3`. */
  readonly place: string;
}

interface Thread {
  readonly title: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly first: ThreadPost;
  readonly comments: readonly ThreadPost[];
  /** Number of all comments. */
  readonly count: number;
}

/**
 * Reads an issue, a pull request, or a discussion with its comments from the forge's API.
 * @throws NotebookError `not-found` if it doesn't exist or isn't public, `rate-limited`, `unauthorized`, `server`,
 * `cancelled`
 */
export async function readThread(address: ThreadAddress, options: ForgeOptions): Promise<ReadThread> {
  const thread =
    address.forge === 'gitlab'
      ? await onGitLab(address, options)
      : address.kind === 'discussion'
        ? await discussion(address, options)
        : await onGitHub(address, options);
  const sign = address.forge === 'gitlab' && address.kind === 'pull' ? '!' : '#';
  const name = `${thread.title} (${sign}${String(address.number)})`;
  const about = [kindInWords(address), thread.state, ...thread.labels.map((label) => `“${label}”`)].join(
    ' · ',
  );
  const parts = [
    `# ${oneLine(name)}`,
    oneLine(about),
    ...[thread.first, ...thread.comments].flatMap(({ by, at, text, place }) => [
      `## ${oneLine([by, at.slice(0, 10), ...(place === '' ? [] : [place])].join(', '))}`,
      withLowerHeadings(text.trim()),
    ]),
  ];
  const { length } = thread.comments;
  const isCut = length >= MAX_COMMENTS || address.kind === 'discussion';
  const warnings =
    thread.count > length && isCut
      ? [t('Only the first {0} of {1} comments were read.', String(length), String(thread.count))]
      : [];
  return { title: name, markdown: `${parts.filter((part) => part !== '').join('\n\n')}\n`, warnings };
}

function kindInWords({ kind, repository }: ThreadAddress): string {
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
  options: ForgeOptions,
): Promise<Thread> {
  const base = `${api}/repos/${repository}`;
  const get = createRequest('GitHub', 'thread', options, {
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
  const posts: ThreadPost[] = [];
  for (const list of lists)
    for await (const comment of pages(list, v.array(githubComment), get, posts))
      posts.push({
        by: comment.user?.login ?? t('Unknown user'),
        at: comment.created_at ?? comment.submitted_at ?? '',
        text: comment.body ?? '',
        place: comment.path === undefined ? '' : placeInWords(comment.path, comment.line ?? undefined),
      });
  return {
    title,
    state: merged ? 'merged' : state,
    labels: labels.map(({ name }) => name),
    first: { by: user?.login ?? t('Unknown user'), at: created_at, text: body ?? '', place: '' },
    comments: inOrder(posts),
    count: Math.max(comments, posts.length),
  };
}

/** Reads a discussion, which GitHub provides only by GraphQL and only to signed-in users. */
async function discussion(
  { api, repository, number }: ThreadAddress,
  options: ForgeOptions,
): Promise<Thread> {
  if (options.token === undefined)
    throw new NotebookError(
      'unauthorized',
      t('GitHub provides discussions only to signed-in users. Add the discussion again to use your account.'),
    );
  const get = createRequest('GitHub', 'thread', options, {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${options.token}`,
  });
  const [owner, name] = repository.split('/');
  const posts: ThreadPost[] = [];
  let count = 0;
  let after: string | null = null;
  for (;;) {
    const variables = { owner, name, number, after };
    const body = JSON.stringify({ query: DISCUSSION_QUERY, variables });
    const answer: DiscussionAnswer = await get(`${api}/graphql`, discussionAnswer, body);
    const { data, errors } = answer;
    const foundDiscussion = data?.repository?.discussion;
    if (!foundDiscussion)
      throw responseError(
        'GitHub',
        'thread',
        errors.some(({ type }) => type === 'RATE_LIMITED') ? 429 : 404,
        false,
        true,
      );
    const { nodes, pageInfo, totalCount } = foundDiscussion.comments;
    if (after === null) count = totalCount;
    for (const comment of nodes) {
      posts.push({ ...saidBy(comment), place: comment.isAnswer ? t('accepted answer') : '' });
      for (const reply of comment.replies.nodes)
        posts.push({
          ...saidBy(reply),
          place: t('reply to {0}', comment.author?.login ?? t('Unknown user')),
        });
      count += comment.replies.totalCount;
    }
    after = pageInfo.endCursor;
    if (pageInfo.hasNextPage && after !== null && posts.length < MAX_COMMENTS) continue;
    const spoken = posts.filter(({ text }) => text.trim() !== '');
    return {
      title: foundDiscussion.title,
      state: [foundDiscussion.category?.name, foundDiscussion.closed ? 'closed' : 'open']
        .filter((part) => part !== undefined)
        .join(' · '),
      labels: foundDiscussion.labels?.nodes.map((label) => label.name) ?? [],
      first: { ...saidBy(foundDiscussion), place: '' },
      comments: spoken.slice(0, MAX_COMMENTS),
      count: spoken.length + Math.max(0, count - posts.length),
    };
  }
}

function saidBy({
  author,
  createdAt,
  body,
}: v.InferOutput<typeof discussionComment>): Omit<ThreadPost, 'place'> {
  return { by: author?.login ?? t('Unknown user'), at: createdAt, text: body };
}

async function onGitLab(
  { api, repository, number, kind }: ThreadAddress,
  options: ForgeOptions,
): Promise<Thread> {
  const get = createRequest(new URL(api).host, 'thread', options, gitLabHeaders({ api }, options.token));
  const resourceName = kind === 'pull' ? 'merge_requests' : 'issues';
  const base = `${api}/projects/${encodeURIComponent(repository)}/${resourceName}/${String(number)}`;
  const { title, state, description, author, created_at, labels, user_notes_count } = await get(
    base,
    gitlabThread,
  );
  const posts: ThreadPost[] = [];
  for await (const note of pages(`${base}/notes?sort=asc`, v.array(gitlabNote), get, posts))
    if (!note.system)
      posts.push({
        by: note.author?.username ?? t('Unknown user'),
        at: note.created_at,
        text: note.body,
        place:
          typeof note.position?.new_path === 'string'
            ? placeInWords(note.position.new_path, note.position.new_line ?? undefined)
            : '',
      });
  return {
    title,
    state,
    labels,
    first: { by: author?.username ?? t('Unknown user'), at: created_at, text: description ?? '', place: '' },
    comments: inOrder(posts),
    count: Math.max(user_notes_count, posts.length),
  };
}

function placeInWords(path: string, line: number | undefined): string {
  return line === undefined ? path : t('{0}, line {1}', path, line);
}

/** Returns the nonempty posts in order of time. */
function inOrder(posts: readonly ThreadPost[]): ThreadPost[] {
  return posts
    .filter(({ text }) => text.trim() !== '')
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .slice(0, MAX_COMMENTS);
}

/** Yields the items of a list page by page until the maximum number is reached. */
async function* pages<T>(
  address: string,
  schema: v.GenericSchema<unknown, T[]>,
  get: Get,
  comments: readonly unknown[],
): AsyncGenerator<T> {
  for (let page = 1; comments.length < MAX_COMMENTS && page <= MAX_COMMENTS / PAGE; page++) {
    const query = `per_page=${String(PAGE)}&page=${String(page)}`;
    const items = await get(`${address}${address.includes('?') ? '&' : '?'}${query}`, schema);
    yield* items;
    if (items.length < PAGE) return;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Lowers the headings in a text so that they are below the heading of their comment. */
function withLowerHeadings(text: string): string {
  let result = '';
  for (const { kind, start, end } of markdownLines(text)) {
    const line = text.slice(start, end);
    const isCode = kind === 'opening' || kind === 'code' || kind === 'closing';
    const heading = isCode ? undefined : headingOfLine(line);
    result +=
      (heading === undefined ? line : `${'#'.repeat(Math.min(6, heading.level + 2))} ${heading.title}`) +
      text.slice(end, end + 1);
  }
  return result;
}
