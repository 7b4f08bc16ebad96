import { BlockList, isIP } from 'node:net';

/** IP addresses that aren't hosts on the internet: this machine, private networks, multicast, and reserved ranges. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  privateNetworks.addSubnet(network, prefix);
for (const [network, prefix] of [
  // The unspecified address, this machine, and IPv4 addresses in an obsolete form.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  // Tunnels, which end at an IPv4 address that any network can assign.
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** Networks with only IPv6 give IPv4 hosts, public or not, addresses that end with their IPv4 address. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** Names that only a private network gives its hosts. */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/i;

/** Reports whether a host name or IP address (`URL.hostname`) belongs to this machine or a private network. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(bare) === 0) return PRIVATE_NAMES.test(bare) || !bare.includes('.');
  return isPrivateNumber(bare);
}

/**
 * Reports whether an IP address belongs to this machine or a private network. Anything but an IP address counts as
 * private.
 */
export function isPrivateNumber(address: string): boolean {
  const number = address.replace(/%.*$/s, '');
  switch (isIP(number)) {
    case 4:
      return privateNetworks.check(number);
    case 6:
      // Judge a mapped address, `::ffff:10.0.0.1`, as its IPv4 address.
      return privateNetworks.check(translated.check(number, 'ipv6') ? unmapAddress(number) : number, 'ipv6');
    default:
      return true;
  }
}

/** Returns the IPv4 address at the end of an IPv6 address, in its mapped form. */
function unmapAddress(number: string): string {
  const { hostname } = new URL(`http://[${number}]`);
  const [high = '', low = ''] = hostname.slice(1, -1).split(':').slice(-2);
  return `::ffff:${high || '0'}:${low || '0'}`;
}

/** Returns a host with its port in the form in which consent is saved: `localhost:3000`, `[::1]:80`. */
export function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
