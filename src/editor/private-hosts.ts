import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { leadsToPrivateHost } from '../reading/sites/private-addresses.ts';

/** How long the name of a host is looked up before it is taken for one of the internet, in milliseconds. */
const LOOK_UP_PATIENCE = 3_000;

/** The user's word on which hosts of this machine and of private networks may be read; asked once for each host. */
export class PrivateHosts {
  readonly #answers = new Map<string, Promise<boolean>>();

  /** Whether a host may be asked: one of the internet always, one that is private only where the user agrees. */
  mayAsk(url: URL, agreed: readonly string[]): Promise<boolean> {
    if (agreed.includes(url.host)) return Promise.resolve(true);
    const known = this.#answers.get(url.host) ?? this.#ask(url);
    this.#answers.set(url.host, known);
    return known;
  }

  /** Those hosts of some addresses that are private and that the user agrees to; undefined where one is refused. */
  async agree(addresses: readonly string[]): Promise<string[] | undefined> {
    const hosts: string[] = [];
    for (const url of addresses.map((address) => new URL(address))) {
      if (hosts.includes(url.host) || !(await leadsToPrivateHost(url.hostname, lookUp))) continue;
      if (!(await askAbout(url))) return undefined;
      hosts.push(url.host);
    }
    return hosts;
  }

  async #ask(url: URL): Promise<boolean> {
    return !(await leadsToPrivateHost(url.hostname, lookUp)) || askAbout(url);
  }
}

async function askAbout({ host }: URL): Promise<boolean> {
  const read = vscode.l10n.t('Read It');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} is on this machine or in a private network. Read it?', host),
    {
      modal: true,
      detail: vscode.l10n.t('What it answers becomes a part of your notebook, and of what a model is told.'),
    },
    read,
  );
  return chosen === read;
}

/** A name that can't be looked up here may be known to a proxy, and then is one of the internet. */
async function lookUp(hostname: string): Promise<readonly string[]> {
  const found = lookup(hostname, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  );
  return Promise.race([found, sleep(LOOK_UP_PATIENCE, [], { ref: false })]);
}
