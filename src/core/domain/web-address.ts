/** Returns a web URL, with `https://` added if it has no scheme; undefined if it isn't valid. */
export function toWebAddress(address: string): string | undefined {
  const trimmed = address.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  return url.href;
}

/**
 * Returns a key that all URLs of one page share: no fragment, unless a script uses it to show a page, and no slash at
 * the end.
 */
export function addressKey(address: string): string {
  const url = new URL(address);
  if (!isPageOfScript(url)) url.hash = '';
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  // Remove a question mark without a query.
  if (url.search === '') url.search = '';
  return url.href;
}

/** Returns the stored forms of a URL without a fragment; empty if a script shows the page. */
export function sameAddresses(address: string): string[] {
  const url = new URL(addressKey(address));
  if (isPageOfScript(url)) return [];
  const withSlash = new URL(url);
  withSlash.pathname += '/';
  return [url.href, withSlash.href];
}

/** Reports whether the fragment of a URL tells a script in the page which content to show. */
function isPageOfScript({ hash }: URL): boolean {
  return /^#!?\//.test(hash);
}

/** Returns the web URLs of a text that contains only URLs, separated by white space; empty for other texts. */
export function webAddressesIn(text: string): string[] {
  const words = text.trim().split(/\s+/);
  const addresses = words.map((word) => (/^https?:\/\//i.test(word) ? toWebAddress(word) : undefined));
  return addresses.every((address) => address !== undefined) ? addresses : [];
}

/** Reports whether a host is this machine, by name or IP address, in brackets or not. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** Decodes the escapes in a part of a URL; returns it unchanged if an escape is invalid. */
export function withoutEscapes(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The part contains a percent sign that isn't an escape.
    return part;
  }
}
