import type { Api, Client, Params } from './rpc.ts';

/** Some calls of a side, each answered by something else than that side. */
type Overrides<A extends Api<A>> = {
  readonly [M in keyof A & string]?: (
    params: Params<A[M]>,
    options?: Parameters<Client<A>['call']>[2],
  ) => Promise<ReturnType<A[M]>>;
};

/** What asks a side but for those calls that are answered by something else. */
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
