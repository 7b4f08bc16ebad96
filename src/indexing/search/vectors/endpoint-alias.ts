import { createHash } from 'node:crypto';

const PREFIX = 'sha256:';

/**
 * What stands for an endpoint's address in a notebook that leaves this machine: who uses the same endpoint knows it
 * again, nobody else learns where it is, and nothing can be sent to it. That of an alias is itself.
 */
export function endpointAlias(baseUrl: string): string {
  return isAlias(baseUrl) ? baseUrl : PREFIX + createHash('sha256').update(baseUrl).digest('hex');
}

/** Whether an address is one that `endpointAlias` made. */
export function isAlias(baseUrl: string): boolean {
  return /^sha256:[\da-f]{64}$/.test(baseUrl);
}
