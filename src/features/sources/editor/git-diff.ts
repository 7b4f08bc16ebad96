import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { TextToAdd } from './add-sources.ts';
import type { Commit } from './commit-text.ts';
import { timeInTitle } from '../../../platform/time-in-title.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';

/** Maximum length of a diff in UTF-16 code units. Longer diffs are generated and would block the editor. */
const MAX_DIFF_LENGTH = 5_000_000;

/** Used part of the API of VS Code's built-in Git extension. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): Git;
}

interface Git {
  readonly state: 'initialized' | 'uninitialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly Repository[];
}

/** Repository of the Git extension. */
export interface Repository {
  readonly rootUri: vscode.Uri;
  /** Returns the staged changes if `cached`, else the unstaged ones. */
  diff(cached: boolean): Promise<string>;
  /** Returns the changes against the working tree, or between two commits as `one..other`. */
  diffWith(ref: string, path: string): Promise<string>;
  log(options: { readonly maxEntries: number; readonly range?: string }): Promise<readonly Commit[]>;
  getBranches(query: { readonly remote: boolean }): Promise<readonly { readonly name?: string }[]>;
}

interface DiffChoice extends vscode.QuickPickItem {
  /** Description of the changes in the source's title. */
  readonly name: string;
  readonly diff: () => Promise<string>;
}

/**
 * Asks for the changes and, unless `root` is set, the repository. Returns their diff, titled with the changes and the
 * time; undefined if the user cancels.
 * @throws NotebookError `not-found` without Git or a repository, `empty` without a change, `too-large`
 */
export async function askForGitDiff(root?: vscode.Uri): Promise<TextToAdd | undefined> {
  const knownRepositories = await repositories();
  const namedRepository = knownRepositories.find(({ rootUri }) => rootUri.toString() === root?.toString());
  const repository =
    namedRepository ?? (await pickRepository(knownRepositories, vscode.l10n.t('Add Git Diff')));
  if (repository === undefined) return undefined;
  const choice = await pickChanges(repository);
  if (choice === undefined) return undefined;
  const text = await choice.diff();
  if (text.trim() === '')
    throw new NotebookError(
      'empty',
      vscode.l10n.t(
        '{0} has no changes of this kind. Select other changes to add.',
        lastSegment(repository.rootUri),
      ),
    );
  if (text.length > MAX_DIFF_LENGTH) throw tooMany();
  return {
    title: vscode.l10n.t(
      'Changes in {0}: {1}, {2}',
      lastSegment(repository.rootUri),
      choice.name,
      timeInTitle(),
    ),
    text,
  };
}

/**
 * Returns changes in a repository: the unstaged ones, the staged ones, or the differences from a branch or commit.
 * `folder` is a part of the repository's path, if there are several.
 * @throws NotebookError `not-found` without Git, the repository, or the branch, `too-large`
 */
export async function gitDiff(
  of: 'staged' | 'working-tree' | { readonly ref: string },
  folder = '',
): Promise<{ readonly repository: string; readonly text: string }> {
  const knownRepositories = await repositories();
  const matching = knownRepositories.filter(({ rootUri }) => rootUri.path.includes(folder));
  const [repository, another] = matching;
  if (repository === undefined || another !== undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t(
        'Specify one of these repositories: {0}.',
        knownRepositories.map(({ rootUri }) => lastSegment(rootUri)).join(', '),
      ),
    );
  const text = await readChanges(repository, of);
  if (text.length > MAX_DIFF_LENGTH) throw tooMany();
  return { repository: lastSegment(repository.rootUri), text };
}

async function readChanges(
  repository: Repository,
  of: 'staged' | 'working-tree' | { readonly ref: string },
): Promise<string> {
  if (typeof of === 'string') return await repository.diff(of === 'staged');
  // Git would treat a name that begins with a hyphen as an option.
  const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_./@^~-]{0,200}$/u.test(of.ref);
  try {
    if (isName) return await repository.diffWith(of.ref, '.');
  } catch {
    // The error below covers this case.
  }
  throw new NotebookError('not-found', vscode.l10n.t('Can’t find a branch or commit named {0}.', of.ref));
}

function tooMany(): NotebookError {
  return new NotebookError(
    'too-large',
    vscode.l10n.t('These changes are too large to read. Stage some of them, then add the staged changes.'),
  );
}

/** Returns the open repositories. @throws NotebookError `not-found` without Git or a repository */
export async function repositories(): Promise<readonly Repository[]> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = await extension?.activate();
  if (!git?.enabled)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t(
        'Git isn’t available. Turn on Git in Settings, and make sure that you trust this folder.',
      ),
    );
  const api = git.getAPI(1);
  await waitUntilLoaded(api);
  if (api.repositories.length === 0)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('No Git repository is open. Open a folder that’s in a repository.'),
    );
  return api.repositories;
}

/** Resolves once Git has looked for repositories. */
async function waitUntilLoaded(git: Git): Promise<void> {
  if (git.state === 'initialized') return;
  await new Promise<void>((resolve) => {
    const waiting = git.onDidChangeState(() => {
      waiting.dispose();
      resolve();
    });
  });
}

/** Asks for one of several repositories; undefined if the user cancels. */
export async function pickRepository(
  choosable: readonly Repository[],
  title: string,
): Promise<Repository | undefined> {
  if (choosable.length === 1) return choosable[0];
  const choices = choosable.map((repository) => ({
    label: lastSegment(repository.rootUri),
    description: repository.rootUri.fsPath,
    repository,
  }));
  const chosen = await vscode.window.showQuickPick(choices, {
    title,
    placeHolder: vscode.l10n.t('Select a repository'),
  });
  return chosen?.repository;
}

async function pickChanges(repository: Repository): Promise<DiffChoice | undefined> {
  const choices: (DiffChoice | (vscode.QuickPickItem & { readonly diff?: undefined }))[] = [
    {
      label: `$(edit) ${vscode.l10n.t('Working tree')}`,
      detail: vscode.l10n.t('Changes that aren’t staged'),
      name: vscode.l10n.t('working tree'),
      diff: () => repository.diff(false),
    },
    {
      label: `$(check) ${vscode.l10n.t('Staged')}`,
      detail: vscode.l10n.t('Changes in the next commit'),
      name: vscode.l10n.t('staged'),
      diff: () => repository.diff(true),
    },
    {
      label: `$(git-branch) ${vscode.l10n.t('Compare with a branch…')}`,
      detail: vscode.l10n.t('All differences from the branch, committed or not'),
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Add Git Diff'),
    placeHolder: vscode.l10n.t('Select the changes to add'),
  });
  return chosen === undefined || chosen.diff !== undefined ? chosen : pickBranch(repository);
}

async function pickBranch(repository: Repository): Promise<DiffChoice | undefined> {
  const branches = await repository.getBranches({ remote: true });
  const choices: DiffChoice[] = branches.flatMap(({ name }) =>
    name === undefined
      ? []
      : [
          {
            label: literalText(name),
            name: vscode.l10n.t('compared with {0}', name),
            diff: () => repository.diffWith(name, '.'),
          },
        ],
  );
  if (choices.length === 0)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('This repository has no branches yet. Create a commit first.'),
    );
  return vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Add Git Diff'),
    placeHolder: vscode.l10n.t('Select the branch to compare with'),
  });
}
