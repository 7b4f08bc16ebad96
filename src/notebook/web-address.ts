/** An address of the web; `https://` is put in front where nothing is. Undefined where it is none. */
export function toWebAddress(address: string): string | undefined {
  const trimmed = address.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  return url.href;
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
