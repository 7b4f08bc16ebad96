import { BlockList, isIP } from 'node:net';

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, prefix);
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** Names that only a private network gives to its hosts. */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/i;

/** Whether an address leads to this machine or into a private network, as its host tells by its name or number. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(bare) === 0) return privateNames.test(bare) || !bare.includes('.');
  return isPrivateNumber(bare);
}

/** Whether a host's name stands for a private number; `lookUp` gives a name's IP addresses, none where it is not known. */
export async function leadsToPrivateHost(
  hostname: string,
  lookUp: (hostname: string) => Promise<readonly string[]>,
): Promise<boolean> {
  if (isPrivateHost(hostname)) return true;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false;
  return (await lookUp(hostname)).some(isPrivateNumber);
}

function isPrivateNumber(number: string): boolean {
  const family = isIP(number) === 6 ? 'ipv6' : 'ipv4';
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(number);
  if (mapped === null) return privateNetworks.check(number, family);
  const [, dotted, high = '0', low = '0'] = mapped;
  const bits = parseInt(high, 16) * 0x10000 + parseInt(low, 16);
  return privateNetworks.check(
    dotted ?? [24, 16, 8, 0].map((shift) => String((bits >>> shift) & 255)).join('.'),
  );
}
