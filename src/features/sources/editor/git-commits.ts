import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { documentOfText } from '../../../parsers/text-file.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { ago } from '../../../platform/relative-time.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { contextItemTitle, type ContextItem } from './context-item.ts';
import { commitText, type Commit } from './commit-text.ts';
import { pickRepository, repositories, type Repository } from './git-diff.ts';

/** Maximum number of commits in the list, and of commits in a range. */
const MAX_COMMITS = 500;

/** Trees without files, which a first commit is compared with, by the hash algorithms of repositories. */
const EMPTY_TREES = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
];

/**
 * Asks for a commit, or for the first and the last of a range, in a repository; undefined if the user cancels.
 * @throws NotebookError `not-found` without Git, a repository, or a commit
 */
export async function askForCommits(root?: vscode.Uri): Promise<ContextItem | undefined> {
  const knownRepositories = await repositories();
  const namedRepository = knownRepositories.find(({ rootUri }) => rootUri.toString() === root?.toString());
  const title = vscode.l10n.t('Ask About Commits');
  const repository = namedRepository ?? (await pickRepository(knownRepositories, title));
  if (repository === undefined) return undefined;
  const commits = await readLog(repository);
  const last = await pickCommit(
    commits,
    title,
    vscode.l10n.t('Select a commit, or the last commit of a range'),
  );
  if (last === undefined) return undefined;
  const first = await pickFirst(commits.slice(commits.indexOf(last) + 1), last, title);
  return first && (await commitContextItem(repository, first, last));
}

async function readLog(repository: Repository): Promise<readonly Commit[]> {
  const commits = await repository.log({ maxEntries: MAX_COMMITS }).catch(() => []);
  if (commits.length === 0)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('{0} has no commits yet. Create a commit first.', lastSegment(repository.rootUri)),
    );
  return commits;
}

async function pickCommit(
  commits: readonly Commit[],
  title: string,
  placeHolder: string,
): Promise<Commit | undefined> {
  const chosen = await vscode.window.showQuickPick(commits.map(commitItem), {
    title,
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.commit;
}

/** Asks for the first commit of a range that ends with `last`, which may be `last` itself. */
async function pickFirst(
  earlier: readonly Commit[],
  last: Commit,
  title: string,
): Promise<Commit | undefined> {
  if (earlier.length === 0) return last;
  const alone = {
    ...commitItem(last),
    label: `$(git-commit) ${vscode.l10n.t('This commit only')}`,
    detail: literalText(commitSubject(last)),
  };
  const chosen = await vscode.window.showQuickPick([alone, ...earlier.map(commitItem)], {
    title,
    placeHolder: vscode.l10n.t('Select this commit only, or the first commit of the range'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.commit;
}

function commitItem(commit: Commit): vscode.QuickPickItem & { readonly commit: Commit } {
  const { hash, authorName, authorDate } = commit;
  return {
    label: literalText(commitSubject(commit)),
    description: hash.slice(0, 8),
    detail: [authorName, authorDate && ago(authorDate.getTime())]
      .filter((part) => part !== undefined)
      .join(', '),
    commit,
  };
}

function commitSubject({ message }: Commit): string {
  return message.split('\n', 1)[0] ?? '';
}

async function commitContextItem(repository: Repository, first: Commit, last: Commit): Promise<ContextItem> {
  const name = lastSegment(repository.rootUri);
  const isOne = first.hash === last.hash;
  const [parent] = first.parents;
  const range = parent === undefined ? last.hash : `${parent}..${last.hash}`;
  const commits = isOne ? [last] : await repository.log({ maxEntries: MAX_COMMITS, range });
  const before = parent ?? EMPTY_TREES.find(({ length }) => length === first.hash.length) ?? first.hash;
  const diff = await repository.diffWith(`${before}..${last.hash}`, '.');
  const { text, warnings } = commitText(commits, diff);
  const hashes = isOne ? last.hash.slice(0, 8) : `${first.hash.slice(0, 8)}–${last.hash.slice(0, 8)}`;
  return {
    title: contextItemTitle(
      isOne
        ? `${hashes} ${commitSubject(last)} (${name})`
        : vscode.l10n.t('{0}: {1} commits ({2})', hashes, commits.length, name),
    ),
    origin: { kind: 'text' },
    document: { ...documentOfText(text, 'commit.md'), map: { kind: 'saved' }, warnings },
    uri: '',
  };
}
