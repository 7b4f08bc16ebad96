import { createHash } from 'node:crypto';

const PREFIX = 'sha256:';

/**
 * Returns an alias for an endpoint's address in an exported notebook. Users of the same endpoint recognize it. Nobody
 * else can find out the address or send anything there. An alias is its own alias.
 */
export function endpointAlias(baseUrl: string): string {
  return isAlias(baseUrl) ? baseUrl : PREFIX + createHash('sha256').update(baseUrl).digest('hex');
}

/** Reports whether an address is an alias from `endpointAlias`. */
export function isAlias(baseUrl: string): boolean {
  return /^sha256:[\da-f]{64}$/.test(baseUrl);
}
