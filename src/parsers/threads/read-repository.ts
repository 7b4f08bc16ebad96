import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError } from '../../core/domain/errors.ts';
import { createRequest, requestBytes, gitLabHeaders, type ForgeOptions } from './forge-client.ts';
import type { RepositoryAddress } from './repository-address.ts';

/** Maximum number of documents to read from a repository, and the maximum size of each, in bytes. */
const MAX_FILES = 1_000;
const MAX_BYTES = 2 * 2 ** 20;

/** Number of files that GitLab lists per request, and the maximum number of requests. */
const PAGE = 100;
const MAX_PAGES = 200;

const DOCS = /\.(?:adoc|asciidoc|markdown|md|mdx|rst)$/i;

/** Folders with foreign code or with templates for contributors. */
const FOREIGN = /(?:^|\/)(?:\.git(?:hub|lab)|bower_components|node_modules|third[-_]party|vendor)\//i;

/** Document of a repository. */
export interface RepositoryFile {
  readonly path: string;
  /** Git hash of its content. */
  readonly hash: string;
  /** Size in bytes; 0 if the forge doesn't report it. */
  readonly size: number;
  /** URL of its bytes, and of its page. */
  readonly address: string;
  readonly page: string;
}

/** Documents of a repository. */
interface Repository {
  readonly title: string;
  readonly files: readonly RepositoryFile[];
  /** Sentences about the parts that can't be listed. */
  readonly warnings: readonly string[];
}

const githubRepository = v.object({ full_name: v.string(), default_branch: v.string() });
const githubTree = v.object({
  truncated: v.optional(v.boolean(), false),
  tree: v.array(
    v.object({ path: v.string(), type: v.string(), sha: v.string(), size: v.optional(v.number(), 0) }),
  ),
});
const githubRefs = v.array(v.object({ ref: v.string() }));
const gitlabRefs = v.array(v.object({ name: v.string() }));
const gitlabProject = v.object({ path_with_namespace: v.string(), default_branch: v.nullish(v.string()) });
const gitlabTree = v.array(v.object({ path: v.string(), type: v.string(), id: v.string() }));

/**
 * Lists the documents of a repository or of one of its folders in Markdown, reStructuredText, and AsciiDoc.
 * @throws NotebookError `not-found`, `unauthorized` if it doesn't exist or isn't public, `rate-limited`, `server`,
 * `empty`, `cancelled`
 */
export async function listRepository(address: RepositoryAddress, options: ForgeOptions): Promise<Repository> {
  const { name, files, folder, isCut } = await (address.forge === 'github' ? onGitHub : onGitLab)(
    address,
    options,
  );
  const docs = files
    .filter(
      ({ path, size }) =>
        DOCS.test(path) &&
        !FOREIGN.test(path) &&
        size <= MAX_BYTES &&
        (folder === '' || path.startsWith(`${folder}/`)),
    )
    .toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  if (docs.length === 0)
    throw new NotebookError(
      'empty',
      t('{0} has no documents in Markdown, reStructuredText, or AsciiDoc.', name),
    );
  const docFiles = docs.slice(0, MAX_FILES);
  const warnings = [
    ...(docs.length > MAX_FILES
      ? [t('Only the first {0} of {1} documents were read.', String(MAX_FILES), String(docs.length))]
      : []),
    ...(isCut
      ? [
          t(
            'The repository has too many files to list, so documents may be missing. Add a single folder instead.',
          ),
        ]
      : []),
  ];
  return { title: folder === '' ? name : `${name}/${folder}`, files: docFiles, warnings };
}

/** Returns the bytes of a document of a repository. @throws NotebookError */
export async function readRepositoryFile(
  address: RepositoryAddress,
  file: RepositoryFile,
  options: ForgeOptions,
): Promise<Uint8Array> {
  const name = forgeName(address);
  const { token } = options;
  if (address.forge === 'gitlab')
    return requestBytes(name, 'repository', options, gitLabHeaders(address, token), file.address);
  if (token === undefined) return requestBytes(name, 'repository', options, {}, file.address);
  // Only the API provides files of private repositories.
  const blob = `${address.api}/repos/${address.repository}/git/blobs/${file.hash}`;
  const headers = { accept: 'application/vnd.github.raw+json', authorization: `Bearer ${token}` };
  return requestBytes(name, 'repository', options, headers, blob);
}

