import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { listPrivateHosts, type Source } from '../../../core/domain/source.ts';
import { inform, isConfirmed } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { hostAndPort, isPrivateHost, isPrivateNumber } from '../../../parsers/web/private-addresses.ts';

/** Maximum time to resolve a host before it is added without a question, in milliseconds. Reading resolves it again. */
const LOOK_UP_TIMEOUT_MS = 3_000;

/** The user's answers about hosts on this machine and private networks, each with its port (see `hostAndPort`). */
export interface HostAnswers {
  readonly agreed: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
}

/**
 * Private hosts that the user agreed to for a notebook: those of its sources and, in this window, of removed sources.
 * They apply to other URLs that the user enters, but not to those that a file, a model, or another person names.
 */
export class PrivateHosts {
  readonly #notebook: NotebookClient;
  readonly #agreed = new Map<string, Set<string>>();

  constructor(notebook: NotebookClient) {
    this.#notebook = notebook;
  }

  /** Returns the unique hosts with their ports. */
  async listHosts(): Promise<string[]> {
    const sources = await this.#notebook.call('sources', {});
    return [...new Set([...sources.flatMap(({ origin }) => listPrivateHosts(origin)), ...this.#ofWindow])];
  }

  remember(hosts: Iterable<string>): void {
    for (const host of hosts) this.#ofWindow.add(host);
  }

  /** Asks about sources that weren't read because the user hadn't agreed to their host, and allows the agreed ones. */
  async askAgain(sources: readonly Source[]): Promise<void> {
    const batch = new HostBatch();
    const remembered = await this.listHosts();
    for (const { id, origin, state } of sources) {
      if (state.kind !== 'failed' || state.code !== 'forbidden') continue;
      const addresses = origin.kind === 'page' ? [origin.url] : origin.kind === 'site' ? origin.starts : [];
      const { agreed } = await batch.ask(addresses, remembered);
      const missing = [...agreed].filter((host) => !listPrivateHosts(origin).includes(host));
      this.remember(missing);
      if (missing.length > 0)
        await this.#notebook.call('allowPrivateHosts', { sourceId: id, hosts: missing });
    }
  }

  /** Lists the allowed hosts, so that the user can revoke access. */
  async manage(): Promise<void> {
    const hosts = (await this.listHosts()).toSorted();
    if (hosts.length === 0) {
      inform(
        vscode.l10n.t(
          'This notebook has no allowed private hosts. Open Notebook asks before it reads from a server on this machine or on a private network.',
        ),
      );
      return;
    }
    const sources = await this.#notebook.call('sources', {});
    const items = hosts.map((host) => {
      const titles = sources
        .filter(({ origin }) => listPrivateHosts(origin).includes(host))
        .map(({ title }) => title);
      return { label: host, description: literalText(titles.join(', ')), picked: true };
    });
    const selected = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: vscode.l10n.t('Allowed Private Hosts'),
      placeHolder: vscode.l10n.t('Clear the checkbox of a host to stop reading from it'),
    });
    if (selected === undefined) return;
    const forbidden = hosts.filter((host) => !selected.some(({ label }) => label === host));
    for (const host of forbidden) this.#ofWindow.delete(host);
    if (forbidden.length > 0) await this.#notebook.call('forbidPrivateHosts', { hosts: forbidden });
  }

  get #ofWindow(): Set<string> {
    const { key } = this.#notebook;
    const hosts = this.#agreed.get(key) ?? new Set();
    this.#agreed.set(key, hosts);
    return hosts;
  }
}

/** Answers of one batch of additions: the user is asked only once about each private host, whatever they answer. */
export class HostBatch {
  readonly #answers = new Map<string, Promise<boolean>>();

  /**
   * Asks the user about the private hosts among some URLs. Hosts in `remembered`, as `hostAndPort` writes them, count
   * as agreed.
   */
  async ask(addresses: readonly string[], remembered: readonly string[] = []): Promise<HostAnswers> {
    const hosts = new Map(addresses.map((address) => new URL(address)).map((url) => [hostAndPort(url), url]));
    const judged = await Promise.all(
      [...hosts].map(async ([key, url]) => ({ key, url, isPrivate: await leadsToPrivateHost(url) })),
    );
    const agreed = new Set<string>();
    const refused = new Set<string>();
    for (const { key, url, isPrivate } of judged)
      if (remembered.includes(key)) agreed.add(key);
      else if (isPrivate) ((await this.#answer(key, url)) ? agreed : refused).add(key);
    return { agreed, refused };
  }

  #answer(key: string, url: URL): Promise<boolean> {
    const answer = this.#answers.get(key) ?? askAbout(url);
    this.#answers.set(key, answer);
    return answer;
  }
}

/** Asks like a new `HostBatch`, and returns the agreed hosts; undefined if the user refuses one. */
export async function agreeToHosts(
  addresses: readonly string[],
  remembered: readonly string[] = [],
  batch = new HostBatch(),
): Promise<string[] | undefined> {
  const { agreed, refused } = await batch.ask(addresses, remembered);
  return refused.size > 0 ? undefined : [...agreed];
}

/** Pending questions by host, so that simultaneous requests wait for the same answer. */
const asking = new Map<string, Promise<boolean>>();

function askAbout(url: URL): Promise<boolean> {
  const key = hostAndPort(url);
  const confirmation =
    asking.get(key) ??
    isConfirmed(
      vscode.l10n.t('{0} is on this machine or on a private network. Read it?', url.host),
      vscode.l10n.t('Read'),
      vscode.l10n.t(
        'Its pages become part of your notebook and may be sent to a model. Your choice applies to this notebook. To change it later, use “Manage Private Hosts…”.',
      ),
    ).finally(() => asking.delete(key));
  asking.set(key, confirmation);
  return confirmation;
}

async function leadsToPrivateHost({ hostname }: URL): Promise<boolean> {
  if (isPrivateHost(hostname)) return true;
  const { lookUp } = await import('../../../parsers/web/guarded-fetch.ts');
  const isPrivate = lookUp(hostname.replace(/^\[|\]$/g, '')).then(
    (addresses) => addresses.some(({ address }) => isPrivateNumber(address)),
    () => false,
  );
  return Promise.race([isPrivate, sleep(LOOK_UP_TIMEOUT_MS, false, { ref: false })]);
}
