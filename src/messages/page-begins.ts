/**
 * A page posts this before anything else. VS Code makes another page in a webview whenever it is shown again, and an
 * answer to the page before must not reach it: both count their requests from zero.
 */
export const PAGE_BEGINS = { kind: 'pageBegins' } as const;

/** Returns whether a message says that a page begins. */
export function isPageBeginning(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === PAGE_BEGINS.kind
  );
}
