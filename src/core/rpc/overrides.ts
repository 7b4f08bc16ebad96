import type { Api, Client, Params } from './rpc.ts';

/** Calls to a side that something else answers. */
type Overrides<A extends Api<A>> = {
  readonly [M in keyof A & string]?: (
    params: Params<A[M]>,
    options?: Parameters<Client<A>['call']>[2],
  ) => Promise<ReturnType<A[M]>>;
};

/** Returns a client for a side that answers some calls by `instead`. */
export function withOverrides<A extends Api<A>>(
  client: Pick<Client<A>, 'call'>,
  instead: Overrides<A>,
): Pick<Client<A>, 'call'> {
  return {
    call(method, params, options) {
      const answer = instead[method];
      return answer === undefined ? client.call(method, params, options) : answer(params, options);
    },
  };
}
