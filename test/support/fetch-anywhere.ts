import { guardedFetch, type Fetch } from '../../src/reading/web/guarded-fetch.ts';
import { hostAndPort } from '../../src/reading/web/private-addresses.ts';

/** Fetches with consent for every host of this machine. */
export const fetchAnywhere: Fetch = (url, request) => guardedFetch([hostAndPort(url)])(url, request);
