/** URL parameters that track where a visitor came from but don't change the page. */
const TRACKING_PARAMETERS =
  /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|_ga|_hs\w+|igshid|ref_src|phpsessid|jsessionid|sessionid)$/i;

/** Maximum length of an address. Scripts and crawler traps produce longer ones. */
const MAX_ADDRESS_LENGTH = 1_000;

/**
 * Returns the normalized address of a page: absolute, on the web, without a fragment, user name, or tracking
 * parameters, and with sorted parameters. Returns undefined if the address isn't valid or not worth requesting.
 */
export function toAddress(href: string, base?: string): URL | undefined {
  const url = URL.parse(href.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.pathname = url.pathname.replace(/\/{2,}/g, '/').replace(/;jsessionid=[^/]*/i, '');
  const names = [...url.searchParams.keys()];
  const tracking = names.filter((name) => TRACKING_PARAMETERS.test(name));
  for (const name of tracking) url.searchParams.delete(name);
  // Sorting also re-encodes parameters, and some servers notice, so sort only if it matters.
  if (names.length - tracking.length > 1) url.searchParams.sort();
  // An address with a bare question mark at the end equals the address without it.
  if (url.search === '') url.search = '';
  return url.href.length > MAX_ADDRESS_LENGTH ? undefined : url;
}

/** Returns the addresses that a user entered or pasted: one per line, or separated by spaces or commas. */
export function toStarts(text: string): {
  readonly starts: readonly string[];
  readonly wrong: string | undefined;
} {
  // A one-line input box joins pasted lines without a separator.
  const parts = text.split(/[\s,;]+|(?<!^|[\s,;])(?=https?:\/\/)/i).filter((part) => part !== '');
  const starts = new Set<string>();
  for (const part of parts) {
    const url = toAddress(/^[a-z][a-z\d+.-]*:\/\//i.test(part) ? part : `https://${part}`);
    if (url === undefined || (!url.hostname.includes('.') && !part.includes('://') && !isLocalName(url)))
      return { starts: [...starts], wrong: part };
    starts.add(url.href);
  }
  return { starts: [...starts], wrong: undefined };
}

function isLocalName({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname.startsWith('[');
}
