import { isLoopback } from '../../notebook/web-address.ts';

/** Whether a token may go to an address: what is not encrypted stays on this machine. */
export function mayCarryToken(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}
