import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { listPrivateHosts, type Source } from '../../notebook/source.ts';
import { isConfirmed } from '../dialogs.ts';
import { hostAndPort, isPrivateHost, isPrivateNumber } from '../../reading/web/private-addresses.ts';

/** How long the name of a host is looked up before it is added unasked, in milliseconds; reading looks it up again. */
const LOOK_UP_PATIENCE = 3_000;

/** What the user said to hosts of this machine and of private networks, each with its port (see `hostAndPort`). */
export interface HostAnswers {
  readonly agreed: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
}

/**
 * Returns the private hosts that the user agreed to for sources of a notebook. They hold for other addresses that the
 * user enters, and for none that a file, a link, a model, or another person names.
 */
export function rememberedHosts(sources: readonly Source[]): string[] {
  return sources.flatMap(({ origin }) => listPrivateHosts(origin));
}

/**
 * Asks the user about those hosts of some addresses that are private, each once. The ones in `remembered`, as
 * `hostAndPort` writes them, count as agreed.
 */
export async function askAboutHosts(
  addresses: readonly string[],
  remembered: readonly string[],
): Promise<HostAnswers> {
  const hosts = new Map(addresses.map((address) => new URL(address)).map((url) => [hostAndPort(url), url]));
  const judged = await Promise.all(
    [...hosts].map(async ([key, url]) => ({ key, url, isPrivate: await leadsToPrivateHost(url) })),
  );
  const agreed = new Set<string>();
  const refused = new Set<string>();
  for (const { key, url, isPrivate } of judged)
    if (remembered.includes(key)) agreed.add(key);
    else if (isPrivate) ((await askAbout(url)) ? agreed : refused).add(key);
  return { agreed, refused };
}

/** Asks as `askAboutHosts` does, and returns the agreed hosts; undefined if the user refuses one. */
export async function agreeToHosts(
  addresses: readonly string[],
  remembered: readonly string[] = [],
): Promise<string[] | undefined> {
  const { agreed, refused } = await askAboutHosts(addresses, remembered);
  return refused.size > 0 ? undefined : [...agreed];
}

async function askAbout({ host }: URL): Promise<boolean> {
  return isConfirmed(
    vscode.l10n.t('{0} is on this machine or in a private network. Read it?', host),
    vscode.l10n.t('Read It'),
    vscode.l10n.t('What it answers becomes a part of your notebook, and of what a model is told.'),
  );
}

async function leadsToPrivateHost({ hostname }: URL): Promise<boolean> {
  if (isPrivateHost(hostname)) return true;
  const { lookUp } = await import('../../reading/web/guarded-fetch.ts');
  const found = lookUp(hostname.replace(/^\[|\]$/g, '')).then(
    (all) => all.some(({ address }) => isPrivateNumber(address)),
    () => false,
  );
  return Promise.race([found, sleep(LOOK_UP_PATIENCE, false, { ref: false })]);
}
