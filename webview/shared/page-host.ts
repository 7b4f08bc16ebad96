import { createContext, type Context } from 'preact';
import { t } from '@vscode/l10n';
import type { Api, Client, Params } from '../../src/core/rpc/rpc.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';

/** Extension API for the components of a page. */
export interface PageHost<A extends Api<A>> {
  readonly client: Client<A>;
  /** Shows an error on the page, in one sentence. */
  showProblem(problem: string): void;
  /** Sends a request without waiting. If it fails, the page shows the reason. */
  start<M extends keyof A & string>(method: M, params: Params<A[M]>, onFailed?: () => void): void;
}

/** Creates a page's host. Shows an error in one sentence until the next request. */
export function pageHost<A extends Api<A>>(
  client: Client<A>,
  reportProblem: (problem: string | undefined) => void,
): PageHost<A> {
  return {
    client,
    showProblem: reportProblem,
    start(method, params, onFailed) {
      reportProblem(undefined);
      client.call(method, params).catch((error: unknown) => {
        reportProblem(errorMessage(error));
        onFailed?.();
      });
    },
  };
}

/** Creates the context that gives components their host. */
export function createHostContext<A extends Api<A>>(): Context<PageHost<A>> {
  return createContext<PageHost<A>>({
    client: {
      call: () => Promise.reject(new Error(t('The panel isn’t connected. Close it, then open it again.'))),
      notify: () => undefined,
    },
    showProblem: () => undefined,
    start: () => undefined,
  });
}
