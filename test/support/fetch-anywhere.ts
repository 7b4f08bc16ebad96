import { guardedFetch, type Fetch } from '../../src/parsers/web/guarded-fetch.ts';
import { hostAndPort } from '../../src/parsers/web/private-addresses.ts';

/** Fetches with consent for every host of this machine. */
export const fetchAnywhere: Fetch = (url, request) => guardedFetch([hostAndPort(url)])(url, request);
