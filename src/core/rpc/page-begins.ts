/**
 * Message that a page posts before anything else. VS Code creates another page in a webview whenever it's shown again,
 * and an answer to the previous page must not reach it: both count their requests from zero.
 */
export const PAGE_BEGINS = { kind: 'pageBegins' } as const;

/** Reports whether a message says that a page begins. */
export function isPageBeginning(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === PAGE_BEGINS.kind
  );
}
