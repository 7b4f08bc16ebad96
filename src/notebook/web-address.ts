/** An address of the web; `https://` is put in front where nothing is. Undefined where it is none. */
export function toWebAddress(address: string): string | undefined {
  const trimmed = address.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  return url.href;
}

/** Returns what the addresses of one page share: no fragment, unless a script shows a page by it, and no slash at the end. */
export function addressKey(address: string): string {
  const url = new URL(address);
  if (!isPageOfScript(url)) url.hash = '';
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  // A question mark with nothing behind it goes, too.
  if (url.search === '') url.search = '';
  return url.href;
}

/** Returns the addresses without fragments that an address may be kept by; none if a script shows the page. */
export function sameAddresses(address: string): string[] {
  const url = new URL(addressKey(address));
  if (isPageOfScript(url)) return [];
  const withSlash = new URL(url);
  withSlash.pathname += '/';
  return [url.href, withSlash.href];
}

/** Reports whether the fragment of an address tells a script in a page what to show. */
function isPageOfScript({ hash }: URL): boolean {
  return /^#!?\//.test(hash);
}

/** The web addresses of a text that consists of nothing else, one or several with space between them; else none. */
export function webAddressesIn(text: string): string[] {
  const words = text.trim().split(/\s+/);
  const addresses = words.map((word) => (/^https?:\/\//i.test(word) ? toWebAddress(word) : undefined));
  return addresses.every((address) => address !== undefined) ? addresses : [];
}

/** Whether a host is this machine, by its name or number, in brackets or not. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** A part of an address with the characters that its escapes stand for; as it is written where one stands for none. */
export function withoutEscapes(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
