import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { CslItem } from '../../core/domain/bibliography.ts';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { fetchAddress } from '../web/fetch-page.ts';
import type { Fetch } from '../web/guarded-fetch.ts';

/** Maximum size of a registry's response, in bytes and in values. */
const MAX_BYTES = 2 * 2 ** 20;
const BOUNDS = { depth: 30, values: 200_000 };

const MAX_REDIRECTS = 5;

const item = v.looseObject({ title: v.optional(v.unknown()), type: v.optional(v.string(), 'document') });

/**
 * Looks up a work in a DOI registry by its URL there, and follows redirects.
 * @throws NotebookError `not-found` if the registry doesn't know the work, `cancelled`, and download errors
 */
export async function lookUpItem(address: string, fetch: Fetch, signal: AbortSignal): Promise<CslItem> {
  const headers = { accept: 'application/vnd.citationstyles.csl+json' };
  let at = address;
  let from: URL | undefined;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const fetched = await fetchAddress(at, {
      ...{ fetch, signal, from, headers },
      retries: 1,
      mostBytes: () => MAX_BYTES,
    }).catch((error: unknown) => {
      throw error instanceof NotebookError && error.code === 'not-found' ? unknown(address, error) : error;
    });
    if (fetched.kind === 'page') return parseItem(fetched.page.bytes, address);
    if (fetched.kind === 'unchanged') break;
    from = new URL(at);
    at = fetched.to;
  }
  throw unknown(address);
}

function parseItem(bytes: Uint8Array, address: string): CslItem {
  try {
    const read = v.parse(item, parseBounded(new TextDecoder().decode(bytes), BOUNDS));
    // Crossref returns lists of titles. Use the first.
    const plain = Object.entries(read).map(([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) && value.every((part) => typeof part === 'string') ? value[0] : value,
    ]);
    return { ...Object.fromEntries(plain), id: '', type: read.type };
  } catch (error) {
    throw unknown(address, error);
  }
}

function unknown(address: string, cause?: unknown): NotebookError {
  return new NotebookError(
    'not-found',
    t(
      '{0} has no metadata for this reference. Check the DOI or arXiv ID, or enter the metadata yourself.',
      new URL(address).host,
    ),
    { cause },
  );
}
