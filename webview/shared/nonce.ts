/** Returns the nonce that allows our own scripts and styles under the page's policy. */
export function pageNonce(): string | undefined {
  const script = document.querySelector('script[nonce]');
  return script instanceof HTMLElement ? script.nonce : undefined;
}
