import { t } from '@vscode/l10n';
import type { AnnotationsByKey } from '../../core/domain/annotation.ts';
import { isCanceled, NotebookError, throwIfCanceled, type ErrorCode } from '../../core/domain/errors.ts';
import type { PageOutcome, SettledPage, SiteRules, WaitingPage } from '../../core/domain/site.ts';
import type { FetchedPage } from '../web/fetch-page.ts';
import { toAddress } from './addresses.ts';
import { replacementAddress, discoverOnPage } from './discovered-links.ts';
import type { SitePageReading, SitePageRequest } from './read-site-page.ts';
import type { Judge } from './scope.ts';
import type { SiteClient } from './site-client.ts';

/** Result of a visit; `isSilent` if the host didn't respond, or its response says nothing about the page. */
interface Visit {
  readonly page: SettledPage;
  readonly isSilent: boolean;
}

/**
 * Function that downloads and reads a waiting page.
 * @throws NotebookError `cancelled`, and if nothing of the site may be downloaded.
 */
export type PageVisitor = (
  page: WaitingPage,
  judge: Judge,
  rules: SiteRules,
  signal: AbortSignal,
) => Promise<Visit>;

const SILENT_CODES: ReadonlySet<ErrorCode> = new Set(['connection', 'timeout', 'server', 'rate-limited']);

export type ReadSitePage = (request: SitePageRequest, signal: AbortSignal) => Promise<SitePageReading>;

/**
 * Creates a visitor that downloads pages with a client and passes them to `read`.
 * @param findStoredAnnotations returns the saved annotations of a PDF by its address
 */
export function pageVisitor(
  client: SiteClient,
  read: ReadSitePage,
  minimumLength: () => number,
  findStoredAnnotations: (address: string) => Promise<AnnotationsByKey>,
): PageVisitor {
  return async (page, judge, rules, signal) => {
    try {
      return { page: await visit(page, judge, rules, signal), isSilent: false };
    } catch (error) {
      throwIfCanceled(signal);
      if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
      return { page: withoutPage(error, page, judge), isSilent: SILENT_CODES.has(error.code) };
    }
  };

  async function visit(
    page: WaitingPage,
    judge: Judge,
    rules: SiteRules,
    signal: AbortSignal,
  ): Promise<SettledPage> {
    const { address } = page;
    const url = new URL(address);
    if (!(await client.readRobots(url.origin)).allows(url))
      return nothing(
        address,
        'barred',
        t('The robots.txt file of {0} doesn’t allow this page.', url.host),
        true,
      );
    const fetched = await client.page(address, page.savedVersion);
    switch (fetched.kind) {
      case 'unchanged':
        return { address, outcome: { kind: 'unchanged' }, found: [] };
      case 'moved':
        return movedTo(fetched.to, page, judge);
      case 'page':
        return readPage(fetched.page, page, judge, rules, signal);
    }
  }

  async function readPage(
    fetched: FetchedPage,
    page: WaitingPage,
    judge: Judge,
    rules: SiteRules,
    signal: AbortSignal,
  ): Promise<SettledPage> {
    const { address } = page;
    const request = { url: address, minimumLength: minimumLength() };
    const { bytes, mediaType } = fetched;
    const storedAnnotations = await findStoredAnnotations(address);
    const reading = await read(
      { ...request, bytes, mediaType, knownHash: page.savedVersion?.hash, storedAnnotations },
      signal,
    );
    const canonical = reading.canonical === undefined ? undefined : judge(reading.canonical);
    const proper = canonical?.kind === 'in' && canonical.url.href !== address ? canonical : undefined;
    const discovered = [
      ...(proper === undefined ? [] : replacementAddress(proper, { ...page, twin: undefined })),
      ...(await discoverOnPage(reading, { url: address, depth: page.depth }, judge, rules)),
    ];
    if (reading.content.kind === 'unchanged')
      return { address, outcome: { kind: 'unchanged' }, found: discovered };
    const twinContent = await readTwin(reading.twin ?? page.twin, reading.content, request, signal);
    const content = twinContent ?? reading.content;
    if (content.kind === 'refused')
      return { ...nothing(address, 'refused', content.reason, true), found: discovered };
    const version = { etag: fetched.etag, lastModified: fetched.lastModified, hash: reading.hash };
    const outcome: PageOutcome = {
      kind: 'read',
      fetched: {
        document: content.document,
        version,
        byteLength: fetched.bytes.length,
        textHash: content.textHash,
        canonical: proper?.url.href,
      },
    };
    return { address, outcome, found: discovered };
  }

  /** Returns the text of a page's Markdown version, which contains less clutter, if there is a real one. */
  async function readTwin(
    address: string | undefined,
    content: SitePageReading['content'],
    request: { readonly url: string; readonly minimumLength: number },
    signal: AbortSignal,
  ): Promise<Extract<SitePageReading['content'], { kind: 'read' }> | undefined> {
    if (address === undefined || new URL(address).host !== new URL(request.url).host) return undefined;
    const twin = await client.twin(address);
    if (twin === undefined) return undefined;
    const { bytes } = twin;
    const reading = await read(
      { ...request, bytes, mediaType: 'text/markdown', knownHash: undefined },
      signal,
    );
    if (reading.content.kind !== 'read') return undefined;
    const { document, textHash } = reading.content;
    const title = document.title ?? (content.kind === 'read' ? content.document.title : undefined);
    return { kind: 'read', document: { ...document, title }, textHash };
  }
}

/** Returns the result for a page that couldn't be downloaded. */
function withoutPage(error: NotebookError, page: WaitingPage, judge: Judge): SettledPage {
  const { address, twin } = page;
  if (error.code === 'not-found' && twin !== undefined && twin !== address)
    return movedTo(twin, { ...page, twin: undefined }, judge);
  const isRefused = error.code === 'unsupported' || error.code === 'too-large';
  const isGone = isRefused || error.code === 'not-found';
  return nothing(address, isRefused ? 'refused' : 'failed', error.message, isGone);
}

function movedTo(to: string, page: WaitingPage, judge: Judge): SettledPage {
  const { address, depth, rank, twin } = page;
  const target = toAddress(to);
  if (target === undefined)
    return nothing(address, 'left-out', t('This page redirects outside the crawl, to {0}.', to), true);
  if (target.href === address)
    return nothing(
      address,
      'failed',
      t('This page redirects to itself. It may require sign-in or cookies.'),
      true,
    );
  // A start page may redirect anywhere: the target is the site that the user meant.
  const discovered: SettledPage['found'] =
    depth === 0
      ? [{ address: target.href, depth, rank, twin, state: 'waiting', reason: '' }]
      : replacementAddress(judge(target.href), page);
  const [first] = discovered;
  if (first === undefined)
    return nothing(
      address,
      'left-out',
      t('This page redirects outside the crawl, to {0}.', target.href),
      true,
    );
  return { address, outcome: { kind: 'moved', to: first.address }, found: discovered };
}

function nothing(
  address: string,
  state: Extract<PageOutcome, { kind: 'nothing' }>['state'],
  reason: string,
  isRemoved: boolean,
): SettledPage {
  return { address, outcome: { kind: 'nothing', state, reason, isRemoved }, found: [] };
}
