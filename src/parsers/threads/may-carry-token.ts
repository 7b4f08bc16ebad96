import { isLoopback } from '../../core/domain/web-address.ts';

/** Reports whether a token may be sent to an address. Without encryption, only this machine may get it. */
export function mayCarryToken(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}
