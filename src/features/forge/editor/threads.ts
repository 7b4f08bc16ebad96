import * as vscode from 'vscode';
import { listPrivateHosts, type Source } from '../../../core/domain/source.ts';
import type { ForgeOptions } from '../../../parsers/threads/forge-client.ts';
import type { ReadThread } from '../../../parsers/threads/read-thread.ts';
import { threadAddress, type ThreadAddress } from '../../../parsers/threads/thread-address.ts';
import type { FetchedPage } from '../../../parsers/web/fetch-page.ts';
import { withForgeToken, type Account } from './with-forge-token.ts';
import type { GitLabAccounts } from './gitlab-accounts.ts';
import { isConfirmed } from '../../../platform/dialogs.ts';

/** Storage key of the repositories that the user agreed to read with their account. */
const KEY = 'threads.repositories';

/** Request to a forge: a thread of a repository, or its contents. */
type InRepository = Pick<ThreadAddress, 'api' | 'forge' | 'repository'> & {
  readonly kind?: ThreadAddress['kind'];
};

/**
 * Reads issues, pull requests, and discussions by their URLs from the forge's API. For private ones, uses VS Code's own
 * sign-in or a token, after asking.
 */
export class Threads {
  readonly #memory: vscode.Memento;
  readonly #gitLab: Pick<GitLabAccounts, 'account'>;
  readonly #userAgent: string;

  constructor(memory: vscode.Memento, gitLab: Pick<GitLabAccounts, 'account'>, userAgent: string) {
    this.#memory = memory;
    this.#gitLab = gitLab;
    this.#userAgent = userAgent;
  }

  /** Returns a thread as a Markdown page; undefined if the URL isn't a thread. @throws NotebookError */
  async read(
    source: Source,
    url: string,
    signal: AbortSignal,
  ): Promise<(FetchedPage & Pick<ReadThread, 'warnings'>) | undefined> {
    const address = threadAddress(url);
    if (address === undefined) return undefined;
    const { readThread } = await import('../../../parsers/threads/read-thread.ts');
    const { markdown, warnings } = await this.asking(source, address, signal, (options) =>
      readThread(address, options),
    );
    const bytes = new TextEncoder().encode(markdown);
    const page = {
      bytes,
      mediaType: 'text/markdown; charset=utf-8',
      etag: undefined,
      lastModified: undefined,
    };
    return { ...page, url: url.replace(/#.*$/s, ''), warnings };
  }

  /**
   * Reads from a repository of a forge. Uses the user's account if they agreed, or agree now because the content isn't
   * public.
   * @throws NotebookError
   */
  async asking<T>(
    source: Source,
    address: InRepository,
    signal: AbortSignal,
    read: (options: ForgeOptions) => Promise<T>,
  ): Promise<T> {
    const { guardedFetch } = await import('../../../parsers/web/guarded-fetch.ts');
    const options = {
      fetch: guardedFetch(listPrivateHosts(source.origin)),
      signal,
      userAgent: this.#userAgent,
    };
    const account =
      address.forge === 'github' ? this.#onGitHub(address) : this.#gitLab.account(address, signal);
    // Asks only for new sources. A refreshed source reports the missing access itself.
    return withForgeToken(account, source.documents === 0, (token) => read({ ...options, token }));
  }

  #onGitHub(address: InRepository): Account {
    return {
      findAgreedToken: () => this.#findToken(address, false),
      ask: async (refused) => (refused === undefined ? this.#findToken(address, true) : undefined),
    };
  }

  /**
   * Returns the token of VS Code's account for a repository that the user agreed to. If `mayAsk` is `true`, asks them.
   */
  async #findToken({ kind, repository }: InRepository, mayAsk: boolean): Promise<string | undefined> {
    const agreed = this.#memory.get<readonly string[]>(KEY, []);
    if (!agreed.includes(repository)) {
      if (!mayAsk || !(await mayAskSignedIn(kind, repository))) return undefined;
      await this.#memory.update(KEY, [...agreed, repository]);
    }
    const how = mayAsk ? { createIfNone: true } : { silent: true };
    try {
      return (await vscode.authentication.getSession('github', ['repo'], how))?.accessToken;
    } catch {
      // The user closed the sign-in.
      return undefined;
    }
  }
}

async function mayAskSignedIn(kind: InRepository['kind'], repository: string): Promise<boolean> {
  return await isConfirmed(
    kind === 'discussion'
      ? vscode.l10n.t(
          'GitHub requires sign-in to read discussions. Read the discussions of {0} with your GitHub account?',
          repository,
        )
      : vscode.l10n.t(
          '{0} on GitHub is private or no longer exists. Read it with your GitHub account?',
          repository,
        ),
    vscode.l10n.t('Read with GitHub Account'),
    vscode.l10n.t(
      'Its content becomes part of your notebook and may be sent to a model. Open Notebook uses the account only for this repository.',
    ),
  );
}
