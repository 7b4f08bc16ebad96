import PQueue from 'p-queue';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { fitting } from '../../../core/domain/json-schemas.ts';
import { mayCarryToken } from '../../../parsers/threads/may-carry-token.ts';
import type { ThreadAddress } from '../../../parsers/threads/thread-address.ts';
import { askForSecret, isConfirmed, inform } from '../../../platform/dialogs.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import { readSecretJson } from '../../../platform/secret-json.ts';
import type { Account } from './with-forge-token.ts';

/** Secret with the tokens by the origins of their hosts, as JSON. */
const SECRET = 'openNotebook.gitLabTokens';
/** Storage key of the projects that the user agreed to read with their token, by URL. */
const KEY = 'gitlab.projects';

const tokens = v.record(v.string(), v.string());
type Tokens = Readonly<v.InferOutput<typeof tokens>>;
const projects = v.fallback(fitting(v.string()), []);

/** The user's personal access tokens for GitLab hosts, which they enter. They are stored only in the secret storage. */
export class GitLabAccounts implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  /** Storage of the workspace. */
  readonly #memory: vscode.Memento;
  /** A second input box would close the first, and the answer to the first may also serve the second. */
  readonly #questions = new PQueue({ concurrency: 1 });
  readonly #writes = new PQueue({ concurrency: 1 });
  readonly #subscription: vscode.Disposable;

  constructor(secrets: vscode.SecretStorage, memory: vscode.Memento) {
    this.#secrets = secrets;
    this.#memory = memory;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key === SECRET) void this.#setContextKey();
    });
    void this.#setContextKey();
  }

  /** Returns the account for a project. */
  account({ api, repository }: Pick<ThreadAddress, 'api' | 'repository'>, signal: AbortSignal): Account {
    const { origin, host } = new URL(api);
    const project = `${origin}/${repository}`;
    const isAgreed = (): boolean => this.#projects().includes(project);
    return {
      findAgreedToken: async () => (isAgreed() ? (await this.#tokens())[origin] : undefined),
      ask: (refused) =>
        this.#questions.add(async () => {
          if (signal.aborted || !mayCarryToken(api)) return undefined;
          if (!isAgreed()) {
            if (!(await agrees(repository, host))) return undefined;
            await this.#memory.update(KEY, [...this.#projects(), project]);
            await this.#setContextKey();
          }
          const savedToken = (await this.#tokens())[origin];
          if (savedToken !== undefined && savedToken !== refused) return savedToken;
          const typed = await askForToken(host, refused !== undefined, signal);
          if (typed !== undefined || refused !== undefined) await this.#keep(origin, typed);
          return typed;
        }),
    };
  }

  /** Sets, replaces, or deletes the token of a host that the user picks. */
  async manage(): Promise<void> {
    const tokens = await this.#tokens();
    const items = this.#origins(tokens).map((origin) => ({
      origin,
      label: new URL(origin).host,
      description: origin in tokens ? vscode.l10n.t('Token set') : vscode.l10n.t('No token set'),
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Manage GitLab Tokens'),
      placeHolder: vscode.l10n.t('Select a host'),
      matchOnDescription: true,
    });
    if (picked === undefined) return;
    const { origin, label: host } = picked;
    const isSet = origin in tokens;
    const replace = isSet ? vscode.l10n.t('Replace Token…') : vscode.l10n.t('Set Token…');
    const steps = [
      { label: `$(key) ${replace}`, forgets: false },
      ...(isSet ? [{ label: `$(trash) ${vscode.l10n.t('Remove Token')}`, forgets: true }] : []),
    ];
    const step = await vscode.window.showQuickPick(steps, { title: host });
    if (step === undefined) return;
    const typed = step.forgets ? undefined : await askForToken(host, false, new AbortController().signal);
    if (!step.forgets && typed === undefined) return;
    await this.#keep(origin, typed);
    inform(
      step.forgets
        ? vscode.l10n.t('Removed the token for {0}.', host)
        : vscode.l10n.t(
            'Saved the token for {0}. Refresh the sources from this host to read them with the token.',
            host,
          ),
    );
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #projects(): readonly string[] {
    return v.parse(projects, this.#memory.get(KEY));
  }

  #origins(tokens: Tokens): string[] {
    return [
      ...new Set([...Object.keys(tokens), ...this.#projects().map((project) => new URL(project).origin)]),
    ].sort();
  }

  async #tokens(): Promise<Tokens> {
    try {
      return await this.#readTokens();
    } catch {
      // Public projects need no token.
      return {};
    }
  }

  /** Returns the stored tokens. Rejects if the secret storage can't be read. */
  async #readTokens(): Promise<Tokens> {
    return (await readSecretJson(this.#secrets, SECRET, tokens)) ?? {};
  }

  /** Stores a token, or deletes the stored one if `token` is undefined. */
  async #keep(origin: string, token: string | undefined): Promise<void> {
    await this.#writes.add(async () => {
      const { [origin]: _before, ...others } = await this.#readTokens();
      await this.#secrets.store(
        SECRET,
        JSON.stringify(token === undefined ? others : { ...others, [origin]: token }),
      );
    });
  }

  async #setContextKey(): Promise<void> {
    await setContextKey('hasGitLab', this.#origins(await this.#tokens()).length > 0);
  }
}

async function agrees(repository: string, host: string): Promise<boolean> {
  return isConfirmed(
    vscode.l10n.t(
      '{0} on {1} is private or no longer exists. Read it with your access token?',
      repository,
      host,
    ),
    vscode.l10n.t('Read with Token'),
    vscode.l10n.t(
      'Its content becomes part of your notebook and may be sent to a model. Open Notebook uses the token for this project, and for other projects on this host that you allow.',
    ),
  );
}

async function askForToken(
  host: string,
  wasRefused: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const typed = await askForSecret(
    {
      title: vscode.l10n.t('GitLab Token for {0}', host),
      prompt: wasRefused
        ? vscode.l10n.t('{0} rejected the token. Enter another token that has the read_api scope.', host)
        : vscode.l10n.t(
            'Enter a personal access token that has the read_api scope. VS Code stores it in its secret storage, and Open Notebook sends it only to {0}.',
            host,
          ),
      // Only printable ASCII characters can be sent.
      validateInput: (value) =>
        /^[\u0021-\u007e]+$/.test(value.trim()) ? undefined : vscode.l10n.t('Enter the token.'),
    },
    signal,
  );
  return typed?.trim();
}
