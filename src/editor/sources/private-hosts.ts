import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { leadsToPrivateHost } from '../../reading/sites/private-addresses.ts';

/** How long the name of a host is looked up before it is taken for one of the internet, in milliseconds. */
const LOOK_UP_PATIENCE = 3_000;

/** A question whether a host may be asked at all, put once for each host. */
export type MayAsk = (url: URL) => Promise<boolean>;

/**
 * Whether hosts may be asked: those of the internet always, those of this machine and of private networks where the user
 * agreed to them or, asked now, agrees.
 */
export function mayAskHosts(agreed: readonly string[]): MayAsk {
  const answers = new Map<string, Promise<boolean>>(agreed.map((host) => [host, Promise.resolve(true)]));
  return (url) => {
    const answer = answers.get(url.host) ?? isPublicOrAgreed(url);
    answers.set(url.host, answer);
    return answer;
  };
}

/** Those hosts of some addresses that are private and that the user agrees to; undefined where one is refused. */
export async function agreeToHosts(addresses: readonly string[]): Promise<string[] | undefined> {
  const hosts: string[] = [];
  for (const url of addresses.map((address) => new URL(address))) {
    if (hosts.includes(url.host) || !(await leadsToPrivateHost(url.hostname, lookUp))) continue;
    if (!(await askAbout(url))) return undefined;
    hosts.push(url.host);
  }
  return hosts;
}

async function isPublicOrAgreed(url: URL): Promise<boolean> {
  return !(await leadsToPrivateHost(url.hostname, lookUp)) || askAbout(url);
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
