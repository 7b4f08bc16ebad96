/** By which the policy of this page knows scripts and styles of its own. */
export function pageNonce(): string | undefined {
  const script = document.querySelector('script[nonce]');
  return script instanceof HTMLElement ? script.nonce : undefined;
}