interface Listed {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly RepositoryFile[];
  readonly isCut: boolean;
}

function forgeName({ forge, api }: RepositoryAddress): string {
  return forge === 'github' ? 'GitHub' : new URL(api).host;
}

async function onGitHub(address: RepositoryAddress, options: ForgeOptions): Promise<Listed> {
  const { api, raw, pages, repository } = address;
  const get = createRequest(forgeName(address), 'repository', options, {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
  });
  const base = `${api}/repos/${repository}`;
  const { full_name, default_branch } = await get(base, githubRepository);
  const { ref, folder } = await placeIn(address, default_branch, async (kind, begins) => {
    const refs = await get(`${base}/git/matching-refs/${kind}/${encodeURIComponent(begins)}`, githubRefs);
    return refs.map((entry) => entry.ref.replace(`refs/${kind}/`, ''));
  });
  const tree = await get(`${base}/git/trees/${encodeURIComponent(ref)}?recursive=1`, githubTree);
  return {
    name: full_name,
    folder,
    isCut: tree.truncated,
    files: tree.tree
      .filter(({ type }) => type === 'blob')
      .map(({ path, sha, size }) => ({
        path,
        hash: sha,
        size,
        address: `${raw}/${repository}/${below(ref, path)}`,
        page: `${pages}/${repository}/blob/${below(ref, path)}`,
      })),
  };
}

async function onGitLab(address: RepositoryAddress, options: ForgeOptions): Promise<Listed> {
  const { api, pages, repository } = address;
  const get = createRequest(forgeName(address), 'repository', options, gitLabHeaders(address, options.token));
  const base = `${api}/projects/${encodeURIComponent(repository)}`;
  const { path_with_namespace, default_branch } = await get(base, gitlabProject);
  const { ref, folder } = await placeIn(address, default_branch ?? 'HEAD', async (kind, begins) => {
    const query = new URLSearchParams({ search: `^${begins}`, per_page: String(PAGE) });
    const refs = await get(
      `${base}/repository/${kind === 'heads' ? 'branches' : 'tags'}?${query.toString()}`,
      gitlabRefs,
    );
    return refs.map((entry) => entry.name);
  });
  const entries: v.InferOutput<typeof gitlabTree> = [];
  let isCut = true;
  for (let page = 1; page <= MAX_PAGES && isCut; page++) {
    const query = new URLSearchParams({ recursive: 'true', ref, per_page: String(PAGE), page: String(page) });
    if (folder !== '') query.set('path', folder);
    const listed = await get(`${base}/repository/tree?${query.toString()}`, gitlabTree);
    entries.push(...listed);
    isCut = listed.length === PAGE;
  }
  const query = new URLSearchParams({ ref }).toString();
  return {
    name: path_with_namespace,
    folder,
    isCut,
    files: entries
      .filter(({ type }) => type === 'blob')
      .map(({ path, id }) => ({
        path,
        hash: id,
        size: 0,
        address: `${base}/repository/files/${encodeURIComponent(path)}/raw?${query}`,
        page: `${pages}/${repository}/-/blob/${below(ref, path)}`,
      })),
  };
}

/**
 * Returns the branch, tag, or commit that an address names, and the folder below it. A name with slashes leaves the
 * boundary open, so the longest matching branch wins, then the longest matching tag.
 */
async function placeIn(
  { ref, folder }: RepositoryAddress,
  main: string,
  refsThatBegin: (kind: 'heads' | 'tags', begins: string) => Promise<readonly string[]>,
): Promise<{ readonly ref: string; readonly folder: string }> {
  if (ref === undefined) return { ref: main, folder };
  if (folder === '' || ref === main) return { ref, folder };
  const path = `${ref}/${folder}`;
  for (const kind of ['heads', 'tags'] as const) {
    const [longest] = (await refsThatBegin(kind, ref))
      .filter((name) => name === path || path.startsWith(`${name}/`))
      .toSorted((a, b) => b.length - a.length);
    if (longest !== undefined) return { ref: longest, folder: path.slice(longest.length + 1) };
  }
  // The name is a commit.
  return { ref, folder };
}

function below(ref: string, path: string): string {
  return [...ref.split('/'), ...path.split('/')].map((part) => encodeURIComponent(part)).join('/');
}

/** Returns the depth of a path. Files at a lower depth are read first. */
function depth(path: string): number {
  return path.split('/').length;
}
